"""The tools that an agent is given, each with its arguments, its result and its words."""

from __future__ import annotations

from enum import StrEnum
from itertools import islice, zip_longest
from typing import Annotated, Any

from pydantic import Field

from lacuna.corpus.titles import search_titles
from lacuna.errors import LacunaError
from lacuna.mcp.documents import (
    LONGEST_QUERY,
    AgentTool,
    CitedSource,
    DocumentName,
    Library,
    Skip,
    Told,
    ToolArguments,
    ToolResult,
    address_of,
    cited_link,
    link_between,
    page_span,
)
from lacuna.pipeline.query import LONGEST_QUESTION, Query
from lacuna.pipeline.result import Degree, Quote, Result
from lacuna.pipeline.stages import nearest_quote
from lacuna.retrieve.bm25 import split_phrases
from lacuna.types import Answer, AnswerKind, Document, Span
from lacuna.web.limits import clean_line


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


def _run_ask(library: Library, asked: AskArguments, told: Told) -> AskedAnswer:
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


def _ask_text(result: AskedAnswer) -> str:
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
    run=_run_ask,
    text=_ask_text,
    answers=True,
)


class PathArguments(ToolArguments):
    """Both ends."""

    from_document: DocumentName
    to_document: DocumentName


class PathStop(ToolResult):
    """A document on the way."""

    document: str
    uri: str
    link: CitedSource | None
    """The sentence with the link to the next one; null at the end."""


class PathOfLinks(ToolResult):
    """A shortest way along links."""

    found: bool
    stops: list[PathStop]
    """Both ends and all between them; empty where no links lead there."""
    backwards: bool
    """The links lead from the goal to the start only, and the stops stand in that order."""


def _run_find_path(library: Library, wanted: PathArguments, told: Told) -> PathOfLinks:
    start, goal = library.title(wanted.from_document), library.title(wanted.to_document)
    graph = library.store.graph()
    titles = graph.path(start, goal)
    backwards = titles is None
    if titles is None:
        told("No links lead there; looking for the way back.")
        titles = graph.path(goal, start) or []
    stops = []
    for title, following in zip_longest(titles, titles[1:]):
        document = library.store.document(title)
        link = link_between(library.store, document, following) if following else None
        stops.append(
            PathStop(
                document=title,
                uri=address_of(title),
                link=None if link is None else cited_link(document, link, local=library.local),
            )
        )
    return PathOfLinks(found=bool(stops), stops=stops, backwards=backwards and bool(stops))


def _path_text(result: PathOfLinks) -> str:
    if not result.found:
        return "No links lead from one to the other, in either direction."
    lines = ["There are links in the other direction only:"] if result.backwards else []
    lines.append(" → ".join(stop.document for stop in result.stops))
    links = [stop.link for stop in result.stops if stop.link is not None]
    return "\n".join([*lines, *(link.cited(number) for number, link in enumerate(links, 1))])


FIND_PATH = AgentTool(
    name="find_path",
    title="Find how two documents are linked",
    description=(
        "A shortest way from one document to another along links, with the sentence in which each "
        "link stands. Use it to learn how two subjects hang together. Where no links lead there, "
        "the way back is looked for."
    ),
    arguments=PathArguments,
    result=PathOfLinks,
    run=_run_find_path,
    text=_path_text,
)


class LinkDirection(StrEnum):
    """Which links are meant."""

    OUT = "out"
    INTO = "in"


class LinkArguments(ToolArguments):
    """Whose links, and which of them."""

    document: DocumentName
    direction: LinkDirection = LinkDirection.OUT
    """out: what it links to; in: the documents that link to it."""
    limit: Annotated[int, Field(ge=1, le=50)] = 15
    """The most links to return."""
    skip: Skip = 0


class DocumentLink(ToolResult):
    """A link, and the sentence that it stands in."""

    document: str | None
    """The title at its other end; null where it leads to no document of the corpus."""
    uri: str | None
    target: str
    """Where it leads, as it is written."""
    source: CitedSource | None
    """The sentence with the link; null where the link stands in no text (a redirect)."""


