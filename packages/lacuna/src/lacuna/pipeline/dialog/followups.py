"""Follow-ups made whole: fragments, short questions, and words that point back."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace

from lacuna.english import (
    ADVERBS,
    ARTICLES,
    AUXILIARIES,
    COMMON,
    CONJUNCTIONS,
    DO,
    PREPOSITIONS,
    PRONOUNS,
    WH,
    YEAR,
    PlacedWord,
    base_form,
    head_of,
    helper_of,
    is_capital,
    is_code,
    is_plural,
    is_time,
    looks_finite,
    looks_participle,
    participle,
    words_of,
)
from lacuna.english import FORMS_OF_BE as BE
from lacuna.pipeline.dialog.mentions import PLACED, UNITS, DialogMemory, SpokenTurn
from lacuna.pipeline.dialog.questions import KindOf, NameKind, QuestionShape, phrases_of, shape_of
from lacuna.types import AnswerKind

SAME_WORD = 3.0
OTHER_WORD = 0.5
SAME_SHAPE = 2.0
SAME_CASE = 1.0
SAME_NUMBER = 0.5
SAME_LENGTH = 0.3


def likeness(one: str, other: str, kind_of: KindOf) -> float:
    """Words that they share, how they are written, and what they name, in one number.

    >>> unknown = {}.get
    >>> likeness("Sweden", "Norway", unknown) > likeness("Sweden", "the meal allowance", unknown)
    True
    """
    ours, theirs = _content(one), _content(other)
    shared = len(ours & theirs)
    score = SAME_WORD * shared - (OTHER_WORD * len(theirs - ours) if shared else 0.0)
    if _way_of_writing(one) == _way_of_writing(other):
        score += SAME_SHAPE
    elif is_capital(_bare(one)) == is_capital(_bare(other)):
        score += SAME_CASE
    kinds = kind_of(_bare(one)), kind_of(_bare(other))
    if None not in kinds:
        same = (kinds[0] is NameKind.OTHER) == (kinds[1] is NameKind.OTHER)
        score += SAME_SHAPE if same else -SAME_SHAPE
    score += SAME_NUMBER * (is_plural(one) == is_plural(other))
    return score + SAME_LENGTH * (_is_long(one) == _is_long(other))


def akin(one: str, other: str) -> bool:
    """Tell if one word is the other with something before it.

    >>> akin("resolved", "unresolved"), akin("raw", "cooked")
    (True, False)
    """
    shorter, longer = sorted((one, other), key=len)
    return len(shorter) > 3 and longer.endswith(shorter)


def _way_of_writing(text: str) -> str:
    """A year, a number, something to type, a name, one thing, several, or neither.

    >>> [_way_of_writing(text) for text in ("2021", "cache_size", "the port of Sund", "otters")]
    ['year', 'code', 'the thing', 'things']
    """
    head = text.split(" of ")[0]
    bare = _bare(head)
    if YEAR.fullmatch(bare):
        return "year"
    if bare[:1].isdigit():
        return "number"
    if is_code(bare):
        return "code"
    if is_capital(bare):
        return "name"
    if head.split()[0].lower() in ARTICLES or "'s " in head:
        return "the thing"
    return "things" if is_plural(bare) else "some"


def _bare(text: str) -> str:
    return re.sub(r"^(?:an?|the|any|some) ", "", text, flags=re.IGNORECASE)


def _content(text: str) -> set[str]:
    return {word.lower.rstrip("s") for word in words_of(_bare(text)) if word.lower != "of"}


def _is_long(text: str) -> bool:
    return len(_bare(text).split()) > 1


ONES = re.compile(r"^(?:the |an? )?(?P<quality>[\w -]+?) ones?$", re.IGNORECASE)
THOSE = re.compile(r"^(?:those|the ones?|that|ones?) (?P<which>\w+ .+)$", re.IGNORECASE)
OWNED = re.compile(r"^(?P<owner>.+)'s .+$")
COUNTED = 0.4
"""So much liker must be what is counted than what the question is about."""


@dataclass(frozen=True, slots=True)
class PutIn:
    """A question with something else in it; ``centre`` is that, where the question is about it."""

    text: str
    centre: str = ""


@dataclass(frozen=True, slots=True)
class _Place:
    """A stretch of a question that something else can take the place of.

    ``whole`` is the phrase that it is a part of; ``counted`` says that it stands in "how many N".
    """

    start: int
    end: int
    text: str
    before: str = ""
    whole: tuple[int, int] = (0, 0)
    counted: bool = False


def put_in(fragment: str, shape: QuestionShape, kind_of: KindOf, known: Iterable[str]) -> PutIn:
    """The question with the fragment in the place of its like; nothing where it has none."""
    words = words_of(fragment)
    places = list(_places(shape, known))
    if words and words[0].lower in PREPOSITIONS | {"of"} and len(words) > 1:
        small = fragment[:1].lower() + fragment[1:]
        return _put_preposition(small, words[0].lower, shape, places)
    if not words or not places:
        return PutIn("")
    if those := THOSE.match(fragment):
        several = [place for place in places if is_plural(place.text)] or places
        text = f"the {head_of(several[0].text)} {those['which']}"
        return PutIn(_put(shape, several[0], text), text)
    if ones := ONES.match(fragment):
        return _put_quality(ones["quality"], shape, places)
    if owned := OWNED.match(fragment):
        of_owner = [place for place in places if place.text.endswith(f" of {owned['owner']}")]
        if of_owner:
            return PutIn(_put(shape, of_owner[0], fragment), fragment)
    if fragment in COMMON and (
        verbs := [word for word in words_of(shape.rest) if word.text in COMMON]
    ):
        start, end = verbs[-1].start, verbs[-1].end
        return PutIn(replace(shape, rest=shape.rest[:start] + fragment + shape.rest[end:]).text)
    best = max(
        places,
        key=lambda place: likeness(fragment, place.text, kind_of) - COUNTED * place.counted,
    )
    return PutIn(_put(shape, best, fragment), _centre(fragment, best, shape))


def _places(shape: QuestionShape, known: Iterable[str]) -> Iterator[_Place]:
    """All phrases, the two parts of those with "of", and the noun of "how many N"."""
    for phrase in phrases_of(shape, known):
        whole = phrase.start, phrase.end
        if UNITS.match(phrase.text):
            continue
        yield _Place(*whole, phrase.text, phrase.before, whole)
        if found := re.search(r" of (?:the )?", phrase.text):
            middle, tail = phrase.start + found.start(), phrase.start + found.end()
            head = shape.rest[phrase.start : middle]
            yield _Place(phrase.start, middle, head, phrase.before, whole)
            yield _Place(tail, phrase.end, shape.rest[tail : phrase.end], phrase.before, whole)
    if shape.noun and not UNITS.match(head_of(shape.noun)):
        yield _Place(0, 0, shape.noun, counted=True)


def _put(shape: QuestionShape, place: _Place, text: str) -> str:
    if place.counted:
        return replace(shape, asking=shape.asking.replace(place.text, text)).text
    return replace(shape, rest=shape.rest[: place.start] + text + shape.rest[place.end :]).text


def _centre(fragment: str, place: _Place, shape: QuestionShape) -> str:
    """All of the phrase that the fragment is now in, unless it only says where or when."""
    if place.counted or place.before in PLACED or is_time(fragment):
        return ""
    start, end = place.whole
    return shape.rest[start : place.start] + fragment + shape.rest[place.end : end]


def _put_preposition(
    fragment: str, preposition: str, shape: QuestionShape, places: list[_Place]
) -> PutIn:
    """In the place of what follows the same preposition, else at the end."""
    rest = shape.rest
    for place in reversed(places):
        before = "" if place.counted else rest[: place.start].rstrip()
        if before.lower().endswith(f" {preposition}"):
            start = len(before) - len(preposition)
            text = replace(shape, rest=rest[:start] + fragment + rest[place.end :]).text
            whole = rest[place.whole[0] : start] + fragment
            return PutIn(text, whole if preposition == "of" else "")
    last = re.search(rf"\b{preposition} [\w.,-]+$", rest)
    kept = rest[: last.start()].rstrip() if last else rest
    return PutIn(replace(shape, rest=f"{kept} {fragment}").text)


def _put_quality(quality: str, shape: QuestionShape, places: list[_Place]) -> PutIn:
    """ "Raw ones": the same things with another word before them."""

    def fits(place: _Place) -> tuple[bool, bool, bool, bool]:
        ours, theirs = quality.lower().split(), place.text.lower().split()
        shared = any(akin(one, other) for one in ours for other in theirs)
        return shared, is_plural(place.text), not place.counted, len(theirs) > 1

    best = max(places, key=fits)
    article = re.match(r"(?:the|an?) ", best.text)
    text = f"{article[0] if article else ''}{quality} {head_of(best.text)}"
    return PutIn(_put(shape, best, text), text)


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
    """Tell if it is "What else?", "Anyone else?" and no more.

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
    """Tell if something stands between "was" and what is said of it."""
    words = words_of(shape.rest)
    if not words or shape.wh not in ARGUMENTS:
        return True
    first = next((word for word in words if word.lower not in ADVERBS), words[0])
    return not (looks_participle(first.text) or first.lower in PREPOSITIONS)


