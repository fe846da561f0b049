"""Limits that make no sense are refused."""

from __future__ import annotations

import math

import pytest

from lacuna.errors import LacunaError
from lacuna.pipeline.budget import Budget


@pytest.mark.parametrize(
    "limits",
    [{"hops": -1}, {"windows": 0}, {"milliseconds": 0.0}, {"milliseconds": math.nan}],
)
def test_no_budget(limits: dict[str, float]) -> None:
    with pytest.raises(LacunaError, match="budget"):
        Budget(**limits)  # type: ignore[arg-type]
