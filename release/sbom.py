"""Write the list of parts of a release (SBOM) as CycloneDX JSON, from what is installed.

``python -m release.sbom FILE``. The same parts give the same bytes, and nothing is fetched.
"""

from __future__ import annotations

import json
import sys
from hashlib import sha256
from importlib.metadata import Distribution
from pathlib import Path
from typing import Any
from uuid import NAMESPACE_URL, uuid5

from packaging.utils import NormalizedName, canonicalize_name

from release.installed import PROJECT, Part, installed

EXTRAS = ("agents", "collect", "parquet", "scale")
"""What a user may add; what only training, tests or benchmarks need is no part of a release."""
MODELS = (
    Path(__file__).parent.parent / "packages" / "lacuna" / "src" / "lacuna" / "assets" / "models"
)


def bill_of_materials() -> dict[str, Any]:
    """The project, its packages with their licences, its models, and what needs what."""
    needed, all_of_it = set(installed(PROJECT)), installed(f"{PROJECT}[{','.join(EXTRAS)}]")
    project = {**_component(all_of_it[PROJECT].package), "type": "application"}
    packages = [
        {**_component(part.package), "scope": "required" if name in needed else "optional"}
        for name, part in all_of_it.items()
        if name != PROJECT
    ]
    components = [*packages, *_models(project["version"])]
    depends = [
        {"ref": _purl(part.package), "dependsOn": _needs(part, all_of_it)}
        for part in all_of_it.values()
    ]
    number = uuid5(NAMESPACE_URL, json.dumps([components, depends]))
    return {
        "bomFormat": "CycloneDX",
        "specVersion": "1.6",
        "serialNumber": f"urn:uuid:{number}",
        "version": 1,
        "metadata": {"component": project},
        "components": components,
        "dependencies": depends,
    }


def _purl(package: Distribution) -> str:
    return f"pkg:pypi/{canonicalize_name(package.name)}@{package.version}"


def _component(package: Distribution) -> dict[str, Any]:
    purl = _purl(package)
    about = {"type": "library", "bom-ref": purl, "name": package.name, "version": package.version}
    return {**about, "purl": purl, "licenses": _licences(package)}


def _licences(package: Distribution) -> list[dict[str, Any]]:
    """The SPDX expression of a package, or else what it calls its licence."""
    if expression := package.metadata["License-Expression"]:
        return [{"expression": expression}]
    classified = [
        line.rpartition(" :: ")[2]
        for line in package.metadata.get_all("Classifier") or ()
        if line.startswith("License :: ")
    ]
    written = (package.metadata["License"] or "").strip().split("\n")[0]
    names = classified or [written or "not stated"]
    return [{"license": {"name": name}} for name in names]


def _needs(part: Part, known: dict[NormalizedName, Part]) -> list[str]:
    named = {canonicalize_name(each.name) for each in part.requirements()}
    return sorted(_purl(known[each].package) for each in named)


def _models(version: str) -> list[dict[str, Any]]:
    """The models that come along, by the hashes of their weights."""
    return [
        {
            "type": "machine-learning-model",
            "bom-ref": f"model:{weights.parent.name}",
            "name": f"lacuna-{weights.parent.name}",
            "version": version,
            "scope": "required",
            "hashes": [{"alg": "SHA-256", "content": sha256(weights.read_bytes()).hexdigest()}],
        }
        for weights in sorted(MODELS.glob("*/model.onnx"))
    ]


if __name__ == "__main__":
    out = Path(sys.argv[1])
    out.parent.mkdir(parents=True, exist_ok=True)
    out.write_text(json.dumps(bill_of_materials(), indent=1) + "\n", "utf-8")
    print(f"{out} was written.")
