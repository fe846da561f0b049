"""What is typed and asks for no fact: a greeting, a wish for a summary, another language."""

from __future__ import annotations

import re

from lacuna.english import AUXILIARIES, WH
from lacuna.models.reader.reader import ModelReader
from lacuna.models.registry import Reader
from lacuna.pipeline.query import Query
from lacuna.pipeline.result import Quote, Result
from lacuna.pipeline.stages import LONGEST_NEAREST, quote
from lacuna.pipeline.state import Components
from lacuna.types import Answer, Document, Prediction, Span

_ASK_FOR_ONE = "Ask for one: who, when, where, which, how many, or whether something is so."
HOW_TO_ASK = f"Lacuna finds facts in these documents, and quotes them. {_ASK_FOR_ONE}"
NO_SUMMARIES = (
    "The built-in reader writes no summaries or other texts; it finds facts, and quotes them. "
    + _ASK_FOR_ONE
)
ENGLISH_ONLY = (
    f"The built-in reader understands English only; it finds facts, and quotes them. {_ASK_FOR_ONE}"
)

_WORD = re.compile(r"[^\W\d_]+(?:['’][^\W\d_]+)*")
_GREETINGS = frozenset(
    """
    hello hi hey hiya howdy greetings thanks thank thx cheers bye goodbye ok okay great cool
    awesome perfect wonderful excellent nice fine morning afternoon evening welcome
    """.split()  # noqa: SIM905 - a list of quoted words would fill a page
)
_AROUND_THEM = frozenset(
    """
    a again all and for good got help helpful it lacuna lot me much no now one please same see so
    that that's the then there this time to very well you your
    """.split()  # noqa: SIM905
)
_LONGEST_GREETING = 7
"""Words; what is longer says something."""
_WHAT_IT_CAN = re.compile(
    r"(?:so |and |please )?(?:"
    r"what (?:can|could) you (?:do|answer|know|help)(?: (?:with|me|us|for|here))*"
    r"|what do you (?:know|answer|offer)|what (?:can|could|should|may) (?:i|we) ask"
    r"(?: (?:you|here|about|for))*|(?:who|what) are you|what(?:'s| is) lacuna"
    r"|how (?:do|does) (?:you|lacuna) work|how (?:can|could) you help(?: (?:me|us))?"
    r"|how (?:can|do) (?:i|we) use (?:you|lacuna)|help(?: me)?"
    r"|(?:can|could|will|would) you (?:please )?help(?: me| us)?)"
)
_TEXT_TO_WRITE = re.compile(
    r"(?:(?:please|and|now|ok|okay|just|can|could|would|will|you|lacuna) )*"
    r"(?:summari[sz]e\b|sum up\b|tl ?dr\b|paraphrase\b|rephrase\b|translate\b"
    r"|(?:give|write|make|draft|compose|show|create|provide|get|send|i|we)"
    r"(?: (?:me|us|need|want|would|like))* (?:an?|the|some|your)"
    r" (?:\w+ ){0,2}(?:summary|summaries|overview|outline|abstract|synopsis|essay|e?mail|letter"
    r"|poem|story|article|report|translation)\b)"
)
_ASKED_ABROAD = frozenset(
    """
    wie wann wer wo warum wieso welche welcher welches wieviel wieviele wurde wurden ist sind hat
    haben gibt combien quand qui que quel quelle quels quelles où pourquoi comment est sont qu'est
    est-ce qué quién cuándo cuánto cuántos cuántas dónde cuál cómo es son fue tiene hay quando
    quanto quanti quante chi cosa dove perché quale come è sono foi quem qual onde quantos quantas
    são wanneer hoeveel waar waarom welke hoe wie zijn heeft werd
    """.split()  # noqa: SIM905
)
_SMALL_ABROAD = _ASKED_ABROAD | frozenset(
    """
    was der die das den dem des ein eine einen und von zu mit für auf im ich wir habe man nicht le
    la les un une du de des et à au aux dans pour ai-je je nous il elle el los las una y en por
    para con del al tengo se il lo gli di e in per ho si o os as um uma no na do da em eu het een
    van en ik wij heb voor op
    """.split()  # noqa: SIM905
)
_ONLY_ENGLISH = (WH | AUXILIARIES | {"the", "of", "and", "for", "with", "from", "that", "this"}) - {
    "am", "do", "had", "has", "is", "was", "will",
}  # fmt: skip
"""Words that make a question English; those left out are words of other languages, too."""


def advice_on(text: str, reader: Reader) -> str:
    """One line on what can be asked, where the text asks for no fact; else "".

    What a model of somebody else's can do, such as a language model, is not known here: only a
    greeting is kept from it.
    """
    words = _WORD.findall(text.lower())
    said = " ".join(words)
    if _is_greeting(words) or _WHAT_IT_CAN.fullmatch(said):
        return HOW_TO_ASK
    if isinstance(reader, ModelReader):
        if _TEXT_TO_WRITE.match(said):
            return NO_SUMMARIES
        if _is_foreign(text, words):
            return ENGLISH_ONLY
    return ""


def _is_greeting(words: list[str]) -> bool:
    return (
        0 < len(words) <= _LONGEST_GREETING
        and not _GREETINGS.isdisjoint(words)
        and set(words) <= _GREETINGS | _AROUND_THEM
    )


def _is_foreign(text: str, words: list[str]) -> bool:
    """Tell if it is written in another script, or asks with the words of another language."""
    letters = [char for char in text if char.isalpha()]
    if sum(char > "\u024f" for char in letters) > len(letters) / 2:
        return True
    known = set(words)
    if known & _ONLY_ENGLISH or words[:1] == ["is"]:
        return False
    return bool(known & _ASKED_ABROAD) and len(known & _SMALL_ABROAD) >= 2


NEAREST = 3
"""Passages that come with the advice."""


def advised(query: Query, advice: str, context: Document | None, with_: Components) -> Result:
    """The advice, with the nearest passages where there are words to search for.

    Of a ``context`` it is how it begins.
    """
    quotes: tuple[Quote, ...] = ()
    if advice == HOW_TO_ASK:
        pass
    elif context is not None:
        quotes = (_passage(context, 0, len(context.text)),)
    else:
        hits = with_.retriever.search(_TEXT_TO_WRITE.sub("", query.question.lower()), NEAREST)
        found = ((with_.store.document(hit.title), hit) for hit in hits)
        quotes = tuple(_passage(document, hit.start, hit.end) for document, hit in found)
    return Result(query.question, context, Prediction(Answer.none()), quotes, (), advice=advice)


def _passage(document: Document, start: int, end: int) -> Quote:
    """The sentences that a passage begins with, as many as are read at a glance."""
    ends = [sentence.end for sentence in document.sentences if start < sentence.end <= end]
    short = (at for at in ends if at - start <= LONGEST_NEAREST)
    end = max(short, default=min(start + LONGEST_NEAREST, end))
    return quote(document, Span(start, end))
