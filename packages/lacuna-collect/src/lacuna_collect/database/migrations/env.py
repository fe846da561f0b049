"""Run by Alembic: migrate over the connection that was handed in, inside its transaction."""

from __future__ import annotations

from alembic import context

if hasattr(context, "config"):  # there only while Alembic runs this; anybody may import it
    context.configure(connection=context.config.attributes["connection"])
    context.run_migrations()
