"""What is printed gives no orders to a terminal, and there is one place that prints."""

from __future__ import annotations

import ast
import json
import re
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from lacuna.cli import console
from lacuna.cli import console as clean_console
from lacuna.cli.console import UNSAFE, safe, safe_json, safe_lines, safe_same_length

CLI = Path(console.__file__).parent
ANYTHING = st.text(st.characters(), max_size=60)


@given(ANYTHING)
def test_nothing_is_left_to_obey(text: str) -> None:
    assert not UNSAFE.search(safe(text))
    assert not UNSAFE.search(safe_same_length(text))
    assert not UNSAFE.search(safe_lines(text).replace("\n", "").replace("\t", ""))
    assert len(safe_same_length(text)) == len(text)


@given(st.recursive(ANYTHING, lambda inner: st.lists(inner) | st.dictionaries(ANYTHING, inner)))
def test_json_says_the_same(value: Any) -> None:
    written = safe_json(json.dumps(value, ensure_ascii=False, indent=1))
    assert not UNSAFE.search(written.replace("\n", ""))
    assert json.loads(written) == value


def test_ordinary_text_stays_as_it_is() -> None:
    for text in ("1931 – “Marrow”, £ 3 €, naïve, 港, שלום, 👩‍👧", "a\tb\nc"):
        assert safe_lines(text) == text


def prints(path: Path) -> list[str]:
    """Where a file prints by itself."""
    found = []
    for node in ast.walk(ast.parse(path.read_text("utf-8"))):
        if not isinstance(node, ast.Call):
            continue
        name = ast.unparse(node.func)
        if name in ("print", "Console", "typer.echo", "typer.secho") or name.endswith(
            ("stdout.write", "stderr.write")
        ):
            found.append(f"{path.relative_to(CLI)}:{node.lineno} {name}")
    return found


def test_one_place_prints() -> None:
    # The server's line is its own address alone, and is flushed.
    printing = {"console.py", "serve.py"}
    others = [path for path in CLI.rglob("*.py") if str(path.relative_to(CLI)) not in printing]
    assert [line for path in others for line in prints(path)] == []
    # They do say much, and all of it through the console.
    asking = re.compile(r"\b(?:say|notify|print_(?:json|table|error))\(")
    assert sum(len(asking.findall(path.read_text("utf-8"))) for path in others) > 30
    assert prints(CLI / "console.py"), "the search finds what there is"


def test_a_table_stays_aligned(capsys: pytest.CaptureFixture[str]) -> None:
    console.print_table("t\x1b[2J", ("name", "n"), [("a\x1b[31mb", 1), ("longer name", 22)])
    title, *lines = capsys.readouterr().out.rstrip("\n").split("\n")
    assert title == "t�[2J"
    assert len({len(line) for line in lines}) == 1


def test_messages_are_one_clean_line(capsys: pytest.CaptureFixture[str]) -> None:
    console.print_error("There is no file a\x1b]0;x\x07\nError: b")
    assert capsys.readouterr().err == "Error: There is no file a�]0;x� Error: b\n"


def test_the_console_passes_on_only_its_own_codes() -> None:
    import io

    from rich.text import Text

    out = io.StringIO()
    made = clean_console.CleanConsole(file=out, force_terminal=True, color_system="standard")
    made.print(Text("red\x1b[2J", "red"))
    assert out.getvalue() == "\x1b[31mred�[2J\x1b[0m\n"
