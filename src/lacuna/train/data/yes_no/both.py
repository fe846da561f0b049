"""Questions about two articles for yes or no, from what their first sentences say.

Two such questions always stand over the same paragraphs, in the same words but for one name; one
is answered with yes, the other with no.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from random import Random

from lacuna.train.data.yes_no.both_forms import FORMS, Form
from lacuna.train.data.yes_no.openings import Opening, opening
from lacuna.types import Answer, Document, Gold, Question, SupportingFact

FEWEST, MOST = 1, 4
"""Paragraphs beside the three that the two questions are about."""
ANCHORS = 3
"""Articles of a question that others are compared with."""
TRIED = 60


@dataclass(frozen=True, slots=True)
class Subject:
    """An article whose opening is understood."""

    paragraph: Document
    says: Opening


@dataclass(frozen=True, slots=True)
class Context:
    """The paragraphs of a question, and those that are understood."""

    id: str
    paragraphs: tuple[Document, ...]
    subjects: tuple[Subject, ...]


def both_questions(questions: Iterable[Question], *, seed: int, at_most: int) -> Iterator[Question]:
    """Pairs of questions made from the paragraphs of questions over several."""
    random = Random(seed)
    contexts = [_context(question) for question in questions]
    known = {s.paragraph.title: s for context in contexts for s in context.subjects}
    everywhere = list(known.values())
    made = 0
    random.shuffle(contexts)
    for context in contexts:
        anchors = random.sample(context.subjects, min(ANCHORS, len(context.subjects)))
        for number, anchor in enumerate(anchors):
            if made + 2 > at_most:
                return
            pair = _pair(f"{context.id}/both-{number}", anchor, context, everywhere, random)
            made += len(pair)
            yield from pair


def _context(question: Question) -> Context:
    subjects = tuple(
        Subject(paragraph, says)
        for paragraph in question.documents
        if paragraph.sentences and (says := opening(paragraph))
    )
    return Context(question.id, question.documents, subjects)


def _pair(
    id_: str, anchor: Subject, context: Context, everywhere: list[Subject], random: Random
) -> list[Question]:
    near = [subject for subject in context.subjects if subject is not anchor]
    far = random.sample(everywhere, min(TRIED, len(everywhere)))
    random.shuffle(near)
    for form in random.sample(FORMS, len(FORMS)):
        found = _two(form, anchor, [*near, *far], random)
        if found:
            return _asked(id_, anchor, found, context, random)
    return []


def _two(
    form: Form, anchor: Subject, others: Iterable[Subject], random: Random
) -> dict[bool, tuple[Subject, str]] | None:
    """Another article that makes the answer yes and one that makes it no."""
    ask = form(anchor.says, random)
    if ask is None:
        return None
    turned = random.random() < 0.5
    found: dict[bool, tuple[Subject, str]] = {}
    names = {anchor.says.name}
    for other in others:
        if other.says.name in names or other.says.person != anchor.says.person:
            continue
        asked = ask(other.says, turned)
        if asked and asked[1] not in found:
            found[asked[1]] = (other, asked[0])
            names.add(other.says.name)
    return found if len(found) == 2 else None


def _asked(
    id_: str,
    anchor: Subject,
    found: dict[bool, tuple[Subject, str]],
    context: Context,
    random: Random,
) -> list[Question]:
    about = {s.paragraph.title: s.paragraph for s in (anchor, found[True][0], found[False][0])}
    beside = [one for one in context.paragraphs if one.title not in about and one.sentences]
    some = random.sample(beside, min(random.randint(FEWEST, MOST), len(beside)))
    documents = [*about.values(), *some]
    random.shuffle(documents)
    made = []
    for true, answer in ((True, Answer.yes()), (False, Answer.no())):
        other, text = found[true]
        facts = tuple(SupportingFact(s.paragraph.title, 0) for s in (anchor, other))
        gold = Gold((answer,), supporting_facts=facts)
        made.append(Question(f"{id_}/{answer.kind}", text, documents=tuple(documents), gold=gold))
    return made
