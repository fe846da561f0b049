"""KGD's two rounds: which facts bear on a question, and what is missing between fact and answer."""

from lacuna.collect.tasks.kgd.kgd_family import FAMILY

__all__ = ["FAMILY"]
