"""A GapQA run by a recipe: one network for each seed, and its export."""

from __future__ import annotations

import math
import shutil
from collections.abc import Iterable, Iterator, Sequence
from contextlib import AbstractContextManager, nullcontext
from dataclasses import asdict, dataclass, replace
from functools import cached_property
from hashlib import sha256
from pathlib import Path
from typing import Any

import numpy as np
import torch
from safetensors import SafetensorError
from safetensors.torch import load_file, save
from torch import Tensor, nn
from transformers import AutoConfig, AutoModel

from lacuna.datasets.base import official_id
from lacuna.datasets.openbookqa import is_short, right_choice
from lacuna.errors import LacunaError
from lacuna.files.checksums import remove_checksums
from lacuna.files.writing import replace_bytes, replace_text
from lacuna.models.gapqa.gapqa_reader import (
    INPUT_NAMES,
    OUTPUT_NAMES,
    ChoiceScores,
    Floats,
    GapQAReader,
    MakesRows,
    QuestionRows,
    Shown,
)
from lacuna.models.gapqa.relations import DIRECTIONS
from lacuna.models.gapqa.rows import Row, RowMaker, padded
from lacuna.models.model_folder import (
    CONFIG,
    ENCODER,
    FORMATS,
    NETWORK,
    SHIPPED,
    TOKENIZER,
    WEIGHTS,
    WORDS,
    ModelFolder,
    ModelSystem,
    find_model,
    is_gapqa,
    write_config,
)
from lacuna.models.reader.encode import Tokenizer
from lacuna.retrieve.knowledge.knowledge_base import KnowledgeBase
from lacuna.types import Question
from lacuna.version import __version__
from lacuna_lab.data.sources import KGD, TRAIN, content_digest, read
from lacuna_lab.gapqa.data import (
    FactKey,
    GapDataset,
    GapExample,
    KeySpans,
    RelationExample,
    RelationFeatures,
    annotated,
    examples,
    fact_key,
    relation_examples,
    rule_spans,
    trusted,
)
from lacuna_lab.gapqa.network import (
    WORD_ROWS,
    BiLstmRows,
    Features,
    GapBatch,
    GapNetwork,
    GapScores,
    RowEncoder,
    Rows,
    Targets,
    TransformerRows,
    Vocabulary,
    WordRows,
    answer_loss,
    line_loss,
    read_vectors,
    relation_loss,
    span_loss,
)
from lacuna_lab.gapqa.recipe import BILSTM, MIXED, RULE, TRANSFORMER, GapRecipe, load_gap_recipe
from lacuna_lab.train.checkpoint import (
    BEST,
    CHECKPOINT,
    Checkpoint,
    EarlyStopping,
    Progress,
    best_device,
    is_late,
    random_state,
    set_up_gpu,
    tidy,
    warmup_decay,
)
from lacuna_lab.train.export import Traced, check_target, precision, ready, write_weights
from lacuna_lab.train.network import Network, build, load_network, quicken

HALVE_AFTER = 5
"""Epochs without a better one before the paper's learning rate is halved."""
WARMUP = 0.06
"""The share of the steps in which the learning rate rises."""
SCORE_BATCH = 32


@dataclass(frozen=True, slots=True)
class GapTrainingEnd:
    """The end of a run: its last epoch, and the share of the held-out questions that it got right
    (how likely they are, where only spans are learned); None where none were held out."""

    epochs: int
    held_out: float | None
    stopped: bool = False


