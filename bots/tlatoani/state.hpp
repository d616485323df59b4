// A position, what is legal in it, and what an action does. "Reading n" are the numbered readings of docs/MEXICA.md.

#pragma once

#include <cstring>
#include <type_traits>
#include <vector>

#include "rules.hpp"

enum Kind : std::uint8_t {
    PLACE, CANAL, BRIDGE, RELOCATE, TEMPLE, WALK, BOAT, TELEPORT, FOUND, TAKE, SPEND, RETIRE, AGREE, REFUSE, END
};
enum Phase : std::uint8_t { PLACING, TURN, VOTE, OVER };

struct Action {
    std::uint8_t kind, axis;
    std::uint16_t cell;   // where; of a canal its first space, of a moved bridge where it goes
    std::uint16_t extra;  // canal: length; moved bridge: where it comes from; temple: level; founding, retiring: size

    bool operator==(const Action& other) const {
        return kind == other.kind && axis == other.axis && cell == other.cell && extra == other.extra;
    }
};

inline Action action(Kind kind, int cell = 0, int extra = 0, int axis = H) {
    return {kind, static_cast<std::uint8_t>(axis), static_cast<std::uint16_t>(cell),
            static_cast<std::uint16_t>(extra)};
}

// A position. It has no pointers and no padding: a copy is a copy of bytes, and so is comparing.
template <int W>
struct State {
    Mask<W> land, bridges_h, bridges_v, temples, tokens, founded;  // founded: the land of founded districts
    Mask<W> owned[MOST_OWNERS];                                    // temples by owner; the neutral colour comes last
    Mask<W> level[LEVEL_BITS];                                     // temples by bit of their level
    std::int32_t scored[MOST_SEATS], round, turn;
    std::int16_t pawns[MOST_SEATS];  // -1 before a pawn is placed
    std::uint16_t tiles[MOST_TILES], token_cells[MOST_TOKENS];  // cells of tokens in order of founding
    std::int16_t ap, proposal, quiet;                           // proposal: a size; 0 outside of a vote
    std::uint8_t hands[MOST_SEATS][MOST_LEVELS];
    std::uint8_t display[MOST_TOKENS], later[MOST_TOKENS], proposed[MOST_TOKENS];  // by index of size
    std::uint8_t action_tokens[MOST_SEATS], kept[MOST_SEATS];
    std::uint8_t players, phase, seat, voter, period, busy, taken, founded_count, on_display, unused[2];

    int to_act() const { return phase == OVER ? -1 : voter; }
};
static_assert(std::has_unique_object_representations_v<State<5>>);

// A hash over everything that bears on the rest of the game.
template <int W>
Word hash_of(const State<W>& s) {
    static_assert(sizeof s % 8 == 0);
    Word made = 0x9e3779b97f4a7c15;
    const char* at = reinterpret_cast<const char*>(&s);
    for (std::size_t i = 0; i < sizeof s; i += 8) {
        Word word;
        std::memcpy(&word, at + i, 8);
        made = (made ^ word) * 0xff51afd7ed558ccd;
        made ^= made >> 32;
    }
    return made;
}

template <int W>
class Position {
public:
    using M = Mask<W>;
    const Game<W>* game;
    State<W> s;

    // ---- what lies where ---------------------------------------------------------------------------------------

    int stride() const { return game->stride; }
    M canals() const { return game->canals | (game->land & ~s.land); }
    M bridges() const { return s.bridges_h | s.bridges_v; }
    int bridge_supply() const { return game->rules.bridges - s.bridges_h.count() - s.bridges_v.count(); }
    int token_supply() const {
        int supply = game->rules.action_tokens;
        for (int seat = 0; seat < s.players; ++seat) supply -= s.action_tokens[seat];
        return supply;
    }
    M pawn_cells() const {
        M made = M::none();
        for (int seat = 0; seat < s.players; ++seat)
            if (s.pawns[seat] >= 0) made.set(s.pawns[seat]);
        return made;
    }
    M free_land() const { return s.land & ~(s.temples | s.tokens | pawn_cells()); }
    M free_bridges() const { return bridges() & ~pawn_cells(); }
    M ramps() const {
        return s.bridges_h.up(1) | s.bridges_h.down(1) | s.bridges_v.up(stride()) | s.bridges_v.down(stride());
    }
    M district(int cell) const { return flood(M::of(cell), s.land, stride()); }
    M unfounded() const { return s.land & ~s.founded; }
    bool tiles_left() const {
        for (int n = 0; n < game->rules.longest_tile(); ++n)
            if (s.tiles[n]) return true;
        return false;
    }
    bool hand_empty(int seat) const {
        for (int n = 0; n < game->rules.levels(); ++n)
            if (s.hands[seat][n]) return false;
        return true;
    }
    int levels(int owner, const M& district) const {
        const M own = s.owned[owner] & district;
        int sum = 0;
        for (int bit = 0; bit < LEVEL_BITS; ++bit) sum += count_common(own, s.level[bit]) << bit;
        return sum;
    }
    int owners() const { return s.players == 2 ? 3 : s.players; }

