// Actions and positions as text: see protocol/NOTATION.md.

#pragma once

#include <functional>
#include <map>
#include <sstream>
#include <stdexcept>
#include <string>
#include <vector>

#include "state.hpp"

inline const char* const KINDS[] = {"place", "canal", "bridge", "relocate", "temple", "walk", "boat", "teleport",
                                    "found", "take",  "spend",  "retire",   "agree",  "refuse", "end"};
inline const char* const PHASES[] = {"place", "turn", "vote", "over"};

inline std::vector<std::string> split(const std::string& text, char separator) {
    std::vector<std::string> parts;
    std::string part;
    std::istringstream stream(text);
    while (std::getline(stream, part, separator)) parts.push_back(part);
    return parts;
}

// The entries of a list in a position line, which writes an empty one as "-".
inline std::vector<std::string> items(const std::string& text) {
    return text == "-" ? std::vector<std::string>{} : split(text, ',');
}

template <int W>
std::string text_of(const Game<W>& game, const Action& a) {
    std::string made = KINDS[a.kind];
    const auto add = [&](const std::string& word) { made += " " + word; };
    const char* const axis = a.axis == H ? "h" : "v";
    switch (a.kind) {
        case PLACE: case WALK: case BOAT: case TELEPORT: add(game.text(a.cell)); break;
        case CANAL:
            add(game.text(a.cell));
            if (a.extra > 1) add(game.text(a.cell + (a.extra - 1) * (a.axis == H ? 1 : game.stride)));
            break;
        case BRIDGE: add(game.text(a.cell)), add(axis); break;
        case RELOCATE: add(game.text(a.extra)), add(game.text(a.cell)), add(axis); break;
        case TEMPLE: case FOUND: add(std::to_string(a.extra)), add(game.text(a.cell)); break;
        case RETIRE: add(std::to_string(a.extra)); break;
        default: break;
    }
    return made;
}

// The action of a text; throws where it is none. What comes from the arena is always one.
template <int W>
Action parse_action(const Game<W>& game, const std::string& text) {
    const std::vector<std::string> words = split(text, ' ');
    const auto bad = [&] { return std::runtime_error("no action: " + text); };
    const auto word = [&](std::size_t n) -> const std::string& {
        if (n >= words.size()) throw bad();
        return words[n];
    };
    const auto cell = [&](std::size_t n) {
        const int found = game.cell(word(n));
        if (found < 0) throw bad();
        return found;
    };
    const auto axis = [&](std::size_t n) { return word(n) == "h" ? H : V; };
    int kind = 0;
    while (kind <= END && (words.empty() || words[0] != KINDS[kind])) ++kind;
    switch (kind) {
        case PLACE: case WALK: case BOAT: case TELEPORT: return action(static_cast<Kind>(kind), cell(1));
        case CANAL: {
            if (words.size() < 3) return action(CANAL, cell(1), 1);
            const int first = cell(1), last = cell(2), step = last - first < game.stride ? 1 : game.stride;
            if (last <= first) throw bad();
            return action(CANAL, first, (last - first) / step + 1, step == 1 ? H : V);
        }
        case BRIDGE: return action(BRIDGE, cell(1), 0, axis(2));
        case RELOCATE: return action(RELOCATE, cell(2), cell(1), axis(3));
        case TEMPLE: case FOUND: return action(static_cast<Kind>(kind), cell(2), std::atoi(word(1).c_str()));
        case RETIRE: return action(RETIRE, 0, std::atoi(word(1).c_str()));
        case TAKE: case SPEND: case AGREE: case REFUSE: case END: return action(static_cast<Kind>(kind));
        default: throw bad();
    }
}

// ---- positions -----------------------------------------------------------------------------------------------------

inline std::string listed(const std::vector<std::string>& parts, const char* separator = ",") {
    std::string made;
    for (const std::string& part : parts) made += (made.empty() ? "" : separator) + part;
    return made.empty() ? "-" : made;
}

template <class Numbers>
std::string by_seat(const Numbers& numbers, int players) {
    std::vector<std::string> parts;
    for (int seat = 0; seat < players; ++seat) parts.push_back(std::to_string(numbers[seat]));
    return listed(parts, "/");
}

template <int W>
std::string sizes_of(const Game<W>& game, const std::uint8_t* numbers) {
    std::vector<std::string> parts;
    for (std::size_t n = 0; n < game.sizes.size(); ++n)
        parts.insert(parts.end(), numbers[n], std::to_string(game.sizes[n]));
    return listed(parts);
}

