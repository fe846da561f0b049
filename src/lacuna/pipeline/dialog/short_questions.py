"""Short questions, "Why?", "Since when?", "What else?": the last one, asked for something else."""

from __future__ import annotations

import re
from dataclasses import replace

from lacuna.pipeline.dialog.memory import SpokenTurn
from lacuna.pipeline.dialog.phrases import phrases_of
from lacuna.pipeline.dialog.questions import QuestionShape
from lacuna.pipeline.dialog.verbs import base_form, helper_of, looks_participle, participle
from lacuna.pipeline.dialog.words import (
    ADVERBS,
    BE,
    PREPOSITIONS,
    PlacedWord,
    is_plural,
    words_of,
)
from lacuna.types import AnswerKind

LONGEST = 8
"""Words of an answer that a question can take up."""
ARGUMENTS = frozenset(("who", "whom", "what", "which", "whose"))
ELSE = re.compile(r"\b(?:else|any others?|any more)\b", re.IGNORECASE)
TAKES = re.compile(r"^(?P<asked>how (?:long|much time) does it take)\s*\??$", re.IGNORECASE)
DOING = re.compile(r"^(?:I|you|we|one) (?P<what>.+)$")
SAYING = re.compile(
    r"\b(?:decided?|says?|said|claims?|claimed|thinks?|thought|knows?|knew|shows?|showed) that"
    r"\s*\??$"
)
WHAT_IS = re.compile(r"^what (?P<be>is|are) (?:that|this|those|these)\s*\??$", re.IGNORECASE)
NAMING = 4
"""Words of an answer that can be a name for something."""
NOT = {
    "do": "don't", "does": "doesn't", "did": "didn't", "is": "isn't", "are": "aren't",
    "was": "wasn't", "were": "weren't", "has": "hasn't", "have": "haven't", "had": "hadn't",
    "must": "mustn't", "can": "can't", "could": "couldn't", "should": "shouldn't",
    "would": "wouldn't", "will": "won't",
}  # fmt: skip


def asks_for_more(question: str) -> bool:
    """Whether it is "What else?", "Anyone else?" and no more.

    >>> asks_for_more("And who else?"), asks_for_more("Who else lived in Sundby?")
    (True, False)
    """
    return bool(ELSE.search(question)) and len(question.split()) <= 3


def ask_for_more(last: SpokenTurn) -> str:
    """The last question, for what its answer left out; "" where it asked for no name.

    >>> from lacuna.pipeline.dialog.questions import shape_of
    >>> ask_for_more(SpokenTurn(shape_of("Which towns lie on the Orm?"), None, ()))
    'Which other towns lie on the Orm?'
    """
    shape = last.shape
    if shape.wh in ("which", "what", "whose") and shape.noun:
        return replace(shape, asking=f"{shape.wh} other {shape.noun}").text
    if shape.wh in ("who", "whom", "what", "where"):
        if "else" in shape.asking.split():
            return shape.text
        return replace(shape, asking=f"{shape.asking} else").text
    return ""


def ask_again(short: QuestionShape, last: SpokenTurn) -> str:
    """The last question, asking for what the short one asks for; "" where that is not possible."""
    shape = last.shape
    asking = re.sub(r" (?:not|so|then)$", "", short.asking)
    if short.wh in ARGUMENTS and not short.noun and not short.preposition:
        return ""  # "Who?" may be anyone in the last question
    if shape.rest.startswith("there "):
        return ""
    if shape.auxiliary in BE and not _has_subject(shape):
        return _of_unnamed(replace(short, asking=asking), last)
    if shape.auxiliary:
        return _of_clause(replace(short, asking=asking), last)
    if shape.wh:
        return _of_subject(replace(short, asking=asking), last)
    return ""


def _of_clause(short: QuestionShape, last: SpokenTurn) -> str:
    """Of "When was the bridge opened?", "Does it support links?", "What is the default port?"."""
    shape = last.shape
    auxiliary = shape.auxiliary
    refused = last.answer is not None and last.answer.kind is AnswerKind.NO
    if refused and short.wh == "why" and not shape.asking:
        auxiliary = NOT.get(auxiliary, auxiliary)
    said = _taken_up(short, last)
    if not said and shape.wh in ARGUMENTS | {"how"} and auxiliary in BE and _is_bare(shape):
        return ""  # "Why is the port?" asks nothing as long as the port is not known
    if said and shape.wh in ("who", "whom") and auxiliary in BE:
        rest = f"{said} {shape.rest}"
    else:
        rest = f"{shape.rest} {said}".strip()
    return replace(short, auxiliary=auxiliary, rest=rest).text


