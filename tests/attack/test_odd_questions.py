"""Odd questions: nothing but an error with advice is raised, and every quote is verbatim."""

from __future__ import annotations

import json
import random
from collections.abc import Iterator, Sequence
from typing import Any

import pytest

from lacuna import Conversation, LacunaError, Pipeline, Query, Result
from lacuna.corpus.open import open_store
from lacuna.corpus.store import Store
from lacuna.models.model_folder import SHIPPED, WEIGHTS
from lacuna.models.registry import open_reader
from lacuna.types import Answer, Document, Evidence, Prediction, Question

LONGEST = 20_000
PIECES = (
    "When was the ferry built?", "Who", "How many years", "And she?", "Why?", "it", "or", "not",
    "Is it older than 1,000 km", "1897", "1e400", "-0", "٣٤", "½", "9" * 400, "0x10", "€", "%",
    "", " ", "\t", "\n\n", "\r", "\x00", "\x1b[31m", "\x7f", "\x85", "\ufeff", "\u200b", "\u2028",
    "\ud800", "\udfff", "\udc80", "\U0010ffff", "\ufdd0", "\u202e", "\u2066", "שלום", "العربية",
    "e\u0301", "İ", "ß", "ﬁ", "ſ", "\u0345", "Å", "\u1e9e", "ǅ", "👩‍👩‍👧", "🇬🇧", "\u0301" * 50,
    "が", "中文问题", "ครับ", '"', "'", "“", "”", "(", ")", "[[", "]]", "{", "}", "\\", "/", "?",
    "AND", "???", "OR NOT", "title:", "*", "~2", "^9", '"unclosed', "+", "-", "&&", "a:b",
    "<script>", "'; DROP TABLE documents;--", "%s", "{0}", "$(id)", "a" * 500, "?" * 300, "(" * 200,
    "the " * 99, "between 1 and", "to", "the day before", "44 BC", "February 30", "1/0",
    "10**9999", "−", "…",
)  # fmt: skip


class SpanReader:
    """Answers with some stretch of the first text; which one depends on the question alone."""

    def read(self, questions: Sequence[Question], **_: Any) -> list[Prediction]:
        return [self._answer(question) for question in questions]

    def _answer(self, question: Question) -> Prediction:
        texts = [*filter(None, [question.context]), *question.documents]
        if not texts or not texts[0].text:
            return Prediction(Answer.none(), confidence=0.5)
        text = texts[0].text
        rng = random.Random(len(question.text))
        start = rng.randrange(len(text))
        end = min(len(text), start + rng.randrange(1, 40))
        place = Evidence(texts[0].title, start, end)
        return Prediction(Answer.span(text[start:end], place), (place,), confidence=rng.random())


def odd_text(rng: random.Random) -> str:
    """Some pieces one after the other, or letters from all of Unicode."""
    kind = rng.random()
    if kind < 0.15:
        return "".join(chr(rng.randrange(0x110000)) for _ in range(rng.randrange(40)))
    if kind < 0.2:
        return rng.choice(PIECES) * rng.randrange(1, LONGEST // 500)
    joint = rng.choice(("", " ", "\n"))
    return joint.join(rng.choice(PIECES) for _ in range(rng.randrange(8)))


def odd_query(rng: random.Random, titles: list[str]) -> Query:
    """A question of the corpus, of a document, or of an odd text."""
    kind = rng.random()
    if kind < 0.2:
        title = rng.choice(titles) if rng.random() < 0.7 else odd_text(rng)
        return Query(odd_text(rng), title=title)
    if kind < 0.4:
        return Query(odd_text(rng), Document(odd_text(rng), odd_text(rng)))
    return Query(odd_text(rng))


def check(store: Store, query: Query, result: Result) -> None:
    """Everything that a result points at is there, letter by letter."""
    texts: dict[str, str] = {}

    def text_of(title: str) -> str:
        if title not in texts:
            if result.context is not None and result.context.title == title:
                texts[title] = result.context.text
            else:
                texts[title] = store.document(title).text
        return texts[title]

    quotes = [*result.quotes, *(quote for other in result.alternatives for quote in other.quotes)]
    for quote in quotes:
        text = text_of(quote.document)
        assert 0 <= quote.start <= quote.end <= len(text)
        assert text[quote.start : quote.end] == quote.text
        for mark in quote.marks:
            assert quote.start <= mark.start <= mark.end <= quote.end
    prediction = result.prediction
    answers = [result.answer, *(other.answer for other in result.alternatives)]
    places = [*prediction.evidence, *(place for answer in answers for place in answer.found_at)]
    places += [gap.nearest for gap in prediction.gaps if gap.nearest is not None]
    for place in places:
        assert 0 <= place.start <= place.end <= len(text_of(place.document))
    if prediction.confidence is not None:
        assert 0 <= prediction.confidence <= 1
    json.dumps(result.as_json(trace=True), allow_nan=False)


def ask(pipeline: Pipeline, query: Query) -> bool:
    """Whether it was answered; the only other thing that may happen is an error with advice."""
    try:
        result = pipeline.ask(query)
    except LacunaError:
        return False
    except Exception as error:
        raise AssertionError(f"{query!r} raised {error!r}"[:3000]) from error
    check(pipeline.store, query, result)
    return True


@pytest.fixture(scope="module")
def demo() -> Iterator[Store]:
    with open_store() as store:
        yield store


def test_odd_questions(demo: Store, rounds: Any) -> None:
    pipeline = Pipeline(demo, SpanReader())
    titles = list(demo.titles())
    for rng in rounds():
        assert any(ask(pipeline, odd_query(rng, titles)) for _ in range(20))


def test_odd_questions_for_the_model(demo: Store, rounds: Any) -> None:
    if not (SHIPPED / "small" / WEIGHTS).is_file():
        pytest.skip("the small model is not in this checkout")
    pipeline = Pipeline(demo, open_reader("small"))
    titles = list(demo.titles())
    for rng in rounds():
        for _ in range(3):
            ask(pipeline, odd_query(rng, titles))


def test_odd_dialogs(demo: Store, rounds: Any) -> None:
    pipeline = Pipeline(demo, SpanReader())
    for rng in rounds():
        dialog = Conversation(pipeline)
        for _ in range(6):
            question = odd_text(rng)
            try:
                result = dialog.ask(question)
            except LacunaError:
                continue
            except Exception as error:
                raise AssertionError(f"{question!r} raised {error!r}"[:3000]) from error
            check(demo, Query(question), result)
