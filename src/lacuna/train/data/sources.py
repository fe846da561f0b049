"""The sources of training questions that a recipe may name, and the questions of each."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Iterator
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path

from lacuna.answer_mode import AnswerMode
from lacuna.train.data.data_folder import DEV, PARAGRAPHS, TRAIN, dev_paths, named, read_to_train
from lacuna.train.data.found.found_questions import FILES as FOUND_FILES
from lacuna.train.data.found.found_questions import found_questions
from lacuna.train.data.hotpotqa_gold import GoldParagraphs
from lacuna.train.data.iirc.hard_negatives import openings_by_title
from lacuna.train.data.iirc.links import link_questions
from lacuna.train.data.iirc.questions import iirc_questions
from lacuna.train.data.iirc.surroundings import surrounded
from lacuna.train.data.line_sources import LINE_SOURCES
from lacuna.train.data.overlap import asked_in_dev
from lacuna.train.data.unanswerable import unanswerable_questions
from lacuna.train.data.yes_no.both_articles import both_questions
from lacuna.train.data.yes_no.yes_no_questions import yes_no_questions
from lacuna.types import Question, Role

NO_GOLD = "no answer given"


@dataclass(frozen=True, slots=True)
class TrainingSource:
    """A source of training questions, the files it reads and the answer mode that it teaches."""

    mode: AnswerMode
    files: tuple[str, ...]
    also_asked: float = 0.0
    """The share that is shown in the mode of Ask, so that what one dataset teaches (arithmetic,
    abstaining, hops) is also learned for questions that may have any kind of answer."""
    ranked: bool = True
    """Whether its documents are also ranked one by one."""


SOURCES = {
    "squad1": TrainingSource(AnswerMode.EXTRACT, ("squad1",)),
    "unanswerable": TrainingSource(AnswerMode.ABSTAIN, ("squad2", "squad1"), 0.15),
    "hotpotqa": TrainingSource(AnswerMode.HOP, ("hotpotqa",)),
    "hotpotqa_gold": TrainingSource(AnswerMode.HOP, ("hotpotqa_gold",), 0.2),
    "twowiki": TrainingSource(AnswerMode.HOP, ("twowiki",), 0.2),
    "iirc": TrainingSource(AnswerMode.ASK, ("iirc",)),
    "links": TrainingSource(AnswerMode.ASK, ("iirc",)),
    "quac": TrainingSource(AnswerMode.DIALOG, ("quac",)),
    "quac_acts": TrainingSource(AnswerMode.DIALOG, ("quac_acts",)),
    "drop": TrainingSource(AnswerMode.CALCULATE, ("drop",), 0.5),
    "openbookqa": TrainingSource(AnswerMode.CHOOSE, ("openbookqa",)),
    "yes_no": TrainingSource(AnswerMode.ASK, ("squad1", "iirc", "drop"), ranked=False),
    "yes_no_hop": TrainingSource(
        AnswerMode.HOP, ("hotpotqa", "hotpotqa_gold", "twowiki"), 0.3, ranked=False
    ),
    "yes_no_both": TrainingSource(AnswerMode.HOP, ("hotpotqa",), 0.3, ranked=False),
    "boolq": TrainingSource(AnswerMode.ASK, ("boolq",)),
    "qed": TrainingSource(AnswerMode.ASK, ("qed",)),
    "unanswerable_twins": TrainingSource(AnswerMode.ABSTAIN, ("squad_twins", "squad1"), 0.5),
    "strategyqa": TrainingSource(AnswerMode.ASK, ("strategyqa",)),
    "snli": TrainingSource(AnswerMode.ASK, ("snli",)),
    "zre": TrainingSource(AnswerMode.ASK, ("zre",)),
    "synthetic": TrainingSource(
        AnswerMode.ASK, ("synthetic_fact", "synthetic_list", "synthetic_none")
    ),
    "synthetic_yes_no": TrainingSource(AnswerMode.ASK, ("synthetic_yes", "synthetic_no")),
    "found": TrainingSource(AnswerMode.ASK, FOUND_FILES, ranked=False),
}
NAMES = list(SOURCES)
YES_NO_AT_MOST = 30000
"""Questions made from each file, so that they stay fewer than real ones."""
YES_NO_OF_ONE_RULE = 0.25
"""The share of these that one rule may make: dates alone would give a third."""
BOTH_AT_MOST = 10000


def source_files(names: Iterable[str], folder: Path) -> list[Path]:
    """All files that decide what the questions of some sources are; each must be there."""
    wanted = {name: TRAIN[name] for source in names for name in SOURCES[source].files}
    paths = [*(file.find(folder) for file in wanted.values()), *dev_paths(folder).values()]
    if "hotpotqa_gold" in wanted:
        paths.append(PARAGRAPHS.find(folder))
    elif "iirc" in wanted and (paragraphs := PARAGRAPHS.find_optional(folder)) is not None:
        paths.append(paragraphs)
    return sorted(set(paths))


def questions_of(name: str, folder: Path, seed: int, left_out: Counter[str]) -> Iterator[Question]:
    """The questions of a source, real or made from real ones."""
    if name in ("yes_no", "yes_no_hop"):
        for origin in SOURCES[name].files:
            real = training_questions(origin, folder, seed=seed, left_out=Counter())
            real = surrounded(real, seed) if origin == "iirc" else real
            yield from yes_no_questions(
                real, seed=seed, at_most=YES_NO_AT_MOST, of_one_rule=YES_NO_OF_ONE_RULE
            )
    elif name == "yes_no_both":
        real = training_questions("hotpotqa", folder, seed=seed, left_out=left_out)
        yield from both_questions(real, seed=seed, at_most=BOTH_AT_MOST)
    elif name == "links":
        yield from link_questions(unlike_dev("iirc", folder, left_out), left_out)
    elif name == "unanswerable":
        # The passages of its answerable questions may be in SQuAD 1.1's dev file; these are not
        # used.
        evaluated = [dev for dev in DEV if dev != "squad1"]
        squad2 = training_questions(
            "squad2", folder, seed=seed, left_out=left_out, evaluated=evaluated
        )
        squad1 = training_questions("squad1", folder, seed=seed)
        yield from unanswerable_questions(squad2, squad1, seed, left_out)
    elif name == "iirc":
        yield from surrounded(training_questions(name, folder, seed=seed, left_out=left_out), seed)
    elif name == "found" or name in LINE_SOURCES:
        make = found_questions if name == "found" else LINE_SOURCES[name]
        real_of = partial(training_questions, folder=folder, seed=seed, left_out=left_out)
        yield from make(real_of, seed, left_out)
    else:
        yield from training_questions(name, folder, seed=seed, left_out=left_out)


def training_questions(
    name: str,
    folder: Path,
    *,
    seed: int,
    left_out: Counter[str] | None = None,
    evaluated: Collection[str] = tuple(DEV),
) -> Iterator[Question]:
    """The questions of one training file, with unique ids and gold, in the file's order.

    What is left out is counted by its reason in ``left_out``: broken items, and whatever would
    reveal something about a dev file in ``evaluated``.
    """
    reasons = Counter[str]() if left_out is None else left_out
    questions = _answered(unlike_dev(name, folder, reasons, evaluated), reasons)
    if name == "iirc":
        paragraphs = PARAGRAPHS.find_optional(folder)
        openings = openings_by_title(paragraphs) if paragraphs else {}
        questions = iirc_questions(questions, seed=seed, left_out=reasons, openings=openings)
    elif name == "hotpotqa_gold":
        paragraphs = PARAGRAPHS.find(folder)
        questions = GoldParagraphs.open(paragraphs).questions(questions, seed=seed)
    for question in questions:
        yield replace(question, id=f"{name}/{question.id}")


def unlike_dev(
    name: str, folder: Path, left_out: Counter[str], evaluated: Collection[str] = tuple(DEV)
) -> Iterator[Question]:
    """The questions of a training file that reveal nothing about a dev file."""
    asked = asked_in_dev(folder, evaluated)
    for question in read_to_train(named(TRAIN, name), folder, left_out):
        overlaps = ((dev, index.overlap(question)) for dev, index in asked.items())
        dev, overlap = next(((dev, shared) for dev, shared in overlaps if shared), ("", None))
        if overlap:
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
