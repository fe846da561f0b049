"""What a reader may see of a question: the settings of each dataset's paper.

A question on its way to a reader always leaves its gold and its extra fields behind, so that no
label can reach the model by accident.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from difflib import get_close_matches

from lacuna.answer_mode import AnswerMode
from lacuna.datasets import get_dataset
from lacuna.datasets.hotpotqa.supporting_sentences import narrowed, supporting_facts, widened
from lacuna.datasets.iirc.dataset import quoted_document
from lacuna.errors import LacunaError, shown
from lacuna.types import AnswerKind, Document, Prediction, Question, Turn

Arrangement = Callable[[Question], Question]
RETRIEVED = "retrieved_context"
PREDICTED_HISTORY = "predicted-history"
SUPPORTING_FACTS_ONLY = "supporting-facts-only"
ALWAYS_ANSWER = "always-answer"
MODES = {
    "iirc": AnswerMode.ASK,
    "hotpotqa": AnswerMode.HOP,
    "quac": AnswerMode.DIALOG,
    "squad": AnswerMode.ABSTAIN,
    "drop": AnswerMode.CALCULATE,
    "openbookqa": AnswerMode.CHOOSE,
}
REQUIRED = {"retrieved-context": RETRIEVED}
"""The field that a setting reads, where a file that lacks it everywhere makes no sense."""


def settings_of(task: str) -> tuple[str, ...]:
    """The settings of a dataset, its default first.

    >>> settings_of("quac")
    ('gold-history', 'predicted-history')
    """
    return tuple(ARRANGEMENTS[get_dataset(task).name])


def resolve(task: str, setting: str | None, others: Sequence[str] = ()) -> str:
    """The setting of that name; without one, the dataset's default.

    ``others`` are settings that this room does not arrange, but that may be meant.
    """
    known = (*settings_of(task), *others)
    if setting is None:
        return known[0]
    if setting in known:
        return setting
    close = get_close_matches(setting.casefold(), known, n=1)
    hint = f" Did you mean {close[0]}?" if close else ""
    raise LacunaError(
        f"There is no setting {setting!r} for {task}.{hint} Its settings: {', '.join(known)}."
    )


def mode_of(task: str, setting: str) -> AnswerMode:
    """The habit of answering that a dataset's scorer rewards."""
    return AnswerMode.EXTRACT if setting == ALWAYS_ANSWER else MODES[task]


def enter(task: str, setting: str, question: Question) -> Question:
    """The question as the reader sees it in that setting: its context, and nothing of the gold."""
    arranged = ARRANGEMENTS[task][resolve(task, setting)](question)
    return replace(arranged, gold=None, extra={})


def restore(setting: str, question: Question, prediction: Prediction) -> Prediction:
    """What was predicted for an entered question, told in terms of the question as it came."""
    return widened(question, prediction) if setting == SUPPORTING_FACTS_ONLY else prediction


def _as_it_is(question: Question) -> Question:
    return question


def _oracle(question: Question) -> Question:
    """The linked gold sentences; where there is no answer, what a system retrieved instead.

    Were unanswerable questions left without linked texts, the lack of them would tell.
    """
    answers = question.gold.answers if question.gold else ()
    if answers and answers[0].kind is not AnswerKind.NONE:
        return question
    retrieved = _retrieved(question)
    if answers:
        return replace(question, documents=retrieved or question.documents)
    return replace(question, documents=question.documents or retrieved)


def _with_retrieved(question: Question) -> Question:
    return replace(question, documents=_retrieved(question))


def _retrieved(question: Question) -> tuple[Document, ...]:
    quoted: dict[str, list[str]] = {}
    pieces = question.extra.get(RETRIEVED) or []
    for piece in pieces if isinstance(pieces, list) else [pieces]:
        match piece:
            case {"passage": str(title), "text": str(text)}:
                quoted.setdefault(_free(title, question.context), []).append(text)
            case _:
                raise LacunaError(
                    f"Question {question.id!r}, field {RETRIEVED}: expected a list of objects "
                    f"with passage and text, found {shown(piece)}. Mend it."
                )
    return tuple(quoted_document(title, texts) for title, texts in quoted.items())


def _free(title: str, passage: Document | None) -> str:
    """A title that the passage does not have, since evidence names documents by title."""
    return f"{title} (retrieved)" if passage and passage.title == title else title


def _gold_paragraphs(question: Question) -> Question:
    titles = {fact.title for fact in supporting_facts(question)}
    documents = tuple(document for document in question.documents if document.title in titles)
    return replace(question, documents=documents)


def _unanswered_history(question: Question) -> Question:
    """The earlier questions alone: their answers are the reader's to give."""
    return replace(question, history=tuple(Turn(turn.question) for turn in question.history))


def _without_fact(question: Question) -> Question:
    return replace(question, fact=None)


ARRANGEMENTS: dict[str, dict[str, Arrangement]] = {
    "iirc": {"oracle-context": _oracle, "retrieved-context": _with_retrieved},
    "hotpotqa": {
        "distractor": _as_it_is,
        "gold-only": _gold_paragraphs,
        SUPPORTING_FACTS_ONLY: narrowed,
    },
    "openbookqa": {"core-fact": _as_it_is, "no-fact": _without_fact},
    "quac": {"gold-history": _as_it_is, PREDICTED_HISTORY: _unanswered_history},
    "squad": {"may-abstain": _as_it_is, ALWAYS_ANSWER: _as_it_is},
    "drop": {"passage": _as_it_is},
}
