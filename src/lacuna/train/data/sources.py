"""Training questions by the name of their source."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Iterator
from dataclasses import replace
from pathlib import Path

from lacuna.train.data.data_folder import DEV, PARAGRAPHS, TRAIN, named, read
from lacuna.train.data.gold_only import GoldOnly
from lacuna.train.data.hard_negatives import iirc_questions
from lacuna.train.data.on_topic import openings_by_title
from lacuna.train.data.overlap import asked_in_dev
from lacuna.types import Question, Role

NO_GOLD = "no answer given"


def training_questions(
    name: str,
    folder: Path,
    *,
    seed: int,
    left_out: Counter[str] | None = None,
    evaluated: Collection[str] = tuple(DEV),
) -> Iterator[Question]:
    """The questions of one source, with unique ids and gold, in the file's order.

    What is left out is counted by its reason in ``left_out``: broken items, and whatever would
    tell about a dev file in ``evaluated``. All of SQuAD 2.0's training passages stand in SQuAD
    1.1's dev file; who trains on them must not name ``squad1`` there, and evaluates on what
    ``overlap.unseen`` leaves of it.
    """
    reasons = Counter[str]() if left_out is None else left_out
    questions = _answered(unlike_dev(name, folder, reasons, evaluated), reasons)
    if name == "iirc":
        openings = openings_by_title(folder / PARAGRAPHS)
        questions = iirc_questions(questions, seed=seed, left_out=reasons, openings=openings)
    elif name == "hotpotqa_gold":
        questions = GoldOnly.open(folder / PARAGRAPHS).questions(questions, seed=seed)
    for question in questions:
        yield replace(question, id=f"{name}/{question.id}")


def unlike_dev(
    name: str, folder: Path, left_out: Counter[str], evaluated: Collection[str] = tuple(DEV)
) -> Iterator[Question]:
    """The questions of a training file that tell nothing about a dev file."""
    asked = asked_in_dev(folder, evaluated)
    for question in read(named(TRAIN, name), folder, left_out):
        overlaps = ((dev, index.overlap(question)) for dev, index in asked.items())
        if found := next(((dev, overlap) for dev, overlap in overlaps if overlap), None):
            dev, overlap = found
            left_out[f"{overlap.shared} in {dev} dev"] += 1
        else:
            yield question


def _answered(questions: Iterable[Question], left_out: Counter[str]) -> Iterator[Question]:
    for question in questions:
        if question.gold is None or not question.gold.answers:
            left_out[NO_GOLD] += 1
        else:
            yield _only_true_evidence(question)


def _only_true_evidence(question: Question) -> Question:
    """Without SQuAD's plausible answers, which show where no answer is."""
    gold = question.gold
    if not gold or not gold.evidence:
        return question
    true = tuple(piece for piece in gold.evidence if piece.role is not Role.PLAUSIBLE)
    return replace(question, gold=replace(gold, evidence=true or None))
