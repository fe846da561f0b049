"""What kinds of errors there are among wrong answers, counted over a sample of them.

The predictions have the official format, as `lacuna predict` writes it. Wrong is an answer whose
official F1 (accuracy for OpenBookQA) is below a half; HotpotQA's supporting facts do not count, nor
do QuAC's questions on which annotators disagree. error_kinds.py has the kinds and their rules.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from random import Random

from benchmarks.reading.error_kinds import WRONG_BELOW, Kind, kind_of
from benchmarks.registry import command
from lacuna.datasets import get_dataset
from lacuna.datasets.base import Setting
from lacuna.types import Answer, Question


@dataclass(frozen=True, slots=True)
class WrongAnswer:
    """A question that was answered wrongly."""

    question: Question
    answer: Answer | None
    kind: Kind


def wrong_answers(
    name: str, gold: Path, predictions: Path, setting: Setting
) -> Iterator[WrongAnswer]:
    """The wrong answers of a prediction file, in the order of the gold file."""
    dataset, metric = get_dataset(name), get_dataset(name).metric()
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
            answer = prediction.answer if prediction else None
            seen = setting.arrange(question)
            yield WrongAnswer(
                question, answer, kind_of(question, seen, answer, metric.kind(question))
            )


def show(wrong: WrongAnswer) -> None:
    """A question with its gold answers and the wrong one."""
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
    print(f"  answer: {wrong.answer.text if wrong.answer else '–'}")


def main(arguments: Sequence[str]) -> None:
    """Print a table of counts, and the sample where it is asked for."""
    parser = command("reading-errors", __doc__)
    parser.add_argument("dataset")
    parser.add_argument("gold", type=Path)
    parser.add_argument("predictions", type=Path)
    parser.add_argument("--setting")
    parser.add_argument("--count", type=int, default=50, help="the size of the sample")
    parser.add_argument("--seed", type=int, default=13)
    parser.add_argument("--show", action="store_true", help="print the sampled questions")
    options = parser.parse_args(arguments)
    setting = get_dataset(options.dataset).setting(options.setting)
    wrong = list(wrong_answers(options.dataset, options.gold, options.predictions, setting))
    sample = Random(options.seed).sample(wrong, min(options.count, len(wrong)))
    of_all, of_sample = (Counter(each.kind for each in some) for some in (wrong, sample))
    print(f"{options.dataset}, {setting.name}\n")
    print(f"| kind | of {len(sample)} | of all {len(wrong)} wrong |\n|---|---:|---:|")
    for kind in sorted(of_all, key=lambda kind: -of_all[kind]):
        print(f"| {kind} | {of_sample[kind]} | {of_all[kind]} |")
    if options.show:
        for each in sorted(sample, key=lambda each: list(Kind).index(each.kind)):
            show(each)
