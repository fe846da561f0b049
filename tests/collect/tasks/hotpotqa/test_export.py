"""From accepted questions to HotpotQA's files."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from pairs_at_hand import finished

from lacuna.cli import main
from lacuna.corpus.store import Store
from lacuna.models.registry import Reader
from lacuna.types import Answer, Prediction, Question
from lacuna_collect.tasks.hotpotqa import (
    HARD_SHARES,
    HotpotSplit,
    easy_writers,
    fold_of,
    medium_losses,
    split_up,
    top_contributors,
    write_export,
)
from lacuna_collect.tasks.hotpotqa_writing import QUESTIONS
from lacuna_collect.tasks.task import FinishedWork, defaults

MORE = defaults(QUESTIONS)


class KnowsSome:
    """Right about Grellby, and surer the shorter its name is."""

    def __init__(self, name: str, asked: list[tuple[str, str]]) -> None:
        self.name, self.asked = name, asked

    def read(self, questions: Sequence[Question], **_: Any) -> list[Prediction]:
        self.asked += [(self.name, question.id) for question in questions]
        sure = 0.9 if self.name == "sure" else 0.1
        return [Prediction(Answer.span("Grellby"), confidence=sure) for _ in questions]


def works(corpus: Store) -> list[FinishedWork]:
    kinds = ("bridge", "comparison", "yes/no")
    return [finished(corpus, kinds[n % 3], n, person=1 + n % 4) for n in range(48)]


def exported(corpus: Store, out: Path, reviews: Sequence[FinishedWork] = ()) -> dict[str, Any]:
    def opened(name: str) -> Reader:
        return KnowsSome(name, [])

    everything = {"hotpotqa-questions": works(corpus), "hotpotqa-hops": reviews}
    more = {**MORE, "split_models": ["sure"]}
    return write_export(everything, more, corpus, out, opened)


def review(number: int, writer: int, needs: str) -> FinishedWork:
    payload = {"writer": writer}
    return FinishedWork(f"r{number}", payload, "", {"needs": needs}, 9, 1000 + number, 1.0)


def test_every_question_is_in_one_split_and_the_files_are_sound(
    corpus: Store, tmp_path: Path
) -> None:
    reviews = [review(n, 1, "one") for n in range(4)] + [review(9 + n, 2, "both") for n in range(4)]
    report = exported(corpus, tmp_path, reviews)
    assert sum(report["splits"].values()) == report["questions"] == 48
    assert report["easy_writers"] == {"1": 1.0}
    assert report["splits"]["train-easy"] == 12
    assert report["splits"]["train-medium"] == 12, "bridges of the others, which the model knows"
    ids = []
    for name, count in report["files"].items():
        entries = json.loads((tmp_path / name).read_text("utf-8"))
        assert len(entries) == count
        with pytest.raises(SystemExit) as ended:
            main(["data", "check", "hotpotqa", str(tmp_path / name)])
        assert not ended.value.code, name
        if name != "train.json" and "/" not in name:
            ids += [entry["_id"] for entry in entries]
    assert len(set(ids)) == len(ids) == 48


def test_gold_is_among_the_paragraphs_and_stripped_from_the_tests(
    corpus: Store, tmp_path: Path
) -> None:
    exported(corpus, tmp_path)
    for entry in json.loads((tmp_path / "train.json").read_text("utf-8")):
        paragraphs = dict(entry["context"])
        assert len(paragraphs) == len(entry["context"]) >= 3
        for title, sentence in entry["supporting_facts"]:
            assert sentence < len(paragraphs[title])
        assert entry["level"] in ("easy", "medium", "hard")
        assert "gold_titles" not in entry
    for name in ("test-distractor", "test-fullwiki"):
        public = json.loads((tmp_path / f"{name}.json").read_text("utf-8"))
        hidden = json.loads((tmp_path / f"hidden/{name}-gold.json").read_text("utf-8"))
        assert public
        assert all(set(entry) == {"_id", "question", "context"} for entry in public)
        assert [entry["_id"] for entry in hidden] == [entry["_id"] for entry in public]
        assert all(entry["answer"] for entry in hidden)


def test_the_same_work_gives_the_same_files(corpus: Store, tmp_path: Path) -> None:
    first, second = tmp_path / "a", tmp_path / "b"
    report = exported(corpus, first)
    assert exported(corpus, second) == report
    for name in report["files"]:
        assert (first / name).read_bytes() == (second / name).read_bytes()


def test_the_gold_paragraph_is_what_its_writer_saw(corpus: Store, tmp_path: Path) -> None:
    work = finished(corpus, "bridge", 1)
    work.payload["paragraphs"][1]["sentences"][0] = "She was called Tilda Roke."
    write_export(
        {"hotpotqa-questions": [work]}, {**MORE, "split_models": []}, corpus, tmp_path, _no_reader
    )
    files = ("train", "dev", "hidden/test-distractor-gold")
    (entry,) = (entry for name in files for entry in _read(tmp_path / f"{name}.json"))
    assert dict(entry["context"])["Tilda Roke"][0] == "She was called Tilda Roke."


def test_what_the_model_in_the_loop_said_is_kept_back(corpus: Store, tmp_path: Path) -> None:
    said = {"question": {"single_hop": True}}
    work = [replace(finished(corpus, "bridge", 1), loop=said), finished(corpus, "bridge", 2)]
    more = {**MORE, "split_models": []}
    report = write_export({"hotpotqa-questions": work}, more, corpus, tmp_path, _no_reader)
    kept = json.loads((tmp_path / "hidden/loop.json").read_text("utf-8"))
    assert list(kept.values()) == [said]
    assert report["with_model_in_loop"] == 1


def test_what_no_longer_passes_is_left_out_and_named(corpus: Store, tmp_path: Path) -> None:
    bad = finished(corpus, "bridge", 5, answer="Paris")
    report = write_export(
        {"hotpotqa-questions": [bad]}, {**MORE, "split_models": []}, corpus, tmp_path, _no_reader
    )
    assert report["questions"] == 0
    assert report["left_out"][0]["submission"] == 5


def test_three_models_are_each_asked_the_fold_they_have_not_seen() -> None:
    questions = [Question(str(n), "?") for n in range(30)]
    questions = [replace(q, gold=None) for q in questions]
    asked: list[tuple[str, str]] = []
    from lacuna.types import Gold

    with_gold = [
        replace(q, gold=Gold((Answer.span("Grellby"),), supporting_facts=())) for q in questions
    ]
    losses = medium_losses(with_gold, ["0", "1", "2"], 13, lambda name: KnowsSome(name, asked))
    assert len(losses) == 30
    for name, id_ in asked:
        assert fold_of(Question(id_, ""), 13) == int(name)
    assert {name for name, _ in asked} == {"0", "1", "2"}


def test_unsure_answers_are_hard() -> None:
    questions = [Question(str(n), "?") for n in range(100)]
    losses = {"1": 0.1, "2": 2.0}
    splits = split_up(questions, {"0"}, losses, 0.7, 13)
    assert [q.id for q in splits[HotpotSplit.TRAIN_EASY]] == ["0"]
    assert [q.id for q in splits[HotpotSplit.TRAIN_MEDIUM]] == ["1"]
    total = sum(HARD_SHARES.values())
    for split, share in HARD_SHARES.items():
        assert abs(len(splits[split]) - 98 * share / total) <= 1
    assert split_up(questions[::-1], {"0"}, losses, 0.7, 13) == splits


def test_only_top_contributors_with_enough_samples_are_judged(corpus: Store) -> None:
    written = [finished(corpus, "bridge", n, person=1 if n < 8 else 2) for n in range(10)]
    assert top_contributors(written, 0.7) == [1]
    assert top_contributors(written, 0.9) == [1, 2]
    few = [review(1, 1, "one"), review(2, 1, "one")]
    assert easy_writers(written, few, MORE) == {}
    enough = [*few, review(3, 1, "one"), *(review(10 + n, 2, "one") for n in range(5))]
    assert easy_writers(written, enough, MORE) == {1: 1.0}
    mixed = [*enough, review(4, 1, "both")]
    assert easy_writers(written, mixed, MORE) == {}


def _no_reader(name: str) -> Reader:
    raise AssertionError("no model is wanted")


def _read(path: Path) -> list[dict[str, Any]]:
    entries: list[dict[str, Any]] = json.loads(path.read_text("utf-8"))
    return entries
