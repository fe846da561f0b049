"""``lacuna knowledge``: what is built, what is told of it, and what is refused."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from lacuna.retrieve.knowledge.knowledge_base import KnowledgeBase

TRIPLES = "IsA\tsteel\tmetal\t1\tmine\nIsA\tsteel\tmetal\t2\tyours\n"
SENTENCES = "mine\tSteel is a metal.\nmine\tSteel is not wood.\n"


@pytest.fixture
def triples(tmp_path: Path) -> Path:
    path = tmp_path / "triples.tsv"
    path.write_text(TRIPLES, "utf-8")
    return path


@pytest.fixture
def sentences(tmp_path: Path) -> Path:
    path = tmp_path / "sentences.tsv"
    path.write_text(SENTENCES, "utf-8")
    return path


def test_both_kinds_and_an_account_of_them(
    lacuna: Any, tmp_path: Path, triples: Path, sentences: Path
) -> None:
    ran = lacuna("knowledge", sentences, triples, "--out", tmp_path / "base")
    assert (ran.code, ran.err) == (0, ""), "an unfit sentence is no broken row"
    rows = [line.split() for line in ran.out.splitlines()]
    assert ["triples", "2", "1", "1", "0", "0"] in rows
    assert ["sentences", "2", "1", "0", "1", "0"] in rows
    assert ["negation", "sentences", "1"] in rows
    assert KnowledgeBase.open(tmp_path / "base").about("metal", "steel").found


def test_broken_rows_are_counted_and_a_few_are_shown(
    lacuna: Any, tmp_path: Path, triples: Path, sentences: Path
) -> None:
    with triples.open("a") as file:
        file.write("IsA\tsteel\n" * 7 + "IsA\ttin\tmetal\tmuch\tmine\n")
    with sentences.open("a") as file:
        file.write("no tab\x1b here\n")
    ran = lacuna("knowledge", triples, sentences, "--out", tmp_path / "base")
    assert ran.code == 1, "done, but something was left out"
    assert ran.err.count("Left out: ") == 5 + 1 + 1
    assert f"Left out: {triples}, line 3: not five columns.\n" in ran.err
    assert f"{triples}, line 10: a weight that is no number" in ran.err
    assert ran.err.endswith("Warning: 9 broken rows were left out.\n")
    assert KnowledgeBase.open(tmp_path / "base").about("metal", "steel").found


def test_what_is_no_knowledge_changes_nothing(lacuna: Any, tmp_path: Path, triples: Path) -> None:
    prose = tmp_path / "prose.md"
    prose.write_text("Steel is a metal.\n")
    base = tmp_path / "base"
    assert lacuna("knowledge", triples, "--out", base).code == 0
    for files, out, words in (
        ((prose,), base, "neither triples nor sentences"),
        ((triples, tmp_path / "triple.tsv"), base, "Did you mean"),
        ((tmp_path,), base, "is a folder"),
        ((triples,), prose, "prose.md"),
    ):
        ran = lacuna("knowledge", *files, "--out", out)
        assert ran.code == 2
        assert ran.out == ""
        assert words in ran.err
        assert ran.err.count("\n") == 1
    assert KnowledgeBase.open(base).about("metal", "steel").found
    assert prose.read_text() == "Steel is a metal.\n"
