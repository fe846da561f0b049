"""The parts of a question: what it asks for, its phrases, and the kinds of its names."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from enum import StrEnum
from itertools import islice

from lacuna.corpus.store import Store
from lacuna.english import (
    ADVERBS,
    AUXILIARIES,
    COMMON,
    CONJUNCTIONS,
    DETERMINERS,
    PREPOSITIONS,
    WH,
    PlacedWord,
    head_of,
    is_capital,
    is_code,
    looks_finite,
    looks_participle,
    looks_past,
    sentence_case,
    words_of,
)
from lacuna.english import FORMS_OF_BE as BE
from lacuna.english import PRONOUNS as ENGLISH_PRONOUNS


class NameKind(StrEnum):
    """The kinds that a pronoun can tell apart."""

    MAN = "man"
    WOMAN = "woman"
    PERSON = "person"
    OTHER = "other"


KindOf = Callable[[str], NameKind | None]
"""The kind of a name, as far as it is known from elsewhere."""

LIFETIME = re.compile(r"\([^()]*\b\d{3,4}\b[^()]*\)|\bborn\b")
BEGINNING = 160
"""Characters in which a person's lifetime stands, if anywhere."""
OPENING = 1500
"""Characters in which a text about a person says "he" or "she"."""
HE = re.compile(r"\b(?:he|his|him)\b", re.IGNORECASE)
SHE = re.compile(r"\b(?:she|her|hers)\b", re.IGNORECASE)
IT = re.compile(r"\b(?:it|its)\b", re.IGNORECASE)
PRONOUNS = {
    **dict.fromkeys(("he", "his", "him"), NameKind.MAN),
    **dict.fromkeys(("she", "her", "hers"), NameKind.WOMAN),
    **dict.fromkeys(("it", "its", "which"), NameKind.OTHER),
}
PRONOUN = re.compile(rf"\b(?:{'|'.join(PRONOUNS)})\b", re.IGNORECASE)
NEAR, MOST_USES, FEWEST_USES = 150, 30, 2
"""Characters after a name in which its pronoun stands, and how many such places are counted."""
NO_PEOPLE = frozenset(
    """
    academy act agency airport archive army association authority award bank bay board book bridge
    bureau cape castle centre center church city club code college commission committee company
    conference corporation council county courier court department desert district editor
    engine fell festival foundation fund game gazette group guide guild harbour harbor herald hill
    house hotel institute island islands journal lab laboratory lake language law library limited
    line list magazine manual mount mountain museum network office opera palace park party policy
    port press prize program programme project protocol railway review river road rock school
    sea server service ship society software south north east west standard station street studio
    summit system tarn team temple theatre times tower treaty trust union university valley village
    war works zoo inc ltd llc gmbh
    """.split()  # noqa: SIM905 - a list of quoted words would fill a page
)
NAME = re.compile(r"[A-Z][\w'’.-]*(?: (?:de|da|di|van|von|der|la|le|bin|al|[A-Z][\w'’.-]*))*")


def kind_in(store: Store, name: str, *, read: Iterable[str] = ()) -> NameKind | None:
    """The kind of what a document is about; None where nothing is known of the name.

    People begin with a lifetime, and are "he" or "she" more often than "it" in what follows. A name
    that has no document may stand in one of those that were ``read``.
    """
    resolved = store.resolve(name) if name else None
    if resolved is None:
        texts = [store.document(title).text for title in read if title in store]
        return kind_by_use(name, "\n".join(texts)) if is_capital(name) else None
    text = store.document(resolved).text[:OPENING]
    if not LIFETIME.search(text[:BEGINNING]):
        return NameKind.OTHER
    he, she, it = (len(pattern.findall(text)) for pattern in (HE, SHE, IT))
    if it > he + she:
        return NameKind.OTHER
    if he == she:
        return NameKind.PERSON
    return NameKind.MAN if he > she else NameKind.WOMAN


