"""Which of the project's files a piece of work goes through, on all threads."""

from __future__ import annotations

import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from types import FrameType
from typing import Any

ROOT = Path(__file__).parent.parent.parent / "packages"


class Walk:
    """The files that ran, and from which function of one file which function of another was called.

    Modules that are loaded on the way do not count: that happens once.
    """

    def __init__(self) -> None:
        self._pairs: set[tuple[tuple[str, str], tuple[str, str]]] = set()
        self._names: dict[str, str | None] = {}
        self.files: set[str] = set()

    @property
    def changes(self) -> set[tuple[tuple[str, str], tuple[str, str]]]:
        """Pairs of functions in different files of which one called the other."""
        return {pair for pair in self._pairs if pair[0][0] != pair[1][0]}

    def see(self, frame: FrameType, event: str, _: Any) -> None:
        if event != "call" or frame.f_code.co_name == "<module>":
            return
        called = self._name(frame)
        if called is None:
            return
        self.files.add(called)
        caller = frame.f_back
        while caller is not None and self._name(caller) is None:
            caller = caller.f_back  # a library stands between them
        if caller is not None and caller.f_code.co_name != "<module>":
            name = self._name(caller)
            assert name is not None
            self._pairs.add(((name, caller.f_code.co_name), (called, frame.f_code.co_name)))

    def _name(self, frame: FrameType) -> str | None:
        """The file of a frame below ``packages/``, or None."""
        path = frame.f_code.co_filename
        if path not in self._names:
            inside = path.startswith(str(ROOT))
            self._names[path] = str(Path(path).relative_to(ROOT)) if inside else None
        return self._names[path]


@contextmanager
def walked() -> Iterator[Walk]:
    """Follow what runs in the block, on this thread and on those that it starts."""
    walk = Walk()
    before = sys.getprofile()
    threading.setprofile(walk.see)
    sys.setprofile(walk.see)
    try:
        yield walk
    finally:
        sys.setprofile(before)
        threading.setprofile(None)
