"""Decode JSON strictly: what no file could give back, or JSON does not have, is refused."""

from __future__ import annotations

import json
import math
import re
from collections import Counter
from typing import Any

from lacuna.errors import BadField, LacunaError, shown
from lacuna.files.opening import TextSource

LARGEST_VALUE = 64 << 20
"""Characters that one item may have; a longer one is a mistake, and would fill the memory."""

SUSPECT_ESCAPE = re.compile(r"\\u(?:0000|[dD][89a-fA-F])")
FORBIDDEN = re.compile("[\x00\ud800-\udfff]")


def decode_whole(source: TextSource) -> Any:
    """The one value that a file holds; a key that an object has twice is an error."""
    path, text = source.path, source.text.read(LARGEST_VALUE + 1)
    if len(text) > LARGEST_VALUE:
        raise LacunaError(
            f"{path} is longer than {LARGEST_VALUE >> 20} million characters, too long for a "
            "file of predictions. Is it the right file?"
        )
    try:
        value = DECODER.decode(text.strip())
        check_text(value, text, 0, len(text))
    except json.JSONDecodeError as error:
        problem = described(error)
        raise LacunaError(
            f"{path} is not valid JSON: {problem}. Mend it or make it again."
        ) from None
    except RecursionError:
        raise LacunaError(f"{path} is not valid JSON: it is nested too deeply.") from None
    except BadField as error:
        raise LacunaError(f"{path}: {error}. Mend it or make it again.") from None
    except ValueError as error:
        raise LacunaError(f"{path} is not valid JSON: {error}. Mend it or make it again.") from None
    return value


def described(error: json.JSONDecodeError, before: int = 0) -> str:
    """What is wrong with some JSON, and where, if ``before`` characters stand ahead of it."""
    return f"{error.msg.lower().removesuffix(' at')} at character {before + error.pos}"


def decode(text: str) -> Any:
    """One JSON value from a text that must hold nothing else."""
    value = DECODER.decode(text)
    check_text(value, text, 0, len(text))
    return value


def check_text(value: Any, source: str, start: int, end: int) -> None:
    """Refuse NUL characters and half surrogates, which no file could give back.

    ``source[start:end]`` is the JSON text of the value: only where it holds a suspicious escape
    is the value walked through.
    """
    if SUSPECT_ESCAPE.search(source, start, end):
        _walk(value, "")


def _walk(value: Any, where: str) -> None:
    if isinstance(value, str):
        if sign := FORBIDDEN.search(value):
            name = "a NUL character" if sign[0] == "\x00" else "half of a surrogate pair"
            raise BadField(where or "item", "text without it", f"{name} at {sign.start()}")
    elif isinstance(value, dict):
        for key, inner in value.items():
            _walk(key, where)
            _walk(inner, f"{where}.{key}" if where else key)
    elif isinstance(value, list):
        for index, inner in enumerate(value):
            _walk(inner, f"{where}[{index}]")


def _no_constant(name: str) -> Any:
    raise ValueError(f"{name} is not a number that JSON has")


def _finite(digits: str) -> float:
    value = float(digits)
    if math.isinf(value):
        raise ValueError(f"{shown(digits)} is too large for a number")
    return value


def _unique(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    unique = dict(pairs)
    if len(unique) < len(pairs):
        twice = next(key for key, count in Counter(key for key, _ in pairs).items() if count > 1)
        raise BadField(twice, "every key once", "it a second time")
    return unique


LENIENT_DECODER = json.JSONDecoder(parse_constant=_no_constant, parse_float=_finite)
DECODER = json.JSONDecoder(
    parse_constant=_no_constant, parse_float=_finite, object_pairs_hook=_unique
)
