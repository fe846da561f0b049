"""The tools that an agent is given: what each takes, does and says."""

from __future__ import annotations

from collections.abc import Sequence
from enum import StrEnum
from itertools import islice, zip_longest
from typing import Annotated, Any

from pydantic import Field

from lacuna.corpus.titles import search_titles
from lacuna.errors import LacunaError
from lacuna.json_form import plain
from lacuna.mcp.documents import (
    LONGEST_QUERY,
    LONGEST_TITLE,
    CitedSource,
    Library,
    Told,
    ToolReply,
    address_of,
    agent_tool,
    cited_link,
    link_between,
    page_span,
)
from lacuna.pipeline.query import LONGEST_QUESTION, Query
from lacuna.pipeline.result import Degree, Quote, Result
from lacuna.pipeline.stages import nearest_quote
from lacuna.retrieve.bm25 import split_phrases
from lacuna.types import Answer, Document, Gap, Span
from lacuna.web.limits import clean_line

Title = Annotated[
    str,
    Field(min_length=1, max_length=LONGEST_TITLE, description="Its title or lacuna:// address."),
]
Skip = Annotated[
    int, Field(ge=0, le=1_000_000, description="How many to leave out: next_skip of the last call.")
]
PERHAPS, LIKELY = 3, 0.1
"""Answers that come with none, and how likely each must be."""


@agent_tool("Ask the documents a question", answers=True)
def ask(
    library: Library,
    told: Told,
    question: Annotated[
        str,
        Field(
            min_length=1,
            max_length=LONGEST_QUESTION,
            description="One question that can be understood without what was said before.",
        ),
    ],
    document: Annotated[
        Title | None, Field(description="What to read first; without it a search finds that.")
    ] = None,
    alternatives: Annotated[
        int, Field(ge=0, le=5, description="How many other likely answers to give.")
    ] = 0,
) -> ToolReply:
    """Answer one question from the documents: it searches, follows links between documents,
    reads, and gives a typed answer (text, number, yes/no, list) with how sure it is and the
    sentences that it rests on, or says plainly what is missing and where it looked. It quotes and
    calculates, it does not write prose: ask for one fact at a time (who, when, how many, which, is
    it true that …), also for one that takes two documents together. Takes a second or more, and
    tells its progress. Check an answer of degree `probable` against its sources; `none` brings the
    likeliest answers that were not sure enough: rephrase, or `search` and `read_document`."""
    asked = clean_line(question, LONGEST_QUESTION)
    title = library.title(document) if document else None
    result = library.answerer.ask(
        Query(asked, title=title), on_step=lambda step: told(step.message)
    )

    def cited(quotes: Sequence[Quote]) -> list[CitedSource]:
        return [CitedSource.of(one, local=library.local) for one in quotes]

    is_none = result.degree is Degree.NONE
    nearest = nearest_quote(library.store, result)
    likely = [one for one in result.alternatives if is_none and one.confidence >= LIKELY]
    others = result.alternatives[: max(alternatives, len(likely[:PERHAPS]))]
    considered = [(one, cited(one.quotes)) for one in others]
    sources, near = cited(result.quotes), cited([nearest] if nearest else [])
    values = {
        "question": asked,
        "read_as": result.read_as or None,
        "degree": result.degree,
        "confidence": result.confidence,
        "measured": result.measured,
        "advice": result.advice or None,
        "answer": None if is_none else _typed(result.answer),
        "sources": plain(sources),
        "missing": [_missing(gap) for gap in result.gaps],
        "nearest": plain(near[0]) if near else None,
        "alternatives": [
            {"answer": _typed(one.answer), "confidence": one.confidence, "sources": plain(found)}
            for one, found in considered
        ],
    }
    lines = _answered(result)
    lines += [one.cited(number) for number, one in enumerate(sources, 1)]
    for one, found in considered if is_none else ():
        lines.append(f"Perhaps: {one.answer.text} ({one.confidence:.0%})")
        lines += [f"    {source.line()}" for source in found]
    for gap in result.gaps:
        lines.append(f"Missing: {gap.missing}")
        lines += [f"Looked in: {', '.join(gap.looked_in)}"] if gap.looked_in else []
        lines += [f"Links that lead nowhere: {', '.join(gap.dangling)}"] if gap.dangling else []
    lines += [f"Nearest: “{' '.join(one.quote.split())}”\n    {one.line()}" for one in near]
    for one, found in () if is_none else considered:
        lines.append(f"Also considered: {one.answer.text} ({one.confidence:.0%})")
        lines += [f"    {source.line()}" for source in found]
    return ToolReply("\n".join(lines), values)


