"""The names that a server answers under.

A page of another site can make its own name point to this machine, and then read what the server
gives, as if both were one site. So a name must be one that somebody configured. An address in
numbers is not a name that can be pointed elsewhere: the one that the connection came in on is fine.
"""

from __future__ import annotations

import ipaddress
from collections.abc import Iterable
from dataclasses import dataclass
from urllib.parse import urlsplit

from lacuna.errors import LacunaError


def is_loopback(host: str) -> bool:
    """Whether only this machine can reach a server that is bound to that host."""
    if host.lower() == "localhost":
        return True
    address = _address(host)
    return address is not None and address.is_loopback


def is_everywhere(host: str) -> bool:
    """Whether a server that is bound to that host listens on all addresses of its machine."""
    address = _address(host)
    return address is not None and address.is_unspecified


@dataclass(frozen=True, slots=True)
class AllowedHosts:
    """The names of a server, beside those of loopback."""

    names: frozenset[str] = frozenset()

    @classmethod
    def of(cls, bound_to: str, named: Iterable[str] = ()) -> AllowedHosts:
        """Those that a server was bound to, and was told."""
        names = {_checked(name) for name in named}
        if not is_everywhere(bound_to):
            names.add(_without_brackets(bound_to))
        return cls(frozenset(names))

    def allow(self, header: str, local_address: str) -> bool:
        """Whether a ``Host`` header names this server, on a connection to ``local_address``."""
        name = _name_in(header)
        if not name:
            return False
        return name in self.names or is_loopback(name) or name == _without_brackets(local_address)


def _checked(name: str) -> str:
    if not name or _name_in(name) != _without_brackets(name):
        raise LacunaError(
            f"--allow-host {name!r} is no name of a machine. Give only the name, such as "
            "notes.example.org, without http:// and without a port."
        )
    return _without_brackets(name)


def _without_brackets(name: str) -> str:
    return name.lower().strip("[]")


def _name_in(header: str) -> str:
    try:
        return urlsplit(f"//{header}").hostname or ""
    except ValueError:  # a bracket that is not closed
        return ""


def _address(host: str) -> ipaddress.IPv4Address | ipaddress.IPv6Address | None:
    try:
        return ipaddress.ip_address(host.strip("[]"))
    except ValueError:
        return None
