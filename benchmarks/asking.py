"""Asking, end to end: how good, what is lost at which stage, and where the time goes.

LACUNA_DATA=… python benchmarks/asking.py WORK demo schools pool [--model small] [--threads 2]

WORK is a folder for the corpora, which are made once. ``demo`` is the demo's gold set over the demo
corpus, ``alone`` the same without its passages, ``schools`` the IIRC dev questions whose gold links
are all titles of the Schools Wikipedia, ``pool`` HotpotQA's dev questions over the abstracts.
"""

from __future__ import annotations

import argparse
import os
from collections import defaultdict
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from time import perf_counter, process_time

import numpy as np

from lacuna.assets import demo
from lacuna.corpus.formats import open_source
from lacuna.corpus.store import Store
from lacuna.datasets import get_dataset
from lacuna.metrics.report import score_predictions
from lacuna.models.reader.reader import ModelReader
from lacuna.pipeline.open_corpus import open_store
from lacuna.pipeline.pipeline import Pipeline
from lacuna.pipeline.query import Query
from lacuna.pipeline.result import Result
from lacuna.pipeline.trace import Stage
from lacuna.systems.asking import judge_search
from lacuna.types import AnswerKind, Question

DATA = Path(os.environ.get("LACUNA_DATA", ""))
POOL_QUESTIONS = 300
"""The first so many dev questions: all of them would take long."""


@dataclass(frozen=True)
class Run:
    """A file of questions, how it is asked, and the corpus that it is asked over."""

    task: str
    setting: str
    file: Path
    source: Path | None
    keep: Callable[[Question, Store], bool] = lambda question, store: True
    most: int | None = None


def in_schools(question: Question, store: Store) -> bool:
    """Every gold link title, lower-cased, is a title of that set."""
    links = question.gold.links if question.gold else None
    return bool(links) and all(title.lower() in titles_of(store) for title in links or ())


def titles_of(store: Store, kept: dict[Path, set[str]] = {}) -> set[str]:  # noqa: B006 - a cache
    """All titles in lower case."""
    if store.folder not in kept:
        kept[store.folder] = {title.lower() for title in store.titles()}
    return kept[store.folder]


WIKI = DATA / "wiki" / "schools_wikipedia_2007_html.tar.xz"
POOL = DATA / "hotpotqa" / "abstracts_pool.jsonl.gz"
RUNS = {
    "demo": Run("iirc", "full", demo.QUESTIONS, None),
    "demo-oracle-links": Run("iirc", "oracle-links", demo.QUESTIONS, None),
    "alone": Run("iirc", "alone", demo.QUESTIONS, None),
    "schools": Run("iirc", "full", DATA / "iirc" / "dev.json.gz", WIKI, in_schools),
    "pool": Run(
        "hotpotqa", "fullwiki", DATA / "hotpotqa" / "dev.json.gz", POOL, most=POOL_QUESTIONS
    ),
}


def main() -> None:
    """Ask the questions one by one, and print what came of it."""
    parser = argparse.ArgumentParser()
    parser.add_argument("work", type=Path)
    parser.add_argument("runs", nargs="+", choices=RUNS)
    parser.add_argument("--model", default="small")
    parser.add_argument("--threads", type=int, default=2)
    parser.add_argument("--most", type=int)
    given = parser.parse_args()
    reader = ModelReader.load(given.model, threads=given.threads)
    for name in given.runs:
        run = RUNS[name]
        with corpus(run, given.work) as store, get_dataset(run.task).open(run.file) as file:
            questions = [question for question in file.questions() if run.keep(question, store)]
            questions = questions[: given.most or run.most]
            print(
                f"\n## {name}: {len(questions)} questions, {len(store):,} documents\n", flush=True
            )
            tell(run, questions, *asked_one_by_one(run, store, reader, questions), store)


def corpus(run: Run, work: Path) -> Store:
    """The corpus of a run, indexed if that was not done yet."""
    if run.source is None:
        return open_store(None)
    folder = work / run.source.name.split(".")[0]
    if not folder.exists():
        with Store.create(folder) as store, store.writer() as writer:
            writer.add(open_source(run.source))
    return Store.open(folder)


