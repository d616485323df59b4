"""Readings of the rules about the battle: 1 to 5, 11 and 13. Each test fails where the rule is read the other way."""

from __future__ import annotations

from typing import ClassVar

from games.moctezuma.kit import MOCTEZUMA, battlefield, do, fortress, game, game_with, position, texts


class TestMoctezumaInMictlan:
    """Reading 1."""

    LAST_BLOW: ClassVar[dict[str, str]] = {"field": f"{MOCTEZUMA}:2,yaoquizqui", "line": "rodelero!"}

    def test_reflection_may_still_save_him(self) -> None:
        state = position(game(), **self.LAST_BLOW)
        do(state, f"hit {MOCTEZUMA}:2")
        assert state.observation(None).phase == "reflection"
        assert MOCTEZUMA in state.observation(None).mictlan
        do(state, "use yaoquizqui")
        assert state.round == 3
        assert state.to_act is not None

    def test_left_there_he_ends_the_game_after_reflection(self) -> None:
        state = position(game(), **self.LAST_BLOW)
        followed = do(state, f"hit {MOCTEZUMA}:2", "pass", "pass")
        assert followed[-1] == {"what": "over", "won": False, "reason": "moctezuma_in_mictlan"}
        assert state.ranking() == [2, 2]

    def test_before_the_end_of_a_round_nobody_looks(self) -> None:
        state = position(game(), phase="defence", round=3, field="tlenamacac,macehual", mictlan=MOCTEZUMA)
        do(state, "use macehual")
        assert state.to_act is not None


class TestDamageByPoints:
    """Reading 2."""

    def test_a_point_without_target_goes_on_to_the_gods(self) -> None:
        state = position(game(), field="macehual", line="sargento!,sargento!")
        do(state, "hit macehual")
        assert "macehual" in state.observation(None).mictlan
        assert fortress(state)["main"] == 8 - 1 - 2

    def test_gods_are_hit_in_their_order(self) -> None:
        state = position(
            game(),
            gods="tezcatlipoca/coyolxauhqui/xipe_totec/quetzalcoatl",
            fortress="1/1/1/4",
            line="jinete!,cura!",
            players=1,
        )
        assert fortress(state) == {"quetzalcoatl": 3}

    def test_a_unit_leaves_the_moment_it_has_its_resistance(self) -> None:
        state = position(game(), field="tequihua:1,yaoquizqui", line="sargento!")
        do(state, "hit tequihua:1")
        assert texts(state) == ["hit yaoquizqui", "redirect"]


class TestRedirecting:
    """Reading 3."""

    def test_each_point_by_itself(self) -> None:
        state = position(game(), field="tequihua,otomitl", line="jinete!")
        do(state, "hit tequihua", "redirect", "hit otomitl")
        assert fortress(state)["main"] == 7

    def test_a_redirected_point_is_not_received(self) -> None:
        redirected = position(game(), field="papalotl", line="rodelero!")
        do(redirected, "redirect")
        assert battlefield(redirected) == {"papalotl": 0}
        received = position(game(), field="papalotl", line="rodelero!")
        do(received, "hit papalotl")
        assert battlefield(received) == {}

    def test_with_moctezuma_there_nothing_is_redirected(self) -> None:
        state = position(game(), field=f"{MOCTEZUMA},tequihua", line="rodelero!")
        assert texts(state) == [f"hit {MOCTEZUMA}", "hit tequihua"]

    def test_but_what_finds_no_target_hits_the_gods(self) -> None:
        state = position(game(), field=f"{MOCTEZUMA},yaoquizqui", line="cura!,rodelero!")
        assert fortress(state)["main"] == 7

    def test_if_he_falls_in_mid_attack_later_points_may(self) -> None:
        state = position(game(), field=f"{MOCTEZUMA}:2,tequihua,otomitl", line="sargento!")
        assert "redirect" not in texts(state)
        do(state, f"hit {MOCTEZUMA}:2")
        assert "redirect" in texts(state)


class TestTheEndOfTheSiegeLine:
    """Reading 4."""

    FIELDS: ClassVar[dict[str, str]] = {
        "line": "refuerzo_doble!,cura!",
        "reserve": "artillero,sargento,jinete",
        "field": "tequihua,otomitl",
    }

    def test_added_cards_resolve_last_in_the_order_drawn(self) -> None:
        state = position(game(), **self.FIELDS)
        line = [(soldier.card, soldier.resolved) for soldier in state.observation(None).line]
        assert line == [("refuerzo_doble", True), ("cura", True), ("jinete", False), ("sargento", False)]

    def test_or_first_of_those_that_wait_by_the_switch(self) -> None:
        state = position(game(siege_end="first"), **self.FIELDS)
        line = [(soldier.card, soldier.resolved) for soldier in state.observation(None).line]
        assert line == [("refuerzo_doble", True), ("jinete", True), ("sargento", False), ("cura", False)]


