"""How well people do on the questions of a dataset's file, as the papers measure it."""

from lacuna.collect.tasks.human.human_family import FAMILY

__all__ = ["FAMILY"]
