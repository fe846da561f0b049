"""What is missing, in plain words: what was sought, where, and what came closest."""

from __future__ import annotations

from lacuna.pipeline.state import QuestionState
from lacuna.types import Evidence, Gap, Role

LONGEST = 300
"""Characters of a question that are said again."""
NAMED = 3
"""Links that lead nowhere, as far as the sentence names them; the gap has them all."""


def gap(state: QuestionState) -> Gap:
    """The gap that remains when nothing answers."""
    ranked = [window for window, _ in state.best_windows()]
    places = dict.fromkeys(" › ".join(one.section or (one.title,)) for one in ranked)
    if state.focus is not None:
        places = {state.focus.original.title: None} | places
    dangling = tuple(dict.fromkeys(one.title for one in state.spotted if one.dangling))
    nearest = None
    if ranked:
        best = ranked[0]
        nearest = Evidence(best.title, best.start, best.end, Role.SUPPORT, state.pool[best])
    return Gap(_missing(state, len(places), dangling), tuple(places), dangling, nearest)


def quoted(question: str) -> str:
    """A question in one line, cut where it is long."""
    said = " ".join(question.split())
    return f"“{said if len(said) <= LONGEST else said[: LONGEST - 1] + '…'}”"


def _missing(state: QuestionState, places: int, dangling: tuple[str, ...]) -> str:
    asked = quoted(state.asked.question)
    if not places:
        said = f"No text was found that speaks of it: {asked}"
    elif places == 1:
        said = f"The one place that was looked at does not answer it: {asked}"
    else:
        said = f"None of the {places} places that were looked at answers it: {asked}"
    if len(dangling) == 1:
        said += f" It may stand in {dangling[0]}, which is linked but not in the corpus."
    elif dangling:
        named = dangling if len(dangling) <= NAMED + 1 else (*dangling[:NAMED], "others")
        listed = f"{', '.join(named[:-1])} or {named[-1]}"
        said += f" It may stand in {listed}, which are linked but not in the corpus."
    return said
