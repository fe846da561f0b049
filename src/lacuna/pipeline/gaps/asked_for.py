"""What a question asks for, as a phrase: "When was she born?" asks for "when she was born"."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence

from lacuna.pipeline.gaps.verbs import (
    AUXILIARY,
    BE,
    DO,
    MODAL,
    VERBS,
    is_participle,
    past,
    third_person,
)

LONGEST_QUOTE = 200
"""Characters of a question that is quoted."""
LONGEST_SUBJECT = 10
"""Words that "is" may be moved behind."""
WH = frozenset({"who", "whom", "whose", "what", "which", "when", "where", "why", "how"})
CONJUNCTIONS = frozenset({"when", "if", "because", "while", "unless", "until", "than"})
LINKING = WH | CONJUNCTIONS | {"that"}
# fmt: off
PREPOSITIONS = frozenset({
    "in", "on", "at", "by", "to", "from", "of", "for", "with", "under", "since", "about", "between",
    "after", "before", "during", "into", "as", "within", "through", "behind", "against",
})
# fmt: on
DETERMINERS = frozenset({"the", "a", "an", "this", "that", "these", "those", "its", "their", "his"})
NO_SUBJECT_END = DETERMINERS | PREPOSITIONS | {"my", "her", "our", "your", "and", "or", "not"}
PRONOUNS = frozenset({"i", "you", "we", "he", "she", "it", "they", "there"})
IMPERATIVE = re.compile(
    r"(?:please )?(?:name|list|tell me|give|show me|describe|explain) (.+)", re.I
)
SHORT = re.compile(r"^(who|what|where|when|how)['’]s\b", re.I)
BETWEEN = 8
"""Words that may stand between "which" and the verb: "which of the many ships was"."""


def asked_for(question: str) -> str:
    """What is asked for, as a phrase that goes into a sentence; else the question in quotes.

    >>> asked_for("When was Ada Quill born?")
    'when Ada Quill was born'
    >>> asked_for("How long may a daily scrum go on?")
    'how long a daily scrum may go on'
    >>> asked_for("Who is the CTO?"), asked_for("What does GUC mean?")
    ('who the CTO is', 'what GUC means')
    >>> asked_for("Who first wrote the manual?"), asked_for("In which year did she die?")
    ('who first wrote the manual', 'in which year she died')
    >>> asked_for("Does it rain?")
    '“Does it rain?”'
    """
    line = " ".join(question.split())
    if command := IMPERATIVE.fullmatch(line.rstrip("?!. ")):
        line = command[1]
        if line.split()[0].lower() in DETERMINERS:
            return line
    words = SHORT.sub(r"\1 is", line).rstrip("?!. ").split()
    return _turned(words) or quoted(question)


def quoted(question: str) -> str:
    """A question in one line, cut where it is long.

    >>> quoted("Why  not?")
    '“Why not?”'
    """
    line = " ".join(question.split())
    return f"“{line if len(line) <= LONGEST_QUOTE else line[: LONGEST_QUOTE - 1] + '…'}”"


def _turned(words: Sequence[str]) -> str:
    """The words of a question in the order of a clause; nothing where that is not sure."""
    lower = [word.lower() for word in words]
    if len(" ".join(words)) > LONGEST_QUOTE or any(word[-1] in ",.;:?" for word in words[:-1]):
        return ""
    if len(words) > 2 and lower[0] in AUXILIARY:
        return f"whether {clause}" if (clause := _clause(lower[0], words[1:], sure=True)) else ""
    at_preposition = len(words) > 2 and lower[0] in PREPOSITIONS and lower[1] in WH
    wh = 1 if at_preposition else 0
    if len(words) < 2 or lower[wh] not in WH:
        return ""
    as_it_is = " ".join((lower[0], *words[1:]))
    verb = _first_auxiliary(lower, wh)
    if verb is None:
        return "" if at_preposition or {"does", "did"} & set(lower) else as_it_is
    start, rest = " ".join((lower[0], *words[1:verb])), words[verb + 1 :]
    if not rest or {"does", "did"}.intersection(lower[verb + 1 :]):
        return ""
    if lower[verb] in BE and not at_preposition and _asks_for_subject(lower[:verb], rest):
        return as_it_is
    clause = _clause(lower[verb], rest, last=lower[:verb] in (["who"], ["what"]))
    return f"{start} {clause}" if clause else ""


def _first_auxiliary(lower: Sequence[str], wh: int) -> int | None:
    """The place of the verb that stands before its subject; None where the subject is asked for."""
    for place in range(wh + 1, min(wh + 2 + BETWEEN, len(lower))):
        if lower[place] in AUXILIARY:
            return place
        if lower[place] in LINKING or lower[wh] in ("who", "when", "where", "why", "whom"):
            return None
    return None


def _asks_for_subject(start: Sequence[str], rest: Sequence[str]) -> bool:
    """ "Which ship was …" asks for the ship, or for something that was done with it."""
    first = rest[0].lower()
    if first in PREPOSITIONS or first == "not" or is_participle(first):
        return True
    if first in PRONOUNS or start[0] not in ("who", "what", "which", "how"):
        return False
    if len(start) > 1:
        height = start[0] == "how" and start[1] not in ("many", "much")
        return not height and not _predicates(rest, is_participle)
    if first in DETERMINERS or _predicates(rest, is_participle):
        return False
    if start[0] == "what":
        return rest[0].islower() and len(rest) > 2
    return rest[0].islower() or any(word in PREPOSITIONS for word in rest)


def _clause(auxiliary: str, rest: Sequence[str], *, last: bool = False, sure: bool = False) -> str:
    """Subject, verb and the rest of the clause.

    With ``last``, "is" goes to the end unless what it belongs to stands there. With ``sure``, it
    needs something that it belongs to.
    """
    if auxiliary == "do":
        return " ".join(rest)
    if auxiliary in DO | MODAL:
        places = _predicates(rest, VERBS.__contains__)
        if rest[0].lower() in PRONOUNS and auxiliary in MODAL and len(rest) > 1:
            places = [1]
        if len(places) != 1:
            return ""
        (place,) = places
        if auxiliary in MODAL:
            return " ".join((*rest[:place], auxiliary, *rest[place:]))
        verb = rest[place]
        turned = past(verb) if auxiliary == "did" else third_person(verb)
        return " ".join((*rest[:place], turned, *rest[place + 1 :]))
    places = [1] if rest[0].lower() in PRONOUNS else _predicates(rest, is_participle)
    if last and places and 1 < places[0] < len(rest) - 2:
        places = []
    end = places[0] if places else None if sure else _end_of_subject(rest)
    return " ".join((*rest[:end], auxiliary, *rest[end:])) if end else ""


def _end_of_subject(rest: Sequence[str]) -> int | None:
    """Where a subject ends of which nothing more is said but "for" or "when …"."""
    lower = [word.lower() for word in rest]
    end = next((at for at, word in enumerate(lower) if word in CONJUNCTIONS), len(rest))
    if end > LONGEST_SUBJECT or any(_links(lower, at) for at in range(end)):
        return None
    return end - 1 if lower[end - 1] in PREPOSITIONS else end


def _predicates(rest: Sequence[str], fits: Callable[[str], bool]) -> list[int]:
    """Where the words stand that fit, behind a subject and before any other clause."""
    lower = [word.lower() for word in rest]
    places = []
    for place, word in enumerate(rest):
        if _links(lower, place) or lower[place] in AUXILIARY - {"have", "do"}:
            break
        if place and fits(word) and lower[place - 1] not in NO_SUBJECT_END:
            places.append(place)
    return places


def _links(lower: Sequence[str], place: int) -> bool:
    """Whether a word begins a clause: "that" does not in "of that city"."""
    points = lower[place] == "that" and (not place or lower[place - 1] in PREPOSITIONS)
    return lower[place] in LINKING and not points
