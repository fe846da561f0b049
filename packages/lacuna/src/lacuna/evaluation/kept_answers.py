"""The answers of a run, kept until it is done; and what two runs must agree in."""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping
from dataclasses import asdict, dataclass
from hashlib import blake2b
from pathlib import Path
from typing import IO, TYPE_CHECKING, Any, Protocol

import msgspec

from lacuna.datasets.base import AnswerTrace
from lacuna.files.cache import digest_of
from lacuna.files.writing import open_after, whole_lines, write_line
from lacuna.models.model_folder import SHIPPED, is_shipped
from lacuna.types import Prediction
from lacuna.version import __version__

if TYPE_CHECKING:
    from lacuna.evaluation.assignment import Assignment
    from lacuna.evaluation.registry import NamedSystem
    from lacuna.evaluation.system import System


LLM_SETTINGS = ("LACUNA_LLM_URL", "LACUNA_LLM_MODEL")


def name_of_work(assignment: Assignment) -> str:
    """A name for what was asked for, in whatever state that is now."""
    from lacuna.corpus.database import root_of

    resources = assignment.resources
    asked = [
        assignment.dataset.name,
        str(assignment.file.resolve()),
        assignment.setting.name,
        *(f"{system.name} {getattr(system, 'model', None)}" for system in assignment.systems),
        *(os.fsdecode(root_of(path)) for path in assignment.corpora),
        str(resources.retriever),
        str(resources.knowledge and Path(resources.knowledge).resolve()),
    ]
    return f"{assignment.dataset.name}-{digest_of(os.linesep.join(asked))}"


def about_work(assignment: Assignment, system: NamedSystem) -> dict[str, str]:
    """The state of everything that the answers depend on, under the names that messages give it."""
    resources = assignment.resources
    model = Path(system.model or "")
    if system.model is not None and is_shipped(system.model):
        model = SHIPPED / system.model
    by_server = [os.environ.get(name, "") for name in LLM_SETTINGS]
    return {
        "the version of Lacuna": __version__,
        "the questions": _content(assignment.file),
        "the setting": assignment.setting.name,
        "the system": f"{system.name} {system.model} {' '.join(by_server)}",
        "the model": _state(model) if system.model is not None else "",
        "the retriever": str(resources.retriever),
        "the corpus": " ".join(map(_state, assignment.corpora)),
        "the knowledge": _state(Path(resources.knowledge)) if resources.knowledge else "",
    }


def _content(path: Path) -> str:
    digest = blake2b(digest_size=16)
    with path.open("rb") as file:
        while block := file.read(1 << 20):
            digest.update(block)
    return digest.hexdigest()


def _state(path: Path) -> str:
    """Names, sizes and times of all files; of a store, how often it was written."""
    from lacuna.corpus.store import is_corpus, store_at

    if is_corpus(path):
        with store_at(path) as store:
            return f"{store.generation} {len(store)}"
    return digest_of("\n".join(_files(path)))


def _files(path: Path) -> Iterator[str]:
    if path.is_file():
        yield _stamp(path, path.name)
    for folder, folders, names in os.walk(path):
        folders.sort()
        for name in sorted(names):
            file = Path(folder, name)
            yield _stamp(file, str(file.relative_to(path)))


def _stamp(file: Path, name: str) -> str:
    try:
        found = file.stat()
    except OSError:
        return f"{name} cannot be read"
    return f"{name} {found.st_size} {found.st_mtime_ns}"


ABOUT, ANSWERS = "about", "answers"


@dataclass(frozen=True, slots=True)
class KeptAnswer:
    """A prediction, and the documents that links were followed to, where a corpus was asked.

    ``trace`` is there where errors are told apart by what a system looked at.
    """

    prediction: Prediction
    followed: tuple[str, ...] | None = None
    trace: AnswerTrace | None = None


class KeptAnswers:
    """A file of answers; ``about`` says what they belong to, and ``answers`` are those in it.

    Where the file cannot be written any more, ``problem`` says why, and nothing more is kept.
    """

    def __init__(self, path: Path, about: Mapping[str, str], *, resume: bool) -> None:
        self.answers: dict[str, KeptAnswer] = {}
        self.problem: OSError | None = None
        self.differs: list[str] = []
        """In what the file that is there belongs to something else; then nothing is read of it."""
        self._file: IO[bytes] | None = None
        size = self._read(path, about) if resume and path.exists() else 0
        if self.differs:
            return
        try:
            self._file = open_after(path, size)
        except OSError as error:
            self._give_up(error)
        if not size:
            self._write({ABOUT: dict(about)})

    def add(self, answers: Mapping[str, KeptAnswer]) -> None:
        """Keep some more; they are on the disk when this returns."""
        self.answers |= answers
        self._write({ANSWERS: {id_: asdict(answer) for id_, answer in answers.items()}})

    def close(self) -> None:
        """Write no more."""
        if self._file is not None:
            self._file.close()
            self._file = None

    def _read(self, path: Path, about: Mapping[str, str]) -> int:
        """Take over what the file holds; how many bytes of it are whole."""
        size = 0
        for line, value in whole_lines(path):
            if not size:
                found = value.get(ABOUT, {})
                self.differs = [name for name in about if about[name] != found.get(name)]
                if self.differs:
                    return 0
            kept = value.get(ANSWERS, {})
            self.answers |= msgspec.convert(kept, dict[str, KeptAnswer])
            size += len(line)
        return size

    def _write(self, value: Any) -> None:
        if self._file is None:
            return
        try:
            write_line(self._file, value)
        except OSError as error:
            self._give_up(error)

    def _give_up(self, error: OSError) -> None:
        self.problem = error
        self.close()


class KeepsAnswers(Protocol):
    """Something that keeps the answers of several systems."""

    def of(self, system: System | NamedSystem) -> KeptAnswers | None:
        """The place where the answers of a system are kept; None where they are not."""
        ...
