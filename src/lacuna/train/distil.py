"""A teacher's scores over all instances, kept on disk, and what a student learns from them."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import numpy as np
import torch
from torch import Tensor, nn
from torch.nn import functional

from lacuna.read.heads import Columns
from lacuna.train.batches import COLLATORS, Batch, Collated, plan, prefetched
from lacuna.train.instances import Instances
from lacuna.train.loss import (
    at_places,
    choice_scores,
    sign_log_probabilities,
    span_log_probabilities,
)

BATCH_TOKENS = 131_072


class Teacher:
    """The scores of a stronger network: one row a token, and one a sequence."""

    def __init__(self, folder: Path, data: Instances, *, mode: str = "r") -> None:
        self._ends = data.ids.ends
        tokens = int(self._ends[-1]) if len(data) else 0
        shape = {
            "per_token": (tokens, Columns.PER_TOKEN),
            "per_sequence": (len(data), Columns.PER_SEQUENCE),
        }
        folder.mkdir(parents=True, exist_ok=True)
        self._scores = {
            name: np.lib.format.open_memmap(  # type: ignore[no-untyped-call]
                folder / f"{name}.npy", mode, np.float16 if mode == "w+" else None, shape[name]
            )
            for name in shape
        }
        if self._scores["per_token"].shape != shape["per_token"]:
            raise ValueError("the teacher's scores are of other instances")

    def fill(
        self,
        network: nn.Module,
        data: Instances,
        device: torch.device,
        progress: Callable[[int, int], None] | None = None,
    ) -> None:
        """Run the teacher over everything once."""
        network.eval()
        batches = plan(data, np.arange(len(data)), tokens=BATCH_TOKENS, seed=0, epoch=0)
        workers = 0 if device.type == "cpu" else COLLATORS
        for number, made in enumerate(prefetched(Collated(data, batches), workers)):
            index = made.index.numpy()
            batch = made.to(device)
            with (
                torch.no_grad(),
                torch.autocast(device.type, torch.bfloat16, device.type == "cuda"),
            ):
                per_token, per_sequence = network(batch.ids, batch.marks, batch.mask)
            flat = per_token[batch.mask.bool()].clamp(-6e4, 6e4).half().cpu().numpy()
            self._scores["per_sequence"][index] = per_sequence.half().cpu().numpy()
            at = 0
            for one in index.tolist():
                start = self._ends[one - 1] if one else 0
                size = int(self._ends[one] - start)
                self._scores["per_token"][start : start + size] = flat[at : at + size]
                at += size
            if progress is not None:
                progress(number + 1, len(batches))

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


def distilled(
    student: tuple[Tensor, Tensor], teacher: tuple[Tensor, Tensor], batch: Batch, temperature: float
) -> dict[str, Tensor]:
    """How far the student is from the teacher, head by head: sums and counts, as in ``losses``."""
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
    made = {"answer": _sum(kind + spans + signs, batch.answered)}
    for name, places, columns in (
        ("sentences", batch.sentences, Columns.SENTENCE),
        ("links", batch.links, Columns.LINK),
    ):
        known = places[..., 2] >= 0
        target = at_places(theirs[0], places, columns).sigmoid()
        each = functional.binary_cross_entropy_with_logits(
            at_places(ours[0], places, columns), target, reduction="none"
        )
        made[name] = _sum((each * known).sum(1) / known.sum(1).clamp(min=1), known.any(1))
    relevance = functional.binary_cross_entropy_with_logits(
        ours[1][:, Columns.RELEVANCE], theirs[1][:, Columns.RELEVANCE].sigmoid(), reduction="none"
    )
    made["relevance"] = _sum(relevance, batch.relevance >= 0)
    choice = _divergence(
        choice_scores(ours[1], batch), choice_scores(theirs[1], batch), temperature
    )
    made["choice"] = torch.stack([choice.sum(), choice.new_tensor(float(len(choice)))])
    return made


def _divergence(ours: Tensor, theirs: Tensor, temperature: float) -> Tensor:
    """Kullback–Leibler over the last axis, scaled so that its gradients keep their size."""
    a = (ours / temperature).log_softmax(-1)
    b = (theirs / temperature).log_softmax(-1)
    return (b.exp() * (b - a)).sum(-1) * temperature**2


def _sum(each: Tensor, known: Tensor) -> Tensor:
    return torch.stack([torch.where(known, each, 0.0).sum(), known.sum().to(each.dtype)])
