"""QuAC's two tasks: a dialog between a student and a teacher, and validating its questions."""

from lacuna.collect.tasks.quac.family import QuACFamily

FAMILY = QuACFamily()

__all__ = ["FAMILY"]