def _typed(answer: Answer) -> dict[str, Any]:
    """What is said; the sources say where."""
    return dict(plain(answer, ("found_at", "label")))


def _missing(gap: Gap) -> dict[str, Any]:
    said = plain(gap, ("nearest", "nearest_place", "unread", "relation", "filled"))
    return {**said, "unread_files": gap.unread}


def _answered(result: Result) -> list[str]:
    said = "sure" if result.measured else "by the model's own account, not measured"
    sure = "" if result.confidence is None else f" ({result.confidence:.0%} {said})"
    lines = {
        Degree.NONE: [result.advice or "No answer was found in the documents."],
        Degree.PROBABLE: [f"Probably{sure}, so check it: {result.answer.text}"],
        Degree.ANSWER: [f"Answer{sure}: {result.answer.text}"],
    }[result.degree]
    lines += [f"Read as: {result.read_as}"] if result.read_as else []
    lines += [f"Calculated: {result.answer.expression}"] if result.answer.expression else []
    return lines


@agent_tool("Find how two documents are linked")
def find_path(library: Library, told: Told, from_document: Title, to_document: Title) -> ToolReply:
    """A shortest way from one document to another along links, with the sentence in which each
    link stands. Use it to learn how two subjects hang together. Where no links lead there, the way
    back is looked for."""
    start, goal = library.title(from_document), library.title(to_document)
    graph = library.store.graph()
    titles = graph.path(start, goal)
    backwards = titles is None
    if titles is None:
        told("No links lead there; looking for the way back.")
        titles = graph.path(goal, start) or []
    stops, links = [], []
    for title, following in zip_longest(titles, titles[1:]):
        document = library.store.document(title)
        link = link_between(library.store, document, following) if following else None
        source = None if link is None else cited_link(document, link, local=library.local)
        links += [source] if source else []
        stops.append({"document": title, "uri": address_of(title), "link": plain(source)})
    values = {"found": bool(stops), "stops": stops, "backwards": backwards and bool(stops)}
    if not stops:
        return ToolReply("No links lead from one to the other, in either direction.", values)
    lines = ["There are links in the other direction only:"] if backwards else []
    lines.append(" → ".join(titles))
    lines += [link.cited(number) for number, link in enumerate(links, 1)]
    return ToolReply("\n".join(lines), values)


class LinkDirection(StrEnum):
    """Which links are meant."""

    OUT = "out"
    INTO = "in"


@agent_tool("Follow the links of a document")
def follow_links(
    library: Library,
    told: Told,
    document: Title,
    direction: Annotated[
        LinkDirection,
        Field(description="out: what it links to; in: the documents that link to it."),
    ] = LinkDirection.OUT,
    limit: Annotated[int, Field(ge=1, le=50, description="The most links to return.")] = 15,
    skip: Skip = 0,
) -> ToolReply:
    """The documents that a document links to (direction `out`) or that link to it (`in`), each
    with the sentence in which the link stands. Use it to find what a text takes for granted, or
    who refers to it. A link whose document is null leads to none that can be read here."""
    title, end = library.title(document), skip + limit
    if direction is LinkDirection.OUT:
        links, total = _links_out(library, title, skip, end)
    else:
        links, total = _links_into(library, title, skip, end, told)
    seen = skip + len(links)
    values = {
        "document": title,
        "direction": direction,
        "links": [
            {
                "document": other,
                "uri": None if other is None else address_of(other),
                "target": target,
                "source": plain(source),
            }
            for other, target, source in links
        ],
        "total": total,
        "next_skip": seen if links and seen < total else None,
    }
    which = "links to" if direction is LinkDirection.OUT else "is linked from"
    lines = [f"{title} {which} {total}:"]
    for number, (other, target, source) in enumerate(links, 1):
        lines.append(f"{number}. {other or f'{target} (no such document)'}")
        lines += [f"    {source.cited(number)}"] if source is not None else []
    return ToolReply("\n".join([*lines, *_more(values)]), values)


