"""Settings files: what is written can be read, whatever is in it, and what is wrong is told."""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path
from typing import Annotated, Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec import Meta

from lacuna.errors import LacunaError
from lacuna.files.settings import read_toml, set_in_file, settings_text, typed, write_settings


@dataclass(frozen=True)
class Room:
    size: Annotated[int, Meta(ge=1, description="In steps.")]
    share: Annotated[float, Meta(title="a share")] = 0.5
    more: dict[str, Any] = field(default_factory=dict)


@dataclass(frozen=True)
class House:
    name: Annotated[str, Meta(description="What it is called.")] = ""
    is_open: bool = False
    tags: list[str] = field(default_factory=list)
    best: Room = Room(1)
    rooms: dict[str, Room] = field(default_factory=dict)


TEXT = st.text(st.characters(exclude_categories=["Cs"]), max_size=20)
NUMBERS = st.integers(1, 2**63 - 1)
VALUES = st.recursive(
    st.booleans() | NUMBERS | st.floats(allow_nan=False) | TEXT,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(TEXT, inner, max_size=3),
    max_leaves=8,
)
ROOMS = st.builds(
    Room, NUMBERS, st.floats(allow_nan=False), st.dictionaries(TEXT, VALUES, max_size=3)
)
HOUSES = st.builds(
    House,
    TEXT,
    st.booleans(),
    st.lists(TEXT, max_size=3),
    ROOMS,
    st.dictionaries(TEXT, ROOMS, max_size=3),
)


@settings(max_examples=150)
@given(HOUSES)
def test_what_is_written_is_read(tmp_path_factory: pytest.TempPathFactory, house: House) -> None:
    path = tmp_path_factory.mktemp("settings") / "house.toml"
    write_settings(path, house, "A house.")
    assert typed(read_toml(path), House, str(path)) == house


@given(TEXT, TEXT)
def test_one_value_changes_and_the_rest_stays(
    tmp_path_factory: pytest.TempPathFactory, before: str, after: str
) -> None:
    path = tmp_path_factory.mktemp("settings") / "house.toml"
    write_settings(path, House(name=before))
    text = path.read_text()
    set_in_file(path, "name", after)
    assert typed(read_toml(path), House, "") == House(name=after)
    assert set_in_file(path, "name", before)
    assert path.read_text() == text
    assert set_in_file(path, "name", None)
    assert not set_in_file(path, "name", None)
    assert typed(read_toml(path), House, "") == House()


def test_each_setting_stands_below_its_description(tmp_path: Path) -> None:
    text = settings_text(House(name="Mill", rooms={"a b": Room(2)}), "One.\nTwo.")
    assert text.startswith('# One.\n# Two.\n\n# What it is called.\nname = "Mill"\n')
    assert '[rooms."a b"]\n\n# In steps.\nsize = 2\n' in text


@pytest.mark.parametrize("private", [True, False])
def test_only_the_owner_reads_what_is_private(tmp_path: Path, private: bool) -> None:
    write_settings(tmp_path / "house.toml", House(), private=private)
    assert ((tmp_path / "house.toml").stat().st_mode & 0o077 == 0) is private


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("name = 3", "name must be a text, and is the number 3."),
        ("is_open = 1", "is_open must be true or false, and is the number 1."),
        ("nmae = 'x'", "There is no setting 'nmae'. Did you mean name?"),
        ("rooms = 3", "rooms must be a table, and is the number 3."),
        ("[rooms.hall]\nsize = 0", "[rooms.hall]: size must be a whole number of at least 1"),
        ("[rooms.hall]\nsize = true", "[rooms.hall]: size must be a whole number"),
        ("[rooms]\nhall = 3", "must be a table"),
        ("[rooms.hall]\nshare = 'x'", "[rooms.hall]: size is missing. Add it."),
        ("[best]\nsize = 1\nshare = 'x'", "[best]: share must be a share, and is 'x'."),
        ("best = 'x'", "best must be a table, and is 'x'."),
        ("name = ", "cannot be read as a file with settings"),
        ("\x00", "It is TOML"),
        ("x = " + "[" * 100_000, "cannot be read as a file with settings"),
    ],
)
def test_what_is_wrong_is_told(tmp_path: Path, text: str, told: str) -> None:
    path = tmp_path / "house.toml"
    path.write_text(text)
    with pytest.raises(LacunaError) as error:
        typed(read_toml(path), House, str(path))
    assert str(error.value).startswith(str(path))
    assert told in str(error.value)


def test_a_file_that_is_not_there(tmp_path: Path) -> None:
    with pytest.raises(FileNotFoundError):
        read_toml(tmp_path / "none.toml")
