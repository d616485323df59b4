// Ways of the pawn.

#pragma once

#include <algorithm>

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

    void find(const Position<W>& p, int seat, int ap) {
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
        const int start = p.s.pawns[seat];
        const std::int8_t axis = p.s.land.has(start) ? -1 : p.s.bridges_h.has(start) ? H : V;
        enter(0, {static_cast<std::int16_t>(start), axis, 0, 0}, -1);
        for (int cost = 0; cost <= budget; ++cost)
            for (std::size_t n = 0; n < queue_[cost].size(); ++n) expand(cost, queue_[cost][n]);
        jump();
    }

    int cost(int cell) const {
        int cost = 0;
        while (cost <= budget && !at[cost].has(cell)) ++cost;
        return cost;
    }

    // The least AP for getting into an area, or -1; `cell` gets the space of it that is reached for that.
    int into(const M& area, int& cell) const {
        if (!meet(area, reached)) return -1;
        int cost = 0;
        while (!meet(at[cost], area)) ++cost;
        cell = (at[cost] & area).first();
        return cost;
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
