"""A dialog as a page of Markdown, with the sources of every answer."""

from __future__ import annotations

import re
from collections.abc import Iterator

from lacuna.cli.cleaning import safe
from lacuna.cli.quoted import place_of, source_line
from lacuna.pipeline.dialog.saved_dialog import SavedDialog
from lacuna.pipeline.result import Degree, Result

SPECIAL = re.compile(r"([\\`*_\[\]<>#|])")


def dialog_as_markdown(dialog: SavedDialog) -> str:
    """Questions as headings, answers below them, and what they were taken from."""
    asked = ", ".join(map(_plain, dialog.corpora)) or "the demo corpus"
    about = f", about {_plain(dialog.title)}" if dialog.title else ""
    head = [f"# Dialog of {dialog.begun[:10]}", f"Asked of {asked}{about}."]
    return (
        "\n\n".join([*head, *(part for result in dialog.results for part in _turn(result))]) + "\n"
    )


def _turn(result: Result) -> Iterator[str]:
    yield f"## {_plain(result.question)}"
    if result.read_as:
        yield f"Read as: {_plain(result.read_as)}"
    sure = "" if result.confidence is None else f" ({100 * result.confidence:.0f} % sure)"
    if result.degree is Degree.NONE:
        yield f"No answer{sure}"
        yield from (_plain(gap.missing) for gap in result.prediction.gaps)
    else:
        probably = "Probably " if result.degree is Degree.PROBABLE else ""
        yield f"{probably}**{_plain(result.answer.text)}**{sure}"
    for number, quote in enumerate(result.quotes, 1):
        where = ", ".join(filter(None, (_plain(place_of(quote)), _plain(source_line(quote)))))
        yield f"> {_plain(quote.text)}\n>\n> — [{number}] {where}"


def _plain(text: str) -> str:
    """The text as it is: nothing in it means anything to Markdown."""
    return SPECIAL.sub(r"\\\1", safe(text))
