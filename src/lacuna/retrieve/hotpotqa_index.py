"""The inverted index of HotpotQA's retriever: words and pairs of words to paragraphs.

Built in blocks that are merged by ranges of grams, so that memory stays bounded.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from hashlib import blake2b
from itertools import pairwise
from pathlib import Path

import numpy as np
import numpy.typing as npt

from lacuna.corpus.arrays import Arrays
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
