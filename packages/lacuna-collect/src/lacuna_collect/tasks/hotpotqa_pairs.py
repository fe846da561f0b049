"""HotpotQA's pairs of paragraphs: categories, their curation, and algorithm 1."""

from __future__ import annotations

import re
import threading
from abc import abstractmethod
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import lru_cache
from hashlib import blake2b
from itertools import combinations
from pathlib import Path
from random import Random
from typing import Protocol

from lacuna.corpus.store import Store
from lacuna.text import STOP_WORDS
from lacuna.types import Document
from lacuna_collect.mining import (
    BLIND_TRIES,
    Pair,
    PairKind,
    comparison_lists,
    first_paragraph,
    pick,
    pick_by_size,
    read_lists,
    shuffled,
)
from lacuna_collect.tasks import hotpotqa_writing as qualification
from lacuna_collect.tasks.hotpotqa_writing import (
    CURATION,
    anchors,
    hints_for,
    kept_paragraph,
    short_forms,
)
from lacuna_collect.tasks.task import (
    DeclaredTask,
    FieldProblem,
    FinishedWork,
    Json,
    NewItem,
    TaskSettings,
    defaults,
    set_to,
)

LIVED = re.compile(r"\([^()]*(?:\bborn\b|\d{3,4}\s*[-–—]\s)[^()]*\d{3,4}[^()]*\)")
IS_A = re.compile(r"\b(?:is|was|are|were) (?:one of )?(?:an?|the|two|three) ([^.,;:()\n]+)")
FIRST_AMONG = re.compile(r"\b\w+(?:est|most) of the ")
"""The easternmost of the islands is an island."""
ENDS = re.compile(
    r"\s(?:of|in|on|at|by|for|from|to|with|that|which|who|whose|where|when|and|or|about|between"
    r"|near|off|under|over|as|now|then|ever|built|held|written|made|used|named|called|known)\b"
)
PERSON = "person"
NO_KIND = "other"
LEAST = 3
"""A kind of fewer documents is no category of its own."""


def kind_of(document: Document) -> str:
    """The noun that the first sentence calls it by; "other" where it does not say.

    >>> kind_of(Document("Kestrel", "The Kestrel is a former patrol ship, now a museum."))
    'ship'
    >>> kind_of(Document("Isa Lorne", "Isa Lorne (1901 – 1977) was a poet."))
    'person'
    """
    paragraph = first_paragraph(document)
    start, end = paragraph.sentences[0] if paragraph.sentences else (0, len(paragraph.text))
    sentence = paragraph.text[start:end]
    if LIVED.search(sentence):
        return PERSON
    said = IS_A.search(sentence)
    if said is None:
        return NO_KIND
    among = FIRST_AMONG.match(said.group(1))
    named = said.group(1)[among.end() :] if among else said.group(1)
    words = ENDS.split(f" {named} ", maxsplit=1)[0].split()
    noun = words[-1].lower() if words else ""
    if among:
        noun = noun.removesuffix("s")
    return noun if noun.isalpha() and noun not in STOP_WORDS else NO_KIND


def by_kind(documents: Iterable[Document]) -> dict[str, tuple[str, ...]]:
    """The titles of every kind, in the order of their names."""
    kinds: dict[str, list[str]] = {}
    for document in documents:
        kinds.setdefault(kind_of(document), []).append(document.title)
    return {name: tuple(sorted(kinds[name])) for name in sorted(kinds)}


def large_kinds(kinds: dict[str, tuple[str, ...]]) -> dict[str, tuple[str, ...]]:
    """The kinds with at least three documents; the rest goes together as "other"."""
    large = {k: titles for k, titles in kinds.items() if len(titles) >= LEAST and k != NO_KIND}
    rest = sorted(title for kind, titles in kinds.items() if kind not in large for title in titles)
    return {**large, NO_KIND: tuple(rest)} if rest else large


# The categories that bridges come from, and the lists of things to compare.
#
# They stand in a file that a requester gives (a JSON object of lists of titles, or lines of name,
# tab, title). Without one, documents are grouped by what their first sentences call them.


Groups = dict[str, tuple[str, ...]]
KEPT = 8
"""Corpora whose kinds are remembered: a document has to be read for each."""


def categories_of(corpus: Store, file: str = "") -> Groups:
    """Titles that may be bridges, by category."""
    if not file:
        return large_kinds(_kinds(corpus))
    given = read_lists(Path(file))
    known = {
        name: tuple(sorted({title for each in given[name] if (title := corpus.resolve(each))}))
        for name in sorted(given)
    }
    return {name: titles for name, titles in known.items() if titles}


