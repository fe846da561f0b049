"""The lock file fits what the project asks for, and says nothing of where it was made."""

from __future__ import annotations

import re
import tomllib
from pathlib import Path

from packaging.requirements import Requirement
from packaging.utils import canonicalize_name
from release.installed import PROJECTS
from release.lock import HEAD, LOCK, _version, development

ROOT = Path(__file__).parent.parent.parent


def pins() -> dict[str, str]:
    text = LOCK.read_text("utf-8")
    assert text.startswith(HEAD)
    entries = text[len(HEAD) :].replace(" \\\n    ", " ").splitlines()
    found = {}
    for entry in entries:
        pin, *hashes = entry.split(" ")
        name, version = pin.split("==")
        assert hashes, f"{name} has no hash"
        assert all(re.fullmatch(r"--hash=sha256:[0-9a-f]{64}", each) for each in hashes)
        found[name] = version
    return found


def test_every_requirement_is_pinned_as_it_asks() -> None:
    wanted = [
        line for line in development() if canonicalize_name(line.split("[")[0]) not in PROJECTS
    ]
    packages = sorted(ROOT.glob("packages/*/pyproject.toml"))
    assert len(packages) == len(PROJECTS)
    for path in packages:
        project = tomllib.loads(path.read_text("utf-8"))["project"]
        extras = project.get("optional-dependencies", {})
        wanted += project["dependencies"] + extras.get("agents", []) + extras.get("parquet", [])
    locked = pins()
    for line in wanted:
        needed = Requirement(line)
        if (name := canonicalize_name(needed.name)) in PROJECTS:
            continue
        version = locked[name]
        assert needed.specifier.contains(version), f"run `make lock`: {line} is locked at {version}"


def test_what_is_not_for_everyone_stays_out() -> None:
    text = LOCK.read_text("utf-8")
    assert not {"torch", "transformers", "vulture", *PROJECTS} & pins().keys()
    assert not re.search(r"https?:|file:|--index-url|--find-links|@ ", text)


def test_versions_of_file_names() -> None:
    assert _version("numpy-2.4.6-cp311-cp311-win_amd64.whl") == "2.4.6"
    assert _version("types_docutils-0.23.0.20261107.tar.gz") == "0.23.0.20261107"
    assert _version("numpy-1.0.1.dev3460.win32-py2.4.exe") == ""
