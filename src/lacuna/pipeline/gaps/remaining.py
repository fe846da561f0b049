"""The gap that remains when nothing answers: what was found, what was not, and where it may be."""

from __future__ import annotations

from lacuna.corpus.store import Store
from lacuna.pipeline.gaps.asked_for import asked_for
from lacuna.pipeline.gaps.findings import Finding, finding_of
from lacuna.pipeline.gaps.names import content_words
from lacuna.pipeline.gaps.parts import split_question
from lacuna.pipeline.state import QuestionState
from lacuna.places import Place
from lacuna.retrieve.windows import Window
from lacuna.types import Evidence, Gap, Role

LINKS_NAMED = 3
"""Links that lead nowhere, as far as the sentence names them; the gap lists them all."""

LIKELY_LINK = 0.0
"""Log-odds above which the reader takes a link to lead to what is missing."""


def remaining_gap(store: Store, state: QuestionState) -> Gap:
    """The gap that remains when nothing answers."""
    ranked = [window for window, _ in state.best_windows()]
    places = dict.fromkeys(" › ".join(window.section or (window.title,)) for window in ranked)
    if state.focus is not None:
        places = {state.focus.original.title: None} | places
    nearest = place = None
    if ranked:
        best = ranked[0]
        nearest = Evidence(best.title, best.start, best.end, Role.SUPPORT, state.ranked[best])
        place = _place(store, best)
    found, not_found, sentence = _halves(state.query.question, finding_of(store, state, ranked))
    dangling = _that_matter(state)
    unread = store.skipped_count()
    return Gap(
        sentence + _of_links(dangling) + _of_unread(unread),
        tuple(places),
        dangling,
        nearest,
        place,
        unread,
        found=found,
        not_found=not_found,
    )


def dialog_gap(store: Store, question: str, titles: tuple[str, ...]) -> Gap:
    """The gap that remains when the documents of a dialog do not answer a follow-up."""
    unread = store.skipped_count()
    phrase = asked_for(question)
    where = titles[0] if len(titles) == 1 else "what the dialog was about"
    missing = f"Not found in {where}: {_ended(phrase)}" + _of_unread(unread)
    return Gap(missing, titles, unread=unread, not_found=phrase)


def _halves(question: str, finding: Finding) -> tuple[str, str, str]:
    """What was found, what was not, and both in a sentence.

    What was not found may stand there all the same: it says what was looked at, not what is.
    """
    parts = split_question(question)
    if parts is not None and finding.first_part:
        found, phrase = finding.first_part, asked_for(parts.rest)
        return found, phrase, f"Found: {found}; not found: {_ended(phrase)}"
    phrase = asked_for(question)
    if finding.unknown:
        return "", phrase, f"No document mentions {finding.unknown}; not found: {_ended(phrase)}"
    if finding.name.casefold() == finding.title.casefold() != "":
        return finding.title, phrase, f"Not found in {finding.title}: {_ended(phrase)}"
    if finding.name:
        found = f"{finding.name} is {finding.how} in {finding.title}"
        return found, phrase, f"{found}; not found there: {_ended(phrase)}"
    if finding.title:
        return "", phrase, f"Nearest is {finding.title}; not found there: {_ended(phrase)}"
    return "", phrase, f"No text has the words of the question; not found: {_ended(phrase)}"


def _ended(phrase: str) -> str:
    """A phrase as the end of a sentence."""
    return phrase if phrase.endswith(("?”", ".”", "!”", "…”")) else f"{phrase}."


def _that_matter(state: QuestionState) -> tuple[str, ...]:
    """Links out of the corpus that may lead to what is missing: by the question's words, which are
    half of theirs, or because the reader takes it to be likely."""
    asked = content_words(state.search_text)
    mattering = (
        target.title
        for target in state.links
        if target.dangling
        and (target.score > LIKELY_LINK or _is_half_in(content_words(target.title), asked))
    )
    return tuple(dict.fromkeys(mattering))


def _is_half_in(title: frozenset[str], asked: frozenset[str]) -> bool:
    return bool(title & asked) and 2 * len(title & asked) >= len(title)


def _place(store: Store, window: Window) -> Place | None:
    origin = store.document(window.title).origin if window.title in store else None
    return origin.at(window.start) if origin else None


def _of_unread(files: int) -> str:
    if not files:
        return ""
    return f" {files:,} {'file' if files == 1 else 'files'} here could not be read."


def _of_links(dangling: tuple[str, ...]) -> str:
    if not dangling:
        return ""
    if len(dangling) == 1:
        return f" It may stand in {dangling[0]}, which is linked but not in the corpus."
    few = len(dangling) <= LINKS_NAMED + 1
    named = dangling if few else (*dangling[:LINKS_NAMED], "others")
    listed = f"{', '.join(named[:-1])} or {named[-1]}"
    return f" It may stand in {listed}, which are linked but not in the corpus."
