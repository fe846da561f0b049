"""The training loop: the same command on one CPU, one GPU or many, and after a kill."""

from __future__ import annotations

import math
import time
from collections.abc import Callable
from contextlib import nullcontext
from dataclasses import asdict, dataclass
from enum import StrEnum
from pathlib import Path
from typing import Any

import torch
from accelerate.utils import broadcast, gather_object
from torch import Tensor

from lacuna.errors import LacunaError
from lacuna.files.writing import replace_bytes
from lacuna.train.batches import COLLATORS, Batch, Collated, Indices, plan, prefetched
from lacuna.train.checkpoint import Checkpoint, State, random_state, restore_random
from lacuna.train.curves import Curve, Table, head_means
from lacuna.train.distillation import distilled
from lacuna.train.instances import Instances
from lacuna.train.loss import losses
from lacuna.train.network import Network
from lacuna.train.processes import make_accelerator
from lacuna.train.recipe import HEADS, Recipe
from lacuna.train.sampling import epoch_batches, held_out
from lacuna.train.teacher import Teacher

Progress = Callable[[int, int, float], None]
"""Called with the steps done, all steps and the latest loss."""
ROW_EVERY = 20
"""Steps between two rows of the curve."""
HARMLESS = ("name", "encoder", "tokenizer", "check_every", "patience", "keep_every")
"""Settings that may change while a run is stopped: they do not decide its next step."""


class End(StrEnum):
    """Why a run returned."""

    DONE = "done"
    EARLY = "stopped early"
    LATE = "stopped in time"


@dataclass(frozen=True, slots=True)
class Ended:
    """How a run ended."""

    steps: int
    loss: float
    why: End


