"""What can be opened: the demo, a corpus, a folder, a file."""

from __future__ import annotations

from pathlib import Path

import pytest

from lacuna.corpus.formats.detect import open_source
from lacuna.corpus.open import open_store
from lacuna.corpus.store import Store
from lacuna.errors import LacunaError


def test_without_a_name_it_is_the_demo() -> None:
    with open_store() as store:
        assert len(store) == 75
        assert "Carrow Fell" in store


def test_a_folder_and_a_file_of_notes(examples: Path) -> None:
    with open_store(examples / "notes") as store:
        assert "Ada Quill" in store
    with open_store(str(examples / "notes" / "Marrow.md")) as store:
        assert list(store.titles()) == ["Marrow"]


def test_a_corpus_is_opened_where_it_is(examples: Path, tmp_path: Path) -> None:
    folder = tmp_path / "corpus"
    with Store.create(folder) as made, made.writer() as writer:
        writer.add(open_source(examples / "notes"))
    with open_store(folder) as store:
        assert store.derived == folder


@pytest.mark.parametrize(
    ("make", "said"),
    [
        (lambda path: None, "There is no file or folder"),
        (lambda path: path.mkdir(), "holds no pages"),
        (lambda path: Store.create(path).close(), "lacuna index SOURCE"),
    ],
    ids=["missing", "empty folder", "empty corpus"],
)
def test_what_cannot_be_asked_is_refused(tmp_path: Path, make: object, said: str) -> None:
    path = tmp_path / "corpus"
    make(path)  # type: ignore[operator]
    with pytest.raises(LacunaError, match=said):
        open_store(path)


def test_a_folder_of_files_without_text_is_refused_with_the_reason(tmp_path: Path) -> None:
    (tmp_path / "a.md").write_bytes(b"\xff\xfe\x00broken")
    with pytest.raises(LacunaError, match=r"a\.md, for one, .* is not UTF-8"):
        open_store(tmp_path)
