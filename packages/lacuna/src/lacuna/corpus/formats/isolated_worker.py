"""The process that reads documents: one after the other, as long as it is given some."""

from __future__ import annotations

import os
import signal
import sys
from contextlib import suppress
from importlib import import_module
from typing import BinaryIO

from lacuna.corpus.formats.base import DocumentFormat, ParseFile, get_format
from lacuna.corpus.formats.entries import Entry
from lacuna.corpus.formats.isolation import (
    FAILED,
    READY,
    packed_reply,
    parsed_items,
    unpacked_request,
)
from lacuna.corpus.store import Skipped
from lacuna.errors import LacunaError, is_of_the_system
from lacuna.files.child import limit_here

MOST_MEMORY = 4 << 30
"""Bytes of address space; a document that needs more is skipped."""
IDLE_TIMEOUT_SECONDS = 60
"""Seconds without a document after which it ends, so that nobody keeps its memory for nothing."""
PIECES = {
    "wikitext page": ("lacuna.corpus.formats.mediawiki", "WIKITEXT_PAGE"),
    "iirc article": ("lacuna.corpus.formats.dumps", "IIRC_ARTICLE"),
}
"""The pieces that dumps are made of; each is read as if it were a file."""


def main() -> None:
    """Answer until there is nothing more to read."""
    try:
        _answer()
    except OSError:  # of the pipes: nobody can be told but by the exit code
        os._exit(FAILED)


def _answer() -> None:
    requests, replies = _ends()
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # whoever was interrupted ends this one
    _limit_memory()
    replies.write(READY)
    replies.flush()
    while line := _waited_for(requests):
        request = unpacked_request(line)
        entry = Entry(request.name, requests.read(request.size))
        known = find_format(request.format)
        parse = None if known is None else known.parse
        _end_after_work(request.seconds)
        reply = packed_reply((), known=False) if parse is None else _read(parse, entry)
        _end_after_work(0)
        replies.write(reply)
        replies.flush()


def _ends() -> tuple[BinaryIO, BinaryIO]:
    """The pipes of requests and replies; what a parser prints goes to neither."""
    replies = os.fdopen(os.dup(sys.stdout.fileno()), "wb")
    os.dup2(sys.stderr.fileno(), sys.stdout.fileno())
    return sys.stdin.buffer, replies


def _limit_memory() -> None:
    with suppress(ValueError, OSError):
        limit_here(AS=MOST_MEMORY)


def _waited_for(requests: BinaryIO) -> bytes:
    if hasattr(signal, "alarm"):  # not on Windows
        signal.alarm(IDLE_TIMEOUT_SECONDS)
    line = requests.readline()
    if hasattr(signal, "alarm"):
        signal.alarm(0)
    return line


def _end_after_work(seconds: float) -> None:
    """Let the system end this process after so much processor time; 0 calls that off.

    Unlike time by the clock, that does not depend on what else the machine does.
    """
    if hasattr(signal, "setitimer"):  # not on Windows
        signal.setitimer(signal.ITIMER_PROF, seconds)


def find_format(name: str) -> DocumentFormat | None:
    """A format, or what a dump is made of; None where this process does not know it."""
    if name in PIECES:
        module, piece = PIECES[name]
        found: DocumentFormat = getattr(import_module(module), piece)
        return found
    with suppress(LacunaError):
        return get_format(name)
    return None


def _read(parse: ParseFile, entry: Entry) -> bytes:
    try:
        return packed_reply(parsed_items(parse, entry))
    except Exception as error:  # such as no memory for the reply
        if is_of_the_system(error):
            return packed_reply((), is_well=False)
        return packed_reply([Skipped(entry.name, f"reading it failed ({type(error).__name__})")])


if __name__ == "__main__":
    main()
