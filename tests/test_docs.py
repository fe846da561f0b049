"""What the documents show is what happens."""

from __future__ import annotations

import io
import re
import shlex
import subprocess
import tomllib
from pathlib import Path
from typing import Any

import pytest
from benchmarks.registry import BENCHMARKS
from docs.architecture_walk import PAGE, page
from typer.main import get_command

from lacuna.cli.app import make_app

ROOT = Path(__file__).parent.parent
DOCUMENTS = [ROOT / "README.md", ROOT / "CONTRIBUTING.md", *sorted((ROOT / "docs").rglob("*.md"))]
MORE_DOCUMENTS = [
    ROOT / "SECURITY.md",
    *sorted((ROOT / "benchmarks/results").glob("*.md")),
    *sorted((ROOT / "recipes").rglob("*.toml")),
    *sorted((ROOT / "deploy").glob("*.*")),
    *sorted(ROOT.glob("packages/*/README.md")),
    *sorted(ROOT.glob("packages/*/src/*/assets/models/*/CARD.md")),
]
DOTTED = re.compile(
    r"(?<![\w.-])(lacuna(?!\.example)(?:_lab|_collect|_scale)?(?:\.[A-Za-z_]\w*)+)(?![\w.]*\.(?:org|com|net))"
)
OUR_FILE = re.compile(r"`((?:[\w-]+/)+[\w-]+\.(?:py|toml|ya?ml|sh|svg))`")
"""Files of other kinds are often those of a user."""
GROUPS_OF_ENTRY_POINTS = {
    "lacuna.commands",
    "lacuna.datasets",
    "lacuna.formats",
    "lacuna.readers",
    "lacuna.retrievers",
    "lacuna.toml",
}
"""And the file of settings, which looks like a module."""
COMMAND = re.compile(r"^\$ (?:(.*) \| )?(?:\.venv/bin/)?lacuna (.*)$", re.MULTILINE)
UNSTEADY = re.compile(
    r"^((?:its )?confidence|missing|looked in|links that lead nowhere|nearest|Note): .*$",
    re.MULTILINE,
)
BLOCK = re.compile(r"^```(console|python)\n(.*?)^```$", re.MULTILINE | re.DOTALL)


def blocks(kind: str) -> list[Any]:
    return [
        pytest.param(text, id=f"{path.name}-{number}")
        for path in DOCUMENTS
        for number, (found, text) in enumerate(BLOCK.findall(path.read_text(encoding="utf-8")))
        if found == kind
    ]


def transcripts() -> list[Any]:
    return [param for param in blocks("console") if COMMAND.search(str(param.values[0]))]


def words(text: str) -> list[str]:
    """The text without its spacing, which depends on the width of a column.

    Processors round differently, so how sure an answer is, and which of many poor places were
    looked in, may differ a little; and that the demo corpus is asked is said once in a document.
    """
    kept = UNSTEADY.sub("", text)
    return kept.replace("─", " ").split()


@pytest.mark.parametrize("text", transcripts())
def test_transcripts(
    lacuna: Any, monkeypatch: pytest.MonkeyPatch, tmp_path: Path, text: str
) -> None:
    monkeypatch.chdir(ROOT)
    found = COMMAND.split(text.replace("/tmp/", f"{tmp_path}/"))[1:]
    for before, command, shown in zip(found[::3], found[1::3], found[2::3], strict=True):
        piped = subprocess.run(["bash", "-c", before or ":"], capture_output=True, check=True)
        monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO(piped.stdout)))
        ran = lacuna(*shlex.split(command))
        assert words(ran.out + ran.err) == words(shown)


@pytest.mark.parametrize("text", blocks("python"))
def test_python(monkeypatch: pytest.MonkeyPatch, capsys: Any, tmp_path: Path, text: str) -> None:
    monkeypatch.chdir(ROOT)
    exec(compile(text.replace("/tmp/", f"{tmp_path}/"), "document", "exec"), {})
    assert capsys.readouterr().out


@pytest.mark.parametrize("path", DOCUMENTS, ids=lambda path: path.name)
def test_links_lead_somewhere(path: Path) -> None:
    for target in re.findall(r"\]\(([^)#:]+)\)", path.read_text(encoding="utf-8")):
        assert (path.parent / target).exists(), target


def test_modules_are_where_the_documents_say() -> None:
    missing = [
        (str(path.relative_to(ROOT)), name)
        for path in (*DOCUMENTS, *MORE_DOCUMENTS)
        for name in DOTTED.findall(path.read_text(encoding="utf-8"))
        if not _is_there(name)
    ]
    assert missing == []


def _is_there(name: str) -> bool:
    """Tell if a dotted name is a module, or a name in one."""
    if name in GROUPS_OF_ENTRY_POINTS:
        return True
    first, *rest = name.split(".")
    place = ROOT / "packages" / first.replace("_", "-") / "src" / first
    while rest and (place / rest[0]).is_dir():
        place /= rest.pop(0)
    if rest and (module := place / f"{rest[0]}.py").is_file():
        rest.pop(0)
    else:
        module = place / "__init__.py"
    return not rest or f" {rest[0]}" in f" {module.read_text(encoding='utf-8')}".replace('"', " ")


