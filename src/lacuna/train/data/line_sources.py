"""What is learned from each of the files with one object a line."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator
from itertools import chain

from lacuna.train.data.lines.qed import short_answers
from lacuna.train.data.lines.snli import opposite_claims
from lacuna.train.data.lines.squad_twins import twins
from lacuna.train.data.lines.strategyqa import among_facts
from lacuna.train.data.lines.synthetic import opposites
from lacuna.train.data.lines.zre import among_sentences
from lacuna.train.data.together import as_found
from lacuna.train.data.wording import reworded
from lacuna.train.data.yes_no.balance import balanced
from lacuna.types import Question

RealQuestions = Callable[[str], Iterator[Question]]
"""The questions of a training file by its name."""
LineSource = Callable[[RealQuestions, int, Counter[str]], Iterator[Question]]


def _boolq(real: RealQuestions, seed: int, left_out: Counter[str]) -> Iterator[Question]:
    return as_found(reworded(balanced(real("boolq")), seed))


def _qed(real: RealQuestions, seed: int, left_out: Counter[str]) -> Iterator[Question]:
    return as_found(reworded(short_answers(real("qed"), left_out), seed))


def _twins(real: RealQuestions, seed: int, left_out: Counter[str]) -> Iterator[Question]:
    return reworded(twins(real("squad_twins"), real("squad1"), left_out), seed)


def _strategyqa(real: RealQuestions, seed: int, left_out: Counter[str]) -> Iterator[Question]:
    return balanced(among_facts(real("strategyqa"), seed))


def _snli(real: RealQuestions, seed: int, left_out: Counter[str]) -> Iterator[Question]:
    return opposite_claims(real("snli"), left_out)


def _zre(real: RealQuestions, seed: int, left_out: Counter[str]) -> Iterator[Question]:
    return among_sentences(real("zre"), seed)


def _synthetic(real: RealQuestions, seed: int, left_out: Counter[str]) -> Iterator[Question]:
    kinds = ("fact", "list", "none")
    return as_found(chain.from_iterable(real(f"synthetic_{kind}") for kind in kinds))


def _synthetic_yes_no(real: RealQuestions, seed: int, left_out: Counter[str]) -> Iterator[Question]:
    return as_found(opposites(real("synthetic_yes"), real("synthetic_no"), left_out))


LINE_SOURCES: dict[str, LineSource] = {
    "boolq": _boolq,
    "qed": _qed,
    "unanswerable_twins": _twins,
    "strategyqa": _strategyqa,
    "snli": _snli,
    "zre": _zre,
    "synthetic": _synthetic,
    "synthetic_yes_no": _synthetic_yes_no,
}
