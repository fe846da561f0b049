"""Links of a corpus: out of a document, back to it, on the way to another, and around it."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice, pairwise

from lacuna.corpus.graph import Graph
from lacuna.pipeline.quotes import sentence_around
from lacuna.server.exploring.documents import found_document, links_of
from lacuna.server.open_corpora import OpenCorpus
from lacuna.server.schemas.exploring import (
    Backlink,
    DocumentLinks,
    LinkPath,
    LinksQuery,
    Neighbour,
    Neighbourhood,
    NeighbourhoodQuery,
    NeighbourLink,
    PathLink,
    PathQuery,
)
from lacuna.types import Document, Link

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
    return LinkPath(titles=titles, links=[link for link in links if link is not None])


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
        documents=[
            Neighbour(title=titles[node], hops=hops.get(node), documents_back=back[node])
            for node in chosen
        ],
        links=[
            NeighbourLink(source=titles[node], target=titles[int(other)])
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
    return Backlink(
        title=document.title,
        start=link.start,
        end=link.end,
        sentence=around,
        text=document.text[around.start : around.end],
    )


def _path_link(corpus: OpenCorpus, source: str, target: str) -> PathLink | None:
    document = found_document(corpus, source)
    if (link := _link_to(corpus, document, target)) is None:
        return None
    return PathLink(
        source=source,
        target=target,
        start=link.start,
        end=link.end,
        text=document.text[link.start : link.end],
    )
