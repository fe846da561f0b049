"""Write the walks of ``docs/architecture.md`` from what runs: a question, and a file.

``python docs/architecture_walk.py`` does it; a test finds out where that was forgotten. Each walk
is traced in a new process, in which nothing is loaded or remembered yet.
"""

from __future__ import annotations

import ast
import io
import json
import re
import subprocess
import sys
import tempfile
from collections.abc import Mapping
from contextlib import redirect_stderr, redirect_stdout, suppress
from pathlib import Path
from types import CodeType, FrameType
from typing import Any

HERE = Path(__file__).parent.resolve()
ROOT = HERE.parent
PAGE = HERE / "architecture.md"
PACKAGES = ROOT / "packages"
sys.path.insert(0, str(ROOT / "tests" / "stand_ins"))

from walking import Walk, walked  # noqa: E402

QUESTION = "How old was the First Minister when she opened the causeway?"
"""A question of the demo that needs every stage: two articles and a calculation."""
BEFORE, AFTER = "open", "show"
PARENT, PARSER = "index", "parser"
COLUMNS = (BEFORE, "START", "SPOT", "FIND", "READ", "ANSWER", AFTER, PARENT, PARSER)
MARKED = re.compile(r"(?<=<!-- walk: )(ask|index)( -->\n).*?(?=<!-- end of walk -->)", re.DOTALL)
TRACED_PARSER = (
    "import lacuna; from lacuna.corpus.formats.isolated_worker import main; "
    "sys.path.insert(0, {here!r}); from architecture_walk import traced_parser; "
    "traced_parser(main, {out!r})"
)

Rows = dict[str, list[str]]
"""Each file in the order in which it is entered, and the columns in which it runs."""


class ColumnWalk(Walk):
    """A walk that notes in which part of the work each file runs."""

    def __init__(self, first: str, begins: Mapping[CodeType, str], ends: CodeType | None) -> None:
        super().__init__()
        self._column = first
        self._begins = begins
        self._ends = ends
        self.rows: Rows = {}

    def see(self, frame: FrameType, event: str, argument: Any) -> None:
        """Note one call; a return matters where it ends the last stage."""
        if event == "return" and frame.f_code is self._ends:
            self._column = AFTER
        if event == "call":
            self._column = self._begins.get(frame.f_code, self._column)
        super().see(frame, event, argument)
        name = self.file_of(frame) if event == "call" else None
        if name in self.files:
            columns = self.rows.setdefault(name, [])
            if self._column not in columns:
                columns.append(self._column)
                self.entered(name)

    def entered(self, name: str) -> None:
        """Do nothing more; a process that may be killed writes the name down."""


class WrittenWalk(ColumnWalk):
    """A walk in a process that is killed in the end."""

    def __init__(self, out: Path) -> None:
        super().__init__(PARSER, {}, None)
        self._out = out

    def entered(self, name: str) -> None:
        """Write the file's name down at once."""
        with self._out.open("a", encoding="utf-8") as out:
            out.write(name + "\n")


def main() -> None:
    """Write the page's tables anew, or trace one walk for that."""
    if len(sys.argv) > 1:
        rows = {"ask": _asked, "index": _indexed}[sys.argv[1]]()
        print(json.dumps(rows))
        return
    PAGE.write_text(page(PAGE.read_text(encoding="utf-8")), encoding="utf-8")


def page(text: str) -> str:
    """The page with its tables as the walks are now."""
    return MARKED.sub(lambda found: f"{found[1]}{found[2]}{table(traced(found[1]))}", text)


def traced(walk: str) -> Rows:
    """The rows of a walk, from a process of its own."""
    out = subprocess.run(
        [sys.executable, __file__, walk], cwd=ROOT, stdout=subprocess.PIPE, text=True, check=True
    ).stdout
    rows: Rows = json.loads(out)
    return rows


def table(rows: Rows) -> str:
    """The rows as Markdown."""
    used = {column for found in rows.values() for column in found}
    columns = [column for column in COLUMNS if column in used]
    lines = [
        f"| | file | what it holds | {' | '.join(columns)} |",
        f"|---:|---|---|{':-:|' * len(columns)}",
    ]
    for number, (name, found) in enumerate(rows.items(), start=1):
        path = name.removeprefix("lacuna/src/lacuna/")
        marks = " | ".join("●" if column in found else " " for column in columns)
        lines.append(f"| {number} | `{path}` | {_about(PACKAGES / name)} | {marks} |")
    return "\n".join(lines) + "\n"


def _about(path: Path) -> str:
    """The first sentence of a file's docstring."""
    docstring = ast.get_docstring(ast.parse(path.read_text(encoding="utf-8"))) or ""
    paragraph = " ".join(docstring.split("\n\n")[0].split())
    return re.split(r"(?<=\.) (?=[A-Z])", paragraph)[0].replace("|", "\\|")


def _asked() -> Rows:
    from lacuna.pipeline.pipeline import STAGES
    from lacuna.pipeline.result import Stage

    subprocess.run(
        [sys.executable, "-m", "lacuna", "corpus", "info"], check=False, capture_output=True
    )  # indexes the demo, where that was not done yet
    begins = {work.__code__: stage.name for stage, work in STAGES.items()}
    walk = ColumnWalk(BEFORE, begins, STAGES[Stage.ANSWER].__code__)
    _silently(walk, ["ask", QUESTION])
    missing = {stage.name for stage in Stage} - {one for row in walk.rows.values() for one in row}
    if missing:
        raise SystemExit(f"The question does not need {', '.join(sorted(missing))}: ask another.")
    return walk.rows


def _indexed() -> Rows:
    from lacuna.corpus.formats import isolation

    with tempfile.TemporaryDirectory() as folder:
        place, parsed = Path(folder), Path(folder, "parsed")
        isolation.START = TRACED_PARSER.format(here=str(HERE), out=str(parsed))
        (place / "notes").mkdir()
        note = "# Bridge\n\n[Ann](ann.md) built it in 1901.\n"
        (place / "notes" / "bridge.md").write_text(note, encoding="utf-8")
        walk = ColumnWalk(PARENT, {}, None)
        _silently(walk, ["index", str(place / "notes"), "--out", str(place / "corpus")])
        for name in parsed.read_text(encoding="utf-8").split():
            walk.rows.setdefault(name, []).append(PARSER)
    return walk.rows


def _silently(walk: Walk, arguments: list[str]) -> None:
    from lacuna.cli import main as command

    with (
        redirect_stdout(io.StringIO()),
        redirect_stderr(io.StringIO()),
        walked(walk),
        suppress(SystemExit),
    ):
        command(arguments)


def traced_parser(work: Any, out: str) -> None:
    """Run the process that parses documents, and write down where it goes."""
    with walked(WrittenWalk(Path(out))):
        work()


if __name__ == "__main__":
    main()
