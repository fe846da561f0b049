"""What everything that the JSON interface takes or gives is."""

from __future__ import annotations

from pydantic import BaseModel


class Schema(BaseModel, use_attribute_docstrings=True):
    """What is told or taken; the words under a field stand in the interface's description."""
