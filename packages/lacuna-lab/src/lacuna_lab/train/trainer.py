"""The training loop: the same command on one CPU, one GPU or many, and after a kill."""

from __future__ import annotations

import csv
import math
import time
from collections.abc import Mapping, Sequence
from contextlib import nullcontext
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

import torch
from accelerate.utils import broadcast, gather_object
from torch import Tensor

from lacuna.errors import LacunaError
from lacuna.files.writing import replace_text
from lacuna_lab.train.batches import (
    COLLATORS,
    Batch,
    Collated,
    Indices,
    epoch_batches,
    held_out,
    plan_batches,
    prefetched,
)
from lacuna_lab.train.checkpoint import (
    BEST,
    CHECKPOINT,
    Checkpoint,
    EarlyStopping,
    Progress,
    StopReason,
    is_late,
    make_accelerator,
    random_state,
    warmup_decay,
)
from lacuna_lab.train.distillation import Teacher, distillation_losses
from lacuna_lab.train.instances import Instances
from lacuna_lab.train.network import Network, losses
from lacuna_lab.train.recipe import HEADS, Recipe


class StepTable:
    """A CSV file with a row for some steps. Rows beyond the last checkpoint are dropped."""

    def __init__(self, path: Path, columns: Sequence[str], step: int) -> None:
        self._path, self._columns = path, ("step", *columns)
        rows = [row for row in _rows(path) if int(row["step"]) <= step] if step else []
        with replace_text(path) as out:
            writer = csv.DictWriter(out, self._columns, extrasaction="ignore", lineterminator="\n")
            writer.writeheader()
            writer.writerows(rows)

    def write(self, step: int, values: Mapping[str, str]) -> None:
        """Add a row; columns without a value stay empty."""
        with self._path.open("a", encoding="utf-8", newline="") as out:
            csv.DictWriter(out, self._columns, lineterminator="\n").writerow(
                {"step": str(step), **values}
            )


def _rows(path: Path) -> list[dict[str, str]]:
    """The complete rows of a file; the last one may have been cut short by a kill."""
    if not path.exists():
        return []
    with path.open(encoding="utf-8", newline="") as file:
        return [row for row in csv.DictReader(file) if None not in row.values()]


def head_means(sums: Mapping[str, Tensor]) -> dict[str, str]:
    """The mean loss of each head that had any label."""
    return {name: f"{float(part[0] / part[1]):.4f}" for name, part in sums.items() if part[1] > 0}


class LossCurve:
    """Means of the training losses since the last row."""

    def __init__(self, path: Path, step: int) -> None:
        self._table = StepTable(path, ("learning_rate", "tokens_per_second", "loss", *HEADS), step)
        self._reset()

    def _reset(self) -> None:
        self._sums: dict[str, Tensor] = {}
        self._loss: Tensor | None = None
        self._tokens = self._batches = 0
        self._since = time.monotonic()

    def add(self, loss: Tensor, parts: Mapping[str, Tensor], tokens: int) -> None:
        """One batch's losses, left on the device until a row is written."""
        self._tokens += tokens
        self._batches += 1
        self._loss = loss.detach() + (0 if self._loss is None else self._loss)
        for name, part in parts.items():
            self._sums[name] = part.detach() + self._sums.get(name, 0)

    def write(self, step: int, rate: float) -> float:
        """Write a row and start the next. Returns the mean of the loss that was minimised."""
        assert self._loss is not None
        loss = float(self._loss) / self._batches
        values = {
            "learning_rate": f"{rate:.3g}",
            "tokens_per_second": f"{self._tokens / max(1e-9, time.monotonic() - self._since):.0f}",
            "loss": f"{loss:.4f}",
            **head_means(self._sums),
        }
        self._table.write(step, values)
        self._reset()
        return loss


class MasterAdamW(torch.optim.AdamW):
    """AdamW over full-precision copies of weights that calculate in bfloat16.

    Nothing is converted on its way through the network, as mixed precision does at every layer;
    the copies gather changes that are too small for bfloat16.
    """

    def __init__(self, groups: Sequence[Mapping[str, Any]], **settings: Any) -> None:
        self._used: list[Tensor] = [weight for group in groups for weight in group["params"]]
        self._own = [weight.detach().float().clone() for weight in self._used]
        own = iter(self._own)
        copies = [{**group, "params": [next(own) for _ in group["params"]]} for group in groups]
        super().__init__(copies, **settings)

    def step(self, closure: Any = None) -> None:
        """Change the copies, and with them the weights."""
        for own, used in zip(self._own, self._used, strict=True):
            own.grad = None if used.grad is None else used.grad.float()
        super().step()
        with torch.no_grad():
            torch._foreach_copy_(self._used, self._own)

    def zero_grad(self, set_to_none: bool = True) -> None:
        """Forget the gradients."""
        for weight in (*self._own, *self._used):
            weight.grad = None

    def state_dict(self) -> dict[str, Any]:
        """The copies with what AdamW knows of them."""
        return {"adamw": super().state_dict(), "own": self._own}

    def load_state_dict(self, state_dict: dict[str, Any]) -> None:
        """Go on from there."""
        super().load_state_dict(state_dict["adamw"])
        with torch.no_grad():
            torch._foreach_copy_(self._own, state_dict["own"])

    def give_back(self) -> None:
        """Put the copies into the place of the weights, in full precision."""
        for used, own in zip(self._used, self._own, strict=True):
            used.data = own


