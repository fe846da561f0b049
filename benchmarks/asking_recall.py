"""Which links to follow and which windows to read: what each signal is worth on the demo.

python benchmarks/asking_recall.py [--most N]

Prints the share of gold links among the first few, and of gold sentences (of linked articles) in
the first few windows, for several ways to score them. Every window of every linked article is
scored once: about a second a question.
"""

from __future__ import annotations

import argparse
from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
from asking import gold_sentences

from lacuna.assets import demo
from lacuna.datasets import get_dataset
from lacuna.models.reader.reader import ModelReader
from lacuna.pipeline.config import PipelineConfig
from lacuna.pipeline.links import spot_links
from lacuna.pipeline.open_corpus import open_store
from lacuna.retrieve.window_index import WindowIndex, word_scores
from lacuna.retrieve.windows import Window, with_sentences
from lacuna.types import AnswerKind, Document, Question

FIRST = (1, 2, 3, 4, 6)
FOLLOWED = 3
RANKED = (4, 6, 8, 12)
WEIGHTS = {
    "words alone": (0.0, 0.0, 0.0, 1.0),
    "relevance": (1.0, 0.0, 0.0, 0.0),
    "relevance + 0.5 link": (1.0, 0.5, 0.0, 0.0),
    "relevance + 0.5 link + 2 beginning": (1.0, 0.5, 2.0, 0.0),
    "relevance + 0.5 link + 4 beginning (used)": (1.0, 0.5, 4.0, 0.0),
    "relevance + 0.5 link + 4 beginning + 0.3 words": (1.0, 0.5, 4.0, 0.3),
}


@dataclass(frozen=True)
class Scored:
    """A window of a linked article, with all that speaks for it."""

    window: Window
    relevance: float
    link: float
    beginning: bool
    words: float

    def score(self, weights: tuple[float, float, float, float]) -> float:
        """The weighted sum."""
        signals = (self.relevance, self.link, float(self.beginning), self.words)
        return sum(weight * signal for weight, signal in zip(weights, signals, strict=True))


def main() -> None:
    """Score everything, then print both tables."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--most", type=int)
    most = parser.parse_args().most
    reader = ModelReader.load("small")
    links: dict[int, list[float]] = defaultdict(list)
    windows: dict[tuple[int, str, int], list[bool]] = defaultdict(list)
    with open_store(None) as store, get_dataset("iirc").open(demo.QUESTIONS) as file:
        shelf = WindowIndex(store)
        asked = [one for one in file.questions() if has_links(one)][:most]
        for question in asked:
            assert question.context is not None
            passage = with_sentences(question.context)
            (alone,) = reader.link_scores([Question("", question.text, passage)])
            spotted = spot_links(
                question.text,
                passage,
                alone.links,
                store.resolve,
                shelf.terms,
                PipelineConfig(),
                leave_out={passage.title},
            )
            there = [one for one in spotted if not one.dangling]
            gold = set(question.gold.links or ()) if question.gold else set()
            for count in FIRST:
                found = gold & {one.title for one in there[:count]}
                links[count].append(len(found) / len(gold))
            pull = {one.title: one.score for one in there[:FOLLOWED]}
            every = list(scored(question.text, pull, shelf, reader))
            for title, text in gold_sentences(question):
                at = store.document(title).text.find(text) + len(text) // 2
                for ranked in RANKED:
                    kept = first_by_words(every, ranked)
                    for name, weights in WEIGHTS.items():
                        best = sorted(kept, key=lambda one: -one.score(weights))
                        for count in FIRST:
                            held = any(holds(one.window, title, at) for one in best[:count])
                            windows[ranked, name, count].append(held)
    print(f"{len(asked)} questions; share in the first {', '.join(map(str, FIRST))}\n")
    print("gold links:", *(f"{100 * np.mean(links[count]):.1f}" for count in FIRST))
    for ranked in RANKED:
        for name in WEIGHTS:
            shares = (f"{100 * np.mean(windows[ranked, name, count]):.1f}" for count in FIRST)
            print(f"gold sentences, {ranked} ranked, {name}:", *shares)


def has_links(question: Question) -> bool:
    """Whether it can be answered, and from a linked article."""
    gold = question.gold
    return bool(gold and gold.links and gold.answers[0].kind is not AnswerKind.NONE)


def scored(
    question: str, pull: dict[str, float], shelf: WindowIndex, reader: ModelReader
) -> Iterator[Scored]:
    """All windows of the followed articles."""
    shelved = [shelf.document(title) for title in pull]
    words = word_scores(shelf.terms(question), shelved)
    for one, by_words in zip(shelved, words, strict=True):
        text = one.document.text
        texts = [Document(w.title, text[w.start : w.end]) for w in one.windows]
        (relevance,) = reader.relevances([(question, texts)])
        for number, window in enumerate(one.windows):
            link = pull[window.title]
            yield Scored(window, relevance[number], link, number == 0, by_words[number])


def first_by_words(every: list[Scored], most: int) -> list[Scored]:
    """The beginnings, and the windows with most of the question's words."""
    ordered = sorted(every, key=lambda one: (not one.beginning, -one.words))
    return ordered[:most]


def holds(window: Window, title: str, at: int) -> bool:
    """Whether a place of a document is in a window."""
    return window.title == title and window.start <= at < window.end


if __name__ == "__main__":
    main()
