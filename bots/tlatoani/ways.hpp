// Ways of the pawn, and districts that could be carved.

#pragma once

#include <algorithm>
#include <unordered_set>

#include "state.hpp"

using Actions = std::vector<Action>;

// The cheapest way to every land space within a budget of AP: on foot, over bridges that may be built on the way, by
// boat, or by teleport. A way is a guess: that its actions are legal one after the other is seen when they are done.
template <int W>
class Ways {
public:
    using M = Mask<W>;
    static constexpr int MOST_BUDGET = 24;

    M at[MOST_BUDGET + 1];  // land spaces by cost of the cheapest way
    M reached;
    int budget = 0;

    void find(const Position<W>& p, int ap) {
        p_ = &p;
        budget = std::min(ap, MOST_BUDGET);
        for (int cost = 0; cost <= budget; ++cost) {
            at[cost] = M::none();
            queue_[cost].clear();
        }
        reached = M::none();
        jumps_ = M::none();
        std::memset(best_, 255, sizeof best_);
        free_ = p.free_land();
        const M pawns = p.pawn_cells();
        bridges_[H] = p.s.bridges_h & ~pawns;
        bridges_[V] = p.s.bridges_v & ~pawns;
        spots_[H] = p.bridge_places(H);
        spots_[V] = p.bridge_places(V);
        supply_ = p.bridge_supply() > 0;
        spare_ = supply_ ? -1 : p.free_bridges().first();
        most_builds_ = supply_ ? std::min(2, p.bridge_supply()) : spare_ >= 0;
        const int start = p.s.pawns[p.s.seat];
        const std::int8_t axis = p.s.land.has(start) ? -1 : p.s.bridges_h.has(start) ? H : V;
        enter(0, {static_cast<std::int16_t>(start), axis, 0, 0}, -1);
        for (int cost = 0; cost <= budget; ++cost)
            for (std::size_t n = 0; n < queue_[cost].size(); ++n) expand(cost, queue_[cost][n]);
        jump();
    }

    // As if the pawn could be anywhere for nothing.
    void everywhere(const Position<W>& p) {
        budget = 0;
        reached = at[0] = p.free_land();
    }

    int cost(int cell) const {
        int cost = 0;
        while (cost <= budget && !at[cost].has(cell)) ++cost;
        return cost;
    }

    // The cheapest space of an area that is reached, or -1.
    int first_into(const M& area) const {
        if (!meet(area, reached)) return -1;
        for (int cost = 0; cost <= budget; ++cost)
            if (meet(at[cost], area)) return (at[cost] & area).first();
        return -1;
    }

    // The actions of the way to a cell that is reached.
    void append(int cell, Actions& actions) const {
        if (jumps_.has(cell)) {
            actions.push_back(action(TELEPORT, cell));
            return;
        }
        int found = -1;
        for (int builds = 0; builds < 3; ++builds)
            if (best_[cell][builds] != 255 && (found < 0 || best_[cell][builds] < best_[cell][found])) found = builds;
        const std::size_t begin = actions.size();
        for (int node = found < 0 ? -1 : cell * 3 + found; node >= 0; node = from_[node]) {
            const Node& to = node_[node];
            if (to.how == 0) break;
            actions.push_back(action(to.how & BOATS ? BOAT : WALK, to.cell));
            if (to.how & BUILDS)
                actions.push_back(supply_ ? action(BRIDGE, to.cell, 0, to.axis)
                                          : action(RELOCATE, to.cell, spare_, to.axis));
        }
        std::reverse(actions.begin() + static_cast<std::ptrdiff_t>(begin), actions.end());
    }

private:
    static constexpr int WALKS = 1, BOATS = 2, BUILDS = 4;

    struct Node {
        std::int16_t cell;
        std::int8_t axis;  // of the bridge there; -1 on land
        std::uint8_t builds, how;
    };

    const Position<W>* p_ = nullptr;
    M free_, bridges_[2], spots_[2], jumps_;
    bool supply_ = true;
    int spare_ = -1, most_builds_ = 0;
    std::uint8_t best_[W * 64][3];
    Node node_[W * 64 * 3];
    int from_[W * 64 * 3];
    std::vector<int> queue_[MOST_BUDGET + 1];