_Links = list[tuple[str | None, str, CitedSource | None]]
"""Of each link the document at its other end, the target as it is written, and its sentence; a
redirect stands in none."""


def _links_out(library: Library, title: str, skip: int, end: int) -> tuple[_Links, int]:
    document = library.store.document(title)
    known = library.store.known({link.target for link in document.links})
    by_end = {known.get(link.target, link.target): link for link in reversed(document.links)}
    first_links = sorted(by_end.values(), key=lambda link: link.start)
    return [
        (known.get(link.target), link.target, cited_link(document, link, local=library.local))
        for link in first_links[skip:end]
    ], len(first_links)


def _links_into(
    library: Library, title: str, skip: int, end: int, told: Told
) -> tuple[_Links, int]:
    titles = library.store.graph().in_links(title)
    links: _Links = []
    for other in titles[skip:end]:
        told("")
        document = library.store.document(other)
        link = link_between(library.store, document, title)
        source = None if link is None else cited_link(document, link, local=library.local)
        links.append((other, title if link is None else link.target, source))
    return links, len(titles)


def _more(values: dict[str, Any]) -> list[str]:
    return [] if values["next_skip"] is None else [f"More with skip={values['next_skip']}."]


BEGINNING = 120
MATCHES = 1_000
"""Titles that are looked through for what was typed."""


@agent_tool("List the documents")
def list_documents(
    library: Library,
    told: Told,
    title_contains: Annotated[
        str,
        Field(
            max_length=LONGEST_QUERY,
            description="Only titles that hold these words, or else come near to them.",
        ),
    ] = "",
    limit: Annotated[int, Field(ge=1, le=100, description="The most documents to return.")] = 30,
    skip: Skip = 0,
) -> ToolReply:
    """The documents that can be read, with their length and how they begin; of all, or of those
    whose titles hold some words. Titles are what the other tools take as `document`."""
    store, end = library.store, skip + limit
    if title_contains.strip():
        titles = search_titles(store, title_contains, min(end + 1, MATCHES))[skip:]
    else:
        titles = list(islice(store.titles(), skip, end + 1))
    unread = store.skipped_count()
    could_not = f", {unread} files could not be read" if unread else ""
    lines, listed = [f"{len(store)} documents in all{could_not}."], []
    for title in titles[:limit]:
        told("")
        document = store.document(title)
        size = len(document.text)
        begins = CitedSource.at(document, Span(0, min(BEGINNING, size)), local=library.local)
        listed.append({"title": title, "characters": size, "begins": plain(begins)})
        place = f", {begins.place}" if begins.place else ""
        lines.append(f"- {title} ({size} characters{place}): {' '.join(begins.quote.split())} …")
    values = {
        "documents": listed,
        "documents_in_all": len(store),
        "unread_files": unread,
        "next_skip": end if len(titles) > limit else None,
    }
    return ToolReply("\n".join([*lines, *_more(values)]), values)


MOST_HEADINGS = 60
MOST_LINKS = 30
Characters = Annotated[
    int, Field(ge=200, le=20_000, description="The most characters of text to return.")
]