def _is_bare(shape: QuestionShape) -> bool:
    """Tell if all that follows "is" is a subject."""
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


POINTED = re.compile(r"\b(?i:(this|that|these|those)) ([a-z][\w-]*)")
TIME = re.compile(
    r"(?:\b(?P<when>in|on|of|during|at|from|since|until) )?\b(?:this|that|the same) "
    r"(?:year|time|day|month|point)\b|(?<=\w )then(?=\s*\?|$)",
    re.IGNORECASE,
)
ALONE = re.compile(
    r"\b(?P<before>\w+) (?P<that>this|that)(?=\s*\?|\s+(?:\w+ed|made|done|true|the|a|an)\b)",
    re.IGNORECASE,
)
POINTS_AT_NO_NOUN = WH | AUXILIARIES | PREPOSITIONS | PRONOUNS | frozenset(
    ("much", "many", "the", "a", "an", "of", "long", "often", "article", "page", "text",
     "document", "great", "good", "first", "second", "last", "next", "new", "old", "two", "kind",
     "way", "year", "years", "time", "times", "day", "days", "month", "point", "period", "case")
)  # fmt: skip
"""What may follow "that" and is nothing that a dialog speaks of."""
SOMEONE = {"man": NameKind.MAN, "woman": NameKind.WOMAN, "person": NameKind.PERSON}


