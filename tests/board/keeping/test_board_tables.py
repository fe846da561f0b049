"""Tables keep their answers to themselves."""

from __future__ import annotations

import json
import stat
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from board_site import EXAMPLES, HUMAN, IIRC, BoardSite

from lacuna.errors import LacunaError
from lacuna.metrics.comparison import HumanRow
from lacuna_collect.board import tables as board_tables
from lacuna_collect.board.scored_file import score_abstention

FILES = {
    "iirc": "iirc.json",
    "hotpotqa": "hotpotqa.json",
    "openbookqa": "openbookqa.jsonl",
    "quac": "quac.json",
    "squad": "squad.json",
    "drop": "drop.json",
}


@pytest.mark.parametrize("dataset", FILES)
def test_every_dataset_has_a_table(site: BoardSite, dataset: str) -> None:
    gold = EXAMPLES / FILES[dataset]
    table = site.board.tables.add(dataset, gold, None, f"Another {dataset}", None)
    assert table.rank_by in table.measures
    assert all(table.floor.scores[name] is not None for name in table.measures)
    kept = site.board.tables.gold(table.key)
    assert kept.read_bytes() == gold.read_bytes()
    assert stat.S_IMODE(kept.stat().st_mode) == 0o600
    assert stat.S_IMODE(kept.parent.stat().st_mode) == 0o700
    sheet = site.board.tables.datasheet(table.key)
    assert f"{table.questions:,} questions" in sheet
    assert "To be filled in" in sheet


def test_what_cannot_be_a_table(site: BoardSite, tmp_path: Path) -> None:
    add = site.board.tables.add
    iirc = EXAMPLES / "iirc.json"
    with pytest.raises(LacunaError, match="already"):
        add("iirc", iirc, None, "", None)
    with pytest.raises(LacunaError, match="no iirc setting 'distractor'"):
        add("iirc", iirc, "distractor", "x", None)
    with pytest.raises(LacunaError, match="no measure 'bleu'"):
        add("iirc", iirc, None, "x", "bleu")
    with pytest.raises(LacunaError, match="no official file of predictions"):
        add("real", EXAMPLES / "real.json", None, "x", None)
    questions = site.board.tables.questions_file(IIRC)
    with pytest.raises(LacunaError, match="7 questions without an answer"):
        add("iirc", questions, None, "x", None)
    assert [table.key for table in site.board.tables.all()] == [IIRC]


def test_two_who_add_the_same_table_at_once(
    site: BoardSite, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The one who comes later finds the other's table, and leaves all of it as it is."""
    iirc, squad, score = EXAMPLES / "iirc.json", EXAMPLES / "squad.json", score_abstention
    left = site.board.folder / "hidden" / "ours"
    left.mkdir()
    (left / "gold.csv").write_text("of an attempt that was broken off")

    def score_slowly(*given: Any) -> Any:
        monkeypatch.setattr(board_tables, "score_abstention", score)
        site.board.tables.add("squad", squad, None, "Ours", None)
        return score(*given)

    monkeypatch.setattr(board_tables, "score_abstention", score_slowly)
    with pytest.raises(LacunaError, match="Somebody else has just added 'ours'"):
        site.board.tables.add("iirc", iirc, None, "Ours", None)
    assert site.board.tables.get("ours").dataset == "squad"
    assert site.board.tables.gold("ours").read_bytes() == squad.read_bytes()
    assert "squad" in site.board.tables.datasheet("ours")
    assert sorted(path.name for path in left.parent.iterdir()) == [IIRC, "ours"]


def test_a_human_row_belongs_to_a_table(site: BoardSite, tmp_path: Path) -> None:
    assert site.board.tables.get(IIRC).human == HUMAN
    wrongs: list[tuple[dict[str, Any], str]] = [
        ({"dataset": "quac"}, "no such table"),
        ({"measures": {"bleu": 0.5}}, "'bleu'"),
        ({"measures": {"f1": 91.0}}, "from 0 to 1"),
    ]
    for wrong, words in wrongs:
        with pytest.raises(LacunaError, match=words):
            site.board.tables.set_human(replace(HUMAN, **wrong))


def test_of_several_tables_a_human_row_is_pinned_to_the_one_that_is_named(site: BoardSite) -> None:
    tables = site.board.tables
    other = tables.add("iirc", EXAMPLES / "iirc.json", None, "Other", None)
    with pytest.raises(LacunaError, match=f"--table: .*{other.key}"):
        tables.set_human(HUMAN)
    assert tables.set_human(HUMAN, other.key).human == HUMAN
    with pytest.raises(LacunaError, match="no such table named 'nowhere'"):
        tables.set_human(HUMAN, "nowhere")


@pytest.mark.parametrize(
    ("change", "words"),
    [
        ({"people": 0}, "people: expected a whole number"),
        ({"people": True}, "people"),
        ({"measures": {}}, "measures"),
        ({"measures": {"f1": "0.9"}}, "measures.f1: expected a number"),
        ({"made": 5}, "made: expected a text"),
    ],
)
def test_a_broken_human_row_is_told(tmp_path: Path, change: Any, words: str) -> None:
    path = tmp_path / "human.json"
    path.write_text(json.dumps(HUMAN.as_json()))
    assert HumanRow.read(path) == HUMAN
    path.write_text(json.dumps({**HUMAN.as_json(), **change}))
    with pytest.raises(LacunaError, match=words):
        HumanRow.read(path)
