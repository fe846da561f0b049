"""The corpora that are open, by their id."""

from __future__ import annotations

import shutil
import threading
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from itertools import islice
from pathlib import Path

from lacuna.corpus.database import FILE
from lacuna.corpus.store import Store
from lacuna.pipeline.query import Answerer
from lacuna.server.refusals import Refusal
from lacuna.server.schemas.corpora import (
    CorpusKind,
    CorpusSchema,
    ExampleQuestion,
    SkippedSchema,
)

HOUR = 3600.0
REPORTED = 50
"""Files that could not be read, as far as they are named; all are counted."""


@dataclass(slots=True)
class OpenCorpus:
    """An open corpus, and what answers questions over it."""

    id: str
    name: str
    kind: CorpusKind
    answerer: Answerer
    local: bool = False
    """Whether whoever asks sits where its files are, and may be told where."""
    examples: Sequence[ExampleQuestion] = ()
    person: str | None = None
    """Who uploaded it, and alone may see it; None where everybody may."""
    remove: Path | None = None
    """What is deleted with it: the folder of an upload."""
    opened: float = field(default_factory=time.time)
    used: float = field(default_factory=time.time)
    updated: float | None = None
    """When changed files were last read again."""

    def schema(self) -> CorpusSchema:
        """What a person sees of it."""
        store = self.answerer.store
        counts = store.info()
        return CorpusSchema(
            id=self.id,
            name=self.name,
            kind=self.kind,
            documents=counts.documents,
            examples=list(self.examples),
            unread=counts.skipped,
            skipped=[
                SkippedSchema(where=one.where, reason=one.reason)
                for one in islice(store.skipped(), REPORTED)
            ],
            updated=self.updated,
        )

    @property
    def is_there(self) -> bool:
        """Whether its files are; someone may delete them while the server runs."""
        return (self.answerer.store.folder / FILE).is_file()

    def check(self) -> None:
        """Refuse if its files were deleted."""
        if not self.is_there:
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

    def get(self, corpus_id: str | None, person: str) -> OpenCorpus:
        """An open corpus that a person may see; the default one without an id."""
        self._delete_old_uploads()
        with self._lock:
            corpus: OpenCorpus | None
            if corpus_id is None or corpus_id == self._default.id:
                corpus = self._default
            else:
                corpus = self._others.get(corpus_id)
            if corpus is not None and corpus.person not in (None, person):
                corpus = None
            if corpus is not None:
                corpus.used = self._now()
        if corpus is None:
            raise Refusal(
                404,
                "corpus-unknown",
                "This corpus is not open here: an upload stays open for a while only, and a "
                "folder until the server ends. Open it again.",
            )
        corpus.check()
        return corpus

    def add(self, corpus: OpenCorpus) -> None:
        """Add a corpus; the one not used for longest makes room."""
        with self._lock:
            if corpus.id == self._default.id:
                self._default = corpus
                return
            self._others[corpus.id] = corpus
            removed = []
            while len(self._others) > self._room:
                oldest = min(self._others.values(), key=lambda other: other.used)
                removed.append(self._others.pop(oldest.id))
        _delete(removed)

    def delete(self, corpus_id: str, person: str) -> None:
        """Delete an upload before its time."""
        corpus = self.get(corpus_id, person)
        if corpus.kind is not CorpusKind.UPLOAD:
            raise Refusal(
                403,
                "no-upload",
                f"“{corpus.name}” was not uploaded, so it cannot be deleted from here. It is "
                "closed when the server ends.",
            )
        with self._lock:
            self._others.pop(corpus.id, None)
        _delete([corpus])

    def public(self) -> list[CorpusSchema]:
        """The corpora that anybody may see: all but the uploads and those that are gone."""
        with self._lock:
            corpora = [self._default, *self._others.values()]
        return [
            corpus.schema()
            for corpus in corpora
            if corpus.kind is not CorpusKind.UPLOAD and corpus.is_there
        ]

    def watched(self) -> list[Store]:
        """The corpora whose files may change: neither the demo nor uploads."""
        with self._lock:
            corpora = [self._default, *self._others.values()]
        stores = [one for one in corpora if one.kind is CorpusKind.FOLDER and one.is_there]
        return [corpus.answerer.store for corpus in stores]

    def note_change(self, store: Store) -> None:
        """Remember that changed files of a corpus were read again."""
        with self._lock:
            for corpus in (self._default, *self._others.values()):
                if corpus.answerer.store is store:
                    corpus.updated = self._now()

    def _delete_old_uploads(self) -> None:
        oldest = self._now() - self._upload_age
        with self._lock:
            removed = [
                corpus
                for corpus in self._others.values()
                if corpus.kind is CorpusKind.UPLOAD and corpus.opened < oldest
            ]
            for corpus in removed:
                del self._others[corpus.id]
        _delete(removed)


def _delete(corpora: Sequence[OpenCorpus]) -> None:
    # A question that is being answered from one may fail; its refusal says that the corpus is gone.
    for corpus in corpora:
        if corpus.remove is not None:
            shutil.rmtree(corpus.remove, ignore_errors=True)
