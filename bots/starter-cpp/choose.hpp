// What to play: `choose` is given the legal actions as texts and a source of chance, and returns one of the actions. How
// actions are written is told in protocol/NOTATION.md.
//
// If you want to know more than what is legal: add "state" to `want` in bot.cpp, and hand `message["state"]` on to here.
#pragma once

#include <algorithm>
#include <map>
#include <random>
#include <string>
#include <vector>

using Actions = std::vector<std::string>;
using Chance = std::mt19937_64;

inline std::size_t below(std::size_t n, Chance& chance) { return chance() % n; }

inline const std::string& pick(const Actions& actions, Chance& chance) { return actions[below(actions.size(), chance)]; }

// The actions by their first word: {"walk": {"walk h5", "walk h7"}, "end": {"end"}}
inline std::map<std::string, Actions> by_kind(const Actions& legal) {
    std::map<std::string, Actions> kinds;
    for (const std::string& action : legal) kinds[action.substr(0, action.find(' '))].push_back(action);
    return kinds;
}

// The number after the first word.
inline int number(const std::string& action) { return std::stoi(action.substr(action.find(' ') + 1)); }

// The ones with the greatest number: the largest district, the highest temple.
inline Actions greatest(const Actions& actions) {
    int most = 0;
    for (const std::string& action : actions) most = std::max(most, number(action));
    Actions found;
    for (const std::string& action : actions)
        if (number(action) == most) found.push_back(action);
    return found;
}

// Founds whenever it can, builds the highest temple there is, just anywhere, and else digs and wanders about. Each kind
// of action is equally likely then: most of the thousand legal actions are canals.
inline std::string choose(const Actions& legal, Chance& chance) {
    auto kinds = by_kind(legal);
    if (kinds.count("found")) return pick(greatest(kinds["found"]), chance);
    if (kinds.count("temple")) return pick(greatest(kinds["temple"]), chance);
    Actions busy, rest;
    for (const auto& [kind, actions] : kinds) {
        if (kind == "canal" || kind == "walk" || kind == "bridge" || kind == "boat") busy.push_back(kind);
        if (kind != "retire") rest.push_back(kind);
    }
    return pick(kinds[pick(busy.empty() ? rest : busy, chance)], chance);
}
