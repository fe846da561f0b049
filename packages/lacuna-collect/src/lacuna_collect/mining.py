"""Find what to ask about in linked documents, as the papers did when they collected."""

from __future__ import annotations

import re
from collections.abc import Callable, Container, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, fields, replace
from enum import StrEnum
from hashlib import blake2b
from itertools import combinations
from pathlib import Path
from random import Random
from typing import Any, Protocol, TypeVar

from lacuna.answers import CANNOT_ANSWER
from lacuna.corpus.passages import Cutter, Excerpt
from lacuna.errors import BadField, ItemError, LacunaError, shown
from lacuna.files.json import JsonItems, Shape, decode_whole
from lacuna.files.opening import open_text
from lacuna.text import WORD_RUN
from lacuna.types import Document, Question, Section, Span

ResolveTitle = Callable[[str], str | None]
"""The title of the document that a link target leads to (through redirects, say), or None."""


def paragraphs_of(document: Document) -> tuple[Span, ...]:
    """The paragraphs that are not blank; a document that knows of none is one paragraph."""
    spans = document.paragraphs or (Span(0, len(document.text)),)
    return tuple(span for span in spans if document.text[span.start : span.end].strip())


def first_paragraph(document: Document) -> Document:
    """What HotpotQA's graph and a QuAC student see of an article; empty if there is no text."""
    return Excerpt.of(document, paragraphs_of(document)[:1]).document


def other_articles(document: Document, resolve: ResolveTitle | None = None) -> list[str]:
    """The titles that a document links to, each once, in order; links to itself do not count.

    With ``resolve``, these are the titles of the documents that the links lead to, and links
    that lead nowhere do not count.
    """
    targets = (link.target for link in document.links)
    titles = targets if resolve is None else map(resolve, targets)
    return [title for title in dict.fromkeys(titles) if title and title != document.title]


LIVED = re.compile(r"\([^()]*(?:\bborn\b|\b1\d{3}\b|\b20\d{2}\b|\bBC\b)[^()]*\)")
"""What stands behind a name where an article is about a person: the years of a life."""
IS_SOMEBODY = re.compile(r"\b(?:is|was) (?:an?|the|one of)\b")


def is_person(document: Document) -> bool:
    """Whether an article's first sentence speaks of a person, by the years of a life.

    >>> is_person(Document("Ada Fenn", "Ada Fenn (1851–1929) was an engineer. She was tall."))
    True
    >>> is_person(Document("Orne", "The Orne is a river of 212 kilometres."))
    False
    """
    begun = first_paragraph(document).text[:600]
    lived = LIVED.search(begun)
    return bool(lived and lived.start() < 200 and IS_SOMEBODY.search(begun, lived.end()))


FEWEST_LINKS = 10


@dataclass(frozen=True, slots=True)
class Seed:
    """A paragraph as a document of its own, and where it stands in its article."""

    context: Document
    span: Span
    targets: tuple[str, ...]
    """The other articles that it links to, each once."""


def seeds(
    documents: Iterable[Document],
    resolve: ResolveTitle | None = None,
    fewest_links: int = FEWEST_LINKS,
) -> Iterator[Seed]:
    """Paragraphs with links to at least so many other articles, in the order of the documents.

    An article linked twice counts once: it is one place to look. With ``resolve``, only links
    that lead to a document count, so that every linked article can really be read.
    """
    for document in documents:
        cutter = Cutter(document)
        for span in paragraphs_of(document):
            context = cutter.cut([span]).document
            targets = tuple(other_articles(context, resolve))
            if len(targets) >= fewest_links:
                yield Seed(context, span, targets)


# Pairs of paragraphs to ask a question about (HotpotQA, section 2 and algorithm 1).
#
# A bridge pair is a link from one article's first paragraph to an article b of a curated set. A
# comparison pair is two entities of the same list.


Item = TypeVar("Item")
BRIDGE_RATIO = 0.75
YES_NO_RATIO = 0.5
BLIND_TRIES = 20
"""Draws from a list before its unused pairs are counted out."""


