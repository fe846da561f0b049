"""Open GapQA: a model, and the knowledge that it fills gaps from."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

from lacuna.models.gapqa.gapqa_folder import DEFAULT
from lacuna.pipeline.gapqa_protocol import FillsGaps
from lacuna.retrieve.knowledge.knowledge_base import open_knowledge


def open_gapqa(
    knowledge: str | Path | None = None,
    *,
    model: str | Path = DEFAULT,
    threads: int | None = None,
    hidden: Iterable[str] = (),
) -> FillsGaps:
    """Something to ask with choices; without a folder, over the demo's knowledge.

    ``hidden`` are core facts that must not be found among the sentences: where many questions are
    asked, the fact of one may give the answer of another away.

    >>> import lacuna
    >>> choices = lacuna.Choice("A", "a steel ladle"), lacuna.Choice("B", "a woollen mitten")
    >>> fact = "heat passes quickly through metals"
    >>> question = lacuna.Question("1", "What lets heat pass?", choices=choices, fact=fact)
    >>> result = lacuna.open_gapqa().ask(question)  # doctest: +SKIP
    >>> result.filled(result.chosen)  # doctest: +SKIP
    'a steel ladle is made of metals'
    """
    base = open_knowledge(knowledge).without(hidden)  # a wrong folder is told before a model loads

    from lacuna.models.gapqa.gapqa_reader import GapQAReader
    from lacuna.pipeline.gapqa import GapQAPipeline

    return GapQAPipeline(GapQAReader.load(model, threads=threads), base)
