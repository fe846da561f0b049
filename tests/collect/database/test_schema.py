"""A database of an older version is brought up to date, with all that is in it."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from typing import cast

import pytest
from alembic.autogenerate import compare_metadata
from alembic.migration import MigrationContext
from sqlalchemy import create_engine, func, insert, select, text

from lacuna.errors import LacunaError
from lacuna_collect.database.engine import (
    CollectDatabase,
    bring_schema_up_to_date,
    database_url,
)
from lacuna_collect.database.tables import ASSIGNMENT, ITEM, METADATA, SHARED_TEXT
from lacuna_collect.tasks.iirc import IIRCAnswers
from lacuna_collect.tasks.task import CollectTask, Json
from lacuna_collect.work.assignments import keep_apart, with_shared

OLD_ROWS = """
INSERT INTO person (id, platform, name, folded, role, created_at)
    VALUES (1, '', 'Ada', 'ada', 'worker', 5);
INSERT INTO item (id, task, key, payload, split, copies, taken, created_at)
    VALUES (1, 't', 'a', '{}', '', 1, 1, 5), (2, 't', 'b', '{}', '', 1, 0, 5);
INSERT INTO assignment (id, item, person, task, state, is_test, version, seconds, loop,
        returned_reason, assigned_at, expires_at)
    VALUES (1, 1, 1, 't', 'waiting', {no}, 0, 0, '{}', '', 5, 6),
        (2, 2, 1, 't', 'expired', {no}, 0, 0, '{}', '', 5, 6);
"""


def differences(database: CollectDatabase) -> list[object]:
    with database.engine.connect() as connection:
        return list(compare_metadata(MigrationContext.configure(connection), METADATA))


def test_migrations_make_the_tables_of_this_version(url: str) -> None:
    database = CollectDatabase.open(url)
    assert differences(database) == []
    database.close()


def test_first_version_is_brought_up_to_date(url: str) -> None:
    engine = create_engine(database_url(url))
    bring_schema_up_to_date(engine, CollectDatabase.schema, "0001")
    no = "false" if engine.dialect.name == "postgresql" else "0"
    with engine.begin() as connection:
        for statement in OLD_ROWS.replace("{no}", no).split(";\n"):
            if statement.strip():
                connection.exec_driver_sql(statement)
    engine.dispose()
    database = CollectDatabase.open(url)
    assert differences(database) == []
    with database.read() as transaction:
        rows = transaction.execute(select(ASSIGNMENT.c.has_place).order_by(ASSIGNMENT.c.id))
        assert list(rows.scalars()) == [True, False]
    database.close()


def test_articles_are_taken_out_of_items(url: str) -> None:
    """Of the third version on; both items had the same article."""
    engine = create_engine(database_url(url))
    bring_schema_up_to_date(engine, CollectDatabase.schema, "0002")
    bay = {"text": "A bay \u00e9."}
    payloads: dict[str, Json] = {
        "iirc-questions": {"kind": "writing", "articles": {"Bay": bay}},
        "iirc-answers": {"set": "a", "articles": {"Bay": bay, "Cape": {"text": "A cape."}}},
        "other": {"articles": {"Bay": bay}},
    }
    old = {"split": "", "copies": 1, "taken": 0, "drawn": False, "created_at": 5.0}
    with engine.begin() as connection:
        for task, payload in payloads.items():
            made = {**old, "task": task, "key": task, "payload": payload}
            connection.execute(insert(ITEM), made)
    engine.dispose()
    database = CollectDatabase.open(url)
    assert differences(database) == []
    with database.read() as transaction:
        assert transaction.scalar(select(func.count()).select_from(SHARED_TEXT)) == 2
        for row in transaction.execute(select(ITEM.c.task, ITEM.c.payload)).all():
            assert (row.payload == payloads[row.task]) == (row.task == "other")
            read = with_shared(transaction, cast(CollectTask, IIRCAnswers()), row.payload)
            assert read == payloads[row.task]
    with database.begin() as transaction:  # the same digests as today's
        keep_apart(transaction, cast(CollectTask, IIRCAnswers()), payloads["iirc-answers"])
        assert transaction.scalar(select(func.count()).select_from(SHARED_TEXT)) == 2
    database.close()


def test_many_can_open_an_empty_database_at_once(url: str) -> None:
    def opened(_: int) -> str | None:
        database = CollectDatabase.open(url)
        with database.engine.connect() as connection:
            version = MigrationContext.configure(connection).get_current_revision()
        database.close()
        return version

    with ThreadPoolExecutor(4) as pool:
        assert len(set(pool.map(opened, range(4)))) == 1


def test_newer_version_is_refused(url: str) -> None:
    database = CollectDatabase.open(url)
    with database.engine.begin() as connection:
        connection.execute(text("UPDATE alembic_version SET version_num = '9999'"))
    database.close()
    with pytest.raises(LacunaError, match="newer version of Lacuna"):
        CollectDatabase.open(url)


@pytest.mark.parametrize(
    ("wrong", "told"),
    [
        ("nonsense", "no address of a database"),
        ("mysql://user@host/name", "not supported"),
        ("postgresql://nobody:secret@127.0.0.1:1/none", "cannot be used"),
        ("sqlite:////nowhere/at/all.db", "There is no database"),
    ],
)
def test_addresses_that_lead_nowhere(wrong: str, told: str) -> None:
    with pytest.raises(LacunaError, match=told) as error:
        CollectDatabase.open(wrong)
    assert "secret" not in str(error.value)