@agent_tool("Read a document")
def read_document(
    library: Library,
    _: Told,
    document: Title,
    start: Annotated[
        int,
        Field(
            ge=0,
            le=1_000_000_000,
            description="Where to begin: 0, next_start of the last page, or a heading's place.",
        ),
    ] = 0,
    max_chars: Characters = 4_000,
) -> ToolReply:
    """The text of a document, a page of at most max_chars characters at a time, cut between
    paragraphs or sentences. The first page of a long one comes with its headings and where they
    begin, so that you can read on where it matters instead of reading it all."""
    found = library.document(document)
    span = page_span(found, start, max_chars)
    source = CitedSource.at(found, span, local=library.local)
    targets = [one.target for one in found.links if span.start <= one.start < span.end]
    known = library.store.known(targets)
    links = list(dict.fromkeys(known[target] for target in targets if target in known))
    size, goes_on = len(found.text), span.end < len(found.text)
    outline = _outline(found) if span.start == 0 else []
    values = {
        "source": plain(source),
        "characters": size,
        "next_start": span.end if goes_on else None,
        "outline": outline,
        "links": links[:MOST_LINKS],
    }
    lines = [source.line(), "", source.quote.strip("\n"), ""]
    if goes_on:
        lines.append(f"It goes on ({size} characters in all): start={span.end}.")
    if outline and goes_on:
        named = (f"{' › '.join(one['path'])} ({one['start']})" for one in outline)
        lines.append(f"Headings, and where they begin: {'; '.join(named)}")
    if links:
        lines.append(f"Links to: {'; '.join(links[:MOST_LINKS])}")
    return ToolReply("\n".join(lines), values)


def _outline(document: Document) -> list[dict[str, Any]]:
    """The headings, of a document with very many the upper levels only."""
    levels = sorted({len(section.path) for section in document.sections})
    for deepest in reversed(levels):
        kept = [one for one in document.sections if len(one.path) <= deepest]
        if len(kept) <= MOST_HEADINGS or deepest == levels[0]:
            shown: list[dict[str, Any]] = plain(kept[:MOST_HEADINGS])
            return shown
    return []


DEEPEST = 200
"""Hits that can be paged through; who looks further should search for other words."""
LONGEST_PASSAGE = 1_000


@agent_tool("Search the documents")
def search(
    library: Library,
    told: Told,
    query: Annotated[
        str,
        Field(
            min_length=1,
            max_length=LONGEST_QUERY,
            description='Words to look for; "words in quotes" must stand together.',
        ),
    ],
    document: Annotated[Title | None, Field(description="Search in this document only.")] = None,
    limit: Annotated[int, Field(ge=1, le=20, description="The most passages to return.")] = 5,
    skip: Annotated[Skip, Field(le=DEEPEST)] = 0,
    max_chars: Characters = 4_000,
) -> ToolReply:
    """Find passages by their words (BM25 full-text search), the best first, each quoted with its
    document, file and character offsets. Use it to see what the documents say on a subject, or to
    find the document to read; use `ask` for a question that has an answer. It matches words, not
    meaning: try synonyms where it finds nothing."""
    words, phrases = split_phrases(query)
    within = [library.title(document)] if document else []
    most = skip + limit
    hits = library.retriever.search(words, most + 1, phrases=phrases, documents=within)
    if not words.strip() and not phrases:
        raise LacunaError("The query has no words. Give the words to look for.")
    lines: list[str] = []
    passages: list[dict[str, Any]] = []
    left = max_chars
    for hit in hits[skip:most]:
        told("")
        end = min(hit.end, hit.start + LONGEST_PASSAGE)
        if passages and end - hit.start > left:
            break
        end = min(end, hit.start + left)
        found = library.store.document(hit.title)
        source = CitedSource.at(found, Span(hit.start, end), local=library.local)
        passages.append({**plain(source), "score": round(hit.score, 3)})
        lines.append(source.cited(len(passages)))
        left -= end - hit.start
    seen = skip + len(passages)
    more = passages and len(hits) > seen and seen <= DEEPEST
    values = {"query": query, "passages": passages, "next_skip": seen if more else None}
    if not passages:
        return ToolReply(f"Nothing matches {query!r}. Try other words, or list_documents.", values)
    return ToolReply("\n".join([*lines, *_more(values)]), values)


TOOLS = search, ask, read_document, follow_links, find_path, list_documents
"""In the order in which an agent sees them."""
