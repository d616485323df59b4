// `tlatoani --engine`: this bot's rules as a service, so that they can be checked against `mexica engine`.
//
// One JSON object a line in, one out. A part of the language of protocol/ENGINE.md:
//   {"cmd":"new","options":{…},"position":"mexica …"}   options as in `start`; replies like `state`
//   {"cmd":"legal"}                                     "to_act", "actions" (sorted)
//   {"cmd":"apply","actions":["…"]}                     "ok" false with "index" at the first that is illegal
//   {"cmd":"state"}                                     "to_act", "scores", "ranking", "hands", "position"
//   {"cmd":"perft","depth":2}                           "count"

#pragma once

#include <iostream>
#include <memory>

#include "notation.hpp"

class Engine {
public:
    virtual ~Engine() = default;
    virtual std::string reply(const Json& request) = 0;
};

template <int W>
class GameEngine : public Engine {
public:
    explicit GameEngine(const Json& request) : game_(request.at("options")) {
        position_ = read_position(game_, request.at("position").text);
    }

    std::string reply(const Json& request) override {
        const std::string& cmd = request.at("cmd").text;
        if (cmd == "legal") return legal();
        if (cmd == "apply") return apply(request.at("actions").list);
        if (cmd == "perft") return ok("\"count\":" + std::to_string(perft(position_, request.at("depth").integer())));
        return ok(state());
    }

private:
    Game<W> game_;
    Position<W> position_;

    static std::string ok(const std::string& fields) { return "{\"ok\":true," + fields + "}"; }

    template <class Numbers>
    static std::string numbers(const Numbers& values, int count) {
        std::string made;
        for (int n = 0; n < count; ++n) made += (n ? "," : "") + std::to_string(values[n]);
        return "[" + made + "]";
    }

    std::string to_act() const {
        const int seat = position_.s.to_act();
        return "\"to_act\":" + (seat < 0 ? "null" : std::to_string(seat));
    }

    std::string state() const {
        const State<W>& s = position_.s;
        std::string hands;
        for (int seat = 0; seat < s.players; ++seat)
            hands += (seat ? "," : "") + numbers(s.hands[seat], game_.rules.levels());
        return to_act() + ",\"scores\":" + numbers(s.scored, s.players) + ",\"ranking\":" +
               (s.phase == OVER ? numbers(position_.ranking(), s.players) : "null") + ",\"hands\":[" + hands +
               "],\"position\":" + quoted(write_position(position_));
    }

    std::string legal() const {
        std::vector<std::string> texts;
        for (const Action& a : position_.legal_actions()) texts.push_back(text_of(game_, a));
        std::sort(texts.begin(), texts.end());
        std::string made;
        for (const std::string& text : texts) made += (made.empty() ? "" : ",") + quoted(text);
        return ok(to_act() + ",\"actions\":[" + made + "]");
    }

    std::string apply(const std::vector<Json>& actions) {
        for (std::size_t n = 0; n < actions.size(); ++n) {
            const Action a = parse_action(game_, actions[n].text);
            if (!position_.is_legal(a)) return "{\"ok\":false,\"index\":" + std::to_string(n) + "," + state() + "}";
            position_.apply(a);
        }
        return ok(state());
    }

    static long perft(const Position<W>& p, long depth) {
        if (depth == 0) return 1;
        const std::vector<Action> actions = p.legal_actions();
        if (depth == 1) return static_cast<long>(actions.size());
        long sum = 0;
        for (const Action& a : actions) {
            Position<W> after = p;
            after.apply(a);
            sum += perft(after, depth - 1);
        }
        return sum;
    }
};
