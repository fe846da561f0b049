"""Questions for yes or no about two articles, from what their first sentences say.

They come in pairs about the same paragraphs, in the same words except for one name; one is answered
with yes, the other with no.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from random import Random

from lacuna.train.data.openings import ArticleOpening, read_opening
from lacuna.train.data.yes_no.both_articles_forms import FORMS, PairForm
from lacuna.types import Answer, Document, Gold, Question, SupportingFact

FEWEST, MOST = 1, 4
"""Paragraphs besides the three that the two questions are about."""
ANCHORS = 3
"""Articles of a question with which others are compared."""
TRIED = 60
"""Articles of other questions that are tried."""


@dataclass(frozen=True, slots=True)
class Subject:
    """An article whose opening is understood."""

    paragraph: Document
    opening: ArticleOpening


@dataclass(frozen=True, slots=True)
class ArticleSet:
    """The paragraphs of a question, and those whose opening is understood."""

    id: str
    paragraphs: tuple[Document, ...]
    subjects: tuple[Subject, ...]


def both_questions(questions: Iterable[Question], *, seed: int, at_most: int) -> Iterator[Question]:
    """Pairs of questions made from the paragraphs of other questions."""
    random = Random(seed)
    article_sets = [_articles(question) for question in questions]
    known = {s.paragraph.title: s for articles in article_sets for s in articles.subjects}
    everywhere = list(known.values())
    count = 0
    random.shuffle(article_sets)
    for articles in article_sets:
        anchors = random.sample(articles.subjects, min(ANCHORS, len(articles.subjects)))
        for number, anchor in enumerate(anchors):
            if count + 2 > at_most:
                return
            pair = _pair(f"{articles.id}/both-{number}", anchor, articles, everywhere, random)
            count += len(pair)
            yield from pair


def _articles(question: Question) -> ArticleSet:
    subjects = tuple(
        Subject(paragraph, opening)
        for paragraph in question.documents
        if paragraph.sentences and (opening := read_opening(paragraph))
    )
    return ArticleSet(question.id, question.documents, subjects)


def _pair(
    id_: str, anchor: Subject, articles: ArticleSet, everywhere: list[Subject], random: Random
) -> list[Question]:
    near = [subject for subject in articles.subjects if subject is not anchor]
    far = random.sample(everywhere, min(TRIED, len(everywhere)))
    random.shuffle(near)
    for form in random.sample(FORMS, len(FORMS)):
        others = _yes_and_no(form, anchor, [*near, *far], random)
        if others:
            return _questions(id_, anchor, others, articles, random)
    return []


def _yes_and_no(
    form: PairForm, anchor: Subject, others: Iterable[Subject], random: Random
) -> dict[bool, tuple[Subject, str]] | None:
    """Another article that makes the answer yes and one that makes it no."""
    ask = form(anchor.opening, random)
    if ask is None:
        return None
    turned = random.random() < 0.5
    by_answer: dict[bool, tuple[Subject, str]] = {}
    names = {anchor.opening.name}
    for other in others:
        if other.opening.name in names or other.opening.person != anchor.opening.person:
            continue
        asked = ask(other.opening, turned)
        if asked and asked[1] not in by_answer:
            by_answer[asked[1]] = (other, asked[0])
            names.add(other.opening.name)
    return by_answer if len(by_answer) == 2 else None


def _questions(
    id_: str,
    anchor: Subject,
    others: dict[bool, tuple[Subject, str]],
    articles: ArticleSet,
    random: Random,
) -> list[Question]:
    about = {s.paragraph.title: s.paragraph for s in (anchor, others[True][0], others[False][0])}
    beside = [p for p in articles.paragraphs if p.title not in about and p.sentences]
    distractors = random.sample(beside, min(random.randint(FEWEST, MOST), len(beside)))
    documents = [*about.values(), *distractors]
    random.shuffle(documents)
    pair = []
    for true, answer in ((True, Answer.yes()), (False, Answer.no())):
        other, text = others[true]
        facts = tuple(SupportingFact(s.paragraph.title, 0) for s in (anchor, other))
        gold = Gold((answer,), supporting_facts=facts)
        pair.append(Question(f"{id_}/{answer.kind}", text, documents=tuple(documents), gold=gold))
    return pair