    // ---- where an action could go, whatever it costs and whatever pens -----------------------------------------

    M placements() const { return game->rules.start_anywhere ? free_land() : free_land() & game->starts; }

    M canal_ground() const {
        return s.land & ~(s.founded | s.temples | pawn_cells() | ramps() | game->palace);
    }

    // The part of a ground that touches lake or canal.
    M wet(const M& ground) const { return ground & (beside(game->grid & ~s.land, stride()) | game->rim); }

    M tile_starts(const M& ground, int length, int axis) const {
        const int step = axis == H ? 1 : stride();
        const bool must_touch = game->rules.canal_touches_water;
        M wet_part = must_touch ? wet(ground) : M::none();
        M places = ground, shifted = ground, touching = wet_part;
        for (int n = 1; n < length; ++n) {
            shifted = shifted.down(step);
            places &= shifted;
            if (must_touch) {
                wet_part = wet_part.down(step);
                touching |= wet_part;
            }
        }
        return must_touch ? places & touching : places;
    }

    M bridge_places(int axis) const {
        const int step = axis == H ? 1 : stride();
        return canals() & ~bridges() & s.land.up(step) & s.land.down(step);
    }

    M steps(int seat) const {
        const M pawn = M::of(s.pawns[seat]);
        const M across = pawn.up(1) | pawn.down(1), along = pawn.up(stride()) | pawn.down(stride());
        if (meet(pawn, s.bridges_h)) return across & free_land();
        if (meet(pawn, s.bridges_v)) return along & free_land();
        return ((across | along) & free_land()) | (((across & s.bridges_h) | (along & s.bridges_v)) & ~pawn_cells());
    }

    M teleports() const {
        if (!game->rules.teleport) return M::none();
        return game->rules.teleport_to_bridges ? free_land() | free_bridges() : free_land();
    }

    M temple_sites() const {
        const int cell = s.pawns[s.seat];
        if (!s.land.has(cell)) return M::none();
        if (game->rules.temple_adjacent) {
            const M pawn = M::of(cell);
            return ((beside(pawn, stride()) & free_land()) | (pawn & ~s.temples)) & ~game->palace;
        }
        return district(cell) & free_land() & ~game->palace;
    }

    // The unfounded district that the pawn of the seat whose turn it is stands in; empty where there is none.
    M district_to_found() const {
        const int cell = s.pawns[s.seat];
        if (!s.land.has(cell) || s.founded.has(cell)) return M::none();
        return district(cell);
    }

    M token_sites(const M& district) const {
        return district & ~(s.temples | s.tokens | pawn_cells() | game->palace);
    }

    // ---- boats (reading 8) -------------------------------------------------------------------------------------

    // What touches the water that a boat comes to from `start`, cells of canals, through these canals and the lake.
    // `reached` gets the canal spaces themselves.
    M shores(const M& start, const M& through, M& reached) const {
        reached = start;
        std::uint64_t sailed = 0;  // lakes, by index; boards with more than 64 are looked at again, which harms nothing
        while (true) {
            M near = beside(reached, stride());
            for (std::size_t n = 0; n < game->lakes.size(); ++n)
                if ((n < 64 && sailed >> n & 1) || meet(reached, game->lakes[n].shore)) {
                    near |= game->lakes[n].shore;
                    if (n < 64) sailed |= std::uint64_t{1} << n;
                }
            const M grown = reached | (near & through);
            if (grown == reached) return near;
            reached = flood(grown, through | grown, stride());
        }
    }

    // Bridges without a pawn that a boat from `start` could reach at whatever cost.
    M harbours(int start) const {
        M reached;
        shores(M::of(start), canals(), reached);
        return reached & free_bridges();
    }

