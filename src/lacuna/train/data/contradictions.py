"""Questions changed so that their passage no longer answers them.

The changes are those that SQuAD 2.0's authors made by hand: another name, another number, the
opposite word, a negation, a time that does not fit. What is changed stands in the sentence that
holds the answer, so that this sentence speaks against the changed question.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from random import Random
from typing import TypeVar

from lacuna.train.data.large_places import LARGE_PLACES
from lacuna.train.data.nations import MAY_BE_ONE, NATIONS
from lacuna.train.data.opposites import OPPOSITES
from lacuna.train.data.yes_no.kinds import answers_by_kind
from lacuna.train.data.yes_no.named_claims import TO_BASE, TRANSITIVE
from lacuna.train.data.yes_no.other_values import NAME, NO_NAME, THINGS, sentences_of
from lacuna.types import Question

VAGUE = frozenset(re.findall(r"\w+", "name names term word type kind thing where other first main"))
"""What is asked for in these words may be anything."""
WEAK = frozenset(re.findall(r"\w+", "of the by and with for to as is was that or than"))
"""Anything may stand behind these."""
T = TypeVar("T")
YEAR = re.compile(r"\b(?:1[0-9]|20)\d\d\b(?!s)")
COUNT = re.compile(r"(?<![\d.,$–-])\b\d{1,3}(?:,\d{3})*\b(?![\d.,]*\d|[%–-])")
WORD = re.compile(r"[a-z]{4,}")
COMMON = frozenset(
    re.findall(
        r"\w+",
        "what which when where whom whose that this there their with from have been were does into "
        "about many much some other after before during name called they than also used first most",
    )
)
PASSIVE = re.compile(rf"\b(was|were|is|are) (?=(?:{'|'.join(TO_BASE)}|\w+ed)\b)")
DOER = re.compile(rf"^(Who|Which \w+|What \w+) (?=(?:{'|'.join(TO_BASE)})\b)")
DONE = re.compile(
    rf"^((?:Who|What|Which \w+|Where|When) (?:did|does|do) .{{3,60}}?) (?=(?:{TRANSITIVE})\b)"
)
NEGATED = re.compile(r"\b(?:not|never|no|without|except)\b|n't\b")
PAST = rf"did|was|were|\w+ed|{'|'.join(TO_BASE)}"
DATABLE = re.compile(rf"^(?:Who|What|Which|Where|How many)\b.*\b(?:{PAST})\b")
ENDS_OPEN = re.compile(r"\b(?:in|on|at|by|to|of|for|with|from|as|when|while|during|after|before)\b")


class Names:
    """Names that answer some questions, by the kind of thing that is asked for."""

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
        """Others of the one kind that a name surely is."""
        kinds = self._kinds.get(name, set())
        if len(kinds) != 1:
            return []
        return [one for kind in kinds for one in self._by_kind[kind] if self._kinds[one] == kinds]


@dataclass(frozen=True, slots=True)
class Setting:
    """A question, the text it is asked of, and where its answer stands."""

    question: str
    text: str
    sentence: str
    """The one that holds the answer."""
    others: tuple[str, ...]
    answers: tuple[str, ...]
    names: Names

    @classmethod
    def of(cls, question: Question, names: Names) -> Setting | None:
        """Where the answer stands in one place only."""
        answers = question.gold.answers if question.gold else ()
        passage = question.context
        if passage is None or not answers or not answers[0].texts:
            return None
        text, places = passage.text, answers[0].found_at
        at = places[0].start if places else text.find(answers[0].texts[0])
        if at < 0 or question.text.count("?") != 1:
            return None
        sentences = sentences_of(text)
        own = [text[start:end] for start, end in sentences if start <= at < end]
        others = tuple(text[start:end] for start, end in sentences if not start <= at < end)
        texts = tuple(t for answer in answers for t in answer.texts)
        asked = " ".join(question.text.split())
        return cls(asked, text, own[0], others, texts, names) if own else None

    def told_of(self, word: str) -> bool:
        """Whether another sentence with that word speaks of what is asked as well."""
        asked = set(WORD.findall(self.question)) - COMMON
        stems = {one[:5] for one in asked}
        return any(
            stems & {one[:5] for one in WORD.findall(sentence)}
            for sentence in self.others
            if stands_in(word, sentence)
        )


Move = Callable[[Setting, Random], str | None]


def stands_in(word: str, text: str) -> bool:
    """Whether a word or name stands in a text as a whole."""
    return re.search(rf"(?<!\w){re.escape(word)}(?!\w)", text) is not None


def other_name(setting: Setting, random: Random) -> str | None:
    """The name in a question made another one of its kind."""
    for found in _shuffled(NAME.finditer(setting.question), random):
        name = found.group().removesuffix("'s").rstrip(".'’")
        if found.start() == 0 or NO_NAME.match(name) or not stands_in(name, setting.sentence):
            continue
        if any(name in answer or answer in name for answer in setting.answers):
            continue
        other = _of_its_kind(name, setting, random)
        if other:
            at = found.start()
            return setting.question[:at] + other + setting.question[at + len(name) :]
    return None


def _of_its_kind(name: str, setting: Setting, random: Random) -> str | None:
    for kind in (NATIONS, LARGE_PLACES):
        if name in kind:
            if f"the {name}" in setting.question:
                return None
            fit = [o for o in sorted(kind) if o != name and not _may_be_one(name, o)]
            near = [o for o in fit if o in setting.text]
            return _first_fit(setting, [*_shuffled(near, random), *_shuffled(fit, random)])
    before = {_word_before(text, name) for text in (setting.sentence, setting.question)}
    before -= WEAK | {""}
    near = [
        found.group().removesuffix("'s").rstrip(".'’")
        for sentence in setting.others
        for found in (NAME.finditer(sentence) if before else ())
        if found.start() and _word_before(sentence, found.group()) in before
    ]
    same = setting.names.like(name)
    told = [one for one in same if one in setting.text]
    far = random.sample(same, min(20, len(same)))
    fit = [*_shuffled(told, random), *_shuffled(near, random), *far]
    return _first_fit(setting, [one for one in fit if _like(one, name)])


def _first_fit(setting: Setting, names: Iterable[str]) -> str | None:
    return next(
        (
            name
            for name in names
            if not stands_in(name, setting.sentence)
            and not stands_in(name, setting.question)
            and name not in setting.answers
            and not setting.told_of(name)
        ),
        None,
    )


def _like(one: str, name: str) -> bool:
    """Whether two names look alike and are not the same in other words."""
    a, b = one.split(), name.split()
    if NO_NAME.match(one) or set(a) & set(b) or one in LARGE_PLACES or one in NATIONS:
        return False
    things = THINGS.search(name), THINGS.search(one)
    if any(things):
        return bool(all(things)) and a[-1] == b[-1]
    plural = one.endswith("s") == name.endswith("s")
    return (
        plural and (len(a) > 1) == (len(b) > 1) and one.isupper() == name.isupper() and len(one) > 3
    )


def _may_be_one(one: str, other: str) -> bool:
    return any({one, other} <= some for some in MAY_BE_ONE) or one in other or other in one


def other_number(setting: Setting, random: Random) -> str | None:
    """The year or number in a question made another one."""
    for pattern in (YEAR, COUNT):
        for found in _shuffled(pattern.finditer(setting.question), random):
            value = found.group()
            if not stands_in(value, setting.sentence) or value in setting.answers:
                continue
            near = [m.group() for s in setting.others for m in pattern.finditer(s)]
            number = int(value.replace(",", ""))
            steps = [-20, -11, -10, -5, -2, -1, 1, 2, 5, 10, 11, 20]
            far = [f"{number + step:,}" if "," in value else str(number + step) for step in steps]
            if pattern is COUNT:
                near, far = [], [str(n) for n in far if not n.startswith("-") and n != "0"]
            far = [one for one in far if one not in setting.text]
            other = _first_fit(setting, [*_shuffled(near, random), *_shuffled(far, random)])
            if other:
                return setting.question[: found.start()] + other + setting.question[found.end() :]
    return None


def opposite(setting: Setting, random: Random) -> str | None:
    """A word made its opposite, of which the passage does not speak."""
    for found in _shuffled(re.finditer(r"[A-Za-z]+", setting.question), random):
        word = found.group()
        others = OPPOSITES.get(word)
        stem = word[: max(len(word) - 2, 4)]
        if not others or not found.start() or not re.search(rf"\b{stem}", setting.sentence):
            continue
        other = random.choice(others)
        if not re.search(rf"\b{other[: max(len(other) - 2, 4)]}", setting.text, re.IGNORECASE):
            return setting.question[: found.start()] + other + setting.question[found.end() :]
    return None


def negated(setting: Setting, random: Random) -> str | None:
    """What happened, asked for as what did not."""
    if NEGATED.search(setting.sentence) or NEGATED.search(setting.question):
        return None
    word = random.choice(("not", "never"))
    if DONE.search(setting.question):
        return DONE.sub(rf"\1 {word}", setting.question, count=1).replace(
            f" {word}", f" {word} ", 1
        )
    if DOER.search(setting.question):
        return DOER.sub(r"\1 never ", setting.question, count=1)
    if len(PASSIVE.findall(setting.question)) == 1:
        return PASSIVE.sub(rf"\1 {word} ", setting.question)
    return None


def wrong_time(setting: Setting, random: Random) -> str | None:
    """A year added that does not fit the only one in the sentence."""
    years = set(YEAR.findall(setting.sentence))
    if len(years) != 1 or YEAR.search(setting.question) or ENDS_OPEN.search(setting.question):
        return None
    if not DATABLE.search(setting.question) or len(setting.question.split()) > 12:
        return None
    year = int(years.pop())
    near = [y for s in setting.others for y in YEAR.findall(s) if int(y) != year]
    far = [str(year + step) for step in (-31, -14, -9, -6, -4, 4, 6, 9, 14)]
    other = _first_fit(setting, [*_shuffled(near, random), *_shuffled(far, random)])
    return f"{setting.question.rstrip('? ')} in {other}?" if other else None


MOVES: dict[Move, float] = {
    other_number: 1, opposite: 0.8, wrong_time: 0.6, negated: 0.05, other_name: 1,
}  # fmt: skip
"""Every change, and how often it is tried."""


def changed(setting: Setting, random: Random) -> tuple[str, str] | None:
    """The name of the first change that fits, and the changed question."""
    for move, often in MOVES.items():
        if random.random() < often and (text := move(setting, random)):
            return move.__name__, text
    return None


def _word_before(text: str, name: str) -> str:
    found = re.search(rf"([a-z]+) (?:the )?{re.escape(name)}", text)
    return found[1] if found else ""


def _shuffled(values: Iterable[T], random: Random) -> list[T]:
    some = list(values)
    random.shuffle(some)
    return some
