"""How long the knowledge search takes, and how much it finds, on OpenBookQA's dev questions.

Builds the stores, opens them, and searches triples and sentences for every choice of every
question. Core facts are kept out, and so are the facts that the question writers were asked for:
they would give the answers away.
"""

from __future__ import annotations

import tempfile
from collections.abc import Iterator, Sequence
from pathlib import Path

from benchmarks.data import OPENBOOK_DEV, data_folder, read_questions
from benchmarks.measure import memory, size_of, timed
from benchmarks.registry import command
from lacuna.retrieve.knowledge.build import build_sentences, build_triples
from lacuna.retrieve.knowledge.search import Sentences, Triples
from lacuna.text import content_stems, words
from lacuna.types import Question

WRITERS_FACTS = frozenset({"obqa_crowd_facts"})


def main(arguments: Sequence[str]) -> None:
    """Measure and print."""
    parser = command("knowledge-search", __doc__)
    parser.add_argument("folder", type=Path, nargs="?", help="where to build; else a temporary one")
    folder = parser.parse_args(arguments).folder
    if folder:
        measure(folder)
    else:
        with tempfile.TemporaryDirectory() as scratch:
            measure(Path(scratch))


def measure(folder: Path) -> None:
    """Build, open and search."""
    data = data_folder()
    for name, build, source in (
        ("triples", build_triples, data / "conceptnet" / "triples.tsv.gz"),
        ("sentences", build_sentences, data / "science" / "sentences.tsv.gz"),
    ):
        report = timed(f"build {name}", lambda: build([source], folder / name))  # noqa: B023
        print(f"  {report}\n  {size_of(folder / name) / 1e6:.0f} MB on disk")
    print(f"peak memory so far: {memory():.0f} MB")
    triples = timed("open triples", lambda: Triples.open(folder / "triples"))
    sentences = timed("open sentences", lambda: Sentences.open(folder / "sentences"))

    questions = read_questions("openbookqa", OPENBOOK_DEV)
    facts = [question.fact for question in questions if question.fact]
    allowed = timed("keep facts out", lambda: sentences.without(facts, WRITERS_FACTS))
    print(f"  {len(sentences) - len(allowed)} sentences kept out")
    pairs = [pair for question in questions for pair in pairs_of(question)]
    print(f"{len(questions)} questions, {len(pairs)} pairs of span and choice")

    with_triples = timed("search triples", lambda: [triples.search(*pair) for pair in pairs])
    with_sentences = timed("search sentences", lambda: [allowed.search(*pair) for pair in pairs])
    strict = timed(
        "search sentences, every word",
        lambda: [allowed.search(*pair, every_word=True) for pair in pairs],
    )
    for name, hits in (
        ("a triple", with_triples),
        ("a sentence", with_sentences),
        ("a sentence with every word", strict),
        ("either", [[*a, *b] for a, b in zip(with_triples, with_sentences, strict=True)]),
    ):
        share = sum(map(bool, hits)) / len(pairs)
        print(f"  pairs with {name}: {share:.1%}")


def pairs_of(question: Question) -> Iterator[tuple[str, str]]:
    """The key span with every choice."""
    span = key_span(question.fact or "", question.text)
    return ((span, choice.text) for choice in question.choices)


def key_span(fact: str, question: str) -> str:
    """The longest run of words of the fact that the question does not mention.

    A stand-in for the span model: stop words neither break a run nor count.
    """
    mentioned = set(content_stems(question))
    runs: list[list[str]] = [[]]
    for word in words(fact):
        stems = content_stems(word)
        if stems and stems[0] in mentioned:
            runs.append([])
        else:
            runs[-1].append(word)
    return " ".join(max(runs, key=lambda run: sum(bool(content_stems(word)) for word in run)))
