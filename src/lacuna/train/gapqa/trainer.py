"""One GapQA run with one seed: epochs, the best of them by questions kept aside, checkpoints."""

from __future__ import annotations

import math
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import AbstractContextManager, nullcontext
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

import numpy as np
import torch
from torch import Tensor

from lacuna.errors import LacunaError
from lacuna.files.writing import replace_bytes
from lacuna.train.checkpoint import Checkpoint, State, random_state, restore_random
from lacuna.train.gapqa.dataset import Dataset
from lacuna.train.gapqa.loss import Targets, answer_loss, span_loss
from lacuna.train.gapqa.network import GapBatch, GapNetwork
from lacuna.train.gapqa.recipe import BILSTM, GapRecipe
from lacuna.train.gpu_settings import set_up_gpu

Progress = Callable[[int], None]
"""Told how many steps are done."""
HALVE_AFTER = 5
"""Epochs without a better one before the paper's learning rate is halved."""
WARM = 0.06
SCORE_BATCH = 32
CHECKPOINT, BEST = "checkpoint.pt", "best.pt"


@dataclass(frozen=True, slots=True)
class Ended:
    """How a run ended: its last epoch, and the share of the questions kept aside that it got right
    (how likely they are, where only spans are learned); None where none were kept aside."""

    epochs: int
    held_out: float | None
    stopped: bool = False


