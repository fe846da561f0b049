"""Feedback becomes test data."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest
from stand_in import Site

from lacuna.datasets import get_dataset
from lacuna.datasets.real import Judgement, outcome
from lacuna.errors import LacunaError
from lacuna.serve.feedback import FeedbackFile, patterns_for
from lacuna.web.refusals import Refusal

MakeSite = Callable[..., Site]


@pytest.fixture
def file(tmp_path: Path) -> Path:
    return tmp_path / "feedback.jsonl"


@pytest.fixture
def site(make_site: MakeSite, file: Path) -> Site:
    return make_site(feedback=file)


def say(site: Site, verdict: str, question: str = "What is the Marrow?", **more: Any) -> Any:
    asked = {"question": question, "title": "Marrow"}
    answer = site.client.post("/api/v1/ask", json=asked).json()["id"]
    said = {"answer": answer, "verdict": verdict, **more}
    return site.client.post("/api/v1/feedback", json=said)


def questions(file: Path) -> list[Any]:
    with get_dataset("real").open(file) as reader:
        return list(reader.questions())


def test_what_was_said_is_read_as_real_questions(site: Site, file: Path) -> None:
    assert say(site, "right").json()["verdict"] == "right"
    say(site, "wrong", correction=" A  boat. ")
    say(site, "wrong")
    say(site, "right", "Nothing asked")
    say(site, "wrong", correction="none")
    right, corrected, wrong, none, no_answer = questions(file)
    assert right.gold.answers[0].text == "The Marrow is a ferry."
    assert right.extra["evidence"] == [{"file": "Marrow.md", "sentence": "The Marrow is a ferry."}]
    assert corrected.gold.answers[0].text == "A boat."
    assert outcome(corrected.extra["match"], "It is a boat") is Judgement.RIGHT
    assert wrong.gold is None
    assert none.gold.answers[0].text == "none"
    assert no_answer.gold.answers[0].text == "none"


def test_the_last_word_counts(site: Site, file: Path) -> None:
    answer = say(site, "right").json()["answer"]
    say(site, "right")
    said = {"answer": answer, "verdict": "wrong", "correction": "a boat"}
    assert site.client.post("/api/v1/feedback", json=said).status_code == 200
    lines = [json.loads(line) for line in file.read_text().splitlines()]
    assert [line["verdict"] for line in lines] == ["right", "wrong"]
    assert file.stat().st_mode & 0o777 == 0o600
    assert [path.name for path in file.parent.glob("*feedback*")] == [file.name]


def test_what_is_refused(site: Site, make_site: MakeSite) -> None:
    assert say(site, "right", correction="a boat").json()["code"] == "right-and-corrected"
    assert say(site, "fine").status_code == 422
    assert say(site, "right", note="x").status_code == 422
    assert say(make_site(), "right").json()["code"] == "no-feedback"
    said = {"answer": "nothing", "verdict": "right"}
    assert site.client.post("/api/v1/feedback", json=said).json()["code"] == "answer-gone"


def test_whether_it_is_taken_is_told(site: Site, make_site: MakeSite) -> None:
    assert site.client.get("/api/v1/server").json()["feedback"] is True
    assert make_site().client.get("/api/v1/server").json()["feedback"] is False


def test_many_at_once_lose_nothing(file: Path) -> None:
    files = [FeedbackFile(file, 1 << 20) for _ in range(4)]  # as servers that share it have
    with ThreadPoolExecutor(8) as people:
        list(people.map(lambda n: files[n % 4].put({"id": str(n), "text": "x" * 200}), range(40)))
        list(people.map(lambda n: files[n % 4].put({"id": str(n), "text": "again"}), range(9)))
    lines = [json.loads(line) for line in file.read_text().splitlines()]
    assert sorted(int(line["id"]) for line in lines) == list(range(40))
    assert sum(line["text"] == "again" for line in lines) == 9


def test_a_line_that_was_cut_off_spoils_no_other(file: Path) -> None:
    file.write_bytes(b'{"id": "1"}\n{"id": "2", "te')
    FeedbackFile(file, 1 << 20).put({"id": "3"})
    assert file.read_text().splitlines() == ['{"id": "1"}', '{"id": "2", "te', '{"id": "3"}']


def test_no_room_and_no_file(file: Path) -> None:
    full = FeedbackFile(file, 30)
    full.put({"id": "1"})
    with pytest.raises(Refusal, match="full"):
        full.put({"id": "2", "text": "x" * 30})
    with pytest.raises(LacunaError, match="--feedback"):
        FeedbackFile(file.parent / "nowhere" / "file", 30)


@pytest.mark.parametrize(
    ("right", "found", "not_found"),
    [
        (["900"], "900 seconds", "1,900"),
        (["Ada Quill"], "by ada  quill.", "Ada Quillon"),
        (["No."], "no", "nobody"),
        (["a (b) c+"], "an a (b) c+", "a b c"),
        (["north", "south"], "south and north", "north"),
    ],
)
def test_patterns(right: list[str], found: str, not_found: str) -> None:
    match = patterns_for(right)
    assert outcome(match, found) is Judgement.RIGHT
    assert outcome(match, not_found) is not Judgement.RIGHT
    assert all(re.compile(one) for one in ([match] if isinstance(match, str) else match))