def kind_by_use(name: str, text: str) -> NameKind | None:
    """What a name is by the pronouns that follow it; None where they are few, or of all kinds.

    >>> kind_by_use("Oland", "Oland came late, as he said. Then Oland lost his ship.").value
    'man'
    """
    counts: Counter[NameKind] = Counter()
    for found in islice(re.finditer(rf"\b{re.escape(name)}\b", text), MOST_USES):
        after = PRONOUN.search(text, found.end(), found.end() + NEAR)
        if after is not None:
            counts[PRONOUNS[after[0].lower()]] += 1
    for kind, count in counts.most_common(1):
        if count >= FEWEST_USES and 3 * count >= 2 * counts.total():
            return kind
    return None


def may_be_person(text: str) -> bool:
    """Tell if it is written as a person's name or role may be; no organisation, no acronym.

    >>> [may_be_person(text) for text in ("Ada Quill", "DARPA", "Orm Project", "the finance lead")]
    [True, False, False, True]
    """
    words = text.split()
    if not words or is_code(text) or any(word.lower().strip(".,") in NO_PEOPLE for word in words):
        return False
    acronym = len(words) == 1 and len(text) > 1 and text.isupper()
    return not acronym and not any(char.isdigit() for char in text)


def looks_like_full_name(text: str) -> bool:
    """Tell if two or more words are written as the name of a person is.

    >>> looks_like_full_name("Ada Quill"), looks_like_full_name("the Marrow")
    (True, False)
    """
    words = text.split()
    plain = NAME.fullmatch(text) and all(is_capital(word) for word in (words[0], words[-1]))
    return bool(plain) and 2 <= len(words) <= 4 and may_be_person(text)


_MEN = """
Adam Alan Albert Alex Alexander Alfred Andrew Anthony Arthur Ben Benjamin Bill Bob Brian Carl
Carlos Charles Christopher Daniel David Dennis Donald Edward Edwin Eric Ernest Francis Frank
Fred Frederick Gary George Gerald Harold Harry Henry Howard Hugh Ian Isaac Jack Jacob James Jan
Jason Jeff Jeremy Jerry Jim Jimmy Joe John Jonathan Joseph Juan Karl Keith Kenneth Kevin Larry
Leonard Linus Louis Luke Mark Martin Matthew Michael Mike Mohammed Nicholas Oliver Oscar Otto
Patrick Paul Peter Philip Ralph Ray Raymond Richard Rob Robert Roger Ronald Ryan Sam Samuel
Scott Simon Stephen Steve Steven Stuart Ted Theodore Thomas Tim Timothy Tom Tony Victor Vincent
Walter William Mr Sir King Prince Father
"""
_WOMEN = """
Ada Alice Amanda Amy Ana Andrea Angela Ann Anna Anne Barbara Betty Carol Caroline Catherine
Charlotte Christina Christine Clara Claire Deborah Diana Diane Donna Dorothy Edith Elizabeth
Ella Emily Emma Eva Eve Evelyn Fanny Florence Frances Grace Hannah Harriet Helen Ida Irene
Isabel Jane Janet Jennifer Jessica Joan Joanna Judith Julia Julie Karen Kate Katherine Laura
Linda Lisa Louise Lucy Margaret Maria Marie Martha Mary Michelle Nancy Nora Olivia Pamela
Patricia Rachel Rebecca Rosa Ruth Sandra Sarah Sharon Sophia Sophie Susan Sylvia Teresa Victoria
Virginia Wendy Mrs Ms Miss Lady Queen Princess Mother
"""
GIVEN = dict.fromkeys(_MEN.split(), NameKind.MAN) | dict.fromkeys(_WOMEN.split(), NameKind.WOMAN)
ROLES = {
    **dict.fromkeys(("son", "brother", "husband", "father", "uncle", "king"), NameKind.MAN),
    **dict.fromkeys(("daughter", "sister", "wife", "mother", "aunt", "queen"), NameKind.WOMAN),
    **dict.fromkeys(
        ("author", "boss", "captain", "chairman", "child", "coach", "director", "editor", "founder",
         "governor", "inventor", "leader", "maintainer", "manager", "mayor", "minister", "owner",
         "parent", "president", "secretary", "teacher", "winner"),
        NameKind.PERSON,
    ),
}  # fmt: skip
TITLES = frozenset(("Dr", "Professor", "Prof", "President", "Captain", "General", "Judge", "Saint"))


