"""From what the pipeline says to what the JSON interface tells."""

from __future__ import annotations

from lacuna.corpus.store import Store
from lacuna.pipeline.quotes import nearest_quote
from lacuna.pipeline.result import Result
from lacuna.server.schemas import Answered, AnswerTold, DocumentTold, GapTold, LinkTold
from lacuna.types import Document


def tell_answer(
    result: Result, store: Store, *, answer_id: str, after: str | None, corpus: str
) -> Answered:
    """An answer with everything that explains it."""
    answer = result.answer
    return Answered(
        id=answer_id,
        after=after,
        corpus=corpus,
        question=result.question,
        context=result.context.title if result.context else None,
        answer=AnswerTold(
            text=answer.text,
            kind=answer.kind,
            texts=list(answer.texts),
            found_at=list(answer.found_at),
            value=answer.value,
            unit=answer.unit,
            expression=answer.expression,
            label=answer.label,
        ),
        confidence=result.prediction.confidence,
        quotes=list(result.quotes),
        gaps=_gaps(result, store),
        acts=result.prediction.acts,
        steps=list(result.steps),
        milliseconds=result.milliseconds,
    )


def tell_document(document: Document, store: Store, corpus: str) -> DocumentTold:
    """A document, with where its links lead."""
    leads = {link.target: store.resolve(link.target) for link in document.links}
    return DocumentTold(
        corpus=corpus,
        title=document.title,
        text=document.text,
        paragraphs=list(document.paragraphs),
        sentences=list(document.sentences),
        sections=list(document.sections),
        links=[
            LinkTold(start=link.start, end=link.end, target=link.target, title=leads[link.target])
            for link in document.links
        ],
    )


def _gaps(result: Result, store: Store) -> list[GapTold]:
    nearest = nearest_quote(store, result)
    told = []
    for gap in result.prediction.gaps:
        quoted = nearest if gap.nearest else None
        looked_in, dangling = list(gap.looked_in), list(gap.dangling)
        told.append(
            GapTold(missing=gap.missing, looked_in=looked_in, dangling=dangling, nearest=quoted)
        )
        nearest = None if quoted else nearest  # it is that of the first gap that has one
    return told
