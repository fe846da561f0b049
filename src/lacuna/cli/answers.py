"""How an answer is shown: laid out on a terminal, one labelled line a fact in a pipe."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from typing import TYPE_CHECKING

from lacuna.cli.cleaning import safe
from lacuna.cli.console import console_for_results, say
from lacuna.cli.places import linked
from lacuna.cli.quoted import marked_line, place_of, print_quote, source_line
from lacuna.cli.terminal.wrapping import say_hanging
from lacuna.pipeline.result import Degree
from lacuna.types import AnswerKind, FollowUp, YesNo

if TYPE_CHECKING:
    from collections.abc import Sequence

    from rich.console import Console
    from rich.text import Text

    from lacuna.pipeline.result import Alternative, Quote, Result
    from lacuna.pipeline.trace import Candidate, Step

SHOWN_PLACES = 6
SHOWN_CANDIDATES = 5
YES_NO = {YesNo.YES: "yes", YesNo.NO: "no"}
FOLLOW_UP = {FollowUp.YES: "yes", FollowUp.MAYBE: "maybe", FollowUp.NO: "no"}
STYLES = {Degree.ANSWER: "green", Degree.PROBABLE: "cyan", Degree.NONE: "yellow"}
"""The colour of each degree."""
REJECTED = "considered, and not sure enough"
"""What alternatives are called where no answer was given."""


def show(result: Result, *, nearest: Quote | None = None, alternatives: int = 0) -> None:
    """The answer, its evidence, or what is missing; then so many other answers."""
    others = result.alternatives[:alternatives]
    if sys.stdout.isatty():
        _show_in_colour(result, nearest, others)
        return
    for name, value in facts(result, nearest):
        say(f"{name}: {value}")
    for name, value in _facts_of_others(others, result.degree):
        say(f"{name}: {value}")


def facts(result: Result, nearest: Quote | None = None) -> Iterator[tuple[str, str]]:
    """What there is to say of a result, in order, as names and values on one line each."""
    answer, prediction = result.answer, result.prediction
    if result.read_as:
        yield "read as", safe(result.read_as)
    yield "answer", safe(answer.text)
    if result.degree is Degree.PROBABLE:
        yield "degree", result.degree.value
    if answer.expression:
        yield "expression", safe(answer.expression)
    if prediction.confidence is not None:
        yield "confidence", f"{prediction.confidence:.2f}"
    for quote in result.quotes:
        yield "evidence", marked_line(quote)
        yield from _source(quote)
    for gap in prediction.gaps:
        yield "missing", safe(gap.missing)
        if gap.looked_in:
            yield "looked in", _listed(gap.looked_in)
        if gap.dangling:
            yield "links that lead nowhere", _listed(gap.dangling)
    if nearest is not None:
        yield "nearest", f"{place_of(nearest)}: {safe(nearest.text)}"
        yield from _source(nearest)
    if prediction.acts and prediction.acts.yes_no in YES_NO:
        yield "in short", YES_NO[prediction.acts.yes_no]
    if prediction.acts and prediction.acts.follow_up and answer.kind is not AnswerKind.NONE:
        yield "more to ask", FOLLOW_UP[prediction.acts.follow_up]


def _source(quote: Quote) -> Iterator[tuple[str, str]]:
    if line := source_line(quote):
        yield "source", line


def show_steps(steps: Sequence[Step]) -> None:
    """What was done, step by step, the best candidates of each."""
    for number, step in enumerate(steps, 1):
        lead = f"step {number}: "
        say_hanging(lead, f"{step.stage}, {step.milliseconds:.0f} ms: {safe(step.message)}")
        for candidate in step.candidates[:SHOWN_CANDIDATES]:
            say_hanging(f"  {'*' if candidate.chosen else '-'} ", _candidate(candidate))
        if (more := len(step.candidates) - SHOWN_CANDIDATES) > 0:
            say(f"    and {more} more")


def _candidate(candidate: Candidate) -> str:
    where = " › ".join(candidate.section or ((candidate.title,) if candidate.title else ()))
    text = candidate.text if len(candidate.text) <= 80 else candidate.text[:79] + "…"
    parts = [f"{candidate.score:.2f}", where, f"“{text}”" if text else ""]
    shown = "  ".join(safe(part) for part in parts if part)
    return shown + ("  (not there)" if candidate.dangling else "")


def _listed(places: Sequence[str]) -> str:
    shown = "; ".join(safe(place) for place in places[:SHOWN_PLACES])
    more = len(places) - SHOWN_PLACES
    return shown + (f"; and {more} more" if more > 0 else "")


def _facts_of_others(others: Sequence[Alternative], degree: Degree) -> Iterator[tuple[str, str]]:
    """Their names differ from those of the answer's facts, so that a script can tell them apart."""
    for other in others:
        yield REJECTED if degree is Degree.NONE else "alternative", safe(other.answer.text)
        if other.answer.expression:
            yield "its expression", safe(other.answer.expression)
        yield "its confidence", f"{other.confidence:.2f}"
        for quote in other.quotes:
            yield "its evidence", marked_line(quote)
            for name, value in _source(quote):
                yield f"its {name}", value


def _show_in_colour(
    result: Result, nearest: Quote | None, alternatives: Sequence[Alternative]
) -> None:
    from rich.padding import Padding
    from rich.text import Text

    console = console_for_results()
    if result.read_as:
        console.print(Text(f"read as: {safe(result.read_as)}", "dim"))
    console.print(_headline(result))
    for quote in result.quotes:
        print_quote(console, quote, indent=2, above=1)
    shown = {"read as", "answer", "degree", "expression", "confidence", "evidence", "source"}
    others = [(name, Text(value)) for name, value in facts(result, nearest) if name not in shown]
    if nearest is not None and nearest.place is not None:
        others.append(("source", linked(nearest.place)))
    if others:
        console.print()
    for name, value in others:
        console.print(Padding(Text.assemble((f"{name}  ", "dim"), value), (0, 0, 0, 2)))
    if alternatives:
        _show_others(console, alternatives, result.degree)
    console.print()


def _show_others(console: Console, others: Sequence[Alternative], degree: Degree) -> None:
    from rich.padding import Padding
    from rich.text import Text

    title = REJECTED if degree is Degree.NONE else "other answers that were considered"
    console.print(Padding(Text(f"{title}:", "dim"), (1, 0, 0, 2)))
    for other in others:
        line = Text(safe(other.answer.text), "bold")
        if other.answer.expression:
            line.append(f"  = {safe(other.answer.expression)}", "not bold")
        line.append(_sureness(other.confidence), "not bold dim")
        console.print(Padding(line, (1, 0, 0, 4)))
        for quote in other.quotes:
            print_quote(console, quote, indent=6)


def _headline(result: Result) -> Text:
    from rich.text import Text

    answer, style = result.answer, STYLES[result.degree]
    line = Text()
    if result.degree is Degree.PROBABLE:
        line.append("probably ", style)
    line.append("No answer" if result.degree is Degree.NONE else safe(answer.text), f"bold {style}")
    if answer.expression:
        line.append(f"  = {safe(answer.expression)}", style)
    if result.confidence is not None:
        line.append(_sureness(result.confidence), "dim")
    return line


def _sureness(confidence: float) -> str:
    return f"   {100 * confidence:.0f} % sure"
