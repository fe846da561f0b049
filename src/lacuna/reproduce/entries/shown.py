"""Figures that show an example: one of the demo's in its place, whose texts are the project's."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from lacuna.assets import demo
from lacuna.datasets import get_dataset
from lacuna.datasets.describing.description import DescribedPart
from lacuna.metrics.score_tables import ScoreTable
from lacuna.reproduce.entries.entry import PaperEntry
from lacuna.reproduce.published import PublishedTable
from lacuna.reproduce.workbench import Workbench
from lacuna.types import Document, FollowUp, Question, YesNo

QUICK = Path(__file__).parent.parent / "quick"
HOTPOTQA = QUICK / "hotpotqa.json"
AFTER = {FollowUp.YES: "↪", FollowUp.MAYBE: "↪?", FollowUp.NO: "↛"}
"""Whether the teacher encourages a further question, as the paper draws it."""
SAID = {YesNo.YES: "yes, ", YesNo.NO: "no, "}
LONGEST = 240
Rows = tuple[tuple[Any, ...], ...]


@dataclass(frozen=True, slots=True)
class ExampleEntry(PaperEntry):
    """An example; ``rows`` tells it, below ``columns``."""

    columns: tuple[str, ...] = ("what", "in the demo")
    rows: Callable[[], Rows] = tuple

    @property
    def needs(self) -> list[str]:
        return []

    def make(self, bench: Workbench, paper: PublishedTable) -> Iterator[DescribedPart]:
        table = ScoreTable(self.title, self.columns, self.rows())
        note = "The paper shows another example; this is one of the demo's, written for it."
        part = DescribedPart(self.name, table, note=note)
        yield replace(part, note=f"{note} {self.remark}".strip())


def linked_passage() -> Rows:
    """IIRC's figure 1: a passage, a question, and what its links lead to."""
    question = next(each for each in _questions("iirc", demo.QUESTIONS) if _gold_links(each) > 1)
    assert question.context is not None
    return (
        ("passage", _cut(question.context)),
        ("its links", ", ".join(dict.fromkeys(link.target for link in question.context.links))),
        *_with_evidence(question),
    )


def answer_types() -> Rows:
    """IIRC's figure 2: a question of each type of answer."""
    seen: dict[str, Question] = {}
    for question in _questions("iirc", demo.QUESTIONS):
        seen.setdefault(get_dataset("iirc").facets(question).get("type", ""), question)
    return tuple(
        (
            kind,
            question.text,
            ", ".join((question.gold and question.gold.links) or ()),
            _answer(question),
        )
        for kind, question in seen.items()
        if kind
    )


def supported_answer() -> Rows:
    """HotpotQA's figure 1: two paragraphs, a question, its answer and supporting facts."""
    question = next(iter(_questions("hotpotqa", HOTPOTQA)))
    facts = (question.gold and question.gold.supporting_facts) or ()
    needed = [each for each in question.documents if each.title in {fact.title for fact in facts}]
    return (
        *((f"paragraph, {document.title}", _cut(document)) for document in needed),
        ("question", question.text),
        ("answer", _answer(question)),
        (
            "supporting facts",
            ", ".join(f"{fact.title}, sentence {fact.sentence + 1}" for fact in facts),
        ),
    )


def first_dialog() -> Rows:
    """QuAC's figure 1: the first dialog of the demo."""
    return tuple(map(_turn, _dialogs()[0]))


def most_answered() -> Rows:
    """QuAC's figure 3: the dialog with the most answers."""
    best = max(_dialogs(), key=_answers)
    return tuple(_turn(question) for question in best)


def least_answered() -> Rows:
    """QuAC's figure 4: the dialog with the most questions that have no answer.

    Of several, it is the one whose teacher encourages the fewest further questions.
    """
    worst = max(
        _dialogs(), key=lambda dialog: (len(dialog) - _answers(dialog), -_encouraged(dialog))
    )
    return tuple(_turn(question) for question in worst)


def _dialogs() -> list[list[Question]]:
    with get_dataset("quac").open(demo.DIALOGS) as reader:
        return [list(item.questions) for item in reader]


def _answers(dialog: list[Question]) -> int:
    return sum(bool(q.gold and q.gold.given and q.gold.given.texts) for q in dialog)


def _encouraged(dialog: list[Question]) -> int:
    acts = (question.gold.acts for question in dialog if question.gold and question.gold.acts)
    return sum(each.follow_up is FollowUp.YES for each in acts)


def _turn(question: Question) -> tuple[str, str]:
    gold = question.gold
    if gold is None or gold.given is None:
        return question.text, ""
    acts = gold.acts
    said = SAID.get(acts.yes_no, "") if acts and acts.yes_no else ""
    on = AFTER[acts.follow_up] if acts and acts.follow_up else ""
    answer = gold.given.texts[0] if gold.given.texts else "no answer"
    return question.text, f"{on} {said}{answer}".strip()


def _questions(dataset: str, path: Path) -> Iterator[Question]:
    with get_dataset(dataset).open(path) as reader:
        yield from reader.questions()


def _with_evidence(question: Question) -> Rows:
    documents = tuple((f"from {each.title}", _cut(each)) for each in question.documents)
    return (("question", question.text), *documents, ("answer", _answer(question)))


def _gold_links(question: Question) -> int:
    return len((question.gold and question.gold.links) or ())


def _answer(question: Question) -> str:
    return question.gold.answers[0].text if question.gold and question.gold.answers else ""


def _cut(document: Document) -> str:
    text = " ".join(document.text.split())
    return text if len(text) <= LONGEST else f"{text[:LONGEST].rsplit(' ', 1)[0]} …"
