"""A GapQA recipe with the folders it works with, and the examples that result."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import asdict, dataclass, replace
from functools import cached_property
from hashlib import sha256
from pathlib import Path

import torch

from lacuna.datasets.item import official_id
from lacuna.datasets.openbookqa import is_short, right_choice
from lacuna.errors import LacunaError
from lacuna.models.gapqa.gapqa_reader import GapQAReader
from lacuna.models.gapqa.rows import RowMaker
from lacuna.models.model_folder import SHIPPED, TOKENIZER, ModelSystem, find_model
from lacuna.models.tokenizer import Tokenizer
from lacuna.retrieve.knowledge import KnowledgeBase
from lacuna.train.data.data_folder import KGD, TRAIN, content_digest, read
from lacuna.train.gapqa.dataset import GapDataset
from lacuna.train.gapqa.encoders import BiLstmRows, RowEncoder
from lacuna.train.gapqa.network import GapNetwork
from lacuna.train.gapqa.prepare import (
    FactKey,
    KeySpans,
    annotated,
    examples,
    fact_key,
    rule_spans,
    trusted,
)
from lacuna.train.gapqa.recipe import BILSTM, MIXED, RULE, GapRecipe, load_gap_recipe
from lacuna.train.gapqa.relation_pretraining import RelationExample, relation_examples
from lacuna.train.gapqa.torch_model import begin_heads, begin_transformer
from lacuna.train.gapqa.word_vectors import WORD_ROWS, Vocabulary, WordRows, read_vectors
from lacuna.train.schedule import Progress
from lacuna.types import Question
from lacuna.version import __version__

DECIDING = (
    *("kind", "spans", "only_spans", "questions", "at_most"),
    *("knowledge", "leave_out", "retrieve_by", "relation_labels", "show_fact", "show_span"),
)
"""The settings that decide what the examples look like."""


@dataclass(frozen=True)
class GapTrainingPlan:
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
        mixed = self.recipe.questions == MIXED
        files = (KGD, TRAIN["openbookqa"]) if mixed else (TRAIN["openbookqa"],)
        chosen: dict[FactKey, Question] = {}
        for file in files:
            known = (question for question in read(file, self.data) if right_choice(question) >= 0)
            for question in self.chosen(known, of_kgd=file is KGD):
                # With the same fact, KGD says more of a question than OpenBookQA.
                chosen.setdefault((official_id(question), question.fact), question)
        if not chosen:
            raise LacunaError(
                f"{files[-1].find(self.data)} has no question to learn from: none with a core fact "
                "(fact1) and a right choice that the recipe is about."
            )
        return list(chosen.values())[: self.recipe.at_most or None]

    def chosen(self, questions: Iterable[Question], *, of_kgd: bool = False) -> list[Question]:
        """Those of some questions that this recipe is about; of KGD's all with a fact are."""
        chosen = [question for question in questions if question.fact]
        if self.recipe.questions in ("short", MIXED) and not of_kgd:
            chosen = [question for question in chosen if is_short(question)]
        if self.recipe.only_spans:
            chosen = [question for question in chosen if trusted(question)]
        return chosen[: self.recipe.at_most or None]

    @cached_property
    def base(self) -> KnowledgeBase:
        """The knowledge base, without the sources of sentences that the recipe leaves out."""
        base = KnowledgeBase.open(self.knowledge)
        if base.sentences is None:
            return base
        beginnings = self.recipe.leave_out
        left_out = {name for name in base.sentences.sources if name.startswith(beginnings)}
        return replace(base, sentences=base.sentences.without(sources=left_out))

    @cached_property
    def tokenizer(self) -> Path:
        """The reader's tokenizer; it serves both of its encoders."""
        return SHIPPED / "small" / TOKENIZER

    @cached_property
    def vectors(self) -> tuple[Vocabulary, torch.Tensor]:
        """The word vectors of a BiLSTM."""
        vocabulary, vectors = read_vectors(Path(self.recipe.encoder))
        return vocabulary, torch.from_numpy(vectors)

    def prepare(self, progress: Progress | None = None) -> GapDataset:
        """The training examples; made once, and cached in the run's folder."""
        cached = self.out / f"examples-{self._key()}.npz"
        if cached.is_file():
            return GapDataset.load(cached)
        self.out.mkdir(parents=True, exist_ok=True)
        dataset = self.examples(self.questions, self.spans(self.questions), progress)
        dataset.save(cached)
        return dataset

    def spans(self, questions: Sequence[Question]) -> KeySpans:
        """The key span of each question."""
        if self.recipe.spans == RULE:
            return rule_spans(questions)
        predicted = GapQAReader.load(self.recipe.spans).key_spans(questions)
        spans = dict(zip(map(fact_key, questions), predicted, strict=True))
        if self.recipe.questions == MIXED:
            given = {fact_key(question): annotated(question) for question in questions}
            spans |= {key: span for key, span in given.items() if span is not None}
        return spans

    def examples(
        self, questions: Sequence[Question], spans: KeySpans, progress: Progress | None = None
    ) -> GapDataset:
        """The examples of some questions, as this recipe wants them."""
        recipe = self.recipe
        if recipe.kind == BILSTM:
            words = WordRows(self.vectors[0])
            ready = examples(recipe, questions, self.base, words, spans, progress=progress)
        else:
            tokenizer = Tokenizer(self.tokenizer)
            rows = RowMaker(tokenizer)
            ready = examples(
                recipe, questions, self.base, rows, spans, tokenizer=tokenizer, progress=progress
            )
        return GapDataset.of(list(ready))

    def relation_examples(self) -> list[RelationExample]:
        """Triples of the base to pretrain the naming of relations on."""
        each = self.recipe.relation_pretraining
        if not each or self.base.triples is None:
            return []
        return relation_examples(self.base.triples, RowMaker(Tokenizer(self.tokenizer)), each)

    def _key(self) -> str:
        """A name for the examples. Whatever changes them changes the key: the settings, and the
        content of the data, of the knowledge and of what finds spans."""
        recipe = asdict(self.recipe)
        paths = [TRAIN["openbookqa"].find(self.data), self.knowledge]
        if self.recipe.questions == MIXED:
            paths.append(KGD.find(self.data))
        if self.recipe.spans != RULE:
            paths.append(find_model(self.recipe.spans, system=ModelSystem.GAPQA).path)
        if self.recipe.kind == BILSTM:
            paths.append(Path(self.recipe.encoder))
        parts = [__version__, str(WORD_ROWS), content_digest(paths)]
        parts += [f"{name}={recipe[name]}" for name in DECIDING]
        return sha256("\n".join(parts).encode()).hexdigest()[:12]


