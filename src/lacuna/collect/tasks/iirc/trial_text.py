"""A small text of our own for the tests of both tasks: a lighthouse, and what its links say."""

from __future__ import annotations

import re

from lacuna.collect.tasks.task import Json

SENTENCE = re.compile(r"[^ .][^.]*\.")
"""No sentence of these has a dot inside."""

TEXT = (
    "Marl Point Light stands at the mouth of the Orne and was first lit in 1887. It was designed "
    "by Ada Fenn, who had just finished Holm Bridge, and its stone came by barge from the quarries "
    "of Tarrick. The keeper Jonas Wree saved the crew of the Silver Hind in 1902 and was given the "
    "Harbour Medal for it. The light was turned off when the Estuary Act came into force."
)
ARTICLES = {
    "Orne": "The Orne is a river of 212 kilometres. It rises below Tarrick and meets the sea at "
    "Marl Point. Salmon have come back to it since 1994.",
    "Ada Fenn": "Ada Fenn (1851–1929) was an engineer. She was born in Lowick as the daughter of a "
    "mason. She built four bridges and two lighthouses.",
    "Holm Bridge": "Holm Bridge crosses the Orne at Holm. Its building took six years. It was "
    "opened in 1886 and has carried trains since 1891.",
    "Tarrick": "Tarrick is a village of slate quarries. The quarries closed in 1931. In 1887 it "
    "had 340 inhabitants.",
    "Jonas Wree": "Jonas Wree was a lighthouse keeper. He was born in Tarrick in 1860 and went to "
    "sea at the age of twelve. His brother Peter kept the light after him.",
    "Silver Hind": "The Silver Hind was a schooner with a crew of nine. She carried timber and was "
    "lost on the bar of the Orne.",
    "Harbour Medal": "The Harbour Medal is given for saving lives at sea. It is made of bronze. "
    "Three keepers have received it.",
    "Estuary Act": "The Estuary Act was passed in 1951 and came into force in 1953. It moved all "
    "lights of the estuary onto buoys.",
}


def placed(text: str, part: str) -> list[int]:
    """Where a part of a text stands."""
    start = text.index(part)
    return [start, start + len(part)]


def _sentences(text: str) -> list[list[int]]:
    return [list(found.span()) for found in SENTENCE.finditer(text)]


TEST_PARAGRAPH: Json = {
    "id": "Marl Point Light#0",
    "title": "Marl Point Light",
    "text": TEXT,
    "sentences": _sentences(TEXT),
    "links": [
        dict(zip(("start", "end"), placed(TEXT, title), strict=True), target=title)
        for title in ARTICLES
    ],
}
TEST_ARTICLES: Json = {
    title: {"text": text, "paragraphs": [[0, len(text)]], "sentences": _sentences(text)}
    for title, text in ARTICLES.items()
}

CANDIDATES: tuple[tuple[str, str, tuple[str, ...]], ...] = (
    ("How old was the designer of Marl Point Light when it was first lit?", "good", ("Ada Fenn",)),
    ("In which year was Marl Point Light first lit?", "answerable-here", ()),
    ("Of what metal is the Harbour Medal made?", "paragraph-not-needed", ()),
    (
        "Had the quarries that gave its stone closed when the light was turned off?",
        "good",
        ("Tarrick", "Estuary Act"),
    ),
    ("How many storeys does the Orne have?", "senseless", ()),
    ("How many people did the keeper save in 1902?", "good", ("Silver Hind",)),
    ("Who saved the crew of the Silver Hind?", "answerable-here", ()),
    ("When did the Estuary Act come into force?", "paragraph-not-needed", ()),
)
"""Questions for the question task's test: what to think of each, and the links that it needs."""
