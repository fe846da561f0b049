"""What is missing, in plain words: what was sought, where, and what came closest."""

from __future__ import annotations

from lacuna.ask.case import Case
from lacuna.types import Evidence, Gap, Role


def gap(case: Case) -> Gap:
    """The gap that remains when nothing answers."""
    ranked = [window for window, _ in case.best_windows()]
    places = dict.fromkeys(" › ".join(one.section or (one.title,)) for one in ranked)
    if case.focus is not None:
        places = {case.focus.original.title: None} | places
    dangling = tuple(dict.fromkeys(one.title for one in case.spotted if one.dangling))
    nearest = None
    if ranked:
        best = ranked[0]
        nearest = Evidence(best.title, best.start, best.end, Role.SUPPORT, case.pool[best])
    return Gap(_missing(case, len(places), dangling), tuple(places), dangling, nearest)


def _missing(case: Case, places: int, dangling: tuple[str, ...]) -> str:
    asked = " ".join(case.asked.question.split())
    if not places:
        said = f"No text was found that speaks of it: “{asked}”"
    else:
        said = f"None of the {places} places that were looked at answers it: “{asked}”"
    if len(dangling) == 1:
        said += f" It may stand in {dangling[0]}, which is linked but not in the corpus."
    elif dangling:
        named = f"{', '.join(dangling[:-1])} or {dangling[-1]}"
        said += f" It may stand in {named}, which are linked but not in the corpus."
    return said