class TestTheEndOfTheAttacks:
    """Reading 5."""

    def test_damage_stays_from_card_to_card_and_is_wiped_then(self) -> None:
        state = position(game(), field="otomitl", line="rodelero!,rodelero!", hands="macehual/macehual")
        do(state, "hit otomitl")
        assert battlefield(state) == {"otomitl": 1}
        do(state, "hit otomitl:1")
        assert battlefield(state) == {"otomitl": 0}

    def test_who_was_hurt_is_asked_before_it_is_wiped(self) -> None:
        state = position(game(), field="papalotl", line="rodelero!,rodelero!", hands="macehual/macehual")
        followed = do(state, "hit papalotl")
        assert battlefield(state) == {"papalotl": 1}
        followed = do(state, "redirect")
        assert followed.index(
            {"what": "moved", "card": "papalotl", "from": "battlefield", "to": "mictlan"}
        ) < followed.index({"what": "phase", "phase": "siege", "round": 2})

    def test_of_two_alike_the_hurt_one_goes(self) -> None:
        state = position(game(), field="papalotl,papalotl", line="rodelero!")
        do(state, "hit papalotl")
        assert [unit.card for unit in state.observation(None).battlefield] == ["papalotl"]

    def test_the_line_goes_to_the_reserve_farthest_first(self) -> None:
        state = position(game(), line="cura!,artillero!", reserve="jinete", players=1, field="macehual")
        assert state.observation(None).reserve == ["jinete", "cura", "artillero"]


class TestGodsThatFall:
    """Reading 11."""

    def test_a_sacrifice_that_changes_nothing_is_allowed(self) -> None:
        state = position(
            game(), phase="defence", gods="tlaloc/xipe_totec/-/quetzalcoatl", field="tlamacazqui,tlenamacac"
        )
        do(state, "sacrifice tlamacazqui main")
        assert state.removed == (state.variant.numbers["tlamacazqui"],)
        assert fortress(state) == {"main": 8, "secondary": 5, "quetzalcoatl": 4}

    def test_influence_ends_in_mid_attack(self) -> None:
        # Tonatiuh makes two points of one: with him gone after the first, there is no second.
        state = position(game(), gods="tonatiuh/xipe_totec/-/quetzalcoatl", fortress="1/5/0/4", line="rodelero!")
        assert fortress(state) == {"secondary": 5, "quetzalcoatl": 4}

    def test_an_effect_under_way_ends_too(self) -> None:
        ruinous = {"do": "fortress", "points": -1, "god": "this"}
        on = game_with({"tezcatlipoca": {"sacrifice": [ruinous, {"do": "draw"}]}})
        state = position(on, phase="defence", field="tlamacazqui,tlenamacac", fortress="1/5/0/4")
        do(state, "sacrifice tlamacazqui main")
        assert fortress(state) == {"secondary": 5, "quetzalcoatl": 4}
        assert state.observation(None).hands[0].cards == 1

    def test_who_lives_by_an_influence_falls_with_it(self) -> None:
        state = position(
            game(),
            gods="huitzilopochtli/xipe_totec/-/quetzalcoatl",
            fortress="1/5/0/4",
            field="cuauhtli:2",
            line="artillero!",
        )
        assert battlefield(state) == {}
        assert "cuauhtli" in state.observation(None).mictlan

    def test_the_secondary_god_stays_secondary(self) -> None:
        state = position(game(), fortress="1/5/0/4", line="artillero!", field="tlenamacac")
        assert fortress(state) == {"secondary": 4, "quetzalcoatl": 4}
        state = position(game(), gods="-/xipe_totec/-/quetzalcoatl", phase="defence", field="tlamacazqui")
        assert "sacrifice tlamacazqui secondary" in texts(state)
        assert "sacrifice tlamacazqui main" not in texts(state)

    def test_without_quetzalcoatl_all_is_lost(self) -> None:
        state = position(game(), gods="-/-/-/quetzalcoatl", fortress="0/0/0/1", line="artillero!")
        assert state.observation(None).result is not None
        assert state.observation(None).phase == "over"
        assert state.won is False


class TestReinforcementWithoutReserve:
    """Reading 13."""

    def test_it_does_nothing(self) -> None:
        state = position(game(), round=1, line="refuerzo_doble!,refuerzo_simple!", field="tlamacazqui")
        assert state.observation(None).phase == "reflection"
        assert state.observation(None).reserve == ["refuerzo_doble", "refuerzo_simple"]

    def test_one_card_is_all_there_is(self) -> None:
        state = position(game(), line="refuerzo_doble!", reserve="rodelero", field="tlamacazqui,otomitl")
        assert [soldier.card for soldier in state.observation(None).line] == ["refuerzo_doble", "rodelero"]
