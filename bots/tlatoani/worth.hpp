// What a position is worth: the points that every seat may expect at the end of the game.

#pragma once

#include <cmath>

#include "state.hpp"

// What is guessed for a part of the game, in points or as a part of them; a fit to the results of many games.
struct Stage {
    double temple[4];  // in hand, by level; higher ones count as the highest here
    double token;      // each of the first three action tokens
    double held;       // the part of a district's points that counts although it is still to be scored
    double large;      // the same for unfounded land that is larger than any token
    double other;      // the same for smaller land that no token on display fits
};

struct Weights {
    // The first period while more than half of its tokens are on display, while any are, and then; the second while
    // more than two thirds are, more than one third, any, and none.
    Stage stages[7];
    double sure;    // the part of a place that counts whatever rivals can do; the rest by how safe the place is
    double safe;    // how safe a place is that a rival could take by one level more
    double margin;  // and for every further level
    double more_tokens = 0.3;  // each action token beyond three
    double loose_ap = 0.3;     // an AP that can't become a token
    double idle = 0.3;         // what is left of both with no temple to build, or no token to found with
    double fits = 0.6;         // part of its points that a district of a size on display counts for
    double bonus = 0.6;        // chance that a pawn at home is still there at the end of a period that may end soon
    // What counts to whoever looks on, whoever did it: waiting makes long games, and land runs short.
    double founding = 3;  // each founded district
    double kept = 5;      // each token that has not left the game unfounded
    double onward = 14;   // having the first period behind
};

// For two seats.
constexpr Weights DUEL{{{{6.0, 6.5, 7.0, 8.0}, 0.9, 1.0, 0.0, 0.2},
                        {{6.5, 7.5, 8.5, 9.5}, 1.0, 1.1, 0.0, 0.2},
                        {{1.0, 0.7, 0.3, 0.0}, 0.7, 1.1, 0.0, 0.2},
                        {{4.0, 4.6, 5.3, 6.0}, 1.2, 0.8, 0.2, 0.6},
                        {{4.0, 4.5, 3.5, 2.5}, 0.9, 0.75, 0.1, 0.55},
                        {{2.0, 4.0, 3.5, 1.0}, 0.9, 0.85, 0.15, 0.55},
                        {{-0.3, -0.5, -0.7, -0.9}, 0.1, 0.85, 0.45, 0.75}},
                       0.67, 0.6, 0.1};
// For more: there are fewer turns for as many temples, and more rivals who may want what one has.
constexpr Weights CROWD{{{{1.8, 1.5, 1.3, 1.2}, 0.5, 0.85, 0.0, 0.1},
                         {{1.7, 2.0, 1.9, 1.7}, 0.8, 0.85, 0.0, 0.1},
                         {{0.5, 0.4, 0.3, 0.0}, 0.5, 0.9, 0.0, 0.1},
                         {{1.6, 1.2, 1.0, 0.9}, 0.6, 0.75, 0.03, 0.2},
                         {{1.4, 1.5, 1.8, 2.0}, 0.7, 0.92, 0.07, 0.3},
                         {{1.2, 1.3, 1.5, 1.7}, 0.9, 0.98, 0.05, 0.55},
                         {{-0.3, -0.5, -0.7, -0.9}, 0.1, 0.96, 0.65, 0.85}},
                        0.4, 0.25, 0.05};

// The districts of a position.
template <int W>
struct Districts {
    static constexpr int MOST = 96;  // of very many, those beyond are left out
    Mask<W> land{}, founded{};       // what they were made from
    int count = 0;
    Mask<W> mask[MOST];
    int size[MOST];
    bool is_founded[MOST];

    // Makes them anew where land or foundings have changed.
    void update(const Position<W>& p) {
        if (count && land == p.s.land && founded == p.s.founded) return;
        land = p.s.land;
        founded = p.s.founded;
        count = 0;
        for (Mask<W> rest = land; rest.any() && count < MOST; ++count) {
            const int cell = rest.first();
            mask[count] = flood(Mask<W>::of(cell), rest, p.stride());
            rest &= ~mask[count];
            size[count] = mask[count].count();
            is_founded[count] = founded.has(cell);
        }
    }
};

// What the worth of a district depends on, besides the temples in hand.
struct Estate {
    int size = 0, room = 0;  // room: temples that still fit in
    int levels[MOST_OWNERS] = {};

