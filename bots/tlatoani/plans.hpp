// Plans: a few actions with one purpose. What could be worth doing is listed by a quick estimate first.

#pragma once

#include <chrono>

#include "carving.hpp"
#include "worth.hpp"

// When to stop thinking: a moment, and a number of plans tried.
struct Budget {
    using Clock = std::chrono::steady_clock;
    Clock::time_point until = Clock::time_point::max();
    long nodes = 0;
    static constexpr long NO_LIMIT = 1L << 60;
    long most_nodes = NO_LIMIT;
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

    // A part of it, that begins now.
    Budget part(double share) const {
        Budget made = *this;
        const Clock::time_point now = Clock::now();
        if (until > now && until != Clock::time_point::max())
            made.until = now + std::chrono::duration_cast<Clock::duration>(share * (until - now));
        if (most_nodes < NO_LIMIT) made.most_nodes = static_cast<long>(share * static_cast<double>(most_nodes));
        return made;
    }

    bool take() {
        ++nodes;
        return !over();
    }

private:
    Clock::time_point looked_{};
};

// Something to do, not tried yet.
template <int W>
struct Option {
    double estimate = 0;  // points against the rivals that it brings, less what its AP could bring elsewhere
    int cost = 0;         // AP that it takes at the least
    Mask<W> into{};       // the district or shape to go to; empty for staying
    Mask<W> rim{};        // the land to dig around it
    Action cut{};         // a canal of length `extra`; none where that is 0
    int level = 0;        // of the temple to build there; 0 for none
    int found = 0;        // size to found; 0 for none
};

// What could be worth doing for the seat whose turn it is.
template <int W>
class Ideas {
public:
    using M = Mask<W>;
    static constexpr double AP_PRICE = 0.45;  // points that an AP of a plan costs, in an estimate

    explicit Ideas(Judge<W>& judge) : judge_(judge) {}

    // The ones with the highest estimates, for a budget in AP, without those for whose canals tiles or AP run short.
    const std::vector<Option<W>>& best(const Position<W>& p, const Shapes<W>& shapes, int budget, std::size_t number) {
        p_ = &p;
        seat_ = p.s.seat;
        budget_ = budget;
        here_ = M::of(p.s.pawns[seat_]);
        ways_.find(p, seat_, budget);
        judge_.look(p);
        judge_.districts.update(p);
        list_.clear();
        known_.clear();
        const Ground<W> ground(p);
        districts();
        carve(ground, shapes);
        go_home();
        cuts(ground);
        const auto better = [](const Option<W>& a, const Option<W>& b) { return a.estimate > b.estimate; };
        std::stable_sort(list_.begin(), list_.end(), better);
        std::size_t kept = 0;
        for (std::size_t n = 0; n < list_.size() && kept < number; ++n)
            if (can_be_dug(ground, list_[n])) list_[kept++] = list_[n];
        list_.resize(kept);
        return list_;
    }

    // What an option of the last list does before founding and building: the way, and the canals. False where it
    // isn't possible after all.
    bool approach(const Position<W>& p, const Option<W>& option, Actions& actions) const {
        actions.clear();
        if (option.cut.extra) actions.push_back(option.cut);
        int cell = -1;
        if (option.into.any() && !meet(option.into, here_)) {
            if (ways_.into(option.into, cell) < 0) return false;
            ways_.append(cell, actions);
        }
        if (!option.rim.any()) return true;
        return Digger<W>(p).dig(option.rim, Ground<W>(p).diggable & ~option.into, actions);
    }

private:
    struct Gain {
        double worth;
        int level;
    };
    struct Known {
        Estate estate;
        int others;
        std::vector<Gain> gains;
    };

    Judge<W>& judge_;
    const Position<W>* p_ = nullptr;
    int seat_ = 0, budget_ = 0;
    M here_;
    Ways<W> ways_;
    std::vector<Option<W>> list_;
    std::vector<Known> known_;
    Actions canals_;

    bool can_be_dug(const Ground<W>& ground, const Option<W>& option) {
        if (!option.rim.any()) return true;
        canals_.clear();
        if (!Digger<W>(*p_).dig(option.rim, ground.diggable & ~option.into, canals_)) return false;
        int more = -ground.least(option.rim);
        for (const Action& canal : canals_) more += p_->cost(canal);
        return option.cost + more <= budget_;
    }

    int cost_of(const M& area) const {
        int cell;
        return meet(area, here_) ? 0 : ways_.into(area, cell);
    }

    double utility(const Estate& estate) const {
        double points[MOST_SEATS];
        judge_.expect(estate, points);
        return Judge<W>::balance(points, p_->s.players, seat_);
    }

