from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from lacuna import (
    Answer,
    Document,
    Gold,
    LacunaError,
    Link,
    Question,
    get_dataset,
)
from lacuna.datasets.convert import QuestionFile

PASSAGE = Document("Marrow", "The Marrow was a ferry.")
QUOTED = Document("harbour act", "It was passed in 1958.")
FOUND = [
    {"passage": "port ellery", "text": "It has a harbour."},
    {"passage": "ada quill", "text": "She was born in Corrie."},
    {"passage": "port ellery", "text": "It is old."},
]


def iirc(answer: Answer | None, *documents: Document, found: Any = None) -> Question:
    extra = {} if found is None else {"retrieved_context": found}
    gold = Gold((answer,)) if answer else None
    return Question("q", "When?", PASSAGE, documents, gold=gold, extra=extra)


def arranged(setting: str, question: Question) -> Question:
    return get_dataset("iirc").setting(setting).arrange(question)


def titles(question: Question) -> list[str]:
    return [document.title for document in question.documents]


def test_oracle_context() -> None:
    def read(question: Question) -> list[str]:
        return titles(arranged("oracle-context", question))

    answerable = Answer.number(1958)
    assert read(iirc(answerable, QUOTED, found=FOUND)) == ["harbour act"]
    assert read(iirc(answerable, found=FOUND)) == []
    assert read(iirc(Answer.none(), QUOTED, found=FOUND)) == ["port ellery", "ada quill"]
    assert read(iirc(Answer.none(), QUOTED)) == ["harbour act"]
    assert read(iirc(Answer.none())) == []
    assert read(iirc(None, found=FOUND)) == ["port ellery", "ada quill"]


def test_retrieved_context_is_one_document_an_article() -> None:
    entered = arranged("retrieved-context", iirc(Answer.yes(), QUOTED, found=FOUND))
    first, second = entered.documents
    assert first.text == "It has a harbour.\nIt is old."
    assert [first.sentence(0), first.sentence(1)] == ["It has a harbour.", "It is old."]
    assert second.title == "ada quill"
    assert arranged("retrieved-context", iirc(Answer.yes(), QUOTED)).documents == ()


def test_a_retrieved_article_never_shares_the_passages_title() -> None:
    found = [{"passage": "Marrow", "text": "She sank."}]
    entered = arranged("retrieved-context", iirc(Answer.yes(), found=found))
    assert titles(entered) == ["Marrow (retrieved)"]


@pytest.mark.parametrize("found", ["text", [5], [{"passage": "x"}], {"passage": 1, "text": "y"}])
def test_broken_retrieved_context(found: Any) -> None:
    with pytest.raises(LacunaError, match="'q', field retrieved_context: expected a list"):
        arranged("retrieved-context", iirc(Answer.yes(), found=found))


LINKED = Document("Page", "Ada and Tom", links=(Link(0, 3, "Ada"), Link(8, 11, "Tom")))


def test_gold_links_are_given_only_where_the_setting_says_so() -> None:
    gold = Gold((Answer.span("Ada"),), links=("Tom", "Lost"))
    question = Question("q", "Who?", LINKED, (QUOTED,), gold=gold)
    full = arranged("full", question)
    assert (full.context, full.documents) == (LINKED, ())
    given = arranged("oracle-links", question)
    assert given.context is not None
    assert [link.target for link in given.context.links] == ["Tom", "Lost"]
    assert given.documents == ()


def test_no_gold_link_does_not_tell_that_there_is_no_answer() -> None:
    question = Question("q", "Who?", LINKED, gold=Gold((Answer.none(),), links=()))
    assert arranged("oracle-links", question).context is LINKED


def test_the_real_dev_file(data_folder: Path) -> None:
    path, dataset = data_folder / "iirc" / "dev.json.gz", get_dataset("iirc")
    bare = {
        setting.name: sum(
            not setting.arrange(question).documents
            for question in QuestionFile(dataset, path, setting)
        )
        for setting in dataset.settings.values()
        if not setting.over_corpus
    }
    assert bare == {"oracle-context": 32, "retrieved-context": 41}
