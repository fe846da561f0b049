"""Results that took long, kept as JSON until what they depend on changes."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

from lacuna.files.writing import replace_text


def cached_json(path: Path, make: Callable[[], Mapping[str, Any]]) -> dict[str, Any]:
    """What the file holds; it is made, and written, where there is none that can be read."""
    try:
        kept = json.loads(path.read_text(encoding="utf-8"))
        if isinstance(kept, dict):
            return kept
    except (OSError, ValueError):
        pass
    made = dict(make())
    path.parent.mkdir(parents=True, exist_ok=True)
    with replace_text(path) as out:
        json.dump(made, out)
    return made