def points_back(question: str) -> bool:
    """Tell if a question points to what was said before it.

    >>> points_back("How was that received?"), points_back("Is it true that ships sink?")
    (True, False)
    """
    return bool(_nouns(question) or TIME.search(question) or _alone(question))


def fill_times(question: str, memory: DialogMemory) -> str:
    """With the time that was spoken of in the place of "that year" and "then"."""
    time = memory.time()
    if not time:
        return question

    def filled(found: re.Match[str]) -> str:
        if found["when"] is None or found["when"].lower() in ("in", "at", "on"):
            return time
        return f"{found['when']} {re.sub(r'^(?:in|on|during) ', '', time)}"

    return TIME.sub(filled, question)


def fill_pointed(question: str, memory: DialogMemory) -> tuple[str, str]:
    """With what was spoken of in the place of "that parameter" or "that"; and what it is."""
    for found in _nouns(question):
        noun = found[2]
        if noun in SOMEONE:
            filled = name = memory.person(SOMEONE[noun])
        else:
            several = found[1].lower() in ("these", "those")
            name = memory.several() if several else memory.thing()
            filled = _with_noun(name, noun)
        if filled and name and (noun in name.lower() or memory.was_just_said(name)):
            return question[: found.start()] + filled + question[found.end() :], name
    alone = _alone(question)
    name = memory.thing() if alone else ""
    if alone and name:
        start, end = alone.span("that")
        return question[:start] + name + question[end:], name
    return question, ""


def _alone(question: str) -> re.Match[str] | None:
    """ "That", unless it is all that was said: "for that", "called that"."""
    found = ALONE.search(question)
    before = found["before"].lower() if found else ""
    return None if before in PREPOSITIONS | {"of", "called", "do", "did", "regarding"} else found


def _nouns(question: str) -> list[re.Match[str]]:
    """Where "that" goes with the noun after it, not with a clause or a verb."""
    found = []
    for match in POINTED.finditer(question):
        before = words_of(question[: match.start()])
        last = before[-1].lower if before else "of"
        verb = last in DO and match[2] in COMMON
        opened = last in PREPOSITIONS | AUXILIARIES | {"of", "and", "or"} or looks_finite(last)
        if opened and not verb and match[2] not in POINTS_AT_NO_NOUN:
            found.append(match)
    return found


