"""The house stays as CONTRIBUTING draws it."""

from __future__ import annotations

import ast
import re
from collections import defaultdict
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
SOURCES = {path.name: path for path in sorted(ROOT.glob("packages/*/src/*")) if path.is_dir()}
CORE = SOURCES["lacuna"]
FILES = {name: sorted(folder.rglob("*.py")) for name, folder in SOURCES.items()}
PATHS = [path for files in FILES.values() for path in files]
ROW = re.compile(r"^\| `(\w+)/?` \|([^|]*)\|$", re.MULTILINE)
STAGES = {"start", "spot", "find", "read", "answer"}
LONGEST_FILE = 920


@cache
def tree(path: Path) -> ast.Module:
    """The syntax of a file; not read where these tests are only collected."""
    return ast.parse(path.read_text(encoding="utf-8"))


def permitted() -> tuple[dict[str, set[str]], dict[str, set[str]]]:
    """CONTRIBUTING's two tables: which package may import which, and which room of `lacuna`."""
    text = (ROOT / "CONTRIBUTING.md").read_text(encoding="utf-8")
    section = text.split("## Who may import whom")[1].split("\n## ")[0]
    rows = {name: set(re.findall(r"`(\w+)/?`", allowed)) for name, allowed in ROW.findall(section)}
    packages = {name: rows.pop(name) for name in SOURCES}
    return packages, rows


def imported(node: ast.AST) -> Iterator[str]:
    """The modules of ours that an import statement names."""
    if isinstance(node, ast.ImportFrom) and node.module and not node.level:
        names = [node.module]
        if node.module in SOURCES:
            names = [f"{node.module}.{name.name}" for name in node.names]
    elif isinstance(node, ast.Import):
        names = [name.name for name in node.names]
    else:
        return
    yield from (name for name in names if name.split(".")[0] in SOURCES)


def package_edges() -> dict[str, set[str]]:
    """Package to package."""
    found: dict[str, set[str]] = {name: set() for name in SOURCES}
    for name, files in FILES.items():
        for path in files:
            for node in ast.walk(tree(path)):
                found[name] |= {module.split(".")[0] for module in imported(node)} - {name}
    return found


def room_of(path: Path) -> str:
    """The folder of a file of `lacuna`, or the module itself where it lies in none."""
    return path.relative_to(CORE).parts[0].removesuffix(".py")


def room_edges() -> dict[str, dict[str, set[str]]]:
    """Room to room within `lacuna`, with the files that make it so."""
    found: dict[str, dict[str, set[str]]] = defaultdict(lambda: defaultdict(set))
    for path in FILES["lacuna"]:
        source = room_of(path)
        if source in ("__init__", "__main__"):
            continue
        for node in ast.walk(tree(path)):
            for module in imported(node):
                package, _, rest = module.partition(".")
                target = rest.split(".")[0]
                if package == "lacuna" and target not in ("", source):
                    found[source][target].add(str(path.relative_to(CORE)))
    return found


def test_packages_import_as_contributing_says() -> None:
    packages, _ = permitted()
    assert package_edges() == packages


def test_rooms_import_as_contributing_says() -> None:
    _, rooms = permitted()
    free = rooms.pop("everyone")
    edges = room_edges()
    wrong = [
        f"{source} imports {target} in {', '.join(sorted(files))}"
        for source, targets in edges.items()
        for target, files in targets.items()
        if target not in free and target not in rooms.get(source, set())
    ]
    assert wrong == []
    unused = [
        f"{source} does not import {target}"
        for source, targets in rooms.items()
        for target in targets - set(edges[source])
    ]
    assert unused == []
    assert set(rooms) == {room_of(path) for path in FILES["lacuna"]} - free - {
        "__init__",
        "__main__",
    }


def test_rooms_have_no_cycle() -> None:
    _, rooms = permitted()
    rooms.pop("everyone")
    done: set[str] = set()
    while left := {room for room in rooms if room not in done}:
        ready = {room for room in left if rooms[room] <= done}
        assert ready, f"these import each other: {sorted(left)}"
        done |= ready


def test_what_everyone_may_import_imports_nothing_else() -> None:
    _, rooms = permitted()
    free = rooms["everyone"]
    for source, targets in room_edges().items():
        if source in free:
            assert set(targets) <= free, source


def test_lacuna_loads_the_other_packages_only_when_they_are_asked_for() -> None:
    eager = []
    for path in FILES["lacuna"]:
        waiting: list[ast.AST] = list(tree(path).body)
        while waiting:
            node = waiting.pop()
            if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
                continue
            if isinstance(node, ast.If) and "TYPE_CHECKING" in ast.dump(node.test):
                continue
            if any(not module.startswith("lacuna.") for module in imported(node)):
                eager.append(str(path.relative_to(CORE)))
            waiting += ast.iter_child_nodes(node)
    assert eager == []


def test_stages_do_not_call_each_other() -> None:
    path = CORE / "pipeline" / "stages.py"
    stages = {
        node.name: node
        for node in tree(path).body
        if isinstance(node, ast.FunctionDef) and node.name in STAGES
    }
    assert set(stages) == STAGES
    for name, function in stages.items():
        called = {
            node.func.id
            for node in ast.walk(function)
            if isinstance(node, ast.Call) and isinstance(node.func, ast.Name)
        }
        assert not called & (STAGES - {name}), name


@pytest.mark.parametrize("package", SOURCES)
def test_public_classes_have_names_of_their_own(package: str) -> None:
    places: dict[str, list[str]] = defaultdict(list)
    for path in FILES[package]:
        for node in tree(path).body:
            if isinstance(node, ast.ClassDef) and not node.name.startswith("_"):
                places[node.name].append(str(path))
    assert {name: files for name, files in places.items() if len(files) > 1} == {}


def test_no_file_is_too_long_to_be_one_thing() -> None:
    lines = {path: path.read_text(encoding="utf-8").count("\n") for path in PATHS}
    assert {str(path): count for path, count in lines.items() if count > LONGEST_FILE} == {}


def test_no_folder_is_too_small_to_be_a_room() -> None:
    folders: dict[Path, int] = defaultdict(int)
    for path in PATHS:
        folders[path.parent] += 1
    for folder in SOURCES.values():
        folders.pop(folder)
    # Alembic wants its environment in a folder with the versions below.
    few = [str(f) for f, count in folders.items() if count < 3 and f.name != "migrations"]
    assert few == []


def test_torch_is_loaded_by_the_lab_alone() -> None:
    for package, files in FILES.items():
        for path in files:
            text = path.read_text(encoding="utf-8")
            loads = re.search(r"^\s*(?:import|from) torch\b", text, re.MULTILINE)
            assert package == "lacuna_lab" or not loads, path
