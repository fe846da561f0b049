"""Copy all of a database into an empty one, of whatever kind, while people work in it."""

from __future__ import annotations

from sqlalchemy import func, insert, select, text

from lacuna.collect.database.engine import CollectDatabase, CollectTransaction
from lacuna.collect.database.tables import METADATA
from lacuna.errors import LacunaError

BATCH = 500


def copy_database(source: CollectDatabase, target: CollectDatabase) -> int:
    """Copy every row as it is at this moment, all or nothing; how many there were."""
    copied = 0
    with source.read() as old, target.begin() as new:
        for table in METADATA.sorted_tables:
            if new.scalar(select(func.count()).select_from(table)):
                raise LacunaError(
                    f"{target.shown_url} holds a project already. Give an empty database."
                )
        for table in METADATA.sorted_tables:
            rows = old.execute(select(table).execution_options(yield_per=BATCH))
            for batch in rows.mappings().partitions(BATCH):
                new.execute(insert(table), [dict(row) for row in batch])
                copied += len(batch)
            if not target.is_sqlite and "id" in table.c:
                _go_on_counting(new, table.name)
    return copied


def _go_on_counting(transaction: CollectTransaction, table: str) -> None:
    """PostgreSQL counts rows by itself, and does not look at numbers that were brought along."""
    last = f"(SELECT coalesce(max(id), 0) + 1 FROM {table})"
    transaction.execute(
        text(f"SELECT setval(pg_get_serial_sequence('{table}', 'id'), {last}, false)")
    )