def kind_by_name(name: str) -> NameKind | None:
    """What the first word of a name tells, or that of a role; None where they tell nothing.

    >>> kind_by_name("Ian Jackson"), kind_by_name("Dr. Quill").value, kind_by_name("Caddo")
    (<NameKind.MAN: 'man'>, 'person', None)
    >>> kind_by_name("Ian Jackson's sister").value, kind_by_name("Ian Jackson's death")
    ('woman', None)
    """
    role = ROLES.get(head_of(name))
    if role is not None or "'s " in name:
        return role  # a person's death is no person
    words = name.split()
    first = words[0].rstrip(".") if words else ""
    return NameKind.PERSON if first in TITLES else GIVEN.get(first)


WITH_NOUN = frozenset(("what", "which", "whose", "how"))
LEAD = re.compile(r"^(?:(?:and|but|or|so|also|ok(?:ay)?|well|yes|no)\b[,\s]+)+", re.IGNORECASE)
ABOUT = re.compile(r"^(?:what|how) about\s+|^(?:the )?same for\s+", re.IGNORECASE)
WHY_THAT = re.compile(r"^why (?:is|was) (?:that|this|it)\s*\??$", re.IGNORECASE)
NO_NOUN = re.compile(
    r"^\w+ (?:(?:many|much|other|more|else|exactly)\b ?)?(?:(?:kinds?|types?|sorts?) of )?"
)
AFTER_SHORT = frozenset(("exactly", "not", "else", "so", "then"))


@dataclass(frozen=True, slots=True)
class QuestionShape:
    """A question in parts; ``asking`` is "" for yes or no, ``auxiliary`` "" where a verb follows.

    Together they are the question again, apart from its first letter and its question mark.
    """

    preposition: str
    asking: str
    auxiliary: str
    rest: str

    @property
    def wh(self) -> str:
        """The question word, in lower case."""
        first = self.asking.split()
        return first[0].lower() if first else ""

    @property
    def noun(self) -> str:
        """The noun of "which N", "how many N", "what kind of N"."""
        return NO_NOUN.sub("", self.asking + " ").strip()

    @property
    def text(self) -> str:
        """The question."""
        parts = (self.preposition, self.asking, self.auxiliary, self.rest)
        return sentence_case(" ".join(part for part in parts if part))


def shape_of(question: str) -> QuestionShape:
    """The parts of a question.

    >>> shape = shape_of("After how many tries does Caddo give up?")
    >>> shape.preposition, shape.asking, shape.auxiliary, shape.rest
    ('after', 'how many tries', 'does', 'Caddo give up')
    >>> shape_of("Which option skips the checks?").rest
    'skips the checks'
    """
    text = question.strip().rstrip("?. ")
    words = words_of(text)
    preposition = ""
    if len(words) > 1 and words[0].lower in PREPOSITIONS and words[1].lower in WH:
        preposition, words = words[0].lower, words[1:]
    if not words or words[0].lower not in WH:
        if words and words[0].lower in AUXILIARIES and not preposition:
            return QuestionShape("", "", words[0].lower, text[words[0].end :].strip())
        return QuestionShape("", "", "", text)
    size = _asking_size(words)
    asking = text[words[0].start : words[size - 1].end]
    asking = asking[:1].lower() + asking[1:]
    if size < len(words) and words[size].lower in AUXILIARIES:
        rest = text[words[size].end :].strip()
        return QuestionShape(preposition, asking, words[size].lower, rest)
    return QuestionShape(preposition, asking, "", text[words[size - 1].end :].strip())


