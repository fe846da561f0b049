"""The files of ``deploy/`` say what the program understands, and what a cluster does."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import kubernetes_validate
import pytest
import typer
import yaml

from lacuna.cli.serve import serve
from lacuna.serve.operations import ALIVE, READY
from lacuna.web.access import VARIABLE

DEPLOY = Path(__file__).parent.parent / "deploy"
VARIABLES = {VARIABLE, *(f"LACUNA_{name.upper()}" for name in ("keep_in", "drain", "log"))}


@pytest.fixture(scope="module")
def manifest() -> dict[str, Any]:
    """The objects of the manifest by their kind."""
    written = (DEPLOY / "kubernetes.yaml").read_text(encoding="utf-8")
    return {one["kind"]: one for one in yaml.safe_load_all(written)}


def options(words: Sequence[str]) -> dict[str, Any]:
    """What `lacuna serve` makes of these words."""
    app = typer.Typer()
    app.command()(serve)
    command = typer.main.get_command(app)
    verb, *given = words
    assert verb == "serve"
    return command.make_context("serve", list(given)).params


def _drain(environment: Sequence[dict[str, Any]]) -> float:
    (seconds,) = (one["value"] for one in environment if one["name"] == "LACUNA_DRAIN")
    return float(seconds)


def test_the_manifest_is_of_kubernetes_own_shape(manifest: dict[str, Any]) -> None:
    assert set(manifest) == {"Deployment", "Service", "PodDisruptionBudget"}
    for one in manifest.values():
        kubernetes_validate.validate(one, "1.30", strict=True)


def test_the_manifest_fits_the_program(manifest: dict[str, Any]) -> None:
    pod = manifest["Deployment"]["spec"]["template"]
    container = pod["spec"]["containers"][0]
    params = options(container["args"])
    (port,) = (one["containerPort"] for one in container["ports"])
    assert port == params["port"] == manifest["Service"]["spec"]["ports"][0]["targetPort"]
    assert {one["name"] for one in container["env"]} == VARIABLES
    assert container["readinessProbe"]["httpGet"] == {"path": READY, "port": port}
    for probe in ("startupProbe", "livenessProbe"):
        assert container[probe]["httpGet"] == {"path": ALIVE, "port": port}
    before = int(container["lifecycle"]["preStop"]["exec"]["command"][1])
    assert pod["spec"]["terminationGracePeriodSeconds"] > before + _drain(container["env"])
    mounted = {one["name"] for one in container["volumeMounts"]}
    assert mounted == {one["name"] for one in pod["spec"]["volumes"]}
    for one in manifest.values():
        selector = one["spec"]["selector"]
        labels = selector.get("matchLabels", selector)
        assert labels == pod["metadata"]["labels"]


def test_compose_fits_the_program() -> None:
    services = yaml.safe_load((DEPLOY / "compose.yaml").read_text(encoding="utf-8"))["services"]
    lacuna = services["lacuna"]
    params = options(lacuna["command"].split())
    assert int(lacuna["stop_grace_period"].removesuffix("s")) > float(
        lacuna["environment"]["LACUNA_DRAIN"]
    )
    assert set(lacuna["environment"]) == VARIABLES
    assert f"server lacuna:{params['port']} " in (DEPLOY / "nginx.conf").read_text()
    assert f":{params['port']}{READY}" in lacuna["healthcheck"]["test"][-1]
    assert set(lacuna["depends_on"]) | {"nginx", "lacuna"} == set(services)