class PairKind(StrEnum):
    """What a question about a pair has to do; the values are HotpotQA's."""

    BRIDGE = "bridge"
    COMPARISON = "comparison"


@dataclass(frozen=True, slots=True)
class Pair:
    """Two titles, and the question that is wanted about them.

    Of a bridge pair, ``second`` is the bridge. ``group`` is the list that a comparison pair is
    from. ``yes_no`` asks for a comparison question with the answer yes or no.
    """

    kind: PairKind
    first: str
    second: str
    yes_no: bool = False
    group: str = ""


def bridge_edges(
    documents: Iterable[Document], curated: Container[str], resolve: ResolveTitle | None = None
) -> dict[str, tuple[str, ...]]:
    """For each curated title, the articles whose first paragraph links to it."""
    sources: dict[str, set[str]] = {}
    for document in documents:
        for target in other_articles(first_paragraph(document), resolve):
            if target in curated:
                sources.setdefault(target, set()).add(document.title)
    return {target: tuple(sorted(sources[target])) for target in sorted(sources)}


def comparison_lists(
    lists: Mapping[str, Iterable[str]], resolve: ResolveTitle
) -> dict[str, tuple[str, ...]]:
    """The lists with the entities that there are documents for; lists of fewer than two go."""
    known = {
        name: tuple(sorted({title for entity in lists[name] if (title := resolve(entity))}))
        for name in sorted(lists)
    }
    return {name: titles for name, titles in known.items() if len(titles) >= 2}


def sample_pairs(
    edges: Mapping[str, Sequence[str]], lists: Mapping[str, Sequence[str]], seed: int
) -> Iterator[Pair]:
    """Draw pairs as algorithm 1 does, each at most once; the same seed gives the same pairs.

    Three of four draws are bridge pairs: a bridge b, each as likely as the others, then one of
    its edges. The rest come from a list, drawn by its size, and half of these are to be asked a
    yes/no question. It ends when the kind that is drawn has no pair left, for going on would
    change the ratio. With no edges at all, or no lists at all, every pair is of the other kind.
    """
    bridges, comparisons = _Bridges(edges), _Comparisons(lists)
    if bridges.empty and comparisons.empty:
        raise LacunaError(
            "There is nothing to draw pairs from: no first paragraph links to a curated title, "
            "and no list has two entities. Check that titles are written as the documents have "
            "them."
        )
    ratio = 0.0 if bridges.empty else 1.0 if comparisons.empty else BRIDGE_RATIO
    return _draws(bridges, comparisons, ratio, Random(seed))


def _draws(
    bridges: _Bridges, comparisons: _Comparisons, ratio: float, random: Random
) -> Iterator[Pair]:
    while True:
        source = bridges if random.random() < ratio else comparisons
        pair = source.draw(random)
        if pair is None:
            return
        yield pair


class _Bridges:
    def __init__(self, edges: Mapping[str, Sequence[str]]) -> None:
        unused = {b: sorted(set(edges[b]) - {b}) for b in sorted(edges)}
        self._unused = {b: sources for b, sources in unused.items() if sources}
        self._titles = list(self._unused)

    @property
    def empty(self) -> bool:
        return not self._titles

    def draw(self, random: Random) -> Pair | None:
        if self.empty:
            return None
        place = pick_index(random, len(self._titles))
        bridge = self._titles[place]
        sources = self._unused[bridge]
        source = sources.pop(pick_index(random, len(sources)))
        if not sources:
            # The last title takes the free place: taking one out of the middle is slow.
            self._titles[place] = self._titles[-1]
            self._titles.pop()
        return Pair(PairKind.BRIDGE, source, bridge)


