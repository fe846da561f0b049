"""Articles of two sentences, of which the first says what their subject is."""

from __future__ import annotations

from lacuna.datasets.hotpotqa import document_of
from lacuna.types import Document

OPENINGS = {
    "Ada Quill": "Ada Quill (born 4 May 1950) is a Dutch poet and painter.",
    "Ben Hollow": "Ben Hollow (1 June 1948 – 1990) was a Dutch painter.",
    "Cy Tarn": "Cy Tarn (born 1950) is a Danish footballer who played for Ellery.",
    "Ash (film)": "Ash is a 1999 American drama film directed by Ada Quill.",
    "Elm": "Elm is a 1999 French film.",
    "Oak": '"Oak" is a 2004 American song.',
    "Ellery, Kent": "Ellery is a village in Kent, England.",
}


def page(title: str) -> Document:
    """The article of that title."""
    return document_of(title, [OPENINGS[title], " It is known."])
