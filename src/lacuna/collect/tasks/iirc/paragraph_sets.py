"""Sets of seed paragraphs with the articles that they link to, as both tasks store them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from hashlib import blake2b

from lacuna.collect.tasks.task import Json
from lacuna.corpus.mining import Seed, seeds
from lacuna.corpus.store import Store
from lacuna.errors import LacunaError
from lacuna.types import Document, Span

TRAIN, DEV, TEST = "train", "dev", "test"
SPLITS = (TRAIN, DEV, TEST)


def paragraph_sets(corpus: Store, options: Json) -> Iterator[tuple[str, list[Seed]]]:
    """Sets of paragraphs of one split each: as many people answer a set as its split needs.

    Which split a paragraph is in, and which set, is decided by a hash of where it stands: the same
    corpus always gives the same sets. Paragraphs that fill no set are left over. Any number of the
    first sets has the splits in about their shares.
    """
    fewest, size = options["fewest_links"], options["paragraphs"]
    by_split: dict[str, list[Seed]] = {split: [] for split in SPLITS}
    for seed in seeds(corpus, corpus.resolve, fewest):
        by_split[split_of(paragraph_id(seed), options)].append(seed)
    made: list[tuple[float, str, list[Seed]]] = []
    for split, some in by_split.items():
        some.sort(key=lambda seed: _hash(paragraph_id(seed), "order"))
        count = len(some) // size
        for number in range(count):
            part = some[number * size : (number + 1) * size]
            made.append(((number + 0.5) / count, split, part))
    if not made:
        found = sum(map(len, by_split.values()))
        raise LacunaError(
            f"The corpus has {found} paragraphs with links to at least {fewest} other "
            f"articles, and no split has the {size} that make a set. Set a lower "
            "fewest_links or paragraphs, as in `lacuna collect init … --set fewest_links=3`, or "
            "give a larger corpus; `lacuna corpus seeds --links N` lists such paragraphs."
        )
    for _, split, part in sorted(made, key=lambda one: one[:2]):
        yield split, part


def paragraph_id(seed: Seed) -> str:
    """What a paragraph is called: its article, and where it begins there."""
    return f"{seed.context.title}#{seed.span.start}"


def split_of(paragraph: str, options: Json) -> str:
    """The split of a paragraph, by its name alone."""
    place = _hash(paragraph, "split") % 100
    if place < options["percent_test"]:
        return TEST
    return DEV if place < options["percent_test"] + options["percent_dev"] else TRAIN


def set_key(paragraphs: Iterable[str]) -> str:
    """A name for a set, whatever order its paragraphs have."""
    return f"set-{_hash(chr(10).join(sorted(paragraphs)), 'set'):016x}"


def raw_paragraph(seed: Seed, corpus: Store) -> Json:
    """A paragraph with those of its links that lead to another article."""
    context = seed.context
    resolved = ((link, corpus.resolve(link.target)) for link in context.links)
    return {
        "id": paragraph_id(seed),
        "title": context.title,
        "text": context.text,
        "sentences": _pairs(context.sentences),
        "links": [
            {"start": link.start, "end": link.end, "target": title}
            for link, title in resolved
            if title in seed.targets
        ],
    }


def raw_article(document: Document) -> Json:
    """An article as it can be read and quoted: its text, which images are no part of."""
    return {
        "text": document.text,
        "paragraphs": _pairs(document.paragraphs or (Span(0, len(document.text)),)),
        "sentences": _pairs(document.sentences),
    }


def _pairs(spans: Iterable[Span]) -> list[list[int]]:
    return [[start, end] for start, end in spans]


def _hash(text: str, purpose: str) -> int:
    digest = blake2b(text.encode(errors="surrogatepass"), digest_size=8, person=purpose.encode())
    return int.from_bytes(digest.digest())
