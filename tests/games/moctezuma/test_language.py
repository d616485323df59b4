"""The card language: what each step, cost, condition, trigger and influence does."""

from __future__ import annotations

from typing import Any

import pytest
from games.moctezuma.kit import MOCTEZUMA, battlefield, do, fortress, game, game_with, position, texts

from mexica_cli.games.moctezuma import State


def using(*steps: dict[str, Any], card: str = "macehual", **fields: str | int) -> State:
    """A state of two seats in Defence, in which a Macehual has been used that does these steps."""
    on = game_with({card: {"use": list(steps)}})
    state = position(on, **{"phase": "defence", "field": f"{card},tlenamacac"} | fields)
    do(state, f"use {card}")
    return state


def hands(state: State) -> list[int]:
    """Cards held, by seat."""
    return [hand.cards for hand in state.observation(None).hands]


class TestDraw:
    @pytest.mark.parametrize(
        ("who", "first", "after"), [("you", 1, [1, 3]), ("each", 1, [3, 3]), ("lowest", 1, [3, 1]), ("you", 0, [3, 1])]
    )
    def test_who(self, who: str, first: int, after: list[int]) -> None:
        state = using({"do": "draw", "cards": 2, "who": who}, first=first, seat=first)
        assert hands(state) == after

    def test_whom_the_seat_chooses(self) -> None:
        state = using({"do": "draw", "who": "chosen"})
        assert texts(state) == ["seat 0", "seat 1"]
        do(state, "seat 1")
        assert hands(state) == [1, 2]

    def test_alone_there_is_nobody_to_choose(self) -> None:
        state = using({"do": "draw", "who": "chosen"}, players=1)
        assert hands(state) == [2]