def begin(plan: GapTrainingPlan) -> GapNetwork:
    """A network before its first step."""
    recipe = plan.recipe
    if recipe.only_heads:
        return begin_heads(recipe.encoder, recipe.shown)
    encoder: RowEncoder
    if recipe.kind == BILSTM:
        encoder = BiLstmRows(plan.vectors[1])
    else:
        encoder = begin_transformer(recipe.encoder, plan.tokenizer)
    return GapNetwork(encoder, recipe.shown)


def plan_gap(
    recipe: Path, data: Path, knowledge: Path | None, out: Path, *, encoder: str | None = None
) -> GapTrainingPlan:
    """Check everything that can be checked before any work is done."""
    settings = load_gap_recipe(recipe)
    if encoder is not None:
        settings = replace(settings, encoder=encoder)
    if not data.is_dir():
        raise LacunaError(f"{data} is no folder. Give the one with the datasets as --data.")
    if knowledge is None:
        raise LacunaError(
            "GapQA is trained with knowledge. Make some with `lacuna knowledge FILE … --out DIR`, "
            "and give it as --knowledge DIR."
        )
    KnowledgeBase.open(knowledge)
    TRAIN["openbookqa"].find(data)
    if settings.questions == MIXED:
        KGD.find(data)
    if settings.kind == BILSTM and not Path(settings.encoder).is_file():
        raise LacunaError(
            f"there is no file {settings.encoder}. Give word vectors in GloVe's format: "
            "--encoder FILE."
        )
    return GapTrainingPlan(settings, data, knowledge, out)