class _Comparisons:
    def __init__(self, lists: Mapping[str, Sequence[str]]) -> None:
        unique = {name: sorted(set(lists[name])) for name in sorted(lists)}
        self._lists = {name: titles for name, titles in unique.items() if len(titles) >= 2}
        self._used: set[frozenset[str]] = set()

    @property
    def empty(self) -> bool:
        return not self._lists

    def draw(self, random: Random) -> Pair | None:
        while not self.empty:
            name = pick_by_size(random, self._lists)
            two = self._unused_two(random, self._lists[name])
            if two:
                self._used.add(frozenset(two))
                yes_no = random.random() < YES_NO_RATIO
                return Pair(PairKind.COMPARISON, *two, yes_no=yes_no, group=name)
            del self._lists[name]
        return None

    def _unused_two(self, random: Random, titles: list[str]) -> tuple[str, str] | None:
        for _ in range(BLIND_TRIES):
            first, second = pick(random, titles), pick(random, titles)
            if first != second and frozenset((first, second)) not in self._used:
                return first, second
        left = [two for two in combinations(titles, 2) if frozenset(two) not in self._used]
        return pick(random, left) if left else None


# Only random() is promised to give the same numbers for a seed in every version of Python, so the
# choices below are made with it alone.


def pick(random: Random, items: Sequence[Item]) -> Item:
    """One item, each as likely as the others."""
    return items[pick_index(random, len(items))]


def pick_index(random: Random, size: int) -> int:
    """A number from 0 up to ``size``, without it."""
    return int(random.random() * size)


def pick_by_size(random: Random, lists: Mapping[str, Sequence[str]]) -> str:
    """The name of one list, the more likely the longer it is."""
    place = pick_index(random, sum(map(len, lists.values())))
    for name, titles in lists.items():
        if place < len(titles):
            return name
        place -= len(titles)
    raise AssertionError("the sizes add up to more than every place")


def shuffled(random: Random, items: Sequence[Item]) -> list[Item]:
    """All items in random order."""
    return sorted(items, key=lambda _: random.random())


# HotpotQA items that wait for their question: two gold paragraphs among eight distractors.
#
# In the paper the distractors are what bigram TF-IDF finds for the question (section 3). Before
# the question is written, the pair stands in for it: the titles and first sentences of both
# paragraphs, whose words a question about them will use.


DISTRACTORS = 8

Search = Callable[[str, int], Sequence[str]]
"""Titles for a query, best first, at most so many."""


def item_of(
    pair: Pair,
    document: Callable[[str], Document | None],
    search: Search,
    seed: int,
    question: str = "",
) -> Question:
    """The pair's first paragraphs and its distractors', shuffled, as HotpotQA's task writes it.

    ``document`` gives the document of a title. ``question`` is the query once it is written;
    until then the text of the item is empty. ``extra`` holds HotpotQA's ``type``, the
    ``gold_titles``, the ``answer_wanted`` (span, or yes/no) and the comparison pair's ``list``.
    A corpus with fewer than ten paragraphs gives fewer distractors. The order depends on the
    seed and the pair alone, not on what was made before.
    """
    gold = [_paragraph(title, document, pair) for title in (pair.first, pair.second)]
    others: list[Document] = []
    # Two more than needed, since the gold ones are usually found first; the rest as a reserve
    # for titles that lead to the same document or to none.
    for title in search(question or _query(gold), 2 * (DISTRACTORS + 2)):
        article = document(title)
        if article is None or article.title in {other.title for other in (*gold, *others)}:
            continue
        paragraph = _in_sentences(first_paragraph(article))
        if paragraph.text:
            others.append(paragraph)
        if len(others) == DISTRACTORS:
            break
    order = Random(f"{seed}\n{pair.first}\n{pair.second}")
    extra: dict[str, Any] = {
        "type": str(pair.kind),
        "gold_titles": [pair.first, pair.second],
        "answer_wanted": "yes/no" if pair.yes_no else "span",
    }
    if pair.group:
        extra["list"] = pair.group
    documents = tuple(shuffled(order, [*gold, *others]))
    return Question(_id(pair), question, documents=documents, extra=extra)


