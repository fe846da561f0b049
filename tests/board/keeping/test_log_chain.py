"""The log shows whether any of it was changed."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

from board_site import BoardSite
from hypothesis import given
from hypothesis import strategies as st

from lacuna.files.checksums import sha256_of
from lacuna_collect.board.database import (
    START,
    LogRecord,
    broken_at,
    seal_of,
    seal_of_file,
)


def chain(length: int) -> list[LogRecord]:
    records: list[LogRecord] = []
    for number in range(1, length + 1):
        previous = records[-1].sum if records else START
        plain = LogRecord(number, "2026-01-01T00:00:00Z", "scored", {"at": number}, previous)
        records.append(replace(plain, sum=plain.reckoned()))
    return records


@given(st.integers(1, 12), st.data())
def test_any_change_is_seen_where_it_is(length: int, data: st.DataObject) -> None:
    records = chain(length)
    assert broken_at(records) is None
    at = data.draw(st.integers(0, length - 1))
    change: dict[str, Any] = data.draw(
        st.sampled_from([{"kind": "x"}, {"about": {}}, {"at": ""}, {"number": 99}, {"sum": START}])
    )
    changed = [*records[:at], replace(records[at], **change), *records[at + 1 :]]
    assert broken_at(changed) == at + 1
    if length > 1:
        assert broken_at([*records[:at], *records[at + 1 :]]) == (
            at + 1 if at + 1 < length else None
        )


def test_a_record_with_a_sum_of_its_own_breaks_the_next() -> None:
    records = chain(3)
    forged = replace(records[1], about={"at": "other"})
    records[1] = replace(forged, sum=forged.reckoned())
    assert broken_at(records) == 3


def test_what_counts_is_logged(site: BoardSite) -> None:
    with site.board.database.read() as transaction:
        records = transaction.records()
    assert [record.kind for record in records] == ["board", "table", "human"]
    assert broken_at(records) is None


def test_a_seal_needs_its_salt(tmp_path: Path) -> None:
    assert seal_of("a", {"x": 1}) == seal_of("a", {"x": 1})
    assert seal_of("a", {"x": 1}) != seal_of("b", {"x": 1})
    file = tmp_path / "gold"
    file.write_bytes(b"abc")
    assert seal_of_file("a", file) != seal_of_file("", file)
    assert seal_of_file("", file) == sha256_of(file)
