"""Opens what servers share, by its address; no error and no log names a password."""

from __future__ import annotations

import logging
import re
from importlib.util import find_spec

from lacuna.errors import LacunaError
from lacuna.server.keeping.protocol import SharedStore
from lacuna.server.refusals import Refusal

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
            "rediss://, such as redis://localhost:6379/0. Without --keep-in they are kept in "
            "memory."
        )
    if missing := [name for name in NEEDED[kind] if find_spec(name) is None]:
        raise LacunaError(
            f"To keep answers at {kind}:// needs {', '.join(missing)}. Install all of it with: "
            "pip install 'lacuna-qa[scale]'"
        )
    if kind == "postgresql":
        from lacuna.server.keeping.postgres_store import PostgresStore

        return PostgresStore(url)
    from lacuna.server.keeping.redis_store import RedisStore

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
        "there, and whether the user and the password in --keep-in are right: in them / # ? @ : % "
        "are written as %2F %23 %3F %40 %3A %25."
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
