"""Time and memory of commands and functions, measured so that a busy machine hurts all alike."""

from __future__ import annotations

import os
import resource
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import NamedTuple, TypeVar

from lacuna.errors import LacunaError

Result = TypeVar("Result")
Name = TypeVar("Name")
PEAK = """
from pathlib import Path
print(*(line for line in Path("/proc/self/status").open() if "VmHWM" in line))
"""


class Run(NamedTuple):
    """What a command took, in seconds, and what it printed."""

    wall: float
    user: float
    system: float
    output: str

    @property
    def cpu(self) -> float:
        """Processor time."""
        return self.user + self.system


def run(command: Sequence[str], environment: Mapping[str, str] | None = None) -> Run:
    """Run a command to its end; ``environment`` is added to that of this process."""
    with tempfile.TemporaryFile("w+") as output, tempfile.TemporaryFile("w+") as errors:
        start = time.perf_counter()
        process = subprocess.Popen(
            command,
            stdout=output,
            stderr=errors,
            env={**os.environ, **(environment or {})},
        )
        _, status, used = os.wait4(process.pid, 0)
        wall = time.perf_counter() - start
        process.returncode = os.waitstatus_to_exitcode(status)
        output.seek(0)
        errors.seek(0)
        if process.returncode:
            raise LacunaError(
                f"{' '.join(command)} ended with code {process.returncode}: {errors.read().strip()}"
            )
        return Run(wall, used.ru_utime, used.ru_stime, output.read())


def in_turns(
    rounds: int, commands: Mapping[Name, Callable[[], Result]]
) -> dict[Name, list[Result]]:
    """Call each once a round; every other round goes backwards, so that none is always first."""
    results: dict[Name, list[Result]] = {name: [] for name in commands}
    order = list(commands)
    for _ in range(rounds):
        for name in order:
            results[name].append(commands[name]())
        order.reverse()
    return results


def run_python(code: str) -> tuple[Run, float]:
    """Run a Python program; also the most memory that it held at once, in MB."""
    # Not ru_maxrss: a child begins with its parent's.
    done = run([sys.executable, "-c", code + PEAK])
    return done, float(done.output.split()[-2]) / 1024


def memory() -> float:
    """The most that this process has used so far, in MB."""
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024


def timed(what: str, work: Callable[[], Result]) -> Result:
    """Do it and print how long it took."""
    start = time.perf_counter()
    result = work()
    print(f"{what}: {time.perf_counter() - start:.3f} s", flush=True)
    return result


def size_of(folder: Path) -> int:
    """The bytes of all files under a folder."""
    return sum(path.stat().st_size for path in folder.rglob("*") if path.is_file())
