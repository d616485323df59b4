// What a position is worth: the points that every seat may expect at the end of the game.

#pragma once

#include <cmath>

#include "state.hpp"

// The judgements that the evaluation is made of; found by playing versions of the bot against each other.
struct Stage {
    float temple[4];  // in hand, by level; higher ones count as the highest here
    float token;      // each of the first three action tokens
    float held;       // part of a district's points in the scorings to come that one will still get
    float large;      // the same for unfounded land that is larger than any token
    float other;      // the same for smaller land that no token on display fits
};

struct Taste {
    // Period 1 with the parts of its tokens on display that MARKS says, then period 2; between them it changes evenly.
    Stage stages[7] = {
        {{6.0f, 6.5f, 7.0f, 8.0f}, 0.9f, 1.0f, 0.0f, 0.2f},      {{6.5f, 7.5f, 8.5f, 9.5f}, 1.0f, 1.1f, 0.0f, 0.2f},
        {{1.0f, 0.7f, 0.3f, 0.0f}, 0.7f, 1.1f, 0.0f, 0.2f},      {{4.0f, 4.6f, 5.3f, 6.0f}, 1.2f, 0.8f, 0.2f, 0.6f},
        {{4.0f, 4.5f, 3.5f, 2.5f}, 0.9f, 0.75f, 0.1f, 0.55f},    {{2.0f, 4.0f, 3.5f, 1.0f}, 0.9f, 0.85f, 0.15f, 0.55f},
        {{-0.3f, -0.5f, -0.7f, -0.9f}, 0.1f, 0.85f, 0.45f, 0.75f}};
    float pass = 0.06f;          // chance that a rival passes a lead of nothing, given room, temples and time
    float pass_decay = 0.9f;     // and for each level more that it takes
    float inside = 1.25f;        // times that for a rival whose pawn is in the district
    float fits = 0.6f;           // part of its points that a district is worth that a token on display fits
    float founding_now = 0.75f;  // chance that who may found next and stands inside does
    float founding_near = 0.3f;  // the same for the first to move when nobody stands inside
    float more_tokens = 0.3f;    // an action token beyond three
    float loose_ap = 0.3f;       // an AP that can't become a token
    float idle = 0.3f;           // what is left of those with no temple to build or no token to found with
    float long_period = 11;      // rounds after which a first period is expected to end
    float surplus = 0.2f;        // what is left of the worth of temples in hand beyond those that a period brings
    float home = 0.6f;           // part of the bonus for a starting space with the end not yet sure
    float rival = 0.5f;          // weight of the best rival; the rest is the rivals' average
};

constexpr float MARKS[7] = {0.75f, 0.3f, 0.0f, 0.83f, 0.5f, 0.17f, 0.0f};

template <int W>
struct Districts {
    static constexpr int MOST = 96;
    Mask<W> land{}, founded{};  // what they were made from
    int count = 0;
    Mask<W> mask[MOST];
    int size[MOST];
    bool is_founded[MOST];

    // Makes them anew where land or foundings have changed. Of very many, those beyond MOST are left out.
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

template <int W>
class Judge {
public:
    Taste taste;
    Districts<W> districts;

    // Points that each seat may expect if `mover` is the next to act: in the middle of a turn that may be the seat
    // after the one whose turn it is.
    void outlook(const Position<W>& p, int mover, float* points) {
        mover_ = mover;
        const State<W>& s = p.s;
        for (int seat = 0; seat < s.players; ++seat) points[seat] = static_cast<float>(s.scored[seat]);
        if (s.phase == OVER) return;
        prepare(p);
        districts.update(p);
        for (int n = 0; n < districts.count; ++n) {
            if (districts.is_founded[n])
                founded(p, n, points);
            else
                unfounded(p, n, points);
        }
        for (int seat = 0; seat < s.players; ++seat) points[seat] += belongings(p, seat);
    }

    // One seat's view of such points: how far it is ahead. Once the game is over, winning is what counts.
    float view(const Position<W>& p, const float* points, int seat) const {
        float sum = 0, best = -1e9f;
        for (int other = 0; other < p.s.players; ++other) {
            if (other == seat) continue;
            sum += points[other];
            best = std::max(best, points[other]);
        }
        const float mean = sum / static_cast<float>(p.s.players - 1);
        float made = points[seat] - taste.rival * best - (1 - taste.rival) * mean;
        if (p.s.phase == OVER) made += p.ranking()[seat] == 1 ? 15.0f : -15.0f;
        return made;
    }

private:
    int mover_ = 0;
    bool ending_ = false;  // the period is over with this round
    float time_ = 1;       // rounds that the period may still last
    float haste_ = 1;      // part of a chance to build that there is time for
    Stage stage_{};
    int purse_[MOST_SEATS];  // AP that a seat can still spend in this period; large where it isn't ending
    Mask<W> standing_;