    // Calls `visit` with cost and mask of the bridges so many bridges away, nearest first, up to `ap`.
    template <class Visit>
    void boat_stages(int start, int ap, Visit visit) const {
        const Rules& rules = game->rules;
        if (!rules.boat_by_bridge) {
            if (rules.boat_cost <= ap) visit(rules.boat_cost, harbours(start));
            return;
        }
        const M all = bridges(), open = canals() & ~all, free = free_bridges();
        M reached = M::of(start), nearest = reached;
        for (int cost = rules.boat_cost; cost <= ap && nearest.any(); cost += rules.boat_cost) {
            M water;
            nearest = shores(nearest, open, water) & all & ~reached;
            reached |= nearest;
            visit(cost, nearest & free);
        }
    }

    M trips(int start, int ap) const {
        M made = M::none();
        boat_stages(start, ap, [&](int, const M& mask) { made |= mask; });
        return made;
    }

    // The least AP for a boat between two bridges; 0 where no boat gets there for `ap`.
    int fare(int start, int goal, int ap) const {
        int found = 0;
        boat_stages(start, ap, [&](int cost, const M& mask) {
            if (!found && mask.has(goal)) found = cost;
        });
        return found;
    }

    // ---- no penning (reading 11) -------------------------------------------------------------------------------

    bool guarded(int kind) const {
        if (kind == TEMPLE)
            return (s.round == 1 && !game->rules.penning_first_round) || !game->rules.penning_temples;
        const bool in_first_round = kind == CANAL || kind == FOUND || kind == WALK || kind == BOAT || kind == TELEPORT;
        return in_first_round && s.round == 1 && !game->rules.penning_first_round;
    }

    bool is_penned(int seat) const {
        if (steps(seat).any()) return false;
        const int cell = s.pawns[seat];
        if (!s.land.has(cell)) return !harbours(cell).any();
        if (!bridge_supply() && !free_bridges().any()) return true;
        const M pawn = M::of(cell);
        return !meet(bridge_places(H), pawn.up(1) | pawn.down(1)) &&
               !meet(bridge_places(V), pawn.up(stride()) | pawn.down(stride()));
    }

    M covered(const Action& a) const {
        M made = M::of(a.cell);
        if (a.kind == CANAL)
            for (int n = 1; n < a.extra; ++n) made.set(a.cell + n * (a.axis == H ? 1 : stride()));
        return made;
    }

    // Whether an otherwise legal action pens a pawn that wasn't penned.
    bool pens(const Action& a) const {
        if (!guarded(a.kind)) return false;
        const M taken = covered(a);
        for (int seat = 0; seat < s.players; ++seat) {
            if (seat == s.seat || s.pawns[seat] < 0) continue;
            const M ways = steps(seat);
            if (meet(ways, ~taken)) continue;
            if (!ways.any() && (a.kind == TEMPLE || a.kind == FOUND)) continue;
            if (is_penned(seat)) continue;
            Position after = *this;
            after.put(a, taken);
            if (after.is_penned(seat)) return true;
        }
        return false;
    }

    // ---- what is legal -----------------------------------------------------------------------------------------

    // AP that an action costs; 0 for those that cost none. A boat costs nothing here: see `fare`.
    int cost(const Action& a) const {
        switch (a.kind) {
            case CANAL: return game->rules.canal_by_space ? a.extra : 1;
            case TEMPLE: return a.extra;
            case TELEPORT: return game->rules.teleport_cost;
            case FOUND: return game->rules.found_cost;
            case BRIDGE: case RELOCATE: case WALK: case TAKE: return 1;
            default: return 0;
        }
    }

    bool is_legal(const Action& a) const {
        if (a.kind == PLACE) return s.phase == PLACING && placements().has(a.cell);
        if (a.kind == AGREE || a.kind == REFUSE) return s.phase == VOTE;
        return s.phase == TURN && cost(a) <= s.ap && fits(a) && !pens(a);
    }

    // Every legal action, in no special order.
    std::vector<Action> legal_actions() const {
        std::vector<Action> made;
        if (s.phase == PLACING) list(made, placements(), action(PLACE));
        if (s.phase == VOTE) made = {action(AGREE), action(REFUSE)};
        if (s.phase != TURN) return made;
        list_turn(made);
        made.erase(std::remove_if(made.begin(), made.end(), [&](const Action& a) { return pens(a); }), made.end());
        return made;
    }

    // ---- doing it ----------------------------------------------------------------------------------------------

