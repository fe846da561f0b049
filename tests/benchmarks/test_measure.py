"""Commands are measured in turns, and a failing one says why."""

from __future__ import annotations

import sys
from functools import partial
from pathlib import Path

import pytest
from benchmarks.measure import Run, in_turns, run, run_python
from benchmarks.speed.before_after import row, source_of

from lacuna.errors import LacunaError


def test_a_command_is_timed_and_its_output_kept() -> None:
    code = "import os; print(os.environ['LACUNA_WORD'], sum(range(3_000_000)))"
    done = run([sys.executable, "-c", code], {"LACUNA_WORD": "here"})
    assert done.output.split() == ["here", "4499998500000"]
    assert 0 < done.user <= done.cpu
    assert done.wall > 0


def test_a_command_that_fails_says_why() -> None:
    with pytest.raises(LacunaError, match="ended with code 3: no such thing"):
        run([sys.executable, "-c", "import sys; print('no such thing', file=sys.stderr); exit(3)"])


def test_memory_of_a_program() -> None:
    (_, small), (_, large) = run_python("pass"), run_python("x = b'x' * 50_000_000")
    assert 40 < large - small < 60


def test_turns_change_their_order() -> None:
    order: list[str] = []

    def work(name: str) -> int:
        order.append(name)
        return len(order)

    results = in_turns(3, {name: partial(work, name) for name in ("a", "b")})
    assert order == ["a", "b", "b", "a", "a", "b"]
    assert results == {"a": [1, 4, 5], "b": [2, 3, 6]}


def test_ratios_are_taken_round_by_round() -> None:
    # A busy machine slows both sides of a round: their ratio stays.
    other = [Run(1.0, 0.5, 0.0, "x"), Run(9.0, 0.5, 0.0, "x"), Run(1.0, 0.5, 0.0, "x")]
    this = [Run(1.1, 0.5, 0.0, "x"), Run(9.9, 0.5, 0.0, "x"), Run(1.1, 0.5, 0.0, "x")]
    expected = "| ask | 1000 ms | 1100 ms | 1.100 ! | 500 ms | 500 ms | 1.000 | yes |"
    assert row("ask", other, this) == expected
    assert row("ask", other, [*this[:2], Run(1.1, 0.5, 0.0, "y")]).endswith("| no |")


def test_a_checkout_of_any_age_has_its_package_somewhere(tmp_path: Path) -> None:
    for place in ("new/packages/lacuna/src", "old/src", "bare"):
        (tmp_path / place / "lacuna").mkdir(parents=True)
        (tmp_path / place / "lacuna" / "__init__.py").touch()
        assert source_of(tmp_path / place.split("/")[0]) == tmp_path / place
    with pytest.raises(LacunaError, match="no package lacuna"):
        source_of(tmp_path)
