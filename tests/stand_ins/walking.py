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

    Modules that are loaded on the way do not count, nor what runs while they are: that happens
    once.
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
        called = self.file_of(frame)
        if called is None or (called not in self.files and _is_loading(frame)):
            return
        self.files.add(called)
        caller = frame.f_back
        while caller is not None and self.file_of(caller) is None:
            caller = caller.f_back  # a library stands between them
        if caller is not None and caller.f_code.co_name != "<module>":
            name = self.file_of(caller)
            assert name is not None
            pair = ((name, caller.f_code.co_name), (called, frame.f_code.co_name))
            if pair not in self._pairs and not _is_loading(caller):
                self._pairs.add(pair)

    def file_of(self, frame: FrameType) -> str | None:
        """The file of a frame below ``packages/``, or None."""
        path = frame.f_code.co_filename
        if path not in self._names:
            inside = path.startswith(str(ROOT))
            self._names[path] = str(Path(path).relative_to(ROOT)) if inside else None
        return self._names[path]


def _is_loading(frame: FrameType | None) -> bool:
    """Tell if the frame runs because a module is imported."""
    while frame is not None:
        if frame.f_code.co_filename == "<frozen importlib._bootstrap>":
            return True
        frame = frame.f_back
    return False


@contextmanager
def walked(walk: Walk | None = None) -> Iterator[Walk]:
    """Follow what runs in the block, on this thread and on those that it starts."""
    walk = walk or Walk()
    before = sys.getprofile()
    threading.setprofile(walk.see)
    sys.setprofile(walk.see)
    try:
        yield walk
    finally:
        sys.setprofile(before)
        threading.setprofile(None)
