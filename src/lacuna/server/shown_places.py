"""Places as others may see them: a server tells nobody else where its own files lie."""

from __future__ import annotations

from dataclasses import replace

from lacuna.pipeline.result import Quote, Result
from lacuna.places import Place

EVERYWHERE = ("http://", "https://")
"""What opens on any machine; other addresses only where the files are."""


def place_for_others(place: Place | None) -> Place | None:
    """A place without an address that holds only on the server's machine."""
    if place is None or place.url.startswith(EVERYWHERE):
        return place
    return replace(place, url="")


def quote_for_others(quote: Quote) -> Quote:
    """A quote with such a place."""
    return replace(quote, place=place_for_others(quote.place))


def result_for_others(result: Result) -> Result:
    """A result with such places."""
    gaps = tuple(
        replace(gap, nearest_place=place_for_others(gap.nearest_place))
        for gap in result.prediction.gaps
    )
    alternatives = tuple(
        replace(other, quotes=tuple(map(quote_for_others, other.quotes)))
        for other in result.alternatives
    )
    return replace(
        result,
        prediction=replace(result.prediction, gaps=gaps),
        quotes=tuple(map(quote_for_others, result.quotes)),
        alternatives=alternatives,
    )
