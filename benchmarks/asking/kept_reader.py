"""A reader whose outputs are kept, so that a change of what follows them costs seconds."""

from __future__ import annotations

import pickle
import sqlite3
from collections.abc import Callable, Sequence
from hashlib import blake2b
from pathlib import Path
from typing import Any

import numpy as np

from lacuna import models, quantities
from lacuna.answers import AnswerMode
from lacuna.models.calibration import AnswerScorer
from lacuna.models.model_folder import find_model
from lacuna.models.reader.encode import ModelInput
from lacuna.models.reader.reader import (
    Backend,
    LinkScores,
    ModelReader,
    Outputs,
    Progress,
    ScoredAnswer,
)
from lacuna.types import Document, Question

SIZE = 16


def digest(*parts: bytes) -> bytes:
    """A short name for some bytes."""
    made = blake2b(digest_size=SIZE)
    for part in parts:
        made.update(len(part).to_bytes(8, "big") + part)
    return made.digest()


def code_digest() -> bytes:
    """The code from the network's scores to answers: what it made is made anew when it changes."""
    folders = (Path(str(one.__file__)).parent for one in (models, quantities))
    files = [path for folder in folders for path in sorted(folder.rglob("*.py"))]
    return digest(*(path.read_bytes() for path in files))


class Kept:
    """A file of values by their keys."""

    def __init__(self, path: Path) -> None:
        path.parent.mkdir(parents=True, exist_ok=True)
        self._database = sqlite3.connect(path, isolation_level=None, check_same_thread=False)
        self._database.execute("PRAGMA journal_mode = WAL")
        self._database.execute("PRAGMA synchronous = OFF")
        self._database.execute("PRAGMA busy_timeout = 60000")
        self._database.execute(
            "CREATE TABLE IF NOT EXISTS kept (key BLOB PRIMARY KEY, value BLOB) WITHOUT ROWID"
        )

    def all_of(
        self, keys: Sequence[bytes], make: Callable[[list[int]], Sequence[Any]]
    ) -> list[Any]:
        """The value of each key; ``make`` gets the numbers of those that are not there yet."""
        values = [self._get(key) for key in keys]
        missing = [number for number, value in enumerate(values) if value is None]
        if missing:
            for number, value in zip(missing, make(missing), strict=True):
                values[number] = value
                self._database.execute(
                    "INSERT OR REPLACE INTO kept VALUES (?, ?)",
                    (keys[number], pickle.dumps(value, protocol=5)),
                )
        return values

    def _get(self, key: bytes) -> Any:
        row = self._database.execute("SELECT value FROM kept WHERE key = ?", (key,)).fetchone()
        return None if row is None else pickle.loads(row[0])


class KeptBackend:
    """A network, each of whose inputs is run once."""

    def __init__(self, backend: Backend, kept: Kept) -> None:
        self._backend, self._kept = backend, kept
        self.at_once, self.has_verdict = backend.at_once, backend.has_verdict

    def run(self, inputs: Sequence[ModelInput]) -> list[Outputs]:
        """The scores of every input."""
        keys = [digest(one.ids.tobytes(), one.marks.tobytes()) for one in inputs]

        def make(missing: list[int]) -> list[Outputs]:
            outputs = self._backend.run([inputs[number] for number in missing])
            return [(np.asarray(a), np.asarray(b)) for a, b in outputs]

        return self._kept.all_of(keys, make)


class KeptReader(ModelReader):
    """The reader of a model folder; ``chosen_by`` takes the place of its answer scorer."""

    def __init__(self, model: str | Path, work: Path, *, threads: int | None = None) -> None:
        vars(self).update(vars(ModelReader.load(model, threads=threads)))
        folder = find_model(model)
        first = folder.weights if folder.weights.is_file() else folder.network
        later = folder.found_weights if folder.found_weights.is_file() else first
        names = [digest(path.read_bytes()).hex() for path in (first, later)]
        self._backend, self._found = (
            KeptBackend(network, Kept(work / f"outputs-{name}.sqlite"))
            for network, name in zip((self._backend, self._found), names, strict=True)
        )
        self._answers = Kept(work / f"answers-{'-'.join(dict.fromkeys(names))}.sqlite")
        self._code = code_digest()
        self.chosen_by: AnswerScorer | None = None

    def answer_scorer(self, mode: AnswerMode) -> AnswerScorer | None:
        return self.chosen_by or super().answer_scorer(mode)

    def score(
        self,
        questions: Sequence[Question],
        *,
        mode: AnswerMode = AnswerMode.ASK,
        progress: Progress | None = None,
    ) -> list[ScoredAnswer]:
        keys = [self._key("score", mode, question) for question in questions]
        return self._answers.all_of(
            keys,
            lambda missing: super(KeptReader, self).score(
                [questions[number] for number in missing], mode=mode, progress=progress
            ),
        )

    def read_alone(
        self,
        asked: Sequence[tuple[str, Sequence[Document]]],
        *,
        mode: AnswerMode = AnswerMode.ASK,
    ) -> list[list[ScoredAnswer]]:
        pairs = [(question, document) for question, documents in asked for document in documents]
        keys = [
            self._key("alone", mode, Question("", question, documents=(document,)))
            for question, document in pairs
        ]

        def make(missing: list[int]) -> list[ScoredAnswer]:
            some = [(pairs[number][0], [pairs[number][1]]) for number in missing]
            return [one for (one,) in super(KeptReader, self).read_alone(some, mode=mode)]

        read = iter(self._answers.all_of(keys, make))
        return [[next(read) for _ in documents] for _, documents in asked]

    def link_scores(
        self, questions: Sequence[Question], *, mode: AnswerMode = AnswerMode.ASK
    ) -> list[LinkScores]:
        keys = [self._key("links", mode, question) for question in questions]
        return self._answers.all_of(
            keys,
            lambda missing: super(KeptReader, self).link_scores(
                [questions[number] for number in missing], mode=mode
            ),
        )

    def _key(self, what: str, mode: AnswerMode, question: Question) -> bytes:
        texts = [
            (one.title, one.text, one.sentences, one.links)
            for one in (question.context, *question.documents)
            if one is not None
        ]
        asked = (what, str(mode), question.text, question.history, question.context is None, texts)
        return digest(self._code, repr(asked).encode("utf-8", "surrogatepass"))
