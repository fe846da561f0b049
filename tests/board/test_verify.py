"""An exported board can be checked, and whatever is changed in it is found."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from board_site import EXAMPLES, GOOD, IIRC, BoardSite, answers

from lacuna.errors import LacunaError
from lacuna.files.checksums import write_sums
from lacuna_collect.board.database import SUBMITTED
from lacuna_collect.board.export import export_board, rescore_export, verify_export

HIDDEN = ["Ruth Quill", "answer_spans", "answer_value", "question_links", "rows"]
"""Answers of the example, and fields that only gold has."""


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> BoardSite:
    """A board with two public entries, a private one and a refused one."""
    made = BoardSite(tmp_path_factory.mktemp("boards") / "board", a_week=9)
    made.board.tables.add("quac", EXAMPLES / "quac.json", "predicted-history", "QuAC", None)
    made.queue.start()
    rude = "https://x.org/[x](javascript:y)"
    made.scored(answers(), name="Nothing <b>at</b> all", code=rude)
    made.scored(GOOD, name="By hand", description="| not | a table |")
    made.scored(answers("yes"), name="Secret", shown="private")
    made.scored(b"{}", name="Refused")
    dialogs = (EXAMPLES / "quac_predictions.jsonl").read_bytes()
    made.scored(dialogs, name="Dialogs", table="quac")
    made.queue.close()
    return made


@pytest.fixture
def exported(site: BoardSite, tmp_path: Path) -> Path:
    out = tmp_path / "out"
    assert export_board(site.board, out) == 3
    return out


def rewrite(path: Path, change: Any) -> None:
    """Change a JSON file and mend the sums, as somebody would who wants to deceive."""
    said = json.loads(path.read_text(encoding="utf-8"))
    change(said)
    path.write_text(json.dumps(said), encoding="utf-8")
    folder = path
    while not (folder / "SHA256SUMS").exists():
        folder = folder.parent
    write_sums(folder)


def test_all_of_it_holds(site: BoardSite, exported: Path) -> None:
    found = verify_export(exported)
    rescore_export(exported, site.board, found)
    assert found.wrong == []
    assert found.checked["entries"] == found.checked["entries scored again"] == 3
    assert found.checked["scores that follow from their parts"] >= 12
    assert found.checked["scores that the parts cannot show"] >= 1, "DHEQ is of whole dialogs"


def test_nothing_hidden_and_nobody_private_is_in_it(site: BoardSite, exported: Path) -> None:
    texts = {path: path.read_text(encoding="utf-8") for path in exported.rglob("*.*")
             if path.is_file()}  # fmt: skip
    for path, text in texts.items():
        assert "Secret" not in text, path
        assert site.board.tables.salt(IIRC) not in text, path
        if not path.name.startswith("questions"):
            assert not [word for word in HIDDEN[1:] if f'"{word}"' in text], path
    questions = texts[exported / "tables" / IIRC / "questions.json"]
    assert "q_7" in questions
    assert not [word for word in HIDDEN if word in questions]
    assert "<b>" not in texts[exported / "index.html"]
    assert "Nothing \\<b\\>at" in texts[exported / "tables" / IIRC / "table.md"]
    card = texts[exported / "entries" / "1" / "model-card.md"]
    assert "Code: https://x.org/\\[x\\]\\(javascript:y\\)" in card
    assert "Nothing \\<b\\>at" in card
    assert "To be filled in" in card


def test_a_lost_a_new_and_a_changed_file(exported: Path) -> None:
    (exported / "icon.svg").unlink()
    (exported / "more.txt").write_text("x")
    (exported / "board.json").write_bytes((exported / "board.json").read_bytes() + b" ")
    assert verify_export(exported).wrong == [
        "icon.svg is missing",
        "more.txt is in no list of sums",
        "board.json is not as it was written",
    ]


def test_a_better_score_does_not_follow(exported: Path) -> None:
    def better(said: Any) -> None:
        said["entries"][-1]["scores"]["f1"] = 0.99

    rewrite(exported / "tables" / IIRC / "table.json", better)
    wrong = " / ".join(verify_export(exported).wrong)
    assert "f1 of entry 1 in iirc-oracle-context does not follow" in wrong
    assert "the tables do not list the very entries" in wrong
    assert "not in the order of f1" in wrong


def test_a_forged_entry_is_not_what_was_sealed(exported: Path) -> None:
    def renamed(said: Any) -> None:
        said["details"]["team"] = "Them"

    rewrite(exported / "entries" / "2" / "entry.json", renamed)
    assert "entry 2 is not what was sealed when it was scored" in verify_export(exported).wrong


def test_an_entry_left_out_is_missed(exported: Path) -> None:
    for path in (exported / "entries" / "1").iterdir():
        path.unlink()
    rewrite(exported / "tables" / IIRC / "table.json", lambda said: said["entries"].pop())
    assert verify_export(exported).wrong == ["entry 1 is missing"]


def test_a_log_made_anew_does_not_have_the_sum_that_was_noted(exported: Path) -> None:
    lines = (exported / "log.jsonl").read_text().splitlines()
    noted = json.loads(lines[2])["sum"]
    assert verify_export(exported, head=noted).wrong == []
    assert "the past is not what it was" in verify_export(exported, head="0" * 64).wrong[0]
    (exported / "log.jsonl").write_text("\n".join([*lines[:3], *lines[4:]]) + "\n")
    write_sums(exported)
    assert "record 4 of the log is not what was written" in verify_export(exported).wrong


def test_other_gold_and_other_predictions_are_found(site: BoardSite, exported: Path) -> None:
    gold, sent = site.board.tables.gold(IIRC), site.board.submissions.predictions(2)
    before = gold.read_bytes(), sent.read_bytes()
    try:
        gold.write_bytes(before[0].replace(b'"yes"', b'"no"'))
        sent.write_bytes(answers("x"))
        found = verify_export(exported)
        rescore_export(exported, site.board, found)
    finally:
        gold.write_bytes(before[0])
        sent.write_bytes(before[1])
    assert found.wrong == [
        "the hidden answers of iirc-oracle-context are not those it began with",
        "entry 1: scored again, its parts are others",
        "entry 2: its predictions are not those that were sent",
    ]


def test_what_is_no_export(tmp_path: Path, exported: Path) -> None:
    with pytest.raises(LacunaError, match="no SHA256SUMS"):
        verify_export(tmp_path)
    with pytest.raises(LacunaError, match="is there already"):
        export_board(BoardSite(tmp_path / "other").board, exported)
    rewrite(exported / "board.json", lambda said: said.clear())
    assert "not of the form" in verify_export(exported).wrong[-1]


def test_an_entry_that_is_none_is_told(site: BoardSite, exported: Path) -> None:
    (exported / "entries" / "1" / "entry.json").write_text("{}")
    site.board.submissions.predictions(2).rename(exported / "moved")
    try:
        found = verify_export(exported)
        rescore_export(exported, site.board, found)
    finally:
        (exported / "moved").rename(site.board.submissions.predictions(2))
    assert "entry 1: it is not of the form" in found.wrong[-2]
    assert "entry 2: " in found.wrong[-1]
    assert found.checked["entries scored again"] == 3


def test_what_is_withdrawn_or_made_public_later_holds_too(site: BoardSite, tmp_path: Path) -> None:
    submissions = site.board.submissions
    submissions.show(3, True)
    submissions.withdraw(1, "rude name")
    for is_public in (False, True):
        with pytest.raises(LacunaError, match="taken off the board"):
            submissions.show(1, is_public)
    try:
        assert export_board(site.board, tmp_path / "out") == 3
        assert verify_export(tmp_path / "out").wrong == []
        assert (tmp_path / "out" / "entries" / "3").exists()
        assert not (tmp_path / "out" / "entries" / "1").exists()
    finally:
        submissions.show(3, False)
        with site.board.database.begin() as transaction:
            transaction.change(SUBMITTED, withdrawn="")
