"""The file of a tournament: what it means, and what is said of one that can't be used."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any, get_args, get_type_hints

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from mexica_cli.arena.limits import Limits
from mexica_cli.games.tomlfile import FieldError, FileError, struct_from
from mexica_cli.record.lines import ClockSetting
from mexica_cli.tournament.blocks import Seatings
from mexica_cli.tournament.config import Tournament, make_tournament, read_tournament
from mexica_cli.tournament.fields import BotEntry, SprtEntry, TournamentFile, VariantEntry
from mexica_cli.tournament.formats import Format, Gauntlet, MixedTeams, RoundRobin, Teams
from mexica_cli.tournament.knockout import Knockout
from mexica_cli.tournament.plan import planned_games
from mexica_cli.tournament.results import Results
from mexica_cli.tournament.sprt import EloModel
from mexica_cli.tournament.swiss import Swiss

TWO = '[[bots]]\nname = "a"\ncommand = "random"\n[[bots]]\nname = "b"\ncommand = "greedy"\n'


pytestmark = pytest.mark.usefixtures("nim")


@pytest.fixture
def file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Where the file is; its folder is the current one."""
    monkeypatch.chdir(tmp_path)
    return tmp_path / "cup.toml"


def read(file: Path, text: str) -> Tournament:
    file.write_text(text)
    return read_tournament(file)


def said_of(file: Path, text: str) -> str:
    """What is said of a file with this text, without the folder."""
    with pytest.raises(FileError) as caught:
        read(file, text)
    return str(caught.value).removeprefix(f"{file.parent}/")


# ---- what it means ---------------------------------------------------------------------------------------------------


def test_the_least_that_a_file_says(file: Path) -> None:
    plan = read(file, f"seed = 5\ngames = 10\n{TWO}")
    assert list(plan.entrants) == ["a", "b"]
    assert isinstance(plan.format, RoundRobin)
    assert plan.control.setting() == ClockSetting(move_ms=10_000)
    assert plan.limits == Limits(stderr_bytes=65536)
    assert planned_games(plan) == 10
    header = plan.header()
    assert (header.game, header.rules, header.seed) == ("mexica", "official", 5)
    assert [(bot.name, bot.command) for bot in header.bots] == [("a", "random"), ("b", "greedy")]
    assert len({bot.sha256 for bot in header.bots}) == 2


def test_names_follow_from_commands(file: Path) -> None:
    plan = read(file, 'seed = 5\ngames = 10\n[[bots]]\ncommand = "random --seed 3"\n[[bots]]\ncommand = "x=greedy"\n')
    assert list(plan.entrants) == ["random", "x"]


def test_everything_that_a_file_can_say(file: Path) -> None:
    (file.parent / "bot.py").write_text("")
    plan = read(
        file,
        """
        seed = 5
        game = "mexica"
        rules = "help"
        options = {stall_rounds = 2}
        seats = 3
        seatings = "all"
        games = 7
        time = "1m+500ms"
        move_time = "5s"
        illegal = 2
        messages = 9
        startup = "4s"
        ready = "3s"
        quit = "500ms"
        memory_mb = 0
        withdraw_after = 2
        [[bots]]
        command = "bot.py"
        memory_mb = 100
        startup = "1m"
        restart_after = 4
        [[bots]]
        command = "random"
        [[bots]]
        command = "greedy"
        memory_mb = 0
        """,
    )
    common = Limits(startup=4, ready=3, quit=0.5, stderr_bytes=65536, messages=9, illegal=2, memory=None)
    assert plan.limits == common
    first, second, third = plan.entrants.values()
    assert first.limits == msgspec.structs.replace(common, memory=100 << 20, startup=60)
    assert (first.restart_after, second.restart_after) == (4, None)
    assert second.limits == third.limits == common
    assert plan.control.setting() == ClockSetting(move_ms=5000, bank_ms=60_000, increment_ms=500)
    assert plan.game.rules == "help"
    assert plan.game.options()["rules"]["stall_rounds"] == 2
    assert plan.file.seatings is Seatings.ALL
    assert planned_games(plan) == 7


@pytest.mark.parametrize(
    ("fields", "kind", "planned"),
    [
        ("games = 7", RoundRobin, 7),
        ("games = 7\nseats = 3", RoundRobin, 7),
        ('games = 7\nformat = "gauntlet"', Gauntlet, 7),
        ('games = 7\nformat = "gauntlet"\nchallengers = ["b"]', Gauntlet, 7),
        ('games = 7\nformat = "teams"', Teams, 7),
        ('games = 7\nformat = "mixed-teams"', MixedTeams, 7),
        ('rounds = 3\nformat = "swiss"', Swiss, None),
        ('format = "knockout"\nblocks = 2', Knockout, None),
    ],
)
def test_formats(fields: str, kind: type[Format], planned: int | None, file: Path) -> None:
    plan = read(file, f'seed = 5\n{fields}\n{TWO}[[bots]]\nname = "c"\ncommand = "random"\n')
    assert isinstance(plan.format, kind)
    assert planned_games(plan) == planned