    void enter(int cost, Node to, int from) {
        if (cost > budget) return;
        for (int builds = 0; builds <= to.builds; ++builds)
            if (best_[to.cell][builds] <= cost) return;
        best_[to.cell][to.builds] = static_cast<std::uint8_t>(cost);
        const int index = to.cell * 3 + to.builds;
        node_[index] = to;
        from_[index] = from;
        queue_[cost].push_back(index);
    }

    void expand(int cost, int index) {
        const Node node = node_[index];
        if (best_[node.cell][node.builds] != cost) return;
        if (node.axis < 0 && !reached.has(node.cell)) {
            at[cost].set(node.cell);
            reached.set(node.cell);
        }
        for (int axis = H; axis <= V; ++axis)
            for (int sign = -1; sign <= 1; sign += 2) {
                const int to = node.cell + sign * (axis == H ? 1 : p_->stride());
                if (to < 0 || to >= p_->game->cells) continue;
                step(cost, index, node, axis, to);
            }
        if (node.axis >= 0) sail(cost, index, node);
    }

    void step(int cost, int index, const Node& node, int axis, int to) {
        const auto cell = static_cast<std::int16_t>(to);
        const auto along = static_cast<std::int8_t>(axis);
        if (node.axis < 0 || node.axis == axis)
            if (free_.has(to)) enter(cost + 1, {cell, -1, node.builds, WALKS}, index);
        if (node.axis >= 0) return;
        if (bridges_[axis].has(to)) enter(cost + 1, {cell, along, node.builds, WALKS}, index);
        if (node.builds < most_builds_ && spots_[axis].has(to))
            enter(cost + 2, {cell, along, static_cast<std::uint8_t>(node.builds + 1), WALKS | BUILDS}, index);
    }

    void sail(int cost, int index, const Node& node) {
        const Rules& rules = p_->game->rules;
        const M all = p_->bridges(), open = p_->canals() & ~all;
        M nearest = M::of(node.cell), passed = nearest, water;
        int fare = rules.boat_cost;
        while (cost + fare <= budget && nearest.any()) {
            const M shores = p_->shores(nearest, open, water);
            const M there = rules.boat_by_bridge ? shores : p_->shores(nearest, p_->canals(), water);
            for (int axis = H; axis <= V; ++axis) {
                const auto along = static_cast<std::int8_t>(axis);
                each(bridges_[axis] & there & ~passed, [&](int to) {
                    enter(cost + fare, {static_cast<std::int16_t>(to), along, node.builds, BOATS}, index);
                });
                if (node.builds < most_builds_ && cost + fare + 2 <= budget)
                    each(spots_[axis] & water, [&](int to) {
                        enter(cost + fare + 1, {static_cast<std::int16_t>(to), along,
                              static_cast<std::uint8_t>(node.builds + 1), BOATS | BUILDS}, index);
                    });
            }
            if (!rules.boat_by_bridge) return;
            nearest = shores & all & ~passed;
            passed |= nearest;
            fare += rules.boat_cost;
        }
    }

    void jump() {
        const int price = p_->game->rules.teleport_cost;
        if (price > budget) return;
        M cheaper = M::none();
        for (int cost = 0; cost <= price; ++cost) cheaper |= at[cost];
        jumps_ = p_->teleports() & p_->s.land & ~cheaper;
        for (int cost = price + 1; cost <= budget; ++cost) at[cost] &= ~jumps_;
        at[price] |= jumps_;
        reached |= jumps_;
    }
};

// A district that the pawn could go to and cut out.
template <int W>
struct Shape {
    Mask<W> mask, rim;  // rim: the land around it, which is to be dug
    int entry = 0;      // the space where the pawn comes in
    int way = 0;        // AP to get there
    int cost = 0;       // the canals included
    float promise = 0;
    Actions canals;
};

// Looks for districts of sizes on display that can be carved within a budget, ways included.
//
// Shapes grow space by space from where the pawn can get to. Of each size only those that need the least digging go
// on, so that they come to lie along the water.
template <int W>
class Carver {
public:
    using M = Mask<W>;

    std::vector<Shape<W>> found;

