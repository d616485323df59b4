// A rule set on a board: what all positions of a game share. Read from `options` of the protocol's `start`.

#pragma once

#include <algorithm>
#include <array>
#include <stdexcept>
#include <string>
#include <vector>

#include "bits.hpp"
#include "json.hpp"

constexpr int MOST_SEATS = 4;
constexpr int MOST_OWNERS = MOST_SEATS + 1;  // a game of two has a neutral colour besides
constexpr int MOST_LEVELS = 9;
constexpr int LEVEL_BITS = 4;
constexpr int MOST_TILES = 26;
constexpr int MOST_TOKENS = 99;
constexpr int H = 0, V = 1;  // the way a bridge is crossed, or a canal lies

struct Rules {
    std::string name;
    int action_points, kept_points, action_tokens, tokens_per_turn;
    std::vector<int> canal_tiles;
    bool canal_by_space, canal_touches_water;
    int bridges, boat_cost;
    bool boat_by_bridge, teleport, teleport_to_bridges;
    int teleport_cost;
    std::array<std::vector<int>, 2> temples;
    bool temple_adjacent;
    std::vector<int> calpulli;
    int first_calpulli, found_cost, start_bonus;
    bool start_anywhere, end_at_once, end_needs_either, penning_first_round, penning_temples, automatic_retirement;
    int stall_rounds, round_limit;

    int levels() const { return static_cast<int>(temples[0].size()); }
    int longest_tile() const { return static_cast<int>(canal_tiles.size()); }

    static Rules read(const Json& fields) {
        const auto number = [&](const char* field) { return static_cast<int>(given(fields, field).integer()); };
        const auto flag = [&](const char* field) { return given(fields, field).truth; };
        const auto is = [&](const char* field, const char* word) { return given(fields, field).text == word; };
        Rules made;
        made.name = fields.at("name").text;
        made.action_points = number("action_points");
        made.kept_points = number("kept_points");
        made.action_tokens = number("action_tokens");
        made.tokens_per_turn = number("tokens_per_turn");
        made.canal_tiles = given(fields, "canal_tiles").integers();
        made.canal_by_space = is("canal_cost", "space");
        made.canal_touches_water = flag("canal_touches_water");
        made.bridges = number("bridges");
        made.boat_cost = number("boat_cost");
        made.boat_by_bridge = is("boat_toll", "bridge");
        made.teleport = !is("teleport", "off");
        made.teleport_to_bridges = is("teleport", "anywhere");
        made.teleport_cost = number("teleport_cost");
        for (int period = 0; period < 2; ++period)
            made.temples[period] = given(fields, "temples").list.at(period).integers();
        made.temple_adjacent = is("temple_reach", "adjacent");
        made.calpulli = given(fields, "calpulli").integers();
        made.first_calpulli = number("first_calpulli");
        made.found_cost = number("found_cost");
        made.start_bonus = number("start_bonus");
        made.start_anywhere = flag("start_anywhere");
        made.end_at_once = is("period_end", "at_once");
        made.end_needs_either = is("period_end_needs", "either");
        made.penning_first_round = flag("penning_first_round");
        made.penning_temples = flag("penning_temples");
        made.automatic_retirement = flag("automatic_retirement");
        made.stall_rounds = number("stall_rounds");
        made.round_limit = number("round_limit");
        if (made.levels() > MOST_LEVELS || made.longest_tile() > MOST_TILES || made.calpulli.size() > MOST_TOKENS)
            throw std::runtime_error("rules with so many levels, tiles or tokens aren't known to this bot");
        return made;
    }

private:
    static const Json& given(const Json& fields, const char* field) {
        if (!fields.has(field)) throw std::runtime_error(std::string("options: rules: no ") + field);
        return fields.at(field);
    }
};

// The three numbers of a token, or of a district of that size: for the first, for the founder or second, for a
// bystander or third.
inline std::array<int, 3> prizes(int size) {
    const int second = (size + 1) / 2;
    return {size, second, (second + 1) / 2};
}

