"""The console for colours, tables and progress bars: it cleans every piece of text on its way."""

from __future__ import annotations

from collections.abc import Iterable

from rich.console import Console, ConsoleOptions, RenderableType
from rich.segment import Segment

from lacuna.cli.cleaning import safe_lines


class CleanConsole(Console):
    """Passes its own control codes on, and no others."""

    def render(
        self, renderable: RenderableType, options: ConsoleOptions | None = None
    ) -> Iterable[Segment]:
        """What is printed, in pieces of one style."""
        for piece in super().render(renderable, options):
            if piece.control:
                yield piece
            else:
                yield Segment(safe_lines(piece.text), piece.style)
