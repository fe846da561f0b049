"""The tool ``ask``: a typed answer with its evidence, or what is missing."""

from __future__ import annotations

from typing import Annotated

from pydantic import Field

from lacuna.agents.agent_tool import AgentTool, DocumentName, Told, ToolArguments, ToolResult
from lacuna.agents.library import Library
from lacuna.agents.sources import CitedSource
from lacuna.pipeline.query import LONGEST_QUESTION, Query
from lacuna.pipeline.quotes import nearest_quote
from lacuna.pipeline.result import Degree, Quote, Result
from lacuna.server.limits import clean_line
from lacuna.types import Answer, AnswerKind


class AskArguments(ToolArguments):
    """The question, and what it is asked of."""

    question: Annotated[str, Field(min_length=1, max_length=LONGEST_QUESTION)]
    """One question in plain words that can be understood without what was said before."""
    document: DocumentName | None = None
    """The document to read first, by title or lacuna:// address; without it a search finds one."""
    alternatives: Annotated[int, Field(ge=0, le=5)] = 0
    """How many other answers that were considered come along."""


class TypedAnswer(ToolResult):
    """An answer; ``text`` is how a person would write it."""

    text: str
    kind: AnswerKind
    texts: list[str]
    """Each span of an answer that has several."""
    value: float | None
    """Of a number."""
    unit: str
    expression: str
    """How a number was calculated from the text."""


class OtherAnswer(ToolResult):
    """Another answer that was considered."""

    answer: TypedAnswer
    confidence: float
    sources: list[CitedSource]


class StillMissing(ToolResult):
    """What the documents do not say, and where it was looked for."""

    missing: str
    """In a sentence."""
    found: str
    """The half that was found, as a phrase."""
    not_found: str
    """The half that was not."""
    looked_in: list[str]
    """The documents that were read."""
    dangling: list[str]
    """Links that lead to no document, and may have led to it."""
    unread_files: int
    """Files of the corpus that could not be read: it may stand in one of them."""


class AskedAnswer(ToolResult):
    """The answer with its evidence, or plainly what is missing."""

    question: str
    read_as: str | None
    """The part of a long question that was read; null where all of it was."""
    degree: Degree
    """answer: sure enough; probable: the likeliest, but check its sources; none: not answered."""
    confidence: float | None
    """How likely the answer is right, or, of none, that there is none; measured, from 0 to 1."""
    answer: TypedAnswer | None
    """Null where the documents give none."""
    sources: list[CitedSource]
    """The sentences that the answer was taken from."""
    missing: list[StillMissing]
    nearest: CitedSource | None
    """What came nearest, where there is no answer."""
    alternatives: list[OtherAnswer]


def _run(library: Library, asked: AskArguments, told: Told) -> AskedAnswer:
    question = clean_line(asked.question, LONGEST_QUESTION)
    title = library.title(asked.document) if asked.document else None
    result = library.answerer.ask(
        Query(question, title=title), on_step=lambda step: told(step.message)
    )

    def cited(quotes: tuple[Quote, ...]) -> list[CitedSource]:
        return [CitedSource.of(one, local=library.local) for one in quotes]

    nearest = nearest_quote(library.store, result)
    return AskedAnswer(
        question=question,
        read_as=result.read_as or None,
        degree=result.degree,
        confidence=result.confidence,
        answer=None if result.degree is Degree.NONE else _typed(result.answer),
        sources=cited(result.quotes),
        missing=_missing(result),
        nearest=CitedSource.of(nearest, local=library.local) if nearest else None,
        alternatives=[
            OtherAnswer(
                answer=_typed(one.answer),
                confidence=one.confidence,
                sources=cited(one.quotes),
            )
            for one in result.alternatives[: asked.alternatives]
        ],
    )


def _typed(answer: Answer) -> TypedAnswer:
    return TypedAnswer(
        text=answer.text,
        kind=answer.kind,
        texts=list(answer.texts),
        value=answer.value,
        unit=answer.unit,
        expression=answer.expression,
    )


def _missing(result: Result) -> list[StillMissing]:
    return [
        StillMissing(
            missing=gap.missing,
            found=gap.found,
            not_found=gap.not_found,
            looked_in=list(gap.looked_in),
            dangling=list(gap.dangling),
            unread_files=gap.unread,
        )
        for gap in result.prediction.gaps
    ]


def _text(result: AskedAnswer) -> str:
    sure = "" if result.confidence is None else f" ({result.confidence:.0%} sure)"
    if result.answer is None:
        lines = ["No answer was found in the documents."]
    elif result.degree is Degree.PROBABLE:
        lines = [f"Probably{sure}, so check it: {result.answer.text}"]
    else:
        lines = [f"Answer{sure}: {result.answer.text}"]
    if result.read_as is not None:
        lines.append(f"Read as: {result.read_as}")
    if result.answer is not None and result.answer.expression:
        lines.append(f"Calculated: {result.answer.expression}")
    lines += [one.cited(number) for number, one in enumerate(result.sources, 1)]
    for gap in result.missing:
        lines.append(f"Missing: {gap.missing}")
        lines += [f"Looked in: {', '.join(gap.looked_in)}"] if gap.looked_in else []
        lines += [f"Links that lead nowhere: {', '.join(gap.dangling)}"] if gap.dangling else []
    if result.nearest is not None:
        near = " ".join(result.nearest.quote.split())
        lines.append(f"Nearest: “{near}”\n    {result.nearest.line()}")
    for other in result.alternatives:
        lines.append(f"Also considered: {other.answer.text} ({other.confidence:.0%})")
        lines += [f"    {source.line()}" for source in other.sources]
    return "\n".join(lines)


ASK = AgentTool(
    name="ask",
    title="Ask the documents a question",
    description=(
        "Answer one question from the documents: it searches, follows links between documents, "
        "reads, and gives a typed answer (text, number, yes/no, list) with how sure it is and the "
        "sentences that it rests on, or says plainly what is missing and where it looked. "
        "It quotes and calculates, it does not write prose: ask for one fact at a time (who, when, "
        "how many, which, is it true that …), also for one that takes two documents together. "
        "Takes a second or more, and tells its progress. An answer of degree `probable` should be "
        "checked against its sources; after `none`, rephrase, or `search` and `read_document`."
    ),
    arguments=AskArguments,
    result=AskedAnswer,
    run=_run,
    text=_text,
    answers=True,
)
