"""Places as they are printed: plain, or as a link that a terminal can open."""

from __future__ import annotations

from typing import TYPE_CHECKING

from lacuna.cli.cleaning import UNSAFE, safe

if TYPE_CHECKING:
    from rich.text import Text

    from lacuna.corpus.store import Store
    from lacuna.places import Place
    from lacuna.retrieve.protocol import Hit

OPENED = ("http://", "https://", "file://", "obsidian://")
"""What a terminal may be asked to open."""


def place_of_hit(store: Store, hit: Hit) -> Place | None:
    """Where the first of the words that were searched for stands in its file, if that is known."""
    origin = store.document(hit.title).origin
    if origin is None:
        return None
    marks = hit.snippet.marks if hit.snippet else ()
    return origin.at(marks[0].start if marks else hit.start)


def linked(place: Place, style: str = "") -> Text:
    """The place in words; a terminal that can makes it a link."""
    from rich.style import Style
    from rich.text import Text

    can_be_opened = place.url.startswith(OPENED) and not UNSAFE.search(place.url)
    target = Style(link=place.url) if can_be_opened else Style()
    return Text(safe(str(place)), Style.parse(style) + target)
