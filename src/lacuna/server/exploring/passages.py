"""Search in the texts of a corpus."""

from __future__ import annotations

from lacuna.retrieve.bm25 import Bm25Retriever, split_phrases
from lacuna.retrieve.protocol import Hit
from lacuna.server.exploring.documents import found_document, place_schema
from lacuna.server.open_corpora import OpenCorpus
from lacuna.server.schemas.exploring import (
    PassageHit,
    PassageHits,
    SearchQuery,
    SnippetSchema,
)


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
    return PassageHits(hits=[_found(corpus, hit) for hit in hits])


def _found(corpus: OpenCorpus, hit: Hit) -> PassageHit:
    assert hit.snippet is not None
    origin = corpus.answerer.store.document(hit.title).origin
    return PassageHit(
        title=hit.title,
        section=list(hit.section),
        score=hit.score,
        start=hit.start,
        end=hit.end,
        snippet=SnippetSchema(
            text=hit.snippet.text,
            start=hit.snippet.start,
            end=hit.snippet.end,
            marks=list(hit.snippet.marks),
        ),
        place=place_schema(corpus, origin.at(hit.snippet.start) if origin else None),
    )