class Training:
    """One run over some instances, in a folder that keeps its checkpoints and curves."""

    def __init__(
        self,
        recipe: Recipe,
        network: Network,
        data: Instances,
        folder: Path,
        *,
        source_names: list[str],
        teacher: Teacher | None = None,
    ) -> None:
        self._recipe, self._data, self._folder, self._teacher = recipe, data, folder, teacher
        self._accelerator = make_accelerator(recipe.precision)
        kept, self._held_out = held_out(data, recipe.held_out)
        epochs = (epoch_batches(data, kept, recipe, source_names, e) for e in range(recipe.epochs))
        self._batches = self._own([batch for batches in epochs for batch in batches])
        self.steps = -(-len(self._batches) // recipe.accumulate)
        if not self.steps:
            raise LacunaError(
                "there is nothing to learn from: the recipe's sources gave no labelled input. Look "
                "at what was left out, and at the shares under [sources]."
            )
        optimizer = torch.optim.AdamW(
            _groups(network, recipe.weight_decay),
            lr=recipe.learning_rate,
            fused=self._accelerator.device.type == "cuda",
        )
        self._schedule = torch.optim.lr_scheduler.LambdaLR(optimizer, self._rate)
        # On the CPU the cores are the network's.
        self._workers = 0 if self._accelerator.device.type == "cpu" else COLLATORS
        self._network, self._optimizer = self._accelerator.prepare(network, optimizer)
        folder.mkdir(parents=True, exist_ok=True)
        self._checkpoint = Checkpoint(folder / "checkpoint.pt", self._run(), self._parts())
        self._state = self._resume()

    def _own(self, batches: list[Indices]) -> list[Indices]:
        """This process's batches; as many for each, for they wait for each other at every step."""
        processes, own = self._accelerator.num_processes, self._accelerator.process_index
        rounds = -(-len(batches) // processes)
        return [batches[(own + n * processes) % len(batches)] for n in range(rounds)]

    def _run(self) -> dict[str, Any]:
        """What decides the course of this run."""
        settings = {k: v for k, v in asdict(self._recipe).items() if k not in HARMLESS}
        return {
            **settings,
            "inputs": len(self._data),
            "steps": self.steps,
            "processes": self._accelerator.num_processes,
            "teacher": None if self._teacher is None else self._teacher.of,
        }

    def _parts(self) -> dict[str, Any]:
        parts = {
            "network": self.network,
            "optimizer": self._optimizer,
            "schedule": self._schedule,
            "scaler": self._accelerator.scaler,  # only in half precision
        }
        return {name: part for name, part in parts.items() if part is not None}

    @property
    def done(self) -> int:
        """Steps that are behind, here and in the runs that this one goes on from."""
        return self._state.step

    @property
    def network(self) -> Network:
        """The network as it is now."""
        made = self._accelerator.unwrap_model(self._network)
        assert isinstance(made, Network)
        return made

    def _rate(self, step: int) -> float:
        """Up in a straight line, then down to nothing."""
        warm = max(1, round(self.steps * self._recipe.warmup))
        if step < warm:
            return (step + 1) / warm
        return max(0.0, (self.steps - step) / max(1, self.steps - warm))

    def run(self, progress: Progress | None = None, *, until: float = math.inf) -> Ended:
        """Train to the end, from the last checkpoint if there is one.

        When ``time.monotonic`` has come to ``until``, the run keeps a checkpoint and returns.
        """
        state, accumulate = self._state, self._recipe.accumulate
        if self._out_of_patience():  # it had stopped early, and was asked to go on
            return self._early()
        left = self._batches[state.step * accumulate :]
        taught = None if self._teacher is None else self._teacher.scores
        if self._accelerator.is_main_process:
            self._curve = Curve(self._folder / "curve.csv", state.step)
            self._checks = Table(self._folder / "checks.csv", ("loss", *HEADS), state.step)
        self._network.train()
        for number, batch in enumerate(
            prefetched(Collated(self._data, left, taught), self._workers), 1
        ):
            whole = number % accumulate == 0 or number == len(left)
            self._learn(batch, whole)
            if not whole:
                continue
            state.step += 1
            late = self._agreed(until < math.inf and time.monotonic() > until)
            if late or state.step % ROW_EVERY == 0 or state.step == self.steps:
                self._tell(progress)
            if state.step % self._recipe.check_every == 0:
                self._check()
                if self._out_of_patience():
                    self._keep()
                    return self._early()
            if late or state.step % self._recipe.keep_every == 0 or state.step == self.steps:
                self._keep()
            if late and state.step < self.steps:
                return Ended(state.step, state.loss, End.LATE)
        return Ended(state.step, state.loss, End.DONE)

    def _learn(self, batch: Batch, whole: bool) -> None:
        """One batch; the weights move when as many as the recipe says have been seen."""
        with nullcontext() if whole else self._accelerator.no_sync(self._network):
            loss, parts = self._loss(batch)
            self._accelerator.backward(loss / self._recipe.accumulate)
        if self._accelerator.is_main_process:
            self._curve.add(loss, parts, int(batch.mask.sum()))
        if whole:
            self._accelerator.clip_grad_norm_(self._network.parameters(), 1.0)
            self._optimizer.step()
            self._optimizer.zero_grad()
            self._schedule.step()

    def _tell(self, progress: Progress | None) -> None:
        if self._accelerator.is_main_process:
            self._state.loss = self._curve.write(
                self._state.step, float(self._schedule.get_last_lr()[0])
            )
            if progress is not None:
                progress(self._state.step, self.steps, self._state.loss)

    def _loss(self, batch: Batch) -> tuple[Tensor, dict[str, Tensor]]:
        batch = batch.to(self._accelerator.device)
        per_token, per_sequence = self._network(batch.ids, batch.marks, batch.mask)
        parts = losses(per_token, per_sequence, batch)
        total = self._weighed(parts)
        if batch.taught_per_token is not None and batch.taught_per_sequence is not None:
            ours = per_token, per_sequence
            theirs = batch.taught_per_token, batch.taught_per_sequence
            soft = self._weighed(distilled(ours, theirs, batch, self._recipe.temperature))
            share = self._recipe.distil_weight
            total = (1 - share) * total + share * soft
        return total, parts

    def _weighed(self, parts: dict[str, Tensor]) -> Tensor:
        """Every head's mean loss, weighed by its share of the batch and the recipe."""
        weights = self._recipe.weights
        rows = sum(part[1] for part in parts.values())
        total = sum(part[0] * weights.get(name, 1.0) for name, part in parts.items())
        return torch.as_tensor(total / torch.as_tensor(rows).clamp(min=1))

    def _check(self) -> None:
        """Look at the questions kept aside, and count for how long they have not got better."""
        if not len(self._held_out):
            return
        self._network.eval()
        sums: dict[str, Tensor] = {}
        batches = plan(
            self._data, self._held_out, tokens=self._recipe.batch_tokens, seed=0, epoch=0
        )
        for batch in prefetched(Collated(self._data, batches)):
            batch = batch.to(self._accelerator.device)
            with torch.no_grad(), self._accelerator.autocast():
                per_token, per_sequence = self._network(batch.ids, batch.marks, batch.mask)
            for name, part in losses(per_token, per_sequence, batch).items():
                sums[name] = part + sums.get(name, 0)
        self._network.train()
        loss, state = float(self._weighed(sums)), self._state
        better = self._agreed(loss < state.best)
        state.best, state.waited = (loss, 0) if better else (state.best, state.waited + 1)
        if self._accelerator.is_main_process:
            self._checks.write(state.step, {"loss": f"{loss:.4f}", **head_means(sums)})
            if better and self._recipe.patience:
                with replace_bytes(self._best) as out:
                    torch.save(self.network.state_dict(), out)

    @property
    def _best(self) -> Path:
        return self._folder / "best.pt"

    def _out_of_patience(self) -> bool:
        return 0 < self._recipe.patience <= self._state.waited

    def _early(self) -> Ended:
        """The weights that were best are those to keep."""
        self._accelerator.wait_for_everyone()
        if self._best.exists():
            best = torch.load(self._best, map_location="cpu", weights_only=True)
            self.network.load_state_dict(best)
        return Ended(self._state.step, self._state.loss, End.EARLY)

    def _agreed(self, here: bool) -> bool:
        """What the main process says: none may stop while the others wait for it."""
        if self._accelerator.num_processes == 1:
            return here
        said = torch.tensor([int(here)], device=self._accelerator.device)
        return bool(broadcast(said).item())

    def _resume(self) -> State:
        kept = self._checkpoint.load()
        if kept is None:
            return State()
        state, random = kept
        restore_random(random[self._accelerator.process_index])
        return state

    def _keep(self) -> None:
        random = gather_object([random_state()])
        if self._accelerator.is_main_process:
            self._checkpoint.save(self._state, random)
        self._accelerator.wait_for_everyone()


def _groups(network: Network, decay: float) -> list[dict[str, object]]:
    """Biases, norms and embeddings are not pulled towards zero."""
    trained = [(n, p) for n, p in network.named_parameters() if p.requires_grad]
    plain = [p for n, p in trained if p.ndim < 2 or "embedding" in n]
    pulled = [p for n, p in trained if not (p.ndim < 2 or "embedding" in n)]
    return [
        {"params": pulled, "weight_decay": decay},
        {"params": plain, "weight_decay": 0.0},
    ]
