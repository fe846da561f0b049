"""``python -m lacuna.models.checksums FOLDER…``: write the checksums of models as they are now.

`lacuna train`, `lacuna export` and `lacuna tune` do so by themselves; this is for files that were
put into a folder by hand.
"""

from __future__ import annotations

import sys
from pathlib import Path

from lacuna.models.model_folder import seal_model

if __name__ == "__main__":
    for folder in map(Path, sys.argv[1:]):
        seal_model(folder)
        print(f"Checksums written: {folder}")
