"""Stores of the format before this one: read as they are, and brought up to date by a writer.

Format 3 has a checksum of every document, and a number that is drawn anew with every commit.
"""

from __future__ import annotations

import sqlite3

from lacuna.corpus.safekeeping.damage import row_sum

PREVIOUS, PRESENT = 2, 3
AS_NOW = "CREATE TEMP VIEW documents AS SELECT *, NULL AS sum FROM main.documents"
"""A view in the place of the table: readers need not know the difference."""
DRAW = "abs(random())"
STEPS = (
    "ALTER TABLE main.documents ADD COLUMN sum INTEGER",
    "UPDATE main.documents SET sum = row_sum(source, path, run, title, body)",
    f"INSERT OR REPLACE INTO counts VALUES ('token', {DRAW})",
    f"PRAGMA user_version = {PRESENT}",
)


def read_as_present(connection: sqlite3.Connection) -> None:
    """Let the queries of this version work over the previous format."""
    connection.execute("PRAGMA temp_store = MEMORY")
    connection.execute(AS_NOW)


def migrate(connection: sqlite3.Connection) -> None:
    """Bring the database of the previous format up to date, inside a transaction."""
    connection.execute("DROP VIEW IF EXISTS temp.documents")
    connection.create_function("row_sum", 5, row_sum, deterministic=True)
    for step in STEPS:
        connection.execute(step)
