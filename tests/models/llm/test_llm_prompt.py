from __future__ import annotations

from dataclasses import replace

from lacuna.answers import AnswerMode
from lacuna.models.llm.llm_prompt import ROOM, numbered_passages, prompt, reply_schema
from lacuna.types import Answer, Choice, Document, Question, Turn


def asked(question: Question, mode: AnswerMode = AnswerMode.ASK) -> str:
    return prompt(question, numbered_passages(question), mode)[1]["content"]


def test_passages_are_numbered_with_the_context_first(question: Question) -> None:
    content = asked(question)
    assert "[1] Ada Quill\nAda Quill was born" in content
    assert "[2] Marrow\nQuill built" in content
    assert content.endswith("Question: How old was Ada Quill when she built the Marrow?")


def test_history_fact_choices_and_mode(question: Question) -> None:
    history = (Turn("Who was she?", Answer.span("a shipwright")), Turn("And then?"))
    whole = replace(question, history=history, fact="Ships float.", choices=(Choice("A", "34"),))
    content = asked(whole, AnswerMode.CHOOSE)
    assert "Question: Who was she?\nAnswer: a shipwright\nQuestion: And then?" in content
    assert "A fact that helps: Ships float." in content
    assert "A: 34" in content
    assert "can be answered" in content
    assert "can be answered" not in asked(question, AnswerMode.DIALOG)


def test_empty_texts_are_left_out() -> None:
    question = Question("q", "Why?", context=Document("Empty", " \n"))
    assert numbered_passages(question) == ()
    assert "There are no passages." in asked(question)


def test_a_corpus_of_texts_is_cut_to_what_shares_words_with_the_question() -> None:
    filler = "It rained on the harbour, and nobody came. " * 150
    documents = tuple(Document(f"Day {n}", filler) for n in range(9))
    late = Document("Kestrel", f"{filler}The Kestrel carried forty-one sailors. {filler}")
    question = Question(
        "q", "How many sailors did the Kestrel carry?", documents=(*documents, late)
    )
    passages = numbered_passages(question)
    assert sum(len(passage.text) for passage in passages) <= ROOM + len(passages) * 40
    assert any("forty-one sailors" in passage.text for passage in passages)
    assert [passage.number for passage in passages] == list(range(1, len(passages) + 1))


def test_a_choice_can_be_replied_only_where_there_are_choices(question: Question) -> None:
    def kinds(asked: Question) -> list[str]:
        listed: list[str] = reply_schema(asked)["properties"]["kind"]["enum"]
        return listed

    assert kinds(question) == ["span", "spans", "number", "yes", "no", "none"]
    assert kinds(replace(question, choices=(Choice("A", "34"),))) == ["none", "choice"]