class TestMove:
    def test_chosen_one_by_one_up_to_a_number(self) -> None:
        step = {"do": "move", "from": "mictlan", "to": "hand", "count": 2, "up_to": True}
        state = using(step, mictlan="macehual,cuachic,devoto")
        assert texts(state) == ["done", "take mictlan cuachic", "take mictlan devoto", "take mictlan macehual"]
        do(state, "take mictlan devoto")
        assert texts(state) == ["done", "take mictlan cuachic", "take mictlan macehual"]
        do(state, "done")
        assert hands(state) == [2, 1]

    def test_a_used_card_does_not_find_itself(self) -> None:
        state = using({"do": "move", "from": "mictlan", "to": "hand"})
        assert state.observation(None).mictlan == ["macehual"]
        again = using({"do": "move", "from": "mictlan", "to": "hand"}, mictlan="macehual")
        assert again.observation(0).hand == ["macehual", "tlamacazqui"]

    def test_words_and_ids(self) -> None:
        step = {"do": "move", "from": "mictlan", "to": "hand", "cards": ["moctezuma", "cuicani"]}
        state = using(step, mictlan=f"cuachic,devoto,cuicani,ticitl,{MOCTEZUMA}")
        assert texts(state) == ["take mictlan cuicani", f"take mictlan {MOCTEZUMA}"]

    def test_who_came_in_this_phase_cant_be_used_in_it(self) -> None:
        state = using({"do": "move", "from": "mictlan", "to": "battlefield"}, mictlan="cuachic")
        assert "use cuachic" not in texts(state)
        assert [unit.fresh for unit in state.observation(None).battlefield] == [False, True]
        do(state, "pass", "pass", "play tlamacazqui", "play tlamacazqui")
        assert "use cuachic" in texts(state)

    def test_of_units_alike_the_most_hurt_is_moved(self) -> None:
        steps = [{"do": "move", "from": "battlefield", "to": "hand", "cards": "otomitl"}]
        on = game_with({"lengua": {"resolve": steps}}, deck="advanced")
        state = position(on, line="lengua!,jinete!", field="otomitl:2,otomitl*,tequihua", first=1)
        assert [(unit.card, unit.damage) for unit in state.observation(None).battlefield] == [
            ("tequihua", 0),
            ("otomitl", 0),
        ]

    def test_no_resistance_is_beyond_what_damage_can_count(self) -> None:
        on = game_with({"otomitl": {"resistance": 9, "influence": [{"what": "resistance", "plus": 3}] * 3}})
        state = position(on, line="jinete!", field="otomitl:14,tequihua")
        assert [unit.resistance for unit in state.observation(None).battlefield] == [11, 15]
        do(state, "hit otomitl:14")
        assert "otomitl" in state.observation(None).mictlan

    def test_what_all_have_seen_is_known_in_a_hand_until_it_is_played(self) -> None:
        state = using({"do": "move", "from": "mictlan", "to": "hand"}, mictlan="cuachic", line="-")
        assert state.observation(1).hands[0].known == ["cuachic"]
        do(state, "pass", "pass", "play cuachic")
        assert state.observation(1).hands[0].known == ["cuachic"]
        do(state, "play tlamacazqui")
        assert state.observation(1).hands[0].known == []

    @pytest.mark.parametrize(("to", "place"), [("deck_top", "0"), ("deck_bottom", "44")])
    def test_a_card_on_or_under_a_deck_is_known_there(self, to: str, place: str) -> None:
        state = using({"do": "move", "from": "mictlan", "to": to}, mictlan="cuachic", removed="devoto,devoto,otomitl")
        assert state.observation(None).deck.known == {place: "cuachic"}

    def test_shuffling_makes_all_forget(self) -> None:
        top = {"do": "move", "from": "mictlan", "to": "deck_top", "cards": "cuachic"}
        mixed = {"do": "move", "from": "mictlan", "to": "deck", "cards": "devoto"}
        state = using(top, mixed, mictlan="cuachic,devoto")
        assert state.observation(None).deck.known == {}
        before = using(top, mixed, mictlan="cuachic,devoto", chance=8)
        assert before.deck != state.deck
        assert sorted(before.deck) == sorted(state.deck)

    def test_conquistadors_back_into_their_deck(self) -> None:
        step = {"do": "move", "from": "line_open", "to": "siege_deck_top"}
        state = using(step, line="jinete!,cura!,artillero")
        do(state, "take line_open cura")
        assert state.observation(None).siege_deck.known == {"0": "cura"}
        assert [soldier.card for soldier in state.observation(None).line] == ["jinete", None]

    def test_a_face_down_one_goes_unseen(self) -> None:
        state = using({"do": "move", "from": "line_hidden", "to": "siege_deck_bottom"}, line="jinete!,cura")
        assert state.observation(None).siege_deck.known == {}
        assert state.observation(None).siege_deck.cards == 27 - 1

    def test_of_those_on_top_one_may_be_left(self) -> None:
        state = using({"do": "move", "from": "reserve_top", "to": "siege_deck", "up_to": True}, reserve="cura,jinete")
        assert texts(state) == ["done", "take reserve_top"]
        do(state, "take reserve_top")
        assert state.observation(None).reserve == ["cura"]

    def test_any_card_of_the_reserve(self) -> None:
        state = using({"do": "move", "from": "reserve", "to": "siege_deck_bottom"}, reserve="cura,jinete")
        assert texts(state) == ["take reserve cura", "take reserve jinete"]

    def test_a_card_of_a_hand_that_is_asked_for_though_there_is_none(self) -> None:
        state = using({"do": "move", "from": "hand", "to": "deck_bottom", "cards": "warrior", "up_to": True})
        assert (state.to_act, texts(state)) == (0, ["done"])

    def test_eagles_come_down(self) -> None:
        on = game()
        state = position(
            on, phase="defence", gods="huitzilopochtli/xipe_totec/-/quetzalcoatl", field="tlamacazqui,tlenamacac",
            eagles="cuauhtli,cuauhtli,cuauhtli,cuauhpilli,cuauhpilli,tlacateccatl",
        )  # fmt: skip
        do(state, "sacrifice tlamacazqui main", "take eagles tlacateccatl")
        assert battlefield(state) == {"tlacateccatl": 0, "tlenamacac": 0}
        assert [unit.resistance for unit in state.observation(None).battlefield] == [1, 4]


class TestShowing:
    def test_face_down_cards_farthest_first(self) -> None:
        state = using({"do": "reveal", "cards": 1}, line="jinete!,cura,artillero")
        assert [soldier.card for soldier in state.observation(None).line] == ["jinete", "cura", None]

    def test_the_top_of_a_deck(self) -> None:
        state = using({"do": "reveal", "where": "deck", "cards": 2}, {"do": "draw"}, deck="cuachic,devoto")
        assert state.observation(None).deck.known == {"0": "cuachic"}
        assert state.observation(1).hands[0].known == ["devoto"]

    def test_a_known_conquistador_is_known_face_down_too(self) -> None:
        state = using({"do": "reveal", "where": "siege_deck", "cards": 2}, siege_deck="cura,jinete", line="-")
        do(state, "pass", "pass", "play tlamacazqui", "play tlamacazqui")
        line = [(soldier.card, soldier.face_up) for soldier in state.observation(None).line]
        assert line == [("jinete", True), ("cura", False)]


