"""The phrases of a question that name something: "the plum cake", "Lake Orm", "cache_size"."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from lacuna.pipeline.dialog.questions import QuestionShape
from lacuna.pipeline.dialog.verbs import COMMON, looks_finite, looks_participle, looks_past
from lacuna.pipeline.dialog.words import (
    ADVERBS,
    AUXILIARIES,
    BE,
    CONJUNCTIONS,
    DETERMINERS,
    PREPOSITIONS,
    PRONOUNS,
    WH,
    PlacedWord,
    is_capital,
    is_code,
    words_of,
)

OPEN_ENDED = re.compile(r"(?:able|ible|al|ar|ful|ous|ive|less|ic|en|er|est)$")
QUALITIES = frozenset(
    ("old", "new", "large", "big", "small", "long", "short", "high", "low", "deep", "wide", "safe",
     "free", "good", "bad", "late", "early", "fast", "slow", "true", "false", "ready", "famous",
     "common", "different", "important", "great", "fair", "open", "married",
     "valid", "empty", "full")
)  # fmt: skip
BREAKS = (PREPOSITIONS - {"of"}) | AUXILIARIES | CONJUNCTIONS | PRONOUNS | WH
APART = ADVERBS - {"last"}


@dataclass(frozen=True, slots=True)
class Phrase:
    """A stretch of text that names something; ``before`` is the word it follows, in lower case."""

    text: str
    start: int
    end: int
    before: str = ""
    subject: bool = False

    @property
    def bare(self) -> str:
        """Without its article."""
        return re.sub(r"^(?:an?|the) ", "", self.text)


def phrases_of(shape: QuestionShape, known: Iterable[str] = ()) -> list[Phrase]:
    """The phrases in the rest of a question, in their order; places count in ``shape.rest``.

    ``known`` are names that are not to be taken apart.

    >>> from lacuna.pipeline.dialog.questions import shape_of
    >>> [phrase.text for phrase in phrases_of(shape_of("What does the lint hook check in Caddo?"))]
    ['the lint hook', 'Caddo']
    """
    finder = _PhraseFinder(shape, known)
    return list(finder.find())


class _PhraseFinder:
    """Walks over the words once, and remembers whether the verb is still to come."""

    def __init__(self, shape: QuestionShape, known: Iterable[str]) -> None:
        self._shape = shape
        self._text = shape.rest
        self._verb_to_come = bool(shape.asking or shape.auxiliary)
        self._subject_seen = False
        self._atoms = _places_of(known, shape.rest)

    def find(self) -> Iterator[Phrase]:
        """The phrases, in their order."""
        run: list[PlacedWord] = []
        before = self._shape.auxiliary
        words = _joined(words_of(self._text), self._atoms, self._text)
        for number, word in enumerate(words):
            following = words[number + 1].lower if number + 1 < len(words) else ""
            opens = word.text in DETERMINERS and run and run[-1].lower != "of"
            if run and re.search(r"[,;:]", self._text[run[-1].end : word.start]):
                yield from self._phrases(run, before)
                before, run, opens = "", [], False
            if opens or self._is_break(word, run, following):
                yield from self._phrases(run, before, verb_follows=word.lower in AUXILIARIES)
                before = run[-1].lower if opens else word.lower
                run = [word] if opens else []
                self._subject_seen |= word.lower in PRONOUNS
            else:
                run.append(word)
        yield from self._phrases(run, before)

    def _is_break(self, word: PlacedWord, run: list[PlacedWord], following: str) -> bool:
        if (word.start, word.end) in self._atoms:
            return False
        if is_capital(word.text):
            return word.text == "I"
        if word.lower in ("do", "have") and not following:
            return False
        if word.lower in APART and not (run and run[-1].lower in DETERMINERS):
            return not run or looks_finite(following) or not following
        if word.lower.endswith("ly") and len(word.lower) > 4 and looks_finite(following):
            return True
        return word.lower in BREAKS

    def _phrases(
        self, run: list[PlacedWord], before: str, *, verb_follows: bool = False
    ) -> Iterator[Phrase]:
        """What a run of words names, without the verb in it."""
        subject = self._verb_to_come and not self._subject_seen and before in AUXILIARIES
        if verb_follows or not self._verb_to_come or not run:
            said = int(before in BE and not subject and bool(run) and looks_participle(run[0].text))
            yield from self._phrase(run[said:], before, subject=subject)
            self._verb_to_come &= not verb_follows
            return
        verb = self._verb_in(run, before)
        self._subject_seen = True
        if verb is None:
            yield from self._phrase(run, before, subject=subject)
            return
        self._verb_to_come = False
        yield from self._phrase(run[:verb], before, subject=subject)
        yield from self._phrase(run[verb + 1 :], run[verb].lower)

    def _phrase(
        self, run: list[PlacedWord], before: str, *, subject: bool = False
    ) -> Iterator[Phrase]:
        if not run or (len(run) == 1 and run[0].lower in DETERMINERS):
            return
        if len(run) > 2 and run[0].text in DETERMINERS and looks_past(run[-1].text):
            run = run[:-1]  # "when the survivors came"
        start, end = run[0].start, run[-1].end
        yield Phrase(self._text[start:end], start, end, before, subject)

    def _verb_in(self, run: list[PlacedWord], before: str) -> int | None:
        """Where the verb is; None where a run has none, as before "be"."""
        auxiliary = self._shape.auxiliary
        if not auxiliary:
            return 0
        if self._subject_seen and before not in PREPOSITIONS:
            return 0 if auxiliary not in BE or looks_finite(run[0].text) else None
        least = 2 if run[0].text in DETERMINERS else 1
        after = range(least, len(run))
        if auxiliary in BE:
            return next((at for at in after if self._predicates(run, at)), None)
        if len(run) > least and run[-1].text in COMMON:
            return len(run) - 1
        for at in after:
            if run[at].text in COMMON or self._ends_name(run, at):
                return at
        ends = len(run) - 1
        whole = self._text[run[-1].end :].strip().lower()
        if ends >= least and not whole.startswith(("be ", "have ", "of ")):
            return ends
        return None

    def _predicates(self, run: list[PlacedWord], at: int) -> bool:
        """Whether what is said of the subject of "is" begins here."""
        word = run[at]
        if self._ends_name(run, at):
            return True
        if looks_participle(word.text) and not is_capital(word.text):
            return at == len(run) - 1 or run[at + 1].lower not in ("of",)
        last = at == len(run) - 1
        said = word.lower in QUALITIES or bool(OPEN_ENDED.search(word.lower))
        asked_of = self._shape.wh in ("", "why", "when", "where", "how")
        return last and said and asked_of and not is_capital(word.text)

    def _ends_name(self, run: list[PlacedWord], at: int) -> bool:
        """Whether a name ends before a word in small letters, which is then the verb."""
        earlier, word = run[at - 1], run[at]
        named = is_capital(earlier.text) or is_code(earlier.text)
        atom = (earlier.start, earlier.end) in self._atoms
        plain = word.text.islower() and not is_code(word.text) and word.lower != "of"
        later_name = any(is_capital(other.text) for other in run[at + 1 : at + 2])
        named &= run[0].text not in DETERMINERS and not later_name
        return (atom and word.lower != "of") or (plain and named)


def _places_of(known: Iterable[str], text: str) -> set[tuple[int, int]]:
    """Where known names stand, the longer before those in them."""
    found: set[tuple[int, int]] = set()
    for name in sorted(set(known), key=len, reverse=True):
        for match in re.finditer(rf"(?<!\w){re.escape(name)}(?!\w)", text) if name else ():
            start, end = match.span()
            if all(end <= left or start >= right for left, right in found):
                found.add((start, end))
    return found


def _joined(words: list[PlacedWord], atoms: set[tuple[int, int]], text: str) -> list[PlacedWord]:
    """The words, those of a known name as one."""
    joined: list[PlacedWord] = []
    for word in words:
        atom = next((atom for atom in atoms if atom[0] <= word.start < atom[1]), None)
        if atom is None:
            joined.append(word)
        elif not joined or joined[-1].start != atom[0]:
            joined.append(PlacedWord(text[atom[0] : atom[1]], *atom))
            rest = text[atom[1] : word.end]
            if rest.startswith(("'s", "’s")):
                joined[-1] = PlacedWord(text[atom[0] : word.end], atom[0], word.end)
    return joined
