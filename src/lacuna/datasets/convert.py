"""Turn the items of one dataset into another's, where the answers mean the same in both."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import replace

from lacuna.answer_text import CANNOT_ANSWER
from lacuna.datasets.item import Block, Item
from lacuna.errors import LacunaError
from lacuna.types import Answer, AnswerKind, Document, Evidence, Gold, Question, Role

CANNOT = " " + CANNOT_ANSWER
Conversion = Callable[[Item], Iterable[Item]]


def conversion(source: str, target: str) -> Conversion:
    """The function that makes items of ``target`` out of one of ``source``."""
    if known := CONVERSIONS.get((source, target)):
        return known
    pairs = ", ".join(f"{a} to {b}" for a, b in CONVERSIONS)
    raise LacunaError(
        f"{source} cannot be converted to {target}: their answers do not mean the same. "
        f"What can be converted: {pairs}."
    )


def _squad_to_quac(item: Item) -> Iterator[Item]:
    """Each question becomes a dialog of one turn, over a text that ends as QuAC's do."""
    for block in item.blocks:
        assert block.document is not None
        text = block.document.text + CANNOT
        for question in block.questions:
            document = Document(block.document.title, text)
            no_answer = Evidence(
                document.title, len(text) - len(CANNOT) + 1, len(text), Role.ANSWER
            )
            gold = question.gold and _with_place(question.gold, no_answer)
            turn = Question(
                f"{question.id}_q#0",
                question.text,
                context=document,
                gold=gold,
                extra={"yesno": None, "followup": None},
            )
            about = {"title": document.title, "section_title": "", "background": ""}
            yield Item((Block((turn,), document, question.id),), extra=about)


def _with_place(gold: Gold, no_answer: Evidence) -> Gold:
    answers = tuple(
        Answer.none(no_answer) if answer.kind is AnswerKind.NONE else answer
        for answer in gold.answers
    )
    return Gold(answers, given=answers[0])


def _quac_to_squad(item: Item) -> Iterator[Item]:
    """Each turn becomes a question of its own, without the dialog before it."""
    blocks = []
    for block in item.blocks:
        assert block.document is not None
        document = replace(block.document, text=block.document.text.removesuffix(CANNOT))
        questions = tuple(_alone(question, document) for question in block.questions)
        blocks.append(Block(questions, document))
    title = blocks[0].document.title if blocks and blocks[0].document else ""
    yield Item(tuple(blocks), extra={"title": title})


def _alone(question: Question, document: Document) -> Question:
    if question.gold is None:
        return Question(question.id, question.text, context=document, extra={"answers": []})
    answers = question.gold.answers or tuple(a for a in (question.gold.given,) if a)
    spans = tuple(a for a in answers if a.kind is AnswerKind.SPAN)
    # QuAC's own rule: without a majority of spans, there is no answer.
    impossible = 2 * len(spans) <= len(answers)
    gold = Gold((Answer.none(),) if impossible else spans)
    extra = {"is_impossible": impossible}
    return Question(question.id, question.text, context=document, gold=gold, extra=extra)


def _to_drop(item: Item) -> Iterator[Item]:
    """DROP's official form; its passage is what all questions of a block share."""
    for number, block in enumerate(item.blocks):
        context = block.document or _quoted(block)
        first = block.questions[0].id if block.questions else context.title
        id_ = block.id or f"{context.title}_{number}_{first}"
        questions = tuple(
            Question(question.id, question.text, context=context, gold=_plain(question.gold))
            for question in block.questions
        )
        yield Item((Block(questions, context, id_),))


def _quoted(block: Block) -> Document:
    """Without a context, what the questions quote stands in for it."""
    texts = (document.text for question in block.questions for document in question.documents)
    return Document("quoted", "\n".join(texts))


def _plain(gold: Gold | None) -> Gold | None:
    if gold is None:
        return None
    answers = dict.fromkeys(replace(answer, found_at=()) for answer in gold.answers)
    return Gold(tuple(answers))


CONVERSIONS: dict[tuple[str, str], Conversion] = {
    ("squad", "quac"): _squad_to_quac,
    ("quac", "squad"): _quac_to_squad,
    ("squad", "drop"): _to_drop,
    ("iirc", "drop"): _to_drop,
    ("drop", "drop"): _to_drop,
}