def lists_of(corpus: Store, file: str = "") -> Groups:
    """Similar things, by list; a list has at least two."""
    if file:
        return comparison_lists(read_lists(Path(file)), corpus.resolve)
    return {
        name: titles
        for name, titles in _kinds(corpus).items()
        if len(titles) >= 2 and name != NO_KIND
    }


def chosen(groups: Groups, names: object) -> Groups:
    """The groups that curation has chosen; all of them where nothing was chosen yet."""
    if not isinstance(names, list):
        return groups
    return {name: titles for name, titles in groups.items() if name in names}


def _kinds(corpus: Store) -> Groups:
    return _read_kinds(_Read(corpus))


class _Read:
    """A corpus as it is now, for remembering what was read of it."""

    def __init__(self, corpus: Store) -> None:
        self.corpus = corpus
        self._state = (corpus.place, corpus.token)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, _Read) and self._state == other._state

    def __hash__(self) -> int:
        return hash(self._state)


@lru_cache(maxsize=KEPT)
def _read_kinds(read: _Read) -> Groups:
    return by_kind(read.corpus)


# Candidate pairs of paragraphs, drawn one at a time as algorithm 1 does.
#
# Unlike ``corpus.mining.sample_pairs``, which draws from an edge list of its own, this goes by the
# store's link graph, so that a draw costs the same however large the corpus is.


IsFree = Callable[[Pair], bool]


def pair_key(pair: Pair) -> str:
    """The key of a pair's item: a pair that is compared has no first and second."""
    two = [pair.first, pair.second]
    names = "\n".join(sorted(two) if pair.kind is PairKind.COMPARISON else two)
    return f"{pair.kind}-{blake2b(names.encode(), digest_size=12).hexdigest()}"


class PairSource(Protocol):
    """What pairs are drawn from."""

    def draw(self, random: Random, is_free: IsFree) -> Pair | None:
        """A pair that is free; None if there is none."""
        ...


class BridgePairs:
    """Links from first paragraphs to curated titles."""

    def __init__(self, corpus: Store, titles: Sequence[str]) -> None:
        self._graph = corpus.graph()
        self._titles = [title for title in dict.fromkeys(titles) if self._sources(title)]

    @property
    def empty(self) -> bool:
        """Whether there is not a single pair."""
        return not self._titles

    def draw(self, random: Random, is_free: IsFree) -> Pair | None:
        """A bridge, each as likely as the others, then one of its links; None if all are taken."""
        for _ in range(BLIND_TRIES if self._titles else 0):
            bridge = pick(random, self._titles)
            pair = Pair(PairKind.BRIDGE, pick(random, self._sources(bridge)), bridge)
            if is_free(pair):
                return pair
        return next(filter(is_free, self._all(random)), None)

    def _all(self, random: Random) -> Iterator[Pair]:
        for bridge in shuffled(random, self._titles):
            for source in shuffled(random, self._sources(bridge)):
                yield Pair(PairKind.BRIDGE, source, bridge)

    def _sources(self, bridge: str) -> list[str]:
        return [source for source in self._graph.in_links(bridge, lead=True) if source != bridge]


class ComparisonPairs:
    """Two entities of the same list."""

    def __init__(self, lists: Mapping[str, Sequence[str]], yes_no_ratio: float) -> None:
        self._yes_no_ratio = yes_no_ratio
        self._lists = {name: titles for name, titles in lists.items() if len(titles) >= 2}

    @property
    def empty(self) -> bool:
        """Whether there is not a single pair."""
        return not self._lists

    def draw(self, random: Random, is_free: IsFree) -> Pair | None:
        """A list by its size, then two of its entities; None if all pairs are taken."""
        yes_no = random.random() < self._yes_no_ratio
        for _ in range(BLIND_TRIES if self._lists else 0):
            name = pick_by_size(random, self._lists)
            first, second = pick(random, self._lists[name]), pick(random, self._lists[name])
            pair = Pair(PairKind.COMPARISON, first, second, yes_no, name)
            if first != second and is_free(pair):
                return pair
        return next(filter(is_free, self._all(random, yes_no)), None)

    def _all(self, random: Random, yes_no: bool) -> Iterator[Pair]:
        for name in shuffled(random, list(self._lists)):
            for first, second in combinations(shuffled(random, self._lists[name]), 2):
                yield Pair(PairKind.COMPARISON, first, second, yes_no, name)


