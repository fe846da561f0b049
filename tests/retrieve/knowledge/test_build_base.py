"""One folder from files of both kinds, and an account of every row."""

from __future__ import annotations

import gzip
import os
from pathlib import Path

import pytest

from lacuna.errors import LacunaError
from lacuna.retrieve.knowledge.build import REPORT_EVERY
from lacuna.retrieve.knowledge.knowledge_base import LOOKED_AT, KnowledgeBase, build_base, part_of

TRIPLE = "MadeOf\tbelt buckle\tmetal\t1\ta\n"
SENTENCE = "book\tA buckle of metal holds the belt.\n"
ASSERTION = '/a/[x]\t/r/IsA\t/c/en/tin\t/c/en/metal\t{"weight": 1.0, "dataset": "/d/d"}\n'


def file(tmp_path: Path, name: str, text: str) -> Path:
    path = tmp_path / name
    path.write_text(text, "utf-8")
    return path


def test_files_of_both_kinds_in_any_order(tmp_path: Path) -> None:
    packed = tmp_path / "more.gz"
    packed.write_bytes(gzip.compress(ASSERTION.encode()))
    files = [file(tmp_path, "s", SENTENCE), packed, file(tmp_path, "t", TRIPLE)]
    report = build_base(files, tmp_path / "base")
    assert [(name, part.kept) for name, part in report.parts.items()] == [
        ("triples", 2),
        ("sentences", 1),
    ]
    known = KnowledgeBase.open(tmp_path / "base").about("metal", "belt buckle")
    assert [found.triple.head for found in known.triples] == ["belt buckle"]
    assert [found.source for found in known.sentences] == ["book"]


def test_a_part_that_no_file_is_given_for_stays(tmp_path: Path) -> None:
    build_base([file(tmp_path, "t", TRIPLE)], tmp_path / "base")
    alone = KnowledgeBase.open(tmp_path / "base")
    assert alone.sentences is None
    report = build_base([file(tmp_path, "s", SENTENCE)], tmp_path / "base")
    assert report.triples is None
    both = KnowledgeBase.open(tmp_path / "base")
    assert both.triples is not None
    assert both.sentences is not None


def test_only_malformed_rows_are_broken(tmp_path: Path) -> None:
    sentences = SENTENCE + "book\tMetal is not wood.\nno tab\n"
    triples = TRIPLE + ASSERTION.replace("/c/en/tin", "/c/fr/étain") + "too\tfew\n"
    report = build_base(
        [file(tmp_path, "s", sentences), file(tmp_path, "t", triples)], tmp_path / "base"
    )
    assert report.broken == 2
    assert report.triples is not None
    assert report.triples.as_json() == {
        "rows": 3,
        "kept": 1,
        "merged": 0,
        "broken": 1,
        "left_out": {"not English": 1, "not five columns": 1},
    }
    assert report.sentences is not None
    (example,) = report.sentences.broken_examples
    assert example.where == f"{tmp_path / 's'}, line 3"


def test_progress_counts_the_rows_of_both_parts(tmp_path: Path) -> None:
    told: list[int] = []
    files = [
        file(tmp_path, "t", TRIPLE * REPORT_EVERY),
        file(tmp_path, "s", SENTENCE * REPORT_EVERY),
    ]
    build_base(files, tmp_path / "base", progress=told.append)
    assert told == [REPORT_EVERY, 2 * REPORT_EVERY]


@pytest.mark.parametrize(
    ("text", "part"),
    [
        ("relation\thead\ttail\tweight\tsources\n" + TRIPLE, "triples"),
        ("# a remark\n\n" + SENTENCE, "sentences"),
        (ASSERTION.replace("/c/en/", "/c/fr/"), "triples"),
        (SENTENCE + TRIPLE, "sentences"),
        (TRIPLE + SENTENCE, "triples"),
        (TRIPLE.replace("\n", "\r\n"), "triples"),
    ],
)
def test_the_first_usable_line_says_what_a_file_holds(tmp_path: Path, text: str, part: str) -> None:
    assert part_of(file(tmp_path, "f", text)) == part


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("", "is empty"),
        ("Just some prose.\nAnd more.\n", "neither triples nor sentences"),
        ("a\tb\tc\n" * (LOOKED_AT + 1) + TRIPLE, "neither triples nor sentences"),
    ],
)
def test_a_file_of_neither_kind(tmp_path: Path, text: str, words: str) -> None:
    with pytest.raises(LacunaError, match=words):
        build_base([file(tmp_path, "f", text)], tmp_path / "base")
    assert not (tmp_path / "base").exists()


def test_what_cannot_be_read_or_written_is_refused_first(tmp_path: Path) -> None:
    triples = file(tmp_path, "t", TRIPLE)
    with pytest.raises(LacunaError, match="There is no file"):
        build_base([triples, tmp_path / "gone"], tmp_path / "base")
    with pytest.raises(LacunaError, match="is a folder"):
        build_base([triples, tmp_path], tmp_path / "base")
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    with pytest.raises(LacunaError, match="a pipe"):
        build_base([pipe], tmp_path / "base")
    (tmp_path / "base" / "sentences").mkdir(parents=True)
    (tmp_path / "base" / "sentences" / "notes.txt").write_text("mine")
    with pytest.raises(LacunaError, match="other files"):
        build_base([triples, file(tmp_path, "s", SENTENCE)], tmp_path / "base")
    assert not (tmp_path / "base" / "triples").exists()
