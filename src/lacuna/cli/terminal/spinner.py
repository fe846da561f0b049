"""A line that turns while a question is on its way, and says how far it is.

It stands on standard error, on a terminal alone, and is gone when the work is done.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

from lacuna.pipeline.trace import Stage

if TYPE_CHECKING:
    from lacuna.pipeline.trace import OnStep, Step

UNDER_WAY = {
    Stage.START: "searching the corpus",
    Stage.SPOT: "looking for what is missing",
    Stage.FIND: "finding where it may be",
    Stage.READ: "reading",
    Stage.ANSWER: "weighing the answers",
}
NEXT = {
    Stage.START: UNDER_WAY[Stage.SPOT],
    Stage.SPOT: UNDER_WAY[Stage.FIND],
    Stage.FIND: UNDER_WAY[Stage.READ],
    Stage.READ: UNDER_WAY[Stage.SPOT],
    Stage.ANSWER: "reading it in another way",
}
"""What takes time after each stage; where it is left out, the answer follows at once."""


@contextmanager
def spinner(label: str) -> Iterator[Callable[[str], None]]:
    """A line to call with what is done from now on; nothing where there is no terminal."""
    if not sys.stderr.isatty():
        yield lambda label: None
        return
    from rich.progress import Progress, SpinnerColumn, TextColumn, TimeElapsedColumn

    from lacuna.cli.console import console_for_messages

    console = console_for_messages()
    turning = "dots" if console.encoding.startswith("utf") else "line"
    columns = (
        SpinnerColumn(turning),
        TextColumn("{task.description} …", markup=False),
        TimeElapsedColumn(),
    )
    with Progress(*columns, console=console, transient=True) as line:
        task = line.add_task(label, total=None)
        yield lambda label: line.update(task, description=label)


@contextmanager
def stages_shown(first: Stage) -> Iterator[OnStep]:
    """The same for a question, to be called with each step when it is done."""
    with spinner(UNDER_WAY[first]) as show:
        yield lambda step: show(_next(step))


def _next(step: Step) -> str:
    if step.stage is Stage.START and not step.candidates:  # it only says how it was understood
        return UNDER_WAY[Stage.START]
    return NEXT[step.stage]
