"""Dialogs between two people, and work that is done step by step."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0004"
down_revision = "0003"
NUMBER = sa.BigInteger().with_variant(sa.Integer, "sqlite")


def upgrade() -> None:
    """Make their tables."""
    op.create_table(
        "dialog",
        sa.Column("id", NUMBER, nullable=False),
        sa.Column("task", sa.String(60), nullable=False),
        sa.Column("item", NUMBER, nullable=False),
        sa.Column("student", NUMBER, nullable=True),
        sa.Column("teacher", NUMBER, nullable=True),
        sa.Column("state", sa.String(20), nullable=False),
        sa.Column("ended_by", sa.String(20), nullable=False),
        sa.Column("last", sa.Integer(), nullable=False),
        sa.Column("began_at", sa.Double(), nullable=False),
        sa.Column("ended_at", sa.Double(), nullable=True),
        sa.PrimaryKeyConstraint("id", name="pk_dialog"),
        sa.ForeignKeyConstraint(["item"], ["item.id"], name="fk_dialog_item"),
        sa.ForeignKeyConstraint(["student"], ["person.id"], name="fk_dialog_student"),
        sa.ForeignKeyConstraint(["teacher"], ["person.id"], name="fk_dialog_teacher"),
    )
    op.create_index("ix_dialog_student", "dialog", ["student"])
    op.create_index("ix_dialog_teacher", "dialog", ["teacher"])
    op.create_index("ix_dialog_task_state", "dialog", ["task", "state"])
    op.create_table(
        "dialog_event",
        sa.Column("id", NUMBER, nullable=False),
        sa.Column("dialog", NUMBER, nullable=False),
        sa.Column("number", sa.Integer(), nullable=False),
        sa.Column("role", sa.String(20), nullable=False),
        sa.Column("key", sa.String(100), nullable=False),
        sa.Column("kind", sa.String(20), nullable=False),
        sa.Column("body", sa.Text(), nullable=False),
        sa.Column("at", sa.Double(), nullable=False),
        sa.PrimaryKeyConstraint("id", name="pk_dialog_event"),
        sa.ForeignKeyConstraint(["dialog"], ["dialog.id"], name="fk_dialog_event_dialog"),
        sa.UniqueConstraint("dialog", "number", name="uq_dialog_event_dialog_number"),
        sa.UniqueConstraint("dialog", "role", "key", name="uq_dialog_event_dialog_role_key"),
    )
    op.create_table(
        "step",
        sa.Column("assignment", NUMBER, nullable=False),
        sa.Column("number", sa.Integer(), nullable=False, autoincrement=False),
        sa.Column("answer", sa.Text(), nullable=False),
        sa.Column("at", sa.Double(), nullable=False),
        sa.PrimaryKeyConstraint("assignment", "number", name="pk_step"),
        sa.ForeignKeyConstraint(["assignment"], ["assignment.id"], name="fk_step_assignment"),
    )
