// Speaks the protocol (protocol/PROTOCOL.md). What is played is decided in choose.hpp.
#include <iostream>

#include "choose.hpp"
#include "json.hpp"

// std::endl and not "\n": a line that isn't flushed never arrives.
void send(const std::string& message) { std::cout << message << std::endl; }

class Bot {
public:
    // Returns whether there is more to come.
    bool answer(const Json& message) {
        const std::string& type = message["type"].text;
        if (type == "hello") {
            send(R"({"type":"join","protocol":1,"name":"starter-cpp","games":["mexica"],"want":["legal"]})");
        } else if (type == "start") {
            chance.seed(message["seed"].integer());
            send(R"({"type":"ready","match":)" + quoted(message["match"].text) + "}");
        } else if (type == "turn") {
            legal = message["legal"].strings();
            play(message["id"]);
        } else if (type == "reject") {
            rejected(message);
        } else if (type == "ping") {
            send(R"({"type":"pong","id":)" + message["id"].text + "}");
        } else if (type == "error") {
            std::cerr << message["code"].text << ": " << message["reason"].text << std::endl;
        }
        return type != "bye";  // messages that it doesn't know are passed over
    }

private:
    Actions legal;
    Chance chance;

    void play(const Json& id) {
        send(R"({"type":"play","id":)" + id.text + R"(,"actions":[)" + quoted(choose(legal, chance)) + "]}");
    }

    // Can't happen while an action comes from the list. If it does: all but the action that was refused.
    void rejected(const Json& message) {
        if (message["code"].text == "turn_over" || message["strikes_left"].integer() == 0) return;
        legal.erase(std::remove(legal.begin(), legal.end(), message["action"].text), legal.end());
        play(message["id"]);
    }
};

int main() {
    Bot bot;
    std::string line;
    while (std::getline(std::cin, line)) {
        if (line.find_first_not_of(" \t\r") == std::string::npos) continue;
        if (!bot.answer(Json::parse(line))) break;
    }
}
