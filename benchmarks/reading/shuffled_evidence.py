"""Does the mere presence of evidence decide whether the reader answers?

IIRC's dev questions are read with their own linked texts, with those of another question, and
with none at all. A reader that looks at what the texts say finds no answer in the texts of
another question, however many these are: answerable and unanswerable questions then look alike.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from random import Random

from benchmarks.data import read_questions
from benchmarks.registry import command
from lacuna.datasets import get_dataset
from lacuna.models.reader.reader import ModelReader
from lacuna.types import AnswerKind, Question

SEED = 7


def abstained(reader: ModelReader, questions: Sequence[Question]) -> float:
    """The share of questions that the reader calls unanswerable."""
    answers = [prediction.answer for prediction in reader.read(questions)]
    none = sum(answer is not None and answer.kind is AnswerKind.NONE for answer in answers)
    return none / len(answers)


def shuffled(questions: Sequence[Question], random: Random) -> list[Question]:
    """Each with the linked texts of the next one in a random order."""
    order = random.sample(range(len(questions)), len(questions))
    exchanged = list(questions)
    for here, there in zip(order, order[1:] + order[:1], strict=True):
        exchanged[here] = replace(questions[here], documents=questions[there].documents)
    return exchanged


def main(arguments: Sequence[str]) -> None:
    """Print how often the reader abstains."""
    parser = command("shuffled-evidence", __doc__)
    parser.add_argument("--model", default="small")
    parser.add_argument("--limit", type=int, default=250, help="how many questions of each group")
    options = parser.parse_args(arguments)
    reader = ModelReader.load(options.model)
    questions = read_questions("iirc", Path("iirc", "dev.json.gz"))
    arrange = get_dataset("iirc").setting("oracle-context").arrange
    random = Random(SEED)
    for name, wanted in (("answerable", False), ("unanswerable", True)):
        group = [
            question
            for question in questions
            if question.gold and (question.gold.answers[0].kind is AnswerKind.NONE) == wanted
        ]
        sample = [arrange(question) for question in random.sample(group, options.limit)]
        own = abstained(reader, sample)
        others = abstained(reader, shuffled(sample, random))
        without = abstained(reader, [replace(question, documents=()) for question in sample])
        print(
            f"{name:12} own texts {own:4.0%}, another's {others:4.0%}, without any {without:4.0%}"
        )
