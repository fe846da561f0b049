"""What the scoring process does: read a file that anybody may have made, and score it.

It may take so much memory and time and no more, and may write no large files. It hands its results
over as files, written whole or not at all.
"""

from __future__ import annotations

import gc
import json
import os
import sys
from contextlib import suppress
from pathlib import Path
from typing import Any

from lacuna.errors import LacunaError
from lacuna.files.writing import replace_bytes, replace_text

REFUSED = 2
NO_ROOM = 3
RESULT = "result.json"
ROWS = "rows.npz"
LARGEST_RESULT = 256 << 20
SPARE_SECONDS = 5
"""Of processor time, after which the system ends what the server's own clock has not."""


def score_here(job: str) -> None:
    """Score what a job names; the exit code says how it went, standard error why."""
    told: dict[str, Any] = json.loads(job)
    limit_itself(told["memory_mb"] << 20, told["seconds"])
    os.environ["OPENBLAS_NUM_THREADS"] = "1"  # each thread would reserve memory of its own
    os.chdir(Path(told["predictions"]).parent)  # so that errors name the file without its folder
    gc.disable()  # nothing that is scored is cyclic
    try:
        _score(told)
    except LacunaError as error:
        print(error, file=sys.stderr)
        sys.exit(REFUSED)
    except (MemoryError, RecursionError):
        sys.exit(NO_ROOM)


def limit_itself(memory: int, seconds: int) -> None:
    """Take no more than this, whatever the file is; Windows has no such limits."""
    with suppress(ImportError):
        import resource

        wanted = {
            resource.RLIMIT_AS: memory,
            resource.RLIMIT_CPU: seconds + SPARE_SECONDS,
            resource.RLIMIT_FSIZE: LARGEST_RESULT,
            resource.RLIMIT_CORE: 0,
        }
        for limit, value in wanted.items():
            _, hard = resource.getrlimit(limit)
            most = value if hard == resource.RLIM_INFINITY else min(value, hard)
            resource.setrlimit(limit, (most, most))


def _score(told: dict[str, Any]) -> None:
    import numpy as np

    from lacuna.board.scoring.scored_file import score_file

    scored, rows = score_file(
        told["dataset"],
        Path(told["gold"]),
        Path(Path(told["predictions"]).name),
        told["smallest_part"],
    )
    out = Path(told["out"])
    with replace_bytes(out / ROWS) as file:
        table = np.array(rows.rows, dtype=float)  # questions x measures, nan where one has none
        np.savez_compressed(file, groups=np.array(rows.groups), rows=table)
    with replace_text(out / RESULT) as text:
        json.dump(scored.as_json(), text, allow_nan=False)
