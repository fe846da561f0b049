"""Articles, which many items have in common, are kept once, beside the items."""

from __future__ import annotations

import hashlib
import json
from typing import Any

import sqlalchemy as sa
from alembic import op

revision = "0003"
down_revision = "0002"
TASKS = ("iirc-questions", "iirc-answers")


def upgrade() -> None:
    """Take the articles out of all items: each item names their digests from now on."""
    shared = op.create_table(
        "shared_text",
        sa.Column("digest", sa.String(64), nullable=False),
        sa.Column("content", sa.Text(), nullable=False),
        sa.PrimaryKeyConstraint("digest", name="pk_shared_text"),
    )
    item = sa.table("item", sa.column("id"), sa.column("task"), sa.column("payload", sa.Text))
    connection = op.get_bind()
    numbers = connection.execute(sa.select(item.c.id).where(item.c.task.in_(TASKS))).scalars()
    seen: set[str] = set()
    for number in numbers.all():  # one at a time: all of them may be more than the memory holds
        payload = json.loads(
            connection.execute(sa.select(item.c.payload).where(item.c.id == number)).scalar_one()
        )
        if not isinstance(payload.get("articles"), dict):
            continue
        for name, article in payload["articles"].items():
            digest, content = _kept(article)
            payload["articles"][name] = {"digest": digest}
            if digest not in seen:
                seen.add(digest)
                connection.execute(shared.insert().values(digest=digest, content=content))
        change = item.update().where(item.c.id == number)
        connection.execute(change.values(payload=_written(payload)))


def _kept(article: Any) -> tuple[str, str]:
    content = _written(article)
    return hashlib.sha256(content.encode()).hexdigest(), content


def _written(value: Any) -> str:
    return json.dumps(value, allow_nan=False, separators=(",", ":"))
