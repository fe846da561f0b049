"""What came closest to an answer where there is none."""

from __future__ import annotations

from lacuna.corpus.store import Store
from lacuna.pipeline.quotes import quote
from lacuna.pipeline.result import Quote, Result
from lacuna.types import Span

LONGEST = 300
"""Characters; it is shown as a hint, not as an answer."""


def nearest_quote(store: Store, result: Result) -> Quote | None:
    """The beginning of the nearest evidence of the first gap that has some."""
    evidence = next((gap.nearest for gap in result.prediction.gaps if gap.nearest), None)
    if evidence is None:
        return None
    if result.context is not None and result.context.title == evidence.document:
        document = result.context
    elif evidence.document in store:
        document = store.document(evidence.document)
    else:
        return None
    end = evidence.end
    if end - evidence.start > LONGEST:
        ends = [one.end for one in document.sentences if evidence.start < one.end <= evidence.end]
        end = max((at for at in ends if at - evidence.start <= LONGEST), default=min(ends or [end]))
    return quote(document, Span(evidence.start, end))
