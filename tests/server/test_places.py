"""Where quotes stand in their files, and who may be told where those lie; files that change."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Any

import pytest
from stand_in import Site

from lacuna.places import Place
from lacuna.serve.corpora import place_for_others
from lacuna.web.access import Access


def ask(site: Site, question: str, **more: Any) -> Any:
    asked = {"question": question, "title": "Marrow", **more}
    return site.client.post("/api/v1/ask", json=asked).json()


def places(site: Site) -> list[Any]:
    """Of a quote, of that of an alternative, of a gap's nearest evidence (twice), of a document."""
    corpus = site.client.get("/api/v1/server").json()["default"]
    document = f"/api/v1/corpora/{corpus}/document"
    site.stand_in.changes["alternatives"] = (site.stand_in.other("Marrow", "a ferry", 0.2),)
    gap = ask(site, "Nothing")
    return [
        gap["alternatives"][0]["quotes"][0]["place"],
        ask(site, "What is it?")["quotes"][0]["place"],
        gap["nearest_quote"]["place"],
        gap["gaps"][0]["nearest_place"],
        site.client.get(document, params={"title": "Marrow"}).json()["place"],
    ]


def test_on_this_machine_a_place_says_where_the_file_is(site: Site) -> None:
    address = (site.folder / "notes" / "Marrow.md").as_uri()
    for place in places(site):
        assert place == {
            "file": "Marrow.md",
            "line": 3,
            "fragment": "marrow",
            "url": f"{address}#marrow",
            "text": "Marrow.md:3",
        }


def test_other_machines_are_not_told_where(make_site: Callable[..., Site]) -> None:
    site = make_site(access=Access(local=False))
    for place in places(site):
        assert (place["text"], place["url"]) == ("Marrow.md:3", "")


def test_an_upload_has_no_address(site: Site) -> None:
    sent = [("files", ("Tern.txt", "The tern is a bird.", "text/plain"))]
    corpus = site.client.post("/api/v1/corpora/upload", files=sent).json()["id"]
    (quote,) = ask(site, "What?", title="Tern", corpus=corpus)["quotes"]
    assert (quote["place"]["text"], quote["place"]["url"]) == ("Tern.txt:1", "")


@pytest.mark.parametrize("url", ["https://a.example/b", "http://a.example/b#c"])
def test_web_addresses_are_for_everybody(url: str) -> None:
    assert place_for_others(Place("b", url=url)) == Place("b", url=url)
    assert place_for_others(Place("b", url="obsidian://open?path=b")) == Place("b")
    assert place_for_others(None) is None


def test_a_gap_counts_what_could_not_be_read(site: Site) -> None:
    assert ask(site, "Nothing")["gaps"][0]["unread"] == 3


def test_files_that_change_are_read_again(
    make_site: Callable[..., Site], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("lacuna.pipeline.open_corpus.SECONDS", 0.05)
    site = make_site(watch=True)
    server = site.client.get("/api/v1/server").json()
    assert server["watches"]
    assert server["corpora"][0]["updated"] is None
    (site.folder / "notes" / "Marrow.md").write_text("# Marrow\n\nThe Marrow is a wreck.\n")
    corpus: Any = {}
    until = time.monotonic() + 30
    while not corpus.get("updated") and time.monotonic() < until:
        corpus = site.client.get(f"/api/v1/corpora/{server['default']}").json()
        time.sleep(0.05)
    assert abs(corpus["updated"] - time.time()) < 60
    assert ask(site, "What is it?")["answer"]["text"] == "The Marrow is a wreck."


def test_they_are_not_where_nobody_asked_for_it(site: Site) -> None:
    assert site.client.get("/api/v1/server").json()["watches"] is False
