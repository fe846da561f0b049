"""Questions that HotpotQA's baseline learns from: its own, and others in the same form.

6,407 questions are few for a network that knows nothing but word vectors. Others teach it to find
an answer among paragraphs before it learns from HotpotQA's alone.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import groupby, islice
from pathlib import Path
from random import Random

from lacuna.errors import LacunaError
from lacuna.train.data.data_folder import PARAGRAPHS, TRAIN, DataFile, read
from lacuna.train.data.hotpotqa_gold import GoldParagraphs
from lacuna.train.data.text_search import sentences_of
from lacuna.types import Answer, AnswerKind, Document, Gold, Question, SupportingFact

SEED = 1
NEIGHBOURS = 3
"""Paragraphs of the same article beside the one that a question of SQuAD is about."""


@dataclass(frozen=True, slots=True)
class _Source:
    files: tuple[DataFile, ...]
    questions: Callable[[Path], Iterator[Question]]


def check_sources(sources: Sequence[str], where: str) -> None:
    """Refuse names that are none."""
    if not sources:
        raise LacunaError(f"{where}: 'sources' names none. Give {', '.join(SOURCES)}.")
    if unknown := sorted(set(sources) - set(SOURCES)):
        raise LacunaError(f"{where}: there is no source {unknown[0]!r}: {', '.join(SOURCES)}.")


def source_files(sources: Sequence[str], data: Path) -> list[Path]:
    """The files that they read."""
    return [file.find(data) for name in sources for file in SOURCES[name].files]


def source_questions(sources: Sequence[str], data: Path) -> Iterator[Question]:
    """The questions of one source after the other."""
    for name in sources:
        yield from SOURCES[name].questions(data)


def _of_file(name: str) -> _Source:
    return _Source((TRAIN[name],), lambda data: read(TRAIN[name], data))


def _gold_sentences(data: Path) -> Iterator[Question]:
    """Questions whose supporting sentences alone are known, among paragraphs that resemble them."""
    paragraphs = GoldParagraphs.open(PARAGRAPHS.find(data))
    for question in paragraphs.questions(read(TRAIN["hotpotqa_gold"], data), seed=SEED):
        yield _all_supporting(question)


def _all_supporting(question: Question) -> Question:
    """Every sentence of a gold paragraph supports, where it is not known which ones do."""
    gold = question.gold
    if gold is None or gold.supporting_facts:
        return question
    titles = {place.document for place in gold.evidence or ()}
    facts = tuple(
        SupportingFact(document.title, number)
        for document in question.documents
        if document.title in titles
        for number in range(len(document.sentences))
    )
    return replace(question, gold=replace(gold, supporting_facts=facts))


def _of_squad(data: Path) -> Iterator[Question]:
    """SQuAD's questions among other paragraphs of their article."""
    random = Random(SEED)
    for _, article in groupby(read(TRAIN["squad1"], data), lambda q: _own_text(q).title):
        yield from among_neighbours(list(article), random)


def among_neighbours(questions: Sequence[Question], random: Random) -> Iterator[Question]:
    """Questions about paragraphs of one article, each with some of the others beside its own.

    The sentence in which the answer begins is the supporting fact. Paragraphs that name the answer
    too are left out.
    """
    paragraphs: dict[str, Document] = {}
    for question in questions:
        title, text = _own_text(question).title, _own_text(question).text
        named = Document(f"{title} {len(paragraphs) + 1}", text, sentences_of(text))
        paragraphs.setdefault(text, named)
    for question in questions:
        own = paragraphs[_own_text(question).text]
        if question.gold is None or question.gold.answers[0].kind is not AnswerKind.SPAN:
            continue
        answer = question.gold.answers[0]
        mixed = random.sample(list(paragraphs.values()), len(paragraphs))
        others = (each for each in mixed if answer.text not in each.text)
        documents = [own, *islice(others, NEIGHBOURS)]
        random.shuffle(documents)
        facts = tuple(
            SupportingFact(own.title, number)
            for number, sentence in enumerate(own.sentences)
            if any(sentence.start <= place.start < sentence.end for place in answer.found_at)
        )
        gold = Gold((Answer.span(answer.text),), supporting_facts=facts)
        yield replace(question, context=None, documents=tuple(documents), gold=gold)


def _own_text(question: Question) -> Document:
    assert question.context is not None  # every question of SQuAD has one
    return question.context


SOURCES: Mapping[str, _Source] = {
    "hotpotqa": _of_file("hotpotqa"),
    "hotpotqa_gold": _Source((TRAIN["hotpotqa_gold"], PARAGRAPHS), _gold_sentences),
    "twowiki": _of_file("twowiki"),
    "squad1": _Source((TRAIN["squad1"],), _of_squad),
}
