"""Two people on one server: none sees what the other asks, uploads and says."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from stand_in import TOKEN, Site

from lacuna.web.access import Access
from lacuna.web.limits import Limits

OTHER = "another-token-for-the-tests"
ADA = {"Authorization": f"Bearer {TOKEN}"}
BEA = {"Authorization": f"Bearer {OTHER}"}


@pytest.fixture
def shared(make_site: Callable[..., Site], tmp_path: Path) -> Site:
    return make_site(access=Access([TOKEN, OTHER]), feedback=tmp_path / "feedback.jsonl")


def ask(site: Site, headers: dict[str, str], **more: str) -> str:
    asked = {"question": "What is the Marrow?", **more}
    return str(site.client.post("/api/v1/ask", json=asked, headers=headers).json()["id"])


def test_answers(shared: Site) -> None:
    mine = ask(shared, ADA)
    assert shared.client.get(f"/api/v1/answers/{mine}", headers=ADA).status_code == 200
    got = shared.client.get(f"/api/v1/answers/{mine}", headers=BEA)
    assert (got.status_code, got.json()["code"]) == (404, "answer-gone")
    asked = {"question": "And then?", "after": mine}
    assert shared.client.post("/api/v1/ask", json=asked, headers=ADA).status_code == 200
    assert shared.client.post("/api/v1/ask", json=asked, headers=BEA).status_code == 404


def test_uploads(shared: Site) -> None:
    files = [("files", ("Tern.md", b"# Tern\n\nA tern is a bird.\n"))]
    corpus = shared.client.post("/api/v1/corpora/upload", files=files, headers=ADA).json()["id"]
    for path in ("", "/titles", "/search?q=tern", "/document?title=Tern", "/links?title=Tern"):
        address = f"/api/v1/corpora/{corpus}{path}"
        assert shared.client.get(address, headers=ADA).status_code == 200
        got = shared.client.get(address, headers=BEA)
        assert (got.status_code, got.json()["code"]) == (404, "corpus-unknown")
    asked = {"question": "What?", "corpus": corpus}
    assert shared.client.post("/api/v1/ask", json=asked, headers=BEA).status_code == 404
    assert shared.client.delete(f"/api/v1/corpora/{corpus}", headers=BEA).status_code == 404
    assert shared.client.delete(f"/api/v1/corpora/{corpus}", headers=ADA).status_code == 204
    assert shared.client.get(f"/api/v1/corpora/{corpus}", headers=ADA).status_code == 404


def test_feedback(shared: Site) -> None:
    said = {"answer": ask(shared, ADA), "verdict": "right"}
    assert shared.client.post("/api/v1/feedback", json=said, headers=BEA).status_code == 404
    assert shared.client.post("/api/v1/feedback", json=said, headers=ADA).status_code == 200


def test_each_gets_in_with_their_own_token_alone(shared: Site) -> None:
    page = shared.client.get(f"/?token={OTHER}", follow_redirects=False)
    assert OTHER in page.headers["set-cookie"]
    assert shared.client.get("/api/v1/server").status_code == 200
    shared.client.cookies.clear()
    assert shared.client.get("/api/v1/server").status_code == 401


def test_only_an_upload_can_be_deleted(site: Site) -> None:
    default = site.client.get("/api/v1/server").json()["default"]
    got = site.client.delete(f"/api/v1/corpora/{default}")
    assert (got.status_code, got.json()["code"]) == (403, "no-upload")
    assert site.client.get(f"/api/v1/corpora/{default}").status_code == 200


def test_what_was_deleted_is_gone_from_the_disk(site: Site) -> None:
    files = [("files", ("Tern.md", b"# Tern\n\nA tern is a bird.\n"))]
    corpus = site.client.post("/api/v1/corpora/upload", files=files).json()["id"]
    folder = site.app.state.services.corpora.get(corpus, "").remove
    assert folder.is_dir()
    assert site.client.delete(f"/api/v1/corpora/{corpus}").content == b""
    assert not folder.exists()


def test_nobody_pushes_out_the_uploads_of_another(make_site: Callable[..., Site]) -> None:
    site = make_site(access=Access([TOKEN, OTHER]), limits=Limits(corpora=4))

    def upload(headers: dict[str, str], number: int) -> str:
        files = [("files", (f"{number}.md", f"# Note {number}\n\nA note.\n".encode()))]
        return str(
            site.client.post("/api/v1/corpora/upload", files=files, headers=headers).json()["id"]
        )

    def is_open(corpus: str, headers: dict[str, str]) -> bool:
        return site.client.get(f"/api/v1/corpora/{corpus}", headers=headers).status_code == 200

    hers = upload(BEA, 0)
    mine = [upload(ADA, number) for number in range(1, 8)]
    assert is_open(hers, BEA), "though it was not used for longest"
    assert [is_open(one, ADA) for one in mine] == [False] * 4 + [True] * 3
    more = upload(BEA, 8)
    assert all(is_open(one, BEA) for one in (hers, more))
    assert [is_open(one, ADA) for one in mine] == [False] * 5 + [True] * 2


def test_a_browser_keeps_their_dialogs_apart(
    shared: Site, site: Site, make_site: Callable[..., Site]
) -> None:
    names = [
        shared.client.get("/api/v1/server", headers=one).json()["person"] for one in (ADA, BEA, ADA)
    ]
    assert names[0] == names[2] != names[1]
    assert all(names)
    assert TOKEN not in names[0]
    assert site.client.get("/api/v1/server").json()["person"] == ""
    alone = make_site(access=Access([TOKEN]))
    assert alone.client.get("/api/v1/server", headers=ADA).json()["person"] == "", "as ever"
