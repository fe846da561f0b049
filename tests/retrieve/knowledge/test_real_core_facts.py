"""Core facts and OpenBookQA's writers' facts stay out of what is found for its dev questions.

These tests run where LACUNA_DATA names the data.
"""

from __future__ import annotations

from pathlib import Path

import pytest

from lacuna.evaluation.system import core_facts
from lacuna.models.gapqa.rows import search_knowledge
from lacuna.retrieve.knowledge.build import BuildReport
from lacuna.retrieve.knowledge.knowledge_base import WRITERS_FACTS, KnowledgeBase
from lacuna.retrieve.knowledge.search import FoundSentence, Sentences
from lacuna.text import sameness_key
from lacuna.types import Question
from lacuna_lab.data.sources import DEV, read
from lacuna_lab.gapqa.recipe import rule_span


@pytest.fixture(scope="module")
def questions(data_folder: Path) -> list[Question]:
    return list(read(DEV["openbookqa"], data_folder))


def found(base: KnowledgeBase, questions: list[Question], *, by_span: bool) -> list[FoundSentence]:
    """All sentences for all choices; key spans by the rule, which needs no model."""
    return [
        sentence
        for one in questions
        for known in search_knowledge(
            base, one, rule_span(one.fact or "", one.text), by_span=by_span
        )
        for sentence in known.sentences
    ]


@pytest.mark.parametrize("by_span", [True, False])
def test_no_fact_of_the_file_is_found(
    questions: list[Question], real_sentences: tuple[Path, BuildReport], by_span: bool
) -> None:
    facts = core_facts(questions)
    keys = {sameness_key(fact) for fact in facts}
    folder, _ = real_sentences
    plain = found(KnowledgeBase(None, Sentences.open(folder)), questions, by_span=by_span)
    opened = KnowledgeBase.open(folder.parent)
    hidden = found(opened.without(facts), questions, by_span=by_span)

    def leaks(sentences: list[FoundSentence]) -> int:
        return sum(sameness_key(one.text) in keys for one in sentences)

    def of_writers(sentences: list[FoundSentence]) -> int:
        return sum(one.source in WRITERS_FACTS for one in sentences)

    assert leaks(plain) > 100, "left in, they would be found"
    assert of_writers(plain) > 100
    assert len(hidden) > 4 * len(questions), "there is enough else to find"
    assert leaks(hidden) == of_writers(hidden) == 0


def test_the_fact_of_each_question_alone_is_hidden_too(
    questions: list[Question], real_sentences: tuple[Path, BuildReport]
) -> None:
    """As where one question is asked, and the facts of others are not known."""
    opened = KnowledgeBase.open(real_sentences[0].parent)

    def own(base: KnowledgeBase, question: Question) -> int:
        key = sameness_key(question.fact or "")
        return sum(sameness_key(one.text) == key for one in found(base, [question], by_span=True))

    assert sum(own(opened, one) for one in questions) > 50
    assert not any(own(opened.without([one.fact or ""]), one) for one in questions)
