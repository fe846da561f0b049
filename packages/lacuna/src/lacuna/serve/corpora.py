"""The corpora of a server: opened, kept open, and let go."""

from __future__ import annotations

import os
import secrets
import shutil
import tempfile
import threading
import time
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from hashlib import blake2b
from itertools import islice
from pathlib import Path, PurePosixPath

from lacuna.corpus.database import FILE, root_of, root_text
from lacuna.corpus.embedded_store import EmbeddedStore
from lacuna.corpus.formats.base import page_suffixes
from lacuna.corpus.formats.entries import paths_in
from lacuna.corpus.refresh import add_store
from lacuna.corpus.store import Store
from lacuna.pipeline.query import Answerer
from lacuna.pipeline.result import Quote, Result
from lacuna.places import Place
from lacuna.serve.schemas import CorpusKind, CorpusSchema, ExampleQuestion, SkippedSchema
from lacuna.serve.uploads import Readings, index_upload
from lacuna.web.limits import Limits
from lacuna.web.refusals import Refusal

EVERYWHERE = ("http://", "https://")
"""What opens on any machine; other addresses only where the files are."""


def place_for_others(place: Place | None) -> Place | None:
    """A place without an address that holds only on the server's machine."""
    if place is None or place.url.startswith(EVERYWHERE):
        return place
    return replace(place, url="")


def quote_for_others(quote: Quote) -> Quote:
    """A quote with such a place."""
    return replace(quote, place=place_for_others(quote.place))


def result_for_others(result: Result) -> Result:
    """A result with such places."""
    gaps = tuple(
        replace(gap, nearest_place=place_for_others(gap.nearest_place))
        for gap in result.prediction.gaps
    )
    alternatives = tuple(
        replace(other, quotes=tuple(map(quote_for_others, other.quotes)))
        for other in result.alternatives
    )
    return replace(
        result,
        prediction=replace(result.prediction, gaps=gaps),
        quotes=tuple(map(quote_for_others, result.quotes)),
        alternatives=alternatives,
    )


class AllowedFolders:
    """Folders that a server was told of; what lies in them may be opened too."""

    def __init__(self, folders: Sequence[Path]) -> None:
        self.paths = tuple(dict.fromkeys(folder.resolve() for folder in folders if folder.is_dir()))
        """All links followed."""

    def __bool__(self) -> bool:
        return bool(self.paths)

    def names(self) -> list[str]:
        """Their paths, as a person may be told."""
        return [str(folder) for folder in self.paths]

    def checked(self, typed: str) -> Path:
        """The folder that was typed, links followed; refused where nobody allowed it.

        Whether there is such a folder is not looked at before: the refusal would tell.
        """
        try:
            folder = Path(typed.strip()).expanduser()
            real = folder.resolve()
        except (OSError, RuntimeError, ValueError):  # no such user, a loop of links, a null
            raise _not_allowed(typed) from None
        if folder.is_absolute() and any(real.is_relative_to(one) for one in self.paths):
            return real
        raise _not_allowed(typed)


