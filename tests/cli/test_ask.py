"""``lacuna ask``: how answers are shown, and what is refused."""

from __future__ import annotations

import io
import json
import sys
from pathlib import Path
from typing import Any

import pytest
from refusing import refused

from lacuna.corpus.store import Store

NOTE = "Note: This asks the demo corpus; --corpus DIR asks your own notes.\n"


def test_one_line_for_each_fact(lacuna: Any, pipeline: Any) -> None:
    ran = lacuna("ask", "How old was she?", "--in", "carrow fell")
    assert ran.code == 0
    assert ran.out.splitlines() == [
        "answer: 34 years",
        "expression: 1931 − 1897",
        "confidence: 0.88",
        "evidence: Ada Quill › Ships: She built the Marrow in «1931»�[2J.",
    ]
    assert ran.err == NOTE
    assert pipeline.asked[0].title == "carrow fell"


def test_a_gap_in_plain_words(lacuna: Any, pipeline: Any) -> None:
    ran = lacuna("ask", "Who built \x1b[31mit\x07?")
    assert ran.code == 0, "an honest none is an answer"
    facts = dict(line.split(": ", 1) for line in ran.out.splitlines())
    assert facts["answer"] == "none"
    assert facts["missing"] == "Nothing answers “Who built �[31mit�?”"
    assert facts["looked in"].endswith("Place 5; and 2 more")
    assert facts["links that lead nowhere"] == "Bram Orde"
    assert facts["nearest"] == "Carrow Fell: Carrow Fell is the h"
    assert not set("\x1b\x07") & set(ran.out + ran.err)


def test_on_a_terminal_the_answer_comes_first(
    lacuna: Any, pipeline: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sys.stdout, "isatty", lambda: True)
    monkeypatch.setenv("TERM", "dumb")
    answered = lacuna("ask", "How old?", "--in", "Carrow Fell").out
    assert answered.startswith("34 years  = 1931 − 1897   88 % sure\n")
    assert "She built the Marrow in 1931�[2J." in answered
    assert "— Ada Quill › Ships, by a link" in answered
    none = lacuna("ask", "Who?").out
    assert none.startswith("No answer   50 % sure\n")
    assert "looked in" in none


def test_json(lacuna: Any, pipeline: Any) -> None:
    told = json.loads(lacuna("ask", "How old?\x9b", "--in", "Carrow Fell", "--json").out)
    assert told["answer"]["text"] == "34 years"
    assert told["question"] == "How old?\x9b"
    assert "steps" not in told
    raw = lacuna("ask", "How old?\x9b", "--json", "--trace").out
    assert json.loads(raw)["steps"][0]["message"] == "Two windows were read."
    assert "\x9b" not in raw, "a terminal would obey it"


def test_the_trace(lacuna: Any, pipeline: Any) -> None:
    lines = lacuna("ask", "Who\x1b?", "--trace").out.splitlines()
    assert lines[-2:] == [
        "step 1: read, 12 ms: Two windows were read.",
        "  * 0.50  Ada Quill  “Who�?”",
    ]


def test_a_passage_and_standard_input(
    lacuna: Any, pipeline: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "letter.md"
    path.write_text("I met [[Ada Quill]].")
    assert lacuna("ask", "Who?", "--context", path).code == 0
    assert pipeline.asked[-1].context.links[0].target == "Ada Quill"
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(b"I met her.")))
    assert lacuna("ask", "Who?", "--context", "-").code == 0
    assert pipeline.asked[-1].context.text == "I met her."


@pytest.mark.parametrize("question", ["", "  \n"])
def test_an_empty_question(lacuna: Any, pipeline: Any, question: str) -> None:
    refused(lacuna("ask", question), "empty")


@pytest.mark.parametrize("content", [b"", b"  \n", b"\x89PNG\r\n\x1a\n\x00\x00"])
def test_a_passage_that_is_none(lacuna: Any, pipeline: Any, tmp_path: Path, content: bytes) -> None:
    path = tmp_path / "passage.txt"
    refused(lacuna("ask", "Who?", "--context", path), "There is no file")
    path.write_bytes(content)
    refused(lacuna("ask", "Who?", "--context", path), "cannot be asked")
    refused(lacuna("ask", "Who?", "--context", tmp_path), "is a folder")
    assert pipeline.asked == ()


