"""A dialog as a file of JSON lines that a person can read: a head, then one line a turn."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from msgspec import MsgspecError, convert

from lacuna.corpus.store import Store
from lacuna.errors import LacunaError
from lacuna.pipeline.result import Degree, Quote, Result
from lacuna.places import Place, PlaceUnit
from lacuna.types import (
    Answer,
    DialogActs,
    Evidence,
    Gap,
    Prediction,
)

FORMAT = 1
"""Raised when an older version could misread a file."""


@dataclass(frozen=True, slots=True)
class SavedDialog:
    """When it began, what was asked, and what was answered.

    ``corpora`` are the paths that were opened, none for the demo; ``title`` is the document that
    the dialog is about, if it is about one. ``damage`` says what of the file could not be read.
    """

    begun: str
    corpora: tuple[str, ...] = ()
    title: str | None = None
    results: tuple[Result, ...] = ()
    damage: tuple[str, ...] = field(default=(), compare=False)

    def lines(self) -> Iterator[str]:
        """The file, line by line."""
        head = {"lacuna_dialog": FORMAT, "begun": self.begun}
        yield _dumped({**head, "corpora": self.corpora, "about": self.title})
        for result in self.results:
            yield _dumped(_turn_as_json(result))


def read_dialog(lines: Sequence[str], where: str) -> SavedDialog:
    """A dialog from its lines; a turn that cannot be read is left out, and told in ``damage``."""
    head = _loaded(lines[0]) if lines else None
    if not isinstance(head, dict) or "lacuna_dialog" not in head:
        raise LacunaError(f"{where} is no saved dialog: its first line does not say so.")
    if head["lacuna_dialog"] != FORMAT:
        raise LacunaError(f"{where} was saved by another version of Lacuna. Begin a new dialog.")
    results, damage = [], []
    for number, line in enumerate(lines[1:], 2):
        try:
            results.append(_result(json.loads(line)))
        except (ValueError, TypeError, LookupError, AttributeError, RecursionError, MsgspecError):
            damage.append(f"line {number} is damaged and was left out")
    corpora, about = head.get("corpora"), head.get("about")
    return SavedDialog(
        str(head.get("begun", "")),
        tuple(map(str, corpora)) if isinstance(corpora, list) else (),
        about if isinstance(about, str) else None,
        tuple(results),
        tuple(damage),
    )


def still_there(result: Result, store: Store) -> Result:
    """The result without places where the corpus says something else by now."""
    answer = result.answer
    texts = {quote.document: quote for quote in result.quotes}
    kept = tuple(place for place in answer.found_at if _is_there(place, texts, store))
    return replace(
        result, prediction=replace(result.prediction, answer=replace(answer, found_at=kept))
    )


def _is_there(place: Evidence, quotes: dict[str, Quote], store: Store) -> bool:
    quote = quotes.get(place.document)
    title = store.resolve(place.document)
    if quote is None or title is None:
        return False
    return store.document(title).text[quote.start : quote.end] == quote.text


def _turn_as_json(result: Result) -> dict[str, Any]:
    values = result.as_json(trace=False)
    answer = {name: value for name, value in values["answer"].items() if value not in ("", None)}
    turn = {name: values[name] for name in ("question", "read_as", "degree", "confidence")}
    quotes = [
        {name: value for name, value in quote.items() if name != "followed"}
        for quote in values["quotes"]
    ]
    missing = [gap.missing for gap in result.prediction.gaps]
    return {**turn, "answer": answer, "quotes": quotes, "missing": missing, "acts": values["acts"]}


def _result(turn: dict[str, Any]) -> Result:
    answer = convert(turn["answer"], Answer)
    _ = answer.text  # a span without a text is none
    prediction = Prediction(
        answer,
        gaps=tuple(map(Gap, convert(turn["missing"], list[str]))),
        acts=convert(turn["acts"], DialogActs | None),
        confidence=convert(turn["confidence"], float | None),
    )
    return Result(
        _text(turn["question"]),
        None,
        prediction,
        tuple(map(_quote, turn["quotes"])),
        (),
        probable=turn["degree"] == Degree.PROBABLE,
        read_as=_text(turn["read_as"] or ""),
    )


def _quote(values: dict[str, Any]) -> Quote:
    place = None if values["place"] is None else _place(values["place"])
    return replace(convert({**values, "place": None}, Quote), place=place)


def _place(values: dict[str, Any]) -> Place:
    unit = next((unit for unit in PlaceUnit if unit in values), PlaceUnit.LINE)
    number = None if values.get(unit) is None else int(values[unit])
    return Place(
        _text(values["file"]), number, unit, _text(values["fragment"]), _text(values["url"])
    )


def _text(value: Any) -> str:
    if not isinstance(value, str):
        raise TypeError
    return value


def _dumped(values: dict[str, Any]) -> str:
    return json.dumps(values, ensure_ascii=False)


def _loaded(line: str) -> Any:
    try:
        return json.loads(line)
    except (ValueError, RecursionError):
        return None
