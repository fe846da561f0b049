"""``python -m benchmarks NAME``, from the root of the repository; without a name, all names."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from difflib import get_close_matches

from benchmarks.registry import BENCHMARKS
from lacuna.errors import LacunaError

OURS = ("benchmarks", "lacuna")


def main(arguments: Sequence[str]) -> None:
    """Run one benchmark, or list them all."""
    if not arguments or arguments[0] in ("-h", "--help"):
        print(listing())
        return
    name, *rest = arguments
    if name not in BENCHMARKS:
        raise LacunaError(unknown(name))
    try:
        BENCHMARKS[name].load()(rest)
    except ModuleNotFoundError as error:
        if (error.name or "").partition(".")[0] in OURS:
            raise
        raise LacunaError(missing(name, error.name)) from error


def listing() -> str:
    """Every name with its line."""
    width = max(map(len, BENCHMARKS))
    lines = (f"  {name:{width}}  {benchmark.about}" for name, benchmark in BENCHMARKS.items())
    usage = "usage: python -m benchmarks NAME [options]     (NAME --help tells its options)"
    return "\n".join((usage, "", *lines, "", "What was measured: benchmarks/results/README.md"))


def unknown(name: str) -> str:
    """What to say about a name that there is none of."""
    near = get_close_matches(name, BENCHMARKS, n=1)
    meant = f" Did you mean {near[0]}?" if near else ""
    return f"There is no benchmark {name!r}.{meant} `python -m benchmarks` lists them."


def missing(name: str, package: str | None) -> str:
    """What to say when a package is not installed."""
    extra = BENCHMARKS[name].extra or "dev"
    return f"{name} needs the package {package}: pip install --editable '.[{extra}]'"


if __name__ == "__main__":
    try:
        main(sys.argv[1:])
    except LacunaError as error:
        print(error, file=sys.stderr)
        sys.exit(2)
