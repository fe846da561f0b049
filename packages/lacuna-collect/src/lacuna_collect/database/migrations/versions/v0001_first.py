"""The tables of the first version."""

from __future__ import annotations

from typing import Any

import sqlalchemy as sa
from alembic import op

revision = "0001"
down_revision = None
branch_labels = ("project",)
NUMBER = sa.BigInteger().with_variant(sa.Integer(), "sqlite")
KINDS: dict[str, sa.types.TypeEngine[Any]] = {
    "number": NUMBER,
    "whole": sa.Integer(),
    "real": sa.Double(),
    "flag": sa.Boolean(),
    "text": sa.Text(),
}
TABLES = {
    "invitation": "id number, code_hash 64, role 20, uses_left whole, note text, created_at real, "
    "expires_at real; key id; one code_hash",
    "item": "id number, task 60, key 500, payload text, split 40, gold text?, copies whole, "
    "taken whole, created_at real; key id; one task key",
    "login_attempt": "id number, folded 200, address 100, failed flag, at real; key id; "
    "index address at; index folded at",
    "person": "id number, platform 20, name 200, folded 200, password text?, role 20, "
    "created_at real, blocked_at real?, blocked_reason text=; key id; one platform folded",
    "task_state": "name 60, paused flag; key name",
    "assignment": "id number, item number, person number, task 60, state 20, is_test flag, "
    "draft text?, version whole, seconds real, loop text, returned_reason text, "
    "assigned_at real, expires_at real, ended_at real?; of item item; of person person; key id; "
    "one item person; index person task state; index task state expires_at",
    "login": "id number, person number, token_hash 64, crowd text?, created_at real, "
    "expires_at real; of person person; key id; one token_hash; index person",
    "message": "id number, person number, sender number?, body text, at real, read_at real?; "
    "of person person; of sender person; key id; index person",
    "not_for": "item number, person number; of item item; of person person; key item person",
    "qualification": "id number, person number, task 60, passed flag, score real?, at real; "
    "of person person; key id; one person task",
    "event": "id number, at real, kind 40, person number?, task 60, assignment number?, "
    "about text; of assignment assignment; of person person; key id; index at",
    "ledger": "id number, person number, assignment number?, task 60, kind 20, reference 200, "
    "cents whole, note text, at real; of assignment assignment; of person person; key id; "
    "one reference; index person",
    "problem_report": "id number, assignment number, person number, body text, at real, "
    "settled_at real?; of assignment assignment; of person person; key id",
    "submission": "id number, assignment number, author number, key 100, work text, loop text, "
    "seconds real, late flag, score real?, accepted flag, at real; of assignment assignment; "
    "of author person; key id; one assignment key",
    "review": "id number, submission number, reviewer number?, verdict 20, reason text, at real; "
    "of reviewer person; of submission submission; key id; index submission",
}
"""Columns with their kinds (a number is a text of so many characters, ? may be NULL, = is empty
unless said), then keys, references, what there is one of, and indexes."""


def upgrade() -> None:
    """Make them."""
    for name, said in TABLES.items():
        columns, *rules = said.split("; ")
        parts = [_column(*each.split()) for each in columns.split(", ")]
        indexes = [rule.split()[1:] for rule in rules if rule.startswith("index")]
        rules = [rule for rule in rules if not rule.startswith("index")]
        op.create_table(name, *parts, *(_rule(name, *rule.split()) for rule in rules))
        for index in indexes:
            op.create_index(f"ix_{name}_{'_'.join(index)}", name, index, unique=False)
    free = sa.text("taken < copies AND gold IS NULL")
    op.create_index(
        "ix_item_free", "item", ["task", "id"], sqlite_where=free, postgresql_where=free
    )


def _column(name: str, said: str) -> sa.Column[Any]:
    kind = said.rstrip("?=")
    made = KINDS[kind] if kind in KINDS else sa.String(int(kind))
    default = "" if said.endswith("=") else None
    return sa.Column(name, made, nullable=said.endswith("?"), server_default=default)


def _rule(table: str, kind: str, *names: str) -> sa.Constraint:
    if kind == "key":
        return sa.PrimaryKeyConstraint(*names, name=f"pk_{table}")
    if kind == "one":
        return sa.UniqueConstraint(*names, name=f"uq_{table}_{'_'.join(names)}")
    column, other = names
    return sa.ForeignKeyConstraint([column], [f"{other}.id"], name=f"fk_{table}_{column}")
