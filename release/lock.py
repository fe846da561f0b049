"""Write the lock file: what is installed for development, with the hashes of all its files.

``python -m release.lock`` asks the index that pip uses for the hashes; torch is no part of it.
"""

from __future__ import annotations

import os
import re
import urllib.request
from collections.abc import Iterator
from pathlib import Path

from packaging.utils import (
    InvalidSdistFilename,
    InvalidWheelFilename,
    parse_sdist_filename,
    parse_wheel_filename,
)
from packaging.version import InvalidVersion
from pip._internal.models.index import PyPI

from release.installed import PROJECTS, installed

ROOT = Path(__file__).parent.parent
LOCK = ROOT / "requirements-dev.txt"
HEAD = """\
# What development and tests need on Linux, every file by its hash; torch is no part of it.
# `make lock` writes this, `make locked` installs it.
"""
FILE = re.compile(r'href="[^"]*/([^"/#]+)#sha256=([0-9a-f]{64})"')


def development() -> list[str]:
    """The requirements that `make test` installs: all packages, and what their tests need."""
    for_tests = (ROOT / "tests" / "requirements.txt").read_text("utf-8").splitlines()
    lines = [line.partition("#")[0].strip() for line in for_tests]
    return ["lacuna-qa[agents,parquet]", *sorted(PROJECTS), *filter(None, lines)]


def hashes(name: str, version: str) -> list[str]:
    """The hashes of all files of one version, of every platform."""
    index = os.environ.get("PIP_INDEX_URL", PyPI.simple_url).rstrip("/")
    with urllib.request.urlopen(f"{index}/{name}/", timeout=60) as reply:
        page = reply.read().decode("utf-8")
    return sorted({digest for file, digest in FILE.findall(page) if _version(file) == version})


def _version(file: str) -> str:
    try:
        parsed = (
            parse_wheel_filename(file)[1]
            if file.endswith(".whl")
            else parse_sdist_filename(file)[1]
        )
    except (InvalidWheelFilename, InvalidSdistFilename, InvalidVersion):
        return ""
    return str(parsed)


def lines() -> Iterator[str]:
    """One requirement after the other."""
    for name, part in installed(*development()).items():
        if name in PROJECTS:
            continue
        found = hashes(name, part.package.version)
        if not found:
            raise SystemExit(f"The index has no file of {name} {part.package.version}.")
        yield " \\\n    ".join(
            (f"{name}=={part.package.version}", *(f"--hash=sha256:{digest}" for digest in found))
        )


if __name__ == "__main__":
    written = [HEAD, *(f"{line}\n" for line in lines())]
    LOCK.write_text("".join(written), "utf-8")
