"""One process on a machine of the cluster: it opens a job, and does the items that it is given.

What goes wrong comes back as a value: an exception may be of a class that cannot be sent.
"""

from __future__ import annotations

from contextlib import ExitStack
from typing import Any

from lacuna.cluster.job import BrokenItem, Job, Opened, OpenedJob, RefusedWork
from lacuna.errors import LacunaError
from lacuna.version import __version__

LONGEST_REASON = 300


class Worker:
    """The body of a Ray actor."""

    def __init__(self, job: Job[Any, Any]) -> None:
        self._job = job
        self._held = ExitStack()
        self._opened: OpenedJob[Any, Any] | None = None

    def open(self) -> Opened | RefusedWork:
        """Load what the job needs."""
        import ray

        try:
            self._opened = self._held.enter_context(self._job.open())
        except LacunaError as error:
            return RefusedWork(str(error))
        except Exception as error:
            return RefusedWork(f"The work could not be begun there ({_reason(error)}).")
        node = ray.get_runtime_context().get_node_id()
        return Opened(node, __version__, getattr(self._opened, "about", None))

    def work(self, item: Any) -> Any:
        """The result of an item, or ``BrokenItem`` or ``RefusedWork``."""
        assert self._opened is not None
        try:
            return self._opened.work(item)
        except LacunaError as error:
            return RefusedWork(str(error))
        except Exception as error:  # one bad item must not keep the others from being done
            return BrokenItem(_reason(error))


def _reason(error: Exception) -> str:
    first = str(error).strip().partition("\n")[0]
    return f"{type(error).__name__}: {first}".rstrip(": ")[:LONGEST_REASON]
