"""A GapQA recipe and the places it works with, and the examples that come of them."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import asdict, dataclass, replace
from functools import cached_property
from hashlib import sha256
from pathlib import Path

import torch

from lacuna.datasets.openbookqa import is_short, right_choice
from lacuna.errors import LacunaError
from lacuna.models.gapqa.gapqa_reader import GapQAReader
from lacuna.models.gapqa.rows import RowMaker
from lacuna.models.model_folder import SHIPPED, TOKENIZER
from lacuna.models.tokenizer import Tokenizer
from lacuna.retrieve.knowledge import KnowledgeBase
from lacuna.train.data.data_folder import TRAIN, read
from lacuna.train.gapqa.dataset import Dataset
from lacuna.train.gapqa.encoders import BiLstmRows, RowEncoder
from lacuna.train.gapqa.network import GapNetwork
from lacuna.train.gapqa.prepare import Spans, examples, rule_spans, trusted
from lacuna.train.gapqa.recipe import BILSTM, RULE, GapRecipe, load_gap_recipe
from lacuna.train.gapqa.relation_pretraining import Drill, drills
from lacuna.train.gapqa.saved import begin_heads, begin_transformer
from lacuna.train.gapqa.word_vectors import WORD_ROWS, Vocabulary, WordRows, read_vectors
from lacuna.types import Question
from lacuna.version import __version__

Progress = Callable[[int], None]
DECIDING = (
    *("kind", "spans", "only_spans", "questions", "at_most"),
    *("knowledge", "leave_out", "retrieve_by", "relation_labels", "show_fact", "show_span"),
)
"""The settings that decide what the examples look like."""


@dataclass(frozen=True)
class PlannedGap:
    """A recipe, the data, the knowledge base, and the run's own folder."""

    recipe: GapRecipe
    data: Path
    knowledge: Path
    out: Path

    def described(self) -> list[tuple[str, str]]:
        """The steps of the run in words."""
        recipe = self.recipe
        return [
            ("questions", f"OpenBookQA's train file in {self.data}, {recipe.questions}"),
            ("key spans", f"by {recipe.spans}"),
            ("knowledge", f"{recipe.knowledge} of {self.knowledge}, by {recipe.retrieve_by}"),
            ("encoder", f"{recipe.kind}, {recipe.encoder}"),
            ("training", f"{recipe.epochs} epochs, {recipe.batch} questions a batch"),
            ("seeds", ", ".join(map(str, recipe.seeds))),
        ]

    @cached_property
    def questions(self) -> list[Question]:
        """What is trained on: questions whose right choice is known."""
        known = (one for one in read(TRAIN["openbookqa"], self.data) if right_choice(one) >= 0)
        found = self.chosen(known)
        if not found:
            raise LacunaError(
                f"{self.data / TRAIN['openbookqa'].path} has no question to learn from: none with "
                "a core fact (fact1) and a right choice that the recipe is about."
            )
        return found

    def chosen(self, questions: Iterable[Question]) -> list[Question]:
        """Of some questions those that this recipe is about."""
        found = [one for one in questions if one.fact]
        if self.recipe.questions == "short":
            found = [one for one in found if is_short(one)]
        if self.recipe.only_spans:
            found = [one for one in found if trusted(one)]
        return found[: self.recipe.at_most or None]

    @cached_property
    def base(self) -> KnowledgeBase:
        """What is looked up; sentences of sources that the recipe leaves out are not."""
        base = KnowledgeBase.open(self.knowledge)
        if base.sentences is None:
            return base
        beginnings = self.recipe.leave_out
        left_out = {name for name in base.sentences.sources if name.startswith(beginnings)}
        return replace(base, sentences=base.sentences.without(sources=left_out))

    @cached_property
    def tokenizer(self) -> Path:
        """The reader's word pieces; they serve both of its encoders."""
        return SHIPPED / "small" / TOKENIZER

    @cached_property
    def vectors(self) -> tuple[Vocabulary, torch.Tensor]:
        """The word vectors of a BiLSTM."""
        vocabulary, vectors = read_vectors(Path(self.recipe.encoder))
        return vocabulary, torch.from_numpy(vectors)

    def prepare(self, progress: Progress | None = None) -> Dataset:
        """The training examples; made once, and kept in the run's folder."""
        kept = self.out / f"examples-{self._key()}.npz"
        if kept.is_file():
            return Dataset.load(kept)
        self.out.mkdir(parents=True, exist_ok=True)
        made = self.examples(self.questions, self.spans(self.questions), progress)
        made.save(kept)
        return made

    def spans(self, questions: Sequence[Question]) -> Spans:
        """The key span of each question."""
        if self.recipe.spans == RULE:
            return rule_spans(questions)
        found = GapQAReader.load(self.recipe.spans).key_spans(questions)
        return {one.id: span for one, span in zip(questions, found, strict=True)}

    def examples(
        self, questions: Sequence[Question], spans: Spans, progress: Progress | None = None
    ) -> Dataset:
        """Questions made ready as this recipe wants them."""
        recipe = self.recipe
        if recipe.kind == BILSTM:
            words = WordRows(self.vectors[0])
            made = examples(recipe, questions, self.base, words, spans, progress=progress)
        else:
            pieces = Tokenizer(self.tokenizer)
            rows = RowMaker(pieces)
            made = examples(
                recipe, questions, self.base, rows, spans, pieces=pieces, progress=progress
            )
        return Dataset.of(list(made))

    def drills(self) -> list[Drill]:
        """Triples of the base to practise relations on."""
        if not self.recipe.drills or self.base.triples is None:
            return []
        return drills(self.base.triples, RowMaker(Tokenizer(self.tokenizer)), self.recipe.drills)

    def _key(self) -> str:
        recipe = asdict(self.recipe)
        told = [__version__, str(self.data.resolve()), str(self.knowledge.resolve())]
        told += [f"{name}={recipe[name]}" for name in DECIDING]
        told += [recipe["encoder"], str(WORD_ROWS)] if self.recipe.kind == BILSTM else []
        return sha256("\n".join(told).encode()).hexdigest()[:12]


def begin(planned: PlannedGap) -> GapNetwork:
    """A network before its first step."""
    recipe = planned.recipe
    if recipe.only_heads:
        return begin_heads(recipe.encoder, recipe.shown)
    encoder: RowEncoder
    if recipe.kind == BILSTM:
        encoder = BiLstmRows(planned.vectors[1])
    else:
        encoder = begin_transformer(recipe.encoder, planned.tokenizer)
    return GapNetwork(encoder, recipe.shown)


def plan_gap(
    recipe: Path, data: Path, knowledge: Path | None, out: Path, *, encoder: str | None = None
) -> PlannedGap:
    """Check everything that can be checked before any work is done."""
    made = load_gap_recipe(recipe)
    if encoder is not None:
        made = replace(made, encoder=encoder)
    if not data.is_dir():
        raise LacunaError(f"{data} is no folder. Give the one with the datasets as --data.")
    if knowledge is None:
        raise LacunaError(
            "GapQA is trained with knowledge. Make some with `lacuna knowledge FILE … --out DIR`, "
            "and give it as --knowledge DIR."
        )
    KnowledgeBase.open(knowledge)
    if made.kind == BILSTM and not Path(made.encoder).is_file():
        raise LacunaError(
            f"there is no file {made.encoder}. Give word vectors in GloVe's format: --encoder FILE."
        )
    return PlannedGap(made, data, knowledge, out)
