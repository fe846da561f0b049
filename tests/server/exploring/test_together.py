"""Several corpora asked as one."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from stand_in import TOKEN, Site

from lacuna.web.access import Access
from lacuna.web.limits import Limits

BEA = {"Authorization": "Bearer another-token-for-the-tests"}
ADA = {"Authorization": f"Bearer {TOKEN}"}


def upload(site: Site, name: str, text: str, headers: dict[str, str] | None = None) -> str:
    files = [("files", (name, text.encode()))]
    got = site.client.post("/api/v1/corpora/upload", files=files, headers=headers)
    return str(got.json()["id"])


def together(site: Site, *ids: str, headers: dict[str, str] | None = None) -> Any:
    return site.client.post(
        "/api/v1/corpora/together", json={"corpora": list(ids)}, headers=headers
    )


def notes_of(site: Site) -> str:
    return str(site.app.state.services.corpora.default)


ELLERY = "# Port Ellery\n\nPort Ellery is a harbour. It knew [[Ada Quill]] well.\n"


def test_links_lead_from_one_to_another_and_quotes_say_where_they_are_from(site: Site) -> None:
    mine = upload(site, "Port Ellery.md", ELLERY)
    corpus = together(site, notes_of(site), mine).json()
    assert (corpus["kind"], corpus["documents"]) == ("together", 4)
    assert corpus["name"] == "notes and Port Ellery"
    assert corpus["parts"] == ["notes", "Port Ellery"]
    at = f"/api/v1/corpora/{corpus['id']}"
    (link,) = site.client.get(f"{at}/document", params={"title": "Ada Quill"}).json()["links"]
    assert link["title"] == "Port Ellery", "it led nowhere before"
    for title, part in (("Port Ellery", "Port Ellery"), ("Marrow", "notes")):
        asked = {"question": "What is it?", "title": title, "corpus": corpus["id"]}
        answer = site.client.post("/api/v1/ask", json=asked).json()
        assert answer["from_corpora"] == {title: part}
    assert together(site, notes_of(site), mine).json()["id"] == corpus["id"], "the same again"
    assert len(site.client.get("/api/v1/server").json()["corpora"]) == 1, "it is one person's"


def test_the_same_title_in_both(site: Site) -> None:
    mine = upload(site, "Marrow.md", "# Marrow\n\nMarrow is a vegetable.\n")
    corpus = together(site, notes_of(site), mine).json()
    titles = site.client.get(f"/api/v1/corpora/{corpus['id']}/titles", params={"q": "marrow"})
    assert set(titles.json()["titles"]) == {"Marrow", "Marrow (Marrow)"}


def test_it_goes_with_an_upload_that_is_deleted(site: Site) -> None:
    mine = upload(site, "Port Ellery.md", ELLERY)
    corpus = together(site, notes_of(site), mine).json()["id"]
    folder = site.app.state.services.corpora.get(corpus, "").remove
    assert folder.is_dir()
    assert site.client.delete(f"/api/v1/corpora/{mine}").status_code == 204
    assert site.client.get(f"/api/v1/corpora/{corpus}").status_code == 404
    assert not folder.exists()


def test_it_can_be_deleted_without_its_parts(site: Site) -> None:
    mine = upload(site, "Port Ellery.md", ELLERY)
    corpus = together(site, notes_of(site), mine).json()["id"]
    assert site.client.delete(f"/api/v1/corpora/{corpus}").status_code == 204
    assert site.client.get(f"/api/v1/corpora/{mine}").status_code == 200


def test_it_gets_no_older_than_the_uploads_in_it(site: Site) -> None:
    mine = upload(site, "Port Ellery.md", ELLERY)
    corpora = site.app.state.services.corpora
    corpora.get(mine, "").opened -= 23 * 3600
    corpus = together(site, notes_of(site), mine).json()["id"]
    assert corpora.get(corpus, "").opened == corpora.get(mine, "").opened


def test_refused(make_site: Callable[..., Site]) -> None:
    site = make_site(
        access=Access([TOKEN, BEA["Authorization"].split()[1]]), limits=Limits(pages=4)
    )
    mine = upload(site, "Port Ellery.md", ELLERY, ADA)
    other = upload(site, "More.md", "# More\n\nMore of it.\n", ADA)
    notes = notes_of(site)
    got = together(site, notes, mine, headers=BEA)
    assert (got.status_code, got.json()["code"]) == (404, "corpus-unknown")
    assert together(site, notes, notes, headers=ADA).json()["code"] == "too-few-corpora"
    assert together(site, notes, headers=ADA).json()["code"] == "bad-request"
    got = together(site, notes, mine, other, headers=ADA)
    assert (got.status_code, got.json()["code"]) == (413, "together-too-large")
    both = together(site, mine, other, headers=ADA).json()["id"]
    assert together(site, notes, both, headers=ADA).json()["code"] == "already-together"
    assert site.client.get(f"/api/v1/corpora/{both}", headers=BEA).status_code == 404
