"""Bring the tables of a database to this version's shape, whatever older version made it."""

from __future__ import annotations

from pathlib import Path

from alembic import command
from alembic.config import Config
from alembic.migration import MigrationContext
from alembic.script import ScriptDirectory
from sqlalchemy import Connection, Engine, text

from lacuna.errors import LacunaError

MIGRATIONS = Path(__file__).parent / "migrations"
ONE_AT_A_TIME = 0x1ACC011EC7
"""The number of the lock under which PostgreSQL's tables are changed."""


def bring_schema_up_to_date(engine: Engine, to: str = "head") -> None:
    """Make or change the tables, in one transaction: they are all changed or none."""
    config = _config()
    with engine.connect() as plain:
        present = _present(plain)
        scripts = ScriptDirectory.from_config(config)
        if to == "head" and present == scripts.get_current_head():
            return
        if present is not None and present not in {s.revision for s in scripts.walk_revisions()}:
            raise LacunaError(
                "This project's database was made by a newer version of Lacuna. Update Lacuna to "
                "open it."
            )
    with engine.connect().execution_options(lacuna_writes=True) as connection, connection.begin():
        if engine.dialect.name == "postgresql":
            connection.execute(
                text("SELECT pg_advisory_xact_lock(:number)"), {"number": ONE_AT_A_TIME}
            )
        config.attributes["connection"] = connection
        command.upgrade(config, to)  # looks again where it stands: another may have been faster


def schema_version(engine: Engine) -> str | None:
    """The revision that a database has; None where it is empty."""
    with engine.connect() as connection:
        return _present(connection)


def _present(connection: Connection) -> str | None:
    return MigrationContext.configure(connection).get_current_revision()


def _config() -> Config:
    config = Config()
    config.set_main_option("script_location", str(MIGRATIONS).replace("%", "%%"))
    return config
