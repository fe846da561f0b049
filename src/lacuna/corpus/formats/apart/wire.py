"""How a file goes to the process that reads it, and how its pages come back.

Both are JSON, whose parser can be given anything: what comes back was made from a file that nobody
has vouched for. All text that comes back is Unicode that a file can hold.
"""

from __future__ import annotations

import json
from collections.abc import Iterable

import msgspec

from lacuna.corpus.pages.page import Page
from lacuna.corpus.source_item import Skipped


class Request(msgspec.Struct):
    """What to read: a file of ``size`` bytes, which follow, in one of the formats; and the seconds
    of a processor's time that it may take."""

    format: str
    name: str
    size: int
    seconds: float


class Reply(msgspec.Struct):
    """What was read, in order: each is a page, or what was skipped. ``known`` is false where the
    process has no such format."""

    items: list[tuple[Page | None, Skipped | None]] = []
    known: bool = True


_REQUEST = msgspec.json.Decoder(Request)
_REPLY = msgspec.json.Decoder(Reply)


def packed_request(request: Request) -> bytes:
    """One line."""
    return msgspec.json.encode(request) + b"\n"


def unpacked_request(line: bytes) -> Request:
    """What ``packed_request`` wrote."""
    return _REQUEST.decode(line)


def packed_reply(items: Iterable[Page | Skipped], *, known: bool = True) -> bytes:
    """One line with everything that was read."""
    reply = Reply([(None, i) if isinstance(i, Skipped) else (i, None) for i in items], known)
    try:
        return msgspec.json.encode(reply) + b"\n"
    except UnicodeEncodeError:
        # Half of a surrogate pair, which no file could hold: one sign stands for one.
        written = json.dumps(msgspec.to_builtins(reply), ensure_ascii=False)
        return written.encode("utf-8", "replace") + b"\n"


def unpacked_reply(line: bytes) -> list[Page | Skipped] | None:
    """What was read; None where the format was not known. What is no reply is a ``ValueError``."""
    reply = _REPLY.decode(line)
    return [item for pair in reply.items for item in pair if item] if reply.known else None