def test_files_are_where_the_documents_say() -> None:
    packages = [
        found for below in ("", "/src", "/src/*") for found in ROOT.glob(f"packages/*{below}")
    ]
    missing = [
        (str(path.relative_to(ROOT)), name)
        for path in (*DOCUMENTS, *MORE_DOCUMENTS)
        for name in OUR_FILE.findall(path.read_text(encoding="utf-8"))
        if not any((room / name).exists() for room in (ROOT, ROOT / "tests", *packages))
    ]
    assert missing == []


def test_extras_and_benchmarks_are_there() -> None:
    text = "".join(path.read_text(encoding="utf-8") for path in (*DOCUMENTS, *MORE_DOCUMENTS))
    project = tomllib.loads((ROOT / "packages/lacuna/pyproject.toml").read_text(encoding="utf-8"))
    extras = project["project"]["optional-dependencies"]
    named = {
        one for found in re.findall(r"lacuna-qa\[([\w,]+)\]", text) for one in found.split(",")
    }
    assert set(named) - {*extras, "NAME"} == set()
    targets = re.findall(
        r"^([\w-]+):", (ROOT / "Makefile").read_text(encoding="utf-8"), re.MULTILINE
    )
    assert set(re.findall(r"`make ([\w-]+)`", text)) - set(targets) == set()
    assert set(re.findall(r"python -m benchmarks ([a-z][\w-]*)", text)) - set(BENCHMARKS) == set()


def test_the_architecture_shows_the_walks_that_happen() -> None:
    shown = PAGE.read_text(encoding="utf-8")
    assert shown == page(shown), "Run `python docs/architecture_walk.py` and read the difference."


def test_every_promise_names_tests_that_exist() -> None:
    text = (ROOT / "docs" / "promises.md").read_text(encoding="utf-8")
    named = set(re.findall(r"`((?:[a-z_]+/)+(?:test_\w+\.py)?)`", text))
    assert len(named) > 20
    missing = [
        name for name in named if not (ROOT / "tests" / name.removeprefix("tests/")).exists()
    ]
    assert missing == []
    promises = [line for line in text.split("## What is not")[0].splitlines() if line[:2] == "| "]
    untested = [
        line for line in promises if "promise |" not in line and "/" not in line.split("|")[2]
    ]
    assert untested == []


def test_commands_of_collecting_are_as_the_page_has_them(lacuna: Any) -> None:
    pytest.importorskip("sqlalchemy", reason="the extra `collect` is not installed")
    text = (ROOT / "docs" / "collecting.md").read_text(encoding="utf-8").replace("\\\n", " ")
    commands = re.findall(r"^ *lacuna collect (\w+) ([^\n#]*)", text, re.MULTILINE)
    assert len(commands) > 12
    for verb, rest in commands:
        told = lacuna("collect", verb, "--help")
        assert told.code == 0, verb
        for option in re.findall(r"--[a-z-]+", rest):
            assert option in told.out, (verb, option)


def test_commands_of_the_board_are_as_the_page_has_them(lacuna: Any) -> None:
    text = (ROOT / "docs" / "board.md").read_text(encoding="utf-8").replace("\\\n", " ")
    commands = re.findall(r"^lacuna board (\w+) ([^\n#]*)", text, re.MULTILINE)
    assert len(commands) > 12
    for verb, rest in commands:
        told = lacuna("board", verb, "--help")
        assert told.code == 0, verb
        for option in re.findall(r"--[a-z-]+", rest):
            assert option in told.out, (verb, option)


SHOWN = re.compile(
    r"(?:^|[`$|] ?)(?:\.venv/bin/|[A-Z_]+=\S+ )*lacuna ([a-z][^\n`|#]*)", re.MULTILINE
)
"""A command in a page or in a message."""


def test_no_page_or_message_shows_an_option_that_is_not_there() -> None:
    root = get_command(make_app([]))
    files = [ROOT / "README.md", *(ROOT / "packages").rglob("*.py")]
    for folder in ("docs", "benchmarks", "packages", "examples"):
        files += (ROOT / folder).rglob("*.md")
    wrong, seen = [], 0
    for path in files:
        for shown in SHOWN.finditer(path.read_text(encoding="utf-8").replace("\\\n", " ")):
            command: Any = root
            for word in shown[1].split():
                command = getattr(command, "commands", {}).get(word, command)
            if hasattr(command, "commands"):
                continue
            there = {name for option in command.params for name in option.opts} | {"--help"}
            used = re.findall(r"(?<!\S)--?[a-z][a-z-]*", shown[1])
            seen += len(used)
            wrong += [(path.name, shown[0], name) for name in used if name not in there]
    assert wrong == []
    assert seen > 200


def test_contributing_says_why_each_dependency_is_there() -> None:
    text = (ROOT / "CONTRIBUTING.md").read_text(encoding="utf-8")
    section = text.split("## Dependencies")[1].split("What was tried")[0]
    argued = {
        name.lower()
        for row in re.findall(r"^\| (`.*?) \|", section, re.MULTILINE)
        for name in re.findall(r"`(.+?)`", row)
    }
    needed = set()
    for path in ROOT.glob("packages/*/pyproject.toml"):
        project = tomllib.loads(path.read_text(encoding="utf-8"))["project"]
        extras = project.get("optional-dependencies", {}).values()
        lines = [*project["dependencies"], *(line for extra in extras for line in extra)]
        needed |= {re.match(r"[\w-]+", line)[0].lower() for line in lines}  # type: ignore[index]
    assert argued == {name for name in needed if not name.startswith("lacuna-qa")}
