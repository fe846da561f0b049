"""Several corpora as one: their documents are copied into a store, with links among all of them."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from hashlib import blake2b
from pathlib import Path

from lacuna.corpus.refresh import add_store
from lacuna.corpus.store import Store
from lacuna.server.limits import Limits
from lacuna.server.open_corpora import OpenCorpora, OpenCorpus
from lacuna.server.refusals import Refusal


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
