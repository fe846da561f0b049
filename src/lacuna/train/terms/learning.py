"""Learns the vectors of terms that ``lacuna.retrieve.term_vectors`` compares texts by.

    python -m lacuna.train.terms.learning --data DATA --encoder FOLDER --out FOLDER

Every term begins as what an encoder makes of its commonest word alone, with fewer dimensions (the
first principal components). Then questions must find their own passages among those of others, of
the same article or manual where possible, in both ways of ``lacuna.retrieve.likeness``: term by
term, and by the mean of all terms.
"""

from __future__ import annotations

import argparse
import random
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import numpy.typing as npt
import torch
from torch.nn.functional import cross_entropy, embedding_bag, normalize

from lacuna.retrieve.term_vectors import write_vectors
from lacuna.train.sentence_encoder import MeanEncoder
from lacuna.train.terms.pairs import training_pairs
from lacuna.train.terms.vocabulary import NumberedPairs, Numbers, TermVocabulary, numbered

Floats = npt.NDArray[np.float32]
WARMUP = 20


@dataclass(frozen=True, slots=True)
class TermTraining:
    """How it is learned."""

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
    """What likenesses by term are multiplied with at first."""
    temperature: float = 0.05
    """What cosines of whole texts are divided by."""
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
    """What each text is about: its terms added up, as a vector of length 1."""
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
