"""HotpotQA's tasks: curation, questions about two paragraphs, and their review."""

from lacuna.collect.tasks.hotpotqa.family import FAMILY

__all__ = ["FAMILY"]
