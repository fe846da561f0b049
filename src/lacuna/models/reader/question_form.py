"""What the form of a question says about its answer."""

from __future__ import annotations

import re

_VERB = (
    r"\W*(?:is|are|was|were|do|does|did|has|have|had|can|could|will|would|should|shall|may|might"
    r"|must)(?:n?['’]t)?\b"
)
_BEGINS = re.compile(_VERB, re.IGNORECASE)
_A_CLAUSE_BEGINS = re.compile(rf"(?:^|[.,;:?!] ){_VERB}", re.IGNORECASE)
_ALTERNATIVES = re.compile(r"\bor\b", re.IGNORECASE)
_NO_COMPARATIVE = "number|after|over|under|other|another|either|neither|together|ever|never|her|per"
_COMPARATIVE = rf"(?:more|fewer|less|(?!(?:{_NO_COMPARATIVE})\b)[\w-]+er)"
_DIFFERENCE = re.compile(
    rf"\bhow (?:many|much)(?: [\w-]+){{0,3}}? {_COMPARATIVE}\b"
    r"|\bby how (?:many|much)\b|\bdifference\b",
    re.IGNORECASE,
)


def may_be_yes_or_no(question: str) -> bool:
    """Whether yes or no can answer it: a sentence or clause of it begins with the verb.

    Of HotpotQA's training questions that are answered by yes or no, 398 of 406 are of this form.
    """
    return bool(_A_CLAUSE_BEGINS.search(question))


def asks_yes_or_no(question: str) -> bool:
    """Whether only yes or no can answer it.

    Of 404 such questions in HotpotQA's training file, 389 are answered so.

    >>> asks_yes_or_no("Was she born before the ferry sailed?")
    True
    >>> asks_yes_or_no("Must guests sign in?"), asks_yes_or_no("Isn't it open?")
    (True, True)
    >>> asks_yes_or_no("Was she born in Brannet or in Osk?")
    False
    """
    return bool(_BEGINS.match(question)) and not _ALTERNATIVES.search(question)


def asks_for_a_difference(question: str) -> bool:
    """Whether one amount is to be taken from another, so that no sum answers it.

    Of DROP's training questions of this form, 893 have a difference of two numbers in their passage
    as the answer, and 6 a sum alone.

    >>> asks_for_a_difference("How many metres higher is the oldest tower than the newest?")
    True
    >>> asks_for_a_difference("How many people died on the islands?")
    False
    """
    return bool(_DIFFERENCE.search(question))