    bool operator==(const Estate& other) const {
        return size == other.size && room == other.room && std::equal(levels, levels + MOST_OWNERS, other.levels);
    }
    Estate with(int seat, int level, int taken) const {
        Estate made = *this;
        made.levels[seat] += level;
        made.room -= taken;
        return made;
    }
};

// Judges positions. What it says about a position's parts is about the one that `look` was last told.
template <int W>
class Judge {
public:
    using M = Mask<W>;
    Districts<W> districts;
    const Weights* weights = &DUEL;
    const Stage* stage = nullptr;
    bool ending = false;  // the period is over with this round

    void look(const Position<W>& p) {
        p_ = &p;
        const State<W>& s = p.s;
        bool empty = false;
        for (int seat = 0; seat < s.players; ++seat) empty |= p.hand_empty(seat);
        ending = p.game->rules.end_needs_either ? empty || !s.on_display : empty && !s.on_display;
        const int all = std::max(1, s.period == 1 ? p.game->rules.first_calpulli : p.game->second_calpulli);
        const int parts = s.period == 1 ? 2 : 3, last = s.period == 1 ? 2 : 6;
        stage = weights->stages + (last - (parts * s.on_display + all - 1) / all);
        for (int seat = 0; seat < s.players; ++seat)
            for (int n = 0; n < p.game->rules.levels(); ++n) {
                hands_[0][seat][n] = s.hands[seat][n];
                hands_[1][seat][n] = s.hands[seat][n] + p.game->rules.temples[1][n];
            }
    }

    // Points that each seat may expect.
    void outlook(const Position<W>& p, double* points) {
        const State<W>& s = p.s;
        if (s.phase == OVER) return final(p, points);
        for (int seat = 0; seat < s.players; ++seat) points[seat] = s.scored[seat];
        look(p);
        for (int seat = 0; seat < s.players; ++seat) points[seat] += means(seat);
        districts.update(p);
        for (int n = 0; n < districts.count; ++n) {
            if (!meet(districts.mask[n], s.temples)) continue;
            const double part = share(n);
            if (part <= 0) continue;
            double expected[MOST_SEATS];
            expect(estate(districts.mask[n]), expected);
            for (int seat = 0; seat < s.players; ++seat) points[seat] += part * expected[seat];
        }
    }

    // Points of each seat if the game ended as it stands; action tokens break ties.
    void final(const Position<W>& p, double* points) {
        const State<W>& s = p.s;
        for (int seat = 0; seat < s.players; ++seat) points[seat] = s.scored[seat] + 0.01 * s.action_tokens[seat];
        if (s.phase == OVER) return;
        districts.update(p);
        for (int n = 0; n < districts.count; ++n) {
            if (!meet(districts.mask[n], s.temples)) continue;
            int levels[MOST_OWNERS];
            for (int owner = 0; owner < p.owners(); ++owner) levels[owner] = p.levels(owner, districts.mask[n]);
            for (int seat = 0; seat < s.players; ++seat)
                points[seat] += Position<W>::district_points(districts.size[n], levels, p.owners(), seat);
        }
        for (int seat = 0; seat < s.players; ++seat)
            if (p.game->starts.has(s.pawns[seat])) points[seat] += p.game->rules.start_bonus;
    }

    // What a position is worth to a seat, which would like to see the game get on.
    double view(const Position<W>& p, const double* points, int seat) const {
        const State<W>& s = p.s;
        const int later = s.period == 1 ? p.game->second_calpulli : 0;
        const int left = s.phase == OVER ? 0 : s.on_display + later;
        return balance(points, s.players, seat) + weights->founding * s.founded_count +
               weights->kept * (s.founded_count + left) + (s.period == 2 ? weights->onward : 0);
    }

    // What counts for a seat: its points less the mean of its rivals'.
    static double balance(const double* points, int players, int seat) {
        double sum = 0;
        for (int other = 0; other < players; ++other) sum += points[other];
        return points[seat] - (sum - points[seat]) / (players - 1);
    }

    // ---- of the position that was looked at last ---------------------------------------------------------------

    // The part of its points that a district, by its number, counts for.
    double share(int n) const {
        return districts.is_founded[n] ? ending ? 1.0 : stage->held : chance(districts.size[n]);
    }

    double held() const { return stage->held; }