def draw_pair(
    bridges: BridgePairs,
    comparisons: ComparisonPairs,
    bridge_ratio: float,
    random: Random,
    is_free: IsFree,
) -> Pair | None:
    """One pair by algorithm 1; the other kind where the kind that was drawn has none left."""
    wants_bridge = random.random() < bridge_ratio
    first, second = (bridges, comparisons) if wants_bridge else (comparisons, bridges)
    return first.draw(random, is_free) or second.draw(random, is_free)


_READY: dict[str, tuple[BridgePairs, ComparisonPairs]] = {}
"""What the last draw drew from: preparing it takes far longer than a draw."""
_LOCK = threading.Lock()


def question_item(
    corpus: Store, more: Json, random: Random, taken: frozenset[str]
) -> NewItem | None:
    """An item for a pair that is not taken; None when there is none left."""
    empty: set[str] = set()

    def is_free(pair: Pair) -> bool:
        if pair_key(pair) in taken:
            return False
        for title in (pair.first, pair.second):
            if title not in empty and not kept_paragraph(corpus.document(title))["sentences"]:
                empty.add(title)
        return not empty & {pair.first, pair.second}

    bridges, comparisons = _sources(corpus, more)
    pair = draw_pair(bridges, comparisons, more["bridge_ratio"], random, is_free)
    if pair is None:
        return None
    return NewItem(pair_key(pair), pair_payload(corpus, pair))


def pair_payload(corpus: Store, pair: Pair) -> Json:
    """Everything about a pair that an item keeps."""
    first, second = corpus.document(pair.first), corpus.document(pair.second)
    is_bridge = pair.kind is PairKind.BRIDGE
    return {
        "kind": str(pair.kind),
        "yes_no": pair.yes_no,
        "group": pair.group,
        "paragraphs": [kept_paragraph(first), kept_paragraph(second)],
        "anchors": anchors(first, pair.second, corpus.resolve) if is_bridge else [],
        "short_names": [short_forms(each.title, corpus.resolve) for each in (first, second)],
        "hints": hints_for(pair),
    }


def _sources(corpus: Store, more: Json) -> tuple[BridgePairs, ComparisonPairs]:
    names = ("categories_file", "lists_file", "chosen_categories", "chosen_lists", "yes_no_ratio")
    state = repr((corpus.place, corpus.token, [more.get(name) for name in names]))
    with _LOCK:
        if state not in _READY:
            categories = categories_of(corpus, more["categories_file"])
            categories = chosen(categories, more.get("chosen_categories"))
            lists = chosen(lists_of(corpus, more["lists_file"]), more.get("chosen_lists"))
            titles = [title for members in categories.values() for title in members]
            ready = BridgePairs(corpus, titles), ComparisonPairs(lists, more["yes_no_ratio"])
            _READY.clear()
            _READY[state] = ready
        return _READY[state]


# Curation: people look at sample pairs of a group and say whether a question could be asked.
#
# A group is a category of bridges, or a list of things to compare; those with a high rate are
# used.


SHOWN = ("kind", "paragraphs", "anchors")
FIELD = "askable"


