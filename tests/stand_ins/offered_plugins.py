"""Entry points of an imaginary package."""

from __future__ import annotations

from importlib.metadata import EntryPoint

import pytest

from lacuna import plugins
from lacuna.plugins import PluginGroup


def offer_plugins(
    monkeypatch: pytest.MonkeyPatch, offered_in: PluginGroup, **values: str
) -> dict[str, str]:
    """Offer nothing but these, by name; the dict that is given back may be changed later."""
    points = dict(values)

    def entry_points(*, group: str) -> list[EntryPoint]:
        if group != offered_in:
            return []
        return [EntryPoint(name, value, group) for name, value in points.items()]

    monkeypatch.setattr(plugins, "entry_points", entry_points)
    return points
