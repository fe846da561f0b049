"""Whether a question has an answer at all (table 6)."""
