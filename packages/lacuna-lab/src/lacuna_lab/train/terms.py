"""Learn the vectors of terms that the hybrid search ranks by."""

from __future__ import annotations

import argparse
import gzip
import json
import random
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt
import torch
from torch.nn.functional import cross_entropy, embedding_bag, normalize

from lacuna.corpus.text_index import Analyzer
from lacuna.errors import LacunaError
from lacuna.retrieve.bm25 import idf
from lacuna.retrieve.hybrid import write_vectors
from lacuna_lab.train.sentence_encoder import MeanEncoder


class TermPair(NamedTuple):
    """A question and its passage, which begins with its title.

    Passages of one ``group`` (an article, a manual) are hard to tell from each other.
    """

    group: str
    question: str
    passage: str


def training_pairs(folder: Path) -> Iterator[TermPair]:
    """The pairs of all files that a data folder has; at least one must be there."""
    paths = [(folder / name, read) for name, read in FILES.items()]
    there = [(path, read) for path, read in paths if path.is_file()]
    if not there:
        names = ", ".join(FILES)
        raise LacunaError(
            f"{folder} has none of the files that term vectors are learned from: {names}."
        )
    for path, read in there:
        for pair in read(path):
            if pair.question.strip() and pair.passage.strip():
                yield pair


def _lines(path: Path) -> Iterator[Any]:
    with gzip.open(path, "rt", encoding="utf-8") as file:
        yield from map(json.loads, file)


def _whole(path: Path) -> Any:
    with gzip.open(path, "rt", encoding="utf-8") as file:
        return json.load(file)


def _squad(path: Path) -> Iterator[TermPair]:
    for article in _whole(path)["data"]:
        title = article["title"].replace("_", " ")
        for paragraph in article["paragraphs"]:
            for asked in paragraph["qas"]:
                yield TermPair(title, asked["question"], f"{title}. {paragraph['context']}")


def _natural(path: Path) -> Iterator[TermPair]:
    for item in _lines(path):
        yield TermPair("natural", item["question"], f"{item['title']}. {item['paragraph']}")


def _yes_no(path: Path) -> Iterator[TermPair]:
    for item in _lines(path):
        yield TermPair("yes or no", item["question"], f"{item['title']}. {item['passage']}")


def _two_hops(path: Path) -> Iterator[TermPair]:
    for item in _whole(path):
        gold = {fact[0] for fact in item["supporting_facts"]}
        for title, sentences in item["context"]:
            if title in gold:
                yield TermPair(
                    path.parent.name, item["question"], f"{title}. {' '.join(sentences)}"
                )


def _synthetic(path: Path) -> Iterator[TermPair]:
    for item in _lines(path):
        passage = f"{item['title']}. {item['section']}. {item['passage']}"
        # Twice: they alone are about manuals and handbooks.
        yield from 2 * [TermPair(item["source"], item["question"], passage)]


FILES: dict[str, Callable[[Path], Iterator[TermPair]]] = {
    "squad/train-v1.1.json.gz": _squad,
    "qed/train.jsonl.gz": _natural,
    "boolq/train.jsonl.gz": _yes_no,
    "hotpotqa/train.json.gz": _two_hops,
    "2wikimultihopqa/train.json.gz": _two_hops,
    "synthetic/fact.jsonl.gz": _synthetic,
    "synthetic/yes.jsonl.gz": _synthetic,
    "synthetic/no.jsonl.gz": _synthetic,
    "synthetic/list.jsonl.gz": _synthetic,
}
"""The files of pairs, and the way to read each."""


Numbers = npt.NDArray[np.int64]
FEWEST = 3
"""Passages that must have a term for it to get a vector."""


@dataclass(frozen=True, slots=True)
class TermVocabulary:
    """Terms, the commonest first; of each the word it most often stands for, and its idf."""

    terms: list[str]
    words: list[str]
    idf: npt.NDArray[np.float32]


@dataclass(frozen=True, slots=True)
class NumberedPairs:
    """The pairs as numbers of terms; ``passage_of`` says which passage answers which question."""

    groups: list[str]
    questions: list[Numbers]
    passage_of: list[int]
    passages: list[Numbers]


