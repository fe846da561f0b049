"""The questions that people are asked: a sample of a file, each with what may be read with it."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from random import Random

from lacuna.collect.tasks.human.given_answer import answer_json
from lacuna.collect.tasks.human.sheets import SHEETS, AnswerSheet
from lacuna.collect.tasks.item_keys import key_of
from lacuna.collect.tasks.task import Json, NewItem
from lacuna.corpus.store import Store
from lacuna.datasets import get_dataset
from lacuna.datasets.base import Dataset
from lacuna.datasets.question_file import QuestionFile
from lacuna.datasets.setting import Setting
from lacuna.errors import LacunaError, no_such
from lacuna.types import Document, Question, Span


def setting_of(more: Json) -> str:
    """The setting that is meant: the one that was set, or the sheet's first."""
    sheet = SHEETS[more["dataset"]]
    named: str = more["setting"] or sheet.settings[0]
    if named not in sheet.settings:
        raise no_such(f"setting of {more['dataset']} for people", named, sheet.settings)
    return named


def sampled_items(more: Json, corpus: Store) -> Iterator[NewItem]:
    """So many questions of the file, by chance, the same for the same seed."""
    if not more["questions_file"]:
        raise LacunaError(
            "Name the file with the questions, and their dataset: --set dataset=hotpotqa "
            "--set questions_file=dev.json"
        )
    dataset, sheet = get_dataset(more["dataset"]), SHEETS[more["dataset"]]
    setting = dataset.setting(setting_of(more))
    if setting.over_corpus and not len(corpus):
        others = [name for name in sheet.settings if not dataset.setting(name).over_corpus]
        raise LacunaError(
            f"In the setting {setting.name} people read the linked articles. Name these with "
            f"--corpus DIR, or take another setting, such as --set setting={others[0]}."
        )
    people = more["people"] or sheet.people
    for question in _sample(dataset, setting, sheet, more):
        payload = _payload(question, setting, more["dataset"], corpus)
        yield NewItem(key_of(more["dataset"], setting.name, question.id), payload, people)


def _sample(
    dataset: Dataset, setting: Setting, sheet: AnswerSheet, more: Json
) -> Iterator[Question]:
    file = QuestionFile(dataset, Path(more["questions_file"]), setting)
    if not file.with_gold:
        raise LacunaError(
            f"{file.path} has no question with an answer, so people cannot be measured on it. "
            "Give a file that holds the answers."
        )
    wanted = min(more["questions"] or sheet.questions, file.with_gold)
    chosen = set(Random(more["seed"]).sample(range(file.with_gold), wanted))
    answered = (question for question in file if question.gold and question.gold.answers)
    for number, question in enumerate(answered):
        if number in chosen:
            yield question


def _payload(question: Question, setting: Setting, dataset: str, corpus: Store) -> Json:
    arranged = setting.arrange(question)
    documents = list(arranged.documents)
    if arranged.context is not None:
        documents.insert(0, arranged.context)
        if setting.over_corpus:
            documents += _linked(arranged.context, corpus)
    assert question.gold is not None
    facts = question.gold.supporting_facts
    return {
        "dataset": dataset,
        "setting": setting.name,
        "id": question.id,
        "question": question.text,
        "fact": arranged.fact or "",
        "choices": [choice._asdict() for choice in question.choices],
        "texts": {
            str(number): _shown(document, by_sentence=SHEETS[dataset].supporting)
            for number, document in enumerate(documents)
        },
        "gold": {
            "answers": [answer_json(answer) for answer in question.gold.answers],
            "supporting": None if facts is None else [list(fact) for fact in facts],
        },
    }


def _linked(context: Document, corpus: Store) -> list[Document]:
    """The documents that a text links to, as far as the corpus has them, each once."""
    titles = dict.fromkeys(corpus.resolve(link.target) for link in context.links)
    return [corpus.document(title) for title in titles if title is not None]


def _shown(document: Document, *, by_sentence: bool) -> Json:
    """A text in parts: its sentences where these are to be marked, else its paragraphs."""
    spans = document.sentences if by_sentence else document.paragraphs
    spans = spans or (Span(0, len(document.text)),)
    return {
        "title": document.title,
        "parts": [document.text[start:end] for start, end in spans],
    }
