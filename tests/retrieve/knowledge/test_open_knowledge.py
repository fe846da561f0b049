"""The demo's knowledge in the cache folder: made once, never half made."""

from __future__ import annotations

import os
import subprocess
import sys
import textwrap
from collections.abc import Callable
from pathlib import Path

import pytest

from lacuna import demo
from lacuna.errors import LacunaError
from lacuna.files import cache as files_cache
from lacuna.files.cache import BUILDING
from lacuna.retrieve.knowledge import knowledge_base as knowledge
from lacuna.retrieve.knowledge.knowledge_base import KnowledgeBase, build_base, open_knowledge


@pytest.fixture
def cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    folder = tmp_path / "cache"
    monkeypatch.setenv("LACUNA_CACHE", str(folder))
    return folder


def states(cache: Path) -> list[Path]:
    return sorted(cache.glob("knowledge/demo/*"))


def counts(base: KnowledgeBase) -> tuple[int, int]:
    assert base.triples is not None
    assert base.sentences is not None
    return len(base.triples), len(base.sentences)


def rows(path: Path) -> int:
    return len(path.read_text("utf-8").splitlines())


def test_the_demos_is_built_once(cache: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    assert counts(open_knowledge()) == (rows(demo.TRIPLES), rows(demo.SENTENCES))
    assert len(states(cache)) == 1
    monkeypatch.setattr(knowledge, "_build_demo", None)
    assert open_knowledge().about("metal", "steel").found


def test_it_is_built_again_when_it_or_the_version_changes(
    cache: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    before = counts(open_knowledge())
    grown = tmp_path / "triples.tsv"
    grown.write_text(demo.TRIPLES.read_text("utf-8") + "IsA\tzinc\tmetal\t1\tdemo\n", "utf-8")
    monkeypatch.setattr(demo, "TRIPLES", grown)
    assert counts(open_knowledge()) == (before[0] + 1, before[1])
    monkeypatch.setattr(knowledge, "__version__", "999")
    open_knowledge()
    assert len(states(cache)) == 2, "the last state but one may still be read; older ones go"


def test_a_killed_process_leaves_nothing_that_counts(cache: Path) -> None:
    program = """
        import os
        from lacuna import demo
        from lacuna.retrieve.knowledge import build_base, knowledge_base
        def killed(folder):
            build_base([demo.TRIPLES], folder)
            os._exit(9)
        knowledge_base._build_demo = killed
        knowledge_base.open_knowledge()
    """
    ran = subprocess.run(
        [sys.executable, "-c", textwrap.dedent(program)],
        env=os.environ | {"PYTHONPATH": os.pathsep.join(sys.path)},
        check=False,
    )
    assert ran.returncode == 9
    (left,) = states(cache)
    assert left.name.startswith(BUILDING)
    assert counts(open_knowledge()) == (rows(demo.TRIPLES), rows(demo.SENTENCES))


def test_another_process_may_be_quicker(cache: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    whole_move = files_cache.move_into_place

    def late(beside: Path, cached: Path, whole: Callable[[Path], bool]) -> None:
        monkeypatch.setattr(files_cache, "move_into_place", whole_move)
        open_knowledge()  # the other process
        whole_move(beside, cached, whole)

    monkeypatch.setattr(files_cache, "move_into_place", late)
    assert open_knowledge().about("metal", "steel").found
    assert len(states(cache)) == 1, "what came too late is gone"


def test_a_damaged_one_is_made_again(cache: Path) -> None:
    open_knowledge()
    (states(cache)[0] / "sentences" / "meta.json").unlink()
    assert counts(open_knowledge()) == (rows(demo.TRIPLES), rows(demo.SENTENCES))


def test_ones_own(cache: Path, tmp_path: Path) -> None:
    file = tmp_path / "t.tsv"
    file.write_text("IsA\tzinc\tmetal\t1\tmine\n")
    build_base([file], tmp_path / "base")
    base = open_knowledge(tmp_path / "base")
    assert base.sentences is None
    assert base.about("metal", "zinc").found
    assert not cache.exists()


def test_what_is_none_is_refused(tmp_path: Path) -> None:
    for folder in (tmp_path, tmp_path / "gone", Path(__file__)):
        with pytest.raises(LacunaError, match="holds no knowledge"):
            open_knowledge(folder)


def test_a_cache_that_cannot_be_written_is_named(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "file").write_text("no folder")
    monkeypatch.setenv("LACUNA_CACHE", str(tmp_path / "file"))
    with pytest.raises(LacunaError, match="LACUNA_CACHE"):
        open_knowledge()


def test_a_damaged_one_is_built_again(cache: Path) -> None:
    whole = counts(open_knowledge())
    for path in [*cache.rglob("*.npy")][:3]:
        data = bytearray(path.read_bytes())
        data[-1] ^= 1
        path.write_bytes(data)
    assert counts(open_knowledge()) == whole
    assert not knowledge.damaged_knowledge(states(cache)[0])
