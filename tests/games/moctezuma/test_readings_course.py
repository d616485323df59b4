"""Readings of the rules about the course of a game: 6 to 10 and 12. Each test fails where the rule is read the other
way.
"""

from __future__ import annotations

from typing import Any, ClassVar

import pytest
from games.moctezuma.kit import do, fortress, game, game_with, position, texts

XIUHTECUHTLI = "xiuhtecuhtli/xipe_totec/-/quetzalcoatl"
TLALOC = "tlaloc/mictlantecuhtli/-/quetzalcoatl"


class TestSacrifices:
    """Reading 6."""

    def test_only_the_god_it_is_dedicated_to(self) -> None:
        state = position(game(), phase="defence", field="tlamacazqui,tlenamacac", fortress="7/5/0/4", gods=TLALOC)
        do(state, "sacrifice tlamacazqui quetzalcoatl")
        assert state.markers == 1
        assert fortress(state)["main"] == 7

    def test_one_to_quetzalcoatl_is_one_marker(self) -> None:
        state = position(game(), phase="defence", field="tlamacazqui,tlenamacac")
        do(state, "sacrifice tlamacazqui quetzalcoatl")
        assert (state.markers, len(state.parts)) == (1, 4)

    def test_devoto_gives_two_and_only_to_quetzalcoatl(self) -> None:
        parts = "part_south,part_east,part_north,part_west"
        state = position(game(), phase="defence", field="devoto,tlenamacac", parts=parts)
        assert [text for text in texts(state) if "devoto" in text] == ["sacrifice devoto quetzalcoatl"]
        do(state, "sacrifice devoto quetzalcoatl")
        assert state.markers == 2

    def test_markers_beyond_a_part_go_on_to_the_next(self) -> None:
        state = position(game(), phase="defence", field="devoto,tlenamacac", markers=1)
        followed = do(state, "sacrifice devoto quetzalcoatl")
        assert {"what": "invoked", "card": "part_east", "open": "part_north"} in followed
        assert (state.markers, len(state.parts)) == (1, 3)

    def test_only_the_top_part_takes_them(self) -> None:
        on = game()
        orders = {tuple(on.deal(2, seed)["parts"]) for seed in range(200)}
        assert len(orders) == 24
        state = position(on, phase="defence", field="tlamacazqui,tlenamacac", parts="part_west,part_east")
        do(state, "sacrifice tlamacazqui quetzalcoatl")
        view = state.observation(None).invocation
        assert (view.open, view.markers, view.value, view.left, view.invoked) == ("part_west", 1, 3, 2, 2)

    def test_the_sacrificed_leave_the_game(self) -> None:
        state = position(game(), phase="defence", field="tlamacazqui,tlenamacac")
        do(state, "sacrifice tlamacazqui main")
        assert (state.observation(None).removed, state.mictlan) == (["tlamacazqui"], ())


class TestDefence:
    """The rotation of seats."""

    def test_it_ends_when_all_have_passed_in_a_row(self) -> None:
        state = position(game(), phase="defence", field="tequihua,tlenamacac", first=1, seat=1)
        asked = [state.to_act]
        for action in ("pass", "use tequihua", "pass"):
            do(state, action)
            asked.append(state.to_act)
        assert (asked, state.observation(None).phase) == ([1, 0, 1, 0], "defence")
        do(state, "pass")
        assert state.observation(None).phase == "planning"

    def test_the_first_seat_moves_on_by_one_each_round(self) -> None:
        state = position(game(), round=4, first=1, players=2)
        assert (state.round, state.first) == (5, 0)

    def test_nothing_to_do_is_not_asked(self) -> None:
        state = position(game(), phase="defence", field="otomitl")
        assert state.observation(None).phase == "planning"