def test_the_first_bot_plays_the_gauntlet_unless_others_are_named(file: Path) -> None:
    text = f'seed = 5\ngames = 4\nformat = "gauntlet"\n%s\n{TWO}[[bots]]\nname = "c"\ncommand = "random"\n'
    pairs = []
    for line in ("", 'challengers = ["c"]'):
        blocks = read(file, text % line).format.round(0, Results([])) or []
        pairs.append({block.bots for block in blocks})
    assert pairs == [{("a", "b"), ("a", "c")}, {("a", "c"), ("b", "c")}]


def test_a_sequential_test(file: Path) -> None:
    plan = read(file, f'seed = 5\ngames = 1000\n[sprt]\nelo0 = 0\nelo1 = 5\nmodel = "logistic"\n{TWO}')
    assert plan.sprt is not None
    assert (plan.sprt.elo0, plan.sprt.elo1, plan.sprt.alpha, plan.sprt.model) == (0, 5, 0.05, EloModel.LOGISTIC)
    assert planned_games(plan) is None


def test_a_rule_file_and_a_board_lie_where_the_file_does(file: Path) -> None:
    shipped = Path("mexica_cli/games/mexica/data/official.toml")
    root = Path(__file__).resolve().parents[2]
    (file.parent / "mine.toml").write_text((root / shipped).read_text())
    plan = read(file, f'seed = 5\ngames = 2\nrules = "mine.toml"\n{TWO}')
    assert plan.game.options()["rules"]["stall_rounds"] == 3


# ---- what is wrong ---------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("fields", "said"),
    [
        ("games = 2", "cup.toml: seed: this field is missing; give a whole number from 0 to 9007199254740991"),
        ("seed = -1", "cup.toml:1: seed: expected `int` >= 0"),
        ("seed = 1", "cup.toml: games: this field is missing; give the number of games in all"),
        ("seed = 1\ngames = 0", "cup.toml:2: games: expected `int` >= 1; give a whole number from 1 to 10000000"),
        ("seed = 1\ngmaes = 2", "cup.toml:2: gmaes: there is no such field; did you mean games?"),
        (
            "seed = 1\ngames = 2\nformat = 'cup'",
            "cup.toml:3: format: invalid enum value 'cup'; give one of",
        ),
        (
            "seed = 1\ngames = 2\ngame = 'chess'",
            "cup.toml:3: game: there is no game 'chess'; there is mexica, moctezuma, nim",
        ),
        ("seed = 1\ngames = 2\nrules = 'none'", "cup.toml:3: rules: there is no rule set or file 'none'"),
        ("seed = 1\ngames = 2\nboard = 'none'", "cup.toml:3: board: "),
        ("seed = 1\ngames = 2\n[options]\nstall = 1", "cup.toml:3: options: "),
        ("seed = 1\ngames = 2\noptions.stall_rounds = 'many'", "cup.toml:3: options: "),
        ("seed = 1\ngames = 2\nseats = 5", "cup.toml:3: seats: mexica has 2 to 4 seats, not 5"),
        ("seed = 1\ngames = 2\nseats = 6", "cup.toml:3: seats: expected `int` <= 5"),
        ("seed = 1\ngames = 2\nseats = 3", "cup.toml: format: 2 bots for 3 seats: name at least 3"),
        (
            "seed = 1\ngames = 2\nmove_time = 5",
            "cup.toml:3: move_time: expected `str`, got `int`; give a time in quotes",
        ),
        ("seed = 1\ngames = 2\nmove_time = '5 s'", "cup.toml:3: move_time: '5 s' is no time; write seconds"),
        ("seed = 1\ngames = 2\nmove_time = '0'", "cup.toml:3: move_time: a time of 0 would be over at once; give more"),
        ("seed = 1\ngames = 2\nstartup = '0s'", "cup.toml:3: startup: a time of 0"),
        ("seed = 1\ngames = 2\nquit = 'soon'", "cup.toml:3: quit: 'soon' is no time"),
        ("seed = 1\ngames = 2\ntime = '60+fast'", "cup.toml:3: time: 'fast' is no time"),
        ("seed = 1\ngames = 2\ntime = '0+1'", "cup.toml:3: time: a bank of 0 would be over at once; give more"),
        ("seed = 1\ngames = 2\nrounds = 3", "cup.toml:3: rounds: this is for swiss, not for round-robin; leave it out"),
        (
            "seed = 1\ngames = 2\nblocks = 3",
            "cup.toml:3: blocks: this is for swiss, knockout, not for round-robin",
        ),
        (
            "seed = 1\ngames = 2\nchallengers = ['a']",
            "cup.toml:3: challengers: this is for gauntlet",
        ),
        ("seed = 1\nformat = 'swiss'", "cup.toml: rounds: this field is missing; give the number of rounds"),
        ("seed = 1\nformat = 'swiss'\nrounds = 3\ngames = 9", "cup.toml:4: games: this is for round-robin, gauntlet,"),
        ("seed = 1\nformat = 'knockout'\nrounds = 3", "cup.toml:3: rounds: this is for swiss, not for knockout"),
        (
            "seed = 1\nformat = 'knockout'\nseats = 3",
            "cup.toml:3: seats: knockout is for two seats; a league",
        ),
        (
            "seed = 1\ngames = 2\nformat = 'teams'\nseatings = 'all'",
            "cup.toml:4: seatings: this is for round-robin, gauntlet,",
        ),
        (
            "seed = 1\ngames = 2\nformat = 'gauntlet'\nchallengers = ['z']",
            "cup.toml:4: challengers: there is no bot 'z'; there is a, b",
        ),
        (
            "seed = 1\ngames = 2\nformat = 'gauntlet'\nchallengers = ['a', 'b']",
            "cup.toml:3: format: a gauntlet is for two seats or more and needs at least one challenger",
        ),
        (
            "seed = 1\ngames = 2\n[sprt]\nelo0 = 5\nelo1 = 0",
            "cup.toml:3: sprt: elo0 must be less than elo1, not 5",
        ),
        ("seed = 1\ngames = 2\n[sprt]\nelo0 = 5", "cup.toml:3: sprt.elo1: this field is missing; give a number"),
        ("seed = 1\ngames = 2\n[sprt]\nelo0 = 0\nelo1 = inf", "cup.toml:5: sprt.elo1: "),
        ("seed = 1\ngames = 2\n[sprt]\nelo0 = nan\nelo1 = 5", "cup.toml:4: sprt.elo0: "),
        ("seed = 1\ngames = 2\n[sprt]\nelo0 = 0\nelo1 = 5\nalpha = 1", "cup.toml:3: sprt: alpha and beta are between"),
        ("seed = 1\ngames = 2\n[sprt]\nelo0 = 0\nelo1 = 5\nmodel = 'x'", "cup.toml:6: sprt.model: invalid enum value"),
        (
            "seed = 1\nformat = 'knockout'\n[sprt]\nelo0 = 0\nelo1 = 5",
            "cup.toml:3: sprt: this is for round-robin",
        ),
        ("seed = 1\ngames = 2\n[sprt", "cup.toml:3: this is not TOML"),
    ],
)
def test_fields_that_are_wrong(fields: str, said: str, file: Path) -> None:
    assert said_of(file, f"{fields}\n{TWO}").startswith(said)


