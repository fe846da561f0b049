"""What the files with one object a line give, on the real ones."""

from __future__ import annotations

import json
from collections import Counter
from hashlib import sha256
from pathlib import Path

import pytest

from lacuna.types import AnswerKind, Document, Question
from lacuna_lab.data.sources import BAD_ITEM, LINE_SOURCES, SOURCES, questions_of
from lacuna_lab.data.texts import units

EXPECTED: dict[str, tuple[dict[str, int], str]] = {
    "boolq": ({"no": 4910, "yes": 4939}, "8dced6316c40a9ee"),
    "qed": ({"span": 6649, "spans": 89}, "f76e517e4b12151a"),
    "unanswerable_twins": ({"none": 17470, "span": 17470}, "f6daa533574a9849"),
    "strategyqa": ({"yes": 1075, "no": 1097}, "798fd9c703f52e7a"),
    "snli": ({"yes": 18134, "no": 18134}, "a462ec855ae2be00"),
    "zre": ({"span": 6061}, "797f867bf1746745"),
    "synthetic": ({"span": 8885, "spans": 1526, "none": 2843}, "59f42bab1340c772"),
    "synthetic_yes_no": ({"yes": 3256, "no": 3256}, "6cc242326f03ec05"),
}
"""For each source its answers by their kind, and a digest of all that is learned from."""


def kind_of(question: Question) -> AnswerKind:
    assert question.gold is not None
    return question.gold.answers[0].kind


def text_of(question: Question) -> Document:
    return question.context or question.documents[0]


def test_every_source_can_be_named() -> None:
    assert LINE_SOURCES.keys() <= SOURCES.keys()
    assert LINE_SOURCES.keys() == EXPECTED.keys()


@pytest.mark.parametrize("name", LINE_SOURCES)
def test_real_files(name: str, data_folder: Path) -> None:
    digest, kinds, ids = sha256(), Counter[AnswerKind](), set()
    left_out: Counter[str] = Counter()
    for unit in units(questions_of(name, data_folder, 13, left_out)):
        if len({kind_of(question) for question in unit}) > 1:
            assert len({text_of(question) for question in unit}) == 1
        for question in unit:
            assert question.gold is not None
            document = text_of(question)
            for answer in question.gold.answers:
                for text, place in zip(answer.texts, answer.found_at, strict=True):
                    assert document.text[place.start : place.end] == text
            for fact in question.gold.supporting_facts or ():
                assert fact.title == document.title
                assert fact.sentence < len(document.sentences)
            kinds[kind_of(question)] += 1
            ids.add(question.id)
            answers = [(str(answer.kind), answer.texts) for answer in question.gold.answers]
            facts = [fact.sentence for fact in question.gold.supporting_facts or ()]
            learned = (question.id, question.text, document.text, answers, facts)
            digest.update(json.dumps(learned).encode())
    assert left_out[BAD_ITEM] == 0
    assert len(ids) == kinds.total()
    assert (dict(kinds), digest.hexdigest()[:16]) == EXPECTED[name]
    assert abs(kinds[AnswerKind.YES] - kinds[AnswerKind.NO]) < 0.02 * len(ids)