def _asking_size(words: list[PlacedWord]) -> int:
    """How many words say what is asked for: "who", "how many tries", "which of the rivers"."""
    size = 1
    if words[0].lower not in WITH_NOUN:
        while size < len(words) and words[size].lower in AFTER_SHORT:
            size += 1
        return size
    closed = (DETERMINERS | ENGLISH_PRONOUNS | WH | PREPOSITIONS) - {"of", "else"}
    for number, word in enumerate(words[1:], 1):
        if word.lower in AUXILIARIES:
            return number
        if word.lower in closed and words[number - 1].lower != "of":
            break
    for number, word in enumerate(words[1:], 1):
        opens = word.lower in DETERMINERS | ENGLISH_PRONOUNS and word.lower != "else"
        if number > 1 and (looks_finite(word.text) or (opens and words[number - 1].lower != "of")):
            return number
        if number == 1 and words[0].lower in ("what", "which") and _acts(word):
            return number
        if number == 1 and opens:
            return number
    return len(words)


def _acts(word: PlacedWord) -> bool:
    """Tell if the word after "what" is already its verb: "What happened next?"."""
    low = word.lower
    return (
        low in ADVERBS
        or low == "happen"
        or low.endswith("ed")
        or (looks_finite(low) and low.endswith("s"))
    )


def without_lead(question: str) -> str:
    """Without the "And" that it begins with, and what says no more than "Why?" as that.

    >>> without_lead("And when did he leave?"), without_lead("But why is that?")
    ('When did he leave?', 'Why?')
    """
    bare = LEAD.sub("", question.strip())
    return sentence_case(WHY_THAT.sub("Why", bare))


def fragment_of(question: str) -> str:
    """What stands alone in "And X?", "What about X?" or "X?"; "" for a whole question.

    >>> fragment_of("What about raw ones?"), fragment_of("And where?"), fragment_of("In 2021?")
    ('raw ones', '', 'In 2021')
    """
    bare = LEAD.sub("", question.strip()).rstrip("?. ")
    about = ABOUT.sub("", bare)
    words = words_of(about)
    if not words:
        return ""
    if about != bare:
        return about
    first, second = words[0].lower, words[1].lower if len(words) > 1 else ""
    if first in WH | AUXILIARIES or (first in PREPOSITIONS and second in WH):
        return ""
    led = bare != question.strip().rstrip("?. ")
    small = len(words) <= (6 if led else 4)
    speaks = any(word.lower in AUXILIARIES for word in words) or (
        first in ENGLISH_PRONOUNS and first not in ("one", "there")
    )
    anything = first in ("any", "anything", "anyone", "anybody")
    return about if small and not speaks and not anything else ""


def is_short(shape: QuestionShape) -> bool:
    """Tell if nothing follows what is asked for: "Since when?", "At what temperature?".

    >>> is_short(shape_of("By whom?")), is_short(shape_of("Who left?"))
    (True, False)
    """
    return bool(shape.asking) and not shape.auxiliary and not shape.rest


OPEN_ENDED = re.compile(r"(?:able|ible|al|ar|ful|ous|ive|less|ic|en|er|est)$")
QUALITIES = frozenset(
    ("old", "new", "large", "big", "small", "long", "short", "high", "low", "deep", "wide", "safe",
     "free", "good", "bad", "late", "early", "fast", "slow", "true", "false", "ready", "famous",
     "common", "different", "important", "great", "fair", "open", "married",
     "valid", "empty", "full")
)  # fmt: skip
BREAKS = (PREPOSITIONS - {"of"}) | AUXILIARIES | CONJUNCTIONS | ENGLISH_PRONOUNS | WH
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
                self._subject_seen |= word.lower in ENGLISH_PRONOUNS
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
        """Tell if what is said of the subject of "is" begins here."""
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
        """Tell if a name ends before a word in small letters, which is then the verb."""
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
