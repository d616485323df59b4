// Districts that could be cut out of the land: sets of joined spaces, of the size of a token, and the canals around.

#pragma once

#include <unordered_set>

#include "ways.hpp"

// Where the seat whose turn it is may dig, the space of its own pawn included, which it may have left by then.
template <int W>
struct Ground {
    using M = Mask<W>;
    M diggable, open;
    int stride;
    bool by_space;

    explicit Ground(const Position<W>& p) : stride(p.stride()), by_space(p.game->rules.canal_by_space) {
        const M kept = p.s.founded | p.ramps() | p.game->palace | p.s.temples;
        diggable = p.canal_ground() | (M::of(p.s.pawns[p.s.seat]) & p.s.land & ~kept);
        open = p.unfounded();
    }

    M rim(const M& shape) const { return beside(shape, stride) & open & ~shape; }

    // The AP, at the least, for digging a rim.
    int least(const M& rim) const { return by_space ? rim.count() : (rim.count() + 1) / 2; }

    // The rim of a shape; false where that can't be made a district now.
    bool digging(const M& shape, M& around) const {
        if (meet(shape, ~open)) return false;
        around = rim(shape);
        return !meet(around, ~diggable);
    }

    // Whether a rule that canals must begin at water forbids to dig a rim.
    bool is_dry(const Position<W>& p, const M& rim) const {
        if (!p.game->rules.canal_touches_water) return false;
        for (M rest = rim; rest.any();) {
            const M part = flood(M::of(rest.first()), rest, stride);
            rest &= ~part;
            if (!p.wet(part).any()) return true;
        }
        return false;
    }
};

// Shapes by index of their size.
template <int W>
using Shapes = std::vector<std::vector<Mask<W>>>;

// Hash of a set of cells, for sets of them.
template <int W>
struct Mixed {
    std::size_t operator()(const Mask<W>& mask) const {
        Word made = 0x2545f4914f6cdd1d;
        for (int i = 0; i < W; ++i) made = (made ^ mask.w[i]) * 0xff51afd7ed558ccd, made ^= made >> 29;
        return made;
    }
};

// Looks for shapes of the sizes on display. They grow space by space from where a pawn can get to, and of each size
// those that need the least digging go on, so that they come to lie along the water.
template <int W>
class Carver {
public:
    using M = Mask<W>;

    // Adds those that look cheapest for a pawn with such ways.
    void find(const Position<W>& p, const Ways<W>& ways, std::size_t width, Shapes<W>& found) {
        const Ground<W> ground(p);
        found.resize(p.game->sizes.size());
        int largest = 0;
        for (std::size_t n = 0; n < p.game->sizes.size(); ++n)
            if (p.s.display[n]) largest = p.game->sizes[n];
        grown_.clear();
        for (int cost = 0; cost <= ways.budget; ++cost)
            each(ways.at[cost] & ground.open, [&](int cell) { add(ground, M::of(cell), cost); });
        for (int size = 1; size <= largest; ++size) {
            trim(width);
            const int index = p.game->index_of(size);
            if (index >= 0 && p.s.display[index])
                for (const Sprout& sprout : beam_)
                    if (!meet(sprout.rim, ~ground.diggable)) found[index].push_back(sprout.mask);
            if (size < largest) grow(ground, ways);
        }
    }

    // The same with pawns that could be anywhere for nothing.
    void find_anywhere(const Position<W>& p, std::size_t width, Shapes<W>& found) {
        anywhere_.budget = 0;
        anywhere_.reached = anywhere_.at[0] = p.free_land();
        find(p, anywhere_, width, found);
    }

private:
    struct Sprout {
        M mask, rim;
        int way, key;
    };

    Ways<W> anywhere_;
    std::vector<Sprout> beam_, grown_;
    std::unordered_set<M, Mixed<W>> seen_;

    void add(const Ground<W>& ground, const M& mask, int way) {
        const M rim = ground.rim(mask);
        // Where digging is dear the water is worth a longer walk, or no shape but those around the pawn would go on.
        const int key = (ground.by_space ? way / 2 : way) + ground.least(rim) + 2 * count_common(rim, ~ground.diggable);
        grown_.push_back({mask, rim, way, key});
    }

    void trim(std::size_t width) {
        const auto better = [](const Sprout& a, const Sprout& b) { return a.key < b.key; };
        std::stable_sort(grown_.begin(), grown_.end(), better);
        if (grown_.size() > width) grown_.resize(width);
        beam_.swap(grown_);
        grown_.clear();
    }

    // Every shape with every space around it; what can't be dug must come in sooner or later: it goes first.
    void grow(const Ground<W>& ground, const Ways<W>& ways) {
        seen_.clear();
        for (const Sprout& sprout : beam_) {
            const M stuck = sprout.rim & ~ground.diggable;
            each(stuck.any() ? stuck : sprout.rim, [&](int cell) {
                M mask = sprout.mask;
                mask.set(cell);
                if (!seen_.insert(mask).second) return;
                const int way = ways.reached.has(cell) ? ways.cost(cell) : sprout.way;
                add(ground, mask, std::min(way, sprout.way));
            });
        }
    }
};

// Tiles that dig a rim, in an order that the rules allow.
template <int W>
class Digger {
public:
    using M = Mask<W>;

    explicit Digger(const Position<W>& p) : p_(p) {}

    // Appends the canals; false where tiles run short. `outside` is what may be dug besides, where singles are wanting.
    bool dig(M rim, M outside, Actions& canals) const {
        std::uint16_t left[MOST_TILES];
        std::memcpy(left, p_.s.tiles, sizeof left);
        outside &= ~rim;
        Actions made;
        while (rim.any()) {
            const Action canal = tile_for(rim, outside, left);
            if (!canal.extra) return false;
            --left[canal.extra - 1];
            rim &= ~p_.covered(canal);
            outside &= ~p_.covered(canal);
            made.push_back(canal);
        }
        if (p_.game->rules.canal_touches_water && !order_from_water(made)) return false;
        canals.insert(canals.end(), made.begin(), made.end());
        return true;
    }

private:
    const Position<W>& p_;

    // A tile for the space of the rim that has the fewest neighbours in it: as long as the rim goes on straight.
    Action tile_for(const M& rest, const M& outside, const std::uint16_t* left) const {
        const int stride = p_.stride(), longest = p_.game->rules.longest_tile();
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
            while (last + step < p_.game->cells && rest.has(last + step)) last += step;
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
        M land = p_.s.land;
        Actions ordered;
        while (!canals.empty()) {
            const M wet = beside(p_.game->grid & ~land, p_.stride()) | p_.game->rim;
            const auto touches = [&](const Action& a) { return meet(p_.covered(a), wet); };
            const auto next = std::find_if(canals.begin(), canals.end(), touches);
            if (next == canals.end()) return false;
            land &= ~p_.covered(*next);
            ordered.push_back(*next);
            canals.erase(next);
        }
        canals = ordered;
        return true;
    }
};