class LinksOfDocument(ToolResult):
    """Links of a document, each target once, in the order of the text."""

    document: str
    direction: LinkDirection
    links: list[DocumentLink]
    total: int
    next_skip: int | None
    """Give it as skip to get more; null where there are no more."""


def _run_follow_links(library: Library, wanted: LinkArguments, told: Told) -> LinksOfDocument:
    title = library.title(wanted.document)
    if wanted.direction is LinkDirection.OUT:
        links, total = _out(library, title, wanted)
    else:
        links, total = _into(library, title, wanted, told)
    seen = wanted.skip + len(links)
    return LinksOfDocument(
        document=title,
        direction=wanted.direction,
        links=links,
        total=total,
        next_skip=seen if links and seen < total else None,
    )


def _out(library: Library, title: str, wanted: LinkArguments) -> tuple[list[DocumentLink], int]:
    document = library.store.document(title)
    known = library.store.known({link.target for link in document.links})
    by_end = {known.get(link.target, link.target): link for link in reversed(document.links)}
    first_links = sorted(by_end.values(), key=lambda link: link.start)
    links = [
        DocumentLink(
            document=(end := known.get(link.target)),
            uri=None if end is None else address_of(end),
            target=link.target,
            source=cited_link(document, link, local=library.local),
        )
        for link in first_links[wanted.skip : wanted.skip + wanted.limit]
    ]
    return links, len(first_links)


def _into(
    library: Library, title: str, wanted: LinkArguments, told: Told
) -> tuple[list[DocumentLink], int]:
    titles = library.store.graph().in_links(title)
    links = []
    for other in titles[wanted.skip : wanted.skip + wanted.limit]:
        told("")
        document = library.store.document(other)
        link = link_between(library.store, document, title)
        source = None if link is None else cited_link(document, link, local=library.local)
        target = title if link is None else link.target
        links.append(
            DocumentLink(document=other, uri=address_of(other), target=target, source=source)
        )
    return links, len(titles)


def _links_text(result: LinksOfDocument) -> str:
    which = "links to" if result.direction is LinkDirection.OUT else "is linked from"
    lines = [f"{result.document} {which} {result.total}:"]
    for number, link in enumerate(result.links, 1):
        lines.append(f"{number}. {link.document or f'{link.target} (no such document)'}")
        if link.source is not None:
            lines.append(f"    {link.source.cited(number)}")
    if result.next_skip is not None:
        lines.append(f"More with skip={result.next_skip}.")
    return "\n".join(lines)


FOLLOW_LINKS = AgentTool(
    name="follow_links",
    title="Follow the links of a document",
    description=(
        "The documents that a document links to (direction `out`) or that link to it (`in`), each "
        "with the sentence in which the link stands. Use it to find what a text takes for granted, "
        "or who refers to it. A link whose document is null leads to none that can be read here."
    ),
    arguments=LinkArguments,
    result=LinksOfDocument,
    run=_run_follow_links,
    text=_links_text,
)


BEGINNING = 120
MATCHES = 1_000
"""Titles that are looked through for what was typed."""


class ListArguments(ToolArguments):
    """Which documents."""

    title_contains: Annotated[str, Field(max_length=LONGEST_QUERY)] = ""
    """Only titles that hold these words, or else come near to them; without it, all."""
    limit: Annotated[int, Field(ge=1, le=100)] = 30
    """The most documents to return."""
    skip: Skip = 0


class ListedDocument(ToolResult):
    """A document, and how it begins."""

    title: str
    characters: int
    begins: CitedSource


class ListedDocuments(ToolResult):
    """Documents, in the order in which they were read."""

    documents: list[ListedDocument]
    documents_in_all: int
    """How many the corpus has."""
    unread_files: int
    """Files of the corpus that could not be read."""
    next_skip: int | None
    """Give it as skip to get more; null where there are no more."""


