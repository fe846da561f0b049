"""What is missing where nothing answers, in words that help."""

from lacuna.pipeline.gaps.remaining import dialog_gap, remaining_gap

__all__ = ["dialog_gap", "remaining_gap"]
