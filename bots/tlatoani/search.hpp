// Which turn to play: the best ones are played on, everybody's next turn guessed, round after round.

#pragma once

#include <optional>

#include "turns.hpp"

template <int W>
class Search {
public:
    Budget budget;
    Planner<W> planner{budget};
    int rounds = 0;  // that the turn chosen last was played on

    explicit Search(int players) { planner.judge.weights = players == 2 ? &DUEL : &CROWD; }

    // The actions of the best turn.
    ActionList best_turn(const Position<W>& p, double& worth) {
        const Shapes<W> shapes = planner.shapes(p);
        std::vector<Candidate> candidates = find(p, shapes);
        for (const Pass& pass : PASSES)
            if (!play(candidates, pass, p.s.seat, shapes)) break;
        worth = candidates[0].value();
        rounds = candidates[0].rounds;
        return candidates[0].turn.actions;
    }

    // Whether the seat that is asked lets a token go; where time runs out at once, if nobody can use it any more.
    bool agrees(const Position<W>& p) {
        Position<W> refused = p;
        refused.apply(action(REFUSE));
        const bool useless = !planner.possible(p)[p.game->index_of(p.s.proposal)];
        const auto more = gain(all_agree(p), refused, p.s.voter);
        return more ? *more > (useless ? -EVEN : 0) : useless;
    }

    // The smallest token that the seat on turn may propose to retire and that nobody can use any more; or 0.
    int unusable(const Position<W>& p) {
        if (p.s.period != 2 || !p.s.on_display) return 0;
        const std::vector<bool> fine = planner.possible(p);
        for (std::size_t n = 0; n < fine.size(); ++n)
            if (p.s.display[n] && !p.s.proposed[n] && !fine[n]) return p.game->sizes[n];
        return 0;
    }

    // Whether it helps to retire that token at the end of the turn: a token that nobody can use keeps the period going,
    // which is good for whoever has temples left.
    bool proposes(const Position<W>& p, int size) {
        const Action proposal = action(RETIRE, 0, size);
        if (!p.is_legal(proposal)) return false;
        Position<W> with = p, without = p;
        with.apply(action(END));
        without.apply(proposal);
        without = all_agree(without);
        if (without.s.phase == TURN && without.s.turn == p.s.turn) without.apply(action(END));
        const auto more = gain(without, with, p.s.seat);
        return more && *more > -EVEN;
    }

private:
    // So many turns are played on. What everybody does next is guessed plan by plan, or searched like one's own turn:
    // by a beam, and by playing on, for a round, the best that it finds.
    struct Pass {
        std::size_t candidates;
        bool searched;
    };
    static constexpr Pass PASSES[] = {{48, false}, {24, true}};
    static constexpr std::size_t WIDTH = 12, TRIES = 20;  // of the beam that finds turns, and plans tried for each
    static constexpr std::size_t TURNS = 32;              // that it may hand on
    static constexpr std::size_t VARIED = 8, ENDINGS = 3; // for so many of them, ways to end it that are looked at
    static constexpr std::size_t NEXT_WIDTH = 3, NEXT_TRIES = 8, NEXT_TURNS = 6;  // the same for a turn to come
    static constexpr std::size_t QUICK_TRIES = 12;        // for one that is guessed plan by plan
    static constexpr int LOOKS = 3;  // rounds that are played on where a token may leave the display
    static constexpr double EVEN = 0.5;  // points that are no reason to keep a token that nobody can use

    // A whole turn, and how it goes on.
    struct Candidate {
        Turn<W> turn;
        Position<W> p;   // as far as it was played on
        double sum = 0;  // of what is expected after each round
        int rounds = 0;

        double value() const { return rounds ? sum / rounds : turn.value; }
    };

    static void sort(std::vector<Candidate>& candidates, std::size_t number) {
        const auto better = [](const Candidate& a, const Candidate& b) { return a.value() > b.value(); };
        std::stable_sort(candidates.begin(), candidates.begin() + static_cast<std::ptrdiff_t>(number), better);
    }

