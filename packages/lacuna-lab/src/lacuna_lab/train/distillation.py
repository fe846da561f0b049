"""Learning from a stronger network: a teacher's scores of all instances, a student's loss."""

from __future__ import annotations

import json
import math
from pathlib import Path

import numpy as np
import torch
from torch import Tensor, nn
from torch.nn import functional

from lacuna.errors import LacunaError
from lacuna.files.writing import replace_text
from lacuna.models.reader.decode import Columns
from lacuna_lab.train.batches import COLLATORS, Batch, Collated, plan_batches, prefetched
from lacuna_lab.train.checkpoint import Progress, is_late
from lacuna_lab.train.instances import Instances
from lacuna_lab.train.network import (
    at_places,
    choice_scores,
    sign_log_probabilities,
    span_log_probabilities,
    summed,
)

BATCH_TOKENS = 131_072
KEEP_EVERY = 100
"""Batches after which it is noted how far the teacher has come."""


class Teacher:
    """The scores of a stronger network, saved on disk: one row a token, and one a sequence.

    They take much time and space, so they are made once, batch after batch, and a run that was
    stopped goes on with them. ``of`` names the teacher and the data that they belong to.
    """

    def __init__(self, folder: Path, data: Instances, of: str) -> None:
        self.of = of
        self._folder, self._data, self._ends = folder, data, data.ids.ends
        everything = np.arange(len(data))
        self._batches = plan_batches(data, everything, tokens=BATCH_TOKENS, seed=0, epoch=0)
        self.filled = self._marked()
        mode = "r" if self.complete else "r+" if self.filled else "w+"
        folder.mkdir(parents=True, exist_ok=True)
        tokens = int(self._ends[-1]) if len(data) else 0
        shapes = {
            "per_token": (tokens, Columns.PER_TOKEN),
            "per_sequence": (len(data), Columns.PER_SEQUENCE),
        }
        try:
            self._scores = {
                name: np.lib.format.open_memmap(
                    folder / f"{name}.npy", mode, np.dtype(np.float16), shape
                )
                for name, shape in shapes.items()
            }
        except (FileNotFoundError, ValueError) as problem:
            raise self._foreign(str(problem)) from problem
        for name, shape in shapes.items():
            if self._scores[name].shape != shape:
                raise self._foreign(f"{name} has {len(self._scores[name]):,} rows")

    @property
    def batches(self) -> int:
        """The number of batches to score."""
        return len(self._batches)

    @property
    def complete(self) -> bool:
        """True if everything is scored."""
        return self.filled == self.batches

    @property
    def _mark(self) -> Path:
        return self._folder / "scores.json"

    def _marked(self) -> int:
        """Batches that an earlier run scored."""
        if not self._mark.exists():
            return 0
        noted = json.loads(self._mark.read_text("utf-8"))
        if noted["of"] != self.of:
            raise self._foreign("of another teacher or over other data")
        return int(noted["batches"])

    def _note(self) -> None:
        for scores in self._scores.values():
            scores.flush()
        with replace_text(self._mark) as out:
            json.dump({"of": self.of, "batches": self.filled}, out)

    def _foreign(self, why: str) -> LacunaError:
        return LacunaError(
            f"the teacher's scores in {self._folder} do not belong to this run ({why}). Choose "
            "another --out, or delete that folder to have them made again."
        )

    def fill(
        self,
        network: nn.Module,
        device: torch.device,
        progress: Progress | None = None,
        *,
        until: float = math.inf,
    ) -> None:
        """Run the teacher over what is left, or till ``time.monotonic`` has come to ``until``."""
        network.eval()
        if device.type == "cuda":
            network.to(torch.bfloat16)
        workers = 0 if device.type == "cpu" else COLLATORS
        left = self._batches[self.filled :]
        for batch in prefetched(Collated(self._data, left), workers):
            self._score(network, batch, device)
            self.filled += 1
            if progress is not None:
                progress(self.filled)
            late = is_late(until)
            if late or self.complete or self.filled % KEEP_EVERY == 0:
                self._note()
            if late:
                return

    def _score(self, network: nn.Module, batch: Batch, device: torch.device) -> None:
        index = batch.index.numpy()
        batch = batch.to(device)
        with torch.no_grad():
            per_token, per_sequence = network(batch.ids, batch.marks, batch.mask)
        flat = per_token[batch.mask.bool()].clamp(-6e4, 6e4).half().cpu().numpy()
        self._scores["per_sequence"][index] = per_sequence.half().cpu().numpy()
        at = 0
        for number in index.tolist():
            start, size = self._tokens_of(number)
            self._scores["per_token"][start : start + size] = flat[at : at + size]
            at += size

    def scores(self, batch: Batch) -> tuple[Tensor, Tensor]:
        """The teacher's scores of a batch that is not on a GPU yet."""
        per_token = np.zeros((*batch.ids.shape, Columns.PER_TOKEN), np.float16)
        for row, number in enumerate(batch.index.tolist()):
            start, size = self._tokens_of(number)
            per_token[row, :size] = self._scores["per_token"][start : start + size]
        return torch.from_numpy(per_token), torch.from_numpy(
            self._scores["per_sequence"][batch.index.numpy()]
        )

    def _tokens_of(self, number: int) -> tuple[int, int]:
        """The beginning of an instance's tokens, and their number."""
        start = int(self._ends[number - 1]) if number else 0
        return start, int(self._ends[number]) - start


