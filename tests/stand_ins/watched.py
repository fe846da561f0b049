"""What a whole command, its native code included, reaches on the network and leaves in a home."""

from __future__ import annotations

import os
import re
import shutil
import socket
import subprocess
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from ipaddress import ip_address
from pathlib import Path

import pytest

CALLS = "connect,sendto,sendmsg,sendmmsg"
ADDRESS = re.compile(r'inet_addr\("([^"]+)"\)|inet_pton\(AF_INET6, "([^"]+)"')
LINE = re.compile(r"^\d+ +(\w+)\(", re.MULTILINE)
LACUNA = (sys.executable, "-c", "import sys; from lacuna.cli import main; main(sys.argv[1:])")


@dataclass(frozen=True)
class Watch:
    """A home that was empty, and the system calls of all that was started in it."""

    home: Path
    calls: Path

    @property
    def environment(self) -> dict[str, str]:
        kept = {
            name: value
            for name, value in os.environ.items()
            if not name.startswith(("LACUNA_", "XDG_", "ORT_", "RAY_USAGE"))
        }
        temporary = self.home.parent / "tmp"
        temporary.mkdir(exist_ok=True)
        return {**kept, "HOME": str(self.home), "TMPDIR": str(temporary)}

    def under(self, command: Sequence[str | Path]) -> list[str]:
        """The command so that its calls are written down, and those of all its children."""
        tool = shutil.which("strace")
        if tool is None:
            pytest.skip("strace is not installed")
        watching = ["-D", "-f", "--seccomp-bpf", "-qq", "-A", "-e", f"trace={CALLS}"]
        return [tool, *watching, "-o", str(self.calls), *map(str, command)]

    def run(self, *arguments: str | Path, command: Sequence[str] = LACUNA) -> str:
        """What a command prints that ends well."""
        ran = subprocess.run(
            self.under([*command, *arguments]),
            env=self.environment,
            cwd=self.home.parent,
            capture_output=True,
            text=True,
            check=False,
        )
        assert ran.returncode == 0, (arguments, ran.stdout, ran.stderr)
        return ran.stdout

    def reached(self) -> set[str]:
        """Addresses of other machines that anything was sent to."""
        text = self.calls.read_text(errors="replace") if self.calls.exists() else ""
        found = {first or second for first, second in ADDRESS.findall(text)}
        return {address for address in found if not _is_here(address)}

    def left(self, *allowed: str) -> list[str]:
        """Files in the home outside of Lacuna's own folders."""
        own = (".cache/lacuna", ".config/lacuna", ".local/share/lacuna", *allowed)
        files = (path.relative_to(self.home) for path in self.home.rglob("*") if path.is_file())
        return sorted(str(path) for path in files if not str(path).startswith(own))


@contextmanager
def watch(folder: Path) -> Iterator[Watch]:
    """Fails at its end where anything was reached, or left outside of Lacuna's folders."""
    home = folder / "home"
    home.mkdir()
    watched = Watch(home, folder / "calls")
    yield watched
    assert watched.reached() == set()
    assert watched.left() == []


def _is_here(address: str) -> bool:
    where = ip_address(address)
    if where.is_loopback or where.is_unspecified:
        return True
    # Addresses of this machine itself can be listened on.
    family = socket.AF_INET6 if where.version == 6 else socket.AF_INET
    with socket.socket(family, socket.SOCK_DGRAM) as probe:
        try:
            probe.bind((address, 0))
        except OSError:
            return False
    return True
