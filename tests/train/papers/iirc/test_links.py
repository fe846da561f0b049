"""The link model: which links are needed, and where they stand."""

from __future__ import annotations

from pathlib import Path

import pytest

pytest.importorskip("torch")

from lacuna.datasets import get_dataset
from lacuna.types import Answer, Document, Evidence, Gold, Link, Question
from lacuna_lab.papers.iirc import gold_titles, link_batch, link_example, with_links
from lacuna_lab.papers.words import PieceTokenizer

TEXT = "Ada Quill sailed to Marrow. Tom Reed did not."
PASSAGE = Document(
    "passage",
    TEXT,
    links=(Link(0, 9, "Ada Quill"), Link(20, 26, "Marrow"), Link(28, 36, "Tom Reed")),
)


def asked(answer: Answer, *, quoted: str = "", links: tuple[str, ...] = ()) -> Question:
    documents = (Document(quoted, "It is so."),) if quoted else ()
    evidence = (Evidence(quoted, 0, 9),) if quoted else None
    gold = Gold((answer,), evidence=evidence, links=links)
    return Question("1", "Who sailed?", PASSAGE, documents, gold=gold)


def test_links_to_annotated_articles_are_needed_and_no_others() -> None:
    question = asked(Answer.span("so"), quoted="marrow", links=("marrow", "tom reed"))
    assert gold_titles(question) == {"marrow"}
    assert gold_titles(asked(Answer.none(), links=("Tom Reed",))) == {"tom reed"}
    assert gold_titles(Question("1", "Who?", PASSAGE)) == frozenset()


def test_mentions_are_found_by_their_first_and_last_pieces(encoder: Path) -> None:
    tokenizer = PieceTokenizer.of_encoder(str(encoder))
    example = link_example(asked(Answer.none(), links=("Marrow",)), tokenizer, 64)
    assert example is not None
    assert example.needed.tolist() == [False, True, False]
    first, last = example.bounds[0]
    ada = tokenizer.encode("Ada Quill").ids.tolist()
    assert example.ids[first : last + 1].tolist() == ada
    batch = link_batch([example, example], tokenizer.pad)
    assert batch.bounds.shape == (2, 3, 2)


def test_links_that_are_cut_off_are_left_out(encoder: Path) -> None:
    tokenizer = PieceTokenizer.of_encoder(str(encoder))
    whole = link_example(asked(Answer.none()), tokenizer, 64)
    assert whole is not None
    cut = link_example(asked(Answer.none()), tokenizer, int(whole.bounds[1, 1]) + 2)
    assert cut is not None
    assert cut.numbers == (0, 1)
    assert link_example(Question("1", "Who?"), tokenizer, 64) is None


def test_of_a_snippet_the_gold_link_competes_with_other_names() -> None:
    names = " ".join(f"Then Nell {letter}arrow came." for letter in "BCDFGHKLMNPRSTWYZBCDF")
    text = f"She met Ada Quill. {names}"
    gold = Gold((Answer.none(),), links=("Ada Quill",))
    (made,) = with_links([Question("1", "Who?", Document("passage", text), gold=gold)])
    assert made is not None
    assert made.context is not None
    mentions = [text[link.start : link.end] for link in made.context.links]
    assert "Ada Quill" in mentions
    assert len(mentions) == 14
    assert list(with_links([Question("1", "Who?", Document("passage", "It is."), gold=gold)])) == [
        None
    ]


def test_official_passages_keep_their_own_links(examples: Path) -> None:
    with get_dataset("iirc").open(examples / "iirc.json") as reader:
        questions = list(reader.questions())
    assert list(with_links(questions)) == questions
