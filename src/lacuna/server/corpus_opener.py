"""Opens corpora: the server's own, folders of its machine, and uploads."""

from __future__ import annotations

import os
import secrets
import shutil
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from hashlib import blake2b
from pathlib import Path, PurePosixPath

from lacuna.corpus.database import FILE
from lacuna.corpus.formats.entries import paths_in
from lacuna.corpus.formats.registry import page_suffixes
from lacuna.corpus.source_rows import root_of
from lacuna.corpus.store import Store
from lacuna.pipeline.query import Answerer
from lacuna.server.access.folders import AllowedFolders
from lacuna.server.exploring.together import id_of, joined, parts_of
from lacuna.server.limits import Limits
from lacuna.server.open_corpora import OWN, OpenCorpora, OpenCorpus
from lacuna.server.refusals import Refusal
from lacuna.server.schemas.corpora import CorpusKind, ExampleQuestion
from lacuna.server.uploads import index_upload

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
        self, files: Sequence[tuple[str, Path]], corpora: OpenCorpora, person: str
    ) -> OpenCorpus:
        """A person's files with the names that they were uploaded under, added to the corpora."""
        if not files:
            raise Refusal(422, "upload-empty", "Nothing was uploaded. Choose some files.")
        upload_id = secrets.token_urlsafe(12)
        folder = self._uploads / upload_id
        try:
            index_upload(files, folder, self._limits)
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
