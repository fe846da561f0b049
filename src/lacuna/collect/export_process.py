"""The export in a process of its own: people who work at the same time do not wait for it."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import threading
from pathlib import Path

from lacuna.errors import LacunaError

START = """
import json, sys
sys.path[:] = json.loads(sys.argv[1])
from lacuna.collect.export_process import export_here
export_here(*sys.argv[2:])
"""
REFUSED = 2
KINDNESS = 10
"""How far it stands back where the cores do not suffice for all."""


class ExportProcess:
    """Exports a project, one process at a time."""

    def __init__(self, project: Path) -> None:
        self._project = project
        self._lock = threading.Lock()
        self._running: subprocess.Popen[str] | None = None
        self._is_closed = False

    def __call__(self, out: Path) -> None:
        """Write the dataset's files into a folder, and wait for it."""
        # -P: what lies in the current folder is none of ours, whatever it is called.
        places = json.dumps([str(place) for place in sys.path])
        command = [sys.executable, "-P", "-c", START, places, str(self._project), str(out)]
        with self._lock:
            if self._is_closed:
                raise LacunaError("The server is being stopped. Export when it runs again.")
            self._running = subprocess.Popen(
                command, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True
            )
        if hasattr(os, "setpriority"):
            os.setpriority(os.PRIO_PROCESS, self._running.pid, KINDNESS)
        _, said = self._running.communicate()
        if self._running.returncode == REFUSED:
            raise LacunaError(said.strip())
        if self._running.returncode:
            raise LacunaError(
                "The export broke off. Try `lacuna collect export`, which says more. "
                f"{said.strip()[-300:]}"
            )

    def close(self) -> None:
        """End what runs."""
        with self._lock:
            self._is_closed = True
            if self._running is not None:
                self._running.kill()


def export_here(project: str, out: str) -> None:
    """What the process does."""
    from lacuna.collect.project import CollectProject

    try:
        with CollectProject.open(Path(project)) as opened:
            opened.export(Path(out))
    except LacunaError as error:
        print(error, file=sys.stderr)
        sys.exit(REFUSED)
