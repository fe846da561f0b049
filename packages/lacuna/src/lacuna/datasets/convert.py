"""Whole files: counted, converted, stripped of their answers, checked before a run."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from lacuna.answers import CANNOT_ANSWER
from lacuna.datasets.base import Block, Dataset, Item, Setting
from lacuna.errors import ItemError, LacunaError
from lacuna.types import Answer, AnswerKind, Document, Evidence, Extra, Gold, Question, Role

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


@dataclass(slots=True)
class Summary:
    """The counts of one file; feed it the items as they are read."""

    dataset: Dataset
    items: int = 0
    texts: int = 0
    questions: int = 0
    without_gold: int = 0
    documents: int = 0
    links: int = 0
    references: int = 0
    kinds: Counter[str] = field(default_factory=Counter)
    facets: dict[str, Counter[str]] = field(default_factory=dict)
    oddities: Counter[str] = field(default_factory=Counter)

    def counted(self, items: Iterable[Item]) -> Iterable[Item]:
        """Pass the items on, counting them."""
        for item in items:
            self.items += 1
            for block in item.blocks:
                if block.document is not None:
                    self.texts += 1
                    self.links += len(block.document.links)
                for question in block.questions:
                    self._count(question)
            yield item

    def as_json(self) -> dict[str, Any]:
        """The counts as plain data."""
        return {
            "items": self.items,
            "texts": self.texts,
            "questions": self.questions,
            "questions_without_gold": self.without_gold,
            "candidate_documents": self.documents,
            "links": self.links,
            "reference_answers": self.references,
            "answer_kinds": dict(self.kinds),
            **{name: dict(counts) for name, counts in self.facets.items()},
            "oddities": dict(self.oddities),
        }

    def _count(self, question: Question) -> None:
        self.questions += 1
        self.documents += len(question.documents)
        if question.gold and question.gold.answers:
            self.references += len(question.gold.answers)
            self.kinds[question.gold.answers[0].kind] += 1
        else:
            self.without_gold += 1
        for name, value in self.dataset.facets(question).items():
            self.facets.setdefault(name, Counter())[value] += 1
        self.oddities.update(self.dataset.oddities(question))


BESIDE_QUESTIONS = frozenset({"title", "section_title", "background"})
"""Fields of an item that say what its questions are about; all others may tell answers."""


def write_without_answers(dataset: Dataset, source: Path, target: Path) -> int:
    """Write the questions of a file without gold and without fields that the model has no name
    for; how many there are. In a dialog, earlier answers go too: they are gold of their own turns.
    """
    if not dataset.for_training:  # what only measures has no file of questions that goes out
        raise LacunaError(
            f"{dataset.name} has no official file of predictions, so its answers cannot be kept "
            "back from anybody. Give a file of another dataset."
        )
    with dataset.open(source) as reader:
        items = [without_answers(item) for item in reader]
    dataset.write(target, items, form=dataset.forms[0])
    with dataset.open(target) as again:
        questions = list(again.questions())
    if any(question.gold and question.gold.answers for question in questions):
        target.unlink()
        raise LacunaError(
            f"{source} cannot be written without its answers, as {dataset.name} has them."
        )
    return len(questions)


def can_be_asked(dataset: Dataset, setting: Setting, source: Path, stripped: Path) -> bool:
    """Tell if a setting shows nothing that only answers tell: IIRC's gold context does not go out
    with the questions, nor do QuAC's gold histories."""
    with dataset.open(source) as whole, dataset.open(stripped) as asked:
        pairs = zip(whole.questions(), asked.questions(), strict=True)
        try:
            return all(
                _read(setting.arrange(one)) == _read(setting.arrange(other)) for one, other in pairs
            )
        except LacunaError:  # a setting that cannot do without gold
            return False


def without_answers(item: Item) -> Item:
    """An item with its texts and questions alone."""
    blocks = (
        replace(block, questions=tuple(map(_asked, block.questions)), extra=_about(block.extra))
        for block in item.blocks
    )
    return replace(item, blocks=tuple(blocks), extra=_about(item.extra))


def _asked(question: Question) -> Question:
    return replace(question, gold=None, history=(), extra={})


def _read(question: Question) -> object:
    context = question.context.text if question.context else ""
    return context, [document.text for document in question.documents], question.history


def _about(extra: Extra) -> Extra:
    return {name: value for name, value in extra.items() if name in BESIDE_QUESTIONS}


class QuestionFile:
    """The questions of one file; iterate as often as needed.

    The whole file is checked when this is made, before a model spends its time on half of it. It
    is then read again each time instead of being held in memory, except for a pipe. Questions that
    ``wanted`` refuses are passed over, and counted.
    """

    def __init__(
        self,
        dataset: Dataset,
        path: Path,
        setting: Setting,
        *,
        skip_bad: bool = False,
        wanted: Callable[[Question], bool] = lambda question: True,
    ) -> None:
        self.path = path
        self.bad: list[ItemError] = []
        self.total = 0
        self.with_gold = 0
        self.passed_over = 0
        self._dataset = dataset
        self._skip_bad = skip_bad
        self._wanted = wanted
        self._held: list[Question] | None = None if path.is_file() else []
        required = setting.required_field
        lacks_field = required is not None
        for question in self._read():
            setting.arrange(question)
            self.total += 1
            self.with_gold += bool(question.gold and question.gold.answers)
            lacks_field = lacks_field and required not in question.extra
            if self._held is not None:
                self._held.append(question)
        if not self.total and not self.passed_over:
            raise LacunaError(
                f"{path} holds no question of {dataset.name}, so there is nothing to answer. "
                "Give another file."
            )
        if lacks_field:
            raise LacunaError(
                f"No question of {path} has the field {required}, which the setting "
                f"{setting.name} reads. Give a file that has it, or another setting."
            )

    def __iter__(self) -> Iterator[Question]:
        return self._read() if self._held is None else iter(self._held)

    def _read(self) -> Iterator[Question]:
        with self._dataset.open(self.path, skip_bad=self._skip_bad) as reader:
            passed_over = 0
            for question in reader.questions():
                if self._wanted(question):
                    yield question
                else:
                    passed_over += 1
        self.bad, self.passed_over = reader.bad, passed_over
