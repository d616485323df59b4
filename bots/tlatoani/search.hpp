// Which turn to play: the rivals' answers to the best ones, one's own next turn, and so on as far as time goes.

#pragma once

#include <memory>

#include "turns.hpp"

template <int W>
class Search {
public:
    struct Node {
        Position<W> p;
        float points[MOST_SEATS];
        ActionList actions;  // that led here
        std::vector<std::unique_ptr<Node>> children;
        bool expanded = false;
        float value = 0;  // at the root's children: in the root's view, by the deepest look so far
    };

    Budget budget;
    Planner<W> planner{budget};

    Effort root_effort{4, 24, 40, 32, 4, true};
    Effort reply_effort{3, 3, 4, 12, 2, false};

    // The actions of the best turn.
    ActionList best_turn(const Position<W>& p, double& worth) {
        Node root;
        root.p = p;
        std::vector<Turn<W>> turns;
        planner.find(p, root_effort, turns);
        adopt(root, turns);
        const int seat = p.s.seat, round = p.s.players;
        std::vector<Node*> order;
        for (auto& child : root.children) order.push_back(child.get());
        depth = 0;
        const struct {
            int plies, width;
            std::size_t candidates;
        } levels[] = {{round - 1, 1, 40},    {round, 1, 24},        {round, 2, 14},       {2 * round, 1, 10},
                      {2 * round, 2, 6},     {3 * round, 2, 4},     {4 * round, 2, 3},    {4 * round, 3, 3}};
        for (const auto& level : levels) {
            if (order.size() < 2 || !deepen(order, seat, level.plies, level.width, level.candidates)) break;
            depth = level.plies;
        }
        worth = order[0]->value;
        return order[0]->actions;
    }

    int depth = 0;  // turns that the last search looked ahead

    // Whether to let a token go: where its district can't be carved any more, or where that suits the seat.
    bool agrees(const Position<W>& p, int seat) {
        if (!carvable(p)[p.game->index_of(p.s.proposal)]) return true;
        Position<W> gone = p, kept = p;
        while (gone.s.phase == VOTE) gone.apply(action(AGREE));
        kept.apply(action(REFUSE));
        return after_turn(gone, seat) > after_turn(kept, seat);
    }

    // A token on display that nobody can found a district for any more and that may be proposed for retirement; or 0.
    int hopeless(const Position<W>& p) {
        if (p.s.period != 2 || !p.s.on_display) return 0;
        const std::vector<bool> fine = carvable(p);
        for (std::size_t n = 0; n < fine.size(); ++n)
            if (p.s.display[n] && !p.s.proposed[n] && !fine[n]) return p.game->sizes[n];
        return 0;
    }

    // What the best district promises that could be carved in a turn that begins on a space.
    float outlook_from(const Position<W>& p, int cell) {
        Position<W> there = p;
        there.s.pawns[there.s.seat] = static_cast<std::int16_t>(cell);
        there.s.phase = TURN;
        ways_.find(there, p.game->rules.action_points);
        carver_.find(there, ways_, p.game->rules.action_points, 12, 1);
        float best = -99;
        for (const auto& shape : carver_.found) best = std::max(best, shape.promise);
        return best;
    }


private:
    Ways<W> ways_;
    Carver<W> carver_;

    // By index of size: whether there is such a district, or one could be carved in two turns or so.
    std::vector<bool> carvable(const Position<W>& p) {
        ways_.everywhere(p);
        carver_.find(p, ways_, 12, 24, 1);
        std::vector<bool> made(p.game->sizes.size());
        for (const auto& shape : carver_.found) made[p.game->index_of(shape.mask.count())] = true;
        return made;
    }

    float after_turn(const Position<W>& p, int seat) {
        Node node;
        node.p = p;
        planner.judge.outlook(p, p.s.seat, node.points);
        float points[MOST_SEATS];
        const Position<W>* leaf = ahead(node, 1, 1, points);
        return planner.judge.view(*leaf, points, seat);
    }

    void adopt(Node& node, const std::vector<Turn<W>>& turns) {
        node.expanded = true;
        for (const Turn<W>& turn : turns) {
            auto child = std::make_unique<Node>();
            child->p = turn.p;
            child->actions = turn.actions;
            std::copy(turn.points, turn.points + MOST_SEATS, child->points);
            child->value = turn.value;
            node.children.push_back(std::move(child));
        }
    }

    // Looks at the first candidates again, deeper, and sorts them by that. False where time ran out; then the order is
    // that of those that were looked at, if the one that led before is among them.
    bool deepen(std::vector<Node*>& order, int seat, int plies, int width, std::size_t candidates) {
        std::vector<std::pair<float, Node*>> looked;
        for (std::size_t n = 0; n < std::min(candidates, order.size()); ++n) {
            float points[MOST_SEATS];
            const Position<W>* leaf = ahead(*order[n], plies, width, points);
            if (budget.over()) break;
            looked.emplace_back(planner.judge.view(*leaf, points, seat), order[n]);
        }
        const bool whole = looked.size() == std::min(candidates, order.size());
        std::stable_sort(looked.begin(), looked.end(), [](const auto& a, const auto& b) { return a.first > b.first; });
        std::vector<Node*> sorted;
        for (const auto& [value, node] : looked) {
            node->value = value;
            sorted.push_back(node);
        }
        if (sorted.empty()) return false;
        for (Node* node : order)
            if (std::find(sorted.begin(), sorted.end(), node) == sorted.end()) sorted.push_back(node);
        order = sorted;
        return whole;
    }

    // Points after so many turns more, each seat choosing what suits it best (max-n); returns the position they are of.
    const Position<W>* ahead(Node& node, int plies, int width, float* points) {
        std::copy(node.points, node.points + MOST_SEATS, points);
        if (plies <= 0 || node.p.s.phase != TURN || budget.over()) return &node.p;
        if (!node.expanded) {
            std::vector<Turn<W>> turns;
            planner.find(node.p, reply_effort, turns);
            adopt(node, turns);
        }
        const int seat = node.p.s.seat;
        const Position<W>* best = nullptr;
        float most = 0;
        for (int n = 0; n < std::min(width, static_cast<int>(node.children.size())); ++n) {
            float found[MOST_SEATS];
            const Position<W>* leaf = ahead(*node.children[n], plies - 1, width, found);
            const float value = planner.judge.view(*leaf, found, seat);
            if (best && value <= most) continue;
            best = leaf;
            most = value;
            std::copy(found, found + MOST_SEATS, points);
        }
        return best ? best : &node.p;
    }
};
