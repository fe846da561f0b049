"""Every benchmark can be started by its name, and every name in a document is one."""

from __future__ import annotations

import re
from collections import defaultdict
from pathlib import Path

import pytest
from benchmarks.__main__ import main
from benchmarks.registry import BENCHMARKS

from lacuna.errors import LacunaError

ROOT = Path(__file__).parents[2]
FOLDER = ROOT / "benchmarks"
NAMED = re.compile(r"python -m benchmarks\s+([\w-]+)")


def documents() -> list[Path]:
    folders = ("benchmarks", "docs", "examples", "recipes", "src", "tests")
    inside = (path for folder in folders for path in (ROOT / folder).rglob("*.md"))
    return [*ROOT.glob("*.md"), *inside]


@pytest.mark.parametrize("name", BENCHMARKS)
def test_help(name: str, capsys: pytest.CaptureFixture[str]) -> None:
    if BENCHMARKS[name].extra == "train":
        pytest.importorskip("torch")
    with pytest.raises(SystemExit) as end:
        main([name, "--help"])
    assert end.value.code == 0
    shown = capsys.readouterr().out
    assert shown.startswith(f"usage: python -m benchmarks {name}")
    module = BENCHMARKS[name].module
    (about,) = re.findall(r'\A"""(.*?)"""', source(module), re.DOTALL)
    assert about.splitlines()[0] in shown


def source(module: str) -> str:
    return (FOLDER / f"{module.replace('.', '/')}.py").read_text(encoding="utf-8")


def test_every_main_has_a_name() -> None:
    mains = {
        ".".join(path.relative_to(FOLDER).with_suffix("").parts)
        for path in FOLDER.glob("*/*.py")
        if "def main(arguments: Sequence[str])" in path.read_text(encoding="utf-8")
    }
    assert mains == {one.module for one in BENCHMARKS.values()}


def test_without_a_name_all_are_listed(capsys: pytest.CaptureFixture[str]) -> None:
    main([])
    listed = capsys.readouterr().out
    for name, one in BENCHMARKS.items():
        assert re.search(rf"^  {name} +{re.escape(one.about)}$", listed, re.MULTILINE)


def test_an_unknown_name_gets_the_nearest() -> None:
    with pytest.raises(LacunaError, match="Did you mean dialogs"):
        main(["dialog"])


def test_a_package_that_is_missing_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    def load(self: object) -> None:
        raise ModuleNotFoundError("No module named 'torch'", name="torch")

    monkeypatch.setattr("benchmarks.registry.Benchmark.load", load)
    with pytest.raises(LacunaError, match=r"torch: pip install --editable '\.\[train\]'"):
        main(["gapqa-train"])


def test_documents_name_what_there_is() -> None:
    found: dict[str, list[str]] = defaultdict(list)
    for path in documents():
        for name in NAMED.findall(path.read_text(encoding="utf-8")):
            found[name].append(path.name)
    found.pop("NAME", None)
    assert {name: places for name, places in found.items() if name not in BENCHMARKS} == {}
    assert set(found) == set(BENCHMARKS), "each has a place where its results stand"


@pytest.mark.parametrize("path", sorted((FOLDER / "results").glob("*.md")), ids=lambda p: p.name)
def test_links_of_the_results_lead_somewhere(path: Path) -> None:
    for target in re.findall(r"\]\(([^)#:]+)", path.read_text(encoding="utf-8")):
        assert (path.parent / target).exists(), target
