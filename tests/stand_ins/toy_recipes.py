"""Recipes of small networks, written for a test."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any


def write_recipe(folder: Path, system: str, **settings: Any) -> Path:
    """A recipe of that system, in a file of its own."""
    values = {**settings, "system": system}
    path = folder / f"{system}-{len(list(folder.iterdir()))}.toml"
    path.write_text("\n".join(f"{name} = {json.dumps(value)}" for name, value in values.items()))
    return path