@pytest.mark.parametrize(
    ("bots", "said"),
    [
        ("", "cup.toml: bots: this field is missing; give a [[bots]] table for every bot"),
        ("bots = []", "cup.toml:3: bots: expected `array` of length >= 1; give a [[bots]] table for every bot"),
        ("bots = ['random', 'greedy']", "cup.toml:3: bots[0]: write a table here; it begins with [[bots]]"),
        ("[[bots]]\nname = 'a'", "cup.toml:3: bots[0].command: this field is missing; give a text"),
        ("[[bots]]\ncommand = 'random'\ncolour = 1", "cup.toml:5: bots[0].colour: there is no such field"),
        ("[[bots]]\ncommand = 'no-such-bot'", "cup.toml:4: bots[0].command: there is no bot, file or command"),
        ("[[bots]]\ncommand = ''", "cup.toml:4: bots[0].command: bot '' is empty"),
        ('[[bots]]\ncommand = "\'x"', "cup.toml:4: bots[0].command: bot \"'x\" can't be split into words"),
        ("[[bots]]\ncommand = 'listen:7000'", "cup.toml:4: bots[0].command: a tournament starts its bots itself"),
        (
            "[[bots]]\nname = 'my bot'\ncommand = 'random'",
            "cup.toml:4: bots[0].name: 'my bot' is no name; it is 1 to",
        ),
        ("[[bots]]\nname = ''\ncommand = 'random'", "cup.toml:4: bots[0].name: '' is no name"),
        ("[[bots]]\nname = 'a/b'\ncommand = 'random'", "cup.toml:4: bots[0].name: 'a/b' is no name"),
        ("[[bots]]\ncommand = 'random'", "cup.toml: format: 1 bots for 2 seats: name at least 2"),
        (
            "[[bots]]\ncommand = 'random'\n[[bots]]\ncommand = 'random'",
            "cup.toml:5: bots[1].name: two bots are called 'random'; give each a name of its own",
        ),
        (
            "[[bots]]\ncommand = 'random'\n[[bots]]\ncommand = 'greedy'\nname='random'",
            "cup.toml:7: bots[1].name: two bots are called 'random'",
        ),
        ("[[bots]]\ncommand = 'random'\nmemory_mb = -1", "cup.toml:5: bots[0].memory_mb: expected `int` >= 0"),
        ("[[bots]]\ncommand = 'random'\nstartup = 'x'", "cup.toml:5: bots[0].startup: 'x' is no time"),
        ("[[bots]]\ncommand = 'random'\nrestart_after = 0", "cup.toml:5: bots[0].restart_after: expected `int` >= 1"),
        (
            f"{TWO}[[bots]]\ncommand = 'random'\n[sprt]\nelo0 = 0\nelo1 = 5",
            "cup.toml:11: sprt: a sequential test is",
        ),
    ],
)
def test_bots_that_are_wrong(bots: str, said: str, file: Path) -> None:
    assert said_of(file, f"seed = 1\ngames = 2\n{bots}").startswith(said)


