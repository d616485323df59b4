// Whole turns: the best ones of a beam search over plans.

#pragma once

#include "plans.hpp"

struct ActionList {
    static constexpr int MOST = 60;
    Action actions[MOST];
    int count = 0;

    void add(const Action& a) { actions[count++] = a; }
    bool is_full() const { return count >= MOST - 1; }  // but for the end of the turn
};

// A turn, whole or begun.
template <int W>
struct Turn {
    Position<W> p;  // after the actions
    ActionList actions;
    double points[MOST_SEATS] = {};  // expected then
    double value = 0;                // the same in the view of the seat whose turn it is
};

template <int W>
class Planner {
public:
    using M = Mask<W>;
    using Turns = std::vector<Turn<W>>;
    Judge<W> judge;
    Word seed = 0;  // decides between equals

    explicit Planner(Budget& budget) : budget_(budget) {}

    // Shapes on display around all pawns.
    Shapes<W> shapes(const Position<W>& p) {
        Shapes<W> found(p.game->sizes.size());
        for (int n = 0; n < p.s.players && (!n || !budget_.over()); ++n) {
            ways_.find(p, (p.s.seat + n) % p.s.players, AHEAD);
            carver_.find(p, ways_, CARVED, found);
        }
        for (auto& masks : found) {
            std::unordered_set<M, Mixed<W>> seen;
            const auto again = [&](const M& mask) { return !seen.insert(mask).second; };
            masks.erase(std::remove_if(masks.begin(), masks.end(), again), masks.end());
        }
        return found;
    }

    // Turns, whole and begun, best first: of each step the best `width` go on, by `tries` plans each.
    Turns turns(const Position<W>& p, const Shapes<W>& shapes, std::size_t width, std::size_t tries) {
        Turns found{judged(p)}, grown;
        seen_ = {hash_of(p.s)};
        Turns beam = found;
        for (int depth = 0; depth < DEPTH && !beam.empty() && !budget_.spent; ++depth) {
            grown.clear();
            for (const Turn<W>& turn : beam) grow(turn, shapes, tries, grown);
            sort(grown);
            found.insert(found.end(), grown.begin(), grown.end());
            beam.clear();
            for (std::size_t n = 0; n < std::min(width, grown.size()); ++n)
                if (goes_on(grown[n].p, p)) beam.push_back(grown[n]);
        }
        sort(found);
        return found;
    }

    // A turn found by taking the best plan again and again, while it improves on the position; then it is ended.
    Position<W> quick(const Position<W>& p, const Shapes<W>& shapes, std::size_t tries) {
        Turn<W> turn = judged(p);
        while (goes_on(turn.p, p) && !budget_.spent) {
            quick_.clear();
            seen_.clear();
            grow(turn, shapes, tries, quick_);
            const auto worse = [](const Turn<W>& a, const Turn<W>& b) { return a.value < b.value; };
            const auto best = std::max_element(quick_.begin(), quick_.end(), worse);
            if (best == quick_.end() || best->value <= turn.value + 0.01) break;
            turn = *best;
        }
        if (goes_on(turn.p, p)) {
            while (act(turn, action(TAKE))) continue;
            turn.p.apply(action(END));
        }
        return turn.p;
    }

    // The turn with the rest of it: action tokens, first steps of a plan for the next turn, and the end. Up to
    // `number` ways to do so, each towards something else.
    Turns complete(Turn<W> turn, const Position<W>& start, const Shapes<W>& shapes, std::size_t number) {
        if (!goes_on(turn.p, start)) return {turn};
        while (act(turn, action(TAKE))) continue;
        Turns made;
        for (const Actions& steps : first_steps(turn.p, shapes, number)) {
            Turn<W> whole = turn;
            for (const Action& a : steps)
                if (!goes_on(whole.p, start) || !whole.p.is_legal(a) || !act(whole, a)) break;
            if (goes_on(whole.p, start)) act(whole, action(END));
            judge_turn(whole, start.s.seat);
            const auto same = [&](const Turn<W>& other) {
                return !std::memcmp(&other.p.s, &whole.p.s, sizeof whole.p.s);
            };
            if (std::none_of(made.begin(), made.end(), same)) made.push_back(whole);
        }
        return made;
    }

    // By index of size: whether there is such a district with room, or one could be carved in two turns or so.
    std::vector<bool> possible(const Position<W>& p) {
        Shapes<W> found;
        carver_.find_anywhere(p, CARVED, found);
        const Ground<W> ground(p);
        std::vector<bool> made(p.game->sizes.size());
        for (std::size_t n = 0; n < found.size(); ++n)
            for (const M& shape : found[n]) {
                M rim;
                Actions canals;
                made[n] = made[n] || (ground.digging(shape, rim) && ground.least(rim) <= AHEAD &&
                                      Judge<W>::room(p, shape) > 0 && !ground.is_dry(p, rim) &&
                                      Digger<W>(p).dig(rim, ground.diggable & ~shape, canals));
            }
        return made;
    }

private:
    static constexpr int AHEAD = 10;  // AP that a seat is thought to have for its way and the canals
    static constexpr std::size_t CARVED = 24;  // shapes of one size that are grown on
    static constexpr int DEPTH = 8;   // plans in a turn

