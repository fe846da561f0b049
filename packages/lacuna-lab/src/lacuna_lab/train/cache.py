"""All sources labelled and tokenised once, in parallel, into one file of the run's folder."""

from __future__ import annotations

import json
from collections import Counter, deque
from collections.abc import Callable, Collection, Iterable, Iterator
from concurrent.futures import Future, ProcessPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass
from hashlib import sha256
from multiprocessing import get_context
from pathlib import Path

from lacuna.files.writing import replace_text
from lacuna.models.reader.encode import Tokenizer
from lacuna.types import Question
from lacuna.version import __version__
from lacuna_lab.data.sources import NAMES, SOURCES, content_digest, questions_of, source_files
from lacuna_lab.data.texts import VERDICT, units
from lacuna_lab.train.checkpoint import Progress
from lacuna_lab.train.instances import Instance, InstanceBuilder, Instances

FORMAT = 3
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


@dataclass(frozen=True, slots=True)
class UnlabelledChunk:
    """Some questions of a source; what is drawn for them depends on ``seed`` alone."""

    source: str
    questions: list[Question]
    seed: int


Label = Callable[[Iterable[UnlabelledChunk]], Iterator[Labelled]]
"""Labels chunks, and gives what became of each in their order."""


class Labeller:
    """Turns questions into inputs with their labels."""

    def __init__(self, tokenizer: Path) -> None:
        self._tokenizer = Tokenizer(tokenizer)

    def work(self, item: UnlabelledChunk) -> Labelled:
        """The inputs of some questions, and how many of these gave none."""
        source, number = SOURCES[item.source], NAMES.index(item.source)
        builder = InstanceBuilder(self._tokenizer, item.seed)
        instances: list[Instance] = []
        without = 0
        for index, unit in enumerate(units(item.questions)):
            mode = source.mode_of(index)
            for place, question in enumerate(unit):
                if item.source == "links":
                    built = builder.links(question, mode, number)
                elif VERDICT in question.extra:
                    built = builder.second_look(question, number, with_last=place > 0)
                else:
                    built = builder.build(
                        question, mode, number, ranked=source.ranked, with_last=place > 0
                    )
                instances += built
                without += not built
        return Instances.of(instances), without


_labeller: Labeller


def _start_worker(tokenizer: Path) -> None:
    global _labeller
    _labeller = Labeller(tokenizer)


def _label(chunk: UnlabelledChunk) -> Labelled:
    return _labeller.work(chunk)


@contextmanager
def labelling_here(tokenizer: Path, workers: int) -> Iterator[Label]:
    """So many processes of this machine label."""
    # Not forked: torch, which is loaded by now, has threads that a fork would lose.
    with ProcessPoolExecutor(workers, get_context("spawn"), _start_worker, (tokenizer,)) as pool:

        def label(chunks: Iterable[UnlabelledChunk]) -> Iterator[Labelled]:
            running: deque[Future[Labelled]] = deque()
            for chunk in chunks:
                running.append(pool.submit(_label, chunk))
                if len(running) >= 4 * workers:  # so that a large file is not read ahead
                    yield running.popleft().result()
            while running:
                yield running.popleft().result()

        yield label


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
    path: Path,
    label: Label,
    *,
    seed: int,
    progress: Progress | None = None,
) -> CacheReport:
    """Label all questions of the named sources and save the instances at ``path``.

    ``progress`` is called with the number of questions that have been taken up.
    """
    report: CacheReport = {}
    parts: list[Instances] = []
    before = count = 0

    def taken_up(name: str, questions: Iterable[Question]) -> Iterator[UnlabelledChunk]:
        nonlocal count
        for number, chunk in enumerate(_chunks(questions), 1):
            count += len(chunk)
            if progress is not None:
                progress(before + count)
            yield UnlabelledChunk(name, chunk, seed + number)

    for name in names:
        left_out: Counter[str] = Counter()
        count = inputs = without = 0
        for instances, missing in label(taken_up(name, questions_of(name, folder, seed, left_out))):
            parts.append(instances)
            inputs += len(instances)
            without += missing
        before += count
        if without:
            left_out[NO_LABEL] += without
        report[name] = {"questions": count, "inputs": inputs, **left_out}
    with replace_text(path.with_suffix(".json")) as out:
        json.dump(report, out, indent=1)
    # Last of all: where this file exists, the cache is complete.
    Instances.joined(parts).save(path)
    return report