def _with_noun(name: str, noun: str) -> str:
    """ "That lake" is the lake itself where its name says so; "" where it may be another thing.

    >>> _with_noun("Lake Orm", "lake"), _with_noun("the value of cache_size", "parameter")
    ('Lake Orm', 'the parameter cache_size')
    >>> _with_noun("Caddo", "program"), _with_noun("the festival", "band")
    ('the program Caddo', '')
    """
    if noun in name.lower().split():
        return name
    typed = name.rpartition(" of ")[2]
    if is_code(typed):
        return f"the {noun} {typed}"
    return f"the {noun} {name}" if name[:1].isupper() and "'s " not in name else ""


PART = re.compile(
    r"\b(?:version|release|chapter|part|step|section|volume|season|episode|edition|phase|stage) "
    r"[\dIVX][\w.]*(?! of\b)"
)
DEFINITE = re.compile(r"the [a-z][a-z-]*")
UNIQUE = frozenset(
    ("world", "internet", "sun", "moon", "earth", "past", "future", "same", "latter", "former")
)


def completed(question: str, topic: str) -> str:
    """With the topic, where a question leaves it out; as it is where it names something itself.

    >>> completed("When was version 2 released?", "Caddo")
    'When was version 2 of Caddo released?'
    >>> completed("When is the festival?", "Lake Orm")
    'When is the festival of Lake Orm?'
    >>> completed("How deep is the lake?", "Lake Orm")
    'How deep is Lake Orm?'
    >>> completed("How high is Mount Arrel?", "Lake Orm")
    'How high is Mount Arrel?'
    """
    if not (is_capital(topic) or is_code(topic) or topic.startswith("the ")):
        return question
    own = [phrase.text for phrase in phrases_of(shape_of(question))]
    if part := PART.search(question):
        alone = all(part[0] in text for text in own)
        return f"{question[: part.end()]} of {topic}{question[part.end() :]}" if alone else question
    if len(own) != 1 or any(_is_name(text) for text in own):
        return question
    noun = head_of(own[0])
    if not DEFINITE.fullmatch(own[0]) or noun in UNIQUE:
        return question
    same = noun == head_of(topic) or (is_capital(topic) and noun in topic.lower().split())
    if not same and noun in topic.split():
        return question
    return question.replace(own[0], topic if same else f"{own[0]} of {topic}", 1)


def _is_name(text: str) -> bool:
    return is_capital(text.split()[-1]) or is_code(text) or is_time(text)


GENDER = {
    **dict.fromkeys(("he", "him", "his"), NameKind.MAN),
    **dict.fromkeys(("she", "her"), NameKind.WOMAN),
}
THING = frozenset(("it", "its"))
SEVERAL = frozenset(("they", "them", "their"))
ACTING = frozenset(("he", "she", "it", "they"))
OWNING = frozenset(("his", "its", "their"))
PRONOUN_IN_QUESTION = re.compile(
    r"\b(he|him|his|she|her|it|its|they|them|their|there)\b", re.IGNORECASE
)
AFTER_OBJECT = frozenset(
    ("a", "an", "the", "to", "for", "in", "on", "at", "by", "of", "with", "from", "and", "or",
     "as", "when", "while", "after", "before", "during", "do", "die", "leave", "become", "was")
)  # fmt: skip
NOTHING = re.compile(
    r"\b(?:is|was|be) it (?:\w+ly )?(?:possible|true|necessary|allowed|required|better|best|common|"
    r"legal|known|said|important|okay|ok|enough|likely|time|safe to \w+ (?:a|the))\b"
    r"|\bdoes it (?:take|cost|matter|need) (?:\w+ )?(?:to|if|whether|that)\b|\btime is it\b",
    re.IGNORECASE,
)
"""Where "it" stands for nothing that was said before."""
EXISTS = re.compile(
    r"\b(?:is|are|was|were|be|been|will|has|have|had|exist) there\b"
    r"|\bthere (?:is|are|was|were|be|been)\b",
    re.IGNORECASE,
)
CLAUSE = frozenset(("when", "while", "if", "before", "after", "because", "since", "that", "which",
                    "who", "where", "until", "once", "unless")) | CONJUNCTIONS  # fmt: skip
