"""Every file with settings that Lacuna writes: any text in it is read again, or was refused."""

from __future__ import annotations

from dataclasses import fields, is_dataclass
from pathlib import Path
from types import NoneType, UnionType
from typing import Any, Union, get_args, get_origin, get_type_hints

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from lacuna.cli.settings import UserSettings
from lacuna.errors import LacunaError
from lacuna.files.settings import read_toml, typed, write_settings
from lacuna_collect.board.board import Board
from lacuna_collect.board.database import BoardSettings
from lacuna_collect.project import CollectProject, ProjectFile
from lacuna_collect.tasks.families import family_named

ANY = st.text(st.characters(), min_size=1, max_size=12) | st.sampled_from(
    ["a\x7fb", "\udcff", "\r", "'''\\"]
)
PLAIN: dict[Any, st.SearchStrategy[Any]] = {
    str: ANY,
    int: st.integers(1, 2**63 - 1),
    float: st.floats(0.01, 0.99),
    bool: st.booleans(),
    Any: ANY | st.integers(1, 9) | st.lists(ANY, max_size=2),
    NoneType: st.none(),
}


def values_of(kind: Any) -> st.SearchStrategy[Any]:
    """Values of the type of a setting, with any text in them."""
    inner = get_args(kind)
    if is_dataclass(kind):
        types = get_type_hints(kind)
        return st.builds(kind, **{one.name: values_of(types[one.name]) for one in fields(kind)})  # type: ignore[arg-type]
    match get_origin(kind):
        case None:
            return PLAIN[kind]
        case origin if origin in (Union, UnionType):
            return st.one_of([values_of(each) for each in inner])
        case origin if origin is dict:
            return st.dictionaries(values_of(inner[0]), values_of(inner[1]), max_size=2)
        case origin if origin is list:
            return st.lists(values_of(inner[0]), min_size=1, max_size=2)
        case _:
            return st.lists(values_of(inner[0]), min_size=1, max_size=2).map(tuple)


@settings(max_examples=80)
@given(st.one_of([values_of(kind) for kind in (BoardSettings, ProjectFile, UserSettings)]))
def test_any_text_is_read_again_or_refused(
    tmp_path_factory: pytest.TempPathFactory, said: Any
) -> None:
    path = tmp_path_factory.mktemp("settings") / "settings.toml"
    try:
        write_settings(path, said)
    except LacunaError:
        assert not path.exists()
    else:
        assert typed(read_toml(path), type(said), str(path)) == said


@pytest.mark.parametrize(
    "title", ["a\x7fb", "\x00\x1b[2J\u2028\ufeff", "\r\n'''\"\"\"\\", "🙂" * 99]
)
def test_a_board_opens_whatever_its_title(tmp_path: Path, title: str) -> None:
    Board.create(tmp_path / "board", BoardSettings(title=title)).database.close()
    assert Board.open(tmp_path / "board").settings.title == title


def test_a_board_that_is_refused_leaves_nothing(tmp_path: Path) -> None:
    with pytest.raises(LacunaError, match="half of a surrogate pair"):
        Board.create(tmp_path / "board", BoardSettings(title="a\udcffb"))
    assert not (tmp_path / "board").exists()


def test_a_project_that_is_refused_leaves_nothing(tmp_path: Path) -> None:
    notes = tmp_path / "no\udcfftes"
    notes.mkdir()
    (notes / "a.md").write_text("# A\n\nText.\n")
    with pytest.raises(LacunaError, match="half of a surrogate pair"):
        CollectProject.create(tmp_path / "project", family_named("iirc"), notes)
    assert not (tmp_path / "project").exists()
