"""Questions from manuals: "Use @help to call the team." answers "How do I call the team?"."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from functools import partial

from lacuna.pipeline.suggesting.sentence_questions import plain_sentences
from lacuna.types import Document, Span

_POINTING = re.compile(
    r"\b(?:this|that|these|those|them|their|its?|they|such|so|here|above|below|following)\b", re.I
)
_ME = re.compile(r"\byour\b")
_YOU = r"(?:you can |you need to |you must |you should |simply |please |just |we |then )?"
_DO = (
    r"(?:use|run|add|set|call|click|press|type|write|enter|contact|send|open|select|choose|specify"
    r"|pass|email|put|create|include)"
)
_TASK = r"(?:instead |also |sometimes |then )?(?P<task>(?!be |do )[a-z]+ [^,.;:()]{6,60}?)"
_GOALS = (
    re.compile(rf"To {_TASK}, {_YOU}{_DO}\b"),
    re.compile(rf"If you (?:want|need|wish|would like) to {_TASK}, {_YOU}{_DO}\b"),
)
_MEANS = (
    re.compile(rf"(?:You|We) can {_TASK} by [a-z]+ing\b"),
    re.compile(rf"(?:Use|Run|Call|Specify) (?P<with>[^.;:,]{{2,40}}?) to {_TASK}(?:[.,;:(]|$)"),
)
_NUMBER = r"(?:about |some |up to |at least |at most )?\d[\d,.]* (?P<unit>[a-z]+s)\b"
_SUBJECT = r"(?P<subject>[A-Z][\w’'-]*(?: [\w’'-]+){0,5}?)"
_WITHIN = re.compile(
    rf"{_SUBJECT} (?P<must>must|should|shall|will|may|can) (?P<act>[a-z]+[^,.;:()]{{0,60}}?) "
    rf"within {_NUMBER}"
)
_ENTITLED = re.compile(
    rf"{_SUBJECT} (?P<verb>are|is) (?P<how>[a-z]+ to) {_NUMBER} (?P<of>of [^,.;:()]{{4,40}}?)"
    r"(?: per\b| a\b| each\b|[.,;:(])"
)
_DEFAULT = re.compile(r"The default (?P<what>(?!is\b|for\b)[\w-]+(?: [\w-]+){0,4}?) is ")
_DEFAULTS_TO = re.compile(r"(?P<subject>(?:The )?[\w.-]*\w[\w.-]*(?: [\w.-]+){0,3}?) defaults to ")


def goals(document: Document) -> Iterator[tuple[str, Span]]:
    """Questions for how to do something, from sentences that begin with it."""
    return _tasks(document, _GOALS)


def means(document: Document) -> Iterator[tuple[str, Span]]:
    """The same, from sentences that begin with what to do it with."""
    return _tasks(document, _MEANS)


def _tasks(document: Document, patterns: Sequence[re.Pattern[str]]) -> Iterator[tuple[str, Span]]:
    for text, place in plain_sentences(document):
        for pattern in patterns:
            match = pattern.match(text)
            if match and not _POINTING.search(text[: match.end("task")]):
                yield f"How do I {_ME.sub('my', match['task'])}?", place
                break


def amounts(document: Document) -> Iterator[tuple[str, Span]]:
    """Questions for a number that a rule names."""
    for text, place in plain_sentences(document):
        inside = partial(_inside, document=document)
        if (match := _WITHIN.match(text)) and not _POINTING.search(match[0]):
            subject = inside(match["subject"])
            yield (
                f"Within how many {match['unit']} {match['must']} {subject} {match['act']}?",
                place,
            )
        elif (match := _ENTITLED.match(text)) and not _POINTING.search(match[0]):
            subject = inside(match["subject"])
            yield (
                f"How many {match['unit']} {match['of']} {match['verb']} {subject} {match['how']}?",
                place,
            )


def defaults(document: Document) -> Iterator[tuple[str, Span]]:
    """Questions for what is taken where nothing is said."""
    for text, place in plain_sentences(document):
        if (match := _DEFAULT.match(text)) and not _POINTING.search(match[0]):
            yield f"What is the default {match['what']}?", place
        elif (match := _DEFAULTS_TO.match(text)) and not _POINTING.search(match[0]):
            yield f"What does {_inside(match['subject'], document)} default to?", place


def _inside(subject: str, document: Document) -> str:
    """A subject as it stands inside a sentence: only what is a name keeps its capital."""
    first = subject.split()[0]
    is_name = re.search(rf"[a-z,] {re.escape(first)}\b", document.text)
    return subject if is_name else first.lower() + subject[len(first) :]