def test_a_file_that_is_not_there(file: Path) -> None:
    with pytest.raises(FileError, match=r"cup\.toml: the tournament can't be read: .*No such file"):
        read_tournament(file)


VALUES = st.one_of(
    st.none(), st.booleans(), st.integers(-1, 5), st.floats(), st.text(max_size=5), st.lists(st.text(max_size=3))
)


@given(st.dictionaries(st.sampled_from(TournamentFile.__struct_fields__), VALUES))
def test_anything_is_a_tournament_or_an_error_with_the_name_of_a_field(fields: dict[str, Any]) -> None:
    bots = [{"name": "a", "command": "random"}, {"name": "b", "command": "random"}]
    try:
        make_tournament(struct_from(TournamentFile, {"seed": 1, "games": 2, "bots": bots, **fields, "game": "nim"}))
    except FieldError as error:
        message = str(error)
    else:
        message = "seed"
    assert re.split(r"[.\[:]", message)[0] in TournamentFile.__struct_fields__


# ---- what is documented ----------------------------------------------------------------------------------------------


@pytest.fixture
def document(root: Path) -> str:
    return (root / "docs" / "TOURNAMENTS.md").read_text()


@pytest.mark.parametrize(
    ("heading", "kind"),
    [
        ("The file", TournamentFile),
        ("Bots", BotEntry),
        ("Variants", VariantEntry),
        ("Sequential test", SprtEntry),
    ],
)
def test_every_field_is_documented_with_its_default(heading: str, kind: type[msgspec.Struct], document: str) -> None:
    section = document.partition(f"\n## {heading}\n")[2].partition("\n## ")[0]
    rows = re.findall(r"^\| `(\w+)` \| (.*?) \| .* \|$", section, re.MULTILINE)
    fields = {field.encode_name: _default(field) for field in msgspec.structs.fields(kind)}
    tables = {"bots", "sprt", "variants"} if kind is TournamentFile else set()
    assert dict(rows) == {name: default for name, default in fields.items() if name not in tables}
    assert all(f"[{table}]" in document for table in tables)


def _default(field: msgspec.structs.FieldInfo) -> str:
    """How the document gives a default."""
    if field.required:
        return "required"
    value = None if field.default is msgspec.NODEFAULT else field.default
    return "–" if value is None else f"`{msgspec.json.encode(value).decode()}`"


def test_every_format_is_documented(document: str) -> None:
    section = document.partition("\n## Formats\n")[2].partition("\n## ")[0]
    kinds = get_args(get_type_hints(TournamentFile)["format"])
    assert re.findall(r"^\| `([\w-]+)` \|", section, re.MULTILINE) == list(kinds)


def test_the_files_in_the_document_can_be_used(document: str, file: Path) -> None:
    for program in ("new.py", "old.py", "old/my_bot.py", "my.js"):
        path = file.parent / program
        path.parent.mkdir(exist_ok=True)
        path.write_text("")
        path.chmod(0o755)
    texts = re.findall(r"^```toml\n(.*?)^```", document, re.DOTALL | re.MULTILINE)
    assert len(texts) == 2
    for text in texts:
        assert read(file, text.replace("node my.js", "./my.js")).entrants


def test_the_links_in_the_document_lead_somewhere(document: str, root: Path) -> None:
    links = [link for link in re.findall(r"\]\(([^)#]+)\)", document) if "://" not in link]
    assert len(links) > 1
    assert [link for link in links if not (root / "docs" / link).exists()] == []


def test_the_example_can_be_used(root: Path) -> None:
    assert planned_games(read_tournament(root / "examples" / "ladder.toml")) == 60