ROW_EVERY = 20
"""Steps between two rows of the curve."""
HARMLESS = ("name", "encoder", "tokenizer", "check_every", "patience", "keep_every")
"""Settings that may change while a run is stopped: they do not decide its next step."""


@dataclass(frozen=True, slots=True)
class TrainingEnd:
    """The end of a run."""

    steps: int
    loss: float
    reason: StopReason


class Training:
    """One run over some instances, in a folder with its checkpoint and curves."""

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
        halves = recipe.precision == "bf16"
        self._accelerator = make_accelerator("no" if halves else recipe.precision)
        trained_on, self._held_out = held_out(data, recipe.held_out)
        epochs = (
            epoch_batches(data, trained_on, recipe, source_names, epoch)
            for epoch in range(recipe.epochs)
        )
        self._batches = self._own([batch for batches in epochs for batch in batches])
        self.steps = -(-len(self._batches) // recipe.accumulate)
        if not self.steps:
            raise LacunaError(
                "there is nothing to learn from: the recipe's sources gave no labelled input. Look "
                "at what was left out, and at the shares under [sources]."
            )
        device = self._accelerator.device
        optimizer = (MasterAdamW if halves else torch.optim.AdamW)(
            _groups(network.to(device), recipe.weight_decay),
            lr=recipe.learning_rate,
            fused=device.type == "cuda",
        )
        if halves:
            network.to(torch.bfloat16)
        self._schedule = torch.optim.lr_scheduler.LambdaLR(
            optimizer, warmup_decay(self.steps, recipe.warmup)
        )
        # On a CPU the network needs all cores.
        self._workers = 0 if device.type == "cpu" else COLLATORS
        self._network, self._optimizer = self._accelerator.prepare(network, optimizer)
        folder.mkdir(parents=True, exist_ok=True)
        self._stopping = EarlyStopping(folder / BEST, recipe.patience)
        self._checkpoint = Checkpoint(folder / CHECKPOINT, self._run(), self._parts())
        self._state = self._checkpoint.resume(self._accelerator.process_index)

    def _own(self, batches: list[Indices]) -> list[Indices]:
        """This process's batches; the same number for all, which wait for each other each step."""
        processes, own = self._accelerator.num_processes, self._accelerator.process_index
        rounds = -(-len(batches) // processes)
        return [batches[(own + n * processes) % len(batches)] for n in range(rounds)]

    def _run(self) -> dict[str, Any]:
        """The settings that decide the course of this run."""
        settings = {k: v for k, v in asdict(self._recipe).items() if k not in HARMLESS}
        return {
            **settings,
            "data": self._data.digest(),
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
        """The steps that are done, here and in the runs that this one continues."""
        return self._state.step

    @property
    def network(self) -> Network:
        """The network as it is now."""
        network = self._accelerator.unwrap_model(self._network)
        assert isinstance(network, Network)
        return network

    def run(self, progress: Progress | None = None, *, until: float = math.inf) -> TrainingEnd:
        """Train to the end, from the last checkpoint if there is one.

        When ``time.monotonic`` has come to ``until``, the run saves a checkpoint and returns.
        """
        state, accumulate = self._state, self._recipe.accumulate
        if self._stopping.is_over(state):  # it had stopped early before
            return self._stop_early()
        left = self._batches[state.step * accumulate :]
        taught = None if self._teacher is None else self._teacher.scores
        if self._accelerator.is_main_process:
            self._curve = LossCurve(self._folder / "curve.csv", state.step)
            self._checks = StepTable(self._folder / "checks.csv", ("loss", *HEADS), state.step)
        self._network.train()
        for number, batch in enumerate(
            prefetched(Collated(self._data, left, taught), self._workers), 1
        ):
            full = number % accumulate == 0 or number == len(left)
            self._seed_draws(len(self._batches) - len(left) + number - 1)
            self._learn(batch, full)
            if not full:
                continue
            state.step += 1
            late = self._agreed(until < math.inf and is_late(until))
            if late or state.step % ROW_EVERY == 0 or state.step == self.steps:
                self._report(progress)
            if state.step % self._recipe.check_every == 0:
                self._check()
                if self._stopping.is_over(state):
                    self._save()
                    return self._stop_early()
            if late or state.step % self._recipe.keep_every == 0 or state.step == self.steps:
                self._save()
            if late and state.step < self.steps:
                return TrainingEnd(state.step, state.loss, StopReason.TIME)
        self._finish()
        return TrainingEnd(state.step, state.loss, StopReason.DONE)

    def _finish(self) -> None:
        """Leave the network in full precision."""
        optimizer = self._optimizer.optimizer
        if isinstance(optimizer, MasterAdamW):
            optimizer.give_back()
        self.network.float()

    def _seed_draws(self, place: int) -> None:
        """What is drawn for a batch depends on the batch alone, whichever process has it."""
        number = place * self._accelerator.num_processes + self._accelerator.process_index
        torch.manual_seed((self._recipe.seed << 32) + number)

    def _learn(self, batch: Batch, full: bool) -> None:
        """One batch; the weights change when as many as the recipe says have been seen."""
        with nullcontext() if full else self._accelerator.no_sync(self._network):
            loss, parts = self._loss(batch)
            self._accelerator.backward(loss / self._recipe.accumulate)
        if self._accelerator.is_main_process:
            self._curve.add(loss, parts, int(batch.mask.sum()))
        if full:
            self._accelerator.clip_grad_norm_(self._network.parameters(), 1.0)
            self._optimizer.step()
            self._optimizer.zero_grad()
            self._schedule.step()

    def _report(self, progress: Progress | None) -> None:
        if self._accelerator.is_main_process:
            self._state.loss = self._curve.write(
                self._state.step, float(self._schedule.get_last_lr()[0])
            )
            if not math.isfinite(self._state.loss):
                raise LacunaError(
                    f"the loss is no number any more at step {self._state.step:,}, so nothing can "
                    "be learned from here. Lower 'learning_rate' in the recipe, or set 'precision' "
                    'to "no"; the last checkpoint is kept.'
                )
            if progress is not None:
                progress(self._state.step)

    def _loss(self, batch: Batch) -> tuple[Tensor, dict[str, Tensor]]:
        batch = batch.to(self._accelerator.device)
        per_token, per_sequence = self._network(batch.ids, batch.marks, batch.mask)
        parts = losses(per_token, per_sequence, batch)
        total = self._weighted(parts)
        if batch.taught_per_token is not None and batch.taught_per_sequence is not None:
            student = per_token, per_sequence
            teacher = batch.taught_per_token, batch.taught_per_sequence
            soft = distillation_losses(student, teacher, batch, self._recipe.temperature)
            share = self._recipe.distil_weight
            total = (1 - share) * total + share * self._weighted(soft)
        return total, parts

    def _weighted(self, parts: dict[str, Tensor]) -> Tensor:
        """The mean loss of all heads, weighted by their share of the batch and the recipe."""
        weights = self._recipe.weights
        rows = sum(part[1] for part in parts.values())
        total = sum(part[0] * weights.get(name, 1.0) for name, part in parts.items())
        return torch.as_tensor(total / torch.as_tensor(rows).clamp(min=1))

    def _check(self) -> None:
        """The loss on the held-out questions, and for how long it has not got better."""
        if not len(self._held_out):
            return
        self._network.eval()
        sums: dict[str, Tensor] = {}
        batches = plan_batches(
            self._data, self._held_out, tokens=self._recipe.batch_tokens, seed=0, epoch=0
        )
        for batch in prefetched(Collated(self._data, batches)):
            batch = batch.to(self._accelerator.device)
            with torch.no_grad(), self._accelerator.autocast():
                per_token, per_sequence = self._network(batch.ids, batch.marks, batch.mask)
            for name, part in losses(per_token, per_sequence, batch).items():
                sums[name] = part + sums.get(name, 0)
        self._network.train()
        loss, state = float(self._weighted(sums)), self._state
        better = self._agreed(loss < state.best)
        self._stopping.record(state, loss, better=better)
        if self._accelerator.is_main_process:
            self._checks.write(state.step, {"loss": f"{loss:.4f}", **head_means(sums)})
            if better and self._recipe.patience:
                self._stopping.save(self.network)

    def _stop_early(self) -> TrainingEnd:
        self._accelerator.wait_for_everyone()
        self._finish()
        self._stopping.restore(self.network)
        return TrainingEnd(self._state.step, self._state.loss, StopReason.EARLY)

    def _agreed(self, here: bool) -> bool:
        """The finding of the main process: none may stop while the others wait for it."""
        if self._accelerator.num_processes == 1:
            return here
        flag = torch.tensor([int(here)], device=self._accelerator.device)
        return bool(broadcast(flag).item())

    def _save(self) -> None:
        random = gather_object([random_state()])
        if self._accelerator.is_main_process:
            self._checkpoint.save(self._state, random)
        self._accelerator.wait_for_everyone()


def _groups(network: Network, decay: float) -> list[dict[str, object]]:
    """Biases, norms and embeddings do not decay."""
    trained = [(n, p) for n, p in network.named_parameters() if p.requires_grad]
    plain = [p for n, p in trained if p.ndim < 2 or "embedding" in n]
    decayed = [p for n, p in trained if not (p.ndim < 2 or "embedding" in n)]
    return [
        {"params": decayed, "weight_decay": decay},
        {"params": plain, "weight_decay": 0.0},
    ]