class TestWards:
    @pytest.mark.parametrize(
        ("against", "line", "main"),
        [("warrior", "jinete!", 7), ("god", "artillero!", 8), ("priest", "ballestero!", 8), ("god", "jinete!", 7)],
    )
    def test_points_do_nothing(self, against: str, line: str, main: int) -> None:
        step = {"do": "ward", "against": against, "points": 2}
        either = {"do": "attack", "on": "unit", "damage": 2}
        on = game_with({"macehual": {"use": [step]}, "ballestero": {"resolve": [either]}})
        state = position(on, phase="defence", field="macehual", line=line, hands="-/-")
        do(state, "use macehual")
        assert fortress(state)["main"] == main

    def test_what_is_left_is_gone_after_the_attacks(self) -> None:
        state = using({"do": "ward", "against": "priest", "points": 9}, line="cura!")
        assert state.observation(None).wards == {"warrior": 0, "priest": 9, "god": 0}
        do(state, "pass", "pass", "play tlamacazqui", "play tlamacazqui")
        assert state.observation(None).wards == {"warrior": 0, "priest": 0, "god": 0}

    def test_from_reflection_it_lasts_through_the_next_attacks(self) -> None:
        state = position(game(), field="tequihua,tlenamacac")
        do(state, "use tequihua")
        assert state.observation(None).wards["warrior"] == 2


class TestFortress:
    def test_never_above_the_first_value(self) -> None:
        state = using({"do": "fortress", "points": 5}, fortress="7/1/0/4")
        assert texts(state) == ["god main", "god secondary"]
        do(state, "god main")
        assert fortress(state) == {"main": 8, "secondary": 1, "quetzalcoatl": 4}

    @pytest.mark.parametrize(
        ("god", "after"),
        [("each", [7, 4, 3]), ("front", [7, 5, 4]), ("secondary", [8, 4, 4]), ("quetzalcoatl", [8, 5, 3])],
    )
    def test_which(self, god: str, after: list[int]) -> None:
        assert list(fortress(using({"do": "fortress", "points": -1, "god": god})).values()) == after

    def test_a_god_that_is_not_there(self) -> None:
        state = using({"do": "fortress", "points": 1, "god": "additional"}, {"do": "draw"})
        assert hands(state) == [2, 1]


class TestChoosing:
    def test_one_effect_of_several(self) -> None:
        state = using({"do": "either", "options": [[{"do": "draw"}], [], [{"do": "marker", "count": 3}]]})
        assert texts(state) == ["option 1", "option 2", "option 3"]
        nothing = state.copy()
        do(nothing, "option 2")
        assert (nothing.markers, hands(nothing)) == (0, [1, 1])
        do(state, "option 3")
        assert (state.markers, len(state.parts)) == (1, 3)

    @pytest.mark.parametrize(
        ("mictlan", "drawn"), [("cuachic", 0), ("cuachic,devoto", 1), ("cuachic,devoto,otomitl", 2)]
    )
    def test_conditions_count(self, mictlan: str, drawn: int) -> None:
        test = {"in": "mictlan", "cards": "warrior", "at_least": 3, "at_most": 3}
        more = {"in": "mictlan", "cards": ["cuachic", "devoto"], "at_least": 2}
        step = {"do": "if", "test": test, "then": [{"do": "draw"}]}
        other = {"do": "if", "test": more, "then": [{"do": "draw"}], "else": [{"do": "marker"}]}
        state = using(step, other, card="tlamacazqui", mictlan=mictlan)
        assert hands(state)[0] == 1 + drawn
        assert state.markers == (drawn == 0)

    def test_sacrifices_by_an_ability(self) -> None:
        state = position(game(), phase="defence", field="tlamani,tlenamacac,cuicani")
        do(state, "use tlamani")
        assert len(texts(state)) == 6
        do(state, "sacrifice cuicani quetzalcoatl")
        assert (state.markers, hands(state)) == (1, [2, 1])

    def test_which_may_be_declined(self) -> None:
        state = using({"do": "sacrifice", "up_to": True}, {"do": "draw"})
        do(state, "done")
        assert hands(state) == [2, 1]

    def test_and_never_in_reflection(self) -> None:
        state = position(game(), field="tlamani,tlenamacac")
        assert state.observation(None).phase == "reflection"
        assert texts(state) == ["pass", "use tlenamacac"]

    def test_extra_cards_in_the_next_line(self) -> None:
        state = using({"do": "extra", "cards": 2}, line="-")
        do(state, "pass", "pass", "play tlamacazqui", "play tlamacazqui")
        assert [soldier.face_up for soldier in state.observation(None).line] == [True, False, True, True]