def _paragraph(title: str, document: Callable[[str], Document | None], pair: Pair) -> Document:
    article = document(title)
    if article is None:
        raise LacunaError(
            f"The pair of {pair.first} and {pair.second} cannot be shown: there is no document "
            f"{title}. Draw pairs from titles that the corpus has."
        )
    return _in_sentences(first_paragraph(article))


def _in_sentences(paragraph: Document) -> Document:
    """HotpotQA's format has sentences, no text; where none are known, the text is one."""
    if paragraph.sentences:
        return paragraph
    return replace(paragraph, sentences=(Span(0, len(paragraph.text)),))


def _query(gold: Sequence[Document]) -> str:
    return " ".join(f"{paragraph.title} {paragraph.sentence(0)}" for paragraph in gold)


def _id(pair: Pair) -> str:
    """The same for the same pair and kind of question, in every run."""
    names = "\n".join((pair.kind, str(pair.yes_no), pair.first, pair.second))
    return blake2b(names.encode(), digest_size=12).hexdigest()


# Sections for a dialog between a student and a teacher (QuAC, section 2.2).
#
# The paper takes articles about people, found by keywords, with at least 100 incoming links, and
# filters their sections by number of paragraphs, number of tokens, and average words per sentence.
# It gives no figures for these. The bounds for tokens and words are those that the middle 98 of
# 100 sections of its training set keep to; its files do not tell paragraphs apart, so the bound
# for these is our own.


FEWEST_IN_LINKS = 100

TOKEN = re.compile(r"\w+|[^\w\s]")


class LinkGraph(Protocol):
    """Any graph that counts links; where a link leads is read from the documents themselves."""

    def in_link_count(self, title: str) -> int:
        """How many links lead to a title."""
        ...


@dataclass(frozen=True, slots=True)
class SectionBounds:
    """Lowest and highest that is allowed, both included."""

    paragraphs: tuple[int, int] = (1, 12)
    tokens: tuple[int, int] = (297, 1439)
    words_a_sentence: tuple[float, float] = (14.9, 40.1)

    def __post_init__(self) -> None:
        """Refuse bounds that nothing is within."""
        for each in fields(self):
            least, most = getattr(self, each.name)
            if not 0 <= least <= most:
                name = each.name.replace("_", " ")
                raise LacunaError(
                    f"No section has {least} to {most} {name}. Give the least first, then the most."
                )

    def allow(self, section: Document) -> bool:
        """Whether a section is neither too short nor too long for a dialog."""
        text = section.text
        if not (
            _within(len(paragraphs_of(section)), self.paragraphs)
            and _within(len(TOKEN.findall(text)), self.tokens)
        ):
            return False
        sentences = len(section.sentences)
        # Without sentences there is nothing to average over.
        words = len(WORD_RUN.findall(text))
        return not sentences or _within(words / sentences, self.words_a_sentence)


@dataclass(frozen=True, slots=True)
class SectionFilter:
    """Which articles are looked at, and which of their sections are fit for a dialog."""

    fewest_in_links: int = FEWEST_IN_LINKS
    people_only: bool = False
    keywords: tuple[str, ...] = ()
    """Words of which the first paragraph must have one; none for all articles."""
    bounds: SectionBounds = field(default_factory=SectionBounds)

    def allows(self, article: Document) -> bool:
        """Whether an article is of the kind that is wanted, however much it is linked."""
        if self.people_only and not is_person(article):
            return False
        wanted = {word.lower() for word in self.keywords}
        words = WORD_RUN.findall(first_paragraph(article).text) if wanted else ()
        return not wanted or not wanted.isdisjoint(word.lower() for word in words)


@dataclass(frozen=True, slots=True)
class ChosenSection:
    """A section as a document of its own, where it stands, and what the student may see of it."""

    section: Section
    context: Document
    background: str
    """The first paragraph of the article."""


