"""The description of the interface."""

from __future__ import annotations

from stand_in import Site


def test_openapi(site: Site) -> None:
    described = site.client.get("/openapi.json").json()
    assert "/api/v1/ask" in described["paths"]
    ask = described["paths"]["/api/v1/ask"]["post"]
    assert {"200", "404", "410", "422", "503"} <= ask["responses"].keys()
    result = described["components"]["schemas"]["ResultSchema"]
    assert result["properties"]["quotes"]["items"]["$ref"].endswith("/QuoteSchema")
    assert "given or found" in result["properties"]["context"]["description"]
    choose = described["paths"]["/api/v1/choose"]["post"]
    assert {"200", "422", "503"} <= choose["responses"].keys()
    line = described["components"]["schemas"]["KnowledgeLineSchema"]
    assert "by this line alone" in line["properties"]["relations"]["description"]


def test_the_page_about_it_is_our_own(site: Site) -> None:
    page = site.client.get("/docs").text
    assert "/static/js/docs.js" in page
    assert "cdn" not in page
