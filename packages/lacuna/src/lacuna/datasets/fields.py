"""Take typed fields out of a JSON object, and name the field when one is not as it should be."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, TypeVar

from lacuna.errors import BadField, shown
from lacuna.types import Document, Evidence, Extra, Role

T = TypeVar("T")


class Fields:
    """A JSON object whose fields are taken one by one; ``rest`` gives what nobody took.

    The ``optional`` getters return None both for a missing field and for null. A null is then
    left in the rest, so that writing the object gives it back.
    """

    __slots__ = ("_raw", "_taken", "path")

    def __init__(self, raw: Any, path: str = "") -> None:
        if not isinstance(raw, dict):
            raise BadField(path or "item", "an object", shown(raw))
        self._raw: dict[str, Any] = raw
        self._taken: set[str] = set()
        self.path = path

    def __contains__(self, key: str) -> bool:
        return self._raw.get(key) is not None

    def where(self, key: str) -> str:
        """The full name of a field, for an error."""
        return f"{self.path}.{key}" if self.path else key

    def bad(self, key: str, expected: str, found: str | None = None) -> BadField:
        """The error that says what a field should have been."""
        return BadField(self.where(key), expected, found or self._found(key))

    def text(self, key: str) -> str:
        """A text that must be there."""
        value = self._raw.get(key)
        if not isinstance(value, str):
            raise self.bad(key, "a text")
        self._taken.add(key)
        return value

    def optional_text(self, key: str) -> str | None:
        """A text, or None."""
        return self.text(key) if key in self else None

    def items(self, key: str) -> list[Any]:
        """A list that must be there."""
        value = self._raw.get(key)
        if not isinstance(value, list):
            raise self.bad(key, "a list")
        self._taken.add(key)
        return value

    def objects(self, key: str) -> list[Fields]:
        """A list of objects that must be there."""
        where = self.where(key)
        return [Fields(raw, f"{where}[{index}]") for index, raw in enumerate(self.items(key))]

    def optional_objects(self, key: str) -> list[Fields]:
        """A list of objects; an empty one where there are none."""
        return self.objects(key) if self._raw.get(key) else []

    def object(self, key: str) -> Fields:
        """An object that must be there."""
        inner = Fields(self._raw.get(key), self.where(key))
        self._taken.add(key)
        return inner

    def texts(self, key: str) -> tuple[str, ...]:
        """A list of texts that must be there."""
        return self._all(key, "a text", str)

    def optional_texts(self, key: str) -> tuple[str, ...] | None:
        """A list of texts, or None."""
        return self.texts(key) if key in self else None

    def integer(self, key: str) -> int:
        """A whole number, not negative, that must be there."""
        value = self._raw.get(key)
        if type(value) is not int or value < 0:
            raise self.bad(key, "a whole number, 0 or more")
        self._taken.add(key)
        return value

    def integers(self, key: str) -> tuple[int, ...]:
        """A list of whole numbers that must be there."""
        return self._all(key, "a whole number", int)

    def one_of(self, key: str, kind: Callable[[str], T], allowed: str) -> T | None:
        """A text that ``kind`` (an enum, mostly) understands, or None."""
        if key not in self:
            return None
        try:
            return kind(self.text(key))
        except ValueError:
            raise self.bad(key, allowed) from None

    def peek(self, key: str) -> Any:
        """A field as it stands, without taking it."""
        return self._raw.get(key)

    def rest(self) -> dict[str, Any]:
        """The fields that nobody took, as they stand."""
        return {key: value for key, value in self._raw.items() if key not in self._taken}

    def _all(self, key: str, name: str, kind: type[T]) -> tuple[T, ...]:
        values = self.items(key)
        for index, value in enumerate(values):
            if type(value) is not kind:
                raise BadField(f"{self.where(key)}[{index}]", name, shown(value))
        return tuple(values)

    def _found(self, key: str) -> str:
        return shown(self._raw[key]) if key in self._raw else "nothing"


def evidence_at(fields: Fields, document: Document, role: Role) -> Evidence:
    """Evidence from SQuAD's and QuAC's ``text`` and ``answer_start``, checked against the text."""
    text, start = fields.text("text"), fields.integer("answer_start")
    end = start + len(text)
    stands = document.text[start:end]
    if stands != text:
        raise fields.bad(
            "answer_start", f"where {shown(text)} stands", f"{start}, where {shown(stands)} stands"
        )
    return Evidence(document.title, start, end, role)


HIDDEN = "\x00"
"""Begins the names under which readers keep what has no place of its own; no field of a file can
begin so, since the reader refuses NUL."""


def keep(name: str, parts: Sequence[Extra]) -> Extra:
    """An extra that holds what is left of each of several inner objects, if anything is left."""
    return {HIDDEN + name: list(parts)} if any(parts) else {}


def restore(name: str, known: Sequence[Mapping[str, Any]], extra: Extra) -> list[dict[str, Any]]:
    """The inner objects with what ``keep`` kept of them."""
    parts = extra.get(HIDDEN + name, ())
    if len(parts) != len(known):  # the objects are other ones by now
        parts = [{}] * len(known)
    return [combine(raw, part) for raw, part in zip(known, parts, strict=True)]


def visible(extra: Extra) -> dict[str, Any]:
    """The fields of an extra that stand in the file under their own name."""
    return {key: value for key, value in extra.items() if not key.startswith(HIDDEN)}


def difference(raw: Mapping[str, Any], known: Mapping[str, Any]) -> Extra:
    """The differences of a file's object from ``known``, so that ``combine`` can give it back.

    >>> combine({"a": 1, "b": ""}, difference({"a": 1, "c": 3}, {"a": 1, "b": ""}))
    {'a': 1, 'c': 3}
    """
    change: dict[str, Any] = {k: v for k, v in raw.items() if k not in known or known[k] != v}
    if absent := [key for key in known if key not in raw]:
        change[HIDDEN] = absent
    return change


def combine(known: Mapping[str, Any], change: Extra) -> dict[str, Any]:
    """The object that ``difference`` was taken of."""
    whole = {**known, **change}
    for key in whole.pop(HIDDEN, ()):
        del whole[key]
    return whole
