"""What hinders people on a page, as axe-core finds it."""

from __future__ import annotations

from functools import cache
from importlib.resources import files
from typing import Any

FOUND = """(options) => axe.run({ resultTypes: ["violations"], ...options }).then((got) =>
  got.violations.map((one) => one.id + ": " + one.nodes.map((node) => node.html).join(" | ")))"""
COLOURS = {"runOnly": ["color-contrast"]}
"""The one rule that depends on the theme."""


def barriers(page: Any, options: dict[str, Any] | None = None) -> list[str]:
    """Each rule that the page breaks, with where it does."""
    if not page.evaluate("'axe' in window"):
        page.evaluate(_axe())
    found: list[str] = page.evaluate(FOUND, options or {})
    return found


@cache
def _axe() -> str:
    """A package for playwright brings axe-core along."""
    return files("axe_playwright_python").joinpath("axe.min.js").read_text("utf-8")