class TestPlanning:
    """Reading 7."""

    def test_all_have_played_before_anybody_draws(self) -> None:
        state = position(game(), phase="planning", hands="macehual/tequihua", line="rodelero!", deck="devoto,cuachic")
        do(state, "play macehual")
        assert state.observation(0).hand == []
        assert state.observation(None).battlefield == []
        followed = do(state, "play tequihua")
        assert [entry["card"] for entry in followed if entry["what"] == "drawn"] == ["cuachic", "devoto"]

    def test_seats_draw_in_their_order_while_the_deck_lasts(self) -> None:
        on = game()
        names = [on.variant.ids[kind] for kind in on.variant.all_of("warrior", "moctezuma", "priest")]
        for card in ("macehual", "macehual", "cuachic"):
            names.remove(card)
        gone = ",".join(name for name in names if name != "moctezuma_xocoyotzin")
        state = position(
            on, phase="planning", first=1, seat=1, asked=1, hands="macehual/macehual", removed=gone,
            deck="moctezuma_xocoyotzin,cuachic", line="rodelero!,rodelero!,rodelero!",
        )  # fmt: skip
        do(state, "play macehual", "play macehual", "hit macehual", "hit macehual")
        assert (state.observation(0).hand, state.observation(1).hand) == (["cuachic"], ["moctezuma_xocoyotzin"])
        assert state.deck == ()
        # Mictlan holds cards now, and stays what it is: the deck isn't made anew.
        do(state, "play cuachic", "play moctezuma_xocoyotzin")
        assert (state.observation(0).hand, state.observation(1).hand, state.deck) == ([], [], ())

    def test_a_seat_without_cards_plays_none(self) -> None:
        state = position(game(), phase="planning", hands="-/tequihua,macehual", line="rodelero!", seat=0)
        assert state.to_act == 1

    def test_alone_two_are_played_and_two_drawn(self) -> None:
        state = position(game(), players=1, phase="planning", hands="macehual,tequihua,devoto", line="rodelero!")
        do(state, "play devoto", "play macehual")
        assert [unit.card for unit in state.observation(0).battlefield] == ["devoto", "macehual"]
        assert len(state.observation(0).hand or []) == 3


class TestTheFirstHand:
    """Reading 8."""

    def test_any_subset_at_once_and_only_once(self) -> None:
        on = game()
        state = on.start(3, on.deal(3, 5))
        hand = state.observation(0).hand or []
        first, second = hand[0], hand[1]
        assert {text.split(" ")[0] for text in texts(state)} == {"keep", "exchange"}
        do(state, f"exchange {first} {second}")
        assert state.to_act == 1
        assert state.observation(None).mictlan == sorted([first, second], key=on.variant.numbers.__getitem__)
        assert len(state.observation(0).hand or []) == 3
        do(state, "keep", "keep")
        assert state.observation(None).phase == "planning"

    def test_all_of_it(self) -> None:
        on = game()
        state = on.start(1, on.deal(1, 5))
        hand = sorted(state.observation(0).hand or [])
        do(state, f"exchange {' '.join(hand)}")
        assert sorted(state.observation(None).mictlan) == hand
        assert len(state.deck) == 52 - 8


class TestTlaloc:
    """Reading 9."""

    def test_the_seats_are_asked_before_the_line_is_laid(self) -> None:
        state = position(game(), gods=TLALOC, field="tequihua,tlamacazqui", phase="attacks", line="cura!")
        do(state, "redirect")
        assert state.observation(None).phase == "siege"
        assert state.line == ()
        assert texts(state) == ["pass", "take battlefield tequihua"]

    def test_sent_from_the_battlefield_the_lowest_seat_draws(self) -> None:
        state = position(game(), gods=TLALOC, field="tequihua", first=1, hands="macehual/macehual")
        assert state.to_act == 1
        do(state, "take battlefield tequihua")
        hands = state.observation(None).hands
        assert ([hand.cards for hand in hands], len(state.line)) == ([2, 1], 2)
        assert state.observation(None).mictlan == ["tequihua"]

    def test_sent_from_a_hand_its_seat_draws(self) -> None:
        state = position(game(), gods=TLALOC, hands="tlamacazqui/macehual", field="tlamacazqui", deck="devoto")
        do(state, "pass", "take hand macehual")
        assert (state.observation(0).hand, state.observation(1).hand) == (["tlamacazqui"], ["devoto"])
        assert len(state.line) == 2

    def test_none_sent_adds_one_card_face_up_at_the_end(self) -> None:
        state = position(
            game(), gods=TLALOC, hands="macehual/macehual", field="tlamacazqui", siege_deck="cura,jinete,sargento"
        )
        do(state, "pass", "pass")
        line = [(soldier.card, soldier.face_up) for soldier in state.observation(None).line]
        assert line == [("sargento", True), (None, False), ("cura", True)]

    def test_a_deck_without_that_card_is_a_defeat(self) -> None:
        on = game()
        names = [on.variant.ids[k] for k in on.variant.all_of("conquistador", "cortes") if k not in on.variant.special]
        state = position(on, gods=TLALOC, hands="macehual/macehual", reserve=",".join(names[2:]))
        assert len(state.siege_deck) == 2
        saved = state.copy()
        do(state, "pass", "pass")
        assert state.won is False
        assert state.observation(None).result.reason == "siege_completed"  # type: ignore[union-attr]
        do(saved, "take hand macehual")
        assert saved.to_act is not None

    def test_a_seat_is_asked_though_it_has_no_warrior(self) -> None:
        # Else the others would learn that its hand holds none.
        state = position(game(), gods=TLALOC, hands="tlamacazqui/-")
        assert (state.to_act, texts(state)) == (0, ["pass"])


