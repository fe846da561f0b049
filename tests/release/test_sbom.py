"""The list of parts names all of them, and what needs what."""

from __future__ import annotations

import json
import tomllib
from hashlib import sha256
from pathlib import Path
from typing import Any

import pytest
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name
from release.installed import PROJECT, PROJECTS
from release.sbom import MODELS, bill_of_materials

ROOT = Path(__file__).parent.parent.parent


@pytest.fixture(scope="module")
def bill() -> dict[str, Any]:
    return bill_of_materials()


def test_every_part_is_named(bill: dict[str, Any]) -> None:
    assert (bill["bomFormat"], bill["specVersion"]) == ("CycloneDX", "1.6")
    named = {str(canonicalize_name(part["name"])): part for part in bill["components"]}
    for path in ROOT.glob("packages/*/pyproject.toml"):
        project = tomllib.loads(path.read_text("utf-8"))["project"]
        for line in project["dependencies"]:
            name = canonicalize_name(Requirement(line).name)
            if name == PROJECT:
                continue
            part = named[name]
            assert part["scope"] == "required" or project["name"] != PROJECT
            assert part["purl"].endswith(f"@{part['version']}")
            assert part["licenses"]
    assert {named[name]["scope"] for name in PROJECTS - {PROJECT}} == {"optional"}
    assert named["ray"]["scope"] == "optional"
    assert not {"torch", "pytest", "mypy"} & named.keys()


def test_what_needs_what_is_closed(bill: dict[str, Any]) -> None:
    refs = {part["bom-ref"] for part in bill["components"]}
    root = bill["metadata"]["component"]["bom-ref"]
    needs = {entry["ref"]: entry["dependsOn"] for entry in bill["dependencies"]}
    assert set(needs) <= refs | {root}
    reached, open_ = set(), [root]
    while open_:
        ref = open_.pop()
        if ref not in reached:
            reached.add(ref)
            open_ += needs[ref]
    assert reached == {ref for ref in refs if ref.startswith("pkg:")} | {root}


def test_models_are_named_by_their_hash(bill: dict[str, Any]) -> None:
    parts = {part["name"]: part for part in bill["components"]}
    shipped = list(MODELS.glob("*/model.onnx"))
    assert shipped
    for weights in shipped:
        (digest,) = parts[f"lacuna-{weights.parent.name}"]["hashes"]
        assert digest["content"] == sha256(weights.read_bytes()).hexdigest()


def test_the_same_parts_give_the_same_bytes(bill: dict[str, Any]) -> None:
    assert json.dumps(bill) == json.dumps(bill_of_materials())
