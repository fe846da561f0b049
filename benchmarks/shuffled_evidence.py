"""Does the mere presence of evidence decide whether the reader answers?

    python benchmarks/shuffled_evidence.py DATA [MODEL]

IIRC's dev questions are read with their own linked texts, with those of another question, and
with none at all. A reader that looks at what the texts say finds no answer in the texts of
another question, however many these are: answerable and unanswerable questions then look alike.
"""

from __future__ import annotations

import sys
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from random import Random

from lacuna.datasets import get_dataset
from lacuna.models.reader.reader import ModelReader
from lacuna.types import AnswerKind, Question

SAMPLE = 250
SEED = 7


def abstained(reader: ModelReader, questions: Sequence[Question]) -> float:
    """The share of questions that the reader calls unanswerable."""
    made = reader.read(questions)
    return sum(one.answer is not None and one.answer.kind is AnswerKind.NONE for one in made) / len(
        made
    )


def shuffled(questions: Sequence[Question], random: Random) -> list[Question]:
    """Each with the linked texts of the next one in a random order."""
    order = random.sample(range(len(questions)), len(questions))
    made = list(questions)
    for here, there in zip(order, order[1:] + order[:1], strict=True):
        made[here] = replace(questions[here], documents=questions[there].documents)
    return made


def main() -> None:
    data, *model = sys.argv[1:]
    reader = ModelReader.load(model[0] if model else "small")
    with get_dataset("iirc").open(Path(data) / "iirc/dev.json.gz") as file:
        asked = list(file.questions())
    arrange = get_dataset("iirc").setting("oracle-context").arrange
    random = Random(SEED)
    for name, wanted in (("answerable", False), ("unanswerable", True)):
        group = [q for q in asked if (q.gold.answers[0].kind is AnswerKind.NONE) == wanted]  # type: ignore[union-attr]
        some = [arrange(q) for q in random.sample(group, SAMPLE)]
        own = abstained(reader, some)
        others = abstained(reader, shuffled(some, random))
        without = abstained(reader, [replace(q, documents=()) for q in some])
        print(
            f"{name:12} own texts {own:4.0%}, another's {others:4.0%}, without any {without:4.0%}"
        )


if __name__ == "__main__":
    main()