class GapTraining:
    """One run over some examples, in a folder with what it needs to go on after a kill."""

    def __init__(
        self, recipe: GapRecipe, seed: int, network: GapNetwork, data: GapDataset, folder: Path
    ) -> None:
        self._recipe, self._seed, self._folder = recipe, seed, folder
        self._device = best_device()
        set_up_gpu()
        self.network = network.to(self._device)
        self._data = data.to(self._device)
        order = np.random.default_rng(0).permutation(len(data))  # the same questions for each seed
        aside = round(recipe.held_out * len(data))
        self._held_out, self._trained_on = order[:aside].tolist(), order[aside:].tolist()
        if not self._trained_on:
            raise LacunaError("there is nothing to learn from: no question is left to train on.")
        self._steps_each = -(-len(self._trained_on) // recipe.batch)
        self.steps = self._steps_each * recipe.epochs
        self._optimizer = torch.optim.AdamW(self._groups(), weight_decay=0.01)
        self._schedule = self._make_schedule()
        folder.mkdir(parents=True, exist_ok=True)
        run = {k: v for k, v in asdict(recipe).items() if k not in ("name", "encoder", "seeds")}
        run |= {"seed": seed, "data": data.digest()}
        parts = {"network": network, "optimizer": self._optimizer, "schedule": self._schedule}
        self._stopping = EarlyStopping(folder / BEST, recipe.patience)
        self._checkpoint = Checkpoint(folder / CHECKPOINT, run, parts)
        torch.manual_seed(seed)
        self._state = self._checkpoint.resume()

    def _groups(self) -> list[dict[str, Any]]:
        heads = list(self.network.heads.parameters())
        of_heads = {id(weight) for weight in heads}
        trained = [weight for weight in self.network.parameters() if weight.requires_grad]
        encoder = [weight for weight in trained if id(weight) not in of_heads]
        return [
            {"params": encoder, "lr": self._recipe.learning_rate},
            {"params": heads, "lr": self._recipe.head_learning_rate},
        ]

    def _make_schedule(self) -> Any:
        if self._recipe.kind == BILSTM:
            return torch.optim.lr_scheduler.ReduceLROnPlateau(
                self._optimizer, "max", factor=0.5, patience=HALVE_AFTER
            )
        return torch.optim.lr_scheduler.LambdaLR(self._optimizer, warmup_decay(self.steps, WARMUP))

    def run(self, progress: Progress | None = None, *, until: float = math.inf) -> GapTrainingEnd:
        """Train to the end or to ``until``; the network is then that of the best epoch."""
        state = self._state  # its step counts epochs here
        while state.step < self._recipe.epochs and not self._stopping.is_over(state):
            self._epoch(state.step, progress)
            state.step += 1
            if self._held_out:
                self._check()
            self._checkpoint.save(state, [random_state()])
            if is_late(until) and state.step < self._recipe.epochs:
                return GapTrainingEnd(state.step, self._best_accuracy(), stopped=True)
        self._stopping.restore(self.network)
        return GapTrainingEnd(state.step, self._best_accuracy())

    def _best_accuracy(self) -> float | None:
        return -self._state.best if self._held_out else None

    def _check(self) -> None:
        """Score the held-out questions, and keep the network if it was never better."""
        accuracy = self._accuracy()
        if self._recipe.kind == BILSTM:
            self._schedule.step(accuracy)
        better = -accuracy < self._state.best
        self._stopping.record(self._state, -accuracy, better=better)
        if better:
            self._stopping.save(self.network)

    def _epoch(self, epoch: int, progress: Progress | None) -> None:
        self.network.train()
        order = np.random.default_rng((self._seed, epoch)).permutation(self._trained_on).tolist()
        size = self._recipe.batch
        numbers = [order[start : start + size] for start in range(0, len(order), size)]
        for done, (batch, targets) in enumerate(batches(self.network, self._data, numbers), 1):
            with autocast(self._device, self._recipe.precision):
                loss = self._loss(batch, targets)
            self._optimizer.zero_grad(set_to_none=True)
            loss.backward()
            torch.nn.utils.clip_grad_norm_(self.network.parameters(), 1.0)
            self._optimizer.step()
            if self._recipe.kind != BILSTM:
                self._schedule.step()
            if progress is not None:
                progress(epoch * self._steps_each + done)

    def _loss(self, batch: GapBatch, targets: Targets) -> Tensor:
        if self._recipe.only_spans:
            return span_loss(self.network.spans(batch.questions), batch.questions, targets)
        scores, span_scores = self.network(batch)
        spans = span_loss(span_scores, batch.questions, targets)
        return answer_loss(self._recipe, scores, batch.asked, targets) + (
            self._recipe.span_weight * spans
        )

    def _accuracy(self) -> float:
        """The share of held-out questions that are right; where only spans are learned, how likely
        those are."""
        if self._recipe.only_spans:
            return self._span_likelihood()
        scores = choice_scores(self.network, self._data, self._held_out, self._recipe.precision)
        right = self._data.arrays["right"][self._held_out]
        return float(
            np.mean(
                [int(choices.argmax()) == gold for choices, gold in zip(scores, right, strict=True)]
            )
        )

    def _span_likelihood(self) -> float:
        """The likelihood of the held-out spans; a better number to stop by than exact matches."""
        loss = 0.0
        self.network.eval()
        for batch, targets in batches(self.network, self._data, [self._held_out]):
            with torch.no_grad(), autocast(self._device, self._recipe.precision):
                loss -= float(
                    span_loss(self.network.spans(batch.questions), batch.questions, targets)
                )
        return loss


def choice_scores(
    network: GapNetwork, data: GapDataset, numbers: Sequence[int], precision: str
) -> list[np.ndarray[Any, Any]]:
    """The final score of each choice, question by question."""
    device = next(network.parameters()).device
    data = data.to(device)
    network.eval()
    by_question = []
    chunks = [list(numbers[at : at + SCORE_BATCH]) for at in range(0, len(numbers), SCORE_BATCH)]
    for batch, _ in batches(network, data, chunks):
        with torch.no_grad(), autocast(device, precision):
            scores = network(batch)[0].choices.float().cpu().numpy()
        asked = batch.asked.cpu().numpy()
        by_question += [scores[asked == place] for place in range(int(asked.max()) + 1)]
    return by_question


def batches(
    network: GapNetwork, data: GapDataset, numbers: Sequence[Sequence[int]]
) -> Iterator[tuple[GapBatch, Targets]]:
    """Batches, with their knowledge in as many blocks as a network's encoder wants."""
    return (data.batch(part, blocks=network.encoder.blocks) for part in numbers)


def autocast(device: torch.device, precision: str) -> AbstractContextManager[Any]:
    """bf16 where the recipe asks for it and a GPU makes it fast."""
    if precision == "bf16" and device.type == "cuda":
        context: AbstractContextManager[Any] = torch.autocast("cuda", torch.bfloat16)
        return context
    return nullcontext()


READER = "encoder.reader."


def begin_heads(folder: str, shown: Shown) -> GapNetwork:
    """A GapQA model whose encoder stays as it is; it may be shown more or less than before."""
    network = load_gap(find_model(folder, system=ModelSystem.GAPQA))
    network.shown = shown
    for weight in network.encoder.parameters():
        weight.requires_grad = False
    return network


def begin_transformer(encoder: str, tokenizer: Path) -> TransformerRows:
    """A transformer from a plain encoder, from the reader, or from an earlier GapQA model."""
    folder = Path(encoder)
    if not (folder / NETWORK).is_file():
        return TransformerRows(build(encoder, Tokenizer(tokenizer).vocabulary))
    if not is_gapqa(folder):
        return TransformerRows(load_network(folder))
    earlier = load_gap(find_model(folder, system=ModelSystem.GAPQA)).encoder
    if not isinstance(earlier, TransformerRows):
        raise LacunaError(f"{folder} holds no transformer to start from. Give another encoder.")
    return earlier


def save_gap(
    network: GapNetwork,
    recipe: GapRecipe,
    folder: Path,
    about: dict[str, Any],
    *,
    tokenizer: Path | None = None,
    vocabulary: Vocabulary | None = None,
) -> None:
    """Write a folder that ``load_gap`` and the GapQA reader understand."""
    folder.mkdir(parents=True, exist_ok=True)
    remove_checksums(folder)
    with replace_bytes(folder / NETWORK) as out:
        out.write(save({name: value.contiguous() for name, value in network.state_dict().items()}))
    if isinstance(network.encoder, TransformerRows):
        network.encoder.reader.encoder.config.save_pretrained(folder / ENCODER)
    if tokenizer is not None:
        shutil.copyfile(tokenizer, folder / TOKENIZER)
    if vocabulary is not None:
        with replace_text(folder / WORDS) as text:
            text.writelines(f"{word}\n" for word in vocabulary.known)
    config = {
        **about,
        "format": FORMATS[ModelSystem.GAPQA],
        "system": ModelSystem.GAPQA,
        "kind": recipe.kind,
        "shown": asdict(recipe.shown),
        "knowledge": recipe.knowledge,
        "retrieve_by": recipe.retrieve_by,
        "relations": [direction.name for direction in DIRECTIONS],
    }
    write_config(folder, config)


def load_gap(folder: ModelFolder) -> GapNetwork:
    """Load a network that ``save_gap`` wrote."""
    try:
        weights = load_file(folder.network)
        network = GapNetwork(_encoder(folder, weights), Shown(**folder.config["shown"]))
        network.load_state_dict(
            {name: w.float() if w.is_floating_point() else w for name, w in weights.items()}
        )
    except (KeyError, OSError, RuntimeError, SafetensorError, ValueError, TypeError) as problem:
        raise LacunaError(
            f"the network in {folder.path} cannot be read ({problem}). It may be cut short or of "
            "another version; train it again."
        ) from problem
    network.eval()
    return network


def _encoder(folder: ModelFolder, weights: dict[str, Tensor]) -> RowEncoder:
    if folder.kind == BILSTM:
        return BiLstmRows(torch.zeros_like(weights["encoder.vectors.weight"], dtype=torch.float32))
    assert folder.kind == TRANSFORMER
    encoder = AutoModel.from_config(
        AutoConfig.from_pretrained(folder.path / ENCODER), add_pooling_layer=False
    )
    quicken(encoder)
    return TransformerRows(Network(encoder, weights[f"{READER}numbers"]))


class TorchGapBackend:
    """Runs a network as it was trained: one that was not exported, or a BiLSTM."""

    def __init__(self, network: GapNetwork, rows: MakesRows) -> None:
        self._device = best_device()
        self._network = network.to(self._device).eval()
        self.rows = rows

    def spans(self, rows: Sequence[Row]) -> list[Floats]:
        """Scores of the first and last token of the key span."""
        spans: list[Floats] = []
        for start in range(0, len(rows), SCORE_BATCH):
            part = rows[start : start + SCORE_BATCH]
            feed = [torch.from_numpy(array).to(self._device) for array in padded(part)]
            with torch.no_grad():
                scores = self._network.encoder.span_scores(self._network.encoder(*feed))
            if scores is None:
                raise LacunaError("this model finds no key spans; take a transformer for them.")
            arrays = scores.float().cpu().numpy()
            spans += [scored[: len(row.ids)] for scored, row in zip(arrays, part, strict=True)]
        return spans

    def score(self, questions: Sequence[QuestionRows]) -> list[list[ChoiceScores]]:
        """The scores of every choice of every question."""
        if not questions:
            return []
        data = GapDataset.of([GapExample("", rows, 0) for rows in questions]).to(self._device)
        numbers = [
            list(range(start, min(start + SCORE_BATCH, len(data))))
            for start in range(0, len(data), SCORE_BATCH)
        ]
        choices: list[ChoiceScores] = []
        for batch, _ in batches(self._network, data, numbers):
            with torch.no_grad():
                fact, relation, relations, stated = self._network(batch)[0]
            choice_of, places = batch.choice_of.cpu().numpy(), batch.order.numpy()
            lines = stated.float().cpu().numpy()
            for choice in range(len(fact)):
                own = np.flatnonzero(choice_of == choice)
                own = own[np.argsort(places[own])]
                choices.append(
                    ChoiceScores(
                        float(fact[choice]),
                        float(relation[choice]),
                        relations[choice].float().cpu().numpy(),
                        lines[own],
                    )
                )
        each = iter(choices)
        return [[next(each) for _ in rows.choices] for rows in questions]


def load_gap_backend(
    folder: ModelFolder, tokenizer: Tokenizer, threads: int | None
) -> TorchGapBackend:
    """A trained network to read with, on the GPU if there is one."""
    if threads is not None:
        torch.set_num_threads(threads)
    if folder.kind != BILSTM:
        return TorchGapBackend(load_gap(folder), RowMaker(tokenizer))
    # splitlines would also split at some of GloVe's words.
    known = (folder.path / WORDS).read_text("utf-8").split("\n")[:-1]
    return TorchGapBackend(load_gap(folder), WordRows(Vocabulary(known)))


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
        """The questions to train on: questions whose right choice is known."""
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
        """Choose the questions that this recipe is about; of KGD's all with a fact are."""
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


# Heads that learn to name relations, over an encoder that stays as it is.
#
# What the heads see of every question is calculated once and held in memory; an epoch then takes
# seconds on any machine.


class CachedFeatures:
    """The input of the heads for a dataset, with its targets, batch by batch."""

    def __init__(
        self, network: GapNetwork, data: GapDataset, progress: Progress | None = None
    ) -> None:
        network.eval()
        data = data.to(next(network.parameters()).device)
        self.batches: list[tuple[Features, Targets]] = []
        for start in range(0, len(data), SCORE_BATCH):
            numbers = list(range(start, min(start + SCORE_BATCH, len(data))))
            for batch, targets in batches(network, data, [numbers]):
                with torch.no_grad():
                    self.batches.append((network.read(batch)[0], targets))
            if progress is not None:
                progress(start + len(numbers))


def tune_heads(
    recipe: GapRecipe,
    seed: int,
    network: GapNetwork,
    cached: CachedFeatures,
    pretraining: RelationFeatures,
    progress: Progress,
) -> GapTrainingEnd:
    """Teach the heads to name relations; their scores of choices stay as they were."""
    torch.manual_seed(seed)
    before = [_scores(network, features).choices for features, _ in cached.batches]
    network.heads.train()
    optimizer = torch.optim.AdamW(
        network.heads.parameters(), lr=recipe.head_learning_rate, weight_decay=0.01
    )
    schedule = torch.optim.lr_scheduler.LambdaLR(optimizer, lambda epoch: 1 - epoch / recipe.epochs)
    for epoch in range(recipe.epochs):
        order = np.random.default_rng((seed, epoch)).permutation(len(before))
        parts = (
            torch.randperm(len(pretraining.labels)).to(pretraining.labels.device).chunk(len(order))
        )
        for place, number in enumerate(order):
            features, targets = cached.batches[number]
            scores = network.heads(features, knowledge=network.shown.knowledge)
            moved = _within(scores.choices - before[number], features.asked).square().mean()
            relations = relation_loss(scores, features.asked, targets)
            lines = line_loss(scores, targets)
            if place < len(parts):
                lines = lines + pretraining.loss(network, parts[place])
            loss = moved / 2 + recipe.relation_weight * relations + recipe.line_weight * lines
            optimizer.zero_grad(set_to_none=True)
            loss.backward()
            optimizer.step()
        schedule.step()
        progress(epoch + 1)
    network.eval()
    return GapTrainingEnd(recipe.epochs, None)


def _scores(network: GapNetwork, features: Features) -> GapScores:
    with torch.no_grad():
        scores: GapScores = network.heads.eval()(features, knowledge=network.shown.knowledge)
    return scores


def _within(moved: Tensor, asked: Tensor) -> Tensor:
    """The change of scores relative to the other choices: a shift of all of them does not count."""
    questions = torch.bincount(asked)
    means = moved.new_zeros(len(questions)).index_add(0, asked, moved) / questions
    return moved - means[asked]


def learn(
    plan: GapTrainingPlan,
    data: GapDataset,
    progress: Progress | None = None,
    *,
    until: float = math.inf,
) -> Iterator[tuple[int, GapTrainingEnd]]:
    """Train with each seed that is not done yet; stops after ``until``, to go on in another run.

    ``progress`` counts the steps of all seeds.
    """
    recipe = plan.recipe
    done = 0

    def count(steps: int) -> None:
        if progress is not None:
            progress(done + steps)

    cached: CachedFeatures | None = None
    for seed in recipe.seeds:
        folder = plan.out / f"seed-{seed}"
        if (folder / CONFIG).is_file():
            continue
        torch.manual_seed(seed)
        network = begin(plan)
        if recipe.only_heads:
            cached = cached or CachedFeatures(network, data, count)
            pretraining = RelationFeatures.of(network, plan.relation_examples())
            end = tune_heads(recipe, seed, network, cached, pretraining, count)
        else:
            training = GapTraining(recipe, seed, network, data, folder)
            end = training.run(count, until=until)
            network, done = training.network, done + training.steps
        if not end.stopped:
            _save(plan, network, seed, end)
            tidy(folder)
        yield seed, end
        if end.stopped:
            return


def _save(plan: GapTrainingPlan, network: GapNetwork, seed: int, end: GapTrainingEnd) -> None:
    about = {
        "name": f"{plan.recipe.name}-{seed}",
        "made_with": __version__,
        "recipe": asdict(plan.recipe),
        "held_out_accuracy": end.held_out,
        "epochs": end.epochs,
    }
    is_bilstm = plan.recipe.kind == BILSTM
    save_gap(
        network,
        plan.recipe,
        plan.out / f"seed-{seed}",
        about,
        tokenizer=None if is_bilstm else plan.tokenizer,
        vocabulary=plan.vectors[0] if is_bilstm else None,
    )


AXES = {
    "ids": {0: "rows", 1: "tokens"},
    "parts": {0: "rows", 1: "tokens"},
    "spans": {0: "tokens"},
    "lines": {0: "lines"},
}


class OneChoice(nn.Module):
    """One choice of a question: its rows in, as ``OnnxGapBackend`` has them, all scores out."""

    def __init__(self, network: GapNetwork) -> None:
        super().__init__()
        self.network = network

    def forward(self, ids: Tensor, parts: Tensor) -> tuple[Tensor, Tensor, Tensor, Tensor]:
        """Inputs are [rows, tokens]: the question's row, the choice's, and those of knowledge."""
        network = self.network
        states = network.encoder(ids, parts)
        question, choice, lines = (
            (states[some], Rows(ids[some], parts[some]))
            for some in (slice(0, 1), slice(1, 2), slice(2, None))
        )
        stated = network.heads.relation(network.line(*lines))  # [lines, relation]
        scores = network.heads.score(
            network.fact(*choice),
            network.composable(*question),
            stated.mean(0, keepdim=True),
            stated,
        )
        spans = network.encoder.span_scores(question[0])
        assert spans is not None  # only transformers are exported
        return (
            spans[0],
            torch.cat([scores.fact, scores.relation]),
            scores.relations[0],
            scores.lines,
        )


def export_gap(model: ModelFolder, folder: Path, *, int8: bool = True) -> Path:
    """Export a trained model; returns the file with the weights."""
    check_target(folder, model.path)
    network = load_gap(model)
    if not isinstance(network.encoder, TransformerRows) or not network.shown.knowledge:
        raise LacunaError(
            f"the model in {model.path} is one to compare with: a BiLSTM, or one that reads no "
            "knowledge. Such models are read as they were trained; only whole ones are exported."
        )
    encoder = network.encoder
    encoder.reader = ready(encoder.reader, model.tokenizer, int8=int8)
    ids = torch.ones((4, 16), dtype=torch.long)
    parts = torch.arange(16).div(3, rounding_mode="floor").expand(4, 16) + 1
    traced = Traced(OneChoice(network).eval(), (ids, parts), INPUT_NAMES, OUTPUT_NAMES, AXES)
    write_weights(traced, encoder.reader.encoder, folder, int8=int8)
    shutil.copyfile(model.tokenizer, folder / TOKENIZER)
    write_config(folder, {**model.config, "precision": precision(int8)})
    return folder / WEIGHTS
