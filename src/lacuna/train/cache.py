"""Every source tokenised once, in parallel, into one file beside the run."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import FIRST_COMPLETED, Future, ProcessPoolExecutor, wait
from dataclasses import dataclass
from hashlib import sha256
from itertools import islice
from multiprocessing import get_context
from pathlib import Path

from lacuna.answer_mode import AnswerMode
from lacuna.files.writing import replace_text
from lacuna.models.tokenizer import Tokenizer
from lacuna.train.data.links import link_questions
from lacuna.train.data.sources import training_questions
from lacuna.train.data.surroundings import surrounded
from lacuna.train.data.unanswerable import doubtful_questions
from lacuna.train.data.yes_no.both import both_questions
from lacuna.train.data.yes_no.claims import yes_no_questions
from lacuna.train.examples import Examples
from lacuna.train.instances import Instance, Instances
from lacuna.types import Question

LABELS = 1
"""Raised when the same questions come to other labels, so that an older cache is not used."""
CHUNK = 400
NO_LABEL = "too long, or its answer found nowhere"
Report = dict[str, dict[str, int]]
Labelled = tuple[Instances, int]


@dataclass(frozen=True, slots=True)
class Source:
    """A source of training questions and the habit of answering that it teaches.

    ``also_asked`` is the share that is shown in the mode of Ask, so that what one dataset
    teaches (arithmetic, doubt, hops) is also known where any kind of answer may come.
    """

    mode: AnswerMode
    also_asked: float = 0.0
    ranked: bool = True
    """Whether its documents are also ranked one by one."""


SOURCES = {
    "squad1": Source(AnswerMode.EXTRACT),
    "doubt": Source(AnswerMode.ABSTAIN, 0.15),
    "hotpotqa": Source(AnswerMode.HOP),
    "hotpotqa_gold": Source(AnswerMode.HOP, 0.2),
    "twowiki": Source(AnswerMode.HOP, 0.2),
    "iirc": Source(AnswerMode.ASK),
    "links": Source(AnswerMode.ASK),
    "quac": Source(AnswerMode.DIALOG),
    "quac_acts": Source(AnswerMode.DIALOG),
    "drop": Source(AnswerMode.CALCULATE, 0.3),
    "openbookqa": Source(AnswerMode.CHOOSE),
    "yes_no": Source(AnswerMode.ASK, ranked=False),
    "yes_no_hop": Source(AnswerMode.HOP, 0.3, ranked=False),
    "both": Source(AnswerMode.HOP, 0.3, ranked=False),
}
NAMES = list(SOURCES)
YES_NO = {
    "yes_no": ("squad1", "iirc", "drop"),
    "yes_no_hop": ("hotpotqa", "hotpotqa_gold", "twowiki"),
}
YES_NO_AT_MOST = 30000
"""Made questions from each source, so that they stay fewer than real ones."""
YES_NO_OF_ONE_RULE = 0.25
"""The share of these that one rule may make: dates alone would give a third."""

BOTH_AT_MOST = 10000


def questions_of(name: str, folder: Path, seed: int, left_out: Counter[str]) -> Iterator[Question]:
    """The questions of a source, real or made from real ones."""
    if name in YES_NO:
        for origin in YES_NO[name]:
            real = training_questions(origin, folder, seed=seed, left_out=Counter())
            real = surrounded(real, seed) if origin == "iirc" else real
            yield from yes_no_questions(
                real, seed=seed, at_most=YES_NO_AT_MOST, of_one_rule=YES_NO_OF_ONE_RULE
            )
    elif name == "both":
        real = training_questions("hotpotqa", folder, seed=seed, left_out=left_out)
        yield from both_questions(real, seed=seed, at_most=BOTH_AT_MOST)
    elif name == "links":
        yield from link_questions(folder, left_out)
    elif name == "doubt":
        yield from doubtful_questions(folder, seed, left_out)
    elif name == "iirc":
        yield from surrounded(training_questions(name, folder, seed=seed, left_out=left_out), seed)
    else:
        yield from training_questions(name, folder, seed=seed, left_out=left_out)


_worker: Tokenizer


def _start(tokenizer: Path) -> None:
    global _worker
    _worker = Tokenizer(tokenizer)


def _label(name: str, questions: list[Question], seed: int) -> Labelled:
    """What a worker does with some questions: their inputs, and how many of them gave none."""
    source, number = SOURCES[name], NAMES.index(name)
    examples = Examples(_worker, seed)
    made: list[Instance] = []
    without = 0
    for index, question in enumerate(questions):
        if name == "links":
            some = examples.links(question, number)
        else:
            asked = source.also_asked and (index * 0.61803399) % 1 < source.also_asked
            mode = AnswerMode.ASK if asked else source.mode
            some = examples.of(question, mode, number, ranked=source.ranked)
        made += some
        without += not some
    return Instances.of(made), without


def build_cache(
    names: Iterable[str],
    folder: Path,
    tokenizer: Path,
    path: Path,
    *,
    seed: int,
    workers: int,
    progress: Callable[[int], None] | None = None,
) -> Report:
    """Label all questions of the named sources and keep the instances at ``path``.

    ``progress`` is told how many questions have been taken up by then.
    """
    report: Report = {}
    parts: list[Instances] = []
    before = 0
    # Not forked: torch, which is loaded by now, has threads that a fork would lose.
    with ProcessPoolExecutor(workers, get_context("spawn"), _start, (tokenizer,)) as pool:
        for name in names:
            left_out: Counter[str] = Counter()
            questions = questions_of(name, folder, seed, left_out)
            asked = 0
            running: list[Future[Labelled]] = []
            ordered: list[Future[Labelled]] = []
            while chunk := list(islice(questions, CHUNK)):
                asked += len(chunk)
                running.append(pool.submit(_label, name, chunk, seed + len(ordered) + 1))
                ordered.append(running[-1])
                if len(running) >= 2 * workers:  # so that a large file is not read ahead
                    running = list(wait(running, return_when=FIRST_COMPLETED).not_done)
                if progress is not None:
                    progress(before + asked)
            before += asked
            labelled = [done.result() for done in ordered]
            parts += [made for made, _ in labelled]
            if without := sum(count for _, count in labelled):
                left_out[NO_LABEL] += without
            inputs = sum(len(made) for made, _ in labelled)
            report[name] = {"questions": asked, "inputs": inputs, **left_out}
    with replace_text(path.with_suffix(".json")) as out:
        json.dump(report, out, indent=1)
    # Last of all: where this file is, the cache is whole.
    Instances.joined(parts).save(path)
    return report


def cache_key(names: Iterable[str], tokenizer: Path, seed: int) -> str:
    """A name for a cache: another tokenizer, seed, choice of sources or labelling, another name."""
    digest = sha256(tokenizer.read_bytes())
    digest.update(json.dumps([LABELS, NAMES, sorted(names), seed]).encode())
    return digest.hexdigest()[:16]
