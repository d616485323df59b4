// One match: the position kept by events, and what to answer when asked.

#pragma once

#include <cstdio>

#include "notation.hpp"
#include "search.hpp"

struct Options {
    long nodes = 0;        // plans to try for a decision; 0: as many as time allows
    long move_ms = 1000;   // time for a turn where the clock names none
    long seed = -1;        // of ties; -1: the match's own
};

struct Answer {
    std::vector<std::string> actions;
    std::string note;
};

class Player {
public:
    virtual ~Player() = default;
    virtual void event(const Json& message) = 0;
    virtual Answer choose(const Json& clock, Budget::Clock::time_point asked) = 0;
    virtual Answer pass() const = 0;
};

// How long to think, in milliseconds: never so long that a busy machine could make the answer late. Six
// tenths of the time at most, and less where this process was lately seen to wait for others.
inline long time_for(const Json& clock, long otherwise) {
    if (!clock.has("left_ms")) return otherwise;
    long left = clock.at("left_ms").integer();
    if (clock.has("bank_ms")) {
        const long share = clock.at("bank_ms").integer() / 25 + clock.at("increment_ms").integer() * 3 / 4;
        left = std::min(left, std::max(share, 1L));
        left = std::min(left, std::max(clock.at("left_ms").integer() - 200, 1L));
    }
    const long waited = std::chrono::duration_cast<std::chrono::milliseconds>(Budget::longest_gap).count();
    Budget::longest_gap = Budget::longest_gap * 3 / 4;
    return std::max({1L, left / 4, std::min(left * 6 / 10, left - 60 - 2 * waited)});
}

template <int W>
class GamePlayer : public Player {
public:
    GamePlayer(const Json& start, const Options& options)
        : options_(options), game_(start.at("options")) {
        position_ = read_position(game_, start.at("state").at("position").text);
        const long seed = options.seed >= 0 ? options.seed : start.at("seed").integer();
        seed_ = static_cast<Word>(seed) * 0x9e3779b97f4a7c15 + 1;
    }

    void event(const Json& message) override {
        if (message.has("action")) position_.apply(parse_action(game_, message.at("action").text));
    }

    Answer choose(const Json& clock, Budget::Clock::time_point asked) override {
        Search<W> search(position_.s.players);
        search.planner.seed = seed_;
        search.budget.until = asked + std::chrono::milliseconds(time_for(clock, options_.move_ms));
        if (options_.nodes) search.budget.most_nodes = options_.nodes;
        switch (position_.s.phase) {
            case PLACING: return {{text_of(game_, action(PLACE, start_space()))}, ""};
            case VOTE: return {{search.agrees(position_) ? "agree" : "refuse"}, ""};
            default: return turn(search);
        }
    }

    // What is always legal.
    Answer pass() const override {
        if (position_.s.phase == PLACING) return {{text_of(game_, action(PLACE, position_.placements().first()))}, ""};
        return {{position_.s.phase == VOTE ? "refuse" : "end"}, ""};
    }

private:
    static constexpr double THINKING = 0.75;  // part of the time for the turn itself, where a proposal may follow

    Options options_;
    Game<W> game_;
    Position<W> position_;
    Word seed_;

    Answer turn(Search<W>& search) {
        const Budget whole = search.budget;
        const int unusable = search.unusable(position_);
        if (unusable) search.budget = whole.part(THINKING);
        double worth = 0;
        const ActionList chosen = search.best_turn(position_, worth);
        Answer answer;
        char note[80];
        std::snprintf(note, sizeof note, "value %.1f after %d rounds, %ld plans", worth, search.rounds,
                      search.budget.nodes);
        search.budget = whole;
        Position<W> p = position_;
        const int turn = p.s.turn;
        for (int n = 0; n < chosen.count && p.s.turn == turn && p.s.phase == TURN; ++n) {
            Action a = chosen.actions[n];
            if (a.kind == END && unusable && search.proposes(p, unusable)) a = action(RETIRE, 0, unusable);
            if (!p.is_legal(a)) break;  // can't be: every turn was played through when it was found
            answer.actions.push_back(text_of(game_, a));
            p.apply(a);
        }
        if (answer.actions.empty()) return pass();
        answer.note = note;
        return answer;
    }

    // A free space by chance: that was as good as those that look best.
    int start_space() const {
        std::vector<int> spaces;
        each(position_.placements(), [&](int cell) { spaces.push_back(cell); });
        const Word chance = seed_ * 6364136223846793005 + static_cast<Word>(position_.s.seat) * 77;
        return spaces[(chance >> 33) % spaces.size()];
    }
};
