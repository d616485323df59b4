// Whole turns: a beam over plans, which are short lists of actions with one purpose.

#pragma once

#include <chrono>
#include <unordered_set>

#include "ways.hpp"
#include "worth.hpp"

// When to stop thinking: a moment, and a number of positions judged.
struct Budget {
    using Clock = std::chrono::steady_clock;
    Clock::time_point until = Clock::time_point::max();
    long nodes = 0;
    long most_nodes = 1L << 60;
    bool spent = false;

    // The longest that this process has gone without a look at the clock: on a busy machine that is how long others
    // may keep it waiting.
    static inline Clock::duration longest_gap{};

    bool over() {
        const Clock::time_point now = Clock::now();
        if (looked_ != Clock::time_point{}) longest_gap = std::max(longest_gap, now - looked_);
        looked_ = now;
        if (nodes >= most_nodes || now >= until) spent = true;
        return spent;
    }

private:
    Clock::time_point looked_{};
};

struct ActionList {
    static constexpr int MOST = 60;
    Action actions[MOST];
    int count = 0;

    bool add(const Action& a) {
        if (count == MOST) return false;
        actions[count++] = a;
        return true;
    }
};

// A turn, whole or begun.
template <int W>
struct Turn {
    Position<W> p;  // after the actions
    ActionList actions;
    float points[MOST_SEATS] = {};  // expected then
    float value = 0;                // the same in the view of the seat whose turn it is
    bool ended = false;
};

struct Effort {
    int depth;               // plans after one another
    std::size_t beam;        // turns that go on from plan to plan
    std::size_t keep;        // whole turns in the end
    std::size_t carve_width, per_size;
    bool thorough;           // sabotage and preparations too
};

template <int W>
class Planner {
public:
    using M = Mask<W>;
    Judge<W> judge;
    Word seed = 0;  // decides between equals

    explicit Planner(Budget& budget) : budget_(budget) {}

    // The best turns that are found, best first; at least one.
    void find(const Position<W>& start, const Effort& effort, std::vector<Turn<W>>& whole) {
        effort_ = effort;
        seat_ = start.s.seat;
        turn_ = start.s.turn;
        next_ = (seat_ + 1) % start.s.players;
        seen_.clear();
        pool_.clear();
        Turn<W> nothing;
        nothing.p = start;
        consider(nothing);
        std::size_t begin = 0;
        for (depth_ = 0; depth_ < effort.depth && !out_of_time(); ++depth_) {
            const std::vector<std::size_t> front = best(begin, effort.beam);
            begin = pool_.size();
            for (const std::size_t n : front) {
                if (out_of_time()) break;
                if (!pool_[n].ended) expand(Turn<W>(pool_[n]));
            }
        }
        finish(whole);
    }

private:
    Budget& budget_;
    Effort effort_{};
    int seat_ = 0, turn_ = 0, next_ = 0, depth_ = 0;
    std::vector<Turn<W>> pool_;
    std::unordered_set<Word> seen_;
    Ways<W> ways_;
    Carver<W> carver_;
    Actions plan_;

    bool out_of_time() { return pool_.size() > 1 && budget_.over(); }

    std::vector<std::size_t> best(std::size_t begin, std::size_t number) const {
        std::vector<std::size_t> order;
        for (std::size_t n = begin; n < pool_.size(); ++n) order.push_back(n);
        const auto better = [&](std::size_t a, std::size_t b) { return pool_[a].value > pool_[b].value; };
        std::stable_sort(order.begin(), order.end(), better);
        if (order.size() > number) order.resize(number);
        return order;
    }

    // ---- trying ------------------------------------------------------------------------------------------------

    bool goes_on(const Position<W>& p) const { return p.s.turn == turn_ && p.s.phase == TURN; }

