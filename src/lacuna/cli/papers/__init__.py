"""Verbs about the papers behind the datasets."""
