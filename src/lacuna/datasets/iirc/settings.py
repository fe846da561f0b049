"""IIRC's settings: the gold evidence, what a system retrieved, or the questions over a corpus."""

from __future__ import annotations

from dataclasses import replace

from lacuna.answer_mode import AnswerMode
from lacuna.datasets.iirc.iirc_format import quoted_document
from lacuna.datasets.setting import Setting, by_name
from lacuna.errors import LacunaError, shown
from lacuna.types import AnswerKind, Document, Link, Question

RETRIEVED = "retrieved_context"
RETRIEVED_MARK = " (retrieved)"
"""Behind the title of an article that the context is named like."""


def _with_gold(question: Question) -> Question:
    """The linked gold sentences; where there is no answer, what a system retrieved instead.

    Were unanswerable questions left without linked texts, the lack of them would tell.
    """
    answers = question.gold.answers if question.gold else ()
    if answers and answers[0].kind is not AnswerKind.NONE:
        return question
    instead = retrieved(question)
    if answers:
        return replace(question, documents=instead or question.documents)
    return replace(question, documents=question.documents or instead)


def _with_retrieved(question: Question) -> Question:
    return replace(question, documents=retrieved(question))


def retrieved(question: Question) -> tuple[Document, ...]:
    """What a system retrieved for a question, where the file has it."""
    quoted: dict[str, list[str]] = {}
    raws = question.extra.get(RETRIEVED) or []
    for raw in raws if isinstance(raws, list) else [raws]:
        match raw:
            case {"passage": str(title), "text": str(text)}:
                quoted.setdefault(_free(title, question.context), []).append(text)
            case _:
                raise LacunaError(
                    f"Question {question.id!r}, field {RETRIEVED}: expected a list of objects "
                    f"with passage and text, found {shown(raw)}. Mend it."
                )
    return tuple(quoted_document(title, texts) for title, texts in quoted.items())


def _free(title: str, context: Document | None) -> str:
    """A title that the context does not have, since evidence names documents by title."""
    return f"{title}{RETRIEVED_MARK}" if context and context.title == title else title


def _context_alone(question: Question) -> Question:
    return replace(question, documents=())


def _gold_links_alone(question: Question) -> Question:
    """The context with the gold links and no others, except where there are none.

    A context without any link would tell that there is no answer.
    """
    context, gold = question.context, question.gold.links if question.gold else None
    if context is not None and gold:
        links = tuple(link for link in context.links if link.target in gold)
        located = {link.target for link in links}
        # IIRC's files do not always say where a gold link stands.
        links += tuple(Link(0, 0, title) for title in gold if title not in located)
        context = replace(context, links=links)
    return replace(question, context=context, documents=())


SETTINGS = by_name(
    Setting("oracle-context", AnswerMode.ASK, _with_gold),
    Setting("retrieved-context", AnswerMode.ASK, _with_retrieved, required_field=RETRIEVED),
    Setting("full", AnswerMode.ASK, _context_alone, over_corpus=True),
    Setting("oracle-links", AnswerMode.ASK, _gold_links_alone, over_corpus=True),
)
