from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

torch = pytest.importorskip("torch")
pytest.importorskip("transformers")

from gap_examples import changed, colour_examples, weights

from lacuna.errors import LacunaError
from lacuna_lab.gapqa.data import GapDataset
from lacuna_lab.gapqa.run import GapTraining, GapTrainingEnd, choice_scores
from lacuna_lab.train.checkpoint import tidy


def test_it_learns_that_the_right_choice_stands_in_the_fact(training: Any) -> None:
    run = training(epochs=8)
    ended = run.run()
    assert ended == GapTrainingEnd(8, 1.0), "held-out questions are right as well"
    examples = colour_examples()
    scores = choice_scores(run.network, GapDataset.of(examples), range(len(examples)), "no")
    assert [int(one.argmax()) for one in scores] == [one.right for one in examples]


def test_every_step_is_reported(training: Any) -> None:
    steps: list[int] = []
    run = training()
    run.run(steps.append)
    assert steps == list(range(1, run.steps + 1))
    assert run.steps == 3 * 3, "three epochs of 18 questions, 8 a batch"


def test_a_killed_run_goes_on_as_if_it_had_not_stopped(training: Any) -> None:
    whole = training("whole")
    whole_end = whole.run()

    def kill_in_the_second_epoch(step: int) -> None:
        if step == 5:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        training("killed").run(kill_in_the_second_epoch)
    steps: list[int] = []
    again = training("killed")
    assert again.run(steps.append) == whole_end
    assert steps[0] == 4, "the second epoch begins anew"
    assert not changed(weights(again.network), weights(whole.network))


def test_time_that_is_up_ends_an_epoch_not_the_run(training: Any, tmp_path: Path) -> None:
    whole = training("whole")
    whole.run()
    first = training("parts").run(until=0.0)
    assert first.stopped
    assert first.epochs == 1
    assert training("parts").run(until=0.0).epochs == 2
    last = training("parts")
    assert not last.run(until=0.0).stopped, "the last epoch is the end"
    assert not changed(weights(last.network), weights(whole.network))
    assert sorted(path.name for path in (tmp_path / "parts").iterdir()) == [
        *("best.pt", "checkpoint.pt")
    ]
    tidy(tmp_path / "parts")
    assert not list((tmp_path / "parts").iterdir())


def test_seeds_differ(training: Any) -> None:
    one, other = training("one"), training("other", seed=2)
    one.run()
    other.run()
    assert changed(weights(one.network), weights(other.network))


def scripted(monkeypatch: pytest.MonkeyPatch, accuracies: list[float]) -> list[dict[str, Any]]:
    """After each epoch the next of these accuracies; returns the weights at that time."""
    seen: list[dict[str, Any]] = []
    each: Iterator[float] = iter(accuracies)

    def accuracy(self: GapTraining) -> float:
        seen.append(weights(self.network))
        return next(each)

    monkeypatch.setattr(GapTraining, "_accuracy", accuracy)
    return seen


def test_the_best_epoch_is_kept(training: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    seen = scripted(monkeypatch, [0.2, 0.6, 0.6, 0.1])
    run = training(epochs=4)
    assert run.run() == GapTrainingEnd(4, 0.6)
    assert not changed(weights(run.network), seen[1]), "of equals the first"
    assert changed(seen[1], seen[3])


def test_a_run_that_gets_no_better_stops(training: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    seen = scripted(monkeypatch, [0.5, 0.6, 0.4, 0.3, 0.9])
    run = training(epochs=5, patience=2)
    assert run.run() == GapTrainingEnd(4, 0.6)
    assert not changed(weights(run.network), seen[1])


def test_without_questions_kept_aside_the_last_epoch_counts(
    training: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    seen = scripted(monkeypatch, [])
    run = training(held_out=0.0, epochs=2, patience=1)
    assert run.run() == GapTrainingEnd(2, None)
    assert not seen


def test_another_run_does_not_go_on_from_here(training: Any) -> None:
    training().run(until=0.0)
    with pytest.raises(LacunaError, match="does not belong to this run"):
        training(batch=4)
    training(seeds=(7,), name="renamed")


def test_something_must_be_left_to_learn_from(training: Any) -> None:
    with pytest.raises(LacunaError, match="nothing to learn from"):
        training(held_out=0.999)


def test_scores_do_not_depend_on_the_batch(bilstm: Any) -> None:
    examples, network = colour_examples() * 3, bilstm()
    data = GapDataset.of(examples)
    together = choice_scores(network, data, range(len(data)), "no")
    backwards = choice_scores(network, data, range(len(data))[::-1], "no")
    assert len(together) == len(examples)
    for one, other in zip(together, backwards[::-1], strict=True):
        assert one == pytest.approx(other, abs=1e-5)