class TestCosts:
    def test_a_card_of_the_hand(self) -> None:
        state = position(
            game(), phase="defence", field="nahualli,tlenamacac", hands="macehual,devoto/-", line="cura!,jinete!"
        )
        do(state, "use nahualli")
        assert texts(state) == ["take hand devoto", "take hand macehual"]
        do(state, "take hand devoto", "take line_open cura")
        assert state.observation(None).mictlan == ["devoto", "nahualli"]
        assert state.observation(None).reserve == ["cura", "jinete"]

    def test_who_cant_pay_cant_use_it(self) -> None:
        state = position(game(), phase="defence", field="nahualli,tlenamacac", hands="-/macehual", line="cura!")
        assert "use nahualli" not in texts(state)
        do(state, "pass")
        assert (state.to_act, "use nahualli" in texts(state)) == (1, True)

    @pytest.mark.parametrize("phase", ["defence", "reflection"])
    def test_a_seat_that_cannot_pay_passes_and_the_phase_goes_on(self, phase: str) -> None:
        cost = {"do": "move", "from": "hand", "to": "mictlan"}
        on = game_with({"macehual": {"cost": [cost]}})
        state = position(on, phase=phase, field="macehual", hands="-/otomitl", line="cura!")
        assert (state.to_act, texts(state)) == (1, ["pass", "use macehual"])
        do(state, "pass")
        assert state.observation(None).phase != phase

    @pytest.mark.parametrize(
        ("field", "may"), [("macehual", False), ("macehual,macehual", True), ("macehual,otomitl", True)]
    )
    def test_a_unit_does_not_pay_for_itself(self, field: str, may: bool) -> None:
        cost = {"do": "move", "from": "battlefield", "to": "removed", "cards": "warrior"}
        on = game_with({"macehual": {"cost": [cost]}})
        state = position(on, phase="defence", field=f"{field},tlenamacac")
        assert ("use macehual" in texts(state)) == may


class TestTriggersAndInfluences:
    def test_falling(self) -> None:
        falls = {"when": "falls", "steps": [{"do": "draw", "who": "each"}]}
        on = game_with({"yaoquizqui": {"trigger": [falls]}})
        state = position(on, field="yaoquizqui:1,tlenamacac", line="rodelero!")
        do(state, "hit yaoquizqui:1")
        assert hands(state) == [2, 2]
        used = position(on, phase="defence", field="yaoquizqui,tlenamacac")
        do(used, "use yaoquizqui")
        assert hands(used) == [1, 1]

    @pytest.mark.parametrize("when", ["defence", "attacks", "attacks_end", "siege", "reflection"])
    def test_times(self, when: str) -> None:
        on = game_with({"otomitl": {"trigger": [{"when": when, "steps": [{"do": "marker"}]}]}})
        state = position(on, phase="planning", field="otomitl,tlenamacac", hands="tlenamacac/tlenamacac")
        markers = [state.markers]
        for action in ("play tlenamacac", "play tlenamacac", "pass", "pass"):
            do(state, action)
            markers.append(state.markers)
        assert markers == ([0, 0, 0, 0, 1] if when == "defence" else [0, 0, 1, 1, 1])

    def test_more_and_less_damage(self) -> None:
        influence = {"what": "damage", "on": "god", "plus": -1, "if": {"cards": "otomitl"}}
        on = game_with({"otomitl": {"influence": [influence]}})
        assert fortress(position(on, field="otomitl", line="artillero!"))["main"] == 7
        assert fortress(position(on, field="macehual", line="artillero!"))["main"] == 6

    def test_hit_as_both(self) -> None:
        state = position(game(), field="otomitl,tlenamacac", line="cura!")
        assert texts(state) == ["hit otomitl", "hit tlenamacac", "redirect"]

    def test_tonatiuh_makes_attacks_on_warriors_worse(self) -> None:
        state = position(game(), gods="tonatiuh/tlaloc/-/quetzalcoatl", line="rodelero!")
        assert fortress(state)["main"] == 6


class TestCortesAndSpecialConquistadors:
    def test_cortes(self) -> None:
        state = position(game("advanced"), line="hernan_cortes!", reserve="artillero", field="tlenamacac,otomitl")
        do(state, "hit tlenamacac", "hit otomitl")
        assert fortress(state)["main"] == 8 - 1 - 2

    def test_a_captain_looks_for_moctezuma(self) -> None:
        with_him = position(game("advanced"), line="capitan!", field=f"{MOCTEZUMA},otomitl")
        do(with_him, "hit otomitl", "hit otomitl:1")
        without = position(game("advanced"), line="capitan!", field="otomitl,tequihua")
        do(without, "hit otomitl", "hit otomitl:1")
        assert (fortress(with_him)["main"], fortress(without)["main"]) == (7, 8)

    def test_an_ally_brings_another(self) -> None:
        state = position(game("advanced"), line="aliado!", field="otomitl", siege_deck="artillero")
        do(state, "hit otomitl")
        assert (fortress(state)["main"], state.observation(None).reserve) == (6, ["aliado", "artillero"])

    def test_the_others(self) -> None:
        state = position(game("advanced"), line="bergantin!,lengua!,inquisidor!", field="otomitl,tlenamacac")
        assert list(fortress(state).values()) == [7, 4, 3]
        assert len(state.observation(None).mictlan) == 2
