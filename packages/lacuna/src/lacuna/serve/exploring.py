"""What the interface shows of a corpus beside answers: documents, passages, links, pictures."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterable, Iterator, Sequence
from itertools import islice, pairwise

from lacuna.corpus.graph import Graph
from lacuna.pipeline.stages import sentence_around
from lacuna.places import Place
from lacuna.retrieve.bm25 import Bm25Retriever, split_phrases
from lacuna.retrieve.registry import Hit
from lacuna.serve.corpora import OpenCorpus, place_for_others
from lacuna.serve.document_schemas import (
    Backlink,
    BlockKind,
    BlockSchema,
    CellSchema,
    DocumentLinks,
    DocumentSchema,
    LinkPath,
    LinkSchema,
    LinksQuery,
    Neighbour,
    Neighbourhood,
    NeighbourhoodQuery,
    NeighbourLink,
    PassageHit,
    PassageHits,
    PathLink,
    PathQuery,
    PictureSchema,
    PreviewSchema,
    RowSchema,
    SearchQuery,
    StyleKind,
    StyleSchema,
)
from lacuna.serve.uploads import content, raster_of, shown_picture, shown_pictures
from lacuna.types import Document, Link, Markup, MarkupKind, Span
from lacuna.web.refusals import Refusal, no_document

HOLDS_PICTURES = (BlockKind.PARAGRAPH, BlockKind.ITEM)


def with_pictures(
    blocks: Sequence[BlockSchema], pictures: Iterable[PictureSchema]
) -> list[BlockSchema]:
    """The blocks with the pictures that stand in them, each of the others in a block of its own.

    Headings, code and tables show none: theirs come behind them.
    """
    placed: list[BlockSchema] = []
    waiting = sorted(pictures, key=lambda picture: picture.start)
    for block in blocks:
        while waiting and waiting[0].start < block.start:
            placed.append(_alone(waiting.pop(0), placed))
        placed.append(block)
        while waiting and waiting[0].start <= block.end:
            if block.kind in HOLDS_PICTURES:
                block.pictures.append(waiting.pop(0))
            else:
                placed.append(_alone(waiting.pop(0), placed))
    placed += (_alone(picture, placed) for picture in waiting)
    return placed


def _alone(picture: PictureSchema, before: Sequence[BlockSchema]) -> BlockSchema:
    """A paragraph without text; behind what belongs to an item, it belongs to it too."""
    at = before[-1].end if before else 0
    continues = bool(before and before[-1].continues)
    quoted = bool(before and before[-1].quoted)
    return BlockSchema(
        BlockKind.PARAGRAPH, at, at, continues=continues, quoted=quoted, pictures=[picture]
    )


STYLES = {
    MarkupKind.STRONG: StyleKind.STRONG,
    MarkupKind.EMPHASIS: StyleKind.EMPHASIS,
    MarkupKind.INLINE_CODE: StyleKind.CODE,
}
BLOCKS = {MarkupKind.ITEM: BlockKind.ITEM, MarkupKind.CODE: BlockKind.CODE}


def blocks_of(document: Document, pictures: Iterable[PictureSchema] = ()) -> list[BlockSchema]:
    """All of the text in blocks, with the pictures where they stand."""
    return with_pictures(_text_blocks(document), pictures)


def _text_blocks(document: Document) -> list[BlockSchema]:
    """The rows of a table, each a paragraph of the text, are one block."""
    headings = {mark.start: mark for mark in _headings(document)}
    structure = _by_start(document.markup)
    blocks: list[BlockSchema] = []
    for span in _all_text(document, headings.values()):
        marks = structure.get(span.start, [])
        block = _block(span, headings.get(span.start), marks)
        if any(mark.kind is MarkupKind.ROW for mark in marks):
            row = RowSchema(*span, _cells(document.markup, span))
            before = blocks[-1] if blocks else None
            if before and before.rows and document.text[before.end : span.start] == "\n":
                before.rows.append(row)
                before.end = span.end
                continue
            block.kind, block.rows = BlockKind.TABLE, [row]
        blocks.append(block)
    return blocks


def styles_of(document: Document) -> list[StyleSchema]:
    """The words that stand out."""
    return [
        StyleSchema(STYLES[mark.kind], mark.start, mark.end)
        for mark in document.markup
        if mark.kind in STYLES
    ]


def _block(span: Span, heading: Markup | None, marks: Sequence[Markup]) -> BlockSchema:
    block = BlockSchema(
        BlockKind.HEADING if heading else BlockKind.PARAGRAPH,
        *span,
        level=heading.level if heading else 0,
        quoted=any(mark.kind is MarkupKind.QUOTE for mark in marks),
    )
    for mark in marks:
        if mark.kind in BLOCKS and not heading:
            block.level = max(block.level, mark.level)
            block.number = mark.number if mark.number > 0 else block.number
            block.continues = block.continues or mark.number < 0
            if block.kind is not BlockKind.CODE:
                block.kind = BLOCKS[mark.kind]
    return block


def _headings(document: Document) -> Iterator[Markup]:
    """The headings; of a document whose markup was not kept, those that its sections begin with."""
    if document.markup:
        yield from (mark for mark in document.markup if mark.kind is MarkupKind.HEADING)
        return
    for section in document.sections:
        end = document.text.find("\n", section.start)
        end = len(document.text) if end < 0 else end
        line = document.text[section.start : end]
        if len(section.path) > 1 and " ".join(line.split()) == section.path[-1]:
            yield Markup(MarkupKind.HEADING, section.start, end, len(section.path) - 1)


def _all_text(document: Document, headings: Iterable[Markup]) -> Iterator[Span]:
    """The headings and paragraphs in order, with what lies between them, blank space left out.

    The number before an item of a list is left out as well: the item has it.
    """
    numbers = {mark.start: mark.number for mark in document.markup if mark.kind is MarkupKind.ITEM}
    known = sorted({*(Span(one.start, one.end) for one in headings), *document.paragraphs})
    at = 0
    for span in known:
        if span.start < at or span.start == span.end:  # it lies in another one, or says nothing
            continue
        number = f"{numbers.get(span.start, 0)}. "
        is_numbered = document.text.endswith(number, at, span.start)
        yield from _unless_blank(document.text, at, span.start - len(number) * is_numbered)
        yield span
        at = span.end
    yield from _unless_blank(document.text, at, len(document.text))


def _unless_blank(text: str, start: int, end: int) -> Iterator[Span]:
    part = text[start:end]
    if stripped := part.strip():
        first = start + len(part) - len(part.lstrip())
        yield Span(first, first + len(stripped))


def _by_start(markup: Sequence[Markup]) -> dict[int, list[Markup]]:
    found: dict[int, list[Markup]] = {}
    for mark in markup:
        found.setdefault(mark.start, []).append(mark)
    return found


def _cells(markup: Sequence[Markup], row: Span) -> list[CellSchema]:
    cells: list[CellSchema] = []
    label: Span | None = None
    for mark in markup[bisect_left(markup, row.start, key=lambda mark: mark.start) :]:
        if mark.start >= row.end:
            break
        if mark.kind is MarkupKind.LABEL:
            label = Span(mark.start, mark.end)
        elif mark.kind is MarkupKind.CELL:
            cells.append(CellSchema(mark.start, mark.end, label))
            label = None
    return cells


LONGEST_PREVIEW = 400
"""Characters."""


def found_document(corpus: OpenCorpus, title: str) -> Document:
    """The document that a title leads to; refused where there is none."""
    store = corpus.answerer.store
    if title not in store:
        raise no_document(corpus.name, title)
    return store.document(title)


def document_schema(corpus: OpenCorpus, title: str) -> DocumentSchema:
    """A document with all of its parts."""
    document = found_document(corpus, title)
    return DocumentSchema(
        corpus=corpus.id,
        title=document.title,
        text=document.text,
        blocks=blocks_of(document, _pictures(corpus, document)),
        styles=styles_of(document),
        paragraphs=document.paragraphs,
        sentences=document.sentences,
        sections=document.sections,
        links=links_of(corpus, document),
        place=shown_place(corpus, document.origin.at(0) if document.origin else None),
    )


def _pictures(corpus: OpenCorpus, document: Document) -> list[PictureSchema]:
    return [
        PictureSchema(
            *(found.number, found.picture.start, found.picture.end),
            *(found.path.name, found.raster.width, found.raster.height),
        )
        for found in shown_pictures(document, corpus.picture_folders)
    ]


def picture_of(corpus: OpenCorpus, title: str, number: int) -> tuple[bytes, str]:
    """A picture of a document, and what it is; refused where there is none that can be shown."""
    found = shown_picture(found_document(corpus, title), number, corpus.picture_folders)
    if found and (data := content(found.path)) and (raster := raster_of(data)):
        return data, raster.media_type
    raise Refusal(404, "no-picture", f"“{title}” shows no picture of number {number}.")


def links_of(corpus: OpenCorpus, document: Document) -> list[LinkSchema]:
    """The links of a document, with where each leads."""
    titles = corpus.answerer.store.known({link.target for link in document.links})
    return [
        LinkSchema(link.start, link.end, link.target, titles.get(link.target))
        for link in document.links
    ]


def preview(corpus: OpenCorpus, title: str) -> PreviewSchema:
    """How a document begins."""
    document = found_document(corpus, title)
    start, end = document.paragraphs[0] if document.paragraphs else (0, len(document.text))
    first = document.text[start:end]
    shown = first
    if len(first) > LONGEST_PREVIEW:
        shown = first[:LONGEST_PREVIEW].rsplit(None, 1)[0]
    return PreviewSchema(
        title=document.title,
        text=shown,
        whole=shown == first,
        documents_back=corpus.answerer.store.graph().in_link_count(document.title),
    )


def shown_place(corpus: OpenCorpus, place: Place | None) -> Place | None:
    """A place as whoever asks may see it."""
    return place if corpus.local else place_for_others(place)


def find_passages(corpus: OpenCorpus, query: SearchQuery) -> PassageHits:
    """The passages that fit best, each with the part of it to show."""
    words, phrases = split_phrases(query.q)
    documents = [] if query.title is None else [found_document(corpus, query.title).title]
    hits = Bm25Retriever(corpus.answerer.store).search(
        words,
        query.limit,
        all_words=query.all_words,
        phrases=phrases,
        documents=documents,
        snippets=True,
    )
    return PassageHits([_found(corpus, hit) for hit in hits])


def _found(corpus: OpenCorpus, hit: Hit) -> PassageHit:
    assert hit.snippet is not None
    origin = corpus.answerer.store.document(hit.title).origin
    place = shown_place(corpus, origin.at(hit.snippet.start) if origin else None)
    return PassageHit(
        hit.title, hit.section, hit.score, hit.start, hit.end, snippet=hit.snippet, place=place
    )


NODES_SEEN = 5_000
"""Neighbours that are looked at; of a page that all others link to, the first must do."""


def document_links(corpus: OpenCorpus, query: LinksQuery) -> DocumentLinks:
    """The links of a document, in both directions."""
    document = found_document(corpus, query.title)
    graph = corpus.answerer.store.graph()
    back = graph.links.into(graph.node(document.title))
    sources = (graph.title(int(node)) for node in back[: query.limit])
    links = (_backlink(corpus, source, document.title) for source in sources)
    return DocumentLinks(
        title=document.title,
        out=links_of(corpus, document),
        back=[link for link in links if link is not None],
        back_total=len(back),
    )


def link_path(corpus: OpenCorpus, query: PathQuery) -> LinkPath:
    """A shortest way along links."""
    start, goal = (found_document(corpus, title).title for title in (query.start, query.goal))
    titles = corpus.answerer.store.graph().path(start, goal) or []
    links = (_path_link(corpus, source, target) for source, target in pairwise(titles))
    return LinkPath(titles, [link for link in links if link is not None])


def neighbourhood(corpus: OpenCorpus, query: NeighbourhoodQuery) -> Neighbourhood:
    """A document, what it links to and what links to it, and the links between all of them."""
    store = corpus.answerer.store
    graph = store.graph()
    middle = graph.node(found_document(corpus, query.title).title)
    hops = {middle: 0}
    edge = [middle]
    for hop in range(1, query.hops + 1):
        reached = dict.fromkeys(node for near in edge for node in _near(graph, near))
        edge = [node for node in islice(reached, NODES_SEEN) if node not in hops]
        hops |= dict.fromkeys(edge, hop)
    known = store.known(query.also)
    also = [graph.node(known[title]) for title in query.also if title in known]
    back = {node: len(graph.links.into(node)) for node in (*hops, *also)}
    nearest = sorted(hops, key=lambda node: (hops[node], -back[node], node))[: query.limit + 1]
    chosen = list(dict.fromkeys((*nearest, *also)))
    titles = {node: graph.title(node) for node in chosen}
    return Neighbourhood(
        documents=[Neighbour(titles[node], hops.get(node), back[node]) for node in chosen],
        links=[
            NeighbourLink(titles[node], titles[int(other)])
            for node in chosen
            for other in graph.links.out(node)
            if int(other) in titles and int(other) != node
        ],
        left_out=len(hops.keys() - chosen),
    )


def _near(graph: Graph, node: int) -> Iterator[int]:
    yield from map(int, graph.links.out(node))
    yield from map(int, graph.links.into(node))


def _link_to(corpus: OpenCorpus, source: Document, target: str) -> Link | None:
    """The first link of a document that leads to another."""
    leads = corpus.answerer.store.known({link.target for link in source.links})
    return next((link for link in source.links if leads.get(link.target) == target), None)


def _backlink(corpus: OpenCorpus, source: str, target: str) -> Backlink | None:
    document = found_document(corpus, source)
    if (link := _link_to(corpus, document, target)) is None:  # it was changed just now
        return None
    around = sentence_around(document, link.start, link.end)
    text = document.text[around.start : around.end]
    return Backlink(document.title, link.start, link.end, around, text)


def _path_link(corpus: OpenCorpus, source: str, target: str) -> PathLink | None:
    document = found_document(corpus, source)
    if (link := _link_to(corpus, document, target)) is None:
        return None
    text = document.text[link.start : link.end]
    return PathLink(source, target, link.start, link.end, text)
