"""Whether an assignment has a place among its item's copies, and which items were drawn."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0002"
down_revision = "0001"


def upgrade() -> None:
    """Late work could not be told from other work before: what is not over has a place."""
    op.add_column(
        "item", sa.Column("drawn", sa.Boolean(), nullable=False, server_default=sa.false())
    )
    op.add_column(
        "assignment",
        sa.Column("has_place", sa.Boolean(), nullable=False, server_default=sa.false()),
    )
    assignment = sa.table("assignment", sa.column("has_place", sa.Boolean), sa.column("state"))
    over = ("expired", "skipped", "rejected")
    op.execute(assignment.update().where(assignment.c.state.not_in(over)).values(has_place=True))
