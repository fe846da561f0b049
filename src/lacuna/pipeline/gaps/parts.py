"""A question in two parts: something that has to be found first, and what is asked about it."""

from __future__ import annotations

import re
from dataclasses import dataclass

from lacuna.pipeline.gaps.asked_for import PREPOSITIONS, WH
from lacuna.pipeline.gaps.verbs import AUXILIARY, BE, DO, MODAL, VERBS, is_participle

# fmt: off
ROLES = (
    "author", "writer", "founder", "co-founder", "inventor", "director", "composer", "architect",
    "builder", "owner", "maker", "designer", "creator", "discoverer", "editor", "painter",
    "captain", "mayor", "capital", "wife", "husband", "mother", "father", "son", "daughter",
    "brother", "sister", "successor", "predecessor", "king", "queen", "governor", "president",
    "leader", "birthplace", "hometown",
)
# fmt: on
_ROLE = "|".join(ROLES)
_NAME = r"[A-Z][\w.&/-]*(?: (?:(?:of|the|and|de|von|for|in) ){0,2}[A-Z\d][\w.&/-]*)*"
_RELATIVE = re.compile(
    r"\b(?:the|an?) (?P<noun>(?:(?!the |an? |of )[\w.'’/-]+ ){1,4}?)"
    r"(?P<clause>(?:(?:in|on|at|to|from|of|by|for|with) )?"
    r"(?:that|who|whom|whose|which|where) .+)$"
)
_ROLE_OF = re.compile(rf"\bthe (?:[a-z]+ )?(?P<noun>{_ROLE}) of (?:the )?{_NAME}")
_CHAIN = re.compile(rf"{_NAME}['’]s (?P<noun>[a-z]\w*)(?=['’]s )")
_ROLE_FOR = re.compile(rf"{_NAME}['’]s (?P<noun>{_ROLE})\b(?!['’])")
_TWO_CLAUSES = re.compile(r"^(?P<first>.{12,}?)(?:[.;:!]) (?P<rest>[^.;]+\?)$")
_WHAT_IS = re.compile(r"(?:who|what|which|where)(?:['’]s| is| are| was| were) ", re.I)


@dataclass(frozen=True, slots=True)
class QuestionParts:
    """``first`` names or tells what has to be found, ``rest`` is the question about it."""

    first: str
    rest: str
    told: bool = False


def split_question(question: str) -> QuestionParts | None:
    """The two parts of a question; None where it has but one.

    >>> split_question("When was Osk's founder born?")
    QuestionParts(first="Osk's founder", rest='When was that founder born?', told=False)
    >>> split_question("When was the author of The Salt Road born?").first
    'the author of The Salt Road'
    >>> split_question("What are the people of the city where Ada was born called?").rest
    'What are the people of that city called?'
    >>> split_question("Where was Osk's founder's wife born?").first
    "Osk's founder"
    >>> split_question("A ship is named there; who built it?")
    QuestionParts(first='A ship is named there', rest='who built it?', told=True)
    >>> split_question("Who is the author of The Salt Road?")
    """
    line = " ".join(question.split())
    if (two := _TWO_CLAUSES.match(line)) and _asks(two["rest"]):
        return QuestionParts(two["first"], two["rest"], told=True)
    body = line.rstrip("?!. ")
    for pattern in (_CHAIN, _RELATIVE, _ROLE_OF, _ROLE_FOR):
        if found := pattern.search(body):
            start, end = found.span()
            noun = found["noun"].strip()
            if pattern is _RELATIVE:
                length = _clause_length(body[:start], noun, found["clause"])
                if length is None:
                    continue
                end = found.start("clause") + length
            rest = f"{body[:start]}that {noun}{body[end:]}"
            if _WHAT_IS.sub("", rest) != f"that {noun}":
                return QuestionParts(body[start:end], f"{rest}?")
    return None


def _asks(text: str) -> bool:
    first, *others = text.lower().split()
    return first in WH or (first in PREPOSITIONS and bool(others) and others[0] in WH)


def _clause_length(before: str, noun: str, clause: str) -> int | None:
    """Characters of a clause, without what belongs to the verb before it: was the man who … *born*.

    None where that cannot be told.
    """
    if any(word in VERBS | AUXILIARY for word in noun.lower().split()):
        return None
    verb = next((word for word in before.lower().split() if word in AUXILIARY), None)
    words = clause.split()
    last = words[-1]
    own = [place for place, word in enumerate(words[:-1]) if word.lower() in AUXILIARY]
    behind = words[own[-1] + 1 : -1] if own else []
    taken = own and not any(is_participle(word) or word in VERBS for word in behind)
    fits = (verb in BE and is_participle(last)) or (verb in DO | MODAL and last in VERBS)
    if fits and len(words) > 2 and not taken:
        return len(clause) - len(last) - 1
    directly = before.lower().split()[-1:] == [verb]
    return None if directly and verb in DO | MODAL else len(clause)