template <int W>
std::string cells_with(const Mask<W>& mask, const std::function<std::string(int)>& text) {
    std::vector<std::string> parts;
    each(mask, [&](int cell) { parts.push_back(text(cell)); });
    return listed(parts);
}

template <int W>
std::string write_position(const Position<W>& p) {
    const Game<W>& game = *p.game;
    const State<W>& s = p.s;
    const auto cell = [&](int n) { return game.text(n); };
    std::ostringstream line;
    line << "mexica rules=" << game.rules.name << " board=" << game.board_name << " players=" << int{s.players}
         << " phase=" << PHASES[s.phase] << " period=" << int{s.period} << " round=" << s.round << " turn=" << s.turn
         << " seat=" << int{s.seat} << " vote=";
    if (s.phase == VOTE)
        line << s.proposal << ":" << int{s.voter};
    else
        line << "-";
    line << " proposed=" << sizes_of(game, s.proposed) << " ap=" << s.ap << " taken=" << int{s.taken}
         << " kept=" << by_seat(s.kept, s.players) << " quiet=" << s.quiet << " busy=" << int{s.busy}
         << " scores=" << by_seat(s.scored, s.players) << " action_tokens=" << by_seat(s.action_tokens, s.players);
    std::vector<std::string> pawns, tiles, tokens, temples;
    for (int seat = 0; seat < s.players; ++seat) pawns.push_back(s.pawns[seat] < 0 ? "-" : cell(s.pawns[seat]));
    for (int n = 0; n < game.rules.longest_tile(); ++n) tiles.push_back(std::to_string(s.tiles[n]));
    for (int n = 0; n < s.founded_count; ++n)
        tokens.push_back(cell(s.token_cells[n]) + ":" + std::to_string(p.district(s.token_cells[n]).count()));
    for (int owner = 0; owner < p.owners(); ++owner)
        temples.push_back(cells_with<W>(s.owned[owner], [&](int n) {
            int level = 0;
            for (int bit = 0; bit < LEVEL_BITS; ++bit) level |= s.level[bit].has(n) << bit;
            return cell(n) + ":" + std::to_string(level);
        }));
    line << " pawns=" << listed(pawns, "/") << " display=" << sizes_of(game, s.display)
         << " later=" << sizes_of(game, s.later) << " tiles=" << listed(tiles)
         << " canals=" << cells_with<W>(p.canals() & ~game.canals, cell)
         << " bridges="
         << cells_with<W>(p.bridges(), [&](int n) { return cell(n) + (s.bridges_h.has(n) ? ":h" : ":v"); })
         << " tokens=" << listed(tokens) << " temples=" << listed(temples, "/");
    return line.str();
}

// Reads a right position line; of a wrong one it notices no more than keeps this program whole.
template <int W>
class PositionReader {
public:
    PositionReader(const Game<W>& game, const std::string& line) : game_(game) {
        for (const std::string& word : split(line, ' ')) {
            const auto at = word.find('=');
            if (at != std::string::npos) texts_[word.substr(0, at)] = word.substr(at + 1);
        }
    }

    Position<W> read() {
        Position<W> p{};
        p.game = &game_;
        s_ = &p.s;
        std::memset(s_, 0, sizeof *s_);
        moment();
        stock();
        map();
        for (const std::string& item : items(text("tokens"))) {
            const int at = cell(item.substr(0, item.find(':')));
            s_->tokens.set(at);
            s_->token_cells[s_->founded_count++] = static_cast<std::uint16_t>(at);
            s_->founded |= p.district(at);
        }
        return p;
    }

private:
    const Game<W>& game_;
    std::map<std::string, std::string> texts_;
    State<W>* s_ = nullptr;

    static std::runtime_error wrong(const std::string& what) { return std::runtime_error("position: " + what); }

