"""What the first sentence of an article says about its subject."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass

from lacuna.train.data.names import MONTHS
from lacuna.train.data.word_lists import COUNTRIES, NATIONS
from lacuna.types import Document

PEOPLE = (
    "actor|actress|singer|songwriter|musician|guitarist|drummer|bassist|pianist|composer|rapper"
    "|politician|lawyer|journalist|novelist|poet|playwright|writer|author|director|screenwriter"
    "|producer|filmmaker|cinematographer|comedian|model|dancer|choreographer|painter|sculptor"
    "|photographer|architect|engineer|physicist|chemist|mathematician|economist|historian"
    "|philosopher|astronomer|biologist|psychologist|footballer|cricketer|golfer|boxer|wrestler"
    "|swimmer|cyclist|racing driver|tennis player|basketball player|ice hockey player"
    "|baseball player|chess player|businessman|entrepreneur|diplomat|astronaut|conductor|bishop"
)
THINGS = (
    "film|song|album|novel|band|magazine|newspaper|television series|video game|opera|play"
    "|village|town|city|lake|river|mountain|university|airline|company|museum|school|airport"
    "|genus|breed|record label|football club|restaurant chain|castle|bridge|island"
)
BORN = re.compile(
    rf"\((?:[^()]*?; )?(?:born |b\. )?(?:(?:{MONTHS}) \d{{1,2}}, |\d{{1,2}} (?:{MONTHS}) |)"
    r"(?P<born>1[5-9]\d\d|20[01]\d)(?P<dead> ?[–-] ?[^()]*)?\)"
)
SAYS = re.compile(r"\b(?P<verb>is|was) (?:an?|the) (?P<rest>[^.;]*)")
STOP = re.compile(
    r"\b(?:who|that|which|based|by|from|in|of|for|with|known|released|directed|best|at|on|to|as"
    r"|formed|written|recorded|published|played|currently|located|born|when|where|since|produced"
    r"|starring|about|featuring|serial)\b"
)
RELEASED = re.compile(r"^(?:\w+ )?(?P<year>1[89]\d\d|20[01]\d)\b")
PLACES = frozenset({"village", "town", "city", "lake", "river", "mountain", "university",
    "museum", "school", "airport", "castle", "bridge", "island"})  # fmt: skip
DATED = frozenset({"film", "song", "album", "novel"})
UNCERTAIN = re.compile(
    r"\b(?:former|fictional|retired|extended|or|not|born|-born|descent)\b|-born\b"
)
AMBIGUOUS = frozenset({"Georgia", "Ireland", "Congo", "Korea"})
SUBJECT = re.compile(
    r"(?P<title>[^(,;]{2,60}?)"
    r"(?:\s*\(.{0,300}?\))?(?:,.{0,80}?)?,?\s+(?:is|was|are|were|refers)\s",
)
PRONOUN = re.compile(
    r"(?:he|she|it|its|they|their|his|her|this|these|in|on|at|after|the (?:film|album|song|band|"
    r"series|show|book|novel|game|team|company|city|town|school|group|single))\b",
    re.IGNORECASE,
)


def opening_title(text: str) -> str:
    """The subject of an article's first sentence; "" where it names none.

    >>> opening_title("Arthur's Magazine (1844–1846) was an American periodical.")
    "Arthur's Magazine"
    >>> opening_title("It was sold in 1846.")
    ''
    """
    match = SUBJECT.match(text)
    if not match or PRONOUN.match(text):
        return ""
    title = match["title"].strip(' "')
    return title.removeprefix("The ") if len(title.split()) > 1 else title


@dataclass(frozen=True, slots=True)
class ArticleOpening:
    """A subject and what its article's first sentence says about it; empty where unsaid."""

    name: str
    alive: bool
    person: bool
    kinds: frozenset[str]
    nation: str
    country: str
    born: int | None
    released: int | None


def read_opening(paragraph: Document) -> ArticleOpening | None:
    """What the first sentence says, where its form is the usual one.

    >>> ada = read_opening(Document("Ada Quill", "Ada Quill (born 4 May 1950) is a Dutch poet."))
    >>> ada.kinds, ada.nation, ada.born
    (frozenset({'poet'}), 'Dutch', 1950)
    """
    end = paragraph.sentences[0].end if paragraph.sentences else len(paragraph.text)
    text = paragraph.text[:end].strip()
    name = re.sub(r"(?: \([^)]*\)|, .*)$", "", paragraph.title)
    if (
        not name
        or not re.match(rf"(?:The |[\"“])?{re.escape(name.split()[0])}", text)
        or "&" in name
    ):
        return None
    born = BORN.search(text)
    without = re.sub(r"\([^()]*\)", "", text)
    says = SAYS.search(without)
    if not says:
        return None
    before = without[: says.start()].strip(" ,")
    if "," in before.removeprefix(name) or name.split()[-1] not in before:
        return None
    rest = says["rest"]
    head = STOP.split(rest)[0].strip(" ,")
    if UNCERTAIN.search(head):
        return None
    people = _kinds(PEOPLE, head)
    things = frozenset() if people else _last(THINGS, head)
    if not people and not things:
        return None
    person = bool(people)
    nation = _only(NATIONS, head)
    country = _only(COUNTRIES, rest) if things & PLACES else ""
    released = None if person else RELEASED.match(head)
    return ArticleOpening(
        name,
        says["verb"] == "is",
        person,
        frozenset("actor" if kind == "actress" else kind for kind in people or things),
        nation,
        "" if country in AMBIGUOUS else country,
        int(born["born"]) if person and born else None,
        int(released["year"]) if released and things & DATED else None,
    )


def _only(names: Iterable[str], text: str) -> str:
    """The one name of a list that a text has, if it has just one; a language does not count."""
    present = [n for n in names if re.search(rf"(?<![\w-]){n}(?![\w-]| language)", text)]
    return present[0] if len(present) == 1 else ""


def _kinds(names: str, head: str) -> frozenset[str]:
    return frozenset(re.findall(rf"(?<!\w)({names})(?=$|[ ,-])", head))


def _last(names: str, head: str) -> frozenset[str]:
    """The noun that a phrase ends with: a "film score" is no film."""
    match = re.search(rf"(?:^| )({names})$", head.split(",")[0])
    return frozenset({match[1]}) if match else frozenset()
