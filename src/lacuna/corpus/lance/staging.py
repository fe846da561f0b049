"""Writing to an address: an embedded store of this machine is filled, and then published.

It stays in the cache folder, so that an interrupted run goes on where its last commit was, and the
next one need not fetch the corpus. It is dropped where somebody else has published meanwhile.
"""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from lacuna.corpus.embedded_store import EmbeddedStore
from lacuna.corpus.lance.claim import Claim
from lacuna.corpus.lance.fetch import fetch
from lacuna.corpus.lance.lance_store import LanceStore, local_folder
from lacuna.corpus.lance.publish import publish
from lacuna.corpus.lance.state import State, StateTable
from lacuna.corpus.lock import StoreBusyError, only_writer
from lacuna.corpus.store import is_store
from lacuna.corpus.writer import Writer
from lacuna.files.cache import make_in_cache
from lacuna.files.writing import replace_text

STAGING = "staging"
BASE = "based-on"
"""A file with the tokens of the corpus and of the staging store when they were in step."""


@contextmanager
def writing(store: LanceStore) -> Iterator[Writer]:
    """The writer of the staging store; at the end of the block all is published."""
    home = local_folder(store.address)
    make_in_cache(home)
    try:
        with only_writer(home), Claim(store.address, StateTable(store.tables)) as claim:
            folder = home / STAGING
            _bring_in_step(store, claim.state, home, folder)
            with EmbeddedStore.create(folder) as staged:
                with staged.writer() as writer:
                    yield writer
                if _published(home) != (claim.state.token, staged.token):
                    made = publish(staged, store.tables, claim)
                    _note(home, made.token, staged.token)
    except StoreBusyError as error:
        if str(home) in str(error):
            raise StoreBusyError(
                f"{store.address} is being written by another process of this machine. Wait until "
                "it is done, or stop it; reading is possible meanwhile."
            ) from None
        raise
    store.look()


def _bring_in_step(store: LanceStore, state: State, home: Path, folder: Path) -> None:
    if is_store(folder) and _published(home)[0] == state.token:
        return
    (home / BASE).unlink(missing_ok=True)
    shutil.rmtree(folder, ignore_errors=True)
    token = ""
    if state.is_published:
        filling = home / "filling"
        shutil.rmtree(filling, ignore_errors=True)
        fetch(store.tables, state, filling)
        with EmbeddedStore.open(filling) as filled:
            token = filled.token
        filling.rename(folder)
    _note(home, state.token, token)


def _note(home: Path, published: str, staged: str) -> None:
    with replace_text(home / BASE) as file:
        file.write(f"{published} {staged}")


def _published(home: Path) -> tuple[str, str]:
    """The tokens of what was published last and of the staging store then."""
    base = home / BASE
    published, _, staged = (base.read_text("utf-8") if base.is_file() else "none").partition(" ")
    return published, staged
