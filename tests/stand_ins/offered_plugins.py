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

    def current(group: PluginGroup) -> tuple[EntryPoint, ...]:
        if group is not offered_in:
            return ()
        return tuple(EntryPoint(name, value, group) for name, value in points.items())

    monkeypatch.setattr(plugins, "_points", current)  # what is really installed is read only once
    return points