def _not_allowed(typed: str) -> Refusal:
    return Refusal(
        403,
        "folder-not-allowed",
        f"This server was not told to open {typed!r}. Give the full path of a folder that it was, "
        "or start it with --allow-folder, or upload the files.",
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


def parts_of(
    ids: Iterable[str], corpora: OpenCorpora, person: str, limits: Limits
) -> list[OpenCorpus]:
    """The corpora that a person wants to ask together; a ``Refusal`` where they cannot be."""
    parts = [corpora.get(one, person) for one in dict.fromkeys(ids)]
    if len(parts) < 2:
        raise Refusal(422, "too-few-corpora", "Choose at least two corpora that differ.")
    for part in parts:
        if part.parts:
            raise Refusal(
                422,
                "already-together",
                f"“{part.name}” is several corpora already. Choose each of them instead.",
            )
    documents = sum(len(part.answerer.store) for part in parts)
    if documents > limits.pages:
        raise Refusal(
            413,
            "together-too-large",
            f"Together they have {documents:,} documents, and at most {limits.pages:,} are put "
            "together while you wait. Start the server over all of them: "
            "`lacuna serve --corpus A --corpus B`.",
        )
    return parts


def id_of(parts: Sequence[OpenCorpus], person: str) -> str:
    """The same id for the same parts in the same state, for one person."""
    states = (f"{part.id} {part.answerer.store.token}" for part in parts)
    return blake2b("\n".join([person, *states]).encode(), digest_size=12).hexdigest()


def joined(parts: Iterable[OpenCorpus], folder: Path) -> Store:
    """A store with the documents of all parts."""
    store = Store.create(folder)
    with store.writer() as writer:
        for part in parts:
            add_store(writer, Path(part.answerer.store.place), part.name)
    return store


OpenStore = Callable[[Sequence[Path]], Store]
"""Opens the corpus of some paths; the demo without any."""
MakeAnswerer = Callable[[Store], Answerer]
LONGEST_NAME = 60
DEMO_EXAMPLES = (
    ExampleQuestion(
        question="How old was the island's best-known native when the strike that she led began?",
        title="Torrow",
    ),
    ExampleQuestion(
        question="Who was the first editor of the newspaper printed in Quay Street?",
        title="Kelmouth",
    ),
    ExampleQuestion(
        question="Had the Bank of Selmory existed for more than forty years when the Skelder Light "
        "Railway was opened?"
    ),
    ExampleQuestion(question="When was Gannery Light first lit?"),
    ExampleQuestion(question="How much rain falls on Torrow in a year?", title="Torrow"),
)
"""Questions to begin with: one of each kind that shows something."""


class CorpusOpener:
    """Opens corpora, and indexes what is not indexed yet."""

    def __init__(
        self,
        open_store: OpenStore,
        make_answerer: MakeAnswerer,
        uploads: Path,
        folders: AllowedFolders,
        limits: Limits,
        *,
        local: bool,
    ) -> None:
        self._open_store = open_store
        self._make_answerer = make_answerer
        self._uploads = uploads
        self._folders = folders
        self._limits = limits
        self._local = local
        self.readings = Readings()

    def first(self, paths: Sequence[Path]) -> OpenCorpus:
        """The corpus that the server is started with; the demo without one."""
        answerer = self._make_answerer(self._open_store(paths))
        if not paths:
            name = "Selmory Islands (demo)"
            return OpenCorpus(
                "demo", name, CorpusKind.DEMO, answerer, local=self._local, examples=DEMO_EXAMPLES
            )
        return self._opened(paths, answerer)

    def open_folder(self, typed: str, corpora: OpenCorpora) -> OpenCorpus:
        """A folder of notes, or a corpus of ``lacuna index``, added to those that are open."""
        folder = self._folders.checked(typed)
        _check_folder(folder, self._limits)
        answerer = self._make_answerer(self._open_store([folder]))
        corpus = self._opened([folder], answerer)
        corpora.add(corpus)
        return corpus

    def _opened(self, paths: Sequence[Path], answerer: Answerer) -> OpenCorpus:
        name = " and ".join(map(_name, paths))
        return OpenCorpus(
            _id(paths),
            name,
            CorpusKind.FOLDER,
            answerer,
            local=self._local,
            picture_folders=self._folders.paths,
        )

    def open_upload(
        self, files: Sequence[tuple[str, Path]], corpora: OpenCorpora, person: str, reading: str
    ) -> OpenCorpus:
        """A person's files with the names that they were uploaded under, added to the corpora.

        ``reading`` is the name under which their client asks how far it is.
        """
        if not files:
            raise Refusal(422, "upload-empty", "Nothing was uploaded. Choose some files.")
        upload_id = secrets.token_urlsafe(12)
        folder = self._uploads / upload_id
        try:
            with self.readings.counting(person, reading) as told:
                index_upload(files, folder, self._limits, told)
            answerer = self._make_answerer(Store.open(folder / "corpus"))
        except BaseException:
            shutil.rmtree(folder, ignore_errors=True)
            raise
        name = _upload_name([name for name, _ in files])
        corpus = OpenCorpus(
            upload_id,
            name,
            CorpusKind.UPLOAD,
            answerer,
            person=person,
            remove=folder,
            picture_folders=[folder.resolve()],
        )
        corpora.add(corpus)
        return corpus

    def open_together(self, ids: Sequence[str], corpora: OpenCorpora, person: str) -> OpenCorpus:
        """One corpus of several, as they are now, for one person; the same again if it is open.

        Their documents are copied, so that links lead from one to another. It lives no longer than
        the uploads in it.
        """
        parts = parts_of(ids, corpora, person, self._limits)
        together = id_of(parts, person)
        if corpora.has(together):
            return corpora.get(together, person)
        folder = self._uploads / together
        try:
            answerer = self._make_answerer(joined(parts, folder / "corpus"))
        except BaseException:
            shutil.rmtree(folder, ignore_errors=True)
            raise
        corpus = OpenCorpus(
            together,
            " and ".join(part.name for part in parts),
            CorpusKind.TOGETHER,
            answerer,
            person=person,
            remove=folder,
            picture_folders=[one for part in parts for one in part.picture_folders],
            parts=parts,
            opened=min([time.time(), *(part.opened for part in parts if part.kind in OWN)]),
        )
        corpora.add(corpus)
        return corpus

    @contextmanager
    def folder_for_files(self) -> Iterator[Path]:
        """A folder beside the uploads, for files that are yet to be read."""
        with tempfile.TemporaryDirectory(
            dir=self._uploads.parent, ignore_cleanup_errors=True
        ) as folder:
            yield Path(folder)


def is_indexing(waiting: int, seconds: int) -> Refusal:
    """The refusal of a corpus while many others wait to be indexed."""
    return Refusal(
        503,
        "busy",
        f"{waiting} other corpora wait to be indexed. Try again in {seconds} s.",
        {"Retry-After": str(seconds)},
    )


def _check_folder(folder: Path, limits: Limits) -> None:
    """Refuse what cannot be indexed while someone waits for it."""
    try:
        is_there = folder.is_dir()
    except OSError:
        is_there = False
    if not is_there:
        raise Refusal(
            422,
            "no-folder",
            f"There is no folder {str(folder)!r} on the server's machine. Give the path of one.",
        )
    if not (folder / FILE).is_file():
        _check_size(folder, limits)


def _check_size(folder: Path, limits: Limits) -> None:
    pages = 0
    suffixes = page_suffixes()
    # Along the same links as the reading goes: one of them may lead to the whole disk.
    for files, path in enumerate(paths_in(folder, bool), 1):
        pages += path.name.lower().endswith(suffixes)
        if files > limits.files_seen or pages > limits.pages:
            raise Refusal(
                413,
                "folder-too-large",
                f"{folder} is too large to be indexed while you wait (stopped at {path.parent}). "
                f"Index it with `lacuna index {folder} --out DIR`, then open DIR.",
            )


def _id(paths: Sequence[Path]) -> str:
    """The same id for the same folders, so that a shared link holds when they are opened again."""
    named = b"\0".join(os.fsencode(root_of(path)) for path in paths)
    return blake2b(named, digest_size=8).hexdigest()


def _name(folder: Path) -> str:
    return Path(os.fsdecode(root_of(folder))).name or str(folder)


def _upload_name(names: Sequence[str]) -> str:
    paths = [PurePosixPath(name.replace("\\", "/")) for name in names]
    first = paths[0]
    if len(first.parts) > 1 and {path.parts[:1] for path in paths} == {first.parts[:1]}:
        return first.parts[0].strip("/.")[:LONGEST_NAME] or first.name  # a folder of files
    name = (first.stem or names[0])[:LONGEST_NAME]
    return name if len(names) == 1 else f"{name} and {len(names) - 1} more"
