"""From what the pipeline says to what the JSON interface tells."""

from __future__ import annotations

from lacuna.ask.result import Quote, Result
from lacuna.corpus.store import Store
from lacuna.errors import LacunaError
from lacuna.types import Document, Evidence, Gap, Span
from lacuna.web.models import Answered, AnswerTold, DocumentTold, GapTold, LinkTold


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
        passage=result.passage.title if result.passage else None,
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
        gaps=[_gap(gap, store) for gap in result.prediction.gaps],
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


def _gap(gap: Gap, store: Store) -> GapTold:
    return GapTold(
        missing=gap.missing,
        looked_in=list(gap.looked_in),
        dangling=list(gap.dangling),
        nearest=_quoted(gap.nearest, store) if gap.nearest else None,
    )


def _quoted(evidence: Evidence, store: Store) -> Quote | None:
    """The sentences around a piece of evidence; None if it stands in no document of the corpus."""
    try:
        document = store.document(evidence.document)
    except LacunaError:
        return None
    touched = [
        sentence
        for sentence in document.sentences
        if sentence.start < evidence.end and evidence.start < sentence.end
    ]
    start = min((one.start for one in touched), default=evidence.start)
    end = max((one.end for one in touched), default=evidence.end)
    section = max(
        (one for one in document.sections if one.start <= start and end <= one.end),
        key=lambda one: len(one.path),
        default=None,
    )
    place = Span(evidence.start, evidence.end)
    marks = (place,) if place != (start, end) else ()
    path = section.path if section else ()
    return Quote(document.title, path, document.text[start:end], start, end, marks)