def numbered(pairs: Sequence[TermPair], most: int) -> tuple[TermVocabulary, NumberedPairs]:
    """The ``most`` commonest terms of the passages, and the pairs written with them."""
    analyzer = Analyzer()
    texts = {pair.passage: 0 for pair in pairs}
    holding: Counter[str] = Counter()
    written: defaultdict[str, Counter[str]] = defaultdict(Counter)
    tokens: list[list[str]] = []
    for number, text in enumerate(texts):
        texts[text] = number
        found = analyzer.tokens(text)
        tokens.append([token.term for token in found])
        holding.update(set(tokens[-1]))
        for token in found:
            written[token.term][text[token.start : token.end].lower()] += 1
    common = [
        (term, count)
        for term, count in sorted(holding.items(), key=lambda item: (-item[1], item[0]))
        if count >= FEWEST
    ][:most]
    terms = [term for term, _ in common]
    vocabulary = TermVocabulary(
        terms,
        [written[term].most_common(1)[0][0] for term in terms],
        idf(len(texts), np.array([count for _, count in common])).astype(np.float32),
    )
    place = {term: number for number, term in enumerate(terms)}

    def numbers(some: Iterable[str]) -> Numbers:
        return np.array([place[term] for term in some if term in place], np.int64)

    asked = [(pair, numbers(analyzer.terms(pair.question))) for pair in pairs]
    kept = [(pair, question) for pair, question in asked if len(question)]
    return vocabulary, NumberedPairs(
        [pair.group for pair, _ in kept],
        [question for _, question in kept],
        [texts[pair.passage] for pair, _ in kept],
        [numbers(some) for some in tokens],
    )


# Learns the vectors of terms that ``lacuna.retrieve.hybrid`` compares texts by.
#
#     python -m lacuna_lab.train.terms --data DATA --encoder FOLDER --out FOLDER
#
# Every term begins as what an encoder makes of its commonest word alone, with fewer dimensions
# (the first principal components). Then questions must find their own passages among those of
# others, of the same article or manual where possible, in both ways of
# ``lacuna.retrieve.hybrid``: term by term, and by the mean of all terms.


Floats = npt.NDArray[np.float32]
WARMUP = 20


@dataclass(frozen=True, slots=True)
class TermTraining:
    """The settings of learning."""

    terms: int = 32_000
    dimensions: int = 128
    steps: int = 500
    batch: int = 384
    by_term: int = 128
    """Questions of a batch that are compared term by term, which takes longer."""
    together: int = 16
    """Questions of one group that come into a batch together: hard to tell apart."""
    longest: int = 110
    """Terms of a passage that are seen."""
    learning_rate: float = 1e-3
    sharpness: float = 3.0
    """The first factor of likenesses by term."""
    temperature: float = 0.05
    """The divisor of cosines of whole texts."""
    seed: int = 1


def with_fewer_dimensions(vectors: Floats, dimensions: int) -> Floats:
    """The first principal components, each vector of length 1."""
    centred = vectors - vectors.mean(axis=0)
    components = np.linalg.eigh(centred.T @ centred)[1][:, ::-1][:, :dimensions]
    reduced = centred @ components
    unit: Floats = reduced / np.maximum(np.linalg.norm(reduced, axis=1, keepdims=True), 1e-9)
    return unit.astype(np.float32)


def learn(
    start: Floats,
    vocabulary: TermVocabulary,
    pairs: NumberedPairs,
    how: TermTraining,
    report: Callable[[int, float], None] = lambda step, loss: None,
) -> Floats:
    """The vectors after training; their lengths are what the terms weigh."""
    table = torch.nn.Parameter(torch.from_numpy(start.copy()))
    scale = torch.nn.Parameter(torch.tensor(how.sharpness).log())
    # idf is some 5 for a word of medium rarity: so a question's weights begin at about 1.
    rarity = torch.from_numpy(vocabulary.idf) / 5
    optimizer = torch.optim.Adam([table, scale], lr=how.learning_rate)
    chosen = random.Random(how.seed)
    step = 0
    while step < how.steps:
        for batch in _batches(pairs, how, chosen):
            rate = how.learning_rate * min(1, (step + 1) / WARMUP) * max(0.02, 1 - step / how.steps)
            for group in optimizer.param_groups:
                group["lr"] = rate
            questions = [pairs.questions[item] for item in batch]
            passages = [pairs.passages[pairs.passage_of[item]][: how.longest] for item in batch]
            wholes = _means(table, rarity, questions) @ _means(table, rarity, passages).T
            few = slice(how.by_term)
            terms = _by_term(table, rarity, questions[few], passages[few]) * scale.exp()
            loss = _finds_its_own(wholes / how.temperature) + _finds_its_own(terms)
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
            step += 1
            report(step, float(loss.detach()))
            if step == how.steps:
                break
    learned: Floats = (table * rarity[:, None]).detach().numpy()
    return learned


