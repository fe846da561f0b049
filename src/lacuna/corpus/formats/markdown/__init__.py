"""Markdown notes."""