    void prepare(const Position<W>& p) {
        const State<W>& s = p.s;
        bool empty = false;
        int least = 99;
        for (int seat = 0; seat < s.players; ++seat) {
            int sum = 0;
            for (int n = 0; n < p.game->rules.levels(); ++n) sum += (n + 1) * s.hands[seat][n];
            least = std::min(least, sum);
            empty |= !sum;
        }
        ending_ = p.game->rules.end_needs_either ? empty || !s.on_display : empty && !s.on_display;
        const float for_tokens = static_cast<float>(s.on_display) / (0.6f * static_cast<float>(s.players));
        const float for_temples = static_cast<float>(least) / 3.0f;
        const bool either = p.game->rules.end_needs_either;
        time_ = ending_ ? 0 : either ? std::min(for_tokens, for_temples) : std::max(for_tokens, for_temples);
        haste_ = ending_ ? 1 : std::min(1.0f, (time_ + 0.7f) / 4.0f);
        const int all = s.period == 1 ? p.game->rules.first_calpulli : p.game->second_calpulli;
        float part = static_cast<float>(s.on_display) / static_cast<float>(std::max(1, all));
        // A first period that drags on is about to end, whatever is still on display.
        const float left = (taste.long_period - static_cast<float>(s.round)) / 5.0f;
        if (s.period == 1) part = std::min(part, std::max(0.0f, left));
        set_stage(s.period == 1 ? 0 : 3, s.period == 1 ? 2 : 6, part);
        for (int seat = 0; seat < s.players; ++seat) {
            const int full = p.game->rules.action_points + s.kept[seat];
            const int turn = seat > s.seat ? full : seat == s.seat && mover_ == seat ? s.ap : 0;
            purse_[seat] = ending_ ? (turn ? turn + s.action_tokens[seat] : 0) : 99;
        }
        standing_ = s.land & ~(s.temples | s.tokens);
    }

    // The stage that lies between those of these numbers, with that part of the tokens on display.
    void set_stage(int first, int last, float part) {
        int next = first;
        while (next < last && MARKS[next] > part) ++next;
        const int before = std::max(first, next - 1);
        const float gap = MARKS[before] - MARKS[next];
        const float share = gap > 0 ? std::min(1.0f, (part - MARKS[next]) / gap) : 1.0f;  // of the one before
        const Stage &a = taste.stages[before], &b = taste.stages[next];
        const auto mixed = [&](float x, float y) { return share * x + (1 - share) * y; };
        for (int n = 0; n < 4; ++n) stage_.temple[n] = mixed(a.temple[n], b.temple[n]);
        stage_.token = mixed(a.token, b.token);
        stage_.held = mixed(a.held, b.held);
        stage_.large = mixed(a.large, b.large);
        stage_.other = mixed(a.other, b.other);
    }

    // The most levels that a seat can add on so many spaces for so many AP.
    static int most(const Position<W>& p, int seat, int room, int purse, bool later) {
        int total = 0;
        for (int level = p.game->rules.levels(); level >= 1 && room > 0 && purse > 0; --level) {
            const int more = later ? p.game->rules.temples[1][level - 1] : 0;
            const int number = std::min({room, p.s.hands[seat][level - 1] + more, purse / level});
            total += number * level;
            room -= number;
            purse -= number * level;
        }
        return total;
    }

    // Adds what a district of that size may bring, times a factor, in a scoring with the given hands.
    void expect(const Position<W>& p, const Mask<W>& area, const int* levels, int size, float factor, bool later,
                float* points) {
        const State<W>& s = p.s;
        const int owners = p.owners();
        const Mask<W> open = area & standing_;
        const int standing = open.count(), room = std::min(count_common(open, ~p.game->palace), standing - 1);
        int add[MOST_OWNERS] = {};
        float eager[MOST_OWNERS] = {};
        for (int seat = 0; seat < s.players; ++seat) {
            const bool in = area.has(s.pawns[seat]);
            const int purse = later ? 99 : in ? purse_[seat] : purse_[seat] - (ending_ ? 2 : 0);
            if (room > 0) add[seat] = most(p, seat, room, purse, later);
            eager[seat] = taste.pass * (in && !later ? taste.inside : 1.0f) * (later ? 1.0f : haste_) *
                          std::min(1.25f, 0.55f + static_cast<float>(size) * 0.05f);
        }
        const auto values = prizes(size);
        for (int seat = 0; seat < s.players; ++seat) {
            if (!levels[seat]) continue;
            float above[4] = {1, 0, 0, 0};  // chances that so many owners end above this seat
            for (int other = 0; other < owners; ++other) {
                if (other == seat || (!levels[other] && !add[other])) continue;
                float chance;
                if (levels[other] > levels[seat])
                    chance = 1 - passes(levels[other] - levels[seat], add[seat], eager[seat]);
                else
                    chance = passes(levels[seat] - levels[other] + 1, add[other], eager[other]);
                if (chance <= 0) continue;
                for (int k = 3; k > 0; --k) above[k] = above[k] * (1 - chance) + above[k - 1] * chance;
                above[0] *= 1 - chance;
            }
            float sum = 0;
            for (int k = 0; k < 3; ++k) sum += above[k] * static_cast<float>(values[k]);
            points[seat] += factor * sum;
        }
    }