def _finds_its_own(scores: torch.Tensor) -> torch.Tensor:
    return cross_entropy(scores, torch.arange(len(scores)))


def _means(table: torch.Tensor, rarity: torch.Tensor, texts: Sequence[Numbers]) -> torch.Tensor:
    """The subject of each text: its terms added up, as a vector of length 1."""
    terms = torch.from_numpy(np.concatenate(texts))
    starts = torch.from_numpy(np.cumsum([0, *(len(text) for text in texts[:-1])]))
    added = embedding_bag(terms, table, starts, mode="sum", per_sample_weights=rarity[terms])
    return normalize(added, dim=1)


def _batches(
    pairs: NumberedPairs, how: TermTraining, chosen: random.Random
) -> Iterator[Sequence[int]]:
    """Questions, each passage once; at least one batch, however few there are."""
    by_group: dict[str, list[int]] = {}
    for item, group in enumerate(pairs.groups):
        if len(pairs.passages[pairs.passage_of[item]]):
            by_group.setdefault(group, []).append(item)
    runs = []
    for items in by_group.values():
        chosen.shuffle(items)
        runs += [items[at : at + how.together] for at in range(0, len(items), how.together)]
    chosen.shuffle(runs)
    batch: dict[int, int] = {}
    whole = False
    for item in (item for run in runs for item in run):
        batch.setdefault(pairs.passage_of[item], item)
        if len(batch) == how.batch:
            yield list(batch.values())
            batch, whole = {}, True
    if not whole:
        yield list(batch.values())


def _by_term(
    table: torch.Tensor,
    rarity: torch.Tensor,
    questions: Sequence[Numbers],
    passages: Sequence[Numbers],
) -> torch.Tensor:
    """Of each question to each passage: for each term the likest one, weighed and added up."""
    asked, asked_at = np.unique(np.concatenate(questions), return_inverse=True)
    said, said_at = np.unique(np.concatenate(passages), return_inverse=True)
    terms = torch.from_numpy(asked)
    alike = table[terms] @ normalize(table[torch.from_numpy(said)], dim=1).T
    with torch.no_grad():  # which one is likest needs no gradient, how like it is does
        by_said = alike.T.contiguous()
        likest = []
        for place in np.split(said_at, np.cumsum([len(some) for some in passages])[:-1]):
            inside = torch.from_numpy(place)
            likest.append(inside[by_said[inside].argmax(0)])
    best = torch.gather(alike, 1, torch.stack(likest, 1)) * rarity[terms][:, None]
    has = torch.zeros(len(questions), len(asked))
    rows = np.repeat(np.arange(len(questions)), [len(some) for some in questions])
    has[torch.from_numpy(rows), torch.from_numpy(asked_at)] = 1
    return has @ best


def main() -> None:
    """Learn the vectors, and write them to a folder."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--data", type=Path, required=True, help="folder with the datasets")
    parser.add_argument("--encoder", required=True, help="folder, or name on the model hub")
    parser.add_argument("--out", type=Path, required=True)
    parser.add_argument("--steps", type=int, default=TermTraining().steps)
    given = parser.parse_args()
    how = TermTraining(steps=given.steps)
    vocabulary, pairs = numbered(list(training_pairs(given.data)), how.terms)
    print(f"{len(pairs.questions):,} questions, {len(vocabulary.terms):,} terms", flush=True)
    encoded = MeanEncoder(given.encoder).means(vocabulary.words)
    start = with_fewer_dimensions(encoded, how.dimensions)

    def report(step: int, loss: float) -> None:
        if step % 50 == 0:
            print(f"step {step}: loss {loss:.3f}", flush=True)

    write_vectors(given.out, vocabulary.terms, learn(start, vocabulary, pairs, how, report))


if __name__ == "__main__":
    main()
