"""Names in a text, found by their capitals, and the kind of thing that a question asks for."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable

from lacuna.types import AnswerKind, Question, Span

MONTHS = "January|February|March|April|May|June|July|August|September|October|November|December"
NAME_WORD = r"[A-Z][\w'’.-]*[\w.]"
NAME = re.compile(rf"{NAME_WORD}(?: (?:(?:of|the|de|van|von) )?{NAME_WORD}){{0,4}}")
NO_NAME = re.compile(
    rf"(?:{MONTHS}|The|He|She|It|In|On|At|His|Her|This|They|Its|After|As|A|An|[A-Z])\b(?: \d+)?$"
)
"""Capitalised words that begin a sentence or a date."""
THINGS = re.compile(
    r"\b(?:University|Bank|Company|Party|Awards?|League|Channel|Mountain|Side|City|County|River|House"
    r"|Church|Island|School|College|Band|Records|Studios?|Group|Museum|Football|Cup|Army|War|Street"
    r"|Film|Films|Festival|Theatre|Series|Club|Association|Division|States|Kingdom|Sea|Lake)\b"
)
"""A name with one of these words is not a person's."""
LINKABLE = re.compile(r"[A-Z][\w'’-]*(?: (?:of|the|and|de|von) [A-Z][\w'’-]*| [A-Z][\w'’-]*)*")
"""A name that an encyclopedia might link."""
PERSON = re.compile(r"(?:Who|Whom|Whose)\b", re.IGNORECASE)
OF_KIND = re.compile(
    r"(?:(?:In|On|At|To|From|With|By|For|Of) )?(?:what|which) (?P<noun>[a-z]+)"
    r"(?: (?P<second>[a-z]+))? ",
    re.IGNORECASE,
)
THE_KIND = re.compile(
    r"what (?:is|was|are|were) the (?:name of (?:the )?)?(?P<noun>[a-z]+)(?: (?P<second>[a-z]+))?",
    re.IGNORECASE,
)
WHERE = re.compile(r"where\b", re.IGNORECASE)
VERBS = re.compile(
    r"(?:is|was|are|were|did|does|do|has|had|have|can|could|will|would|the|of|\w+ed)$"
)
VAGUE = frozenset(re.findall(r"\w+", "name names term word type kind thing where other first main"))
"""What is asked for in these words may be anything."""


def other_names(text: str, taken: Collection[Span]) -> list[Span]:
    """All names that overlap none of the given spans: where a link might be.

    >>> [span for span in other_names("Ada met Ellen Voss.", [Span(0, 3)])]
    [Span(start=8, end=18)]
    """
    names = [Span(*match.span()) for match in LINKABLE.finditer(text)]
    return [n for n in names if not any(n.start < t.end and t.start < n.end for t in taken)]


def bare_name(match: re.Match[str]) -> str:
    """The name that was matched, without a possessive ending or closing punctuation."""
    return match.group().removesuffix("'s").rstrip(".'’")


def names_in(text: str) -> dict[str, None]:
    """The names in a text, in their order."""
    names = map(bare_name, NAME.finditer(text))
    return {name: None for name in names if len(name) > 3 and not NO_NAME.match(name)}


def kind_of(question: str) -> str:
    """One word for what is asked for; "" where the question does not say.

    >>> kind_of("In which small town was she born?"), kind_of("Who built it?"), kind_of("Why?")
    ('town', 'who', '')
    """
    if PERSON.match(question):
        return "who"
    if WHERE.match(question):
        return "where"
    match = THE_KIND.match(question) or OF_KIND.match(question)
    if not match or VERBS.match(match["noun"]):
        return ""
    second = match["second"]
    return (match["noun"] if not second or VERBS.match(second) else second).casefold()


def answers_by_kind(questions: Iterable[Question]) -> dict[str, tuple[str, ...]]:
    """The short answers of some questions, each once, by the kind of thing asked for."""
    answers_of: dict[str, dict[str, None]] = {}
    for question in questions:
        kind = kind_of(question.text)
        answers = question.gold.answers if question.gold else ()
        if kind and answers and answers[0].kind is AnswerKind.SPAN:
            text = " ".join(answers[0].text.split())
            if len(text.split()) <= 5:
                answers_of.setdefault(kind, {})[text] = None
    return {kind: tuple(texts) for kind, texts in answers_of.items()}


class NamesByKind:
    """Names that answer some questions, by the kind of thing asked for."""

    def __init__(self, questions: Iterable[Question]) -> None:
        self._by_kind = {
            kind: [name for name in names if NAME.fullmatch(name) and not name.endswith(".")]
            for kind, names in answers_by_kind(questions).items()
            if kind not in VAGUE
        }
        self._kinds: dict[str, set[str]] = {}
        for kind, names in self._by_kind.items():
            for name in names:
                self._kinds.setdefault(name, set()).add(kind)

    def like(self, name: str) -> list[str]:
        """Other names of the same kind; none where a name has several kinds."""
        kinds = self._kinds.get(name, set())
        if len(kinds) != 1:
            return []
        return [
            other for kind in kinds for other in self._by_kind[kind] if self._kinds[other] == kinds
        ]
