"""Asking, end to end: how good, what is lost at which stage, and where the time goes.

The corpora are made once, in the folder WORK. The tasks: demo is the demo's gold set over the demo
corpus, demo-oracle-links the same with the gold links alone, alone the same without its contexts;
schools is the IIRC dev questions whose gold links are all titles of the Schools Wikipedia, pool
HotpotQA's dev questions over the abstracts. The last two need LACUNA_DATA.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from time import perf_counter, process_time

import numpy as np

from benchmarks.asking.evidence_recall import sentence_recalls
from benchmarks.data import data_file, read_questions
from benchmarks.registry import command
from lacuna import demo
from lacuna.corpus.formats.detect import open_source
from lacuna.corpus.open import open_store
from lacuna.corpus.store import Store
from lacuna.datasets import get_dataset
from lacuna.evaluation.asking import followed_titles, judge_search
from lacuna.metrics.report import score_predictions
from lacuna.models.reader.reader import ModelReader
from lacuna.pipeline.pipeline import Pipeline
from lacuna.pipeline.query import Query
from lacuna.pipeline.result import Result
from lacuna.types import Question

POOL_QUESTIONS = 300
"""The first so many dev questions: all of them would take long."""


@dataclass(frozen=True)
class Task:
    """A file of questions, how it is asked, and the corpus that it is asked over."""

    dataset: str
    setting: str
    file: Path
    source: Path | None
    keep: Callable[[Question, Store], bool] = lambda question, store: True
    limit: int | None = None


def in_schools(question: Question, store: Store) -> bool:
    """Every gold link title, lower-cased, is a title of that set."""
    links = question.gold.links if question.gold else None
    return bool(links) and all(title.lower() in titles_of(store) for title in links or ())


@cache
def titles_of(store: Store) -> set[str]:
    """All titles in lower case."""
    return {title.lower() for title in store.titles()}


WIKI = Path("wiki", "schools_wikipedia_2007_html.tar.xz")
POOL = Path("hotpotqa", "abstracts_pool.jsonl.gz")
TASKS = {
    "demo": Task("iirc", "full", demo.QUESTIONS, None),
    "demo-oracle-links": Task("iirc", "oracle-links", demo.QUESTIONS, None),
    "alone": Task("iirc", "alone", demo.QUESTIONS, None),
    "schools": Task("iirc", "full", Path("iirc", "dev.json.gz"), WIKI, in_schools),
    "pool": Task(
        "hotpotqa", "fullwiki", Path("hotpotqa", "dev.json.gz"), POOL, limit=POOL_QUESTIONS
    ),
}


def main(arguments: Sequence[str]) -> None:
    """Ask the questions one by one, and print what came of it."""
    parser = command("asking", __doc__)
    parser.add_argument("work", type=Path)
    parser.add_argument("tasks", nargs="+", choices=TASKS)
    parser.add_argument("--model", default="small")
    parser.add_argument("--threads", type=int, default=2)
    parser.add_argument("--limit", type=int, help="the first so many questions")
    options = parser.parse_args(arguments)
    reader = ModelReader.load(options.model, threads=options.threads)
    for name in options.tasks:
        task = TASKS[name]
        with open_task_corpus(task, options.work) as store:
            questions = [
                question
                for question in read_questions(task.dataset, task.file)
                if task.keep(question, store)
            ][: options.limit or task.limit]
            print(
                f"\n## {name}: {len(questions)} questions, {len(store):,} documents\n", flush=True
            )
            results, seconds, processor = ask_one_by_one(task, store, reader, questions)
            print_scores(task, questions, results, store)
            print_times(results, seconds, processor)


def open_task_corpus(task: Task, work: Path) -> Store:
    """The corpus of a task, indexed if that was not done yet."""
    if task.source is None:
        return open_store(None)
    folder = work / task.source.name.split(".")[0]
    if not folder.exists():
        with Store.create(folder) as store, store.writer() as writer:
            writer.add(open_source(data_file(task.source)))
    return Store.open(folder)


def ask_one_by_one(
    task: Task, store: Store, reader: ModelReader, questions: Sequence[Question]
) -> tuple[dict[str, Result], float, float]:
    """The results by id, the seconds that they took together, and those of the processor."""
    dataset = get_dataset(task.dataset)
    alone = task.setting == "alone"
    setting = dataset.setting(None if alone else task.setting)
    pipeline = Pipeline(store, reader, mode=setting.mode)
    pipeline.ask("Is this the first question?")  # what is loaded once is not a question's time
    start, spent = perf_counter(), process_time()
    results = {}
    for question in questions:
        context = None if alone else setting.arrange(question).context
        results[question.id] = pipeline.ask(Query(question.text, context))
    return results, perf_counter() - start, process_time() - spent


def print_scores(
    task: Task, questions: Sequence[Question], results: dict[str, Result], store: Store
) -> None:
    """The official scores, by kind of answer too, and how good the search was."""
    predictions = {id_: result.prediction for id_, result in results.items()}
    metric = get_dataset(task.dataset).metric()
    report = score_predictions(metric, questions, predictions)
    percent = 100 / metric.scale
    shown = {name: value for name, value in report.official.items() if name in metric.main}
    print("scores:", ", ".join(f"{name} {percent * value:.1f}" for name, value in shown.items()))
    for kind, part in report.parts.items():
        measure = percent * (part.get(metric.answer_measure) or 0.0)
        print(f"  {kind} ({part['questions']}): {measure:.1f}")
    followed = {id_: tuple(followed_titles(result)) for id_, result in results.items()}
    for name, value in judge_search(questions, predictions, followed).as_json().items():
        print(f"{name}: {'–' if value is None else f'{value:.3f}'}")
    for name, recall in sentence_recalls(questions, results, store).items():
        print(f"{name}: {recall:.3f}")


def print_times(results: dict[str, Result], seconds: float, processor: float) -> None:
    """Time of a question, and of each stage."""
    times = np.array([result.milliseconds for result in results.values()])
    p50, p95 = np.percentile(times, (50, 95))
    print(f"{len(results) / seconds:.2f} questions a second; p50 {p50:.0f} ms, p95 {p95:.0f} ms")
    # Other work on the machine makes answers late, but hardly takes more of the processor's time.
    print(f"{1000 * processor / len(results):.0f} ms of processor time a question")
    stages: dict[str, list[float]] = defaultdict(list)
    for result in results.values():
        of_stages: dict[str, float] = defaultdict(float)
        for step in result.steps:
            of_stages[f"{step.stage} {step.hop}"] += step.milliseconds
        for stage, value in of_stages.items():
            stages[stage].append(value)
    for stage, values in sorted(stages.items(), key=lambda pair: pair[0].split()[::-1]):
        mean = float(np.mean(values))
        print(f"  {stage}: {mean:.0f} ms on average, {len(values)} questions", flush=True)