class TestXiuhtecuhtli:
    """Reading 10."""

    def test_the_players_choose_the_god_after_the_ability(self) -> None:
        state = position(
            game(), players=3, gods=XIUHTECUHTLI, phase="defence", field="yaoquizqui,tlenamacac", mictlan="macehual",
            first=2, seat=0, hands="-/-/-",
        )  # fmt: skip
        do(state, "use yaoquizqui")
        assert state.observation(0).hand == ["macehual"]
        assert (state.to_act, state.seat, state.first) == (2, 1, 2)
        assert texts(state) == ["god main", "god quetzalcoatl", "god secondary"]
        do(state, "god secondary")
        assert fortress(state) == {"main": 8, "secondary": 4, "quetzalcoatl": 4}

    def test_a_conquistador_given_to_its_deck_counts_too(self) -> None:
        state = position(game(), gods=XIUHTECUHTLI, phase="defence", field="ocelotl,tlenamacac", line="cura!,cura")
        do(state, "use ocelotl")
        assert texts(state) == ["god main", "god quetzalcoatl", "god secondary"]

    def test_an_ability_that_found_nothing_does_not(self) -> None:
        state = position(game(), gods=XIUHTECUHTLI, phase="defence", field="yaoquizqui,tlenamacac")
        do(state, "use yaoquizqui")
        assert "pass" in texts(state)

    def test_a_gods_own_effect_is_no_ability(self) -> None:
        state = position(
            game(), gods=XIUHTECUHTLI, phase="defence", field="cuicani,tlenamacac,tequihua", mictlan="macehual"
        )
        do(state, "sacrifice cuicani secondary")
        assert state.observation(0).hand == ["macehual", "tlamacazqui"]
        assert "pass" in texts(state)
        do(state, "use tequihua")
        assert "pass" in texts(state)

    def test_not_even_within_an_ability(self) -> None:
        state = position(
            game(), gods=XIUHTECUHTLI, phase="defence", field="tlamani,tlenamacac,cuicani", mictlan="macehual"
        )
        do(state, "use tlamani", "sacrifice cuicani secondary", "take mictlan macehual")
        assert "pass" in texts(state)

    def test_nor_is_what_comes_by_itself(self) -> None:
        falls = {"when": "falls", "steps": [{"do": "move", "from": "mictlan", "to": "hand"}]}
        on = game_with({"yaoquizqui": {"trigger": [falls]}})
        state = position(
            on, gods=XIUHTECUHTLI, field="yaoquizqui:1,tequihua,tlenamacac", mictlan="macehual", line="rodelero!"
        )
        do(state, "hit yaoquizqui:1")
        assert state.observation(0).hand == ["macehual", "tlamacazqui"]
        do(state, "use tequihua")
        assert "pass" in texts(state)

    @pytest.mark.parametrize(("line", "left"), [("refuerzo_doble!,cura", 1), ("refuerzo_doble,cura!", 2), ("cura!", 1)])
    def test_a_face_up_reinforcement_only_and_the_gap_stays(self, line: str, left: int) -> None:
        state = position(game(), gods=XIUHTECUHTLI, phase="defence", field="tlamacazqui,tlenamacac", line=line)
        do(state, "sacrifice tlamacazqui main")
        assert len(state.line) == left
        assert state.observation(None).reserve == (["refuerzo_doble"] if line.startswith("refuerzo_doble!") else [])


class TestEnds:
    """Reading 12."""

    LAST: ClassVar[dict[str, Any]] = {"parts": "part_east", "markers": 1, "fortress": "8/5/0/1", "phase": "defence"}

    def test_won_the_moment_the_last_part_is_invoked(self) -> None:
        state = position(game(), field="devoto", **self.LAST)
        followed = do(state, "sacrifice devoto quetzalcoatl")
        assert followed[-1] == {"what": "over", "won": True, "reason": "won"}
        assert (state.ranking(), state.to_act, state.legal_actions()) == ([1, 1], None, [])

    def test_both_in_one_step_is_a_victory(self) -> None:
        state = position(game(), field="totec_tlamacazqui,macehual", **self.LAST)
        do(state, "use totec_tlamacazqui")
        assert (state.won, fortress(state)["quetzalcoatl"]) == (True, 0)

    def test_step_after_step_the_first_counts(self) -> None:
        ruin = {"do": "fortress", "points": -1, "god": "quetzalcoatl"}
        on = game_with({"macehual": {"use": [ruin, {"do": "marker"}]}})
        state = position(on, field="macehual", **self.LAST)
        do(state, "use macehual")
        assert (state.won, state.observation(None).result.reason) == (False, "quetzalcoatl_destroyed")  # type: ignore[union-attr]