class GapTraining:
    """A network, the examples, and a folder for what a killed run needs to go on."""

    def __init__(
        self, recipe: GapRecipe, seed: int, network: GapNetwork, data: Dataset, folder: Path
    ) -> None:
        self._recipe, self._seed, self._folder = recipe, seed, folder
        self._device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
        set_up_gpu()
        self.network = network.to(self._device)
        self._data = data.to(self._device)
        order = np.random.default_rng(0).permutation(len(data))  # the same questions for each seed
        aside = round(recipe.held_out * len(data))
        self._held_out, self._kept = order[:aside].tolist(), order[aside:].tolist()
        if not self._kept:
            raise LacunaError("there is nothing to learn from: no question is left to train on.")
        self._steps_each = -(-len(self._kept) // recipe.batch)
        self.steps = self._steps_each * recipe.epochs
        self._optimizer = torch.optim.AdamW(self._groups(), weight_decay=0.01)
        self._schedule = self._plan_rates()
        folder.mkdir(parents=True, exist_ok=True)
        run = {k: v for k, v in asdict(recipe).items() if k not in ("name", "encoder", "seeds")}
        run |= {"seed": seed, "examples": len(data)}
        parts = {"network": network, "optimizer": self._optimizer, "schedule": self._schedule}
        self._checkpoint = Checkpoint(folder / CHECKPOINT, run, parts)
        self._state = self._resume()

    def _groups(self) -> list[dict[str, Any]]:
        heads = list(self.network.heads.parameters())
        own = {id(one) for one in heads}
        trained = [one for one in self.network.parameters() if one.requires_grad]
        encoder = [one for one in trained if id(one) not in own]
        return [
            {"params": encoder, "lr": self._recipe.learning_rate},
            {"params": heads, "lr": self._recipe.head_learning_rate},
        ]

    def _plan_rates(self) -> Any:
        if self._recipe.kind == BILSTM:
            return torch.optim.lr_scheduler.ReduceLROnPlateau(
                self._optimizer, "max", factor=0.5, patience=HALVE_AFTER
            )
        return torch.optim.lr_scheduler.LambdaLR(self._optimizer, self._rate)

    def _rate(self, step: int) -> float:
        warm = max(1, round(WARM * self.steps))
        return min((step + 1) / warm, max(0.0, (self.steps - step) / max(1, self.steps - warm)))

    def run(self, progress: Progress | None = None, *, until: float = math.inf) -> Ended:
        """Train to the end or to ``until``; the network is then that of the best epoch."""
        state = self._state  # its step counts epochs here
        while state.step < self._recipe.epochs and state.waited < self._recipe.patience:
            self._epoch(state.step, progress)
            state.step += 1
            if self._held_out:
                self._compare()
            self._checkpoint.save(state, [random_state()])
            if time.monotonic() > until and state.step < self._recipe.epochs:
                return Ended(state.step, self._held_out_best(), stopped=True)
        if self._best.exists():
            best = torch.load(self._best, map_location="cpu", weights_only=True)
            self.network.load_state_dict(best)
        return Ended(state.step, self._held_out_best())

    def _held_out_best(self) -> float | None:
        return -self._state.best if self._held_out else None

    def _compare(self) -> None:
        """Look at the questions kept aside, and keep the network if it was never better."""
        right, state = self._accuracy(), self._state
        if self._recipe.kind == BILSTM:
            self._schedule.step(right)
        better = -right < state.best
        state.best, state.waited = (-right, 0) if better else (state.best, state.waited + 1)
        if better:
            with replace_bytes(self._best) as out:
                torch.save(self.network.state_dict(), out)

    @property
    def _best(self) -> Path:
        return self._folder / BEST

    def _resume(self) -> State:
        torch.manual_seed(self._seed)
        kept = self._checkpoint.load()
        if kept is None:
            return State()
        state, random = kept
        restore_random(random[0])
        return state

    def _epoch(self, epoch: int, progress: Progress | None) -> None:
        self.network.train()
        order = np.random.default_rng((self._seed, epoch)).permutation(self._kept).tolist()
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
        scores, found = self.network(batch)
        spans = span_loss(found, batch.questions, targets)
        return answer_loss(self._recipe, scores, batch.asked, targets) + (
            self._recipe.span_weight * spans
        )

    def _accuracy(self) -> float:
        """The share of the questions kept aside that are right; where only spans are learned, how
        likely those are."""
        if self._recipe.only_spans:
            return self._span_likelihood()
        scores = choice_scores(self.network, self._data, self._held_out, self._recipe.precision)
        right = self._data.arrays["right"][self._held_out]
        return float(
            np.mean([int(one.argmax()) == gold for one, gold in zip(scores, right, strict=True)])
        )

    def _span_likelihood(self) -> float:
        """How likely the spans kept aside are; a better number to stop by than exact matches."""
        loss = 0.0
        self.network.eval()
        for batch, targets in batches(self.network, self._data, [self._held_out]):
            with torch.no_grad(), autocast(self._device, self._recipe.precision):
                loss -= float(
                    span_loss(self.network.spans(batch.questions), batch.questions, targets)
                )
        return loss


def tidy(folder: Path) -> None:
    """Remove what only a run that goes on needs."""
    (folder / BEST).unlink(missing_ok=True)
    (folder / CHECKPOINT).unlink(missing_ok=True)


def choice_scores(
    network: GapNetwork, data: Dataset, numbers: Sequence[int], precision: str
) -> list[np.ndarray[Any, Any]]:
    """The final score of each choice, question by question."""
    device = next(network.parameters()).device
    data = data.to(device)
    network.eval()
    made = []
    chunks = [list(numbers[at : at + SCORE_BATCH]) for at in range(0, len(numbers), SCORE_BATCH)]
    for batch, _ in batches(network, data, chunks):
        with torch.no_grad(), autocast(device, precision):
            scores = network(batch)[0].choices.float().cpu().numpy()
        asked = batch.asked.cpu().numpy()
        made += [scores[asked == place] for place in range(int(asked.max()) + 1)]
    return made


def batches(
    network: GapNetwork, data: Dataset, numbers: Sequence[Sequence[int]]
) -> Iterator[tuple[GapBatch, Targets]]:
    """Batches as a network likes them."""
    return (data.batch(some, blocks=network.encoder.blocks) for some in numbers)


def autocast(device: torch.device, precision: str) -> AbstractContextManager[Any]:
    """bf16 where it is asked for and quick: on a GPU."""
    if precision == "bf16" and device.type == "cuda":
        made: AbstractContextManager[Any] = torch.autocast("cuda", torch.bfloat16)
        return made
    return nullcontext()
