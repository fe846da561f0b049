"""Questions of both of IIRC's training files, taken apart alike."""

from __future__ import annotations

from lacuna.types import Answer, AnswerKind, Document, Evidence, Gold, Question
from lacuna_lab.data.iirc import QuotedQuestion, quoted_question

TEXT = "It rained. The Marrow sails to Ellery. It is red. Ada Quill steers it. It snowed."
QUOTE = "Ada Quill (born 1950) is a pilot."
SPANS = [(11, 38), (50, 70)]


def official(answer: Answer, *, linked: bool = True) -> QuotedQuestion:
    """A question as IIRC's own file has it: places in the paragraph, and quotes of articles."""
    evidence = [Evidence("p1", *span) for span in SPANS]
    documents = (Document("Ada Quill", QUOTE),) if linked else ()
    if linked:
        evidence.append(Evidence("Ada Quill", 0, len(QUOTE)))
    gold = Gold((answer,), evidence=tuple(evidence) if linked else None, links=("Ada Quill",))
    return quoted_question(Question("q", "When?", Document("p1", TEXT), documents, gold=gold))


def snippet(answer: Answer) -> QuotedQuestion:
    """The same as the snippet file has it, with its paragraph."""
    own = TEXT[SPANS[0][0] : SPANS[1][1]]
    documents = (Document("main_context", own), Document("link_context", QUOTE))
    gold = Gold((answer,), links=("Ada Quill",))
    return quoted_question(Question("q", "When?", Document("passage", TEXT), documents, gold=gold))


def test_both_files_give_the_same_parts() -> None:
    for quoted in (official(Answer.span("1950")), snippet(Answer.span("1950"))):
        assert quoted.context == Document("passage", TEXT)
        assert quoted.own_text == "The Marrow sails to Ellery. It is red. Ada Quill steers it."
        assert quoted.quote is not None
        assert (quoted.quote.text, quoted.quote.title) == (QUOTE, "Ada Quill")
        assert [answer.kind for answer in quoted.answers] == [AnswerKind.SPAN, AnswerKind.NUMBER]
        assert quoted.whole
        assert not quoted.answered_by_context


def test_without_evidence_the_whole_paragraph_counts() -> None:
    quoted = official(Answer.none(), linked=False)
    assert quoted.own_text == TEXT
    assert quoted.quote is None
    assert not quoted.answerable


def test_an_answer_that_no_text_contains_is_none() -> None:
    assert official(Answer.span("Tarn")).answers == ()
