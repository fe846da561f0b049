"""How a choice with its gap is shown: laid out on a terminal, line by line in a pipe."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from textwrap import shorten
from typing import TYPE_CHECKING

from lacuna.cli.answers import show_steps
from lacuna.cli.cleaning import safe, safe_same_length
from lacuna.cli.console import console_for_results, say
from lacuna.cli.quoted import MARK
from lacuna.cli.terminal.wrapping import say_hanging

if TYPE_CHECKING:
    from lacuna.models.gapqa.knowledge_lines import KnowledgeLine
    from lacuna.models.gapqa.scored_choice import ScoredChoice
    from lacuna.models.gapqa.statements import Statement
    from lacuna.pipeline.result import Result

SHOWN_LINES = 5
LONGEST = 120
"""Characters of a text that is shown again."""


def show(result: Result) -> None:
    """The choice, the key span, the relation, the filled gap, and what it rests on."""
    if sys.stdout.isatty():
        _show_in_colour(result)
    else:
        for name, value in facts(result):
            say(f"{name}: {value}")


def facts(result: Result) -> Iterator[tuple[str, str]]:
    """What there is to say of a result, in order, as names and values on one line each."""
    chosen = _chosen(result)
    yield "answer", _choice(chosen)
    if result.prediction.confidence is not None:
        yield "confidence", f"{result.prediction.confidence:.2f}"
    start, end = result.key_span or (0, 0)
    fact = safe_same_length(result.fact)
    marked = fact[:start] + MARK[0] + fact[start:end] + MARK[1] + fact[end:]
    yield "fact", " ".join(marked.split())
    if chosen.filling is not None:
        yield "relation", _relation(chosen.filling)
    yield from _gap(chosen)
    yield from (("knowledge", line) for line in _knowledge(chosen))


def show_trace(result: Result) -> None:
    """What was done, step by step; at the end every choice with its scores and its gap."""
    show_steps(result.steps[:-1])  # the last one ranks the choices
    say(f"choices, {result.milliseconds:.0f} ms:")
    for scored in result.choices:
        mark = "*" if scored is result.chosen else "-"
        shown = f"{scored.probability:.2f}  {_choice(scored)}  {_scores(scored)}"
        say_hanging(f"  {mark} ", shown)


def _chosen(result: Result) -> ScoredChoice:
    assert result.chosen is not None  # only results with choices are shown here
    return result.chosen


def _relation(filling: Statement) -> str:
    part = "" if filling.about == 1 else " (of a part of the words)"
    return f"{filling.direction.name}{part}"


def _gap(scored: ScoredChoice) -> Iterator[tuple[str, str]]:
    """How the key span and a choice are related; nothing for a model without knowledge."""
    from lacuna.models.gapqa.scored_choice import missing_relation

    choice = _short(scored.choice.text)
    if scored.gap is None:
        if scored.lines:
            yield "no gap", f"“{choice}” is the key span itself"
    elif scored.gap.filled:
        yield "filled gap", _short(scored.gap.filled)
    else:
        why = "no line is about these two alone" if scored.knowledge else "nothing speaks of both"
        yield "missing", f"{missing_relation(_short(scored.span), choice)}; {why}"


def _short(text: str) -> str:
    """Enough to know it again: a choice is shown whole with the answer."""
    return shorten(safe(text), LONGEST, placeholder=" …")


def _scores(scored: ScoredChoice) -> str:
    fact = f"fact {scored.fact_score:.2f}"
    if not scored.lines:
        return fact
    count = len(scored.knowledge)
    lines = "1 line" if count == 1 else f"{count} lines"
    found = f"{lines} of knowledge" if count else "nothing was found"
    return f"{_gap_in_short(scored)}  {fact}, relation {scored.relation_score:.2f}, {found}"


def _gap_in_short(scored: ScoredChoice) -> str:
    if scored.gap is None:
        return "gap: none"
    return f"“{_short(scored.gap.filled)}”" if scored.gap.filled else "gap: open"


def _choice(scored: ScoredChoice) -> str:
    return f"{safe(scored.choice.label)}: {safe(scored.choice.text)}"


def _knowledge(scored: ScoredChoice) -> Iterator[str]:
    if not scored.lines:
        yield "this model reads none, so it names no relation"
        return
    if scored.is_span:
        return
    knowledge = scored.knowledge
    if not knowledge:
        yield f"none; the model goes by the words “{_short(scored.lines[-1].text)}” alone"
    for line in knowledge[:SHOWN_LINES]:
        yield f"{safe(line.text)} ({_source(line)})"
    if (more := len(knowledge) - SHOWN_LINES) > 0:
        yield f"and {more} more; --json shows all"


def _source(line: KnowledgeLine) -> str:
    return ", ".join(part for part in (str(line.kind), safe(line.source)) if part)


def _show_in_colour(result: Result) -> None:
    from rich.padding import Padding
    from rich.text import Text

    console = console_for_results()
    chosen = _chosen(result)
    headline = Text(_choice(chosen), "bold green")
    if result.prediction.confidence is not None:
        headline.append(f"   {100 * result.prediction.confidence:.0f} % sure", "dim")
    console.print(headline)
    fact = Text(safe_same_length(result.fact))
    fact.stylize("bold yellow", *(result.key_span or (0, 0)))
    console.print(Padding(fact, (1, 0, 0, 2)))
    filling = chosen.filling
    for name, value in _gap(chosen):
        gap = Text(f"{name}: {value}", "yellow")
        if filling is not None:
            gap = Text(value, "bold").append(f"   {_relation(filling)}", "not bold cyan")
        console.print(Padding(gap, (0, 0, 0, 2)))
    console.print()
    for line in _knowledge(chosen):
        console.print(Padding(Text(f"— {line}", "dim"), (0, 0, 0, 2)))
    console.print()
