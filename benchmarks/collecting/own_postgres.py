"""A PostgreSQL of one's own, from Debian's programs, in a temporary folder."""

from __future__ import annotations

import os
import shutil
import signal
import subprocess
import tempfile
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

from lacuna.errors import LacunaError

TIMEOUT_SECONDS = 60


@contextmanager
def own_postgres(settings: Sequence[str] = ()) -> Iterator[Path]:
    """The folder of a running cluster's socket; it is gone afterwards."""
    programs = _programs()
    user = _user()
    folder = Path(tempfile.mkdtemp(prefix="lacuna-postgres-"))
    try:
        if user:
            shutil.chown(folder, user, _group(user))
        data = folder / "data"
        initdb = [f"{programs}/initdb", "-D", str(data), "-U", "postgres", "-A", "trust"]
        made = subprocess.run([*_as_user(user), *initdb], capture_output=True, cwd=folder)
        if made.returncode:
            said = made.stderr.decode()[-300:]
            raise LacunaError(f"PostgreSQL cannot be set up here: {said}")
        options = [part for one in ("listen_addresses=", *settings) for part in ("-c", one)]
        command = [f"{programs}/postgres", "-D", str(data), "-k", str(folder), *options]
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
    from sqlalchemy import create_engine, text

    from lacuna_collect.database.engine import database_url

    # A database cannot be made within a transaction.
    engine = create_engine(database_url(postgres_url(folder, "postgres")))
    with engine.connect().execution_options(isolation_level="AUTOCOMMIT") as connection:
        connection.execute(text(f"CREATE DATABASE {name}"))
    engine.dispose()
    return postgres_url(folder, name)


def _programs() -> Path:
    folders = sorted(Path("/usr/lib/postgresql").glob("*/bin"), reverse=True)
    found = next((folder for folder in folders if (folder / "initdb").exists()), None)
    if found is None:
        raise LacunaError("PostgreSQL is not installed: apt-get install postgresql.")
    return found


def _user() -> str:
    """Whom to run as: PostgreSQL refuses root."""
    if os.geteuid():
        return ""
    import pwd  # Windows has none

    names = {entry.pw_name for entry in pwd.getpwall()}
    return next(name for name in ("postgres", "nobody") if name in names)


def _as_user(user: str) -> list[str]:
    # setpriv becomes the program that it starts, so that a signal reaches it.
    return ["setpriv", f"--reuid={user}", "--regid", _group(user), "--clear-groups"] if user else []


def _group(user: str) -> str:
    return user if user == "postgres" else "nogroup"


def _wait(server: subprocess.Popen[bytes], folder: Path) -> None:
    end = time.monotonic() + TIMEOUT_SECONDS
    while time.monotonic() < end:
        if server.poll() is not None:
            break
        if "ready to accept connections" in (folder / "log").read_text():
            return
        time.sleep(0.05)
    raise LacunaError(f"PostgreSQL does not start here: {(folder / 'log').read_text()[-300:]}")
