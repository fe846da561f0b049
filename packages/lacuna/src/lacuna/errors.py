"""The errors that a user can do something about.

A door (the command line, the web page) shows the message as it is, one paragraph, and exits
with code 2. Anything else that escapes is a bug of ours and keeps its traceback.
"""

from __future__ import annotations

import errno
from collections.abc import Collection, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any


class LacunaError(Exception):
    """Something about the input; the message says what and what to do."""


OF_THE_SYSTEM = frozenset(
    (errno.EMFILE, errno.ENFILE, errno.ENOMEM, errno.ENOLCK, errno.ENOSPC, errno.EAGAIN, errno.EIO)
)
"""Errors of a system that has no more files, memory, locks, space or processes, or a bad disk."""


def is_of_the_system(error: BaseException) -> bool:
    """Tell if an error says something about the machine and nothing about what is read on it.

    >>> is_of_the_system(OSError(errno.EMFILE, "Too many open files"))
    True
    >>> is_of_the_system(ModuleNotFoundError("No module named 'x'"))
    False
    """
    match error:
        case OSError():
            return error.errno in OF_THE_SYSTEM
        case ImportError():  # a library is there, and the system could not load it
            return not isinstance(error, ModuleNotFoundError)
        case RuntimeError():
            return str(error) == "can't start new thread"
        case _:
            return False


class AddressError(LacunaError):
    """Something about the store behind an address."""


class BadField(Exception):  # noqa: N818 - it never reaches a user under this name
    """A field of an item is not as the format says; ItemError adds the file and the item."""

    def __init__(self, field: str, expected: str, found: str) -> None:
        super().__init__(f"{field}: expected {expected}, found {found}")
        self.field = field
        self.expected = expected
        self.found = found


class ItemError(LacunaError):
    """One item of a file is broken; the items around it may be fine."""

    def __init__(self, path: Path, item: str, problem: BadField, *, can_skip: bool = True) -> None:
        skip = ", or set LACUNA_SKIP_BAD=1 to leave such items out" if can_skip else ""
        super().__init__(
            f"{path}, {item}, field {problem.field}: "
            f"expected {problem.expected}, found {problem.found}. Mend it{skip}."
        )
        self.item = item
        self.field = problem.field
        self.expected = problem.expected
        self.found = problem.found


@contextmanager
def needs(extra: str, what: str) -> Iterator[None]:
    """Around imports of what an extra brings: where one is missing, say how to install it."""
    try:
        yield
    except ModuleNotFoundError as error:
        raise LacunaError(
            f"{what} needs {error.name or error}, which is not installed. Install it with: "
            f"pip install 'lacuna-qa[{extra}]'"
        ) from error


def no_such(kind: str, name: str, known: Collection[str]) -> LacunaError:
    """The error for a name that does not exist; it lists those that do, and the closest first.

    >>> print(no_such("dataset", "hotpot", ["iirc", "hotpotqa"]))
    There is no dataset 'hotpot'. Did you mean hotpotqa? There are: iirc, hotpotqa.
    """
    from difflib import get_close_matches

    close = get_close_matches(name.casefold(), known, n=1)
    hint = f" Did you mean {close[0]}?" if close else ""
    return LacunaError(f"There is no {kind} {name!r}.{hint} There are: {', '.join(known)}.")


def shown(value: Any, limit: int = 60) -> str:
    """A value as an error message shows it: its type in words, and its beginning.

    >>> shown([1, 2])
    'a list of 2'
    >>> shown("water")
    "'water'"
    """
    match value:
        case None:
            return "null"
        case bool():
            return "true" if value else "false"
        case int() | float():
            return f"the number {value!r}"[:limit]
        case str():
            return repr(value if len(value) <= limit else value[:limit] + "…")
        case list():
            return f"a list of {len(value)}"
        case dict():
            keys = ", ".join(repr(key) for key in list(value)[:6])
            return f"an object with {keys}" if keys else "an empty object"
        case _:
            return type(value).__name__
