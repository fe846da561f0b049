"""A teacher's scores over all instances, kept on disk."""

from __future__ import annotations

import json
import math
import time
from collections.abc import Callable
from pathlib import Path

import numpy as np
import torch
from torch import Tensor, nn

from lacuna.errors import LacunaError
from lacuna.files.writing import replace_text
from lacuna.models.reader.heads import Columns
from lacuna.train.batches import COLLATORS, Batch, Collated, plan, prefetched
from lacuna.train.instances import Instances

BATCH_TOKENS = 131_072
KEEP_EVERY = 100
"""Batches after which it is written down how far the teacher has come."""


class Teacher:
    """The scores of a stronger network: one row a token, and one a sequence.

    They take a while and much room, so they are made once, batch after batch, and a run that was
    stopped goes on with them. ``of`` names the teacher and the data that they belong to.
    """

    def __init__(self, folder: Path, data: Instances, of: str) -> None:
        self.of = of
        self._folder, self._data, self._ends = folder, data, data.ids.ends
        self._batches = plan(data, np.arange(len(data)), tokens=BATCH_TOKENS, seed=0, epoch=0)
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
        """How many batches there are to score."""
        return len(self._batches)

    @property
    def complete(self) -> bool:
        """Whether everything is scored."""
        return self.filled == self.batches

    @property
    def _mark(self) -> Path:
        return self._folder / "scores.json"

    def _marked(self) -> int:
        """Batches that an earlier run scored."""
        if not self._mark.exists():
            return 0
        kept = json.loads(self._mark.read_text("utf-8"))
        if kept["of"] != self.of:
            raise self._foreign("of another teacher or over other data")
        return int(kept["batches"])

    def _keep(self) -> None:
        for scores in self._scores.values():
            scores.flush()
        with replace_text(self._mark) as out:
            json.dump({"of": self.of, "batches": self.filled}, out)

    def _foreign(self, why: str) -> LacunaError:
        return LacunaError(
            f"the teacher's scores in {self._folder} do not belong to this run ({why}). Choose "
            "another --out, or delete that folder to have them made anew."
        )

    def fill(
        self,
        network: nn.Module,
        device: torch.device,
        progress: Callable[[int], None] | None = None,
        *,
        until: float = math.inf,
    ) -> None:
        """Run the teacher over what is left, or till ``time.monotonic`` has come to ``until``."""
        network.eval()
        workers = 0 if device.type == "cpu" else COLLATORS
        left = self._batches[self.filled :]
        for batch in prefetched(Collated(self._data, left), workers):
            self._score(network, batch, device)
            self.filled += 1
            if progress is not None:
                progress(self.filled)
            late = time.monotonic() > until
            if late or self.complete or self.filled % KEEP_EVERY == 0:
                self._keep()
            if late:
                return

    def _score(self, network: nn.Module, made: Batch, device: torch.device) -> None:
        batch = made.to(device)
        with (
            torch.no_grad(),
            torch.autocast(device.type, torch.bfloat16, device.type == "cuda"),
        ):
            per_token, per_sequence = network(batch.ids, batch.marks, batch.mask)
        index = made.index.numpy()
        flat = per_token[batch.mask.bool()].clamp(-6e4, 6e4).half().cpu().numpy()
        self._scores["per_sequence"][index] = per_sequence.half().cpu().numpy()
        at = 0
        for one in index.tolist():
            start = self._ends[one - 1] if one else 0
            size = int(self._ends[one] - start)
            self._scores["per_token"][start : start + size] = flat[at : at + size]
            at += size

    def scores(self, batch: Batch) -> tuple[Tensor, Tensor]:
        """The teacher's scores of a batch that is still on the host."""
        per_token = np.zeros((*batch.ids.shape, Columns.PER_TOKEN), np.float16)
        for row, one in enumerate(batch.index.tolist()):
            start = self._ends[one - 1] if one else 0
            size = int(self._ends[one] - start)
            per_token[row, :size] = self._scores["per_token"][start : start + size]
        return torch.from_numpy(per_token), torch.from_numpy(
            self._scores["per_sequence"][batch.index.numpy()]
        )
