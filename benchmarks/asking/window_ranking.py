"""Which links to follow and which windows to read: what each signal is worth on the demo.

Prints the share of gold links among the first few, and of gold sentences (of linked articles) in
the first few windows, for several ways to score them. Every window of every linked article is
scored once: about a second a question.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from benchmarks.asking.evidence_recall import gold_sentences
from benchmarks.data import read_questions
from benchmarks.registry import command
from lacuna import demo
from lacuna.corpus.open import open_store
from lacuna.models.reader.reader import ModelReader
from lacuna.pipeline.config import PipelineConfig
from lacuna.pipeline.stages import spot_links
from lacuna.retrieve.windows import Window, WindowIndex, with_sentences, word_scores
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
class ScoredWindow:
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


def main(arguments: Sequence[str]) -> None:
    """Score everything, then print both tables."""
    parser = command("window-ranking", __doc__)
    parser.add_argument("--limit", type=int, help="the first so many questions")
    limit = parser.parse_args(arguments).limit
    questions = [
        question for question in read_questions("iirc", demo.QUESTIONS) if has_links(question)
    ][:limit]
    reader = ModelReader.load("small")
    links: dict[int, list[float]] = defaultdict(list)
    windows: dict[tuple[int, str, int], list[bool]] = defaultdict(list)
    with open_store(None) as store:
        index = WindowIndex(store)
        for question in questions:
            assert question.context is not None
            context = with_sentences(question.context)
            (scores,) = reader.link_scores([Question("", question.text, context)])
            spotted = spot_links(
                question.text,
                context,
                scores.links,
                store.resolve,
                index.terms,
                PipelineConfig(),
                leave_out={context.title},
            )
            present = [link for link in spotted if not link.dangling]
            gold = set(question.gold.links or ()) if question.gold else set()
            for count in FIRST:
                hits = gold & {link.title for link in present[:count]}
                links[count].append(len(hits) / len(gold))
            followed = {link.title: link.score for link in present[:FOLLOWED]}
            every = list(scored_windows(question.text, followed, index, reader))
            for title, text in gold_sentences(question):
                at = store.document(title).text.find(text) + len(text) // 2
                for ranked in RANKED:
                    candidates = first_by_words(every, ranked)
                    for name, weights in WEIGHTS.items():
                        best = sorted(candidates, key=lambda window: -window.score(weights))
                        for count in FIRST:
                            held = any(
                                holds(candidate.window, title, at) for candidate in best[:count]
                            )
                            windows[ranked, name, count].append(held)
    print(f"{len(questions)} questions; share in the first {', '.join(map(str, FIRST))}\n")
    print("gold links:", *(f"{100 * np.mean(links[count]):.1f}" for count in FIRST))
    for ranked in RANKED:
        for name in WEIGHTS:
            shares = (f"{100 * np.mean(windows[ranked, name, count]):.1f}" for count in FIRST)
            print(f"gold sentences, {ranked} ranked, {name}:", *shares)


def has_links(question: Question) -> bool:
    """Whether it can be answered, and from a linked article."""
    gold = question.gold
    return bool(gold and gold.links and gold.answers[0].kind is not AnswerKind.NONE)


def scored_windows(
    question: str, followed: dict[str, float], index: WindowIndex, reader: ModelReader
) -> Iterator[ScoredWindow]:
    """All windows of the followed articles."""
    documents = [index.document(title) for title in followed]
    words = word_scores(index.terms(question), documents)
    for indexed, by_words in zip(documents, words, strict=True):
        text = indexed.document.text
        texts = [Document(w.title, text[w.start : w.end]) for w in indexed.windows]
        (alone,) = reader.read_alone([(question, texts)])
        for number, window in enumerate(indexed.windows):
            link = followed[window.title]
            yield ScoredWindow(window, alone[number].relevance, link, number == 0, by_words[number])


def first_by_words(every: list[ScoredWindow], count: int) -> list[ScoredWindow]:
    """The beginnings, and the windows with most of the question's words."""
    ordered = sorted(every, key=lambda window: (not window.beginning, -window.words))
    return ordered[:count]


def holds(window: Window, title: str, at: int) -> bool:
    """Whether a place of a document is in a window."""
    return window.title == title and window.start <= at < window.end