    void find(const Position<W>& p, const Ways<W>& ways, int budget, std::size_t width, std::size_t per_size) {
        p_ = &p;
        found.clear();
        const M pawn = M::of(p.s.pawns[p.s.seat]);
        const M own = pawn & p.s.land & ~(p.s.founded | p.ramps() | p.game->palace | p.s.temples);
        ground_ = p.canal_ground() | own;
        int largest = 0;
        for (std::size_t n = 0; n < p.game->sizes.size(); ++n)
            if (p.s.display[n]) largest = p.game->sizes[n];
        largest = std::min(largest, 30);
        beam_.clear();
        for (int cost = 0; cost <= ways.budget; ++cost)
            each(ways.at[cost] & ~p.s.founded, [&](int cell) { add(M::of(cell), cell, cost); });
        for (int size = 1; size <= largest; ++size) {
            trim(width);
            const int index = p.game->index_of(size);
            if (index >= 0 && p.s.display[index]) finish(size, budget, per_size);
            if (size < largest) grow(ways);
        }
    }

private:
    struct Sprout {
        M mask, rim;
        int entry, way, least;
        bool stuck;
        float key;
    };

    const Position<W>* p_ = nullptr;
    M ground_;
    std::vector<Sprout> beam_, grown_;
    std::unordered_set<Word> seen_;

    static Word mix(const M& mask) {
        Word made = 0x2545f4914f6cdd1d;
        for (int i = 0; i < W; ++i) made = (made ^ mask.w[i]) * 0xff51afd7ed558ccd, made ^= made >> 29;
        return made;
    }

    void add(const M& mask, int entry, int way) {
        Sprout made;
        made.mask = mask;
        made.rim = beside(mask, p_->stride()) & p_->s.land & ~mask;
        made.entry = entry;
        made.way = way;
        const int stuck = count_common(made.rim, ~ground_), rim = made.rim.count();
        made.stuck = stuck > 0;
        const bool by_space = p_->game->rules.canal_by_space;
        made.least = by_space ? way / 2 + rim : way + (rim + 1) / 2;
        // Spaces of the rim without a neighbour in it need a tile each.
        const int lone = count_common(made.rim, ~beside(made.rim, p_->stride()));
        made.key = static_cast<float>(made.least + 2 * stuck) + (by_space ? 0.0f : 0.4f * static_cast<float>(lone));
        grown_.push_back(made);
    }

    void trim(std::size_t width) {
        const auto better = [](const Sprout& a, const Sprout& b) { return a.key < b.key; };
        if (grown_.size() > width) {
            std::nth_element(grown_.begin(), grown_.begin() + static_cast<std::ptrdiff_t>(width), grown_.end(), better);
            grown_.resize(width);
        }
        beam_.swap(grown_);
        grown_.clear();
    }

    void grow(const Ways<W>& ways) {
        seen_.clear();
        grown_.clear();
        for (const Sprout& sprout : beam_) {
            const M stuck = sprout.rim & ~ground_;
            each(stuck.any() ? stuck : sprout.rim, [&](int cell) {
                M mask = sprout.mask;
                mask.set(cell);
                if (!seen_.insert(mix(mask)).second) return;
                const int way = ways.reached.has(cell) ? ways.cost(cell) : 99;
                if (way < sprout.way)
                    add(mask, cell, way);
                else
                    add(mask, sprout.entry, sprout.way);
            });
        }
    }

    void finish(int size, int budget, std::size_t per_size) {
        std::vector<Shape<W>> made;
        for (const Sprout& sprout : beam_) {
            if (sprout.stuck || sprout.least > budget || !room(sprout.mask)) continue;
            Shape<W> shape;
            shape.mask = sprout.mask;
            shape.rim = sprout.rim;
            shape.entry = sprout.entry;
            shape.way = sprout.way;
            if (!tile(shape, budget)) continue;
            shape.promise = promise(shape, size);
            made.push_back(std::move(shape));
        }
        std::sort(made.begin(), made.end(), [](const auto& a, const auto& b) { return a.promise > b.promise; });
        if (made.size() > per_size) made.resize(per_size);
        for (auto& shape : made) found.push_back(std::move(shape));
    }

    // Whether token and pawn have a space each.
    bool room(const M& mask) const {
        const M standing = mask & ~p_->s.temples;
        return standing.count() >= 2 && meet(standing, ~p_->game->palace);
    }