    const std::string& text(const std::string& field) const {
        const auto found = texts_.find(field);
        if (found == texts_.end()) throw wrong("no " + field);
        return found->second;
    }
    int number(const std::string& field) const { return std::atoi(text(field).c_str()); }
    int cell(const std::string& name) const {
        const int found = game_.cell(name);
        if (found < 0) throw wrong("no cell " + name);
        return found;
    }
    std::vector<std::string> parts(const std::string& field, std::size_t wanted) const {
        const std::vector<std::string> found = split(text(field), '/');
        if (found.size() != wanted) throw wrong(field);
        return found;
    }
    template <class Number>
    void seats(const std::string& field, Number* into) const {
        const auto found = parts(field, s_->players);
        for (std::size_t seat = 0; seat < found.size(); ++seat)
            into[seat] = static_cast<Number>(std::atoi(found[seat].c_str()));
    }
    void sizes(const std::string& field, std::uint8_t* into) const {
        for (const std::string& item : items(text(field))) {
            const int index = game_.index_of(std::atoi(item.c_str()));
            if (index < 0) throw wrong(field);
            ++into[index];
        }
    }

    void moment() {
        s_->players = static_cast<std::uint8_t>(number("players"));
        if (s_->players < 2 || s_->players > MOST_SEATS) throw wrong("players");
        for (std::uint8_t phase = 0; phase < 4; ++phase)
            if (text("phase") == PHASES[phase]) s_->phase = phase;
        s_->period = static_cast<std::uint8_t>(number("period"));
        s_->round = number("round");
        s_->turn = number("turn");
        s_->seat = s_->voter = static_cast<std::uint8_t>(number("seat") % s_->players);
        if (text("vote") != "-") {
            const auto vote = split(text("vote"), ':');
            if (vote.size() != 2) throw wrong("vote");
            s_->proposal = static_cast<std::int16_t>(std::atoi(vote[0].c_str()));
            s_->voter = static_cast<std::uint8_t>(std::atoi(vote[1].c_str()) % s_->players);
        }
        sizes("proposed", s_->proposed);
        s_->ap = static_cast<std::int16_t>(number("ap"));
        s_->taken = static_cast<std::uint8_t>(number("taken"));
        s_->quiet = static_cast<std::int16_t>(number("quiet"));
        s_->busy = static_cast<std::uint8_t>(number("busy"));
    }

    void stock() {
        seats("kept", s_->kept);
        seats("scores", s_->scored);
        seats("action_tokens", s_->action_tokens);
        const auto pawns = parts("pawns", s_->players);
        for (std::size_t seat = 0; seat < pawns.size(); ++seat)
            s_->pawns[seat] = static_cast<std::int16_t>(pawns[seat] == "-" ? -1 : cell(pawns[seat]));
        sizes("display", s_->display);
        sizes("later", s_->later);
        for (const std::uint8_t count : s_->display) s_->on_display = static_cast<std::uint8_t>(s_->on_display + count);
        const auto tiles = items(text("tiles"));
        for (std::size_t n = 0; n < tiles.size() && n < MOST_TILES; ++n)
            s_->tiles[n] = static_cast<std::uint16_t>(std::atoi(tiles[n].c_str()));
    }

    void map() {
        s_->land = game_.land;
        for (const std::string& item : items(text("canals"))) s_->land.clear(cell(item));
        for (const std::string& item : items(text("bridges")))
            (item.back() == 'h' ? s_->bridges_h : s_->bridges_v).set(cell(item.substr(0, item.find(':'))));
        for (int seat = 0; seat < s_->players; ++seat)
            for (int n = 0; n < game_.rules.levels(); ++n)
                for (int period = 0; period < s_->period; ++period)
                    s_->hands[seat][n] = static_cast<std::uint8_t>(s_->hands[seat][n] + game_.rules.temples[period][n]);
        const auto owners = parts("temples", s_->players == 2 ? 3 : s_->players);
        for (std::size_t owner = 0; owner < owners.size(); ++owner)
            for (const std::string& item : items(owners[owner])) temple(static_cast<int>(owner), item);
    }

    void temple(int owner, const std::string& item) {
        const auto colon = item.find(':');
        const int at = cell(item.substr(0, colon));
        const int level = colon == std::string::npos ? 0 : std::atoi(item.c_str() + colon + 1);
        if (level < 1 || level > game_.rules.levels()) throw wrong("temples");
        s_->temples.set(at);
        s_->owned[owner].set(at);
        for (int bit = 0; bit < LEVEL_BITS; ++bit)
            if (level >> bit & 1) s_->level[bit].set(at);
        if (owner < s_->players) --s_->hands[owner][level - 1];
    }
};

template <int W>
Position<W> read_position(const Game<W>& game, const std::string& line) {
    return PositionReader<W>(game, line).read();
}