    // Does a legal action.
    void apply(const Action& a) {
        switch (a.kind) {
            case PLACE: place(a.cell); return;
            case CANAL: dig(a); return;
            case BRIDGE: lay_bridge(a); return;
            case RELOCATE:
                s.bridges_h.clear(a.extra);
                s.bridges_v.clear(a.extra);
                lay_bridge(a);
                return;
            case TEMPLE: build(a); return;
            case BOAT: s.ap = static_cast<std::int16_t>(s.ap - fare(s.pawns[s.seat], a.cell, s.ap)); [[fallthrough]];
            case WALK:
            case TELEPORT:
                s.ap = static_cast<std::int16_t>(s.ap - cost(a));
                s.pawns[s.seat] = static_cast<std::int16_t>(a.cell);
                return;
            case FOUND: found(a); return;
            case TAKE: ++s.action_tokens[s.seat], ++s.taken, --s.ap; return;
            case SPEND: --s.action_tokens[s.seat], ++s.ap; return;
            case RETIRE:
                s.proposal = static_cast<std::int16_t>(a.extra);
                s.proposed[game->index_of(a.extra)] = 1;
                s.phase = VOTE;
                s.voter = static_cast<std::uint8_t>((s.seat + 1) % s.players);
                return;
            case AGREE: agree(); return;
            case REFUSE: close_vote(); return;
            default: end_turn(); return;
        }
    }

    // Place by seat: points, then action tokens held, then shared.
    std::vector<int> ranking() const {
        std::vector<int> made;
        for (int seat = 0; seat < s.players; ++seat) {
            int place = 1;
            for (int other = 0; other < s.players; ++other)
                place += s.scored[other] > s.scored[seat] || (s.scored[other] == s.scored[seat] &&
                                                              s.action_tokens[other] > s.action_tokens[seat]);
            made.push_back(place);
        }
        return made;
    }

    // Points of a seat for a district with those levels by owner.
    static int district_points(int size, const int* levels, int owners, int seat) {
        if (!levels[seat]) return 0;
        int place = 0;
        for (int other = 0; other < owners; ++other) place += levels[other] > levels[seat];
        return place < 3 ? prizes(size)[place] : 0;
    }

private:
    bool fits(const Action& a) const {
        switch (a.kind) {
            case CANAL:
                return a.extra >= 1 && a.extra <= game->rules.longest_tile() && s.tiles[a.extra - 1] &&
                       tile_starts(canal_ground(), a.extra, a.axis).has(a.cell);
            case BRIDGE: return bridge_supply() > 0 && bridge_places(a.axis).has(a.cell);
            case RELOCATE:
                return !bridge_supply() && free_bridges().has(a.extra) && bridge_places(a.axis).has(a.cell);
            case TEMPLE:
                return a.extra >= 1 && a.extra <= game->rules.levels() && s.hands[s.seat][a.extra - 1] &&
                       temple_sites().has(a.cell);
            case WALK: return steps(s.seat).has(a.cell);
            case BOAT:
                return !s.land.has(s.pawns[s.seat]) && free_bridges().has(a.cell) &&
                       fare(s.pawns[s.seat], a.cell, s.ap) > 0;
            case TELEPORT: return teleports().has(a.cell);
            case FOUND: {
                const M area = district_to_found();
                const int index = game->index_of(a.extra);
                return index >= 0 && s.display[index] && area.count() == a.extra && token_sites(area).has(a.cell);
            }
            case TAKE: return s.taken < game->rules.tokens_per_turn && token_supply() > 0;
            case SPEND: return s.action_tokens[s.seat] > 0;
            case RETIRE: {
                const int index = game->index_of(a.extra);
                return s.period == 2 && index >= 0 && s.display[index] && !s.proposed[index];
            }
            case END: return true;
            default: return false;
        }
    }

    static void list(std::vector<Action>& made, const M& mask, Action head) {
        each(mask, [&](int cell) {
            head.cell = static_cast<std::uint16_t>(cell);
            made.push_back(head);
        });
    }

    void list_turn(std::vector<Action>& made) const {
        made.push_back(action(END));
        if (s.action_tokens[s.seat]) made.push_back(action(SPEND));
        for (std::size_t n = 0; n < game->sizes.size(); ++n)
            if (s.period == 2 && s.display[n] && !s.proposed[n]) made.push_back(action(RETIRE, 0, game->sizes[n]));
        const M area = district_to_found();
        const int size = area.count(), index = game->index_of(size);
        if (index >= 0 && s.display[index] && game->rules.found_cost <= s.ap)
            list(made, token_sites(area), action(FOUND, 0, size));
        if (s.ap > 0) list_paid(made);
    }

