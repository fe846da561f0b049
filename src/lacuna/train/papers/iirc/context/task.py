"""The context model, learned: from articles with annotations to labelled windows."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from random import Random

from lacuna.train.data.data_folder import TRAIN
from lacuna.train.papers.encoded.encoder import PieceEncoder
from lacuna.train.papers.encoded.example import piece_input
from lacuna.train.papers.encoded.pieces import PieceTokenizer
from lacuna.train.papers.iirc.articles import ARTICLES
from lacuna.train.papers.iirc.classifier import (
    FirstTokenClassifier,
    LabelledBatch,
    LabelledInput,
    labelled_batch,
)
from lacuna.train.papers.iirc.context.annotated import AnnotatedText, annotated_texts
from lacuna.train.papers.iirc.context.windows import holds, window_length, window_spans
from lacuna.train.papers.iirc.recipes import ContextRecipe
from lacuna.types import Question

FILE = TRAIN["iirc"]


@dataclass(frozen=True, slots=True)
class ContextTask:
    """Windows by a recipe."""

    recipe: ContextRecipe

    def files(self, data: Path) -> list[Path]:
        articles = ARTICLES.find_optional(data)
        return [FILE.find(data), *([articles] if articles else [])]

    def trainable(self, data: Path, tokenizer: PieceTokenizer) -> Iterator[list[LabelledInput]]:
        for question, texts in annotated_texts(data):
            yield self.inputs(question, texts, tokenizer)

    def inputs(
        self, question: Question, texts: Sequence[AnnotatedText], tokenizer: PieceTokenizer
    ) -> list[LabelledInput]:
        """The windows of the texts of a question: all that hold an annotation, some of the rest."""
        asked = len(tokenizer.encode(question.text).ids)
        links = sum(text.is_linked for text in texts)
        length = window_length(self.recipe.longest, asked, links)
        made = []
        for text in texts:
            windows = window_spans(tokenizer.encode(text.document.text), length)
            right = [window for window in windows if holds(window, text.annotations)]
            wrong = [window for window in windows if not holds(window, text.annotations)]
            if not right:
                continue
            most = len(right) * self.recipe.wrong_windows or len(wrong)
            some = Random(question.id).sample(wrong, min(most, len(wrong)))
            for window in (*right, *some):
                written = text.document.text[window.start : window.end]
                ids = piece_input(question.text, [written], tokenizer, self.recipe.longest).ids
                made.append(LabelledInput(ids=ids, group=question.id, label=window in right))
        return made

    def network(self, encoder: PieceEncoder) -> FirstTokenClassifier:
        return FirstTokenClassifier(self.recipe, encoder)

    def batch(self, examples: Sequence[LabelledInput], pad: int) -> LabelledBatch:
        return labelled_batch(examples, pad)
