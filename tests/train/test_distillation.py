"""A teacher's scores, and a student that comes closer to them."""

from __future__ import annotations

import time
from pathlib import Path
from typing import Any

import numpy as np
import pytest

torch = pytest.importorskip("torch")
pytest.importorskip("transformers")

from lacuna.errors import LacunaError
from lacuna.models.reader.encode import Tokenizer
from lacuna_lab.train import distillation
from lacuna_lab.train.batches import collate, plan_batches
from lacuna_lab.train.distillation import Teacher, distillation_losses
from lacuna_lab.train.instances import Instances
from lacuna_lab.train.network import Network, build

CPU = torch.device("cpu")


@pytest.fixture
def data(caches: Path, monkeypatch: pytest.MonkeyPatch) -> Instances:
    monkeypatch.setattr(distillation, "BATCH_TOKENS", 400)
    return Instances.load(next(caches.glob("data-*.npz")))


def network(encoder: Path, tokenizer: Path, seed: int) -> Network:
    torch.manual_seed(seed)
    made = build(encoder, Tokenizer(tokenizer).vocabulary)
    for layer in (made.token_scores, made.sequence_scores):
        torch.nn.init.normal_(layer.weight, std=0.5)
    return made


def test_a_student_comes_closer(
    data: Instances, encoder: Path, tokenizer: Path, tmp_path: Path
) -> None:
    teacher = Teacher(tmp_path, data, "a")
    teacher.fill(network(encoder, tokenizer, 1), CPU)
    student = network(encoder, tokenizer, 2)
    optimizer = torch.optim.Adam(student.parameters(), 3e-3)
    batches = plan_batches(data, np.arange(len(data)), tokens=2000, seed=1, epoch=1)

    def distance(epoch: int) -> float:
        total = 0.0
        for index in batches:
            batch = collate(data, index)
            theirs: Any = teacher.scores(batch)
            parts = distillation_losses(
                student(batch.ids, batch.marks, batch.mask), theirs, batch, 2.0
            )
            loss = sum(part[0] for part in parts.values()) / len(index)
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
            total += loss.item()
        return total

    distances = [distance(epoch) for epoch in range(4)]
    assert all(np.isfinite(distances))
    assert distances[-1] < 0.7 * distances[0]


def test_scores_are_the_teachers(
    data: Instances, encoder: Path, tokenizer: Path, tmp_path: Path
) -> None:
    made = network(encoder, tokenizer, 1)
    teacher = Teacher(tmp_path / "whole", data, "a")
    teacher.fill(made, CPU)
    assert teacher.complete
    assert teacher.batches > 3
    batch = collate(data, np.array([len(data) - 1, 0, 3]))
    with torch.no_grad():
        per_token, per_sequence = made(batch.ids, batch.marks, batch.mask)
    kept = Teacher(tmp_path / "whole", data, "a").scores(batch)
    inside = batch.mask.bool()
    assert torch.allclose(kept[0][inside].float(), per_token[inside], atol=0.02)
    assert torch.allclose(kept[1].float(), per_sequence, atol=0.02)
    assert not kept[0][~inside].any()

    # Stopped after every batch, it comes to the same.
    folder = tmp_path / "stopped"
    for filled in range(1, teacher.batches + 1):
        stopped = Teacher(folder, data, "a")
        stopped.fill(made, CPU, until=time.monotonic())
        assert stopped.filled == filled
    for name in ("per_token.npy", "per_sequence.npy"):
        assert (folder / name).read_bytes() == (tmp_path / "whole" / name).read_bytes()


def test_scores_of_other_data_are_refused(
    data: Instances, encoder: Path, tokenizer: Path, tmp_path: Path
) -> None:
    Teacher(tmp_path, data, "a").fill(network(encoder, tokenizer, 1), CPU)
    with pytest.raises(LacunaError, match="another teacher or over other data"):
        Teacher(tmp_path, data, "b")
    (tmp_path / "per_token.npy").write_bytes((tmp_path / "per_token.npy").read_bytes()[:2000])
    with pytest.raises(LacunaError, match="do not belong to this run"):
        Teacher(tmp_path, data, "a")
