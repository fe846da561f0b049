"""IIRC's scorer: DROP's, with an answer that says nothing counted as the text "none"."""

from __future__ import annotations

from lacuna.answer_text import NO_ANSWER
from lacuna.datasets.drop.metric import DropMetric


class IIRCMetric(DropMetric):
    """DROP's scorer with its one difference."""

    none = NO_ANSWER["iirc"]
