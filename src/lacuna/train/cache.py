"""All sources labelled and tokenised once, in parallel, into one file of the run's folder."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Collection, Iterable, Iterator
from concurrent.futures import FIRST_COMPLETED, Future, ProcessPoolExecutor, wait
from hashlib import sha256
from multiprocessing import get_context
from pathlib import Path

from lacuna.answer_mode import AnswerMode
from lacuna.files.writing import replace_text
from lacuna.models.tokenizer import Tokenizer
from lacuna.train.data.data_folder import content_digest
from lacuna.train.data.sources import NAMES, SOURCES, questions_of, source_files
from lacuna.train.data.together import units
from lacuna.train.instance_builder import InstanceBuilder
from lacuna.train.instances import Instance, Instances
from lacuna.train.schedule import Progress
from lacuna.types import Question
from lacuna.version import __version__

FORMAT = 2
"""Raised when the same questions get other labels, so that an older cache is not used."""
CHUNK = 400
NO_LABEL = "too long, or its answer found nowhere"
CacheReport = dict[str, dict[str, int]]
"""For each source the number of its questions and inputs, and of what was left out, by reason."""
Labelled = tuple[Instances, int]


def cache_key(names: Collection[str], folder: Path, tokenizer: Path, seed: int) -> str:
    """A name for a cache. Whatever changes its content changes the key: the data files (by their
    content), the tokenizer, the seed, the choice of sources, and the version of this code."""
    data = content_digest(source_files(names, folder))
    made_by = [FORMAT, __version__, NAMES, sorted(names), seed, data]
    digest = sha256(tokenizer.read_bytes())
    digest.update(json.dumps(made_by).encode())
    return digest.hexdigest()[:16]


_tokenizer: Tokenizer


def _start_worker(tokenizer: Path) -> None:
    global _tokenizer
    _tokenizer = Tokenizer(tokenizer)


def _label(name: str, questions: list[Question], seed: int) -> Labelled:
    """A worker's task: the inputs of some questions, and how many of these gave none."""
    source, number = SOURCES[name], NAMES.index(name)
    builder = InstanceBuilder(_tokenizer, seed)
    instances: list[Instance] = []
    without = 0
    for index, unit in enumerate(units(questions)):
        also_asked = source.also_asked and (index * 0.61803399) % 1 < source.also_asked
        mode = AnswerMode.ASK if also_asked else source.mode
        for place, question in enumerate(unit):
            if name == "links":
                built = builder.links(question, number)
            else:
                built = builder.build(
                    question, mode, number, ranked=source.ranked, with_last=place > 0
                )
            instances += built
            without += not built
    return Instances.of(instances), without


def _chunks(questions: Iterable[Question]) -> Iterator[list[Question]]:
    """The tasks of workers; questions that stay together are in one of them."""
    chunk: list[Question] = []
    for unit in units(questions):
        chunk += unit
        if len(chunk) >= CHUNK:
            yield chunk
            chunk = []
    if chunk:
        yield chunk


def build_cache(
    names: Iterable[str],
    folder: Path,
    tokenizer: Path,
    path: Path,
    *,
    seed: int,
    workers: int,
    progress: Progress | None = None,
) -> CacheReport:
    """Label all questions of the named sources and save the instances at ``path``.

    ``progress`` is called with the number of questions that have been taken up.
    """
    report: CacheReport = {}
    parts: list[Instances] = []
    before = 0
    # Not forked: torch, which is loaded by now, has threads that a fork would lose.
    with ProcessPoolExecutor(workers, get_context("spawn"), _start_worker, (tokenizer,)) as pool:
        for name in names:
            left_out: Counter[str] = Counter()
            questions = questions_of(name, folder, seed, left_out)
            count = 0
            running: list[Future[Labelled]] = []
            ordered: list[Future[Labelled]] = []
            for chunk in _chunks(questions):
                count += len(chunk)
                running.append(pool.submit(_label, name, chunk, seed + len(ordered) + 1))
                ordered.append(running[-1])
                if len(running) >= 2 * workers:  # so that a large file is not read ahead
                    running = list(wait(running, return_when=FIRST_COMPLETED).not_done)
                if progress is not None:
                    progress(before + count)
            before += count
            labelled = [future.result() for future in ordered]
            parts += [instances for instances, _ in labelled]
            if without := sum(missing for _, missing in labelled):
                left_out[NO_LABEL] += without
            inputs = sum(len(instances) for instances, _ in labelled)
            report[name] = {"questions": count, "inputs": inputs, **left_out}
    with replace_text(path.with_suffix(".json")) as out:
        json.dump(report, out, indent=1)
    # Last of all: where this file exists, the cache is complete.
    Instances.joined(parts).save(path)
    return report
