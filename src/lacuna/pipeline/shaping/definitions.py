"""The clause that says what something is or does, where only a word of it was found."""

from __future__ import annotations

import re

from lacuna.pipeline.shaping.expected_kind import ExpectedKind, expected_kind
from lacuna.pipeline.shaping.surroundings import sentence_at
from lacuna.text import content_stems
from lacuna.types import Answer, AnswerKind, Document, Evidence, Span

FEW_WORDS = 4
"""An answer of more words says enough by itself."""
MOST_WORDS = 25

_WHAT_IT_IS = re.compile(
    r"\s(?:is|are|was|were|means?|refers? to|denotes?|stands? for|(?:is|are) (?:called|defined as))"
    r"\s(?=\S)|\s[-–—]\s|: "
)
_IT_DOES = re.compile(
    r"\s(?=(?!(?:its|this|is|was|has|does|as|us|always|thus|besides|perhaps)\b)[a-z]{2,}(?<!s)s\s"
    r"(?:[a-z]|[\"'“‘A-Z]))"
)
_IN_BETWEEN = re.compile(r"\([^()]*\)|, [^,]*,|\s+")
_SUBJECT = re.compile(
    r"what(?:['’]s| is| are| was| were| does| do| did)? (?P<subject>.+?)"
    r"(?: (?:do|mean|stand for|refer to|represent|used for|for|about|good for))?\W*$"
    r"|(?:define|explain|describe|who (?:is|was)) (?P<other>.+?)\W*$",
    re.IGNORECASE,
)
_OF_THE = re.compile(
    r"(?:meant by|the (?:purpose|role|function|meaning|definition|idea|point|task|goal|aim"
    r"|job) of) ",
    re.IGNORECASE,
)
_CLAUSE_ENDS = re.compile(
    r"; | [–—] |: |, (?:and|but|so|while|although|whereas) (?=(?:it|they|he|she|this|these|the)\b)"
    r"|\.\s"
)
_SOFT_ENDS = re.compile(r", |\s\(")
_ANAPHORA = re.compile(r"\W*(?:it|this|these|they)\b", re.IGNORECASE)


def defining_clause(question: str, answer: Answer, document: Document) -> Answer | None:
    """The clause after "X is", "X -" or "X:" of the sentence that an answer was found in.

    None where no definition is asked for, the answer says enough by itself, or its sentence does
    not define what was asked for.
    """
    if expected_kind(question) is not ExpectedKind.DEFINITION or answer.kind is not AnswerKind.SPAN:
        return None
    if len(answer.texts[0].split()) > FEW_WORDS or not answer.found_at:
        return None
    place = answer.found_at[0]
    if place.document != document.title or place.end > len(document.text):
        return None
    subject = asked_subject(question)
    sentence = sentence_at(document, place.start)
    clause = _clause(document, sentence, subject)
    if clause is None:
        return None
    text = document.text[clause.start : clause.end]
    if len(text.split()) <= len(answer.texts[0].split()):
        return None
    return Answer.span(text, Evidence(document.title, clause.start, clause.end))


def asked_subject(question: str) -> str:
    """What a question wants explained.

    >>> asked_subject("What does the cron daemon do?"), asked_subject("What is a sextant?")
    ('the cron daemon', 'a sextant')
    """
    match = _SUBJECT.match(question.strip())
    subject = (match["subject"] or match["other"]) if match else ""
    return _OF_THE.sub("", subject).strip(" \"'“”‘’`")


def _clause(document: Document, sentence: Span, subject: str) -> Span | None:
    """What is said of a subject in a sentence that begins with it."""
    text = document.text
    wanted = set(content_stems(subject))
    if not wanted or sentence.end <= sentence.start:
        return None
    known = set(content_stems(document.title))
    for cut in sorted(
        [
            *_WHAT_IT_IS.finditer(text, sentence.start, sentence.end),
            *_IT_DOES.finditer(text, sentence.start, sentence.end),
        ],
        key=lambda match: match.start(),
    ):
        before = text[sentence.start : cut.start()]
        named = set(content_stems(_IN_BETWEEN.sub(" ", before)))
        about_title = _ANAPHORA.fullmatch(before) and wanted <= known
        # The subject alone stands before the verb: else the sentence is about something else.
        if (wanted <= named and len(named) <= len(wanted) + 2) or about_title:
            return _to_its_end(text, Span(cut.end(), sentence.end))
        if len(named) > len(wanted) + 4:
            return None
    return None


def _to_its_end(text: str, rest: Span) -> Span | None:
    end = _CLAUSE_ENDS.search(text, rest.start + 1, rest.end)
    stop = end.start() if end else rest.end
    if len(text[rest.start : stop].split()) > MOST_WORDS:
        soft = [
            match.start()
            for match in _SOFT_ENDS.finditer(text, rest.start + 1, stop)
            if 3 <= len(text[rest.start : match.start()].split()) <= MOST_WORDS
        ]
        if not soft:
            return None
        stop = soft[-1]
    clause = text[rest.start : stop]
    stop = rest.start + len(clause.rstrip(" \n.,;:!?"))
    return Span(rest.start, stop) if stop > rest.start else None