    float promise(const Shape<W>& shape, int size) const {
        const auto values = prizes(size);
        float made = static_cast<float>(values[1]) + 0.5f * static_cast<float>(values[0]) -
                     0.9f * static_cast<float>(shape.cost);
        if (meet(shape.mask, p_->s.temples)) {
            int levels[MOST_OWNERS];
            for (int owner = 0; owner < p_->owners(); ++owner) levels[owner] = p_->levels(owner, shape.mask);
            float rivals = 0, own = 0;
            for (int seat = 0; seat < p_->s.players; ++seat) {
                const auto points = static_cast<float>(Position<W>::district_points(size, levels, p_->owners(), seat));
                if (seat == p_->s.seat)
                    own = points;
                else
                    rivals = std::max(rivals, points);
            }
            made += (p_->s.period == 1 ? 1.0f : 0.6f) * (own - rivals);
        }
        for (int seat = 0; seat < p_->s.players; ++seat)
            if (seat != p_->s.seat && shape.mask.has(p_->s.pawns[seat])) made -= static_cast<float>(values[2]);
        return made;
    }

    // Finds tiles that dig the whole rim, and the cost of the shape; false where there are none within the budget.
    bool tile(Shape<W>& shape, int budget) const {
        const Rules& rules = p_->game->rules;
        const int stride = p_->stride();
        std::uint16_t left[MOST_TILES];
        std::memcpy(left, p_->s.tiles, sizeof left);
        M rest = shape.rim, outside = ground_ & ~shape.mask & ~shape.rim;
        shape.cost = shape.way;
        while (rest.any()) {
            const Action canal = tile_for(rest, outside, left);
            if (!canal.extra) return false;
            --left[canal.extra - 1];
            shape.cost += rules.canal_by_space ? canal.extra : 1;
            if (shape.cost > budget) return false;
            for (int n = 0; n < canal.extra; ++n) {
                rest.clear(canal.cell + n * (canal.axis == H ? 1 : stride));
                outside.clear(canal.cell + n * (canal.axis == H ? 1 : stride));
            }
            shape.canals.push_back(canal);
        }
        return !rules.canal_touches_water || order_from_water(shape.canals);
    }

    // A tile for the space of the rim that has the fewest neighbours in it: as long as the rim goes on straight.
    Action tile_for(const M& rest, const M& outside, const std::uint16_t* left) const {
        const int stride = p_->stride(), longest = p_->game->rules.longest_tile();
        int cell = -1, fewest = 9;
        each(rest, [&](int candidate) {
            const int neighbours = count_common(beside(M::of(candidate), stride), rest);
            if (neighbours < fewest) fewest = neighbours, cell = candidate;
        });
        Action best = action(CANAL, cell, left[0] ? 1 : 0);
        for (int axis = H; axis <= V; ++axis) {
            const int step = axis == H ? 1 : stride;
            int first = cell, last = cell;
            while (first - step >= 0 && rest.has(first - step)) first -= step;
            while (last + step < p_->game->cells && rest.has(last + step)) last += step;
            const int length = (last - first) / step + 1;
            for (int wanted = std::min(length, longest); wanted > best.extra; --wanted)
                if (left[wanted - 1]) {
                    const int begin = std::max(first, cell - (wanted - 1) * step);
                    best = action(CANAL, begin, wanted, axis);
                    if (wanted == 1) best.axis = H;
                }
        }
        if (best.extra || longest < 2 || !left[1]) return best;
        const M around = beside(M::of(cell), stride) & outside;
        if (!around.any()) return best;
        const int other = around.first();
        return action(CANAL, std::min(cell, other), 2, std::abs(cell - other) == 1 ? H : V);
    }

    bool order_from_water(Actions& canals) const {
        M land = p_->s.land;
        Actions ordered;
        while (!canals.empty()) {
            const M wet = beside(p_->game->grid & ~land, p_->stride()) | p_->game->rim;
            const auto touches = [&](const Action& a) { return meet(p_->covered(a), wet); };
            const auto next = std::find_if(canals.begin(), canals.end(), touches);
            if (next == canals.end()) return false;
            land &= ~p_->covered(*next);
            ordered.push_back(*next);
            canals.erase(next);
        }
        canals = ordered;
        return true;
    }
};
