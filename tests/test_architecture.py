"""The house stays as CONTRIBUTING draws it."""

from __future__ import annotations

import ast
import re
from collections import defaultdict
from collections.abc import Iterator
from pathlib import Path
from statistics import median

ROOT = Path(__file__).parent.parent
PACKAGE = ROOT / "src" / "lacuna"
FILES = sorted(PACKAGE.rglob("*.py"))
STAGES = ("start", "spot", "find", "read", "answer")
ROW = re.compile(r"^\| `([\w.]+)/?` \|([^|]*)\|$", re.MULTILINE)


def matrix() -> dict[str, set[str]]:
    """Which folder (or module) may import which, as CONTRIBUTING's table says."""
    text = (ROOT / "CONTRIBUTING.md").read_text(encoding="utf-8")
    section = text.split("## Who may import whom")[1].split("\n## ")[0]
    return {
        name: set(re.findall(r"`([\w.]+)/?`", allowed)) for name, allowed in ROW.findall(section)
    }


def room_of(path: Path) -> str:
    """The folder of a file, or the module itself where it lies in none."""
    first = path.relative_to(PACKAGE).parts[0]
    return first.removesuffix(".py")


def imports(path: Path) -> Iterator[str]:
    """The modules of the package that a file imports, wherever in it."""
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.ImportFrom) and (node.module or "").split(".")[0] == "lacuna":
            assert node.module is not None
            if node.module == "lacuna":
                yield from (f"lacuna.{name.name}" for name in node.names)
            else:
                yield node.module
        elif isinstance(node, ast.Import):
            yield from (name.name for name in node.names if name.name.startswith("lacuna."))


def edges() -> dict[str, dict[str, set[str]]]:
    """Room to room, with the files that make it so."""
    found: dict[str, dict[str, set[str]]] = defaultdict(lambda: defaultdict(set))
    for path in FILES:
        source = room_of(path)
        for module in imports(path):
            target = module.split(".")[1]
            if target != source:
                found[source][target].add(str(path.relative_to(PACKAGE)))
    return found


def test_imports_go_as_contributing_says() -> None:
    allowed = matrix()
    free = allowed.pop("everyone")
    wrong = [
        f"{source} imports {target} in {', '.join(sorted(files))}"
        for source, targets in edges().items()
        for target, files in targets.items()
        if source not in ("__init__", "__main__")
        and target not in free
        and target not in allowed.get(source, set())
    ]
    assert wrong == []


def test_the_matrix_names_what_there_is_and_has_no_cycle() -> None:
    allowed = matrix()
    free = allowed.pop("everyone")
    rooms = {room_of(path) for path in FILES} - {"__init__", "__main__"}
    assert set(allowed) == rooms - free
    done: set[str] = set()
    while left := {room for room in allowed if room not in done}:
        ready = {room for room in left if allowed[room] <= done}
        assert ready, f"these import each other: {sorted(left)}"
        done |= ready


def test_what_everyone_may_import_imports_nothing_else() -> None:
    free = matrix()["everyone"]
    for source, targets in edges().items():
        if source in free:
            assert set(targets) <= free, source


def test_stages_do_not_know_each_other() -> None:
    for stage in STAGES:
        others = {f"lacuna.pipeline.{other}" for other in STAGES if other != stage}
        assert not others & set(imports(PACKAGE / "pipeline" / f"{stage}.py")), stage


def test_public_classes_have_names_of_their_own() -> None:
    places: dict[str, list[str]] = defaultdict(list)
    for path in FILES:
        for node in ast.parse(path.read_text(encoding="utf-8")).body:
            if isinstance(node, ast.ClassDef) and not node.name.startswith("_"):
                places[node.name].append(str(path.relative_to(PACKAGE)))
    assert {name: files for name, files in places.items() if len(files) > 1} == {}


def test_files_have_a_size_that_shows_their_job() -> None:
    lines = {path: path.read_text(encoding="utf-8").count("\n") for path in FILES}
    assert [str(path) for path, count in lines.items() if count > 400] == []
    whole = [count for path, count in lines.items() if path.name != "__init__.py"]
    assert 90 <= median(whole) <= 140
    folders: dict[Path, int] = defaultdict(int)
    for path in FILES:
        folders[path.parent] += 1
    assert [str(folder) for folder, count in folders.items() if count > 24] == []


def test_torch_is_loaded_by_training_alone() -> None:
    for path in FILES:
        if room_of(path) != "train":
            text = path.read_text(encoding="utf-8")
            assert not re.search(r"^\s*(?:import|from) torch\b", text, re.MULTILINE), path
