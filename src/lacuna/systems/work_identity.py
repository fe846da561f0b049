"""What the answers of a run depend on: two runs that agree in it give the same answers."""

from __future__ import annotations

import os
from collections.abc import Iterator
from hashlib import blake2b
from pathlib import Path
from typing import TYPE_CHECKING

from lacuna.files.cache import digest_of
from lacuna.models.model_folder import SHIPPED, is_shipped
from lacuna.version import __version__

if TYPE_CHECKING:
    from lacuna.systems.assignment import Assignment
    from lacuna.systems.registry import NamedSystem

LLM_SETTINGS = ("LACUNA_LLM_URL", "LACUNA_LLM_MODEL")


def name_of_work(assignment: Assignment) -> str:
    """A name for what was asked for, in whatever state that is now."""
    from lacuna.corpus.source_rows import root_of

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
    from lacuna.corpus.at_place import is_corpus, store_at

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
