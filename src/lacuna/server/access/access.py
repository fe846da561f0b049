"""What a server was told about who may use it, and for what."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from lacuna.server.access.hosts import AllowedHosts


@dataclass(frozen=True, slots=True)
class Access:
    """Who may use a server, under which names, and which folders they may open by path."""

    tokens: Sequence[str] = ()
    """What a client must know one of, one for each person; without any, everybody gets in who can
    reach the server."""
    tokens_stay: bool = False
    """Whether they are the same after the next start: then a browser may remember one for days."""
    hosts: AllowedHosts = AllowedHosts()  # noqa: RUF009 - it is frozen
    folders: Sequence[Path] = ()
    """Folders that may be opened by path, beside those of the corpus that it is started with."""
    local: bool = True
    """Whether whoever asks sits at the server's machine, and may be told where its files lie."""