template <int W>
struct Lake {
    Mask<W> shore;  // cells of the grid that touch it; reaching one of them by water is reaching all
};

template <int W>
struct Game {
    Rules rules;
    std::string board_name;
    int columns = 0, rows = 0, stride = 0, cells = 0;
    Mask<W> grid, land, canals, palace, starts;
    Mask<W> rim;  // cells of the grid at its edge: they touch the lake outside
    std::vector<Lake<W>> lakes;
    std::vector<int> sizes;  // of tokens, ascending, each once; positions count tokens by index into this
    std::vector<int> later_temples;
    int second_calpulli = 0;

    static int cells_of(const Json& options) {
        const auto& rows = options.at("board").at("rows").list;
        return rows.empty() ? 0 : static_cast<int>(rows.size() * (rows[0].text.size() + 1));
    }

    explicit Game(const Json& options) : rules(Rules::read(options.at("rules"))) {
        const Json& board = options.at("board");
        board_name = board.at("name").text;
        rows = static_cast<int>(board.at("rows").list.size());
        columns = rows ? static_cast<int>(board.at("rows").list[0].text.size()) : 0;
        stride = columns + 1;
        cells = rows * stride;
        if (!cells || cells > W * 64 || columns > 26) throw std::runtime_error("a board of that size isn't playable");
        grid = land = canals = palace = starts = rim = Mask<W>::none();
        for (int row = 0; row < rows; ++row) read_row(board.at("rows").list[row].text, row);
        find_lakes();
        sizes = rules.calpulli;
        std::sort(sizes.begin(), sizes.end());
        sizes.erase(std::unique(sizes.begin(), sizes.end()), sizes.end());
        second_calpulli = static_cast<int>(rules.calpulli.size()) - rules.first_calpulli;
    }

    int index_of(int size) const {
        const auto found = std::lower_bound(sizes.begin(), sizes.end(), size);
        return found != sizes.end() && *found == size ? static_cast<int>(found - sizes.begin()) : -1;
    }

    std::string text(int cell) const {
        return static_cast<char>('a' + cell % stride) + std::to_string(cell / stride + 1);
    }

    // The cell of a text, or -1.
    int cell(const std::string& text) const {
        if (text.size() < 2 || text.size() > 5 || text[1] == '0') return -1;
        int row = 0;
        for (std::size_t i = 1; i < text.size(); ++i) {
            if (text[i] < '0' || text[i] > '9') return -1;
            row = row * 10 + text[i] - '0';
        }
        const int column = text[0] - 'a';
        if (column < 0 || column >= columns || row > rows) return -1;
        return (row - 1) * stride + column;
    }

private:
    void read_row(const std::string& row, int number) {
        if (static_cast<int>(row.size()) != columns) throw std::runtime_error("the board's rows differ in length");
        for (int column = 0; column < columns; ++column) {
            const int cell = number * stride + column;
            const char symbol = row[column];
            grid.set(cell);
            if (number == 0 || number == rows - 1 || column == 0 || column == columns - 1) rim.set(cell);
            if (symbol == '#' || symbol == 'S' || symbol == 'C') land.set(cell);
            if (symbol == '=') canals.set(cell);
            if (symbol == 'S' || symbol == 'C') palace.set(cell);
            if (symbol == 'S') starts.set(cell);
        }
    }

    void find_lakes() {
        const Mask<W> water = grid & ~land & ~canals;
        Mask<W> outer = Mask<W>::none(), rest = water;
        std::vector<Lake<W>> inner;
        while (rest.any()) {
            const Mask<W> body = flood(Mask<W>::of(rest.first()), rest, stride);
            rest &= ~body;
            if (meet(body, rim))
                outer |= body;
            else
                inner.push_back({beside(body, stride) & grid});
        }
        lakes.push_back({(beside(outer, stride) | rim) & grid});
        lakes.insert(lakes.end(), inner.begin(), inner.end());
    }
};