def _run_list_documents(library: Library, wanted: ListArguments, told: Told) -> ListedDocuments:
    store = library.store
    end = wanted.skip + wanted.limit
    if wanted.title_contains.strip():
        titles = search_titles(store, wanted.title_contains, min(end + 1, MATCHES))[wanted.skip :]
    else:
        titles = list(islice(store.titles(), wanted.skip, end + 1))
    listed = []
    for title in titles[: wanted.limit]:
        told("")
        document = store.document(title)
        beginning = Span(0, min(BEGINNING, len(document.text)))
        listed.append(
            ListedDocument(
                title=title,
                characters=len(document.text),
                begins=CitedSource.at(document, beginning, local=library.local),
            )
        )
    return ListedDocuments(
        documents=listed,
        documents_in_all=len(store),
        unread_files=store.skipped_count(),
        next_skip=end if len(titles) > wanted.limit else None,
    )


def _documents_text(result: ListedDocuments) -> str:
    unread = f", {result.unread_files} files could not be read" if result.unread_files else ""
    lines = [f"{result.documents_in_all} documents in all{unread}."]
    for one in result.documents:
        place = f", {one.begins.place}" if one.begins.place else ""
        begins = " ".join(one.begins.quote.split())
        lines.append(f"- {one.title} ({one.characters} characters{place}): {begins} …")
    if result.next_skip is not None:
        lines.append(f"More with skip={result.next_skip}.")
    return "\n".join(lines)


LIST_DOCUMENTS = AgentTool(
    name="list_documents",
    title="List the documents",
    description=(
        "The documents that can be read, with their length and how they begin; of all, or of those "
        "whose titles hold some words. Titles are what the other tools take as `document`."
    ),
    arguments=ListArguments,
    result=ListedDocuments,
    run=_run_list_documents,
    text=_documents_text,
)


MOST_HEADINGS = 60
MOST_LINKS = 30


class ReadArguments(ToolArguments):
    """Which document, and which part of it."""

    document: DocumentName
    start: Annotated[int, Field(ge=0, le=1_000_000_000)] = 0
    """The offset to read from: 0, next_start of the page before, or where a heading begins."""
    max_chars: Annotated[int, Field(ge=200, le=20_000)] = 4_000
    """The most characters to return."""


class DocumentHeading(ToolResult):
    """A part of a document under a heading."""

    path: list[str]
    """The heading, after those above it."""
    start: int
    end: int


class DocumentPage(ToolResult):
    """A part of a document's text."""

    source: CitedSource
    """The text is ``source.quote``; all offsets count from the beginning of the document."""
    characters: int
    """How long the whole document is."""
    next_start: int | None
    """Give it as start to read on; null at the end."""
    outline: list[DocumentHeading]
    """The headings of the whole document; only with the first page."""
    links: list[str]
    """Titles of documents that this part links to."""


def _run_read_document(library: Library, wanted: ReadArguments, _: Told) -> DocumentPage:
    document = library.document(wanted.document)
    span = page_span(document, wanted.start, wanted.max_chars)
    targets = [one.target for one in document.links if span.start <= one.start < span.end]
    known = library.store.known(targets)
    titles = dict.fromkeys(known[target] for target in targets if target in known)
    return DocumentPage(
        source=CitedSource.at(document, span, local=library.local),
        characters=len(document.text),
        next_start=span.end if span.end < len(document.text) else None,
        outline=_outline(document) if span.start == 0 else [],
        links=list(titles)[:MOST_LINKS],
    )


def _outline(document: Document) -> list[DocumentHeading]:
    """The headings, of a document with very many the upper levels only."""
    levels = sorted({len(section.path) for section in document.sections})
    for deepest in reversed(levels):
        kept = [one for one in document.sections if len(one.path) <= deepest]
        if len(kept) <= MOST_HEADINGS or deepest == levels[0]:
            return [
                DocumentHeading(path=list(one.path), start=one.start, end=one.end)
                for one in kept[:MOST_HEADINGS]
            ]
    return []


def _document_text(result: DocumentPage) -> str:
    lines = [result.source.line(), "", result.source.quote.strip("\n"), ""]
    if result.next_start is not None:
        lines.append(
            f"It goes on ({result.characters} characters in all): start={result.next_start}."
        )
    if result.outline and result.next_start is not None:
        named = (f"{' › '.join(one.path)} ({one.start})" for one in result.outline)
        lines.append(f"Headings, and where they begin: {'; '.join(named)}")
    if result.links:
        lines.append(f"Links to: {'; '.join(result.links)}")
    return "\n".join(lines)


