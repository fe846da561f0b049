"""Whether a human row fits a table."""

from __future__ import annotations

import json
from collections.abc import Collection

from lacuna.errors import LacunaError
from lacuna.metrics.human_row import HumanRow


def check_measures(row: HumanRow, measures: Collection[str], scale: float) -> None:
    """Refuse measures that the table does not have, or that no scorer could give."""
    unknown = [name for name in row.measures if name not in measures]
    if unknown:
        raise LacunaError(
            f"The human row has {', '.join(map(repr, unknown))}, which the table does not "
            f"measure; it has {', '.join(measures)}."
        )
    given = {name: value for name, value in row.measures.items() if value is not None}
    beyond = {name: value for name, value in given.items() if not 0 <= value <= scale}
    if beyond:
        raise LacunaError(
            f"The human row has {json.dumps(beyond)}, but the official scorer gives numbers from "
            f"0 to {scale:g}. Give them on that scale."
        )
