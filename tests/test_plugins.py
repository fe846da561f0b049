"""Parts of other packages, found by the metadata that an installation leaves."""

from __future__ import annotations

from pathlib import Path

import pytest

from lacuna.errors import LacunaError
from lacuna.plugins import PluginGroup, load_plugin, plugin_names, split_name


class Packages:
    """Installed packages in a folder of their own."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder

    def install(self, package: str, entries: str, code: str = "") -> None:
        """A package with that code, and these entries in the group of the readers."""
        information = self._folder / f"{package}-1.0.dist-info"
        information.mkdir()
        (information / "METADATA").write_text(f"Name: {package}\nVersion: 1.0\n")
        (information / "entry_points.txt").write_text(f"[lacuna.readers]\n{entries}\n")
        (self._folder / f"{package}.py").write_text(code)


@pytest.fixture
def packages(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Packages:
    monkeypatch.syspath_prepend(str(tmp_path))
    return Packages(tmp_path)


def test_a_part_is_found_by_its_name(packages: Packages) -> None:
    packages.install("plug_good", "good = plug_good:READER\nother = plug_good:OTHER", "READER = 42")
    assert load_plugin(PluginGroup.READERS, "good") == 42
    assert {"good", "other"} <= set(plugin_names(PluginGroup.READERS))
    assert "good" not in plugin_names(PluginGroup.RETRIEVERS)
    assert load_plugin(PluginGroup.RETRIEVERS, "good") is None


def test_an_unknown_name(packages: Packages) -> None:
    packages.install("plug_known", "known = plug_known:READER", "READER = 42")
    assert load_plugin(PluginGroup.READERS, "unknown") is None


@pytest.mark.parametrize(
    ("package", "entry", "code", "told"),
    [
        ("plug_raises", "plug_raises:READER", "raise ValueError('no licence')", "no licence"),
        ("plug_lacks", "plug_lacks:READER", "", "has no attribute 'READER'"),
        ("plug_imports", "plug_imports:READER", "import not_installed", "not_installed"),
        ("plug_syntax", "plug_syntax:READER", "def", "SyntaxError"),
        ("plug_away", "not_there:READER", "", "not_there"),
        ("plug_value", "not a module", "", "could not be loaded"),
    ],
)
def test_a_broken_package_is_named(
    packages: Packages, package: str, entry: str, code: str, told: str
) -> None:
    packages.install(package, f"broken = {entry}", code)
    assert "broken" in plugin_names(PluginGroup.READERS)  # which loads nothing
    with pytest.raises(LacunaError, match="Update or uninstall that package") as raised:
        load_plugin(PluginGroup.READERS, "broken")
    assert told in str(raised.value)
    assert package in str(raised.value)


def test_a_broken_package_does_not_hide_the_others(packages: Packages) -> None:
    packages.install("plug_bad", "bad = plug_bad:READER", "raise RuntimeError")
    packages.install("plug_fine", "fine = plug_fine:READER", "READER = 42")
    assert load_plugin(PluginGroup.READERS, "fine") == 42


def test_two_packages_with_one_name(packages: Packages) -> None:
    packages.install("plug_one", "same = plug_one:READER", "READER = 1")
    packages.install("plug_two", "same = plug_two:READER", "READER = 2")
    told = r"plug_one \(plug_one:READER\) and plug_two \(plug_two:READER\)\. Uninstall all but one"
    with pytest.raises(LacunaError, match=told):
        load_plugin(PluginGroup.READERS, "same")
    assert plugin_names(PluginGroup.READERS).count("same") == 1


@pytest.mark.parametrize(
    ("name", "parts"),
    [
        ("llm:qwen2.5", ("llm", "qwen2.5")),
        ("llm:org/model:8b", ("llm", "org/model:8b")),
        ("small", ("small", "")),
        ("llm:", ("llm", "")),
    ],
)
def test_a_name_may_carry_an_argument(name: str, parts: tuple[str, str]) -> None:
    assert split_name(name) == parts