    // Does an action, spending action tokens where AP run short; false where it isn't legal.
    bool act(Turn<W>& turn, const Action& a) const {
        if (turn.ended) return false;
        int price = turn.p.cost(a);
        if (a.kind == BOAT) {
            if (turn.p.s.land.has(turn.p.s.pawns[seat_])) return false;
            price = turn.p.fare(turn.p.s.pawns[seat_], a.cell, turn.p.s.ap + turn.p.s.action_tokens[seat_]);
            if (!price) return false;
        }
        while (turn.p.s.ap < price) {
            if (!turn.p.s.action_tokens[seat_] || !turn.actions.add(action(SPEND))) return false;
            turn.p.apply(action(SPEND));
        }
        if (!turn.p.is_legal(a) || !turn.actions.add(a)) return false;
        turn.p.apply(a);
        turn.ended = !goes_on(turn.p);
        return true;
    }

    bool act(Turn<W>& turn, const Actions& plan) const {
        for (const Action& a : plan)
            if (!act(turn, a)) return false;
        return true;
    }

    void evaluate(Turn<W>& turn) {
        ++budget_.nodes;
        judge.outlook(turn.p, turn.ended ? turn.p.s.seat : next_, turn.points);
        const Word chance = (hash_of(turn.p.s) ^ seed) * 0xff51afd7ed558ccd >> 40;
        turn.value = judge.view(turn.p, turn.points, seat_) + static_cast<float>(chance) * 1e-9f;
    }

    void consider(Turn<W>& turn) {
        if (!seen_.insert(hash_of(turn.p.s)).second) return;
        evaluate(turn);
        pool_.push_back(turn);
    }

    // Tries a plan, and again with a founding after it where there is one, and with a temple of each level.
    void attempt(const Turn<W>& from, const Actions& plan) {
        Turn<W> turn = from;
        if (!act(turn, plan)) return;
        if (!plan.empty()) consider(turn);
        build(turn);
        if (found(turn)) build(turn);
    }

    bool found(Turn<W>& turn) {
        if (turn.ended) return false;
        const Position<W>& p = turn.p;
        const M area = p.district_to_found();
        const int size = area.count(), index = p.game->index_of(size);
        if (index < 0 || !p.s.display[index]) return false;
        const M sites = p.token_sites(area);
        if (!sites.any() || !act(turn, action(FOUND, corner(p, sites), size))) return false;
        consider(turn);
        return true;
    }

    void build(const Turn<W>& from) {
        if (from.ended) return;
        const M sites = from.p.temple_sites();
        if (!sites.any()) return;
        const int purse = from.p.s.ap + from.p.s.action_tokens[seat_];
        int site = -1;
        for (int level = 1; level <= std::min(purse, from.p.game->rules.levels()); ++level) {
            if (!from.p.s.hands[seat_][level - 1]) continue;
            if (site < 0) site = corner(from.p, sites);
            Turn<W> turn = from;
            if (act(turn, action(TEMPLE, site, level))) consider(turn);
        }
    }

    // The site with the fewest free spaces around it: what stands there is least in the way.
    int corner(const Position<W>& p, const M& sites) const {
        const M free = p.free_land(), ramps = p.ramps();
        int best = -1, fewest = 99;
        each(sites, [&](int cell) {
            const int open = 2 * count_common(beside(M::of(cell), p.stride()), free) + ramps.has(cell);
            if (open < fewest) fewest = open, best = cell;
        });
        return best;
    }

    // ---- plans -------------------------------------------------------------------------------------------------

    void expand(const Turn<W>& from) {
        const Position<W>& p = from.p;
        const int purse = p.s.ap + p.s.action_tokens[seat_];
        attempt(from, {});
        if (purse <= 0) return;
        ways_.find(p, purse);
        judge.districts.update(p);
        visit(from);
        carve(from, purse);
        if (effort_.thorough && depth_ <= 1) sabotage(from);
        if (effort_.thorough && depth_ == 0) prepare(from, purse);
    }

    // Going to every other district in which something can be done, and home.
    void visit(const Turn<W>& from) {
        const Position<W>& p = from.p;
        const int here = p.s.pawns[seat_];
        std::vector<int> entries;
        for (int n = 0; n < judge.districts.count; ++n) {
            const M& area = judge.districts.mask[n];
            if (area.has(here)) continue;
            const int index = p.game->index_of(judge.districts.size[n]);
            const bool on_display = index >= 0 && p.s.display[index];
            if (!judge.districts.is_founded[n] && !on_display && p.s.period == 1) continue;
            const int entry = ways_.first_into(area);
            if (entry >= 0) entries.push_back(entry);
        }
        const int home = ways_.first_into(p.game->starts);
        if (home >= 0 && home != here) entries.push_back(home);
        for (const int entry : entries) {
            if (out_of_time()) return;
            plan_.clear();
            ways_.append(entry, plan_);
            attempt(from, Actions(plan_));
        }
    }

