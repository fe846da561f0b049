"""Files that are counted, and what is shown of those that are not at hand."""

from __future__ import annotations

from pathlib import Path

from lacuna_lab.reproduce.entry import PublishedTable
from lacuna_lab.reproduce.examples import CountedFiles, DescribedEntry
from lacuna_lab.reproduce.gapqa import GAPS
from lacuna_lab.reproduce.workbench import Workbench

NOTHING = PublishedTable((), {})


def entry_of(*parts: str) -> DescribedEntry:
    counted = tuple(CountedFiles((source,), parts) for source in GAPS)
    return DescribedEntry("table-2", "Gaps", "More is said.", counted=counted)


def test_the_papers_numbers_stand_there_once_where_files_are_missing(tmp_path: Path) -> None:
    data = tmp_path / "data"
    data.mkdir()
    (part,) = entry_of("kgd", "relations").make(Workbench(data=data, cache=tmp_path), NOTHING)
    assert part.table.rows[0] == ("questions", None, 1_151, 117, 121)
    assert part.table.rows[2] == ("spans a pair", None, 1.43, 1.46, 1.45)
    assert part.digits == 2
    assert part.missing == "the data folder has no kgd/train.jsonl."
    assert part.note == "Not counted: kgd/train.jsonl and kgd/dev.jsonl. More is said."


def test_without_numbers_of_the_paper_there_is_the_reason_alone(tmp_path: Path) -> None:
    data = tmp_path / "data"
    data.mkdir()
    (part,) = entry_of("relations").make(Workbench(data=data, cache=tmp_path), NOTHING)
    assert part.table.rows == (
        ("kgd/train.jsonl and kgd/dev.jsonl", "the data folder has no kgd/train.jsonl"),
    )


def test_what_is_there_is_counted_beside_what_is_not(tmp_path: Path) -> None:
    data = tmp_path / "data"
    (data / "kgd").mkdir(parents=True)
    demo = GAPS[1].quick
    assert demo is not None
    (data / "kgd" / "dev.jsonl").write_bytes(demo.read_bytes())
    there, absent = entry_of("kgd").make(Workbench(data=data, cache=tmp_path), NOTHING)
    assert there.table.title.endswith(": kgd/dev.jsonl")
    assert there.table.rows[0][1] > 0
    assert absent.table.rows[0][1] is None
    assert absent.note.startswith("Not counted: kgd/train.jsonl.")
