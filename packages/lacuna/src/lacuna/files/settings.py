"""Settings in a TOML file: a dataclass says what there is; files are read into it and made from it.

``Annotated[int, Meta(ge=1, description="…")]`` is a setting's type: the limits are checked, the
description stands above it in the file, and a ``title`` says in words what it must be where the
type alone does not.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Mapping
from dataclasses import fields, is_dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, TypeVar, get_args, get_origin, get_type_hints

from lacuna.errors import LacunaError, no_such, shown
from lacuna.files.writing import replace_text

if TYPE_CHECKING:
    from tomlkit.container import Container
    from tomlkit.items import Table

T = TypeVar("T")
WORDS = {"int": "a whole number", "float": "a number", "str": "a text", "bool": "true or false"}
WORDS |= {"array": "a list", "object": "a table", "null": ""}
MUST_BE = re.compile(r"Expected `(?P<types>[\w|]+)`(?: (?P<limit>[<>]=?) (?P<bound>[-\d.]+))?")


def read_toml(path: Path) -> dict[str, Any]:
    """The plain values of a file; one that is not there raises FileNotFoundError."""
    try:
        return tomllib.loads(path.read_text(encoding="utf-8-sig"))
    except (FileNotFoundError, NotADirectoryError):
        raise
    except (OSError, ValueError, RecursionError) as error:  # a decoder's errors are ValueErrors
        reason = error.strerror if isinstance(error, OSError) else str(error)
        raise LacunaError(
            f"{path} cannot be read as a file with settings: {reason}. It is TOML, one setting a "
            'line, such as name = "value". Mend it, or move it away.'
        ) from error


def typed(said: Mapping[str, Any], kind: type[T], where: str) -> T:
    """Plain values as a dataclass; ``where`` begins what is said about a wrong one."""
    types = get_type_hints(kind, include_extras=True)
    for name in said:
        if name not in types:
            raise LacunaError(f"{where}: {no_such('setting', name, list(types))}")
    for field in fields(kind):  # type: ignore[arg-type]
        if field.name not in said and field.default is field.default_factory:  # both are missing
            raise LacunaError(f"{where}: {field.name} is missing. Add it.")
    return kind(**{name: checked(said[name], types[name], where, name) for name in said})


def checked(value: Any, wanted: Any, where: str, name: str, *, strict: bool = True) -> Any:
    """A plain value in the type of its setting; not ``strict``: from a text."""
    import msgspec

    if is_dataclass(wanted) and isinstance(value, Mapping):
        return typed(value, wanted, f"{where}, [{name}]")  # type: ignore[arg-type]
    if get_origin(wanted) is dict and is_dataclass(inner := get_args(wanted)[1]):
        tables = checked(value, dict[str, dict[str, Any]], where, name)
        return {key: typed(each, inner, f"{where}, [{name}.{key}]") for key, each in tables.items()}  # type: ignore[arg-type]
    try:
        return msgspec.convert(
            value, dict[str, Any] if is_dataclass(wanted) else wanted, strict=strict
        )
    except msgspec.ValidationError as error:
        must_be = _meta(wanted).title or _in_words(str(error))
        found = shown(value)
        raise LacunaError(f"{where}: {name} must be {must_be}, and is {found}.") from None


def _meta(wanted: Any) -> Any:
    import msgspec

    is_annotated = get_origin(wanted) is Annotated
    return next((m for m in get_args(wanted)[1:] if is_annotated and m), msgspec.Meta())


def _in_words(problem: str) -> str:
    """Say for people what msgspec expected.

    >>> _in_words("Expected `int` >= 1")
    'a whole number of at least 1'
    """
    if (found := MUST_BE.match(problem)) is None:
        return problem
    words = " or ".join(filter(None, (WORDS.get(t, t) for t in found["types"].split("|"))))
    limit = {None: "", ">=": " of at least ", "<=": " of at most ", ">": " above ", "<": " below "}
    return words + limit[found["limit"]] + (found["bound"] or "")


def settings_text(settings: Any, head: str = "") -> str:
    """A dataclass as a file with a comment at its head and descriptions above its settings."""
    import tomlkit

    document = tomlkit.document()
    for line in head.splitlines():
        document.add(tomlkit.comment(line))
    _fill(document, settings)
    return tomlkit.dumps(document)


def _fill(table: Container | Table, settings: Any) -> None:
    import tomlkit

    types = get_type_hints(type(settings), include_extras=True)
    inner: dict[str, Any] = {}
    for field in fields(settings):
        value = getattr(settings, field.name)
        if is_dataclass(value) or (
            isinstance(value, Mapping) and value and all(map(is_dataclass, value.values()))
        ):
            inner[field.name] = value
            continue
        if about := _meta(types[field.name]).description:
            table.add(tomlkit.nl())
            table.add(tomlkit.comment(about))
        if value is not None:
            table.add(field.name, tomlkit.item(_plain(value)))
    for name, value in inner.items():  # tables stand behind the plain values
        part = tomlkit.table(is_super_table=not is_dataclass(value))
        if is_dataclass(value):
            _fill(part, value)
        else:
            for key, each in value.items():
                below = tomlkit.table()
                _fill(below, each)
                part.add(key, below)
        table.add(name, part)


def _plain(value: Any) -> Any:
    """A value without what TOML lacks."""
    if isinstance(value, Mapping):
        return {key: _plain(each) for key, each in value.items() if each is not None}
    return [_plain(each) for each in value] if isinstance(value, list | tuple) else value


def write_settings(path: Path, settings: Any, head: str = "", *, private: bool = False) -> None:
    """Write a dataclass as a file; ``private``: nobody but its owner can read it."""
    with replace_text(path, private=private) as out:
        out.write(settings_text(settings, head))


def set_in_file(path: Path, name: str, value: Any) -> bool:
    """Change one value of a file, or take it out with None; all else stays, comments too.

    False where there was nothing to take out. A file that is not there is made.
    """
    import tomlkit

    try:
        read_toml(path)
        document = tomlkit.parse(path.read_text(encoding="utf-8-sig"))
    except FileNotFoundError:
        document = tomlkit.document()
    if value is None:
        if name not in document:
            return False
        document.remove(name)
    else:
        document[name] = value
    path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    with replace_text(path) as out:
        out.write(tomlkit.dumps(document))
    return True
