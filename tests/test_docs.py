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

ROOT = Path(__file__).parent.parent
DOCUMENTS = [ROOT / "README.md", ROOT / "CONTRIBUTING.md", *sorted((ROOT / "docs").rglob("*.md"))]
COMMAND = re.compile(r"^\$ (?:(.*) \| )?(?:\.venv/bin/)?lacuna (.*)$", re.MULTILINE)
UNSTEADY = re.compile(
    r"^(confidence|missing|looked in|links that lead nowhere|nearest|Note): .*$", re.MULTILINE
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
