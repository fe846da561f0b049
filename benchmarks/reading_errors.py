"""What kinds of errors there are among wrong answers, counted over a sample of them.

    python benchmarks/reading_errors.py TASK GOLD PREDICTIONS [--setting S] [--count 50] [--seed 13]

PREDICTIONS has the official format (``lacuna predict`` writes it); ``--show`` prints the sampled
questions, too. Wrong is an answer whose official F1 (accuracy for OpenBookQA) is below a half;
HotpotQA's supporting facts do not count, nor do QuAC's questions on which annotators disagree.
``error_kinds.py`` has the kinds and their rules.
"""

from __future__ import annotations

import argparse
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from random import Random

from error_kinds import WRONG_BELOW, Kind, kind_of

from lacuna.datasets import get_dataset
from lacuna.datasets.setting import Setting
from lacuna.types import Answer, Question


@dataclass(frozen=True, slots=True)
class Wrong:
    """A question that was answered wrongly."""

    question: Question
    said: Answer | None
    kind: Kind


def wrong_answers(task: str, gold: Path, predictions: Path, setting: Setting) -> Iterator[Wrong]:
    """The wrong answers of a prediction file, in the order of the gold file."""
    dataset, metric = get_dataset(task), get_dataset(task).metric()
    predicted = dataset.read_predictions(predictions)
    measure = metric.measures.index(metric.answer_measure)
    with dataset.open(gold) as reader:
        for question in reader.questions():
            if question.gold is None or not question.gold.answers:
                continue
            prediction = predicted.get(question.id)
            score = metric.judge(question, prediction)[measure]
            if score is None or score >= WRONG_BELOW:
                continue
            said = prediction.answer if prediction else None
            seen = setting.arrange(question)
            yield Wrong(question, said, kind_of(question, seen, said, metric.kind(question)))


def show(wrong: Wrong) -> None:
    """A question with its gold and what was said."""
    gold = wrong.question.gold
    assert gold is not None
    references = dict.fromkeys(answer.text for answer in gold.answers)
    print(f"\n[{wrong.kind}] {wrong.question.id}")
    for turn in wrong.question.history[-2:]:
        print(f"  before: {turn.question} – {turn.answer.text if turn.answer else '?'}")
    print(f"  asked:  {wrong.question.text}")
    for choice in wrong.question.choices:
        print(f"          {choice.label}: {choice.text}")
    if wrong.question.fact:
        print(f"  fact:   {wrong.question.fact}")
    print(f"  gold:   {' | '.join(references)}")
    print(f"  said:   {wrong.said.text if wrong.said else '–'}")


def main() -> None:
    """Print a table of counts, and the sample where it is asked for."""
    parser = argparse.ArgumentParser(description="Kinds of errors among wrong answers.")
    parser.add_argument("task")
    parser.add_argument("gold", type=Path)
    parser.add_argument("predictions", type=Path)
    parser.add_argument("--setting")
    parser.add_argument("--count", type=int, default=50)
    parser.add_argument("--seed", type=int, default=13)
    parser.add_argument("--show", action="store_true")
    options = parser.parse_args()
    setting = get_dataset(options.task).setting(options.setting)
    found = list(wrong_answers(options.task, options.gold, options.predictions, setting))
    sample = Random(options.seed).sample(found, min(options.count, len(found)))
    of_all, of_sample = (Counter(wrong.kind for wrong in some) for some in (found, sample))
    print(f"{options.task}, {setting.name}\n")
    print(f"| kind | of {len(sample)} | of all {len(found)} wrong |\n|---|---:|---:|")
    for kind in sorted(of_all, key=lambda kind: -of_all[kind]):
        print(f"| {kind} | {of_sample[kind]} | {of_all[kind]} |")
    if options.show:
        for wrong in sorted(sample, key=lambda wrong: list(Kind).index(wrong.kind)):
            show(wrong)


if __name__ == "__main__":
    main()
