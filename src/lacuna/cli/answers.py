"""How an answer is shown: laid out on a terminal, one labelled line a fact in a pipe."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from typing import TYPE_CHECKING

from lacuna.cli.console import safe, safe_same_length
from lacuna.cli.places import linked
from lacuna.types import AnswerKind, FollowUp, YesNo

if TYPE_CHECKING:
    from collections.abc import Sequence

    from rich.text import Text

    from lacuna.pipeline.result import Quote, Result
    from lacuna.pipeline.trace import Candidate, Step

MARK = "«", "»"
SHOWN_PLACES = 6
SHOWN_CANDIDATES = 5
YES_NO = {YesNo.YES: "yes", YesNo.NO: "no"}
FOLLOW_UP = {FollowUp.YES: "yes", FollowUp.MAYBE: "maybe", FollowUp.NO: "no"}


def show(result: Result, *, nearest: Quote | None = None) -> None:
    """The answer, its evidence, or what is missing."""
    if sys.stdout.isatty():
        _show_in_colour(result, nearest)
    else:
        for name, value in facts(result, nearest):
            print(f"{name}: {value}")


def facts(result: Result, nearest: Quote | None = None) -> Iterator[tuple[str, str]]:
    """What there is to say of a result, in order, as names and values on one line each."""
    answer, prediction = result.answer, result.prediction
    yield "answer", safe(answer.text)
    if answer.expression:
        yield "expression", safe(answer.expression)
    if prediction.confidence is not None:
        yield "confidence", f"{prediction.confidence:.2f}"
    for quote in result.quotes:
        yield "evidence", f"{place_of(quote)}: {_marked(quote)}"
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
    if quote.place is not None:
        yield "source", safe(str(quote.place))


def place_of(quote: Quote) -> str:
    """Document › section."""
    path = quote.section or (quote.document,)
    named = path if path[0] == quote.document else (quote.document, *path)
    return " › ".join(safe(part) for part in named)


def show_steps(steps: Sequence[Step]) -> None:
    """What was done, step by step, the best candidates of each."""
    for number, step in enumerate(steps, 1):
        print(f"step {number}: {step.stage}, {step.milliseconds:.0f} ms: {safe(step.message)}")
        for candidate in step.candidates[:SHOWN_CANDIDATES]:
            print(f"  {'*' if candidate.chosen else '-'} {_candidate(candidate)}")
        if (more := len(step.candidates) - SHOWN_CANDIDATES) > 0:
            print(f"    and {more} more")


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


def _marked(quote: Quote) -> str:
    text = safe_same_length(quote.text)
    for mark in sorted(quote.marks, reverse=True):
        start, end = mark.start - quote.start, mark.end - quote.start
        text = text[:start] + MARK[0] + text[start:end] + MARK[1] + text[end:]
    return " ".join(text.split())


def _show_in_colour(result: Result, nearest: Quote | None) -> None:
    from rich.console import Console
    from rich.padding import Padding
    from rich.text import Text

    console = Console(highlight=False)
    console.print(_headline(result))
    for quote in result.quotes:
        text = Text(safe_same_length(quote.text))
        for mark in quote.marks:
            text.stylize("bold yellow", mark.start - quote.start, mark.end - quote.start)
        console.print(Padding(text, (1, 0, 0, 2)))
        console.print(Padding(_cited(quote), (0, 0, 0, 2)))
    shown = {"answer", "expression", "confidence", "evidence", "source"}
    others = [(name, Text(value)) for name, value in facts(result, nearest) if name not in shown]
    if nearest is not None and nearest.place is not None:
        others.append(("source", linked(nearest.place)))
    if others:
        console.print()
    for name, value in others:
        console.print(Padding(Text.assemble((f"{name}  ", "dim"), value), (0, 0, 0, 2)))
    console.print()


def _headline(result: Result) -> Text:
    from rich.text import Text

    answer = result.answer
    none = answer.kind is AnswerKind.NONE
    line = Text()
    line.append("No answer" if none else safe(answer.text), "bold yellow" if none else "bold green")
    if answer.expression:
        line.append(f"  = {safe(answer.expression)}", "green")
    if result.prediction.confidence is not None:
        line.append(f"   {100 * result.prediction.confidence:.0f} % sure", "dim")
    return line


def _cited(quote: Quote) -> Text:
    from rich.text import Text

    line = Text(f"— {place_of(quote)}" + (", by a link" if quote.followed else ""), "cyan")
    if quote.place is not None:
        line.append("  ").append_text(linked(quote.place))
    return line
