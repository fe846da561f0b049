"""The corpora that are open, by their id."""

from __future__ import annotations

import shutil
import threading
import time
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from itertools import islice
from pathlib import Path

from lacuna.corpus.embedded_store import EmbeddedStore
from lacuna.corpus.source_rows import root_of, root_text
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
OWN = (CorpusKind.UPLOAD, CorpusKind.TOGETHER)
"""What one person made, and alone may see."""
REPORTED = 50
"""Files that could not be read, as far as they are named; all are counted."""


@dataclass(slots=True, eq=False)
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
    picture_folders: Sequence[Path] = ()
    """The folders, links followed, whose pictures may be shown."""
    parts: Sequence[OpenCorpus] = ()
    """The corpora that it was made of, if it was."""
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
            parts=[part.name for part in self.parts],
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
        return self.answerer.store.is_there

    def part_of(self, title: str) -> str | None:
        """The name of the part that a document comes from; None where there are no parts."""
        store = self.answerer.store
        if not self.parts or not isinstance(store, EmbeddedStore):  # put together, they are one
            return None
        root = store.source_of(title)
        places = ((part_root(part.answerer.store), part.name) for part in self.parts)
        return next((name for place, name in places if place == root), None)

    def check(self) -> None:
        """Refuse if its files were deleted."""
        if not self.is_there:
            raise Refusal(
                410,
                "corpus-gone",
                f"The corpus “{self.name}” is gone: its folder was deleted or moved while the "
                "server was running. Open it again, or another one.",
            )


def part_root(store: Store) -> str:
    """The root of the documents of a store that was put together with others."""
    return root_text(root_of(Path(store.place)))


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

    def has(self, corpus_id: str) -> bool:
        """Whether a corpus is open, whoever may see it."""
        with self._lock:
            return corpus_id in self._others

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

    def check_default(self) -> None:
        """Refuse if the files of the corpus that stays were deleted."""
        self._default.check()

    def reach_default(self) -> None:
        """Raise if the corpus that stays is kept elsewhere and cannot be reached."""
        self._default.answerer.store.reach()

    def add(self, corpus: OpenCorpus) -> None:
        """Add a corpus; where there is no room, whoever has most of it gives some.

        So nobody's uploads are pushed out by who uploads more. What was opened for everybody
        counts as one person's.
        """
        with self._lock:
            if corpus.id == self._default.id:
                self._default = corpus
                return
            self._others[corpus.id] = corpus
            removed = []
            while len(self._others) > self._room:
                removed.append(self._others.pop(self._least_needed(corpus).id))
        _delete(removed)

    def _least_needed(self, added: OpenCorpus) -> OpenCorpus:
        """Of who has most, or of who adds where others have as many, what was used long ago."""
        held = Counter(corpus.person for corpus in self._others.values())
        others = (corpus for corpus in self._others.values() if corpus is not added)
        return min(
            others, key=lambda one: (-held[one.person], one.person != added.person, one.used)
        )

    def delete(self, corpus_id: str, person: str) -> None:
        """Delete an upload before its time, and what was made of it."""
        corpus = self.get(corpus_id, person)
        if corpus.kind not in OWN:
            raise Refusal(
                403,
                "no-upload",
                f"“{corpus.name}” was not uploaded, so it cannot be deleted from here. It is "
                "closed when the server ends.",
            )
        with self._lock:
            made = [other for other in self._others.values() if corpus in other.parts]
            for gone in (corpus, *made):
                self._others.pop(gone.id, None)
        _delete([corpus, *made])

    def public(self) -> list[CorpusSchema]:
        """The corpora that anybody may see: all but the uploads and those that are gone."""
        with self._lock:
            corpora = [self._default, *self._others.values()]
        return [corpus.schema() for corpus in corpora if corpus.kind not in OWN and corpus.is_there]

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
                if corpus.kind in OWN and corpus.opened < oldest
            ]
            for corpus in removed:
                del self._others[corpus.id]
        _delete(removed)


def _delete(corpora: Sequence[OpenCorpus]) -> None:
    # A question that is being answered from one may fail; its refusal says that the corpus is gone.
    for corpus in corpora:
        if corpus.remove is not None:
            shutil.rmtree(corpus.remove, ignore_errors=True)
