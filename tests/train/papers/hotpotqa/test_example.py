"""HotpotQA's questions as examples."""

from __future__ import annotations

import pytest

pytest.importorskip("torch")

from lacuna.types import Answer, AnswerKind, Document, Gold, Question, Span, SupportingFact
from lacuna_lab.papers.hotpotqa import KINDS, UNKNOWN_KIND, HotpotExample
from lacuna_lab.papers.run import make_paper_task
from lacuna_lab.papers.words import TokenTable

MARROW = Document(
    "Marrow",
    "The Marrow sank off Corrie. Corrie is a town.",
    sentences=(Span(0, 27), Span(28, 45)),
)
QUILL = Document("Ada Quill", "Quill left Corrie.", sentences=(Span(0, 18),))


def asked(answer: Answer, *facts: tuple[str, int], text: str = "Where?") -> Question:
    gold = Gold((answer,), supporting_facts=tuple(SupportingFact(*fact) for fact in facts))
    return Question("q", text, documents=(MARROW, QUILL), gold=gold)


def example(question: Question, longest: int = 100, **settings: object) -> HotpotExample:
    raw = {"name": "x", "system": "hotpotqa-paper", **settings}
    made = make_paper_task(raw, "x").example(question, TokenTable(), longest)
    assert isinstance(made, HotpotExample)
    return made


def texts(made: HotpotExample, documents: tuple[Document, ...]) -> list[str]:
    spans = zip(made.starts.tolist(), made.ends.tolist(), strict=True)
    return [
        documents[made.places[i, 0]].text[made.places[i, 1] : made.places[j, 2]] for i, j in spans
    ]


def test_an_answer_is_right_wherever_a_supporting_sentence_has_it() -> None:
    made = example(asked(Answer.span("corrie"), ("Marrow", 0), ("Ada Quill", 0)))
    assert texts(made, (MARROW, QUILL)) == ["Corrie", "Corrie"]
    assert made.places[made.starts, 0].tolist() == [0, 1]
    assert made.places[made.starts[0], 1] == 20  # not the one of the second sentence
    assert made.support.tolist() == [True, False, True]
    assert KINDS[made.kind] is AnswerKind.SPAN


def test_an_answer_that_no_supporting_sentence_has_is_sought_everywhere() -> None:
    made = example(asked(Answer.span("town"), ("Ada Quill", 0)))
    assert texts(made, (MARROW, QUILL)) == ["town"]


def test_yes_and_no_have_no_place() -> None:
    made = example(asked(Answer.no(), ("Marrow", 0)))
    assert KINDS[made.kind] is AnswerKind.NO
    assert len(made.starts) == 0


def test_what_is_behind_the_limit_is_left_out() -> None:
    made = example(asked(Answer.span("town"), ("Marrow", 1)), longest=12)
    assert len(made.context) == 12
    assert made.sentences[:, 2:].tolist() == [[0, 0]]  # the second sentence is cut
    assert len(made.starts) == 0


@pytest.mark.parametrize(
    ("setting", "sentences", "support"),
    [
        ("distractor", 3, [False, True, False]),
        ("gold-only", 2, [False, True]),
        ("supporting-facts-only", 1, [True]),
    ],
)
def test_the_last_rows_of_table_7_read_less(
    setting: str, sentences: int, support: list[bool]
) -> None:
    made = example(asked(Answer.span("town"), ("Marrow", 1)), setting=setting)
    assert len(made.sentences) == sentences
    assert made.support.tolist() == support
    assert len(made.starts) == 1


def test_a_question_without_gold_or_text_can_be_read() -> None:
    made = example(Question("q", "", documents=(Document("", ""),)))
    assert made.kind == UNKNOWN_KIND
    assert len(made.question) == 1
    assert len(made.context) >= 1
    assert len(example(Question("q", "Where?")).context) == 1
