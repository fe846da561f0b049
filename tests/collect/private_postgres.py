"""A PostgreSQL of the tests' own, from Debian's programs, in a temporary folder."""

from __future__ import annotations

import os
import shutil
import signal
import subprocess
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

PATIENCE = 60


@contextmanager
def private_cluster() -> Iterator[Path]:
    """The folder of a running cluster's socket; skips where there is no PostgreSQL."""
    programs = _programs()
    if programs is None:
        pytest.skip("PostgreSQL is not installed")
    user = _user()
    folder = Path(tempfile.mkdtemp(prefix="lacuna-postgres-"))
    try:
        if user:
            shutil.chown(folder, user, user if user == "postgres" else "nogroup")
        data = folder / "data"
        initdb = [programs / "initdb", "-D", data, "-U", "postgres", "-A", "trust", "--no-sync"]
        made = subprocess.run([*_as_user(user), *initdb], capture_output=True, cwd=folder)
        if made.returncode:
            pytest.skip(f"PostgreSQL cannot be set up here: {made.stderr.decode()[-300:]}")
        options = ["-c", "listen_addresses=", "-c", "fsync=off", "-c", "max_connections=200"]
        command = [programs / "postgres", "-D", data, "-k", folder, *options]
        with (folder / "log").open("wb") as log:
            server = subprocess.Popen([*_as_user(user), *command], cwd=folder, stderr=log)
        try:
            _wait(server, folder)
            yield folder
        finally:
            server.send_signal(signal.SIGINT)
            server.wait()
    finally:
        shutil.rmtree(folder, ignore_errors=True)


def postgres_url(folder: Path, name: str) -> str:
    """The address of a database of the cluster."""
    return f"postgresql://postgres@/{name}?unix_sock={folder}/.s.PGSQL.5432"


def new_postgres_database(folder: Path, name: str) -> str:
    """Make an empty database, and give its address."""
    import pg8000.native

    socket = f"{folder}/.s.PGSQL.5432"
    connection = pg8000.native.Connection("postgres", unix_sock=socket)
    try:
        connection.run(f"CREATE DATABASE {name}")
    finally:
        connection.close()
    return postgres_url(folder, name)


def _programs() -> Path | None:
    folders = sorted(Path("/usr/lib/postgresql").glob("*/bin"), reverse=True)
    return next((folder for folder in folders if (folder / "initdb").exists()), None)


def _user() -> str:
    """Whom to run as: PostgreSQL refuses root."""
    if os.geteuid():
        return ""
    import pwd

    names = {entry.pw_name for entry in pwd.getpwall()}
    return next(name for name in ("postgres", "nobody") if name in names)


def _as_user(user: str) -> list[str]:
    # setpriv becomes the program that it starts, so that a signal reaches it.
    return ["setpriv", f"--reuid={user}", "--regid", _group(user), "--clear-groups"] if user else []


def _group(user: str) -> str:
    return user if user == "postgres" else "nogroup"


def _wait(server: subprocess.Popen[bytes], folder: Path) -> None:
    end = time.monotonic() + PATIENCE
    while time.monotonic() < end:
        if server.poll() is not None:
            pytest.skip(f"PostgreSQL does not start here: {(folder / 'log').read_text()[-300:]}")
        if "ready to accept connections" in (folder / "log").read_text():
            return
        time.sleep(0.05)
    pytest.skip("PostgreSQL does not start here in time")