READ_DOCUMENT = AgentTool(
    name="read_document",
    title="Read a document",
    description=(
        "The text of a document, a page of at most max_chars characters at a time, cut between "
        "paragraphs or sentences. The first page of a long one comes with its headings and where "
        "they begin, so that you can read on where it matters instead of reading it all."
    ),
    arguments=ReadArguments,
    result=DocumentPage,
    run=_run_read_document,
    text=_document_text,
)


DEEPEST = 200
"""Hits that can be paged through; who looks further should search for other words."""
LONGEST_PASSAGE = 1_000


class SearchArguments(ToolArguments):
    """What to look for."""

    query: Annotated[str, Field(min_length=1, max_length=LONGEST_QUERY)]
    """Words to look for; "words in quotes" must stand together."""
    document: DocumentName | None = None
    """Search in this document only: its title or lacuna:// address."""
    limit: Annotated[int, Field(ge=1, le=20)] = 5
    """The most passages to return."""
    skip: Annotated[int, Field(ge=0, le=DEEPEST)] = 0
    """How many to leave out from the start: next_skip of the page before."""
    max_chars: Annotated[int, Field(ge=200, le=20_000)] = 4_000
    """The most characters of quoted text in all."""


class MatchingPassage(CitedSource):
    """A passage, and how well it fits."""

    score: float
    """The higher the better; comparable within one search only."""


class MatchingPassages(ToolResult):
    """The passages that fit best, the best first."""

    query: str
    passages: list[MatchingPassage]
    next_skip: int | None
    """Give it as skip to get more; null where there are no more."""


def _run_search(library: Library, wanted: SearchArguments, told: Told) -> MatchingPassages:
    words, phrases = split_phrases(wanted.query)
    within = [library.title(wanted.document)] if wanted.document else []
    most = wanted.skip + wanted.limit
    hits = library.retriever.search(words, most + 1, phrases=phrases, documents=within)
    if not words.strip() and not phrases:
        raise LacunaError("The query has no words. Give the words to look for.")
    found: list[MatchingPassage] = []
    left = wanted.max_chars
    for hit in hits[wanted.skip : most]:
        told("")
        end = min(hit.end, hit.start + LONGEST_PASSAGE)
        if found and end - hit.start > left:
            break
        end = min(end, hit.start + left)
        document = library.store.document(hit.title)
        source = CitedSource.at(document, Span(hit.start, end), local=library.local)
        found.append(MatchingPassage(**source.model_dump(), score=round(hit.score, 3)))
        left -= end - hit.start
    seen = wanted.skip + len(found)
    more = found and len(hits) > seen and seen <= DEEPEST
    return MatchingPassages(query=wanted.query, passages=found, next_skip=seen if more else None)


def _search_text(result: MatchingPassages) -> str:
    if not result.passages:
        return f"Nothing matches {result.query!r}. Try other words, or list_documents."
    lines = [one.cited(number) for number, one in enumerate(result.passages, 1)]
    if result.next_skip is not None:
        lines.append(f"More with skip={result.next_skip}.")
    return "\n".join(lines)


SEARCH = AgentTool(
    name="search",
    title="Search the documents",
    description=(
        "Find passages by their words (BM25 full-text search), the best first, each quoted with "
        "its document, file and character offsets. Use it to see what the documents say on a "
        "subject, or to find the document to read; use `ask` for a question that has an answer. "
        "It matches words, not meaning: try synonyms where it finds nothing."
    ),
    arguments=SearchArguments,
    result=MatchingPassages,
    run=_run_search,
    text=_search_text,
)


TOOLS: tuple[AgentTool[Any, Any], ...] = (
    SEARCH,
    ASK,
    READ_DOCUMENT,
    FOLLOW_LINKS,
    FIND_PATH,
    LIST_DOCUMENTS,
)
"""In the order in which an agent sees them."""
