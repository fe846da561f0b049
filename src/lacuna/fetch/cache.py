"""Where fetched files are kept."""

from __future__ import annotations

import os
from pathlib import Path


def cache_folder() -> Path:
    """The folder for fetched files; the environment variable LACUNA_CACHE overrides it."""
    if chosen := os.environ.get("LACUNA_CACHE"):
        return Path(chosen)
    from platformdirs import user_cache_path

    return user_cache_path("lacuna")
