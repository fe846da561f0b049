"""The corpora that are open, by their id."""

from __future__ import annotations

import shutil
import threading
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from lacuna.corpus.database import FILE
from lacuna.pipeline.query import Answerer
from lacuna.server.refusals import Refusal
from lacuna.server.schemas import CorpusKind, CorpusTold, Example, LeftOut

HOUR = 3600.0


@dataclass(slots=True)
class OpenCorpus:
    """An open corpus."""

    id: str
    name: str
    kind: CorpusKind
    asks: Answerer
    left_out: Sequence[LeftOut] = ()
    examples: Sequence[Example] = ()
    remove: Path | None = None
    """What is deleted with it: the folder of an upload."""
    opened: float = field(default_factory=time.time)
    used: float = field(default_factory=time.time)

    def told(self) -> CorpusTold:
        """What a person sees of it."""
        return CorpusTold(
            id=self.id,
            name=self.name,
            kind=self.kind,
            documents=len(self.asks.store),
            examples=list(self.examples),
            left_out=list(self.left_out),
        )

    def check(self) -> None:
        """Refuse with clear words if its folder was deleted under our feet."""
        if not (self.asks.store.folder / FILE).is_file():
            raise Refusal(
                410,
                "corpus-gone",
                f"The corpus “{self.name}” is gone: its folder was deleted or moved while the "
                "server was running. Open it again, or another one.",
            )


class OpenCorpora:
    """One corpus that stays, and a few that come and go."""

    def __init__(
        self,
        default: OpenCorpus,
        *,
        room: int,
        upload_hours: float,
        now: Callable[[], float] = time.time,
    ) -> None:
        self._default = default
        self._room = room
        self._upload_age = upload_hours * HOUR
        self._now = now
        self._others: dict[str, OpenCorpus] = {}
        self._lock = threading.Lock()

    @property
    def default(self) -> str:
        """The id of the corpus that stays."""
        return self._default.id

    def get(self, corpus: str | None) -> OpenCorpus:
        """An open corpus; the default one without an id."""
        self._tidy()
        with self._lock:
            if corpus is None or corpus == self._default.id:
                found: OpenCorpus | None = self._default
            else:
                found = self._others.get(corpus)
            if found is not None:
                found.used = self._now()
        if found is None:
            raise Refusal(
                404,
                "corpus-unknown",
                "This corpus is not open here: an upload is kept for a while only, and a folder "
                "until the server ends. Open it again.",
            )
        found.check()
        return found

    def put(self, shelved: OpenCorpus) -> None:
        """Add a corpus; the one not used for longest makes room."""
        with self._lock:
            if shelved.id == self._default.id:
                self._default = shelved
                return
            self._others[shelved.id] = shelved
            gone = []
            while len(self._others) > self._room:
                oldest = min(self._others.values(), key=lambda one: one.used)
                gone.append(self._others.pop(oldest.id))
        _delete(gone)

    def public(self) -> list[CorpusTold]:
        """The corpora that anybody may see: all but the uploads and those that are gone."""
        with self._lock:
            shown = [self._default, *self._others.values()]
        told = []
        for one in shown:
            if one.kind is CorpusKind.UPLOAD:
                continue
            try:
                one.check()
            except Refusal:
                continue
            told.append(one.told())
        return told

    def _tidy(self) -> None:
        """Delete uploads that have had their time."""
        oldest = self._now() - self._upload_age
        with self._lock:
            gone = [
                one
                for one in self._others.values()
                if one.kind is CorpusKind.UPLOAD and one.opened < oldest
            ]
            for one in gone:
                del self._others[one.id]
        _delete(gone)


def _delete(gone: Sequence[OpenCorpus]) -> None:
    # A question that is being answered from it may fail; it is then told that the corpus is gone.
    for one in gone:
        if one.remove is not None:
            shutil.rmtree(one.remove, ignore_errors=True)