MOVES = frozenset(
    ("move", "moved", "go", "went", "come", "came", "travel", "get", "sail", "return", "fly",
     "drive", "flee", "emigrate")
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class FilledIn:
    """A question with names in the place of pronouns; ``centre`` is what "it" or "they" meant."""

    text: str
    centre: str = ""
    unclear: frozenset[str] = frozenset()
    """Pronouns that are left, since nothing is known of them."""


def fill_in(question: str, memory: DialogMemory) -> FilledIn:
    """Put what is meant into the place of pronouns, as far as it is known."""
    text, centre = fill_pointed(fill_times(question, memory), memory)
    unclear: set[str] = set()
    done: set[str] = set()
    start = 0
    while found := PRONOUN_IN_QUESTION.search(text, start):
        word = found[1].lower()
        start = found.end()
        group = _group(word)
        if group in done or not _means_something(text, found):
            continue
        done.add(group)
        name = _meant(word, group, memory)
        if not name:
            unclear.add(group)
            continue
        if word in GENDER:
            memory.call(name, GENDER[word])
        elif group != "there":
            centre = centre or name
        filled = _inflected(word, name, text[: found.start()], text[found.end() :])
        text = text[: found.start()] + filled + text[found.end() :]
        start = found.start() + len(filled)
    return FilledIn(text, centre, frozenset(unclear))


def has_pronoun(question: str) -> bool:
    """Tell if a pronoun stands for something that was said before the question.

    >>> [has_pronoun(text) for text in ("Is it old?", "Is there a lake?", "Is it true?")]
    [True, False, False]
    """
    return any(
        _means_something(question, found) for found in PRONOUN_IN_QUESTION.finditer(question)
    )


def _group(word: str) -> str:
    if word in GENDER:
        return GENDER[word].value
    return "it" if word in THING else "they" if word in SEVERAL else "there"


def _meant(word: str, group: str, memory: DialogMemory) -> str:
    if word in GENDER:
        return memory.person(GENDER[word])
    return {"it": memory.thing, "they": memory.several, "there": memory.place}[group]()


def _means_something(text: str, found: re.Match[str]) -> bool:
    """Tell if a pronoun stands for something that the question itself does not name before it."""
    word = found[1].lower()
    if word == "there":
        return not any(one.start() <= found.start() < one.end() for one in EXISTS.finditer(text))
    if any(one.start() <= found.start() < one.end() for one in NOTHING.finditer(text)):
        return False
    before = words_of(text[: found.start()])
    clause = next((at for at in range(len(before) - 1, 0, -1) if before[at].lower in CLAUSE), 0)
    owning = word in OWNING or (word == "her" and _names_a_thing(text[found.end() :]))
    searched = before[1:] if owning else before[1:clause] if clause and word in ACTING else []
    if word in GENDER:
        return not any(is_capital(one.text) for one in searched)
    return not any(
        is_capital(one.text) or one.lower in ("the", "a", "an", "each", "every") for one in searched
    )


def _inflected(word: str, name: str, before: str, rest: str) -> str:
    """The name as the pronoun's place needs it."""
    if word == "there":
        words = words_of(before)
        last = words[-1].lower if words else ""
        if last in ("from", "in", "to", "near") or name.startswith(("in ", "at ", "on ")):
            return name
        return f"{'to' if last in MOVES else 'in'} {name}"
    if word in OWNING or (word == "her" and _names_a_thing(rest)):
        name = _owner(name) if word == "its" else name
        return f"{name}'" if name.endswith("s") and word == "their" else f"{name}'s"
    if word == "them" and before.lower().endswith(" of ") and name.split()[0].islower():
        return name if name.startswith("the ") else f"the {name}"
    return name[:1].upper() + name[1:] if not before.strip() else name


def _owner(name: str) -> str:
    """Whose it is: that of the setting, not of its value.

    >>> _owner("the default value of cache_size"), _owner("the plum cake")
    ('cache_size', 'the plum cake')
    """
    part = name.rpartition(" of ")[2]
    return part if is_capital(part) or is_code(part) else name


def _names_a_thing(rest: str) -> bool:
    """Tell if "her" is followed by what is hers, not by the rest of a sentence about her.

    >>> _names_a_thing(" ship called?"), _names_a_thing(" for the drawings?"), _names_a_thing("?")
    (True, False, False)
    """
    following = re.match(r"\s+([\w-]+)", rest)
    return following is not None and following[1].lower() not in AFTER_OBJECT
