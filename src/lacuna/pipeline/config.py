"""How much work one question may cost."""

from __future__ import annotations

from dataclasses import dataclass

from lacuna.errors import LacunaError


@dataclass(frozen=True, slots=True)
class PipelineConfig:
    """Limits that the caller sets; each is kept, whatever the question.

    ``hops`` counts the times that the search goes on from what it found, ``windows`` the pieces
    of documents that the model ranks in each hop. With ``milliseconds`` no new step is begun once
    they are over: the best answer by then is given.
    """

    hops: int = 2
    windows: int = 6
    milliseconds: float | None = None

    def __post_init__(self) -> None:
        if self.hops < 0 or self.windows < 1:
            raise LacunaError("The pipeline needs 0 hops or more, and 1 window or more.")
        if self.milliseconds is not None and not self.milliseconds > 0:
            raise LacunaError("A limit of milliseconds must be more than 0.")