def test_a_title_that_is_not_there(lacuna: Any, pipeline: Any) -> None:
    refused(lacuna("ask", "Who?", "--in", "Carow Fell"), "Did you mean 'Carrow Fell'?")
    refused(lacuna("ask", "Who?", "--in", "\x1b[2Jzzzz"), "no title like it")
    refused(lacuna("ask", "Who?", "--in", "Osk", "--context", "-"), "not both")


def test_a_corpus_that_cannot_be_asked(lacuna: Any, pipeline: Any, tmp_path: Path) -> None:
    refused(lacuna("ask", "Who?", "--corpus", tmp_path / "none"), "There is no file or folder")
    refused(lacuna("ask", "Who?", "--corpus", tmp_path), "no pages")
    Store.create(tmp_path / "corpus").close()
    refused(lacuna("ask", "Who?", "--corpus", tmp_path / "corpus"), "has no document")


def test_what_could_not_be_read_is_said(lacuna: Any, pipeline: Any, tmp_path: Path) -> None:
    (tmp_path / "a.md").write_text("# A note\n\nText.\n")
    (tmp_path / "b.md").write_bytes(b"\xff")
    (tmp_path / "boat.PNG").write_bytes(b"a picture is no text that could not be read")
    line = (
        "Note: 1 of 2 files could not be read (1 .md: byte 0 is not UTF-8; save the file as UTF-8)"
        f": lacuna corpus info {tmp_path} --skipped lists them.\n"
    )
    assert lacuna("ask", "Who?", "--corpus", tmp_path).err == line
    assert lacuna("ask", "Who?", "--corpus", tmp_path).err == "", "once, when they were read"
    assert lacuna("ask", "Who?", "--corpus", tmp_path, "--json").err == ""


def test_where_most_could_not_be_read_it_is_said_first(
    lacuna: Any, pipeline: Any, tmp_path: Path
) -> None:
    (tmp_path / "LICENSE.md").write_text("# A licence\n\nNo warranty.\n")
    for name in ("a.md", "b.md", "old.doc"):
        (tmp_path / name).write_bytes(b"\xff\xfe\xff")
    (tmp_path / "photo.png").write_bytes(b"\xff")
    (tmp_path / "tool.py").write_bytes(b"\xff")
    told = "Warning: Most of these documents (3 of 4) could not be read"
    for more in ([], ["--json"]):
        ran = lacuna("ask", "Who?", "--corpus", tmp_path, *more)
        assert (ran.code, told in ran.err) == (1, True)
        assert ran.out
    for number in range(2):
        (tmp_path / f"{number}.md").write_text("# A page\n\nText.\n")
    assert lacuna("ask", "Who?", "--corpus", tmp_path).code == 0


def test_pictures_and_programs_are_no_documents(lacuna: Any, pipeline: Any, tmp_path: Path) -> None:
    (tmp_path / "a.md").write_text("# A note\n\nText.\n")
    for name in ("a.png", "b.jpg", "c.py", "d.css"):
        (tmp_path / name).write_bytes(b"\xff")
    assert lacuna("ask", "Who?", "--corpus", tmp_path).code == 0


def test_readers_and_retrievers_by_name(lacuna: Any, pipeline: Any) -> None:
    assert lacuna("ask", "Who?", "--model", "small", "--retriever", "hotpotqa").code == 0
    assert lacuna("ask", "Who?").code == 0
    assert pipeline.retrievers == ("HotpotRetriever", "NoneType")
    refused(lacuna("ask", "Who?", "--model", "llm:none"), "There is no model llm:none")
    refused(lacuna("ask", "Who?", "--retriever", "bm52"), "Did you mean bm25?")


def test_a_model_that_is_not_there(lacuna: Any, pipeline: Any) -> None:
    refused(lacuna("ask", "Who?", "--model", "huge"), "There is no model huge")
