"""Answers and feedback in a store that several servers share."""

from __future__ import annotations

import json
import logging
import re
import threading
import zlib
from collections import OrderedDict
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from importlib.util import find_spec
from typing import Any, Protocol

import msgspec
from pydantic import ValidationError

from lacuna.errors import LacunaError
from lacuna.serve.schemas import ResultSchema, schema_of
from lacuna.types import Turn
from lacuna.web.refusals import Refusal, feedback_full

KEPT_DAYS = 7
KEPT_SECONDS = KEPT_DAYS * 24 * 3600
STORE_TIMEOUT_SECONDS = 5
"""Seconds after which a store that does not answer counts as unreachable."""


LONGEST_DIALOG = 1_000
"""Answers that a dialog is followed back over, should its answers ever name each other."""


@dataclass(frozen=True, slots=True)
class CachedAnswer:
    """An answer as the client got it, and as the pipeline takes it for a follow-up."""

    result: dict[str, Any]
    """The JSON of a ``ResultSchema``."""
    turn: Turn
    person: str
    """Who asked, and alone may see it."""


class AnswerCache:
    """The last answers by their id; the oldest are forgotten.

    An answer names the one that it followed up, so a dialog is what its last answer leads back
    to: two people can go on from the same one.
    """

    def __init__(self, limit: int) -> None:
        self._limit = limit
        self._cached: OrderedDict[str, CachedAnswer] = OrderedDict()
        self._lock = threading.Lock()

    def add(self, result: dict[str, Any], turn: Turn, person: str) -> None:
        """Remember an answer."""
        with self._lock:
            self._cached[result["id"]] = CachedAnswer(result, turn, person)
            while len(self._cached) > self._limit:
                self._cached.popitem(last=False)

    def dialog(self, last: str, person: str, most: int = LONGEST_DIALOG) -> list[CachedAnswer]:
        """A person's dialog that ended with an answer, its first question first."""
        with self._lock:
            cached = self._cached.get(last)
            if cached is None or cached.person != person:
                raise answer_gone()
            dialog: list[CachedAnswer] = []
            at: str | None = last
            while at is not None and len(dialog) < most and (answer := self._cached.get(at)):
                dialog.append(answer)
                at = answer.result["after"]
        return dialog[::-1]


def answer_gone() -> Refusal:
    """The refusal of an answer that is not there, or is another person's."""
    return Refusal(
        404,
        "answer-gone",
        "The server has forgotten this answer: it was restarted, or has given many "
        "answers since. Ask the question again.",
    )


class AnswerKeeper(Protocol):
    """Keeps answers, for follow-up questions and for links that people share."""

    def add(self, result: dict[str, Any], turn: Turn, person: str) -> None:
        """Keep an answer; when this returns, it is kept."""

    def dialog(self, last: str, person: str, most: int = LONGEST_DIALOG) -> list[CachedAnswer]:
        """A person's dialog that ended with an answer, or so many of its last answers; a
        ``Refusal`` where there is none."""


class FeedbackKeeper(Protocol):
    """Keeps what people say of answers."""

    def put(self, line: Mapping[str, Any]) -> None:
        """Keep what was said of one answer, by its ``id``; the last word counts."""


class SharedStore(Protocol):
    """What several servers keep answers and feedback in; a ``Refusal`` where it cannot be used."""

    def put_answer(self, answer_id: str, kept: bytes) -> None:
        """Keep an answer, for ``KEPT_DAYS``."""

    def answer(self, answer_id: str) -> bytes | None:
        """An answer that was kept."""

    def put_feedback(self, answer_id: str, line: str, room: int) -> bool:
        """Keep a line about an answer, instead of an earlier one; nothing, and False, where all
        lines would be more than so many bytes."""

    def feedback(self) -> Iterator[str]:
        """All lines of feedback, the oldest first."""

    def check(self) -> None:
        """Refuse where it cannot be reached."""

    def close(self) -> None:
        """Let go of it."""


def dialog_about(
    answers: AnswerKeeper, corpus: str, last: str | None, person: str, most: int
) -> list[CachedAnswer]:
    """The end of a person's dialog about a corpus that ended with an answer; empty where nothing
    is followed up, and a ``Refusal`` where it is about another corpus."""
    if last is None:
        return []
    dialog = answers.dialog(last, person, most)
    if dialog[-1].result["corpus"] != corpus:
        raise Refusal(
            422,
            "other-corpus",
            "A follow-up must be asked of the corpus that its dialog is about.",
        )
    return dialog


# Answers and feedback in a store that several servers share.
#
# An answer that one server gave can be followed up on, and told about, at any other one.


ID = re.compile(r"[A-Za-z0-9_\-]{1,64}")
"""Ids that we make; others are not looked up."""


@dataclass(frozen=True, slots=True)
class _Kept:
    person: str
    turn: Turn
    result: msgspec.Raw


