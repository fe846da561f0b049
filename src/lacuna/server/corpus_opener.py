"""Opens corpora: the server's own, folders of its machine, and uploads."""

from __future__ import annotations

import secrets
import shutil
import threading
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path, PurePosixPath

from lacuna.corpus.store import Store
from lacuna.pipeline.query import Answerer
from lacuna.server.examples import DEMO_EXAMPLES
from lacuna.server.folders import check_folder, folder_id
from lacuna.server.limits import Limits
from lacuna.server.open_corpora import OpenCorpora, OpenCorpus
from lacuna.server.refusals import Refusal
from lacuna.server.schemas import CorpusKind
from lacuna.server.uploads import index_upload

OpenStore = Callable[[Path | None], Store]
MakeAsker = Callable[[Store], Answerer]
LONGEST_NAME = 60


class CorpusOpener:
    """Indexes one source at a time, because that takes the cores that answers need."""

    def __init__(
        self, open_store: OpenStore, make_asker: MakeAsker, uploads: Path, limits: Limits
    ) -> None:
        self._open_store = open_store
        self._make_asker = make_asker
        self._uploads = uploads
        self._limits = limits
        self._indexing = threading.Lock()

    def first(self, corpus: Path | None) -> OpenCorpus:
        """The corpus that the server is started with; the demo without one."""
        asks = self._make_asker(self._open_store(corpus))
        if corpus is None:
            name = "Selmory Islands (demo)"
            return OpenCorpus("demo", name, CorpusKind.DEMO, asks, examples=DEMO_EXAMPLES)
        return OpenCorpus(folder_id(corpus), _name(corpus), CorpusKind.FOLDER, asks)

    def open_folder(self, typed: str, shelf: OpenCorpora) -> OpenCorpus:
        """A folder of notes, or a corpus of ``lacuna index``."""
        with self._alone():
            folder = check_folder(typed, self._limits)
            asks = self._make_asker(self._open_store(folder))
        shelved = OpenCorpus(folder_id(folder), _name(folder), CorpusKind.FOLDER, asks)
        shelf.put(shelved)
        return shelved

    def open_upload(self, files: Sequence[tuple[str, Path]], shelf: OpenCorpora) -> OpenCorpus:
        """Files with the names that they were uploaded under."""
        if not files:
            raise Refusal(422, "upload-empty", "Nothing was uploaded. Choose some files.")
        id_ = secrets.token_urlsafe(12)
        folder = self._uploads / id_
        with self._alone():
            try:
                left_out = index_upload(files, folder, self._limits)
                asks = self._make_asker(Store.open(folder / "corpus"))
            except BaseException:
                shutil.rmtree(folder, ignore_errors=True)
                raise
        name = _upload_name([name for name, _ in files])
        shelved = OpenCorpus(id_, name, CorpusKind.UPLOAD, asks, left_out, remove=folder)
        shelf.put(shelved)
        return shelved

    @contextmanager
    def _alone(self) -> Iterator[None]:
        if not self._indexing.acquire(blocking=False):
            raise Refusal(
                503,
                "busy",
                "Another corpus is being read at this moment. Try again in 5 s.",
                {"Retry-After": "5"},
            )
        try:
            yield
        finally:
            self._indexing.release()


def _name(folder: Path) -> str:
    return folder.resolve().name or str(folder)


def _upload_name(names: Sequence[str]) -> str:
    first = PurePosixPath(names[0].replace("\\", "/"))
    shown = (first.stem or names[0])[:LONGEST_NAME]
    return shown if len(names) == 1 else f"{shown} and {len(names) - 1} more"
