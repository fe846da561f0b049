"""A server on which people make such data: tasks, people, work, review and export."""
