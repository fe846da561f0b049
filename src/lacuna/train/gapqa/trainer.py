"""One GapQA run with one seed: epochs, the best of them by held-out questions, checkpoints."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from contextlib import AbstractContextManager, nullcontext
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

import numpy as np
import torch
from torch import Tensor

from lacuna.errors import LacunaError
from lacuna.train.checkpoint import BEST, CHECKPOINT, Checkpoint, random_state
from lacuna.train.devices import best_device, set_up_gpu
from lacuna.train.gapqa.dataset import GapDataset
from lacuna.train.gapqa.loss import Targets, answer_loss, span_loss
from lacuna.train.gapqa.network import GapBatch, GapNetwork
from lacuna.train.gapqa.recipe import BILSTM, GapRecipe
from lacuna.train.schedule import EarlyStopping, Progress, is_late, warmup_decay

HALVE_AFTER = 5
"""Epochs without a better one before the paper's learning rate is halved."""
WARMUP = 0.06
"""The share of the steps in which the learning rate rises."""
SCORE_BATCH = 32


@dataclass(frozen=True, slots=True)
class GapTrainingEnd:
    """How a run ended: its last epoch, and the share of the held-out questions that it got right
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
        """How likely the held-out spans are; a better number to stop by than exact matches."""
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
