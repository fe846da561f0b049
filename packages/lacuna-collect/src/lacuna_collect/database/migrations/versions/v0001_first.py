"""The tables of the first version."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0001"
down_revision = None
NUMBER = sa.BigInteger().with_variant(sa.Integer(), "sqlite")


def upgrade() -> None:
    """Make them."""
    op.create_table(
        "invitation",
        sa.Column("id", NUMBER, nullable=False),
        sa.Column("code_hash", sa.String(length=64), nullable=False),
        sa.Column("role", sa.String(length=20), nullable=False),
        sa.Column("uses_left", sa.Integer(), nullable=False),
        sa.Column("note", sa.Text(), nullable=False),
        sa.Column("created_at", sa.Double(), nullable=False),
        sa.Column("expires_at", sa.Double(), nullable=False),
        sa.PrimaryKeyConstraint("id", name="pk_invitation"),
        sa.UniqueConstraint("code_hash", name="uq_invitation_code_hash"),
    )
    op.create_table(
        "item",
        sa.Column("id", NUMBER, nullable=False),
        sa.Column("task", sa.String(length=60), nullable=False),
        sa.Column("key", sa.String(length=500), nullable=False),
        sa.Column("payload", sa.Text(), nullable=False),
        sa.Column("split", sa.String(length=40), nullable=False),
        sa.Column("gold", sa.Text(), nullable=True),
        sa.Column("copies", sa.Integer(), nullable=False),
        sa.Column("taken", sa.Integer(), nullable=False),
        sa.Column("created_at", sa.Double(), nullable=False),
        sa.PrimaryKeyConstraint("id", name="pk_item"),
        sa.UniqueConstraint("task", "key", name="uq_item_task_key"),
    )
    op.create_index(
        "ix_item_free",
        "item",
        ["task", "id"],
        unique=False,
        sqlite_where=sa.text("taken < copies AND gold IS NULL"),
        postgresql_where=sa.text("taken < copies AND gold IS NULL"),
    )
    op.create_table(
        "login_attempt",
        sa.Column("id", NUMBER, nullable=False),
        sa.Column("folded", sa.String(length=200), nullable=False),
        sa.Column("address", sa.String(length=100), nullable=False),
        sa.Column("failed", sa.Boolean(), nullable=False),
        sa.Column("at", sa.Double(), nullable=False),
        sa.PrimaryKeyConstraint("id", name="pk_login_attempt"),
    )
    op.create_index("ix_login_attempt_address_at", "login_attempt", ["address", "at"], unique=False)
    op.create_index("ix_login_attempt_folded_at", "login_attempt", ["folded", "at"], unique=False)
    op.create_table(
        "person",
        sa.Column("id", NUMBER, nullable=False),
        sa.Column("platform", sa.String(length=20), nullable=False),
        sa.Column("name", sa.String(length=200), nullable=False),
        sa.Column("folded", sa.String(length=200), nullable=False),
        sa.Column("password", sa.Text(), nullable=True),
        sa.Column("role", sa.String(length=20), nullable=False),
        sa.Column("created_at", sa.Double(), nullable=False),
        sa.Column("blocked_at", sa.Double(), nullable=True),
        sa.Column("blocked_reason", sa.Text(), server_default="", nullable=False),
        sa.PrimaryKeyConstraint("id", name="pk_person"),
        sa.UniqueConstraint("platform", "folded", name="uq_person_platform_folded"),
    )
    op.create_table(
        "task_state",
        sa.Column("name", sa.String(length=60), nullable=False),
        sa.Column("paused", sa.Boolean(), nullable=False),
        sa.PrimaryKeyConstraint("name", name="pk_task_state"),
    )
    op.create_table(
        "assignment",
        sa.Column("id", NUMBER, nullable=False),
        sa.Column("item", NUMBER, nullable=False),
        sa.Column("person", NUMBER, nullable=False),
        sa.Column("task", sa.String(length=60), nullable=False),
        sa.Column("state", sa.String(length=20), nullable=False),
        sa.Column("is_test", sa.Boolean(), nullable=False),
        sa.Column("draft", sa.Text(), nullable=True),
        sa.Column("version", sa.Integer(), nullable=False),
        sa.Column("seconds", sa.Double(), nullable=False),
        sa.Column("loop", sa.Text(), nullable=False),
        sa.Column("returned_reason", sa.Text(), nullable=False),
        sa.Column("assigned_at", sa.Double(), nullable=False),
        sa.Column("expires_at", sa.Double(), nullable=False),
        sa.Column("ended_at", sa.Double(), nullable=True),
        sa.ForeignKeyConstraint(["item"], ["item.id"], name="fk_assignment_item"),
        sa.ForeignKeyConstraint(["person"], ["person.id"], name="fk_assignment_person"),
        sa.PrimaryKeyConstraint("id", name="pk_assignment"),
        sa.UniqueConstraint("item", "person", name="uq_assignment_item_person"),
    )
    op.create_index(
        "ix_assignment_person_task_state", "assignment", ["person", "task", "state"], unique=False
    )
    op.create_index(
        "ix_assignment_task_state_expires_at",
        "assignment",
        ["task", "state", "expires_at"],
        unique=False,
    )
    op.create_table(
        "login",
        sa.Column("id", NUMBER, nullable=False),
        sa.Column("person", NUMBER, nullable=False),
        sa.Column("token_hash", sa.String(length=64), nullable=False),
        sa.Column("crowd", sa.Text(), nullable=True),
        sa.Column("created_at", sa.Double(), nullable=False),
        sa.Column("expires_at", sa.Double(), nullable=False),
        sa.ForeignKeyConstraint(["person"], ["person.id"], name="fk_login_person"),
        sa.PrimaryKeyConstraint("id", name="pk_login"),
        sa.UniqueConstraint("token_hash", name="uq_login_token_hash"),
    )
    op.create_index("ix_login_person", "login", ["person"], unique=False)
    op.create_table(
        "message",
        sa.Column("id", NUMBER, nullable=False),
        sa.Column("person", NUMBER, nullable=False),
        sa.Column("sender", NUMBER, nullable=True),
        sa.Column("body", sa.Text(), nullable=False),
        sa.Column("at", sa.Double(), nullable=False),
        sa.Column("read_at", sa.Double(), nullable=True),
        sa.ForeignKeyConstraint(["person"], ["person.id"], name="fk_message_person"),
        sa.ForeignKeyConstraint(["sender"], ["person.id"], name="fk_message_sender"),
        sa.PrimaryKeyConstraint("id", name="pk_message"),
    )
    op.create_index("ix_message_person", "message", ["person"], unique=False)
    op.create_table(
        "not_for",
        sa.Column("item", NUMBER, nullable=False),
        sa.Column("person", NUMBER, nullable=False),
        sa.ForeignKeyConstraint(["item"], ["item.id"], name="fk_not_for_item"),
        sa.ForeignKeyConstraint(["person"], ["person.id"], name="fk_not_for_person"),
        sa.PrimaryKeyConstraint("item", "person", name="pk_not_for"),
    )
    op.create_table(
        "qualification",
        sa.Column("id", NUMBER, nullable=False),
        sa.Column("person", NUMBER, nullable=False),
        sa.Column("task", sa.String(length=60), nullable=False),
        sa.Column("passed", sa.Boolean(), nullable=False),
        sa.Column("score", sa.Double(), nullable=True),
        sa.Column("at", sa.Double(), nullable=False),
        sa.ForeignKeyConstraint(["person"], ["person.id"], name="fk_qualification_person"),
        sa.PrimaryKeyConstraint("id", name="pk_qualification"),
        sa.UniqueConstraint("person", "task", name="uq_qualification_person_task"),
    )
    op.create_table(
        "event",
        sa.Column("id", NUMBER, nullable=False),
        sa.Column("at", sa.Double(), nullable=False),
        sa.Column("kind", sa.String(length=40), nullable=False),
        sa.Column("person", NUMBER, nullable=True),
        sa.Column("task", sa.String(length=60), nullable=False),
        sa.Column("assignment", NUMBER, nullable=True),
        sa.Column("about", sa.Text(), nullable=False),
        sa.ForeignKeyConstraint(["assignment"], ["assignment.id"], name="fk_event_assignment"),
        sa.ForeignKeyConstraint(["person"], ["person.id"], name="fk_event_person"),
        sa.PrimaryKeyConstraint("id", name="pk_event"),
    )
    op.create_index("ix_event_at", "event", ["at"], unique=False)
    op.create_table(
        "ledger",
        sa.Column("id", NUMBER, nullable=False),
        sa.Column("person", NUMBER, nullable=False),
        sa.Column("assignment", NUMBER, nullable=True),
        sa.Column("task", sa.String(length=60), nullable=False),
        sa.Column("kind", sa.String(length=20), nullable=False),
        sa.Column("reference", sa.String(length=200), nullable=False),
        sa.Column("cents", sa.Integer(), nullable=False),
        sa.Column("note", sa.Text(), nullable=False),
        sa.Column("at", sa.Double(), nullable=False),
        sa.ForeignKeyConstraint(["assignment"], ["assignment.id"], name="fk_ledger_assignment"),
        sa.ForeignKeyConstraint(["person"], ["person.id"], name="fk_ledger_person"),
        sa.PrimaryKeyConstraint("id", name="pk_ledger"),
        sa.UniqueConstraint("reference", name="uq_ledger_reference"),
    )
    op.create_index("ix_ledger_person", "ledger", ["person"], unique=False)
    op.create_table(
        "problem_report",
        sa.Column("id", NUMBER, nullable=False),
        sa.Column("assignment", NUMBER, nullable=False),
        sa.Column("person", NUMBER, nullable=False),
        sa.Column("body", sa.Text(), nullable=False),
        sa.Column("at", sa.Double(), nullable=False),
        sa.Column("settled_at", sa.Double(), nullable=True),
        sa.ForeignKeyConstraint(
            ["assignment"], ["assignment.id"], name="fk_problem_report_assignment"
        ),
        sa.ForeignKeyConstraint(["person"], ["person.id"], name="fk_problem_report_person"),
        sa.PrimaryKeyConstraint("id", name="pk_problem_report"),
    )
    op.create_table(
        "submission",
        sa.Column("id", NUMBER, nullable=False),
        sa.Column("assignment", NUMBER, nullable=False),
        sa.Column("author", NUMBER, nullable=False),
        sa.Column("key", sa.String(length=100), nullable=False),
        sa.Column("work", sa.Text(), nullable=False),
        sa.Column("loop", sa.Text(), nullable=False),
        sa.Column("seconds", sa.Double(), nullable=False),
        sa.Column("late", sa.Boolean(), nullable=False),
        sa.Column("score", sa.Double(), nullable=True),
        sa.Column("accepted", sa.Boolean(), nullable=False),
        sa.Column("at", sa.Double(), nullable=False),
        sa.ForeignKeyConstraint(["assignment"], ["assignment.id"], name="fk_submission_assignment"),
        sa.ForeignKeyConstraint(["author"], ["person.id"], name="fk_submission_author"),
        sa.PrimaryKeyConstraint("id", name="pk_submission"),
        sa.UniqueConstraint("assignment", "key", name="uq_submission_assignment_key"),
    )
    op.create_table(
        "review",
        sa.Column("id", NUMBER, nullable=False),
        sa.Column("submission", NUMBER, nullable=False),
        sa.Column("reviewer", NUMBER, nullable=True),
        sa.Column("verdict", sa.String(length=20), nullable=False),
        sa.Column("reason", sa.Text(), nullable=False),
        sa.Column("at", sa.Double(), nullable=False),
        sa.ForeignKeyConstraint(["reviewer"], ["person.id"], name="fk_review_reviewer"),
        sa.ForeignKeyConstraint(["submission"], ["submission.id"], name="fk_review_submission"),
        sa.PrimaryKeyConstraint("id", name="pk_review"),
    )
    op.create_index("ix_review_submission", "review", ["submission"], unique=False)