def _taken_up(short: QuestionShape, last: SpokenTurn) -> str:
    """The last answer, where the short question is about it as well as about the last question."""
    shape, said = last.shape, _short_answer(last)
    if not said or shape.wh in ("", "when"):
        return ""
    reason = short.wh in ("why", "how") and len(short.asking.split()) == 1
    lasting = short.preposition in ("since", "until") or reason
    if shape.wh == "where":
        placed = said if said.split()[0].lower() in PREPOSITIONS else f"in {said}"
        return placed if short.wh == "why" else ""
    if shape.preposition:
        return f"{shape.preposition} {said}" if short.wh == "why" else ""
    if shape.wh == "how" and short.wh not in ("why", "when"):
        return ""
    if short.noun and shape.noun:
        return ""  # "How many eggs? – And how much sugar?"
    if shape.wh in ARGUMENTS and shape.auxiliary not in BE:
        return said
    return said if lasting else ""


def _of_subject(short: QuestionShape, last: SpokenTurn) -> str:
    """Of "Who wrote the book?": with its answer as the one who did, or of the book alone."""
    before, verb, after = _verb_of(last.shape.rest)
    if verb is None:
        return ""
    if short.noun and last.shape.noun:
        return replace(short, rest=last.shape.rest).text
    if said := _short_answer(last):
        parts = (said, before, base_form(verb.text), after)
        rest = " ".join(part for part in parts if part)
        several = is_plural(said) or " and " in said
        helper = helper_of(verb.text)
        helper = "do" if helper == "does" and several else helper
        return replace(short, auxiliary=helper, rest=rest).text
    first = after.split()[0].lower() if after else ""
    if not after or first in PREPOSITIONS:
        return ""
    helper = "was" if helper_of(verb.text) == "did" else "is"
    helper = {"was": "were", "is": "are"}[helper] if is_plural(after) else helper
    done = " ".join(part for part in (after, before, participle(verb.text)) if part)
    return replace(short, auxiliary=helper, rest=done).text


def _of_unnamed(short: QuestionShape, last: SpokenTurn) -> str:
    """Of "Which languages are spoken there?": with its answer, or its noun, as the subject."""
    subject = _short_answer(last) or (f"the {last.shape.noun}" if last.shape.noun else "")
    if not subject:
        return ""
    return replace(short, auxiliary=last.shape.auxiliary, rest=f"{subject} {last.shape.rest}").text


def _has_subject(shape: QuestionShape) -> bool:
    """Whether something stands between "was" and what is said of it."""
    words = words_of(shape.rest)
    if not words or shape.wh not in ARGUMENTS:
        return True
    first = next((word for word in words if word.lower not in ADVERBS), words[0])
    return not (looks_participle(first.text) or first.lower in PREPOSITIONS)


def _is_bare(shape: QuestionShape) -> bool:
    """Whether all that follows "is" is a subject."""
    subjects = [phrase for phrase in phrases_of(shape) if phrase.subject]
    return bool(subjects) and subjects[0].end == len(shape.rest)


def _verb_of(rest: str) -> tuple[str, PlacedWord | None, str]:
    """The adverbs before the verb, the verb, and what follows it.

    >>> before, verb, after = _verb_of("first climbed Mount Arrel")
    >>> before, verb.text, after
    ('first', 'climbed', 'Mount Arrel')
    """
    words = words_of(rest)
    adverb = [word.lower in ADVERBS or word.lower.endswith("ly") for word in words]
    if not words or all(adverb):
        return "", None, ""
    verb = words[adverb.index(False)]
    return rest[: verb.start].strip(), verb, rest[verb.end :].strip()


def _short_answer(last: SpokenTurn) -> str:
    text = last.answer_text
    return text if 0 < len(text.split()) <= LONGEST else ""


def how_long_it_takes(question: str, last: SpokenTurn) -> str:
    """ "How long does it take?" after "How do I knead the dough?"; "" for other questions.

    >>> from lacuna.pipeline.dialog.questions import shape_of
    >>> last = SpokenTurn(shape_of("How do I knead the dough?"), None, ())
    >>> how_long_it_takes("How long does it take?", last)
    'How long does it take to knead the dough?'
    """
    found, doing = TAKES.match(question), DOING.match(last.shape.rest)
    if not found or not doing or last.shape.wh != "how" or not last.shape.auxiliary:
        return ""
    return f"{found['asked']} to {doing['what']}?"


def with_what_was_said(question: str, last: SpokenTurn) -> str:
    """ "Who decided that?" with what the last question and its answer say; "" for others."""
    shape, said = last.shape, _short_answer(last)
    if not SAYING.search(question) or shape.auxiliary not in BE or not said:
        return ""
    if shape.wh in ("", "when", "where", "why"):
        return ""
    parts = (said, shape.rest) if shape.wh in ("who", "whom") else (shape.rest, said)
    return f"{question.rstrip('? ')} {parts[0]} {shape.auxiliary} {parts[1]}?"


def what_the_answer_is(question: str, last: SpokenTurn) -> str:
    """ "What is that?" of what the last answer named; "" for other questions."""
    said = last.answer_text
    found = WHAT_IS.match(question)
    if not found or not 0 < len(said.split()) <= NAMING or said[0].isdigit():
        return ""
    return f"What {found['be']} {said}?"
