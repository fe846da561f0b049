"""Limits that make no sense are refused."""

from __future__ import annotations

import math

import pytest

from lacuna.errors import LacunaError
from lacuna.pipeline.config import PipelineConfig


@pytest.mark.parametrize(
    "limits",
    [{"hops": -1}, {"windows": 0}, {"milliseconds": 0.0}, {"milliseconds": math.nan}],
)
def test_limits_that_make_no_sense(limits: dict[str, float]) -> None:
    with pytest.raises(LacunaError, match=r"more than 0|or more"):
        PipelineConfig(**limits)  # type: ignore[arg-type]