    // Temples in districts, and the founding of districts that are there.
    void districts() {
        for (int n = 0; n < judge_.districts.count; ++n) {
            const M& area = judge_.districts.mask[n];
            const int cost = cost_of(area);
            if (cost < 0) continue;
            const int index = p_->game->index_of(judge_.districts.size[n]);
            if (!judge_.districts.is_founded[n] && index >= 0 && p_->s.display[index]) foundings(area, cost, M::none());
            const double share = judge_.districts.is_founded[n] ? judge_.held() : judge_.share(n);
            if (share > 0) temples(area, cost, share);
        }
    }

    void temples(const M& area, int cost, double share) {
        const Estate estate = judge_.estate(area);
        if (estate.room <= 0) return;
        const double before = utility(estate);
        for (int level = 1; level <= std::min(p_->game->rules.levels(), budget_ - cost); ++level) {
            if (!p_->s.hands[seat_][level - 1]) continue;
            Option<W> made;
            made.estimate = share * (utility(estate.with(seat_, level, 1)) - before) - AP_PRICE * (cost + level) -
                            judge_.price(level);
            made.cost = cost + level;
            made.into = area;
            made.level = level;
            list_.push_back(made);
        }
    }

    // Founding a district, or a shape once its rim is dug, with and without a temple; `cost` is that of the way.
    void foundings(const M& area, int cost, const M& rim) {
        cost += p_->game->rules.found_cost;
        const Estate estate = judge_.estate(area);
        if (cost > budget_ || estate.room <= 0) return;
        const int others = count_common(area, p_->pawn_cells() & ~here_);
        int listed = 0;
        for (const Gain& gain : gains(estate, others)) {
            if (cost + gain.level > budget_) continue;
            Option<W> made;
            made.estimate = gain.worth - AP_PRICE * cost;
            made.cost = cost + gain.level;
            made.into = area;
            made.rim = rim;
            made.level = gain.level;
            made.found = estate.size;
            list_.push_back(made);
            if (++listed == 2) return;
        }
    }

    // What founding a district brings with a temple of a level, or none, less the AP for that; best first.
    const std::vector<Gain>& gains(const Estate& estate, int others) {
        for (const Known& known : known_)
            if (known.others == others && known.estate == estate) return known.gains;
        known_.push_back({estate, others, {}});
        std::vector<Gain>& made = known_.back().gains;
        const auto values = prizes(estate.size);
        const double gain = values[1] - others * static_cast<double>(values[2]) / (p_->s.players - 1);
        made.push_back({gain + judge_.held() * utility(estate), 0});
        for (int level = 1; estate.room > 1 && level <= p_->game->rules.levels(); ++level)
            if (p_->s.hands[seat_][level - 1])
                made.push_back({gain + judge_.held() * utility(estate.with(seat_, level, 2)) - AP_PRICE * level -
                                    judge_.price(level),
                                level});
        std::stable_sort(made.begin(), made.end(), [](const Gain& a, const Gain& b) { return a.worth > b.worth; });
        return made;
    }

    // Shapes that can be cut out and founded.
    void carve(const Ground<W>& ground, const Shapes<W>& shapes) {
        for (std::size_t index = 0; index < shapes.size(); ++index) {
            if (!p_->s.display[index]) continue;
            for (const M& shape : shapes[index]) {
                M rim;
                if (!ground.digging(shape, rim) || !rim.any()) continue;
                const int least = ground.least(rim), way = cost_of(shape);
                if (way < 0 || way + least > budget_ || ground.is_dry(*p_, rim)) continue;
                foundings(shape, way + least, rim);
            }
        }
    }

    // To a starting space, once that may count.
    void go_home() {
        const M& starts = p_->game->starts;
        if (!Judge<W>::nears_end(*p_) || meet(starts, here_)) return;
        const int cost = cost_of(starts);
        if (cost < 0) return;
        Option<W> made;
        made.estimate = 2 - AP_PRICE * cost;
        made.into = starts;
        list_.push_back(made);
    }

    // A canal of each kind that spoils a district which somebody else could found.
    void cuts(const Ground<W>& ground) {
        for (int n = 0; n < judge_.districts.count; ++n) {
            const M& area = judge_.districts.mask[n];
            const int index = p_->game->index_of(judge_.districts.size[n]);
            if (judge_.districts.is_founded[n] || index < 0 || !p_->s.display[index] || meet(area, here_)) continue;
            for (int length = 1; length <= std::min(2, p_->game->rules.longest_tile()); ++length) {
                if (!p_->s.tiles[length - 1]) continue;
                for (int axis = H; axis <= (length > 1 ? V : H); ++axis) {
                    const int cell = p_->tile_starts(area & ground.diggable, length, axis).first();
                    if (cell < 0) continue;
                    Option<W> made;
                    made.estimate = 1;
                    made.cut = action(CANAL, cell, length, axis);
                    list_.push_back(made);
                }
            }
        }
    }
};