    // The chance that somebody adds as many levels as it takes.
    float passes(int levels, int can_add, float eager) const {
        if (levels > can_add) return 0;
        float chance = eager;
        for (int n = 1; n < levels; ++n) chance *= taste.pass_decay;
        return std::min(chance, 0.95f);
    }

    bool grandeur(const Position<W>& p, const Mask<W>& area, int* levels) const {
        if (!meet(area, p.s.temples)) return false;
        for (int owner = 0; owner < p.owners(); ++owner) levels[owner] = p.levels(owner, area);
        return true;
    }

    void founded(const Position<W>& p, int n, float* points) {
        int levels[MOST_OWNERS];
        const Mask<W>& area = districts.mask[n];
        if (!grandeur(p, area, levels)) return;
        expect(p, area, levels, districts.size[n], ending_ ? 1 : stage_.held, false, points);
        if (p.s.period == 1) expect(p, area, levels, districts.size[n], stage_.held, true, points);
    }

    void unfounded(const Position<W>& p, int n, float* points) {
        const State<W>& s = p.s;
        const Mask<W>& area = districts.mask[n];
        const int size = districts.size[n], index = p.game->index_of(size);
        const bool on_display = index >= 0 && s.display[index];
        if (on_display && s.phase != PLACING) threat(p, area, size, points);
        const bool large = size > p.game->sizes.back();
        float part = on_display ? taste.fits : large ? stage_.large : stage_.other;
        if (ending_) part = s.period == 2 ? 1.0f : 0.0f;
        int levels[MOST_OWNERS];
        if (part <= 0 || !grandeur(p, area, levels)) return;
        expect(p, area, levels, size, part, false, points);
        if (s.period == 1) expect(p, area, levels, size, part, true, points);
    }

    // Somebody may found it next: the first in the order of play that stands inside, or whoever gets there.
    void threat(const Position<W>& p, const Mask<W>& area, int size, float* points) {
        const State<W>& s = p.s;
        const auto values = prizes(size);
        int founder = -1;
        for (int n = 0; n < s.players && founder < 0; ++n) {
            const int seat = (mover_ + n) % s.players;
            if (area.has(s.pawns[seat])) founder = seat;
        }
        const float chance = founder >= 0 ? taste.founding_now : taste.founding_near;
        if (founder < 0) founder = mover_;
        points[founder] += chance * static_cast<float>(values[1] + 0.25f * static_cast<float>(values[0]));
        for (int seat = 0; seat < s.players; ++seat)
            if (seat != founder && area.has(s.pawns[seat])) points[seat] += chance * static_cast<float>(values[2]);
    }

    // Action tokens, AP left in this turn, temples in hand and the place at home, in points.
    float belongings(const Position<W>& p, int seat) const {
        const State<W>& s = p.s;
        const Rules& rules = p.game->rules;
        const int ap = s.seat == seat && s.phase == TURN ? s.ap : 0;
        const int storable = std::max(0, std::min({ap, rules.tokens_per_turn - s.taken, p.token_supply()}));
        const int tokens = s.action_tokens[seat] + storable, few = std::min(tokens, 3);
        if (s.period == 2 && ending_ && !purse_[seat]) return 0.01f * static_cast<float>(tokens);
        float made = stage_.token * static_cast<float>(few) + taste.more_tokens * static_cast<float>(tokens - few) +
                     taste.loose_ap * static_cast<float>(ap - storable);
        if (!s.on_display || p.hand_empty(seat)) made *= taste.idle;
        return made + (s.period == 1 || !ending_ ? stones(p, seat) : 0) + home(p, seat);
    }

    // Temples in hand, in points. What a period left over comes on top of more than can well be built in the next.
    float stones(const Position<W>& p, int seat) const {
        float made = 0;
        int levels = 0, usual = 0;
        for (int n = 0; n < p.game->rules.levels(); ++n) {
            const int number = p.s.hands[seat][n];
            made += static_cast<float>(number) * stage_.temple[std::min(n, 3)];
            levels += (n + 1) * number;
            usual += (n + 1) * p.game->rules.temples[p.s.period - 1][n];
        }
        if (levels <= usual) return made;
        const float counted = static_cast<float>(usual) + taste.surplus * static_cast<float>(levels - usual);
        return made * counted / static_cast<float>(levels);
    }

    float home(const Position<W>& p, int seat) const {
        if (p.s.on_display || !p.game->starts.has(p.s.pawns[seat])) return 0;
        return static_cast<float>(p.game->rules.start_bonus) * (ending_ ? 1.0f : taste.home);
    }
};