    Budget& budget_;
    std::unordered_set<Word> seen_;
    Ways<W> ways_;
    Carver<W> carver_;
    Ideas<W> ideas_{judge};
    Turns quick_;
    Actions plan_;

    static bool goes_on(const Position<W>& p, const Position<W>& start) {
        return p.s.turn == start.s.turn && p.s.phase == TURN;
    }

    static void sort(Turns& turns) {
        std::stable_sort(turns.begin(), turns.end(), [](const auto& a, const auto& b) { return a.value > b.value; });
    }

    void judge_turn(Turn<W>& turn, int seat) {
        judge.outlook(turn.p, turn.points);
        const Word chance = (hash_of(turn.p.s) ^ seed) * 0xff51afd7ed558ccd >> 40;
        turn.value = judge.view(turn.p, turn.points, seat) + static_cast<double>(chance) * 1e-12;
    }

    Turn<W> judged(const Position<W>& p) {
        Turn<W> made;
        made.p = p;
        judge_turn(made, p.s.seat);
        return made;
    }

    // Adds what plans lead to from a turn.
    void grow(const Turn<W>& from, const Shapes<W>& shapes, std::size_t tries, Turns& grown) {
        const State<W>& s = from.p.s;
        for (const Option<W>& option : ideas_.best(from.p, shapes, s.ap + s.action_tokens[s.seat], tries)) {
            if (!budget_.take()) return;
            grown.push_back(from);
            Turn<W>& turn = grown.back();
            if (done(turn, option) && seen_.insert(hash_of(turn.p.s)).second)
                judge_turn(turn, s.seat);
            else
                grown.pop_back();
        }
    }

    // Does what an option says; false where that isn't possible after all.
    bool done(Turn<W>& turn, const Option<W>& option) {
        const Position<W> start = turn.p;
        if (!ideas_.approach(start, option, plan_)) return false;
        for (const Action& a : plan_) {
            if (!act(turn, a)) return false;
            if (!goes_on(turn.p, start)) return true;
        }
        if (option.found) {
            const M sites = turn.p.token_sites(turn.p.district_to_found());
            if (!sites.any() || !act(turn, action(FOUND, corner(turn.p, sites), option.found))) return false;
        }
        if (!option.level || !goes_on(turn.p, start)) return true;
        const M sites = turn.p.temple_sites();
        return sites.any() && act(turn, action(TEMPLE, corner(turn.p, sites), option.level));
    }

    // Does an action, spending action tokens where AP run short; false where it isn't legal.
    static bool act(Turn<W>& turn, const Action& a) {
        const int seat = turn.p.s.seat;
        int price = turn.p.cost(a);
        if (a.kind == BOAT) {
            if (turn.p.s.land.has(turn.p.s.pawns[seat])) return false;
            price = turn.p.fare(turn.p.s.pawns[seat], a.cell, turn.p.s.ap + turn.p.s.action_tokens[seat]);
            if (!price) return false;
        }
        while (turn.p.s.ap < price) {
            if (a.kind == TAKE || !turn.p.s.action_tokens[seat] || turn.actions.is_full()) return false;
            turn.actions.add(action(SPEND));
            turn.p.apply(action(SPEND));
        }
        if (!turn.p.is_legal(a) || (turn.actions.is_full() && a.kind != END)) return false;
        turn.actions.add(a);
        turn.p.apply(a);
        return true;
    }

    // The site with the fewest free spaces around it: what stands there is least in the way.
    static int corner(const Position<W>& p, const M& sites) {
        const M free = p.free_land(), ramps = p.ramps();
        int best = -1, fewest = 99;
        each(sites, [&](int cell) {
            const int open = 2 * count_common(beside(M::of(cell), p.stride()), free) + ramps.has(cell);
            if (open < fewest) fewest = open, best = cell;
        });
        return best;
    }

    // What to do for plans that need the next turn's AP, as far as those left now go; the best plan first.
    std::vector<Actions> first_steps(const Position<W>& p, const Shapes<W>& shapes, std::size_t number) {
        judge.look(p);
        if (!p.s.ap || judge.ending || !number) return {{}};
        std::vector<Actions> made;
        std::vector<M> goals;
        for (const Option<W>& option : ideas_.best(p, shapes, p.s.ap + p.game->rules.action_points, 3 * number)) {
            if (!option.into.any() || std::find(goals.begin(), goals.end(), option.into) != goals.end()) continue;
            goals.push_back(option.into);
            if (!ideas_.approach(p, option, plan_)) plan_.clear();
            made.push_back(plan_);
            if (goals.size() == number) break;
        }
        if (made.empty()) made.push_back({});
        return made;
    }
};
