"""Where files are kept that can be fetched or made again."""

from __future__ import annotations

import os
from pathlib import Path


def cache_folder() -> Path:
    """The user's cache folder; the environment variable LACUNA_CACHE names another."""
    if chosen := os.environ.get("LACUNA_CACHE"):
        return Path(chosen)
    from platformdirs import user_cache_path

    return user_cache_path("lacuna")
