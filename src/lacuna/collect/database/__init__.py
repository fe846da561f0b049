"""Where all of a project is kept: SQLite in its folder, or PostgreSQL."""