    // What a temple in hand is worth; nothing any more when the game is about to end.
    double price(int level) const {
        return p_->s.period == 2 && ending ? 0 : stage->temple[std::min(level, 4) - 1];
    }

    // Points by seat that a district will bring in all scorings to come, if it stays.
    void expect(const Estate& estate, double* points) const {
        const int scorings = p_->s.period == 1 ? 2 : 1, players = p_->s.players;
        int could[2][MOST_SEATS];
        for (int n = 0; n < scorings; ++n)
            for (int seat = 0; seat < players; ++seat) could[n][seat] = most(hands_[n][seat], estate.room);
        for (int seat = 0; seat < players; ++seat) {
            const int prize = Position<W>::district_points(estate.size, estate.levels, p_->owners(), seat);
            double times = 0;
            if (prize)
                for (int n = 0; n < scorings; ++n)
                    times += weights->sure + (1 - weights->sure) * hold(estate.levels, could[n], seat);
            points[seat] = prize * times;
        }
    }

    Estate estate(const M& area) const {
        Estate made;
        made.size = area.count();
        made.room = room(*p_, area);
        if (meet(area, p_->s.temples))
            for (int owner = 0; owner < p_->owners(); ++owner) made.levels[owner] = p_->levels(owner, area);
        return made;
    }

    // Whether the period may end soon, so that it is time to go home. No token is left; or in the second period no
    // temple, and then tokens often lie there that nobody can use.
    static bool nears_end(const Position<W>& p) {
        bool empty = p.s.period == 2;
        for (int seat = 0; seat < p.s.players; ++seat) empty = empty && p.hand_empty(seat);
        return empty || !p.s.on_display;
    }

    // Temples that fit in a district: whoever builds there stands there, on a space of its own.
    static int room(const Position<W>& p, const M& area) {
        const M standing = area & ~(p.s.temples | p.s.tokens);
        return std::min(count_common(standing, ~p.game->palace), standing.count() - 1);
    }

private:
    const Position<W>* p_ = nullptr;
    int hands_[2][MOST_SEATS][MOST_LEVELS];  // by scoring to come

    // What an unfounded district gives in the end: it may be cut or founded before.
    double chance(int size) const {
        if (ending) return p_->s.period == 2;
        const int index = p_->game->index_of(size);
        if (index >= 0 && p_->s.display[index]) return weights->fits;
        return p_->game->sizes.empty() || size > p_->game->sizes.back() ? stage->large : stage->other;
    }

    // The most levels that a hand can put on that many spaces.
    int most(const int* hand, int room) const {
        int total = 0;
        for (int level = p_->game->rules.levels(); level >= 1 && room > 0; --level) {
            const int number = std::min(room, hand[level - 1]);
            total += number * level;
            room -= number;
        }
        return total;
    }

    // The chance, guessed, that a seat keeps its place: sure where nobody has room or temples to pass.
    double hold(const int* levels, const int* could, int seat) const {
        const int own = levels[seat];
        int best = 0;
        bool danger = false;
        for (int other = 0; other < p_->s.players; ++other) {
            if (other == seat || levels[other] > own) continue;
            best = std::max(best, levels[other]);
            danger |= levels[other] + could[other] > own;
        }
        return danger ? std::min(0.9, weights->safe + weights->margin * (own - best)) : 1.0;
    }

    // Action tokens, AP left in this turn, temples in hand and the place at home, in points.
    double means(int seat) const {
        const State<W>& s = p_->s;
        const Rules& rules = p_->game->rules;
        const int ap = s.voter == seat ? s.ap : 0;
        const int storable = ap ? std::max(0, std::min({ap, rules.tokens_per_turn - s.taken, p_->token_supply()})) : 0;
        const int tokens = s.action_tokens[seat] + storable, few = std::min(tokens, 3);
        double made = stage->token * few + weights->more_tokens * (tokens - few) + weights->loose_ap * (ap - storable);
        if (!s.on_display || p_->hand_empty(seat)) made *= weights->idle;
        if (ending && s.period == 2)
            made = 0.01 * tokens;
        else
            for (int n = 0; n < rules.levels(); ++n) made += s.hands[seat][n] * stage->temple[std::min(n, 3)];
        return made + home(seat);
    }

    double home(int seat) const {
        if (!nears_end(*p_) || !p_->game->starts.has(p_->s.pawns[seat])) return 0;
        return p_->game->rules.start_bonus * (ending ? 1.0 : weights->bonus);
    }
};