class SharedAnswers:
    """The answers of all servers that share a store."""

    def __init__(self, store: SharedStore) -> None:
        self._store = store

    def add(self, result: dict[str, Any], turn: Turn, person: str) -> None:
        """Keep an answer; when this returns, it is kept."""
        kept = _Kept(person, turn, msgspec.Raw(msgspec.json.encode(result)))
        self._store.put_answer(result["id"], zlib.compress(msgspec.json.encode(kept), 5))

    def dialog(self, last: str, person: str, most: int = LONGEST_DIALOG) -> list[CachedAnswer]:
        """A person's dialog that ended with an answer, its first question first.

        Each answer is asked for by itself, so who needs the last few asks for no more.
        """
        dialog: list[CachedAnswer] = []
        at: str | None = last
        while at is not None and len(dialog) < most:
            answer = self._answer(at)
            if answer is None or answer.person != person:
                break
            dialog.append(answer)
            at = answer.result["after"]
        if not dialog:
            raise answer_gone()
        return dialog[::-1]

    def _answer(self, answer_id: str) -> CachedAnswer | None:
        kept = self._store.answer(answer_id) if ID.fullmatch(answer_id) else None
        if kept is None:
            return None
        try:
            read = msgspec.json.decode(zlib.decompress(kept), type=_Kept)
            schema_of(ResultSchema).model_validate_json(bytes(read.result))
        except (zlib.error, msgspec.MsgspecError, ValidationError):
            return None  # kept by another version: as good as forgotten
        return CachedAnswer(msgspec.json.decode(read.result), read.turn, read.person)


class SharedFeedback:
    """The feedback of all servers that share a store; as much of it as a file may have."""

    def __init__(self, store: SharedStore, limit: int) -> None:
        self._store = store
        self._limit = limit

    def put(self, line: Mapping[str, Any]) -> None:
        """Keep what was said of one answer, by its ``id``."""
        if not self._store.put_feedback(str(line["id"]), json.dumps(line), self._limit):
            raise feedback_full()


NEEDED = {
    "postgresql": ("pg8000", "sqlalchemy"),
    "redis": ("redis",),
    "rediss": ("redis",),
}
"""The kinds of addresses, and the packages that each needs."""
PLACE = re.compile(r"((?:[\w.\-]+|\[[\da-fA-F:.]+\])(?::\d+)?(?:/[\w.\-]*)?)(?:[?#].*)?")
"""A host, a port and a name, then what is not shown."""
CUTS = frozenset("/?#@")
"""What ends a host or begins one: before the last "@" a password has it, or an option has that."""
HIDDEN = "…"


def open_shared_store(url: str) -> SharedStore:
    """The store at an address; an error at once where it cannot be used."""
    kind = url.partition("://")[0]
    if kind not in NEEDED:
        raise LacunaError(
            "Answers can be kept at an address that begins with postgresql://, redis:// or "
            "rediss://, such as redis://localhost:6379/0. Without it they are kept in "
            "memory."
        )
    if missing := [name for name in NEEDED[kind] if find_spec(name) is None]:
        raise LacunaError(
            f"To keep answers at {kind}:// needs {', '.join(missing)}. Install all of it with: "
            "pip install 'lacuna-qa[scale]'"
        )
    if kind == "postgresql":
        from lacuna.serve.shared_stores import PostgresStore

        return PostgresStore(url)
    from lacuna.serve.shared_stores import RedisStore

    return RedisStore(url)


def shown_address(url: str) -> str:
    """An address without what opens it; no more than its kind where it is not plain what that is.

    >>> shown_address("postgresql://lacuna:secret@db.example:5432/kept?password=secret")
    'postgresql://db.example:5432/kept'
    >>> shown_address("redis://:half#secret@db.example:6379/0")
    'redis://…'
    """
    kind, _, rest = url.partition("://")
    opens, _, where = rest.rpartition("@")  # the last one: a password may have some
    found = PLACE.fullmatch(where)
    return f"{kind}://{found[1] if found and not set(opens) & CUTS else HIDDEN}"


def cannot_open(url: str, said: object) -> LacunaError:
    """The error of a server that is to start."""
    return LacunaError(
        f"Nothing can be kept at {shown_address(url)}: {_sentence(url, said)} See whether it runs "
        "there, and whether the user and the password in LACUNA_KEEP_IN are right: in them / # ? "
        "@ : % are written as %2F %23 %3F %40 %3A %25."
    )


def cannot_use(url: str, said: object) -> Refusal:
    """The refusal of a server that runs; who runs it finds more in its log."""
    logging.getLogger(__name__).warning(
        "What is kept at %s cannot be used: %s", shown_address(url), _sentence(url, said)
    )
    return Refusal(
        503,
        "store-unreachable",
        "What this server keeps its answers in cannot be reached just now. Try again in 5 s.",
        {"Retry-After": "5"},
    )


def _sentence(url: str, said: object) -> str:
    """What went wrong; what was taken for a host or a port may be a piece of a password."""
    if isinstance(said, ValueError):
        return "its address cannot be read."
    if shown_address(url).endswith(HIDDEN):
        return "it cannot be reached."
    return f"{str(said).strip().rstrip('.')[:300]}."
