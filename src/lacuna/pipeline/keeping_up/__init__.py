"""Answers from a corpus whose files change while it is open."""