    void list_paid(std::vector<Action>& made) const {
        const M ground = canal_ground();
        for (int length = 1; length <= game->rules.longest_tile(); ++length)
            if (s.tiles[length - 1] && (!game->rules.canal_by_space || length <= s.ap))
                for (int axis = H; axis <= (length > 1 ? V : H); ++axis)
                    list(made, tile_starts(ground, length, axis), action(CANAL, 0, length, axis));
        const M sites = temple_sites();
        for (int level = 1; level <= std::min<int>(s.ap, game->rules.levels()); ++level)
            if (s.hands[s.seat][level - 1]) list(made, sites, action(TEMPLE, 0, level));
        list(made, steps(s.seat), action(WALK));
        if (!s.land.has(s.pawns[s.seat])) list(made, trips(s.pawns[s.seat], s.ap), action(BOAT));
        if (game->rules.teleport_cost <= s.ap) list(made, teleports(), action(TELEPORT));
        if (s.taken < game->rules.tokens_per_turn && token_supply() > 0) made.push_back(action(TAKE));
        list_bridges(made);
    }

    void list_bridges(std::vector<Action>& made) const {
        for (int axis = H; axis <= V; ++axis) {
            const M places = bridge_places(axis);
            if (bridge_supply())
                list(made, places, action(BRIDGE, 0, 0, axis));
            else
                each(free_bridges(), [&](int from) { list(made, places, action(RELOCATE, 0, from, axis)); });
        }
    }

    // Puts on the board what an action puts there; districts, stock and scores stay as they were.
    void put(const Action& a, const M& taken) {
        if (a.kind == CANAL)
            s.land &= ~taken;
        else if (a.kind == TEMPLE || a.kind == FOUND)
            s.temples |= taken;
        else
            s.pawns[s.seat] = static_cast<std::int16_t>(a.cell);
    }

    void place(int cell) {
        s.pawns[s.seat] = static_cast<std::int16_t>(cell);
        if (s.seat + 1 == s.players) {
            begin_period();
        } else {
            ++s.turn;
            s.voter = ++s.seat;
        }
    }

    void dig(const Action& a) {
        s.land &= ~covered(a);
        --s.tiles[a.extra - 1];
        s.ap = static_cast<std::int16_t>(s.ap - cost(a));
        s.busy = 1;
        retire_automatically();
        check_at_once();
    }

    void lay_bridge(const Action& a) {
        (a.axis == H ? s.bridges_h : s.bridges_v).set(a.cell);
        --s.ap;
    }

    void build(const Action& a) {
        --s.hands[s.seat][a.extra - 1];
        s.owned[s.seat].set(a.cell);
        s.temples.set(a.cell);
        for (int bit = 0; bit < LEVEL_BITS; ++bit)
            if (a.extra >> bit & 1) s.level[bit].set(a.cell);
        s.ap = static_cast<std::int16_t>(s.ap - a.extra);
        s.busy = 1;
        retire_automatically();
        check_at_once();
    }

    void found(const Action& a) {
        const M area = district(s.pawns[s.seat]);
        s.founded |= area;
        s.tokens.set(a.cell);
        s.token_cells[s.founded_count++] = a.cell;
        remove_token(game->index_of(a.extra));
        s.ap = static_cast<std::int16_t>(s.ap - cost(a));
        s.busy = 1;
        const auto values = prizes(a.extra);
        for (int seat = 0; seat < s.players; ++seat)
            if (seat == s.seat)
                s.scored[seat] += values[1];
            else if (area.has(s.pawns[seat]))
                s.scored[seat] += values[2];
        retire_automatically();
        check_at_once();
    }

    void agree() {
        s.voter = static_cast<std::uint8_t>((s.voter + 1) % s.players);
        if (s.voter != s.seat) return;
        const int index = game->index_of(s.proposal);
        close_vote();
        remove_token(index);
        s.busy = 1;
        check_at_once();
    }

    void close_vote() {
        s.phase = TURN;
        s.voter = s.seat;
        s.proposal = 0;
    }

    void remove_token(int index) {
        --s.display[index];
        --s.on_display;
    }

    // ---- turns, rounds, periods --------------------------------------------------------------------------------

    void start_turn(int seat) {
        s.phase = TURN;
        s.seat = s.voter = static_cast<std::uint8_t>(seat);
        ++s.turn;
        s.ap = static_cast<std::int16_t>(game->rules.action_points + s.kept[seat]);
        s.kept[seat] = 0;
        s.taken = 0;
        std::memset(s.proposed, 0, sizeof s.proposed);
    }