    std::vector<Candidate> find(const Position<W>& p, const Shapes<W>& shapes) {
        const std::vector<Turn<W>> turns = planner.turns(p, shapes, WIDTH, TRIES);
        std::vector<Candidate> made;
        for (std::size_t n = 0; n < std::min(TURNS, turns.size()) && (!n || !budget.over()); ++n)
            for (const Turn<W>& turn : planner.complete(turns[n], p, shapes, n < VARIED ? ENDINGS : 1))
                made.push_back({turn, turn.p});
        sort(made, made.size());
        return made;
    }

    // Plays the first candidates on: all of them for a round, the better half for another, and so on; then the best
    // comes first. False where time ran out; then those that were played on in time are in order.
    bool play(std::vector<Candidate>& candidates, const Pass& pass, int seat, const Shapes<W>& shapes) {
        std::size_t number = std::min(pass.candidates, candidates.size());
        for (std::size_t n = 0; n < number; ++n) candidates[n] = {candidates[n].turn, candidates[n].turn.p};
        for (bool first = true; number > 1 && !budget.spent; first = false) {
            std::size_t done = 0;
            while (done < number && play_on(candidates[done], pass.searched, seat, shapes)) ++done;
            if (first) number = done;
            sort(candidates, number);
            number = (number + 1) / 2;
        }
        return !budget.spent;
    }

    // Plays a candidate on for a round; false if time ended before.
    bool play_on(Candidate& candidate, bool searched, int seat, const Shapes<W>& shapes) {
        const Position<W> after = ahead(candidate.p, seat, shapes, searched);
        if (budget.spent) return false;
        candidate.p = after;
        candidate.sum += expected(after, seat);
        ++candidate.rounds;
        return true;
    }

    double expected(const Position<W>& p, int seat) {
        double points[MOST_SEATS];
        planner.judge.outlook(p, points);
        return planner.judge.view(p, points, seat);
    }

    // What a position is worth to a seat: expected points, or those that there would be if the game ended there.
    double worth(const Position<W>& p, int seat, bool as_it_stands) {
        double points[MOST_SEATS];
        if (as_it_stands)
            planner.judge.final(p, points);
        else
            planner.judge.outlook(p, points);
        return Judge<W>::balance(points, p.s.players, seat);
    }

    static Position<W> all_agree(Position<W> p) {
        while (p.s.phase == VOTE) p.apply(action(AGREE));
        return p;
    }

    // By how much a seat does better from one position than from another, both played on by the same number of rounds;
    // nothing where time runs out before the first is over. `one` has a token less. If it was the last, the game is
    // near its end, and what there is then counts, as it stands.
    std::optional<double> gain(Position<W> one, Position<W> other, int seat) {
        const Shapes<W> shapes = planner.shapes(one);
        const bool last = !one.s.on_display;
        std::optional<double> made;
        for (int look = 0; look < LOOKS; ++look) {
            one = ahead(one, seat, shapes, false);
            other = ahead(other, seat, shapes, false);
            if (budget.spent) break;
            made = worth(one, seat, last) - worth(other, seat, last);
        }
        return made;
    }

    // The position after everybody's next turn up to that seat's own: positions are only compared fairly where the
    // same seat has just had its turn.
    Position<W> ahead(Position<W> p, int seat, const Shapes<W>& shapes, bool searched) {
        while (p.s.phase == TURN && !budget.over()) {
            const int mover = p.s.seat;
            p = searched ? next(p, shapes) : planner.quick(p, shapes, QUICK_TRIES);
            if (mover == seat) break;
        }
        return p;
    }

    // The position after a turn to come.
    Position<W> next(const Position<W>& p, const Shapes<W>& shapes) {
        const std::vector<Turn<W>> turns = planner.turns(p, shapes, NEXT_WIDTH, NEXT_TRIES);
        Position<W> best = p;
        double most = -1e9;
        for (std::size_t n = 0; n < std::min(NEXT_TURNS, turns.size()) && !budget.spent; ++n)
            for (const Turn<W>& turn : planner.complete(turns[n], p, shapes, 1)) {
                const double value = expected(ahead(turn.p, p.s.seat, shapes, false), p.s.seat);
                if (value > most) most = value, best = turn.p;
            }
        return best;
    }
};