class CurationTask(DeclaredTask):
    """What both tasks of curation share; a subclass says what groups and pairs there are."""

    name: str
    title: str
    instructions: str
    form: str
    chosen_name: str
    """The setting of the question task that holds the chosen groups."""
    file_name: str
    """The setting of the question task that names the groups' file."""
    knobs = CURATION
    settings = TaskSettings(
        pay_cents=50, minutes=60, inspect_first=0, pass_mark=0.75, more=defaults(CURATION)
    )

    @abstractmethod
    def groups(self, corpus: Store, file: str) -> Groups:
        """The groups to look at."""

    @abstractmethod
    def pairs(self, corpus: Store, group: str, titles: Sequence[str]) -> PairSource:
        """Where the pairs of a group are drawn from."""

    def make_items(
        self, corpus: Store, settings: TaskSettings, random: Random
    ) -> Iterable[NewItem]:
        """An item for each group, with sample pairs; a group that has no pair gives none."""
        more = set_to(settings, CURATION)
        for group, titles in self.groups(corpus, more["groups_file"]).items():
            # Its own for each group, so that other groups change nothing about it.
            order = Random(f"{more['seed']}\n{self.name}\n{group}")
            pairs = _sample(self.pairs(corpus, group, titles), order, more["pairs_per_group"])
            if pairs:
                payload = {
                    "group": group,
                    "size": len(titles),
                    "pairs": [_kept(corpus, pair) for pair in pairs],
                }
                key = blake2b(group.encode(), digest_size=12).hexdigest()
                yield NewItem(f"group-{key}", payload, copies=more["copies"])

    def shown(self, payload: Json, settings: TaskSettings) -> Json:
        """The group and its pairs."""
        pairs = [{name: pair[name] for name in SHOWN} for pair in payload["pairs"]]
        return {"group": payload["group"], "pairs": pairs}

    def check(self, payload: Json, work: Json, settings: TaskSettings) -> Sequence[FieldProblem]:
        """Every pair needs a verdict."""
        verdicts = work.get(FIELD) if isinstance(work, dict) else None
        if not isinstance(verdicts, list) or set(work) != {FIELD}:
            return [FieldProblem(FIELD, "Say of each pair whether a question could be asked.")]
        if len(verdicts) > len(payload["pairs"]):
            return [FieldProblem(FIELD, "There are fewer pairs than this.")]
        return [
            FieldProblem(f"{FIELD}.{place}", "Could a good question be asked about these two?")
            for place in range(len(payload["pairs"]))
            if place >= len(verdicts) or type(verdicts[place]) is not bool
        ]

    def alike(self, payload: Json, work: Json, other: Json) -> float:
        """The share of pairs on which two people agree."""
        same = [mine is theirs for mine, theirs in zip(work[FIELD], other[FIELD], strict=True)]
        return sum(same) / len(same)

    def settle(
        self, finished: Sequence[FinishedWork], settings: TaskSettings
    ) -> Mapping[str, Json]:
        """Choose the groups with a high rate, for the question task; nothing before the first."""
        if not finished:
            return {}
        more = set_to(settings, CURATION)
        rates = group_rates(finished)
        names = [group for group, rate in rates.items() if rate >= more["least_rate"]]
        settled = {self.chosen_name: names, self.file_name: more["groups_file"]}
        return {"hotpotqa-questions": settled}


def group_rates(finished: Iterable[FinishedWork]) -> dict[str, float]:
    """The share of sample pairs of each group that a question could be asked about."""
    asked: Counter[str] = Counter()
    seen: Counter[str] = Counter()
    for work in finished:
        group = str(work.payload["group"])
        asked[group] += sum(work.work[FIELD])
        seen[group] += len(work.work[FIELD])
    return {group: asked[group] / seen[group] for group in sorted(seen)}


def _sample(source: PairSource, random: Random, count: int) -> list[Pair]:
    pairs: dict[str, Pair] = {}
    while len(pairs) < count:
        pair = source.draw(random, lambda pair: pair_key(pair) not in pairs)
        if pair is None:
            break
        pairs[pair_key(pair)] = pair
    return list(pairs.values())


def _kept(corpus: Store, pair: Pair) -> Json:
    payload = pair_payload(corpus, pair)
    return {name: payload[name] for name in SHOWN}


class HotpotCategoriesTask(CurationTask):
    """Sample links to the documents of a category: could a question take both paragraphs?"""

    name = "hotpotqa-categories"
    title = "Look at categories"
    instructions = "hotpotqa-categories"
    form = "hotpotqa-categories"
    chosen_name = "chosen_categories"
    file_name = "categories_file"

    def groups(self, corpus: Store, file: str) -> Groups:
        """The categories of the file, or the kinds of documents that there are."""
        return categories_of(corpus, file)

    def pairs(self, corpus: Store, group: str, titles: Sequence[str]) -> PairSource:
        """Links to the documents of the category."""
        return BridgePairs(corpus, titles)

    def qualification(self, settings: TaskSettings) -> Sequence[NewItem]:
        """A category of ours."""
        return qualification.categories()


class HotpotListsTask(CurationTask):
    """Sample pairs of a list: could the two be compared?"""

    name = "hotpotqa-lists"
    title = "Look at lists"
    instructions = "hotpotqa-lists"
    form = "hotpotqa-lists"
    chosen_name = "chosen_lists"
    file_name = "lists_file"

    def groups(self, corpus: Store, file: str) -> Groups:
        """The lists of the file, or the documents of one kind."""
        return lists_of(corpus, file)

    def pairs(self, corpus: Store, group: str, titles: Sequence[str]) -> PairSource:
        """Any two entities of the list."""
        return ComparisonPairs({group: titles}, 0.0)

    def qualification(self, settings: TaskSettings) -> Sequence[NewItem]:
        """A list of ours."""
        return qualification.lists()