def distillation_losses(
    student: tuple[Tensor, Tensor], teacher: tuple[Tensor, Tensor], batch: Batch, temperature: float
) -> dict[str, Tensor]:
    """The distance of the student from the teacher, head by head: sums and counts, as in
    ``losses``."""
    ours, theirs = ([scores.float() for scores in both] for both in (student, teacher))
    kind = _divergence(ours[1][:, Columns.KIND], theirs[1][:, Columns.KIND], temperature)
    spans = torch.stack(
        [
            _divergence(a, b, temperature)
            for a, b in zip(
                span_log_probabilities(ours[0], batch),
                span_log_probabilities(theirs[0], batch),
                strict=True,
            )
        ]
    ).sum(0)
    spans = spans * (batch.spans[:, 0, 0] >= 0)
    signs = _divergence(
        sign_log_probabilities(ours[0], batch), sign_log_probabilities(theirs[0], batch), 1.0
    )
    signs = (signs * (batch.numbers[..., 0] >= 0)).sum(1)
    parts = {"answer": summed(kind + spans + signs, batch.answered)}
    for name, places, columns in (
        ("sentences", batch.sentences, Columns.SENTENCE),
        ("links", batch.links, Columns.LINK),
    ):
        known = places[..., 2] >= 0
        target = at_places(theirs[0], places, columns).sigmoid()
        each = functional.binary_cross_entropy_with_logits(
            at_places(ours[0], places, columns), target, reduction="none"
        )
        parts[name] = summed((each * known).sum(1) / known.sum(1).clamp(min=1), known.any(1))
    relevance = functional.binary_cross_entropy_with_logits(
        ours[1][:, Columns.RELEVANCE], theirs[1][:, Columns.RELEVANCE].sigmoid(), reduction="none"
    )
    parts["relevance"] = summed(relevance, batch.relevance >= 0)
    choice = _divergence(
        choice_scores(ours[1], batch), choice_scores(theirs[1], batch), temperature
    )
    parts["choice"] = torch.stack([choice.sum(), choice.new_tensor(float(len(choice)))])
    return parts


def _divergence(ours: Tensor, theirs: Tensor, temperature: float) -> Tensor:
    """Kullback–Leibler divergence over the last axis, scaled so that gradients keep their size."""
    a = (ours / temperature).log_softmax(-1)
    b = (theirs / temperature).log_softmax(-1)
    return (b.exp() * (b - a)).sum(-1) * temperature**2
