"""Questions with choices, learned and answered by one of the networks."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from torch import Tensor

from lacuna.datasets.openbookqa import right_choice
from lacuna.errors import LacunaError
from lacuna.models.gapqa.known_choices import with_known_choices
from lacuna.models.model_folder import ModelSystem
from lacuna.retrieve.knowledge import KnowledgeBase
from lacuna.train.data.data_folder import TRAIN, read
from lacuna.train.papers.encoded.encoder import PieceEncoder
from lacuna.train.papers.openbookqa.example import (
    ChoiceBatch,
    ChoiceExample,
    choice_batch,
    choice_example,
)
from lacuna.train.papers.openbookqa.networks import (
    ChoiceNetwork,
    Esim,
    KnowledgeReader,
    QuestionToChoice,
)
from lacuna.train.papers.openbookqa.recipe import ChoiceRecipe
from lacuna.train.papers.tokens import TokenArrays, TokenTable
from lacuna.types import Answer, Prediction, Question

QUESTIONS = TRAIN["openbookqa"]
NETWORKS: dict[str, type[ChoiceNetwork]] = {
    ModelSystem.QUESTION_TO_CHOICE: QuestionToChoice,
    ModelSystem.ESIM: Esim,
    ModelSystem.KER: KnowledgeReader,
}


@dataclass(frozen=True, slots=True)
class ChoiceTask:
    """OpenBookQA by a recipe; ``base`` is what may be looked up in training."""

    recipe: ChoiceRecipe
    base: KnowledgeBase | None = None

    def with_knowledge(self, folder: Path | None) -> ChoiceTask:
        """The same with the base that the recipe wants, or none."""
        if not self.recipe.reads_knowledge:
            if folder is None:
                return self
            raise LacunaError("The recipe reads no knowledge. Leave out --knowledge.")
        if folder is None:
            raise LacunaError(
                f"The recipe reads knowledge ({self.recipe.knowledge}). Make some with `lacuna "
                "knowledge FILE … --out DIR`, and give it as --knowledge DIR."
            )
        return replace(self, base=KnowledgeBase.open(folder))

    def files(self, data: Path) -> list[Path]:
        return [QUESTIONS.find(data)]

    def questions(self, data: Path) -> Iterator[Question]:
        if self.base is None:
            yield from read(QUESTIONS, data)
            return
        questions = list(read(QUESTIONS, data))
        facts = {question.fact for question in questions if question.fact}
        base = self.base.narrowed(self.recipe.knowledge).without(facts)
        for question in questions:
            yield with_known_choices(base, question)

    def trainable(self, question: Question, table: TokenTable) -> ChoiceExample | None:
        if right_choice(question) < 0 or (self._reads_fact and not question.fact):
            return None
        return self.example(question, table, self.recipe.longest)

    def example(self, question: Question, table: TokenTable, longest: int) -> ChoiceExample:
        if not question.choices:
            raise LacunaError(
                f"Question {question.id!r} has no choices, and this system chooses among them. "
                "Give a file of openbookqa."
            )
        return choice_example(question, table, with_fact=self._reads_fact)

    def network(self, vectors: Tensor, encoder: PieceEncoder | None = None) -> ChoiceNetwork:
        return NETWORKS[self.recipe.system](self.recipe, vectors)

    def batch(self, examples: Sequence[ChoiceExample], tokens: TokenArrays) -> ChoiceBatch:
        return choice_batch(examples, tokens)

    def predictions(
        self,
        network: ChoiceNetwork,
        batch: ChoiceBatch,
        questions: Sequence[Question],
        examples: Sequence[ChoiceExample],
    ) -> list[Prediction]:
        """The likeliest choice of each question."""
        scores: Tensor = network(batch)
        predictions = []
        for number, question in enumerate(questions):
            likely, best = scores[batch.question_of == number].softmax(0).max(0)
            chosen = question.choices[int(best)]
            answer = Answer.choice(chosen.label, chosen.text)
            predictions.append(Prediction(answer, confidence=float(likely)))
        return predictions

    @property
    def _reads_fact(self) -> bool:
        return self.recipe.system == ModelSystem.KER