def asked_one_by_one(
    run: Run, store: Store, reader: ModelReader, questions: Sequence[Question]
) -> tuple[dict[str, Result], float, float]:
    """The results by id, the seconds that they took together, and those of the processor."""
    dataset = get_dataset(run.task)
    alone = run.setting == "alone"
    setting = dataset.setting(None if alone else run.setting)
    pipeline = Pipeline(store, reader, mode=setting.mode)
    pipeline.ask(
        Query("Is this the first question?")
    )  # what is loaded once is not a question's time
    begun, spent = perf_counter(), process_time()
    results = {}
    for question in questions:
        context = None if alone else setting.arrange(question).context
        results[question.id] = pipeline.ask(Query(question.text, context))
    return results, perf_counter() - begun, process_time() - spent


def tell(
    run: Run,
    questions: Sequence[Question],
    results: dict[str, Result],
    seconds: float,
    processor: float,
    store: Store,
) -> None:
    """Scores, recalls and times."""
    predictions = {id_: result.prediction for id_, result in results.items()}
    metric = get_dataset(run.task).metric()
    report = score_predictions(metric, questions, predictions)
    percent = 100 / metric.scale
    shown = {name: value for name, value in report.official.items() if name in metric.main}
    print("scores:", ", ".join(f"{name} {percent * value:.1f}" for name, value in shown.items()))
    for kind, part in report.parts.items():
        measure = percent * (part.get(metric.answer_measure) or 0.0)
        print(f"  {kind} ({part['questions']}): {measure:.1f}")
    for name, value in judge_search(questions, results).as_json().items():
        print(f"{name}: {'–' if value is None else f'{value:.3f}'}")
    for name, recall in recalls(questions, results, store).items():
        print(f"{name}: {recall:.3f}")
    times = np.array([result.milliseconds for result in results.values()])
    p50, p95 = np.percentile(times, (50, 95))
    print(f"{len(results) / seconds:.2f} questions a second; p50 {p50:.0f} ms, p95 {p95:.0f} ms")
    # Other work on the machine makes answers late, but hardly takes more of the processor's time.
    print(f"{1000 * processor / len(results):.0f} ms of processor time a question")
    stages: dict[str, list[float]] = defaultdict(list)
    for result in results.values():
        spent: dict[str, float] = defaultdict(float)
        for step in result.steps:
            spent[f"{step.stage} {step.hop}"] += step.milliseconds
        for stage, value in spent.items():
            stages[stage].append(value)
    for stage, values in sorted(stages.items(), key=lambda pair: pair[0].split()[::-1]):
        mean = float(np.mean(values))
        print(f"  {stage}: {mean:.0f} ms on average, {len(values)} questions", flush=True)


def recalls(
    questions: Iterable[Question], results: dict[str, Result], store: Store
) -> dict[str, float]:
    """Of the quoted gold sentences of answerable questions, how many are in what was ranked, read.

    Sentences of the passage itself do not count. Where a corpus has other versions of the
    documents than the quotes were taken from, few are found at all: ``in the corpus``.
    """
    totals: dict[str, list[float]] = defaultdict(list)
    for question in questions:
        gold = question.gold
        if gold is None or gold.answers[0].kind is AnswerKind.NONE:
            continue
        for title, text in gold_sentences(question):
            found = store.resolve(title)
            at = store.document(found).text.find(text) if found is not None else -1
            totals["gold sentences in the corpus"].append(at >= 0)
            if at < 0:
                continue
            middle = at + len(text) // 2
            for name, chosen in (("ranked", False), ("read", True)):
                held = any(
                    one.title == found and (one.start or 0) <= middle < (one.end or 0)
                    for step in results[question.id].steps
                    if step.stage in (Stage.START, Stage.FIND)
                    for one in step.candidates
                    if one.chosen or not chosen
                )
                totals[f"gold sentences {name}"].append(held)
    return {name: float(np.mean(values)) for name, values in totals.items()}


def gold_sentences(question: Question) -> Iterable[tuple[str, str]]:
    """Title and text of the evidence that is not the passage's own."""
    facts = question.gold.supporting_facts if question.gold else None
    own = question.context.text if question.context else ""
    for document in question.documents:
        for number, sentence in enumerate(document.sentences):
            wanted = facts is None or (document.title, number) in facts
            text = document.text[sentence.start : sentence.end].strip()
            if wanted and text not in own:
                yield document.title, text


if __name__ == "__main__":
    main()
