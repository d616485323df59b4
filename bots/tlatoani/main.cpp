// tlatoani: a bot for Mexica. It speaks protocol/PROTOCOL.md on standard input and output; see README.md.

#include <iostream>
#include <memory>

#include "engine.hpp"
#include "player.hpp"

namespace {

const char* const USAGE =
    "usage: tlatoani [--nodes N] [--move-ms N] [--seed N]   play, by the protocol on standard input and output\n"
    "       tlatoani --engine                               check its rules: see engine.hpp\n";

// A Made<W> with words enough for a board of that many cells, as its base class.
template <class Base, template <int> class Made, class... Given>
std::unique_ptr<Base> sized(int cells, const Given&... given) {
    if (cells <= 5 * 64) return std::make_unique<Made<5>>(given...);
    if (cells <= 12 * 64) return std::make_unique<Made<12>>(given...);
    return std::make_unique<Made<64>>(given...);
}

void send(const std::string& line) { std::cout << line << std::endl; }

class Session {
public:
    explicit Session(const Options& options) : options_(options) {}

    // Takes a message; false if it was the last.
    bool receive(const Json& message) {
        const std::string& type = message.at("type").text;
        if (type == "hello")
            send(R"({"type":"join","protocol":1,"name":"tlatoani","games":["mexica"],"want":["events"]})");
        else if (type == "start")
            start(message);
        else if (type == "event" && player_)
            player_->event(message);
        else if (type == "turn" && player_)
            turn(message);
        else if (type == "reject" && player_)
            reject(message);
        else if (type == "ping")
            send("{\"type\":\"pong\",\"id\":" + std::to_string(message.at("id").integer()) + "}");
        else if (type == "error")
            std::cerr << message.at("code").text << ": " << message.at("reason").text << std::endl;
        return type != "bye";
    }

private:
    Options options_;
    std::unique_ptr<Player> player_;

    void start(const Json& message) {
        player_ = sized<Player, GamePlayer>(Game<5>::cells_of(message.at("options")), message, options_);
        send("{\"type\":\"ready\",\"match\":" + quoted(message.at("match").text) + "}");
    }

    void turn(const Json& message) {
        const auto now = Budget::Clock::now();
        play(message, player_->choose(message.at("clock"), now));
    }

    void reject(const Json& message) {
        std::cerr << "rejected: " << message.at("action").text << ": " << message.at("reason").text << std::endl;
        if (message.at("code").text != "turn_over" && message.at("strikes_left").integer() > 0)
            play(message, player_->pass());
    }

    static void play(const Json& message, const Answer& answer) {
        std::string actions;
        for (const std::string& text : answer.actions) actions += (actions.empty() ? "" : ",") + quoted(text);
        const std::string id = std::to_string(message.at("id").integer());
        std::string line = "{\"type\":\"play\",\"id\":" + id + ",\"actions\":[" + actions + "]";
        if (!answer.note.empty()) line += ",\"note\":" + quoted(answer.note);
        send(line + "}");
    }
};

int play(const Options& options) {
    Session session(options);
    std::string line;
    while (std::getline(std::cin, line)) {
        if (line.find_first_not_of(" \t\r") == std::string::npos) continue;
        try {
            if (!session.receive(Json::parse(line))) return 0;
        } catch (const std::exception& error) {
            std::cerr << "tlatoani can't go on: " << error.what() << std::endl;
            return 1;
        }
    }
    return 0;
}

int serve_rules() {
    std::unique_ptr<Engine> engine;
    std::string line;
    while (std::getline(std::cin, line)) {
        try {
            const Json request = Json::parse(line);
            if (request.at("cmd").text == "new")
                engine = sized<Engine, GameEngine>(Game<5>::cells_of(request.at("options")), request);
            if (!engine) throw std::runtime_error("begin with \"new\"");
            send(engine->reply(request));
        } catch (const std::exception& error) {
            send("{\"ok\":false,\"reason\":" + quoted(error.what()) + "}");
        }
    }
    return 0;
}

int usage() {
    std::cerr << USAGE;
    return 2;
}

}  // namespace

int main(int count, char** words) {
    std::ios::sync_with_stdio(false);
    Options options;
    for (int n = 1; n < count; ++n) {
        const std::string word = words[n];
        if (word == "--engine") return serve_rules();
        if (word == "--help") {
            std::cout << USAGE;
            return 0;
        }
        long* const option = word == "--nodes" ? &options.nodes : word == "--move-ms" ? &options.move_ms
                                                              : word == "--seed"      ? &options.seed
                                                                                      : nullptr;
        char* end = nullptr;
        if (!option || ++n == count) return usage();
        *option = std::strtol(words[n], &end, 10);
        if (*end || end == words[n] || *option < 0) return usage();
    }
    return play(options);
}
