"""The two systems that answer, and the options that say which one and how."""

from __future__ import annotations

from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

if TYPE_CHECKING:
    from collections.abc import Iterable

    from lacuna.pipeline.gapqa import FillsGaps


class System(StrEnum):
    """The systems there are."""

    READER = "reader"
    GAPQA = "gapqa"


SystemName = Annotated[
    System,
    typer.Option(
        "--system",
        help="What answers: the reader, or GapQA (openbookqa), which fills the gap between a fact "
        "and a choice from a knowledge base.",
    ),
]
SystemModel = Annotated[
    str | None,
    typer.Option(
        "--model",
        metavar="NAME|DIR",
        help="A model that comes along, or a folder with one; small, or gapqa for GapQA, unless "
        "it is named.",
        show_default=False,
    ),
]
Knowledge = Annotated[
    Path | None,
    typer.Option(
        metavar="DIR",
        help="What GapQA fills gaps from: made by `lacuna knowledge`; without it the demo's.",
        show_default=False,
    ),
]


def model_of(system: System, model: str | None) -> str:
    """The model that is meant."""
    if model is not None:
        return model
    from lacuna.models.model_folder import DEFAULTS, ModelSystem

    return DEFAULTS[ModelSystem(system)]


def opened_gapqa(
    knowledge: Path | None, *, model: str, threads: int | None, hidden: Iterable[str]
) -> FillsGaps:
    """GapQA, ready for questions; says which knowledge it is where nobody has said so."""
    from lacuna.cli.console import complain
    from lacuna.pipeline.gapqa import open_gapqa

    if knowledge is None:
        complain("This asks the demo's knowledge; --knowledge DIR asks your own.", "Note")
    return open_gapqa(knowledge, model=model, threads=threads, hidden=hidden)
