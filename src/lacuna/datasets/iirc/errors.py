"""The four classes of errors in section 4.4 of IIRC's paper, told by what a system looked at.

The paper labelled them by hand. Here a link counts as chosen if a document of its title was looked
into, and a gold sentence as found if it stands, word for word, in what was read.
"""

from __future__ import annotations

from lacuna.datasets.answer_trace import AnswerTrace
from lacuna.datasets.iirc.settings import RETRIEVED_MARK
from lacuna.types import AnswerKind, Question

ERROR = "error (section 4.4)"
ERROR_FIELDS = {ERROR: "no wrong answer could be traced"}
LINKS, CONTEXT = "insufficient links", "incorrect context"
MODEL, UNANSWERABLE = "modeling error", "unanswerable"
UNKNOWN = "not told: no gold context"


def error_class(question: Question, trace: AnswerTrace) -> str:
    """Which stage an error of this question is due to."""
    gold = question.gold
    assert gold is not None
    if gold.answers[0].kind is AnswerKind.NONE:
        return UNANSWERABLE
    if not gold.evidence:
        return UNKNOWN
    texts = {document.title: document.text for document in question.documents}
    linked = [piece for piece in gold.evidence if piece.document in texts]
    wanted = {_title(title) for title in gold.links or (piece.document for piece in linked)}
    if not wanted <= {_title(title) for title in trace.titles}:
        return LINKS
    read = "\n".join(map(_plain, trace.texts))
    quotes = (texts[piece.document][piece.start : piece.end] for piece in linked)
    return MODEL if all(_plain(quote) in read for quote in quotes) else CONTEXT


def _title(title: str) -> str:
    return _plain(title.removesuffix(RETRIEVED_MARK))


def _plain(text: str) -> str:
    return " ".join(text.casefold().split())
