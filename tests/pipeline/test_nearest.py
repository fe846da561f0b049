"""The nearest evidence as a quote."""

from __future__ import annotations

from pathlib import Path

from lacuna.corpus.store import Store
from lacuna.pipeline.nearest import LONGEST, nearest_quote
from lacuna.pipeline.result import Result
from lacuna.types import Answer, Document, Evidence, Gap, Prediction, Section, Span


def none(nearest: Evidence | None, passage: Document | None = None) -> Result:
    gap = Gap("a name", nearest=nearest)
    return Result("Who?", passage, Prediction(Answer.none(), gaps=(gap,)), (), ())


def test_it_ends_with_a_sentence(tmp_path: Path) -> None:
    sentence = "It was cold. "
    text = sentence * 60
    spans = tuple(Span(at, at + 12) for at in range(0, len(text), 13))
    log = Document("Log", text, spans, sections=(Section(("Log", "End"), 0, len(text)),))
    with Store.create(tmp_path) as store:
        with store.writer() as writer:
            writer.add([log])
        found = nearest_quote(store, none(Evidence("Log", 13, len(text))))
        assert found is not None
        assert found.text.endswith("cold.")
        assert LONGEST - 13 < len(found.text) <= LONGEST
        assert (found.document, found.section) == ("Log", ("Log", "End"))
        assert nearest_quote(store, none(None)) is None
        assert nearest_quote(store, none(Evidence("Gone", 0, 3))) is None
        own = nearest_quote(store, none(Evidence("letter", 0, 2), Document("letter", "Hi.")))
        assert own is not None
        assert own.text == "Hi"
