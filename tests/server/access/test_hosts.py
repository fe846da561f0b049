"""The names that a server answers under."""

from __future__ import annotations

import pytest

from lacuna.errors import LacunaError
from lacuna.web.access import AllowedHosts, is_everywhere, is_loopback


@pytest.mark.parametrize(
    ("host", "inside"),
    [("127.0.0.1", True), ("::1", True), ("localhost", True), ("0.0.0.0", False), ("::", False)],
)
def test_is_loopback(host: str, inside: bool) -> None:
    assert is_loopback(host) is inside
    assert is_everywhere(host) is (not inside)


def test_the_address_that_a_connection_came_in_on() -> None:
    hosts = AllowedHosts.of("0.0.0.0")
    assert hosts.allow("192.168.0.7:8420", "192.168.0.7")
    assert not hosts.allow("192.168.0.8:8420", "192.168.0.7")
    assert hosts.allow("[FE80::1]:8420", "fe80::1")


def test_a_name_that_was_bound_to_or_told() -> None:
    hosts = AllowedHosts.of("box.lan", ["Notes.Example"])
    assert hosts.allow("notes.example", "10.0.0.1")
    assert hosts.allow("BOX.lan:80", "10.0.0.1")
    assert hosts.allow("localhost:8420", "127.0.0.1")
    for other in ("evil.example", "notes.example.evil.example", "", "[", "x@y", "0.0.0.0"):
        assert not hosts.allow(other, "10.0.0.1")


@pytest.mark.parametrize("name", ["http://notes.example", "notes.example:80", "a/b", ""])
def test_what_is_no_name(name: str) -> None:
    with pytest.raises(LacunaError, match="without http://"):
        AllowedHosts.of("0.0.0.0", [name])
