"""Accepted questions as HotpotQA's files, in their splits.

``hidden/`` holds the test questions with their gold, and what the model in the loop said while
questions were written: whoever runs the benchmark keeps it back.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path

from lacuna.collect.tasks.hotpotqa.assembly.contributors import easy_writers
from lacuna.collect.tasks.hotpotqa.assembly.cross_validation import (
    FOLDS,
    OpenReader,
    fold_of,
    medium_losses,
)
from lacuna.collect.tasks.hotpotqa.assembly.distractor_context import ContextMaker
from lacuna.collect.tasks.hotpotqa.assembly.splits import HotpotSplit, split_up
from lacuna.collect.tasks.hotpotqa.question_check import check_question
from lacuna.collect.tasks.task import FinishedWork, Json
from lacuna.corpus.store import Store
from lacuna.datasets import get_dataset
from lacuna.datasets.item import Item
from lacuna.files.json_write import dump
from lacuna.files.writing import replace_text
from lacuna.types import Question

TRAIN = (HotpotSplit.TRAIN_EASY, HotpotSplit.TRAIN_MEDIUM, HotpotSplit.TRAIN_HARD)


def write_export(
    finished: Mapping[str, Sequence[FinishedWork]],
    more: Json,
    corpus: Store,
    out: Path,
    open_reader: OpenReader,
) -> Json:
    """Write all files, and say how many questions each has and what was left out."""
    longest = more["longest_question"]
    sound, left_out = [], []
    for work in finished.get("hotpotqa-questions", ()):
        problems = check_question(work.payload, work.work, longest)
        if problems:  # repaired by hand, or accepted under other settings
            left_out.append({"submission": work.submission, "why": problems[0].message})
        else:
            sound.append(work)
    contexts = ContextMaker(corpus, more["seed"])
    questions = {work.submission: contexts.distractor(work) for work in sound}
    writers = easy_writers(sound, finished.get("hotpotqa-hops", ()), more)
    easy = {questions[work.submission].id for work in sound if work.person in writers}
    rest = [question for question in questions.values() if question.id not in easy]
    losses = medium_losses(rest, more["split_models"], more["seed"], open_reader)
    splits = split_up(list(questions.values()), easy, losses, more["medium_loss"], more["seed"])
    files = _write(splits, contexts, out)
    _write_folds(rest, more["seed"], out)
    said = {contexts.id_of(work): work.loop for work in sound if work.loop}
    with replace_text(out / "hidden" / "loop.json") as file:
        file.write(dump(said) + "\n")
    return {
        "questions": len(sound),
        "left_out": left_out,
        "splits": {str(split): len(members) for split, members in splits.items()},
        "easy_writers": {str(person): share for person, share in writers.items()},
        "split_models": list(more["split_models"]),
        "answered_by_model": len(losses),
        "with_model_in_loop": len(said),
        "files": files,
    }


def _write(
    splits: Mapping[HotpotSplit, Sequence[Question]], contexts: ContextMaker, out: Path
) -> dict[str, int]:
    labelled = {
        split: [_with_level(question, split) for question in members]
        for split, members in splits.items()
    }
    files = {f"{split}.json": labelled[split] for split in (*TRAIN, HotpotSplit.DEV)}
    files["train.json"] = [question for split in TRAIN for question in labelled[split]]
    distractor = labelled[HotpotSplit.TEST_DISTRACTOR]
    fullwiki = [contexts.fullwiki(each) for each in labelled[HotpotSplit.TEST_FULLWIKI]]
    files["test-distractor.json"] = list(map(_stripped, distractor))
    files["test-fullwiki.json"] = list(map(_stripped, fullwiki))
    files["hidden/test-distractor-gold.json"] = distractor
    files["hidden/test-fullwiki-gold.json"] = fullwiki
    for name, questions in files.items():
        _write_file(out / name, questions)
    return {name: len(questions) for name, questions in files.items()}


def _write_folds(questions: Sequence[Question], seed: int, out: Path) -> None:
    """What three models of one's own are trained on, each without the fold it is then asked."""
    for fold in range(FOLDS):
        others = [question for question in questions if fold_of(question, seed) != fold]
        _write_file(out / "folds" / f"without-{fold + 1}.json", others)


def _write_file(path: Path, questions: Sequence[Question]) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    get_dataset("hotpotqa").write(path, map(Item.of, questions))


def _with_level(question: Question, split: HotpotSplit) -> Question:
    return replace(question, extra={**question.extra, "level": split.level})


def _stripped(question: Question) -> Question:
    """Without anything that tells the answer; the kind of question would tell something, too."""
    return replace(question, gold=None, extra={})
