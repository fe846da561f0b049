"""HotpotQA's own retriever (Yang et al. 2018, section 5.2 and appendix C)."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from hashlib import blake2b
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from lacuna.corpus.graph import Arrays, cached_arrays
from lacuna.corpus.passages import lead
from lacuna.corpus.store import Store
from lacuna.retrieve.registry import Hit
from lacuna.text import word_runs

BLOCK = 4_000_000
"""Words of a block; about 150 MB while it is sorted."""

Keys = npt.NDArray[np.uint64]


def word_hash(word: str) -> int:
    """64 bits that stand for a word in the arrays."""
    return int.from_bytes(blake2b(word.encode("utf-8", "replace"), digest_size=8).digest(), "big")


def gram_keys(numbers: npt.NDArray[np.int64]) -> tuple[Keys, Keys]:
    """Keys of single words and of neighbours: no pair has the key of a word."""
    single = numbers.astype(np.uint64)
    pairs = ((single[:-1] + np.uint64(1)) << np.uint64(32)) | single[1:]
    return single, pairs


def build_index(texts: Iterable[str], scratch: Path) -> Arrays:
    """Postings of all words and pairs of neighbours, each text a paragraph numbered from 0."""
    vocabulary: dict[str, int] = {}
    blocks: list[Arrays] = []
    stream: list[int] = []
    lengths: list[int] = []
    first = count = 0

    def finish_block() -> None:
        nonlocal first
        blocks.append(_block(stream, lengths, first, scratch / f"block-{len(blocks)}"))
        first = count
        stream.clear()
        lengths.clear()

    for text in texts:
        words = word_runs(text)
        stream.extend([vocabulary.setdefault(word, len(vocabulary)) for word in words])
        lengths.append(len(words))
        count += 1
        if len(stream) >= BLOCK:
            finish_block()
    finish_block()
    hashes = np.array([word_hash(word) for word in vocabulary], np.uint64)
    order = np.argsort(hashes)
    return {
        "word_hashes": hashes[order],
        "word_numbers": order.astype(np.uint32),
        "count": np.array([count]),
        **_merged(blocks, scratch),
    }


def _block(stream: Sequence[int], lengths: Sequence[int], first: int, path: Path) -> Arrays:
    numbers = np.array(stream, np.int64)
    texts = np.repeat(np.arange(first, first + len(lengths), dtype=np.int32), lengths)
    single, pairs = gram_keys(numbers)
    same = texts[:-1] == texts[1:]
    keys = np.concatenate((single, pairs[same]))
    texts = np.concatenate((texts, texts[:-1][same]))
    # Texts ascend among words and among pairs; a stable sort by key keeps them so.
    order = np.argsort(keys, kind="stable")
    keys, texts = keys[order], texts[order]
    new = np.ones(len(keys), bool)
    new[1:] = (keys[1:] != keys[:-1]) | (texts[1:] != texts[:-1])
    starts = np.flatnonzero(new)
    times = np.diff(starts, append=len(keys)).clip(max=65535).astype(np.uint16)
    arrays = {"keys": keys[starts], "texts": texts[starts], "times": times}
    path.mkdir()
    for name, array in arrays.items():
        np.save(path / f"{name}.npy", array)
    return {name: np.load(path / f"{name}.npy", mmap_mode="r") for name in arrays}


def _merged(blocks: Sequence[Arrays], scratch: Path) -> Arrays:
    total = sum(len(block["keys"]) for block in blocks)
    if total == 0:
        return {
            "grams": np.zeros(0, np.uint64),
            "starts": np.zeros(1, np.int64),
            "texts": np.zeros(0, np.int32),
            "times": np.zeros(0, np.uint16),
        }
    texts = np.memmap(scratch / "texts", np.int32, "w+", shape=(total,))
    times = np.memmap(scratch / "times", np.uint16, "w+", shape=(total,))
    grams, sizes = [], []
    done = 0
    cuts = [[0] * len(blocks)]
    largest = max(blocks, key=lambda block: len(block["keys"]))["keys"]
    step = max(BLOCK // len(blocks), 1)
    cuts += [
        [int(np.searchsorted(block["keys"], cut)) for block in blocks]
        for cut in largest[step::step]
    ]
    cuts.append([len(block["keys"]) for block in blocks])
    for low, high in pairwise(cuts):
        piece = [
            {name: array[start:end] for name, array in block.items()}
            for block, start, end in zip(blocks, low, high, strict=True)
        ]
        keys = np.concatenate([part["keys"] for part in piece])
        order = np.argsort(keys, kind="stable")  # blocks are in the order of their texts
        end = done + len(keys)
        texts[done:end] = np.concatenate([part["texts"] for part in piece])[order]
        times[done:end] = np.concatenate([part["times"] for part in piece])[order]
        unique, counts = np.unique(keys, return_counts=True)
        grams.append(unique)
        sizes.append(counts)
        done = end
    starts = np.concatenate(([0], np.cumsum(np.concatenate(sizes))))
    return {"grams": np.concatenate(grams), "starts": starts, "texts": texts, "times": times}


# HotpotQA's own retriever (Yang et al. 2018, section 5.2 and appendix C).
#
# First the inverted-index filter of algorithm 2: paragraphs that share at least C words and pairs
# of neighbouring words with the question, C rising from 1 until at most N = 5000 are left. Then
# bigram TF-IDF in the way of Chen et al. (2017), over words and pairs alike:
#
#     sum of log(1 + tf in question) * idf * log(1 + tf in paragraph) * idf
#     idf = max(0, log((paragraphs - df + 0.5) / (df + 0.5)))
#
# Where the papers are silent: words are lower-cased runs of letters and digits, none is left out,
# grams are not hashed into bins, and equal scores stand in the order the paragraphs were added.


MOST_CANDIDATES = 5000
FREQUENT = 16
"""A gram is frequent if one paragraph in so many has it."""


class HotpotRetriever:
    """Searches the first paragraphs of a store's documents.

    Its arrays are built when it is first opened after a change of the store.
    """

    def __init__(self, store: Store, *, most_candidates: int = MOST_CANDIDATES) -> None:
        self._store = store
        with store.reading():
            self._paragraphs = GramIndex(
                cached_arrays(
                    store.derived,
                    "hotpot",
                    store.generation,
                    lambda scratch: {
                        **build_index(_lead_texts(store), scratch),
                        "documents": np.fromiter(store.numbers(), np.int64),
                    },
                    state=store.token,
                ),
                most_candidates,
            )

    def search(self, query: str, k: int = 10) -> list[Hit]:
        """The ``k`` best first paragraphs among the candidates that the filter lets through."""
        ids = self._paragraphs.arrays["documents"]
        scores = {int(ids[number]): score for number, score in self._paragraphs.search(query, k)}
        leads = self._store.leads(scores)
        # A document may have been removed since the arrays were opened.
        return [
            Hit(leads[number].title, score, leads[number].start, leads[number].end)
            for number, score in scores.items()
            if number in leads
        ]


class GramIndex:
    """The arrays of the inverted index, and the two steps of a search in them."""

    def __init__(self, arrays: Arrays, most_candidates: int = MOST_CANDIDATES) -> None:
        self._held = arrays  # or their files might be deleted
        # Views: a memmap's own indexing costs more than the search.
        self.arrays = {name: np.asarray(array) for name, array in arrays.items()}
        self.count = int(arrays["count"][0])
        self._most = most_candidates
        self._frequent: dict[int, npt.NDArray[np.uint8]] = {}
        self._log = np.array([math.log(1 + times) for times in range(65536)])

    def search(self, query: str, k: int) -> list[tuple[int, float]]:
        """Numbers of paragraphs with their scores, best first, then in order."""
        grams = self._grams(query)
        candidates = self.candidates(grams)
        scores = self._scores(grams, candidates)
        best = np.lexsort((candidates, -scores))[:k]
        return [(int(candidates[place]), float(scores[place])) for place in best]

    def candidates(self, grams: Iterable[int]) -> npt.NDArray[np.int64]:
        """Algorithm 2: its loop counts the same overlaps again for each C; once is enough."""
        overlap = np.zeros(self.count, np.uint16)
        for gram in grams:
            texts = self._texts(gram)
            if FREQUENT * len(texts) > self.count:
                overlap += self._flags(gram, texts)
            else:
                overlap[texts] += 1
        having = np.bincount(overlap)
        at_least = np.cumsum(having[::-1])[::-1]  # at_least[c]: paragraphs sharing c or more
        few_enough = np.flatnonzero(at_least[1:] <= self._most)
        needed = 1 + int(few_enough[0]) if len(few_enough) else len(at_least)
        return np.flatnonzero(overlap >= needed)

    def _flags(self, gram: int, texts: npt.NDArray[np.int32]) -> npt.NDArray[np.uint8]:
        """A flag for each paragraph that has a frequent gram: adding a whole row is quicker than
        its places.

        There are few such grams ("the", "of the"), so they are cached once they were asked for.
        """
        flags = self._frequent.get(gram)
        if flags is None:
            flags = np.zeros(self.count, np.uint8)
            flags[texts] = 1
            self._frequent[gram] = flags
        return flags

    def _scores(
        self, grams: dict[int, int], candidates: npt.NDArray[np.integer[Any]]
    ) -> npt.NDArray[np.float64]:
        scores = np.zeros(len(candidates))
        # Of the same type as the postings: else each look-up would first convert them all.
        candidates = candidates.astype(np.int32)
        for gram, times in grams.items():
            texts = self._texts(gram)
            ratio = (self.count - len(texts) + 0.5) / (len(texts) + 0.5)
            if ratio <= 1:
                continue
            idf = math.log(ratio)
            place = np.searchsorted(texts, candidates)
            place[place == len(texts)] = 0
            shared = np.flatnonzero(texts[place] == candidates)
            tf = self._times(gram)[place[shared]]
            scores[shared] += (math.log(1 + times) * idf) * (self._log[tf] * idf)
        return scores

    def _grams(self, query: str) -> dict[int, int]:
        """Places of the question's grams in the index, with how often it has them.

        Words first, then pairs, each in the order of the question.
        """
        numbers = np.array([self._word(word) for word in word_runs(query)], np.int64)
        single, pairs = gram_keys(numbers)
        known = numbers >= 0
        keys = np.concatenate((single[known], pairs[known[:-1] & known[1:]]))
        grams = self.arrays["grams"]
        place = np.searchsorted(grams, keys)
        place[place == len(grams)] = 0
        return dict(Counter(place[grams[place] == keys].tolist())) if len(grams) else {}

    def _word(self, word: str) -> int:
        hashes = self.arrays["word_hashes"]
        wanted = np.uint64(word_hash(word))
        place = int(np.searchsorted(hashes, wanted))
        known = place < len(hashes) and hashes[place] == wanted
        return int(self.arrays["word_numbers"][place]) if known else -1

    def _texts(self, gram: int) -> npt.NDArray[np.int32]:
        starts = self.arrays["starts"]
        return self.arrays["texts"][starts[gram] : starts[gram + 1]]

    def _times(self, gram: int) -> npt.NDArray[np.uint16]:
        starts = self.arrays["starts"]
        return self.arrays["times"][starts[gram] : starts[gram + 1]]


def _lead_texts(store: Store) -> Iterator[str]:
    for document in store:
        yield document.text[slice(*lead(document))]
