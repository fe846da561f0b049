"""The tables of the first version of a board."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "b0001"
down_revision = None
branch_labels = ("board",)


def _texts(*names: str) -> list[sa.Column[str]]:
    return [sa.Column(name, sa.Text(), nullable=False) for name in names]


def upgrade() -> None:
    """Make them; boards from before there were migrations have just these."""
    if sa.inspect(op.get_bind()).has_table("board_table"):
        return
    op.create_table(
        "board_table",
        sa.Column("key", sa.Text(), nullable=False),
        *_texts("dataset", "setting", "title", "rank_by", "salt", "gold_seal"),
        sa.Column("measures", sa.Text(), nullable=False),
        sa.Column("scale", sa.Double(), nullable=False),
        sa.Column("questions", sa.Integer(), nullable=False),
        sa.Column("smallest_part", sa.Integer(), nullable=False),
        sa.Column("floor", sa.Text(), nullable=False),
        sa.Column("human", sa.Text(), nullable=True),
        sa.Column("added_at", sa.Double(), nullable=False),
        sa.PrimaryKeyConstraint("key", name="pk_board_table"),
    )
    op.create_table(
        "team",
        sa.Column("id", sa.Integer(), nullable=False),
        *_texts("name", "folded", "key_sum"),
        sa.Column("made_at", sa.Double(), nullable=False),
        sa.PrimaryKeyConstraint("id", name="pk_team"),
        sa.UniqueConstraint("folded", name="uq_team_folded"),
        sa.UniqueConstraint("key_sum", name="uq_team_key_sum"),
    )
    op.create_table(
        "submission",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("board_table", sa.Text(), nullable=False),
        sa.Column("team", sa.Integer(), nullable=False),
        *_texts("name", "description", "code", "parameters", "state", "file_sum", "salt"),
        sa.Column("is_public", sa.Boolean(), nullable=False),
        sa.Column("withdrawn", sa.Text(), nullable=False, server_default=""),
        sa.Column("attempts", sa.Integer(), nullable=False, server_default="0"),
        sa.Column("problem", sa.Text(), nullable=False, server_default=""),
        sa.Column("sent_at", sa.Double(), nullable=False),
        sa.Column("scored", sa.Text(), nullable=True),
        sa.PrimaryKeyConstraint("id", name="pk_submission"),
        sa.ForeignKeyConstraint(
            ["board_table"], ["board_table.key"], name="fk_submission_board_table"
        ),
        sa.ForeignKeyConstraint(["team"], ["team.id"], name="fk_submission_team"),
        sqlite_autoincrement=True,
    )
    op.create_index("submission_state", "submission", ["state", "id"])
    op.create_table(
        "comparison",
        sa.Column("first", sa.Integer(), nullable=False, autoincrement=False),
        sa.Column("second", sa.Integer(), nullable=False, autoincrement=False),
        sa.Column("tests", sa.Text(), nullable=False),
        sa.PrimaryKeyConstraint("first", "second", name="pk_comparison"),
    )
    op.create_table(
        "log",
        sa.Column("number", sa.Integer(), nullable=False, autoincrement=False),
        *_texts("at", "kind", "previous", "sum", "about"),
        sa.PrimaryKeyConstraint("number", name="pk_log"),
    )
