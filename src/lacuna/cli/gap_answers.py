"""How an answer with its gap is shown: laid out on a terminal, line by line in a pipe."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from textwrap import shorten
from typing import TYPE_CHECKING

from lacuna.cli.answers import MARK
from lacuna.cli.console import safe, safe_same_length

if TYPE_CHECKING:
    from lacuna.models.gapqa.choice_gaps import ChoiceGap, GapResult, KnowledgeLine
    from lacuna.models.gapqa.statements import Statement

SHOWN_LINES = 5
LONGEST = 120
"""Characters of a text that was told before."""


def show(result: GapResult) -> None:
    """The choice, the key span, the relation, the filled gap, and what it rests on."""
    if sys.stdout.isatty():
        _show_in_colour(result)
    else:
        for name, value in facts(result):
            print(f"{name}: {value}")


def facts(result: GapResult) -> Iterator[tuple[str, str]]:
    """What there is to say of a result, in order, as names and values on one line each."""
    yield "answer", _choice(result.chosen)
    if result.prediction.confidence is not None:
        yield "confidence", f"{result.prediction.confidence:.2f}"
    start, end = result.key_span
    fact = safe_same_length(result.fact)
    marked = fact[:start] + MARK[0] + fact[start:end] + MARK[1] + fact[end:]
    yield "fact", " ".join(marked.split())
    if result.chosen.filling is not None:
        yield "relation", _relation(result.chosen.filling)
    yield from _gap(result, result.chosen)
    yield from (("knowledge", line) for line in _knowledge(result.chosen))


def show_choices(result: GapResult) -> None:
    """Every choice with its scores and its filled gap."""
    print(f"choices, {result.milliseconds:.0f} ms:")
    for one in result.choices:
        mark = "*" if one is result.chosen else "-"
        print(f"  {mark} {one.probability:.2f}  {_choice(one)}  {_scores(result, one)}")


def _relation(filling: Statement) -> str:
    part = "" if filling.about == 1 else " (of a part of the words)"
    return f"{filling.direction.name}{part}"


def _gap(result: GapResult, one: ChoiceGap) -> Iterator[tuple[str, str]]:
    """How it stands between the key span and a choice; nothing for a model without knowledge."""
    from lacuna.models.gapqa.choice_gaps import GapStatus

    choice = _short(one.choice.text)
    filled = result.filled(one)
    if filled is not None:
        yield "filled gap", _short(filled)
    elif one.gap is GapStatus.NONE:
        yield "no gap", f"“{choice}” is the key span itself"
    elif one.gap is GapStatus.OPEN:
        why = "no line is about these two alone" if one.found else "nothing speaks of both"
        yield "missing", f"how “{_short(result.span_text)}” and “{choice}” are related; {why}"


def _short(text: str) -> str:
    """Enough to know it again: a choice was told whole with the answer."""
    return shorten(safe(text), LONGEST, placeholder=" …")


def _scores(result: GapResult, one: ChoiceGap) -> str:
    fact = f"fact {one.fact_score:.2f}"
    if not one.lines:
        return fact
    count = len(one.found)
    lines = "1 line" if count == 1 else f"{count} lines"
    found = f"{lines} of knowledge" if count else "nothing was found"
    filled = result.filled(one)
    gap = f"“{_short(filled)}”" if filled else f"gap: {one.gap}"
    return f"{gap}  {fact}, relation {one.relation_score:.2f}, {found}"


def _choice(one: ChoiceGap) -> str:
    return f"{safe(one.choice.label)}: {safe(one.choice.text)}"


def _knowledge(one: ChoiceGap) -> Iterator[str]:
    if one.is_span:
        return
    if not one.lines:
        yield "this model looks at none, so it names no relation"
    elif not one.found:
        yield f"none; the model goes by the words “{_short(one.lines[-1].text)}” alone"
    for line in one.found[:SHOWN_LINES]:
        yield f"{safe(line.text)} ({_source(line)})"
    if (more := len(one.found) - SHOWN_LINES) > 0:
        yield f"and {more} more; --json shows all"


def _source(line: KnowledgeLine) -> str:
    return ", ".join(part for part in (str(line.kind), safe(line.source)) if part)


def _show_in_colour(result: GapResult) -> None:
    from rich.console import Console
    from rich.padding import Padding
    from rich.text import Text

    console = Console(highlight=False)
    headline = Text(_choice(result.chosen), "bold green")
    if result.prediction.confidence is not None:
        headline.append(f"   {100 * result.prediction.confidence:.0f} % sure", "dim")
    console.print(headline)
    fact = Text(safe_same_length(result.fact))
    fact.stylize("bold yellow", *result.key_span)
    console.print(Padding(fact, (1, 0, 0, 2)))
    filling = result.chosen.filling
    for name, value in _gap(result, result.chosen):
        gap = Text(f"{name}: {value}", "yellow")
        if filling is not None:
            gap = Text(value, "bold").append(f"   {_relation(filling)}", "not bold cyan")
        console.print(Padding(gap, (0, 0, 0, 2)))
    console.print()
    for line in _knowledge(result.chosen):
        console.print(Padding(Text(f"— {line}", "dim"), (0, 0, 0, 2)))
    console.print()
