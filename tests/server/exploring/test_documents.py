"""What the interface finds among documents."""

from __future__ import annotations

from typing import Any

import pytest
from stand_in import Site

from lacuna.serve.document_schemas import (
    DocumentLinks,
    DocumentSchema,
    LinkPath,
    Neighbourhood,
    PassageHits,
    PreviewSchema,
)
from lacuna.serve.schemas import schema_of


def got(site: Site, what: str, status: int = 200, **asked: str | bool | int | list[str]) -> Any:
    corpus = site.client.get("/api/v1/server").json()["default"]
    answer = site.client.get(f"/api/v1/corpora/{corpus}/{what}", params=asked)
    assert answer.status_code == status, answer.text
    return answer.json()


def test_search_marks_the_words(site: Site) -> None:
    hits = got(site, "search", q="ferry built")["hits"]
    assert hits[0]["title"] == "Marrow"
    text = got(site, "document", title="Marrow")["text"]
    snippet = hits[0]["snippet"]
    assert snippet["text"] == text[snippet["start"] : snippet["end"]]
    assert [text[start:end] for start, end in snippet["marks"]] == ["ferry", "built"]
    assert hits[0]["place"]["file"] == "Marrow.md"


@pytest.mark.parametrize(
    ("what", "form", "asked"),
    [
        ("search", PassageHits, {"q": "ferry built"}),
        ("document", DocumentSchema, {"title": "Marrow"}),
        ("preview", PreviewSchema, {"title": "Marrow"}),
        ("links", DocumentLinks, {"title": "Ada Quill"}),
        ("path", LinkPath, {"start": "Marrow", "goal": "Ada Quill"}),
        ("graph", Neighbourhood, {"title": "Marrow", "hops": 2}),
    ],
)
def test_what_is_given_is_what_is_described(
    site: Site, what: str, form: type, asked: dict[str, Any]
) -> None:
    given = got(site, what, **asked)
    assert schema_of(form).model_validate(given).model_dump(mode="json") == given


def test_search_in_one_document_and_for_all_words(site: Site) -> None:
    assert got(site, "search", q="1931 1897", all_words=True)["hits"] == []
    hits = got(site, "search", q="ferry born", title="ada quill")["hits"]
    assert {hit["title"] for hit in hits} == {"Ada Quill"}
    assert got(site, "search", q='"a ferry"')["hits"][0]["title"] == "Marrow"
    assert got(site, "search", q="")["hits"] == []
    assert got(site, "search", 404, q="ferry", title="Nowhere")["code"] == "no-document"


def test_links_out_and_back(site: Site) -> None:
    links = got(site, "links", title="Ada Quill")
    assert [(link["target"], link["title"]) for link in links["out"]] == [("Port Ellery", None)]
    (back,) = links["back"]
    assert (back["title"], links["back_total"]) == ("Marrow", 1)
    text = got(site, "document", title="Marrow")["text"]
    assert text[back["start"] : back["end"]] == "Ada Quill"
    assert back["text"] == "It was built by Ada Quill in 1931."


def test_a_way_between_documents(site: Site) -> None:
    way = got(site, "path", start="Marrow", goal="Ada Quill")
    assert way["titles"] == ["Marrow", "Ada Quill"]
    assert [link["text"] for link in way["links"]] == ["Ada Quill"]
    assert got(site, "path", start="Ada Quill", goal="Marrow") == {"titles": [], "links": []}
    assert got(site, "path", start="Marrow", goal="Marrow")["titles"] == ["Marrow"]
    assert got(site, "path", 404, start="Marrow", goal="Nowhere")["code"] == "no-document"


def test_the_neighbourhood(site: Site) -> None:
    around = got(site, "graph", title="Ada Quill")
    assert [(one["title"], one["hops"]) for one in around["documents"]] == [
        ("Ada Quill", 0),
        ("Marrow", 1),
    ]
    assert around["links"] == [{"source": "Marrow", "target": "Ada Quill"}]
    assert around["left_out"] == 0


def test_a_neighbourhood_with_what_is_farther_away(site: Site) -> None:
    around = got(site, "graph", title="Evil", also=["marrow", "Nowhere", "Evil", "Ada Quill"])
    assert [(one["title"], one["hops"]) for one in around["documents"]] == [
        ("Evil", 0),
        ("Marrow", None),
        ("Ada Quill", None),
    ]
    assert around["links"] == [{"source": "Marrow", "target": "Ada Quill"}]
    assert around["left_out"] == 0
    beyond = got(site, "graph", title="Ada Quill", limit="1", also=["Marrow"])
    assert [one["hops"] for one in beyond["documents"]] == [0, 1]
    assert got(site, "graph", 422, title="Evil", also=["x"] * 21)["code"] == "bad-request"


def test_a_preview(site: Site) -> None:
    assert got(site, "preview", title="marrow") == {
        "title": "Marrow",
        "text": "The Marrow is a ferry. It was built by Ada Quill in 1931.",
        "whole": True,
        "documents_back": 0,
    }


@pytest.mark.parametrize("what", ["search", "links", "path", "graph", "preview", "document"])
def test_a_query_that_is_not_as_expected(site: Site, what: str) -> None:
    assert got(site, what, 422)["code"] == "bad-request"
    asked = {"q": "x", "title": "Marrow", "start": "Marrow", "goal": "Marrow", "titel": "Marrow"}
    assert "titel" in got(site, what, 422, **asked)["message"]
