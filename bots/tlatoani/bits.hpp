// Sets of cells as bits in a fixed number of words.
//
// Cell (row r, column c) of a board has the number r * stride + c, where the stride is the number of columns plus one:
// the spare column stays empty, so a shift never carries a cell from one edge of the board to the other. Shifts may
// leave bits outside the grid; mask with an area before a result means anything.

#pragma once

#include <cstdint>

using Word = std::uint64_t;

template <int W>
struct Mask {
    Word w[W];

    static Mask none() { return Mask{}; }

    static Mask of(int cell) {
        Mask made{};
        made.set(cell);
        return made;
    }

    bool has(int cell) const { return w[cell >> 6] >> (cell & 63) & 1; }
    void set(int cell) { w[cell >> 6] |= Word{1} << (cell & 63); }
    void clear(int cell) { w[cell >> 6] &= ~(Word{1} << (cell & 63)); }

    bool any() const {
        Word all = 0;
        for (int i = 0; i < W; ++i) all |= w[i];
        return all != 0;
    }

    int count() const {
        int bits = 0;
        for (int i = 0; i < W; ++i) bits += __builtin_popcountll(w[i]);
        return bits;
    }

    // The first cell in reading order, or -1.
    int first() const {
        for (int i = 0; i < W; ++i)
            if (w[i]) return i * 64 + __builtin_ctzll(w[i]);
        return -1;
    }

    // Removes and returns the first cell; the mask mustn't be empty.
    int pop() {
        int i = 0;
        while (!w[i]) ++i;
        const int cell = i * 64 + __builtin_ctzll(w[i]);
        w[i] &= w[i] - 1;
        return cell;
    }

    bool operator==(const Mask& other) const {
        Word differ = 0;
        for (int i = 0; i < W; ++i) differ |= w[i] ^ other.w[i];
        return differ == 0;
    }
    bool operator!=(const Mask& other) const { return !(*this == other); }

    Mask& operator|=(const Mask& other) {
        for (int i = 0; i < W; ++i) w[i] |= other.w[i];
        return *this;
    }
    Mask& operator&=(const Mask& other) {
        for (int i = 0; i < W; ++i) w[i] &= other.w[i];
        return *this;
    }
    friend Mask operator|(Mask a, const Mask& b) { return a |= b; }
    friend Mask operator&(Mask a, const Mask& b) { return a &= b; }
    friend Mask operator~(const Mask& a) {
        Mask made;
        for (int i = 0; i < W; ++i) made.w[i] = ~a.w[i];
        return made;
    }

    // Cells with greater (up) and lesser (down) numbers by a step from 1 to 63.
    Mask up(int step) const {
        Mask made;
        for (int i = W - 1; i > 0; --i) made.w[i] = w[i] << step | w[i - 1] >> (64 - step);
        made.w[0] = w[0] << step;
        return made;
    }
    Mask down(int step) const {
        Mask made;
        for (int i = 0; i < W - 1; ++i) made.w[i] = w[i] >> step | w[i + 1] << (64 - step);
        made.w[W - 1] = w[W - 1] >> step;
        return made;
    }
};

// All cells that touch the mask by a side; some may lie in it.
template <int W>
Mask<W> beside(const Mask<W>& m, int stride) {
    Mask<W> made;
    for (int i = 0; i < W; ++i) {
        const Word x = m.w[i], below = i ? m.w[i - 1] : 0, above = i + 1 < W ? m.w[i + 1] : 0;
        made.w[i] = x << 1 | below >> 63 | x >> 1 | above << 63 | x << stride | below >> (64 - stride) | x >> stride |
                    above << (64 - stride);
    }
    return made;
}

template <int W>
bool meet(const Mask<W>& a, const Mask<W>& b) {
    Word common = 0;
    for (int i = 0; i < W; ++i) common |= a.w[i] & b.w[i];
    return common != 0;
}

template <int W>
int count_common(const Mask<W>& a, const Mask<W>& b) {
    int bits = 0;
    for (int i = 0; i < W; ++i) bits += __builtin_popcountll(a.w[i] & b.w[i]);
    return bits;
}

// The part of `area` that is joined by sides to `seed`. Stops early once it has at least `enough` cells.
template <int W>
Mask<W> flood(Mask<W> seed, const Mask<W>& area, int stride, int enough = 1 << 30) {
    const auto grown = [&](int i) {
        const Word x = seed.w[i], below = i ? seed.w[i - 1] : 0, above = i + 1 < W ? seed.w[i + 1] : 0;
        Word y = x | below >> 63 | above << 63 | below >> (64 - stride) | above << (64 - stride) | x << stride |
                 x >> stride;
        y &= area.w[i];
        y |= (y << 1 | y >> 1) & area.w[i];
        return (y << 1 | y >> 1 | y << stride | y >> stride | y) & area.w[i];
    };
    while (true) {
        Word changed = 0;
        for (int i = 0; i < W; ++i) {
            const Word now = grown(i);
            changed |= now ^ seed.w[i];
            seed.w[i] = now;
        }
        if (!changed || (enough < 1 << 30 && seed.count() >= enough)) return seed;
        for (int i = W - 1; i >= 0; --i) seed.w[i] = grown(i);
    }
}

// Calls `visit` with every cell of the mask, in reading order.
template <int W, class Visit>
void each(const Mask<W>& m, Visit visit) {
    for (int i = 0; i < W; ++i)
        for (Word word = m.w[i]; word; word &= word - 1) visit(i * 64 + __builtin_ctzll(word));
}
