"""One run of a paper's network with one seed: epochs, the best of them, checkpoints."""

from __future__ import annotations

import math
import time
from collections.abc import Iterable, Iterator
from dataclasses import asdict, dataclass
from pathlib import Path
from queue import Full, Queue
from threading import Event, Thread
from typing import Any, TypeVar

import numpy as np
import torch
from safetensors.torch import save
from torch import nn

from lacuna.errors import LacunaError
from lacuna.files.checksums import remove_checksums
from lacuna.files.writing import replace_bytes
from lacuna.models.model_folder import FORMATS, NETWORK, ModelSystem
from lacuna.version import __version__
from lacuna_lab.papers.words import PaperExamples, PaperRecipe
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
    warmup_decay,
)
from lacuna_lab.train.trainer import StepTable

T = TypeVar("T")
QUEUE_TIMEOUT_SECONDS = 0.1
"""Seconds after which a thread looks whether anybody still waits."""
_END = object()


def read_ahead(items: Iterable[T], count: int) -> Iterator[T]:
    """The same items in the same order, up to ``count`` of them made in advance by a thread.

    >>> list(read_ahead(range(4), 2))
    [0, 1, 2, 3]
    """
    queue: Queue[Any] = Queue(count)
    left = Event()
    problems: list[BaseException] = []

    def put(item: object) -> None:
        while not left.is_set():
            try:
                queue.put(item, timeout=QUEUE_TIMEOUT_SECONDS)
            except Full:
                continue
            return

    def make() -> None:
        try:
            for item in items:
                if left.is_set():
                    return
                put(item)
        except BaseException as problem:  # raised again where the items are used
            problems.append(problem)
        put(_END)

    thread = Thread(target=make, daemon=True)
    thread.start()
    try:
        while (item := queue.get()) is not _END:
            yield item
        if problems:
            raise problems[0]
    finally:
        left.set()
        thread.join()


WARMUP = 0.03
"""The share of the steps in which the learning rate rises."""
LARGEST_GRADIENT = 5.0
AHEAD = 4
"""Batches that are made while the network learns from one."""
NOT_OF_THE_COURSE = ("name", "seeds", "vectors", "begin", "encoder", "stages")
"""Settings that a run goes on without; of files, the content counts."""
LOSSES = "losses.csv"
"""The mean loss of each epoch."""


@dataclass(frozen=True, slots=True)
class PaperTrainingEnd:
    """The end of a run: its last epoch and that one's loss, and the lowest on held-out texts."""

    epochs: int
    loss: float
    held_out: float | None
    stopped: bool = False


class PaperTraining:
    """One run over some examples, in a folder with what it needs to go on after a kill."""

    def __init__(
        self, seed: int, network: nn.Module, data: PaperExamples, digest: str, folder: Path
    ) -> None:
        recipe = self._recipe = data.recipe
        self._seed, self._data = seed, data
        self._device = best_device()
        set_up_gpu()
        self.network: Any = network.to(self._device)
        self._trained_on, self._held_out = data.split(recipe.held_out)
        if not self._trained_on:
            raise LacunaError("there is nothing to learn from: no question is left to train on.")
        self._steps_each = -(-len(self._trained_on) // recipe.batch)
        self.steps = self._steps_each * recipe.epochs
        self._optimizer = torch.optim.AdamW(
            recipe.learned(network), lr=recipe.learning_rate, weight_decay=0.0
        )
        self._schedule = torch.optim.lr_scheduler.LambdaLR(
            self._optimizer, warmup_decay(self.steps, WARMUP)
        )
        folder.mkdir(parents=True, exist_ok=True)
        run = {k: v for k, v in asdict(recipe).items() if k not in NOT_OF_THE_COURSE}
        run |= {"seed": seed, "data": digest}
        parts = {"network": network, "optimizer": self._optimizer, "schedule": self._schedule}
        self._stopping = EarlyStopping(folder / BEST, recipe.patience)
        self._checkpoint = Checkpoint(folder / CHECKPOINT, run, parts)
        torch.manual_seed(seed)
        self._state = self._checkpoint.resume()  # its step counts epochs
        columns = ("loss", "held_out_loss", "seconds")
        self._losses = StepTable(folder / LOSSES, columns, self._state.step)

    def run(self, progress: Progress | None = None, *, until: float = math.inf) -> PaperTrainingEnd:
        """Train to the end or to ``until``; the network is then that of the best epoch."""
        state = self._state
        while state.step < self._recipe.epochs and not self._stopping.is_over(state):
            since = time.monotonic()
            state.loss = self._epoch(state.step, progress)
            state.step += 1
            values = {"loss": f"{state.loss:.4f}"}
            if self._held_out:
                values["held_out_loss"] = f"{self._check():.4f}"
            self._checkpoint.save(state, [random_state()])
            self._losses.write(state.step, {**values, "seconds": f"{time.monotonic() - since:.1f}"})
            if is_late(until) and state.step < self._recipe.epochs:
                return self._end(stopped=True)
        self._stopping.restore(self.network)
        return self._end(stopped=False)

    def _end(self, *, stopped: bool) -> PaperTrainingEnd:
        held_out = self._state.best if self._held_out else None
        return PaperTrainingEnd(self._state.step, self._state.loss, held_out, stopped)

    def _epoch(self, epoch: int, progress: Progress | None) -> float:
        self.network.train()
        random = np.random.default_rng((self._seed, epoch))
        order = self._data.shuffled(self._trained_on, self._recipe.batch, random)
        total = torch.zeros((), device=self._device)
        batches = read_ahead(self._data.batches(order, self._recipe.batch), AHEAD)
        for done, (batch, size) in enumerate(batches, 1):
            loss = self.network.loss(batch.to(self._device))
            self._optimizer.zero_grad(set_to_none=True)
            loss.backward()
            nn.utils.clip_grad_norm_(self.network.parameters(), LARGEST_GRADIENT)
            self._optimizer.step()
            self._schedule.step()
            total += loss.detach() * size
            if progress is not None:
                progress(epoch * self._steps_each + done)
        return float(total) / len(order)

    def _check(self) -> float:
        """The loss on held-out texts; the network is kept if that was never lower."""
        self.network.eval()
        total = 0.0
        numbers = self._data.by_length(self._held_out)
        with torch.no_grad():
            for batch, size in self._data.batches(numbers, self._recipe.batch):
                total += float(self.network.loss(batch.to(self._device))) * size
        loss = total / len(numbers)
        better = loss < self._state.best
        self._stopping.record(self._state, loss, better=better)
        if better:
            self._stopping.save(self.network)
        return loss


def recipe_values(recipe: PaperRecipe) -> dict[str, Any]:
    """A recipe as the plain values that it is made from."""
    values = asdict(recipe)
    return {name: list(v) if isinstance(v, tuple) else v for name, v in values.items()}


def save_weights(network: nn.Module, folder: Path) -> None:
    """Write what a network has learned."""
    folder.mkdir(parents=True, exist_ok=True)
    remove_checksums(folder)
    weights = network.state_dict().items()
    with replace_bytes(folder / NETWORK) as out:
        out.write(save({name: value.cpu().contiguous() for name, value in weights}))


def paper_config(recipe: PaperRecipe, seed: int, end: PaperTrainingEnd) -> dict[str, Any]:
    """The origin of a network; it is written last of all."""
    return {
        "name": f"{recipe.name}-{seed}",
        "made_with": __version__,
        "recipe": recipe_values(recipe),
        "epochs": end.epochs,
        "loss": end.loss,
        "held_out_loss": end.held_out,
        "format": FORMATS[ModelSystem(recipe.system)],
        "system": recipe.system,
    }
