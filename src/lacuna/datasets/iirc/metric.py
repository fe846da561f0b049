"""IIRC's scorer: DROP's, with an answer that says nothing counted as the text "none"."""

from __future__ import annotations

from lacuna.datasets.drop.metric import DropMetric
from lacuna.datasets.iirc.iirc_format import NO_ANSWER


class IIRCMetric(DropMetric):
    """DROP's scorer with its one difference."""

    none = NO_ANSWER
