"""What the verbs that need torch share."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager


@contextmanager
def needs_training() -> Iterator[None]:
    """Explain how to install what a verb needs, where it is missing."""
    from lacuna.errors import LacunaError

    try:
        yield
    except ImportError as problem:
        raise LacunaError(
            f"this needs more than reading does ({problem}). Install it with: "
            "pip install 'lacuna-qa[train]'"
        ) from problem
