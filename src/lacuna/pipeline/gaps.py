"""What is missing, in plain words: what was sought, where, and what came closest."""

from __future__ import annotations

from lacuna.corpus.store import Store
from lacuna.pipeline.state import QuestionState
from lacuna.places import Place
from lacuna.retrieve.windows import Window
from lacuna.types import Evidence, Gap, Role

LONGEST_QUESTION = 300
"""Characters of a question that a gap repeats."""
LINKS_NAMED = 3
"""Links that lead nowhere, as far as the sentence names them; the gap lists them all."""


def remaining_gap(store: Store, state: QuestionState) -> Gap:
    """The gap that remains when nothing answers."""
    ranked = [window for window, _ in state.best_windows()]
    places = dict.fromkeys(" › ".join(window.section or (window.title,)) for window in ranked)
    if state.focus is not None:
        places = {state.focus.original.title: None} | places
    dangling = tuple(dict.fromkeys(target.title for target in state.links if target.dangling))
    nearest = place = None
    if ranked:
        best = ranked[0]
        nearest = Evidence(best.title, best.start, best.end, Role.SUPPORT, state.ranked[best])
        place = _place(store, best)
    unread = store.skipped_count()
    missing = _missing(state.query.question, len(places), dangling) + _of_unread(unread)
    return Gap(missing, tuple(places), dangling, nearest, place, unread)


def dialog_gap(store: Store, question: str, titles: tuple[str, ...]) -> Gap:
    """The gap that remains when the documents of a dialog do not answer a follow-up."""
    unread = store.skipped_count()
    missing = f"What the dialog was about does not answer it: {_quoted(question)}"
    return Gap(missing + _of_unread(unread), titles, unread=unread)


def _place(store: Store, window: Window) -> Place | None:
    origin = store.document(window.title).origin if window.title in store else None
    return origin.at(window.start) if origin else None


def _of_unread(files: int) -> str:
    if not files:
        return ""
    return f" {files:,} {'file' if files == 1 else 'files'} here could not be read."


def _quoted(question: str) -> str:
    """A question in one line, cut where it is long."""
    line = " ".join(question.split())
    return f"“{line if len(line) <= LONGEST_QUESTION else line[: LONGEST_QUESTION - 1] + '…'}”"


def _missing(question: str, places: int, dangling: tuple[str, ...]) -> str:
    quoted = _quoted(question)
    if not places:
        missing = f"No text was found that speaks of it: {quoted}"
    elif places == 1:
        missing = f"The one place that was looked at does not answer it: {quoted}"
    else:
        missing = f"None of the {places} places that were looked at answers it: {quoted}"
    if len(dangling) == 1:
        missing += f" It may stand in {dangling[0]}, which is linked but not in the corpus."
    elif dangling:
        few = len(dangling) <= LINKS_NAMED + 1
        named = dangling if few else (*dangling[:LINKS_NAMED], "others")
        listed = f"{', '.join(named[:-1])} or {named[-1]}"
        missing += f" It may stand in {listed}, which are linked but not in the corpus."
    return missing
