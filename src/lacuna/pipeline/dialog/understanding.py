"""What a follow-up means, in the words of a question that stands by itself."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from lacuna.pipeline.dialog.completing import completed
from lacuna.pipeline.dialog.fragments import put_in
from lacuna.pipeline.dialog.kinds import KindOf
from lacuna.pipeline.dialog.memory import DialogMemory, SpokenTurn
from lacuna.pipeline.dialog.pointing import points_back
from lacuna.pipeline.dialog.pronouns import fill_in, has_pronoun
from lacuna.pipeline.dialog.questions import fragment_of, is_short, shape_of, without_lead
from lacuna.pipeline.dialog.short_questions import (
    ask_again,
    ask_for_more,
    asks_for_more,
    how_long_it_takes,
    what_the_answer_is,
    with_what_was_said,
)
from lacuna.types import Turn


@dataclass(frozen=True, slots=True)
class Understanding:
    """What a question was read as.

    ``text`` is what was asked where there is nothing to add. ``needs_dialog`` says that as it was
    typed the question means nothing by itself. ``names`` are what the dialog spoke of, the
    likeliest topic first. ``centre`` is what the dialog goes on with, if that is clear; ``unclear``
    are pronouns of which it is not.
    """

    asked: str
    text: str
    needs_dialog: bool
    names: tuple[str, ...] = ()
    centre: str = ""
    unclear: frozenset[str] = frozenset()

    @property
    def is_rewritten(self) -> bool:
        """Whether more than an "and" was changed."""
        return self.text not in (self.asked, without_lead(self.asked))


def understand(
    question: str, history: Sequence[Turn], *, title: str = "", kind_of: KindOf
) -> Understanding:
    """Read a question in the light of the turns before it, each of them read in this way too.

    >>> from lacuna.types import Answer
    >>> history = [Turn("Who founded the Harbour Gazette?", Answer.span("Edvard Lunde"))]
    >>> understand("When was he born?", history, kind_of={}.get).text
    'When was Edvard Lunde born?'
    """
    memory = DialogMemory(kind_of, title)
    for turn in history:
        read = _read(turn.question, memory)
        said = read.text if read.needs_dialog else read.asked
        memory.remember(
            shape_of(without_lead(said)),
            turn.answer,
            centre=read.centre,
            aside=_only_asks_why(turn.question),
            unclear=read.unclear,
        )
    return _read(question, memory)


def _read(question: str, memory: DialogMemory) -> Understanding:
    asked = question.strip()
    plain = without_lead(asked)
    names = tuple(memory.names())
    if memory.turns and (elliptic := _completed_by_last(asked, plain, memory)):
        text, centre = elliptic
        return Understanding(asked, text or asked, True, names, centre)
    filled = fill_in(plain, memory)
    if filled.text != plain:
        within = [name for name in names if name in filled.text]
        ordered = dict.fromkeys((*within, *names))
        return Understanding(
            asked, filled.text, True, tuple(ordered), filled.centre, filled.unclear
        )
    if filled.unclear or has_pronoun(plain) or points_back(plain):
        return Understanding(asked, plain, True, names, unclear=filled.unclear)
    topic = memory.topic()
    whole = completed(plain, topic)
    if whole != plain:
        return Understanding(asked, whole, False, names, topic)
    return Understanding(asked, plain if asked[:1] != plain[:1] else asked, False, names)


def _completed_by_last(asked: str, plain: str, memory: DialogMemory) -> tuple[str, str] | None:
    """What is read for a question that leaves out what the last one said; None for a whole one.

    With it comes what the dialog goes on with. Both may be "", where nothing fits.
    """
    last = memory.turns[-1]
    if asks_for_more(plain):
        return ask_for_more(last), last.centre
    if fragment := fragment_of(asked):
        return _with_fragment(fragment, memory)
    if is_short(shape_of(plain)):
        return ask_again(shape_of(plain), last), last.centre
    for complete in (how_long_it_takes, with_what_was_said, what_the_answer_is):
        if text := complete(plain, last):
            return text, last.centre
    return None


def _with_fragment(fragment: str, memory: DialogMemory) -> tuple[str, str]:
    """ "And X?" after the last question that was no mere "Why?"; and X, if it is about that."""
    base: SpokenTurn = next(
        (turn for turn in reversed(memory.turns) if " " in turn.shape.rest and not turn.aside),
        memory.turns[-1],
    )
    text = fill_in(fragment, memory).text
    put = put_in(text, base.shape, memory.kind, memory.known)
    return put.text, put.centre


def _only_asks_why(question: str) -> bool:
    shape = shape_of(without_lead(question))
    return is_short(shape) and shape.wh == "why"
