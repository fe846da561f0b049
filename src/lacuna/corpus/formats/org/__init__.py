"""Org files: outlines of notes and tasks."""

from lacuna.corpus.formats.org.parse import parse_org

__all__ = ["parse_org"]
