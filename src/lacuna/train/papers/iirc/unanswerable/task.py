"""The classifiers of table 6, learned and read."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from lacuna.train.papers.encoded.encoder import PieceEncoder
from lacuna.train.papers.encoded.example import piece_input
from lacuna.train.papers.encoded.pieces import PieceTokenizer
from lacuna.train.papers.iirc.classifier import (
    FirstTokenClassifier,
    LabelledBatch,
    LabelledInput,
    labelled_batch,
)
from lacuna.train.papers.iirc.reading_questions import (
    context_questions,
    passage_questions,
    reading_files,
)
from lacuna.train.papers.iirc.recipes import UnanswerableRecipe
from lacuna.types import Answer, AnswerKind, Prediction, Question

ANSWERABLE = Answer.span("(answerable)")
"""What is said of a question that has an answer, by a network that does not look for it."""
LIKELY = 0.5


@dataclass(frozen=True, slots=True)
class UnanswerableTask:
    """Table 6 by a recipe."""

    recipe: UnanswerableRecipe

    def files(self, data: Path) -> list[Path]:
        return reading_files(data, self.recipe.stages if self.recipe.reads == "context" else "")

    def trainable(self, data: Path, tokenizer: PieceTokenizer) -> Iterator[list[LabelledInput]]:
        if self.recipe.reads == "context":
            questions = context_questions(data, self.recipe.stages, gold=False)
        else:
            questions = passage_questions(data)
        for question in questions:
            yield [self.example(question, tokenizer)]

    def example(self, question: Question, tokenizer: PieceTokenizer) -> LabelledInput:
        """A question with what the recipe reads; True says that there is no answer."""
        passage = [question.context.text] if question.context else []
        texts = {
            "question": [],
            "passage": passage,
            # The passage comes last: if anything is cut off, it is cut off there.
            "context": [*(document.text for document in question.documents), *passage],
        }[self.recipe.reads]
        answers = question.gold.answers if question.gold else ()
        return LabelledInput(
            ids=piece_input(question.text, texts, tokenizer, self.recipe.longest).ids,
            group=question.context.text if question.context else question.id,
            label=bool(answers) and answers[0].kind is AnswerKind.NONE,
        )

    def network(self, encoder: PieceEncoder) -> FirstTokenClassifier:
        return FirstTokenClassifier(self.recipe, encoder)

    def batch(self, examples: Sequence[LabelledInput], pad: int) -> LabelledBatch:
        return labelled_batch(examples, pad)

    def predictions(
        self,
        network: FirstTokenClassifier,
        batch: LabelledBatch,
        questions: Sequence[Question],
        examples: Sequence[LabelledInput],
    ) -> list[Prediction]:
        """No answer, or that there is one."""
        likely = network(batch).sigmoid().cpu().tolist()
        return [
            Prediction(
                Answer.none() if none > LIKELY else ANSWERABLE, confidence=max(none, 1 - none)
            )
            for none in likely
        ]
