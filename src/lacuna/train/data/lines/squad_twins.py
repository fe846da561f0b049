"""SQuAD 2.0's unanswerable questions, each beside the answerable one that it was made from."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator

from lacuna.datasets.fields import Fields
from lacuna.train.data.together import together
from lacuna.types import Answer, Document, Gold, Question

TWIN = "paired_answerable_id"
NO_TWIN = "its answerable twin is not there"


def decode(fields: Fields, number: int) -> Question:
    """A line: a question in lower case that its ``context`` does not answer."""
    document = Document(fields.text("title"), fields.text("context"))
    return Question(
        fields.text("id"),
        fields.text("question"),
        document,
        gold=Gold((Answer.none(),)),
        extra={TWIN: fields.text(TWIN)},
    )


def twins(
    unanswerable: Iterable[Question], answerable: Iterable[Question], left_out: Counter[str]
) -> Iterator[Question]:
    """Both questions of each pair, in the order of the answerable ones.

    ``answerable`` have SQuAD's ids behind the name of their source: squad1/….
    """
    made_from = {question.extra[TWIN]: question for question in unanswerable}
    for question in answerable:
        if (twin := made_from.pop(question.id.partition("/")[2], None)) is not None:
            yield from together(twin, _beside(twin, question))
    left_out[NO_TWIN] += len(made_from)


def _beside(twin: Question, question: Question) -> Question:
    return Question(f"{twin.id}/answerable", question.text, question.context, gold=question.gold)
