"""IIRC's two tasks: asking what a paragraph leaves out, and answering that from linked articles."""

from lacuna.collect.tasks.iirc.iirc_family import IIRCFamily

FAMILY = IIRCFamily()

__all__ = ["FAMILY"]
