from __future__ import annotations

import gzip
from pathlib import Path

import pytest

from lacuna.corpus.store import Skipped
from lacuna.errors import LacunaError
from lacuna.retrieve.knowledge.build import Broken, Triple, triple_rows

PLAIN = "MadeOf\tbelt buckle\tmetal\t1.5\tcn56,cn57\n"
DETAILS = '{"dataset": "/d/wordnet/3.1", "license": "cc:by/4.0", "weight": 2.0}'


def rows(tmp_path: Path, text: str) -> list[Triple | Skipped]:
    path = tmp_path / "rows"
    path.write_text(text, "utf-8")
    return list(triple_rows(path))


def assertion(relation: str, head: str, tail: str, details: str = DETAILS) -> str:
    return f"/a/[{relation}/,{head}/,{tail}/]\t{relation}\t{head}\t{tail}\t{details}\n"


def test_a_plain_row(tmp_path: Path) -> None:
    assert rows(tmp_path, PLAIN) == [
        Triple("MadeOf", "belt buckle", "metal", 1.5, ("cn56", "cn57"))
    ]


def test_a_gzipped_file_with_windows_line_ends(tmp_path: Path) -> None:
    path = tmp_path / "rows.tsv.gz"
    path.write_bytes(gzip.compress(PLAIN.replace("\n", "\r\n").encode()))
    assert list(triple_rows(path)) == rows(tmp_path, PLAIN)


def test_an_assertion_loses_its_addresses(tmp_path: Path) -> None:
    text = assertion("/r/MadeOf", "/c/en/belt_buckle/n/wn/artifact", "/c/en/metal")
    assert rows(tmp_path, text) == [Triple("MadeOf", "belt buckle", "metal", 2.0, ("wordnet/3.1",))]


def test_a_relation_of_dbpedia(tmp_path: Path) -> None:
    found = rows(tmp_path, assertion("/r/dbpedia/genre", "/c/en/abba", "/c/en/pop"))
    assert [row.relation for row in found if isinstance(row, Triple)] == ["genre"]


@pytest.mark.parametrize(
    ("line", "reason"),
    [
        ("MadeOf\tbelt\tmetal\t1.0", "not five columns"),
        ("", "not five columns"),
        ("MadeOf\t \tmetal\t1.0\tcn56", "an empty relation, head or tail"),
        ("MadeOf\tbelt\tmetal\theavy\tcn56", "a weight that is no number from 0 up"),
        ("MadeOf\tbelt\tmetal\tnan\tcn56", "a weight that is no number from 0 up"),
        ("MadeOf\tbelt\tmetal\t-1\tcn56", "a weight that is no number from 0 up"),
    ],
)
def test_a_broken_plain_row_is_told_with_its_line(tmp_path: Path, line: str, reason: str) -> None:
    found = rows(tmp_path, f"{PLAIN}{line}\n{PLAIN}")
    assert found[1] == Broken(f"{tmp_path / 'rows'}, line 2", reason)
    assert isinstance(found[0], Triple)
    assert found[2] == found[0]


@pytest.mark.parametrize(
    ("line", "reason"),
    [
        (assertion("/r/IsA", "/c/fr/chat", "/c/en/animal"), "not English"),
        (assertion("/r/IsA", "/c/en/cat", "/c/fr/animal"), "not English"),
        (assertion("/r/ExternalURL", "/c/en/cat", "http://example.org/cat"), "not English"),
        (assertion("/r/IsA", "/c/en/cat", "/c/en/animal", "{"), "details"),
        (assertion("/r/IsA", "/c/en/cat", "/c/en/animal", "[]"), "details"),
        (assertion("/r/IsA", "/c/en/cat", "/c/en/animal", "{}"), "details"),
        (assertion("/r/IsA", "/c/en/cat", "/c/en/animal", '{"weight": []}'), "a weight"),
    ],
)
def test_an_assertion_that_cannot_be_used(tmp_path: Path, line: str, reason: str) -> None:
    (found,) = rows(tmp_path, line)
    assert isinstance(found, Skipped)
    assert found.reason.startswith(reason)


def test_no_such_file(tmp_path: Path) -> None:
    with pytest.raises(LacunaError, match="There is no file"):
        list(triple_rows(tmp_path / "nothing"))


@pytest.mark.parametrize(
    "details",
    [
        "[" * 100_000 + "]" * 100_000,
        '{"weight": ' + "[" * 100_000 + "]" * 100_000 + "}",
        '{"weight": 1' + "0" * 400 + "}",
        '{"weight": 1' + "0" * 5000 + "}",
        '{"weight": 2.0, "dataset": ' + "[" * 900 + "]" * 900 + "}",
    ],
    ids=["deep", "deep weight", "large weight", "endless weight", "deep dataset"],
)
def test_hostile_details_cost_one_row(tmp_path: Path, details: str) -> None:
    text = assertion("/r/MadeOf", "/c/en/belt", "/c/en/leather", details)
    found = rows(tmp_path, text + PLAIN)
    assert len(found) == 2
    assert isinstance(found[1], Triple)
