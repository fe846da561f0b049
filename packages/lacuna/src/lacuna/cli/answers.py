"""How an answer is shown: laid out on a terminal, one labelled line a fact in a pipe."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from textwrap import shorten
from typing import TYPE_CHECKING

from lacuna.cli.console import UNSAFE, console_for_results, safe, safe_same_length, say, say_hanging
from lacuna.pipeline.result import Degree
from lacuna.types import AnswerKind, FollowUp, YesNo

if TYPE_CHECKING:
    from collections.abc import Sequence

    from rich.console import Console
    from rich.text import Text

    from lacuna.corpus.store import Store
    from lacuna.models.gapqa.gapqa_reader import ScoredChoice
    from lacuna.models.gapqa.relations import Statement
    from lacuna.models.gapqa.rows import KnowledgeLine
    from lacuna.pipeline.gapqa import ChoiceResult
    from lacuna.pipeline.result import Alternative, Candidate, Quote, Result, Step
    from lacuna.places import Place
    from lacuna.retrieve.registry import Hit


OPENED = ("http://", "https://", "file://", "obsidian://")
"""What a terminal may be asked to open."""


def place_of_hit(store: Store, hit: Hit) -> Place | None:
    """Where the first of the words that were searched for stands in its file, if that is known."""
    origin = store.document(hit.title).origin
    if origin is None:
        return None
    marks = hit.snippet.marks if hit.snippet else ()
    return origin.at(marks[0].start if marks else hit.start)


def linked(place: Place, style: str = "") -> Text:
    """The place in words; a terminal that can makes it a link."""
    from rich.style import Style
    from rich.text import Text

    can_be_opened = place.url.startswith(OPENED) and not UNSAFE.search(place.url)
    target = Style(link=place.url) if can_be_opened else Style()
    return Text(safe(str(place)), Style.parse(style) + target)


MARK = "«", "»"


def place_of(quote: Quote) -> str:
    """Document › section."""
    path = quote.section or (quote.document,)
    named = path if path[0] == quote.document else (quote.document, *path)
    return " › ".join(safe(part) for part in named)


def marked_line(quote: Quote) -> str:
    """Where it stands, and the quote with marks around what the answer was taken from."""
    text = safe_same_length(quote.text)
    for mark in sorted(quote.marks, reverse=True):
        start, end = mark.start - quote.start, mark.end - quote.start
        text = text[:start] + MARK[0] + text[start:end] + MARK[1] + text[end:]
    return f"{place_of(quote)}: {' '.join(text.split())}"


def source_line(quote: Quote) -> str:
    """Its place in its file; "" where that is not known."""
    return "" if quote.place is None else safe(str(quote.place))


def print_quote(console: Console, quote: Quote, *, indent: int, above: int = 0) -> None:
    """The quote and where it stands, below ``above`` empty lines and ``indent`` columns in."""
    from rich.padding import Padding
    from rich.text import Text

    text = Text(safe_same_length(quote.text))
    for mark in quote.marks:
        text.stylize("bold yellow", mark.start - quote.start, mark.end - quote.start)
    console.print(Padding(text, (above, 0, 0, indent)))
    console.print(Padding(_cited(quote), (0, 0, 0, indent)))


def _cited(quote: Quote) -> Text:
    from rich.text import Text

    line = Text(f"— {place_of(quote)}" + (", by a link" if quote.followed else ""), "cyan")
    if quote.place is not None:
        line.append("  ").append_text(linked(quote.place))
    return line


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
    for name, value in facts(result, nearest, perhaps=not others):
        say(f"{name}: {value}")
    for name, value in _facts_of_others(others, result.degree):
        say(f"{name}: {value}")


def facts(
    result: Result, nearest: Quote | None = None, *, perhaps: bool = True
) -> Iterator[tuple[str, str]]:
    """What there is to say of a result, in order, as names and values on one line each."""
    answer, prediction = result.answer, result.prediction
    if result.read_as:
        yield "read as", safe(result.read_as)
    yield "answer", safe(answer.text)
    if result.degree is Degree.PROBABLE:
        yield "degree", result.degree.value
    if result.advice:
        yield "advice", safe(result.advice)
    if answer.expression:
        yield "expression", safe(answer.expression)
    if prediction.confidence is not None:
        yield "confidence", f"{prediction.confidence:.2f}"
        if not result.measured:
            yield "measured", "no, the model says so itself"
    for quote in result.quotes:
        yield "nearest" if result.advice else "evidence", marked_line(quote)
        yield from _source(quote)
    if perhaps and (best := result.perhaps) is not None:
        yield "perhaps", safe(best.answer.text)
        yield "its confidence", f"{best.confidence:.2f}"
        if line := next(filter(None, map(source_line, best.quotes)), ""):
            yield "its source", line
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
    shown = {
        "read as", "answer", "degree", "advice", "expression", "confidence", "measured",
        "evidence", "source",
    }  # fmt: skip
    told = () if result.advice else facts(result, nearest, perhaps=not alternatives)
    others = [(name, Text(value)) for name, value in told if name not in shown]
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
    if result.advice:
        return Text(safe(result.advice), style)
    line = Text()
    if result.degree is Degree.PROBABLE:
        line.append("probably ", style)
    line.append("No answer" if result.degree is Degree.NONE else safe(answer.text), f"bold {style}")
    if answer.expression:
        line.append(f"  = {safe(answer.expression)}", style)
    if result.confidence is not None:
        line.append(_sureness(result.confidence, measured=result.measured), "dim")
    return line


def _sureness(confidence: float, *, measured: bool = True) -> str:
    sure = f"   {100 * confidence:.0f} % sure"
    return sure if measured else f"{sure}, says the model; not measured"


SHOWN_LINES = 5
LONGEST = 120
"""Characters of a text that is shown again."""


def show_choice(result: ChoiceResult) -> None:
    """The choice, the key span, the relation, the filled gap, and what it rests on."""
    if sys.stdout.isatty():
        _show_choice_in_colour(result)
    else:
        for name, value in choice_facts(result):
            say(f"{name}: {value}")


def choice_facts(result: ChoiceResult) -> Iterator[tuple[str, str]]:
    """What there is to say of a result, in order, as names and values on one line each."""
    chosen = result.chosen
    yield "answer", _choice(chosen)
    if result.prediction.confidence is not None:
        yield "confidence", f"{result.prediction.confidence:.2f}"
    start, end = result.key_span.start, result.key_span.end
    fact = safe_same_length(result.fact)
    marked = fact[:start] + MARK[0] + fact[start:end] + MARK[1] + fact[end:]
    yield "fact", " ".join(marked.split())
    if chosen.filling is not None:
        yield "relation", _relation(chosen.filling)
    yield from _gap(chosen)
    yield from (("knowledge", line) for line in _knowledge(chosen))


def show_trace(result: ChoiceResult) -> None:
    """What was done, step by step; at the end every choice with its scores and its gap."""
    show_steps(result.steps[:-1])  # the last one ranks the choices
    say(f"choices, {result.milliseconds:.0f} ms:")
    for scored in result.choices:
        mark = "*" if scored is result.chosen else "-"
        shown = f"{scored.probability:.2f}  {_choice(scored)}  {_scores(scored)}"
        say_hanging(f"  {mark} ", shown)


def _relation(filling: Statement) -> str:
    part = "" if filling.about == 1 else " (of a part of the words)"
    return f"{filling.direction.name}{part}"


def _gap(scored: ScoredChoice) -> Iterator[tuple[str, str]]:
    """How the key span and a choice are related; nothing for a model without knowledge."""
    from lacuna.models.gapqa.gapqa_reader import missing_relation

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
        yield f"{safe(line.text)} ({_knowledge_source(line)})"
    if (more := len(knowledge) - SHOWN_LINES) > 0:
        yield f"and {more} more; --json shows all"


def _knowledge_source(line: KnowledgeLine) -> str:
    return ", ".join(part for part in (str(line.kind), safe(line.source)) if part)


def _show_choice_in_colour(result: ChoiceResult) -> None:
    from rich.padding import Padding
    from rich.text import Text

    console = console_for_results()
    chosen = result.chosen
    headline = Text(_choice(chosen), "bold green")
    if result.prediction.confidence is not None:
        headline.append(f"   {100 * result.prediction.confidence:.0f} % sure", "dim")
    console.print(headline)
    fact = Text(safe_same_length(result.fact))
    fact.stylize("bold yellow", result.key_span.start, result.key_span.end)
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
