"""The training loop: the same command on one CPU, one GPU or many, and after a kill."""

from __future__ import annotations

import csv
import math
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import torch
from accelerate import Accelerator
from torch import Tensor

from lacuna.train.batches import COLLATORS, Batch, Collated, Indices, plan, prefetched
from lacuna.train.checkpoint import Checkpoint, State
from lacuna.train.distil import Teacher, distilled
from lacuna.train.instances import Instances
from lacuna.train.loss import losses
from lacuna.train.model import Network
from lacuna.train.recipe import Recipe

Progress = Callable[[int, int, float], None]
"""Called with the steps done, all steps and the latest loss."""


@dataclass(frozen=True, slots=True)
class Ended:
    """How a run ended."""

    steps: int
    loss: float
    stopped_early: bool


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
        cpu: bool = False,
    ) -> None:
        self._recipe, self._data, self._folder, self._teacher = recipe, data, folder, teacher
        self._accelerator = Accelerator(
            mixed_precision=recipe.precision,
            gradient_accumulation_steps=recipe.accumulate,
            cpu=cpu,
        )
        kept, self._held_out = _held_out(data, recipe.held_out)
        self._epochs = [self._epoch(kept, source_names, epoch) for epoch in range(recipe.epochs)]
        steps = sum(len(batches) for batches in self._epochs)
        self.steps = -(-steps // (self._accelerator.num_processes * recipe.accumulate))
        optimizer = torch.optim.AdamW(
            _groups(network, recipe.weight_decay),
            lr=recipe.learning_rate,
            fused=self._accelerator.device.type == "cuda",
        )
        schedule = torch.optim.lr_scheduler.LambdaLR(optimizer, self._rate)
        # On the CPU the cores are the network's.
        self._workers = 0 if self._accelerator.device.type == "cpu" else COLLATORS
        self._network, self._optimizer = self._accelerator.prepare(network, optimizer)
        self._schedule = schedule
        folder.mkdir(parents=True, exist_ok=True)
        self._checkpoint = Checkpoint(folder / "checkpoint.pt")

    def _epoch(self, kept: Indices, names: list[str], epoch: int) -> list[Indices]:
        recipe = self._recipe
        rng = np.random.default_rng([recipe.seed, 7, epoch])
        source = self._data.scalar("source")
        chosen = []
        for number, name in enumerate(names):
            share = recipe.sources.get(name, 0.0)
            own = kept[source[kept] == number]
            group = self._data.scalar("group")[own]
            groups = rng.permutation(np.unique(group))
            whole, part = int(share), share - int(share)
            chosen += [own] * whole
            if part:
                some = groups[: round(part * len(groups))]
                chosen.append(own[np.isin(group, some)])
        index = np.concatenate(chosen)
        # A source that is seen twice in an epoch must not meet itself in one batch's group.
        rounds = [
            plan(
                self._data,
                part,
                tokens=recipe.batch_tokens,
                seed=recipe.seed,
                epoch=epoch * 100 + i,
            )
            for i, part in enumerate(_apart(index))
        ]
        batches = [batch for some in rounds for batch in some]
        order = np.random.default_rng([recipe.seed, 11, epoch]).permutation(len(batches))
        return [batches[i] for i in order]

    def _rate(self, step: int) -> float:
        """Up in a straight line, then down to nothing."""
        warm = max(1, round(self.steps * self._recipe.warmup))
        if step < warm:
            return (step + 1) / warm
        return max(0.0, (self.steps - step) / max(1, self.steps - warm))

    def run(self, progress: Progress | None = None, *, stop_after: float = math.inf) -> Ended:
        """Train to the end, from the last checkpoint if there is one.

        ``stop_after`` seconds the run keeps a checkpoint and returns.
        """
        began = time.monotonic()
        state = self._resume()
        processes, own = self._accelerator.num_processes, self._accelerator.process_index
        batches = [batch for epoch in self._epochs for batch in epoch][own::processes]
        batches = batches[: self.steps * self._recipe.accumulate]
        left = batches[state.step * self._recipe.accumulate :]
        curve = Curve(self._folder / "curve.csv", state.step)
        self._network.train()
        taught = None if self._teacher is None else self._teacher.scores
        for number, batch in enumerate(
            prefetched(Collated(self._data, left, taught), self._workers), 1
        ):
            with self._accelerator.accumulate(self._network):
                loss, parts = self._loss(batch)
                self._accelerator.backward(loss)
                if self._accelerator.sync_gradients:
                    self._accelerator.clip_grad_norm_(self._network.parameters(), 1.0)
                self._optimizer.step()
                self._optimizer.zero_grad()
            curve.add(parts, int(batch.mask.sum()))
            if number % self._recipe.accumulate and number != len(left):
                continue
            state.step += 1
            self._schedule.step()
            if state.step % 20 == 0 or state.step == self.steps:
                state.loss = curve.write(state.step, self._schedule.get_last_lr()[0])
                if progress is not None:
                    progress(state.step, self.steps, state.loss)
            if state.step % self._recipe.check_every == 0 and self._worse(state):
                self._keep(state)
                return Ended(state.step, state.loss, True)
            late = time.monotonic() - began > stop_after
            if state.step % self._recipe.keep_every == 0 or late:
                self._keep(state)
            if late:
                break
        else:
            self._keep(state)
        return Ended(state.step, state.loss, False)

    def _loss(self, batch: Batch) -> tuple[Tensor, dict[str, Tensor]]:
        batch = batch.to(self._accelerator.device)
        scores = self._network(batch.ids, batch.marks, batch.mask)
        parts = losses(*scores, batch)
        total = self._weighed(parts)
        if batch.taught_per_token is not None and batch.taught_per_sequence is not None:
            theirs = batch.taught_per_token, batch.taught_per_sequence
            soft = self._weighed(distilled(scores, theirs, batch, self._recipe.temperature))
            share = self._recipe.distil_weight
            total = (1 - share) * total + share * soft
        return total, parts

    def _weighed(self, parts: dict[str, Tensor]) -> Tensor:
        """Every head's mean loss, weighed by its share of the batch and the recipe."""
        weights = self._recipe.weights
        rows = sum(part[1] for part in parts.values())
        total = sum(part[0] * weights.get(name, 1.0) for name, part in parts.items())
        return torch.as_tensor(total / torch.as_tensor(rows).clamp(min=1))

    def _worse(self, state: State) -> bool:
        """Look at the questions kept aside; True when patience is over."""
        if not len(self._held_out):
            return False
        self._network.eval()
        sums: dict[str, Tensor] = {}
        batches = plan(
            self._data, self._held_out, tokens=self._recipe.batch_tokens, seed=0, epoch=0
        )
        for batch in prefetched(Collated(self._data, batches)):
            batch = batch.to(self._accelerator.device)
            with torch.no_grad(), self._accelerator.autocast():
                parts = losses(*self._network(batch.ids, batch.marks, batch.mask), batch)
            for name, part in parts.items():
                sums[name] = sums.get(name, torch.zeros_like(part)) + part
        self._network.train()
        loss = float(self._weighed(sums))
        with (self._folder / "checks.csv").open("a", newline="") as out:
            heads = [f"{name}={float(p[0] / p[1].clamp(min=1)):.4f}" for name, p in sums.items()]
            csv.writer(out).writerow([state.step, f"{loss:.4f}", *heads])
        if loss < state.best:
            state.best, state.waited = loss, 0
            return False
        state.waited += 1
        return 0 < self._recipe.patience <= state.waited

    def _resume(self) -> State:
        network = self._accelerator.unwrap_model(self._network)
        return self._checkpoint.load(network, self._optimizer, self._schedule) or State()

    def _keep(self, state: State) -> None:
        if self._accelerator.is_main_process:
            network = self._accelerator.unwrap_model(self._network)
            self._checkpoint.save(network, self._optimizer, self._schedule, state)
        self._accelerator.wait_for_everyone()

    @property
    def network(self) -> Network:
        """The network as it is now."""
        made = self._accelerator.unwrap_model(self._network)
        assert isinstance(made, Network)
        return made


class Curve:
    """Means of the losses since the last row, in a CSV file that a resumed run goes on with."""

    def __init__(self, path: Path, step: int) -> None:
        self._path = path
        self._sums: dict[str, Tensor] = {}
        self._tokens, self._since = 0, time.monotonic()
        kept = []
        if path.exists() and step:
            kept = [row for row in csv.DictReader(path.open()) if int(row["step"]) <= step]
        with path.open("w", newline="") as out:
            self._names = ("step", "learning_rate", "tokens_per_second", "loss")
            writer = csv.writer(out)
            writer.writerow((*self._names, "heads"))
            writer.writerows([list(row.values()) for row in kept])

    def add(self, parts: dict[str, Tensor], tokens: int) -> None:
        """One batch's losses, left on the device until a row is written."""
        self._tokens += tokens
        for name, part in parts.items():
            detached = part.detach()
            self._sums[name] = self._sums[name] + detached if name in self._sums else detached

    def write(self, step: int, rate: float) -> float:
        """Write a row, and begin anew."""
        means = {name: float(part[0] / part[1].clamp(min=1)) for name, part in self._sums.items()}
        speed = self._tokens / max(1e-9, time.monotonic() - self._since)
        loss = means.get("answer", 0.0)
        heads = " ".join(f"{name}={mean:.4f}" for name, mean in means.items())
        with self._path.open("a", newline="") as out:
            csv.writer(out).writerow((step, f"{rate:.3g}", round(speed), f"{loss:.4f}", heads))
        self._sums, self._tokens, self._since = {}, 0, time.monotonic()
        return loss


def _held_out(data: Instances, share: float) -> tuple[Indices, Indices]:
    """Whole groups are kept aside, the same ones in every run over the same data."""
    group = data.scalar("group")
    groups = np.random.default_rng(5).permutation(np.unique(group))
    aside = np.isin(group, groups[: round(share * len(groups))])
    return np.flatnonzero(~aside), np.flatnonzero(aside)


def _apart(index: Indices) -> list[Indices]:
    """Split repeated instances into rounds in which each stands once."""
    rounds = []
    while len(index):
        _, first = np.unique(index, return_index=True)
        rounds.append(index[np.sort(first)])
        index = np.delete(index, first)
    return rounds


def _groups(network: Network, decay: float) -> list[dict[str, object]]:
    """Biases, norms and embeddings are not pulled towards zero."""
    trained = [(n, p) for n, p in network.named_parameters() if p.requires_grad]
    plain = [p for n, p in trained if p.ndim < 2 or "embedding" in n]
    pulled = [p for n, p in trained if not (p.ndim < 2 or "embedding" in n)]
    return [
        {"params": pulled, "weight_decay": decay},
        {"params": plain, "weight_decay": 0.0},
    ]
