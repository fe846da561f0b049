"""Open the knowledge that gaps are filled from: a base of one's own, or the demo's."""

from __future__ import annotations

from pathlib import Path

from lacuna.assets import demo
from lacuna.files.cache import cache_folder
from lacuna.files.cached_folder import cached_folder, digest_of
from lacuna.retrieve.knowledge import KnowledgeBase, build_base
from lacuna.retrieve.knowledge.array_folder import META, VERSION
from lacuna.retrieve.knowledge.base import SENTENCES, TRIPLES
from lacuna.version import __version__


def open_knowledge(folder: str | Path | None = None) -> KnowledgeBase:
    """What ``lacuna knowledge`` built; without a folder the demo's, built into the cache once."""
    if folder is not None:
        return KnowledgeBase.open(Path(folder))
    state = digest_of(f"{demo.knowledge_digest()} {VERSION} {__version__}")
    kept = cache_folder() / "knowledge" / "demo" / state
    if not _whole(kept):
        cached_folder(kept, _build, whole=_whole, what="The demo's knowledge")
    return KnowledgeBase.open(kept)


def _build(folder: Path) -> None:
    build_base((demo.TRIPLES, demo.SENTENCES), folder)


def _whole(kept: Path) -> bool:
    return all((kept / part / META).is_file() for part in (TRIPLES, SENTENCES))