    void carve(const Turn<W>& from, int purse) {
        if (!from.p.s.on_display || purse < 1) return;
        const bool wide = depth_ == 0;
        const std::size_t width = wide ? effort_.carve_width : effort_.carve_width / 2;
        carver_.find(from.p, ways_, purse, width, wide ? effort_.per_size : 1);
        const std::vector<Shape<W>> shapes = top_shapes(wide ? 6 * effort_.per_size : 4);
        for (const Shape<W>& shape : shapes) {
            if (out_of_time()) return;
            plan_.clear();
            ways_.append(shape.entry, plan_);
            plan_.insert(plan_.end(), shape.canals.begin(), shape.canals.end());
            Turn<W> turn = from;
            if (act(turn, plan_) && found(turn)) build(turn);
        }
    }

    std::vector<Shape<W>> top_shapes(std::size_t number) {
        std::vector<Shape<W>>& all = carver_.found;
        std::stable_sort(all.begin(), all.end(), [](const auto& a, const auto& b) { return a.promise > b.promise; });
        return {all.begin(), all.begin() + static_cast<std::ptrdiff_t>(std::min(number, all.size()))};
    }

    // Single tiles in districts that could be founded.
    void sabotage(const Turn<W>& from) {
        const Position<W>& p = from.p;
        const M ground = p.canal_ground();
        const Districts<W> districts = judge.districts;
        for (int n = 0; n < districts.count && !out_of_time(); ++n) {
            const int index = p.game->index_of(districts.size[n]);
            if (districts.is_founded[n] || index < 0 || !p.s.display[index]) continue;
            const M area = ground & districts.mask[n];
            for (int length = 1; length <= std::min(2, p.game->rules.longest_tile()); ++length)
                for (int axis = H; axis <= (length > 1 ? V : H); ++axis)
                    each(p.tile_starts(area, length, axis), [&](int cell) {
                        Turn<W> turn = from;
                        if (act(turn, action(CANAL, cell, length, axis))) consider(turn);
                    });
        }
    }

    // Going to where a district can be carved next turn, with and without the first of its canals.
    void prepare(const Turn<W>& from, int purse) {
        const Position<W>& p = from.p;
        if (!p.s.on_display) return;
        const int more = purse + p.game->rules.action_points;
        ways_.find(p, more);
        carver_.find(p, ways_, more, effort_.carve_width, 2);
        const std::vector<Shape<W>> shapes = top_shapes(12);
        for (const Shape<W>& shape : shapes) {
            if (out_of_time()) return;
            if (shape.cost <= purse) continue;
            plan_.clear();
            ways_.append(shape.entry, plan_);
            plan_.insert(plan_.end(), shape.canals.begin(), shape.canals.end());
            Turn<W> turn = from;
            for (const Action& a : plan_) {
                if (!turn.p.s.ap || !turn.p.is_legal(a) || !act(turn, a)) break;
                consider(turn);
            }
        }
    }

    // ---- ending ------------------------------------------------------------------------------------------------

    void finish(std::vector<Turn<W>>& whole) {
        whole.clear();
        for (const std::size_t n : best(0, effort_.keep + effort_.keep / 2)) {
            Turn<W> turn = pool_[n];
            if (!turn.ended) {
                while (turn.actions.count < ActionList::MOST - 1 && act(turn, action(TAKE))) continue;
                if (turn.actions.count == ActionList::MOST) continue;
                act(turn, action(END));
                evaluate(turn);
            }
            whole.push_back(turn);
        }
        std::stable_sort(whole.begin(), whole.end(), [](const auto& a, const auto& b) { return a.value > b.value; });
        if (whole.size() > effort_.keep) whole.resize(effort_.keep);
    }
};
