from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from lacuna import (
    Answer,
    Document,
    Evidence,
    Gold,
    LacunaError,
    Prediction,
    Question,
    SupportingFact,
    get_dataset,
)
from lacuna.datasets import DATASETS
from lacuna.datasets.hotpotqa.parts import document_of
from lacuna.datasets.question_file import QuestionFile
from lacuna.datasets.settings import ARRANGEMENTS, enter, resolve, restore, settings_of
from lacuna.types import DialogActs, Turn, YesNo

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


def titles(question: Question) -> list[str]:
    return [document.title for document in question.documents]


def test_every_task_has_a_default() -> None:
    assert set(ARRANGEMENTS) == set(DATASETS)
    assert [resolve(task, None) for task in DATASETS] == [
        *("oracle-context", "distractor", "core-fact", "gold-history", "may-abstain", "passage")
    ]


def test_an_unknown_setting_is_told_from_the_known_ones() -> None:
    with pytest.raises(LacunaError, match=r"Did you mean gold-only\? Its settings: distractor, "):
        resolve("hotpotqa", "gold_only")
    with pytest.raises(LacunaError, match="no task 'hotpot'"):
        settings_of("hotpot")


@pytest.mark.parametrize(
    ("task", "setting"), [(task, setting) for task in DATASETS for setting in settings_of(task)]
)
def test_no_label_enters(examples: Path, task: str, setting: str) -> None:
    name = {"openbookqa": "openbookqa.jsonl"}.get(task, f"{task}.json")
    with get_dataset(task).open(examples / name) as reader:
        for question in reader.questions():
            entered = enter(task, setting, question)
            assert entered.gold is None
            assert entered.extra == {}
            assert (entered.id, entered.text) == (question.id, question.text)
            assert entered.context == question.context


def test_oracle_context() -> None:
    def read(question: Question) -> list[str]:
        return titles(enter("iirc", "oracle-context", question))

    answerable = Answer.number(1958)
    assert read(iirc(answerable, QUOTED, found=FOUND)) == ["harbour act"]
    assert read(iirc(answerable, found=FOUND)) == []
    assert read(iirc(Answer.none(), QUOTED, found=FOUND)) == ["port ellery", "ada quill"]
    assert read(iirc(Answer.none(), QUOTED)) == ["harbour act"]
    assert read(iirc(Answer.none())) == []
    assert read(iirc(None, found=FOUND)) == ["port ellery", "ada quill"]


def test_retrieved_context_is_one_document_an_article() -> None:
    entered = enter("iirc", "retrieved-context", iirc(Answer.yes(), QUOTED, found=FOUND))
    first, second = entered.documents
    assert first.text == "It has a harbour.\nIt is old."
    assert [first.sentence(0), first.sentence(1)] == ["It has a harbour.", "It is old."]
    assert second.title == "ada quill"
    assert enter("iirc", "retrieved-context", iirc(Answer.yes(), QUOTED)).documents == ()


def test_a_retrieved_article_never_shares_the_passages_title() -> None:
    found = [{"passage": "Marrow", "text": "She sank."}]
    entered = enter("iirc", "retrieved-context", iirc(Answer.yes(), found=found))
    assert titles(entered) == ["Marrow (retrieved)"]


@pytest.mark.parametrize("found", ["text", [5], [{"passage": "x"}], {"passage": 1, "text": "y"}])
def test_broken_retrieved_context(found: Any) -> None:
    with pytest.raises(LacunaError, match="'q', field retrieved_context: expected a list"):
        enter("iirc", "retrieved-context", iirc(Answer.yes(), found=found))


PARAGRAPHS = (
    document_of("A", ["Zero.", " One is here.", " Two.", " Three too."]),
    document_of("B", ["Other."]),
    document_of("C", ["First.", " Second."]),
)
FACTS = (SupportingFact("C", 1), SupportingFact("A", 3), SupportingFact("A", 1))


def hotpot(*facts: SupportingFact) -> Question:
    gold = Gold((Answer.span("One"),), supporting_facts=facts)
    return Question("h", "?", documents=PARAGRAPHS, gold=gold)


def test_gold_paragraphs() -> None:
    assert titles(enter("hotpotqa", "distractor", hotpot(*FACTS))) == ["A", "B", "C"]
    assert titles(enter("hotpotqa", "gold-only", hotpot(*FACTS))) == ["A", "C"]


def test_supporting_sentences_and_the_way_back() -> None:
    question = hotpot(*FACTS, SupportingFact("A", 9), SupportingFact("gone", 0))
    entered = enter("hotpotqa", "supporting-facts-only", question)
    assert [document.text for document in entered.documents] == [
        *(" One is here. Three too.", " Second.")
    ]
    facts = tuple(
        SupportingFact(document.title, number)
        for document in entered.documents
        for number in range(len(document.sentences))
    )
    text = entered.documents[0].text
    place = Evidence("A", text.index("Three"), text.index("Three") + 5)
    across = Evidence("A", text.index("here"), text.index("Three") + 5)
    predicted = Prediction(Answer.span("Three", place), evidence=(across,), supporting_facts=facts)
    back = restore("supporting-facts-only", question, predicted)
    assert set(back.supporting_facts or ()) == set(FACTS)
    whole = PARAGRAPHS[0].text
    assert back.answer is not None
    (found,) = back.answer.found_at
    assert whole[found.start : found.end] == "Three"
    (segment,) = back.evidence
    assert whole[segment.start : segment.end] == "here. Two. Three"
    assert restore("distractor", question, predicted) is predicted


def test_gold_settings_need_supporting_facts() -> None:
    for setting in ("gold-only", "supporting-facts-only"):
        with pytest.raises(LacunaError, match="has no supporting_facts"):
            enter("hotpotqa", setting, Question("h", "?", documents=PARAGRAPHS))


def test_history_and_fact() -> None:
    turn = Turn("Who?", Answer.span("Ada"), DialogActs(YesNo.NEITHER))
    question = Question("d", "And?", PASSAGE, history=(turn,))
    assert enter("quac", "gold-history", question).history == (turn,)
    assert enter("quac", "predicted-history", question).history == (Turn("Who?"),)
    question = Question("o", "?", fact="Water boils.")
    assert enter("openbookqa", "core-fact", question).fact == "Water boils."
    assert enter("openbookqa", "no-fact", question).fact is None


def test_a_file_is_looked_through_first(examples: Path, tmp_path: Path) -> None:
    iirc = get_dataset("iirc")
    file = QuestionFile(iirc, examples / "iirc.json", "oracle-context")
    assert (file.total, file.with_gold) == (7, 7)
    assert [question.id for question in file] == [question.id for question in file]
    with pytest.raises(LacunaError, match=r"No question of .* has the field retrieved_context"):
        QuestionFile(iirc, examples / "iirc.json", "retrieved-context")
    empty = tmp_path / "empty.json"
    empty.write_text("[]")
    with pytest.raises(LacunaError, match="holds no question of iirc"):
        QuestionFile(iirc, empty, "oracle-context")


def test_the_real_dev_file(data_folder: Path) -> None:
    path = data_folder / "iirc" / "dev.json.gz"
    bare = {
        setting: sum(
            not enter("iirc", setting, question).documents
            for question in QuestionFile(get_dataset("iirc"), path, setting)
        )
        for setting in settings_of("iirc")
    }
    assert bare == {"oracle-context": 32, "retrieved-context": 41}