    void end_turn() {
        s.kept[s.seat] = static_cast<std::uint8_t>(std::min<int>(s.ap, game->rules.kept_points));
        if (s.seat + 1 < s.players)
            start_turn(s.seat + 1);
        else
            end_round();
    }

    void end_round() {
        const Rules& rules = game->rules;
        if (rules.stall_rounds) s.quiet = static_cast<std::int16_t>(s.busy ? 0 : s.quiet + 1);
        const bool stalled = rules.stall_rounds && s.quiet >= rules.stall_rounds;
        const bool limit = rules.round_limit && s.round >= rules.round_limit * s.period;
        if ((!rules.end_at_once && period_is_over()) || stalled || limit) {
            end_period();
            return;
        }
        s.busy = 0;
        ++s.round;
        start_turn(0);
    }

    void check_at_once() {
        if (game->rules.end_at_once && period_is_over()) end_period();
    }

    bool period_is_over() const {
        bool empty_hand = false;
        for (int seat = 0; seat < s.players; ++seat) empty_hand |= hand_empty(seat);
        return game->rules.end_needs_either ? !s.on_display || empty_hand : !s.on_display && empty_hand;
    }

    void end_period() {
        score_period();
        std::memcpy(s.display, s.later, sizeof s.display);
        std::memset(s.later, 0, sizeof s.later);
        s.on_display = static_cast<std::uint8_t>(s.period == 1 ? game->second_calpulli : 0);
        if (s.period == 2) {
            s.phase = OVER;
            return;
        }
        s.period = 2;
        ++s.round;
        for (int seat = 0; seat < s.players; ++seat)
            for (int n = 0; n < game->rules.levels(); ++n)
                s.hands[seat][n] = static_cast<std::uint8_t>(s.hands[seat][n] + game->rules.temples[1][n]);
        begin_period();
    }

    void begin_period() {
        s.quiet = 0;
        s.busy = 0;
        start_turn(0);
        retire_automatically();
        check_at_once();
    }

    void score_period() {
        for (int n = 0; n < s.founded_count; ++n) score_district(district(s.token_cells[n]));
        for (M rest = unfounded(); s.period == 2 && rest.any();) {
            const M area = flood(M::of(rest.first()), rest, stride());
            rest &= ~area;
            score_district(area);
        }
        for (int seat = 0; seat < s.players; ++seat)
            if (game->starts.has(s.pawns[seat])) s.scored[seat] += game->rules.start_bonus;
    }

    void score_district(const M& area) {
        if (!meet(area, s.temples)) return;
        int grandeur[MOST_OWNERS];
        for (int owner = 0; owner < owners(); ++owner) grandeur[owner] = levels(owner, area);
        for (int seat = 0; seat < s.players; ++seat)
            s.scored[seat] += district_points(area.count(), grandeur, owners(), seat);
    }

    // Takes the tokens off the display that no district can fit any more (reading 13).
    void retire_automatically() {
        if (!s.on_display || !game->rules.automatic_retirement) return;
        if (tiles_left())
            retire_too_large();
        else
            retire_unusable();
    }

    void retire_too_large() {
        int top = static_cast<int>(game->sizes.size()) - 1;
        while (!s.display[top]) --top;
        const int wanted = game->sizes[top];
        int largest = 0;
        for (M rest = unfounded(); rest.any();) {
            const M area = flood(M::of(rest.first()), rest, stride(), wanted);
            largest = std::max(largest, area.count());
            if (largest >= wanted) return;
            rest &= ~area;
        }
        for (; top >= 0 && game->sizes[top] > largest; --top) retire_all_but(top, 0);
    }

    void retire_unusable() {
        std::uint8_t usable[MOST_TOKENS] = {};
        for (M rest = unfounded(); rest.any();) {
            const M area = flood(M::of(rest.first()), rest, stride());
            rest &= ~area;
            const M room = area & ~s.temples;
            const int index = game->index_of(area.count());
            if (index >= 0 && room.count() >= 2 && meet(room, ~game->palace) && usable[index] < MOST_TOKENS)
                ++usable[index];
        }
        for (std::size_t n = 0; n < game->sizes.size(); ++n) retire_all_but(static_cast<int>(n), usable[n]);
    }

    void retire_all_but(int index, int stay) {
        if (s.display[index] <= stay) return;
        s.on_display = static_cast<std::uint8_t>(s.on_display - (s.display[index] - stay));
        s.display[index] = static_cast<std::uint8_t>(stay);
        s.busy = 1;
    }
};
