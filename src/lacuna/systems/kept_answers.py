"""The answers of one system in a file that grows with them, so that a stopped run can go on."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import IO, TYPE_CHECKING, Any, Protocol

import msgspec

from lacuna.datasets.answer_trace import AnswerTrace
from lacuna.files.checked_lines import open_after, whole_lines, write_line
from lacuna.types import Prediction

if TYPE_CHECKING:
    from lacuna.systems.registry import NamedSystem
    from lacuna.systems.system import System

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
        """Where the answers of a system are kept; None where they are not."""
        ...
