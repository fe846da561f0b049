"""Single bits of a store's files turn over: answers stay what they were, or the damage is told."""

from __future__ import annotations

import random
import shutil
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from lacuna.corpus import integrity as seal
from lacuna.corpus.check import check_store
from lacuna.corpus.refresh import refresh_source
from lacuna.corpus.repair import repair_store
from lacuna.corpus.store import Store
from lacuna.errors import LacunaError
from lacuna.retrieve.bm25 import Bm25Retriever
from lacuna.retrieve.hotpotqa import HotpotRetriever
from lacuna.types import Document

Rounds = Callable[[], Iterator[random.Random]]
WORDS = ("ferry", "harbour", "lamp", "whale", "school", "pilot", "storm", "rope")


@pytest.fixture(scope="module")
def sound(tmp_path_factory: pytest.TempPathFactory) -> Path:
    base = tmp_path_factory.mktemp("sound")
    notes = base / "notes"
    notes.mkdir()
    for number, word in enumerate(WORDS):
        others = " ".join(f"[{other}]({other}.md)" for other in WORDS[: number + 1])
        text = f"# The {word}\n\nAll about a {word}, as number{number}. {others}\n"
        (notes / f"{word}.md").write_text(text)
    with Store.create(base / "store") as store:
        with store.writer() as writer:
            refresh_source(writer, notes)
        HotpotRetriever(store)
    return base / "store"


def answers(folder: Path) -> list[object]:
    """What a user gets to see."""
    with Store.open(folder) as store:
        search, hotpot = Bm25Retriever(store), HotpotRetriever(store)
        graph = store.graph()
        return [
            list(store),
            list(store.redirects()),
            [(store.resolve(word), graph.out_links(word), graph.in_links(word)) for word in WORDS],
            [search.search(f"about {word}", 3) for word in WORDS],
            [hotpot.search(word, 3) for word in WORDS],
        ]


def flipped(path: Path, rng: random.Random) -> None:
    data = bytearray(path.read_bytes())
    data[rng.randrange(len(data))] ^= 1 << rng.randrange(8)
    path.write_bytes(data)


def test_bits_that_turn_over(sound: Path, tmp_path: Path, rounds: Rounds) -> None:
    expected = answers(sound)
    names = [path.relative_to(sound) for path in sound.rglob("*") if path.is_file()]
    names = [name for name in names if (sound / name).stat().st_size and name.suffix != ".lock"]
    for rng in rounds():
        folder = tmp_path / "store"
        shutil.rmtree(folder, ignore_errors=True)
        shutil.copytree(sound, folder)
        name = rng.choice(names)
        flipped(folder / name, rng)
        print(name)
        said = ""
        try:
            assert answers(folder) == expected
        except LacunaError as error:
            said = str(error)
        assert not said or "lacuna corpus repair" in said
        assert not said or check_store(folder).problems


def test_bits_that_turn_over_in_a_store_too_large_to_be_read_through(
    sound: Path, tmp_path: Path, rounds: Rounds, monkeypatch: pytest.MonkeyPatch
) -> None:
    # Of a store that large all but its largest files are read through, which tantivy needs: it
    # takes the lengths in the others for true.
    largest = {".term", ".idx", ".pos"}
    index = (sound / seal.INDEX).iterdir()
    most = sum(path.stat().st_size for path in index if path.suffix not in largest)
    verify = seal.verify
    monkeypatch.setattr(seal, "verify", lambda folder: verify(folder, most))
    expected = answers(sound)
    for rng in rounds():
        folder = tmp_path / "store"
        shutil.rmtree(folder, ignore_errors=True)
        shutil.copytree(sound, folder)
        files = [folder / "documents.sqlite", *(folder / "index").iterdir()]
        path = rng.choice([path for path in files if path.suffix != ".lock"])
        flipped(path, rng)
        print(path.name)
        try:
            documents = {document.title: document for document in expected[0]}  # type: ignore[attr-defined]
            for document in answers(folder)[0]:  # type: ignore[attr-defined]
                assert documents[document.title] == document, "a document is never wrong"
        except LacunaError:
            pass
        assert check_store(folder).problems, "that is what a check is for"


def without_root(document: Document) -> Document:
    assert document.origin
    return replace(document, origin=replace(document.origin, root=""))


def test_a_repair_leaves_a_sound_store(sound: Path, tmp_path: Path, rounds: Rounds) -> None:
    with Store.open(sound) as whole:
        expected = {document.title: document for document in whole}
        (source,) = whole.sources()
    for rng in rounds():
        folder = tmp_path / "store"
        shutil.rmtree(folder, ignore_errors=True)
        shutil.copytree(sound, folder)
        for _ in range(rng.randint(1, 20)):
            flipped(folder / "documents.sqlite", rng)
        try:
            repaired = repair_store(folder)
        except LacunaError:  # nothing of it can be read
            continue
        assert not check_store(folder, deep=True).problems
        with Store.open(folder) as store:
            saved, roots = list(store), [one.root for one in store.sources()]
        is_lost = any(what.startswith("where source 1 lies") for what in repaired.lost)
        assert roots == ([] if is_lost else [source.root]), "a source is right, or told as lost"
        for document in saved:
            whole_one = expected[document.title]
            assert document == (without_root(whole_one) if is_lost else whole_one)
        assert len(saved) == repaired.documents
        assert len(saved) + len(repaired.lost) >= len(expected), "what is lost is named"
