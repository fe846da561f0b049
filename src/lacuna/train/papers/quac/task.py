"""QuAC's BiDAF++, learned and read: from questions to examples, from scores to predictions."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from torch import Tensor

from lacuna.errors import LacunaError
from lacuna.train.data.data_folder import TRAIN, read
from lacuna.train.layers.pointer import best_spans
from lacuna.train.papers.encoded.encoder import PieceEncoder
from lacuna.train.papers.quac.example import (
    FOLLOW_UP,
    NO_ANSWER,
    YES_NO,
    DialogExample,
    SectionWords,
    dialog_example,
)
from lacuna.train.papers.quac.network import (
    DialogBatch,
    DialogNetwork,
    DialogScores,
    dialog_batch,
)
from lacuna.train.papers.quac.recipe import DialogRecipe
from lacuna.train.papers.tokens import TokenArrays, TokenTable
from lacuna.types import Answer, DialogActs, Evidence, Prediction, Question, Role

DIALOGS, ACTS = TRAIN["quac"], TRAIN["quac_acts"]
"""All dialogs, and the file that knows their acts; officially these are one."""
LONGEST_ANSWER = 30
"""Words."""


@dataclass(slots=True)
class DialogTask:
    """QuAC by a recipe. The section that was read last is kept: its questions follow each other."""

    recipe: DialogRecipe
    _section: tuple[TokenTable, SectionWords] | None = field(default=None, init=False)

    def files(self, data: Path) -> list[Path]:
        whole, acts = DIALOGS.find(data), ACTS.find_optional(data)
        return [whole] if acts in (None, whole) else [whole, acts]

    def questions(self, data: Path) -> Iterator[Question]:
        files = (DIALOGS, ACTS)[: len(self.files(data))]
        for file in reversed(files):  # the few that know acts come first, whatever is left out
            yield from read(file, data)

    def trainable(self, question: Question, table: TokenTable) -> DialogExample | None:
        if question.context is None or question.gold is None:
            return None
        example = self.example(question, table, self.recipe.longest)
        return example if len(example.starts) else None

    def example(self, question: Question, table: TokenTable, longest: int) -> DialogExample:
        document = question.context
        if document is None:
            raise LacunaError(
                f"Question {question.id!r} comes with no section to read, and this system answers "
                "from a section alone. Give a file of QuAC."
            )
        kept = self._section
        if kept is None or kept[0] is not table or kept[1].document is not document:
            kept = self._section = table, SectionWords.of(document, table, longest)
        return dialog_example(question, kept[1], table, self.recipe.history)

    def network(self, vectors: Tensor, encoder: PieceEncoder | None = None) -> DialogNetwork:
        return DialogNetwork(self.recipe, vectors, encoder)

    def batch(self, examples: Sequence[DialogExample], tokens: TokenArrays) -> DialogBatch:
        return dialog_batch(examples, tokens)

    def predictions(
        self,
        network: DialogNetwork,
        batch: DialogBatch,
        questions: Sequence[Question],
        examples: Sequence[DialogExample],
    ) -> list[Prediction]:
        """The most likely span, or no answer; and the acts where it ends."""
        scores: DialogScores = network(batch)
        first, last, likely = best_spans(scores.start, scores.end, batch.paragraphs, LONGEST_ANSWER)
        yes_no, follow_up = (
            part.argmax(1).tolist() for part in network.acts(scores.end_states, last)
        )
        rows = zip(questions, examples, first.tolist(), last.tolist(), strict=True)
        return [
            Prediction(
                _answer(question, example, begin, end),
                acts=DialogActs(YES_NO[yes_no[row]], FOLLOW_UP[follow_up[row]]),
                confidence=float(likely[row]),
            )
            for row, (question, example, begin, end) in enumerate(rows)
        ]


def _answer(question: Question, example: DialogExample, first: int, last: int) -> Answer:
    part, start, _ = example.places[first].tolist()
    if part == NO_ANSWER:
        return Answer.none()
    assert question.context is not None
    end = int(example.places[last, 2])
    where = Evidence(question.context.title, start, end, Role.ANSWER)
    return Answer.span(question.context.text[start:end], where)
