"""The names of all benchmarks; a module is loaded only when its benchmark is asked for."""

from __future__ import annotations

import argparse
from collections.abc import Callable, Sequence
from importlib import import_module
from typing import NamedTuple, cast

Main = Callable[[Sequence[str]], None]


class Benchmark(NamedTuple):
    """Where a benchmark is, and what it shows. ``extra`` is the optional install it needs."""

    module: str
    about: str
    extra: str | None = None

    def load(self) -> Main:
        """Its ``main``, which takes the arguments behind the name."""
        return cast(Main, import_module(f"benchmarks.{self.module}").main)


BENCHMARKS = {
    "scoring": Benchmark(
        "speed.scoring",
        "scoring beside the official algorithm, memory of reading a large file, start-up",
    ),
    "cluster": Benchmark(
        "scale.cluster", "one Ray node beside two: a corpus built, questions answered", "scale"
    ),
    "three-nodes": Benchmark(
        "scale.three_nodes",
        "three Ray nodes build a corpus and answer; three servers serve it, one killed",
        "scale",
    ),
    "before-after": Benchmark(
        "speed.before_after", "start-up, asking, scoring, indexing and reading beside another tree"
    ),
    "documents": Benchmark(
        "corpora.documents",
        "collections of documents: what is read, links, speed, keeping up, memory",
    ),
    "reading-quality": Benchmark(
        "corpora.reading_quality",
        "collections of documents: markup left in the text, links, titles, quotes found",
    ),
    "asking": Benchmark(
        "asking.pipeline", "the pipeline end to end: scores, what each stage loses, time per stage"
    ),
    "window-ranking": Benchmark(
        "asking.window_ranking", "which links to follow and which windows to read, by each signal"
    ),
    "real-errors": Benchmark(
        "asking.real_errors", "real questions over real documents: why the wrong answers are wrong"
    ),
    "answers": Benchmark(
        "asking.answers", "real and strangers' questions: right, wrong, none, by kind; seconds a go"
    ),
    "dialogs": Benchmark("asking.dialogs", "the demo's dialogs, with QuAC's official scores"),
    "server-load": Benchmark(
        "asking.server_load", "many clients at once against a running server: how long they wait"
    ),
    "load": Benchmark(
        "load.load_run", "a server under load for a while, alone and among clients that do it harm"
    ),
    "replicas": Benchmark(
        "serving.replicas",
        "several servers behind nginx, one killed while people ask: who waits, what is lost",
        "scale",
    ),
    "scaling": Benchmark(
        "scaling.scaling_run",
        "what passages cost to parse, index, store, search and read, how that grows, and how far",
    ),
    "collect-load": Benchmark(
        "collecting.collect_load",
        "many people on a collecting server, which is killed: is all kept, how long saves take",
        "collect",
    ),
    "dialog-load": Benchmark(
        "collecting.dialog_load",
        "many pairs talk at once on a collecting server, which is killed: delivery, is all kept",
        "collect",
    ),
    "exact-sums": Benchmark(
        "reading.exact_sums", "the reader on this processor: sums cut off at 16 bits, and exact"
    ),
    "reading-speed": Benchmark(
        "reading.reading_speed", "the reader in int8, in full precision and in torch, side by side"
    ),
    "reading-errors": Benchmark(
        "reading.reading_errors", "the kinds of errors among the wrong answers of a prediction file"
    ),
    "shuffled-evidence": Benchmark(
        "reading.shuffled_evidence",
        "whether the reader abstains when given another question's text",
    ),
    "bm25-engines": Benchmark(
        "retrieval.bm25_engines",
        "BM25 beside bm25s and SQLite: build, size, memory, queries",
        "bench",
    ),
    "bm25-pool": Benchmark(
        "retrieval.bm25_pool", "what BM25 misses by scoring only a pool of candidates"
    ),
    "finding": Benchmark(
        "retrieval.finding",
        "real questions over real documents: is what answers in the first passages?",
        "bench",
    ),
    "search-speed": Benchmark(
        "retrieval.search_speed", "opening and searching a large corpus beside another tree"
    ),
    "hotpotqa-retriever": Benchmark(
        "retrieval.hotpotqa_retriever", "HotpotQA's retriever beside a version with dictionaries"
    ),
    "add-document": Benchmark(
        "retrieval.add_document", "adding one document to a large store, and finding it"
    ),
    "stores": Benchmark(
        "corpora.stores", "a corpus in a folder and at an address: the same hits, how fast", "scale"
    ),
    "remote-corpus": Benchmark(
        "corpora.remote",
        "a corpus in an object store that answers slowly: opening it, the first answer",
    ),
    "link-graph": Benchmark("retrieval.link_graph", "ten million links: build, open, find paths"),
    "knowledge-search": Benchmark(
        "retrieval.knowledge_search",
        "triples and sentences for OpenBookQA: time, and how many found",
    ),
    "knowledge-engines": Benchmark(
        "retrieval.knowledge_engines", "the sentence search beside the same search by tantivy"
    ),
    "gapqa-examples": Benchmark(
        "gapqa.examples", "the training and dev examples of GapQA's systems, made once", "train"
    ),
    "gapqa-train": Benchmark(
        "gapqa.train", "GapQA's systems trained with several seeds and scored on dev", "train"
    ),
    "gapqa-tables": Benchmark("gapqa.tables", "GapQA's tables 4, 5 and 6 from those runs"),
    "gapqa-key-spans": Benchmark(
        "gapqa.key_spans", "how well GapQA models find key spans", "train"
    ),
    "gapqa-relations": Benchmark(
        "gapqa.relations", "how often GapQA models read a triple as the relation that it states"
    ),
}


def command(name: str, about: str | None) -> argparse.ArgumentParser:
    """The parser of a benchmark's arguments; ``about`` is its module's docstring."""
    return argparse.ArgumentParser(
        prog=f"python -m benchmarks {name}",
        description=about,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
