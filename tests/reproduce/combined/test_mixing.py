"""Questions of SQuAD and DROP in a file of IIRC."""

from __future__ import annotations

import json
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import pytest

from lacuna import demo
from lacuna.datasets import get_dataset
from lacuna.errors import LacunaError
from lacuna.types import AnswerKind, Question
from lacuna_lab.reproduce.combined import mix, wanted_of

TITLES = {"Port Ellery", "Stony Tarn"}


def known(names: Iterable[str]) -> dict[str, str]:
    return {name: name for name in names if name in TITLES}


@pytest.fixture
def added(examples: Path) -> dict[str, Path]:
    return {"squad": examples / "squad.json", "drop": examples / "drop.json"}


def read(path: Path) -> list[Question]:
    with get_dataset("iirc").open(path) as reader:
        return list(reader.questions())


def test_a_fifth_is_mixed_in_three_to_one() -> None:
    assert wanted_of(13_440, 0.2, ["squad", "drop"]) == {"squad": 2520, "drop": 840}
    assert wanted_of(1_301, 0.2, ["squad", "drop"]) == {"squad": 244, "drop": 81}
    assert wanted_of(8, 0.5, ["drop"]) == {"drop": 8}
    assert min(wanted_of(2, 0.2, ["squad", "drop"]).values()) == 1


def test_a_mixed_file_is_one_of_iirc_with_nothing_of_it_changed(
    examples: Path, added: dict[str, Path], tmp_path: Path
) -> None:
    out = tmp_path / "mixed.json"
    counts = mix(examples / "iirc.json", added, known, out, share=0.6, seed=1)
    before, mixed = read(examples / "iirc.json"), read(out)
    assert [q.id for q in mixed[: len(before)]] == [q.id for q in before]
    assert mixed[: len(before)] == before
    others = mixed[len(before) :]
    assert len(others) == sum(counts.mixed_in.values())
    assert {q.extra["source"] for q in others} == {"squad", "drop"}
    assert all(q.gold is not None and q.gold.links == () for q in others)


def test_passages_are_wikified_and_need_no_link(
    examples: Path, added: dict[str, Path], tmp_path: Path
) -> None:
    out = tmp_path / "mixed.json"
    counts = mix(examples / "iirc.json", added, known, out, share=0.9, seed=1)
    by_source = {q.extra.get("source"): q for q in read(out)}
    squad, drop = by_source["squad"].context, by_source["drop"].context
    assert squad is not None
    assert drop is not None
    assert [link.target for link in drop.links] == ["Port Ellery"]
    assert drop.text[drop.links[0].start : drop.links[0].end] == "Port Ellery"
    assert squad.links == ()  # its own title is none
    assert counts.links == 1


def test_answers_stay_what_they_are(examples: Path, added: dict[str, Path], tmp_path: Path) -> None:
    out = tmp_path / "mixed.json"
    mix(examples / "iirc.json", added, known, out, share=0.9, seed=1)
    answers = {q.id: q.gold.answers[0] for q in read(out) if q.gold and q.gold.answers}
    assert answers["squad-s1"].texts == ("herring",)
    assert answers["squad-s3"].kind is AnswerKind.NONE
    assert answers["drop-d1"].value == 9


def test_the_same_seed_gives_the_same_file(tmp_path: Path, added: dict[str, Path]) -> None:
    texts = []
    for number, seed in enumerate((1, 1, 2, 3, 4, 5)):
        out = tmp_path / f"{number}.json"
        mix(demo.QUESTIONS, {"squad": added["squad"]}, known, out, share=0.005, seed=seed)
        texts.append(out.read_bytes())
    assert texts[0] == texts[1]
    assert len(set(texts)) > 1


def test_what_cannot_be_mixed_is_refused(tmp_path: Path, added: dict[str, Path]) -> None:
    empty = tmp_path / "empty.json"
    empty.write_text("[]", encoding="utf-8")
    with pytest.raises(LacunaError, match="no question of iirc with a passage to mix"):
        mix(empty, added, known, tmp_path / "out.json", seed=1)


def test_questions_without_a_passage_are_left_out_and_told(
    lacuna: Any, added: dict[str, Path], tmp_path: Path
) -> None:
    quotes = {"main_context": "It lies on a river.", "link_context": "It is 9 km long."}
    asked = {"question": "How long is the river?", "answer": ["9 km"], **quotes}
    passage = {"passage": "Ellery lies on the Tarn.", "gold_link": "Tarn", "link_candidates": []}
    snippets = tmp_path / "snippets.jsonl"
    lines = [asked, {**asked, **passage, "question": "How long is the Tarn?"}]
    snippets.write_text("\n".join(map(json.dumps, lines)), encoding="utf-8")
    out = tmp_path / "mixed.json"
    ran = lacuna("data", "mix", snippets, "--squad", added["squad"], "-o", out)
    assert (ran.code, "1 questions" in ran.err) == (0, True), ran.err
    kept = [question for question in read(out) if "source" not in question.extra]
    assert [question.text for question in kept] == ["How long is the Tarn?"]
    assert [question.gold.links for question in kept if question.gold] == [("Tarn",)]


def test_the_verb_mixes_and_says_what_is_short(
    lacuna: Any, examples: Path, added: dict[str, Path], tmp_path: Path
) -> None:
    out = tmp_path / "mixed.json"
    asked = ("data", "mix", demo.QUESTIONS, "--squad", added["squad"], "--drop", added["drop"])
    ran = lacuna(*asked, "-o", out)
    assert ran.code == 0
    rows = [line.split() for line in ran.out.splitlines()]
    assert all(row in rows for row in (["iirc", "257"], ["squad", "3"], ["drop", "3"]))
    assert "squad has only 3 of the 48 questions" in ran.err
    for wrong, said in ((("-o", added["squad"]), "is read by this command"),):
        ran = lacuna(*asked, *wrong)
        assert (ran.code, said in ran.err) == (2, True), ran.err
    ran = lacuna("data", "mix", demo.QUESTIONS, "-o", out)
    assert (ran.code, "nothing to mix in" in ran.err) == (2, True)