def choose_sections(
    documents: Iterable[Document], graph: LinkGraph, wanted: SectionFilter | None = None
) -> Iterator[ChosenSection]:
    """The sections fit for a dialog, in the order of the documents.

    A section that begins with the article holds its introduction, which the student sees: it is
    never chosen. Neither is a section inside a chosen one.
    """
    wanted = wanted or SectionFilter()
    for document in documents:
        if not document.sections or graph.in_link_count(document.title) < wanted.fewest_in_links:
            continue
        if not wanted.allows(document):
            continue
        cutter = Cutter(document)
        background = first_paragraph(document).text
        introduction = paragraphs_of(document)[:1]
        taken = introduction[0].start + 1 if introduction else 0  # chosen up to here
        for section in document.sections:
            if section.start < taken:
                continue
            context = cutter.cut([(section.start, section.end)]).document
            if wanted.bounds.allow(context):
                taken = section.end
                yield ChosenSection(section, context, background)


def _within(value: float, bounds: tuple[float, float]) -> bool:
    return bounds[0] <= value <= bounds[1]


def read_titles(path: Path) -> Iterator[str]:
    """A file with a title a line."""
    with open_text(path) as source:
        for line in source.text:
            if title := line.strip():
                yield title


def read_lists(path: Path) -> dict[str, list[str]]:
    """Lists of similar entities: a JSON object of lists, or lines of name, tab, title."""
    with open_text(path) as source:
        if source.head.startswith("{"):
            return _checked(path, decode_whole(source))
        lists: dict[str, list[str]] = {}
        for number, line in enumerate(source.text, 1):
            if not line.strip() or line.startswith("#"):
                continue
            name, tab, title = line.strip().partition("\t")
            if not tab:
                problem = BadField("line", "a list's name, a tab and a title", shown(line.strip()))
                raise ItemError(path, f"line {number}", problem, can_skip=False)
            lists.setdefault(name, []).append(title)
        return lists


def _checked(path: Path, value: Any) -> dict[str, list[str]]:
    for name, titles in value.items():
        if not isinstance(titles, list) or not all(isinstance(title, str) for title in titles):
            raise LacunaError(f"{path}: the list {name!r} must be a list of titles.")
    lists: dict[str, list[str]] = value
    return lists


def raw_pair(pair: Pair) -> dict[str, Any]:
    """A pair as a line of JSON has it."""
    return {
        "kind": str(pair.kind),
        "first": pair.first,
        "second": pair.second,
        "yes_no": pair.yes_no,
        "group": pair.group,
    }


def read_pairs(path: Path) -> Iterable[Pair]:
    """Pairs from JSON lines, as ``raw_pair`` gives them."""
    with open_text(path) as source:
        for item in JsonItems(source, Shape.LINES):
            try:
                yield _pair(item.value if item.problem is None else None)
            except (KeyError, TypeError, ValueError):
                problem = BadField(
                    "line", "a pair made by `lacuna corpus pairs`", shown(item.value)
                )
                raise ItemError(path, f"line {item.number}", problem, can_skip=False) from None


def _pair(value: Any) -> Pair:
    kind, first, second = PairKind(value["kind"]), value["first"], value["second"]
    if not isinstance(first, str) or not isinstance(second, str):
        raise TypeError
    return Pair(kind, first, second, bool(value["yes_no"]), str(value["group"]))


def raw_seed(seed: Seed) -> dict[str, Any]:
    """A passage of IIRC without questions."""
    context = seed.context
    return {
        "pid": f"{context.title}#{seed.span.start}",
        "title": context.title,
        "text": context.text,
        "links": [
            {"target": link.target, "indices": [link.start, link.end]} for link in context.links
        ],
        "questions": [],
        "span": list(seed.span),
    }


def raw_section(chosen: ChosenSection) -> dict[str, Any]:
    """A QuAC article whose one dialog has not begun."""
    title, name = chosen.context.title, chosen.section.path[-1]
    paragraph = {
        "id": f"{title}#{chosen.section.start}",
        "context": f"{chosen.context.text} {CANNOT_ANSWER}",
        "qas": [],
    }
    return {
        "title": title,
        "section_title": name,
        "background": chosen.background,
        "paragraphs": [paragraph],
        "span": [chosen.section.start, chosen.section.end],
    }
