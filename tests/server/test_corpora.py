"""Corpora, their titles and documents."""

from __future__ import annotations

import os
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from stand_in import Site

from lacuna.serve.corpora import AllowedFolders
from lacuna.web.access import Access
from lacuna.web.limits import Limits


def default(site: Site) -> str:
    return str(site.client.get("/api/v1/server").json()["default"])


def get(site: Site, path: str, **parameters: Any) -> Any:
    return site.client.get(f"/api/v1/corpora/{default(site)}{path}", params=parameters)


def open_folder(site: Site, path: str | Path) -> Any:
    return site.client.post("/api/v1/corpora/folder", json={"path": str(path)})


def test_what_the_server_is(site: Site) -> None:
    server = site.client.get("/api/v1/server").json()
    assert server["opens_folders"]
    (corpus,) = server["corpora"]
    assert corpus == get(site, "").json()
    assert (corpus["name"], corpus["documents"]) == ("notes", 3)


def test_titles(site: Site) -> None:
    assert get(site, "/titles", q="quil").json()["titles"] == ["Ada Quill"]
    assert get(site, "/titles", q="marow").json()["titles"] == ["Marrow"]
    assert len(get(site, "/titles").json()["titles"]) == 3
    assert get(site, "/titles", q="q" * 1000).status_code == 422


def test_a_document_says_where_its_links_lead(site: Site) -> None:
    (link,) = get(site, "/document", title="marrow").json()["links"]
    assert (link["target"], link["title"]) == ("Ada Quill", "Ada Quill")
    (link,) = get(site, "/document", title="Ada Quill").json()["links"]
    assert (link["target"], link["title"]) == ("Port Ellery", None)


def test_markup_of_a_document_is_text(site: Site) -> None:
    got = get(site, "/document", title="Evil")
    assert "<img src=x onerror=alert(1)>" in got.json()["text"]
    assert got.headers["content-type"] == "application/json"
    assert got.headers["x-content-type-options"] == "nosniff"


def test_a_document_that_is_not_there(site: Site) -> None:
    assert get(site, "/document", title="Nowhere").json()["code"] == "no-document"


def test_open_a_folder(make_site: Callable[..., Site], tmp_path: Path) -> None:
    site = make_site(access=Access(folders=[tmp_path]))
    assert site.client.get("/api/v1/server").json()["folders"] == [
        str(tmp_path),
        str(tmp_path / "notes"),
    ]
    more = tmp_path / "more notes"
    more.mkdir()
    (more / "One.md").write_text("# One\n\nOne is a number.\n")
    corpus = open_folder(site, more).json()
    assert (corpus["name"], corpus["kind"], corpus["documents"]) == ("more notes", "folder", 1)
    got = site.client.post("/api/v1/ask", json={"question": "What?", "corpus": corpus["id"]}).json()
    assert got["answer"]["text"] == "One is a number."
    assert open_folder(site, more).json()["id"] == corpus["id"]
    assert len(site.client.get("/api/v1/server").json()["corpora"]) == 2


def test_no_folder(site: Site) -> None:
    for path in (site.folder / "notes" / "nowhere", site.folder / "notes" / "Marrow.md"):
        got = open_folder(site, path)
        assert got.status_code == 422
        assert got.json()["code"] == "no-folder"


@pytest.mark.parametrize(
    "path",
    ["/no/such/folder", "/etc", "/", "notes", "/tmp/\0", " ", "~nobody-here/x", "~", "/proc/self"],
)
def test_a_folder_that_nobody_allowed(site: Site, path: str) -> None:
    got = open_folder(site, path)
    assert got.status_code == 403
    assert got.json()["code"] == "folder-not-allowed"


def test_a_way_out_of_what_is_allowed(site: Site, tmp_path: Path) -> None:
    secret = tmp_path / "secret"
    secret.mkdir()
    (secret / "Diary.md").write_text("# Diary\n\nA secret.\n")
    (site.folder / "notes" / "link").symlink_to(secret)
    for path in ("notes/link", "notes/../secret", "notes2", "note"):
        assert open_folder(site, f"{site.folder}/{path}").status_code == 403


def test_only_folders_can_be_allowed(tmp_path: Path) -> None:
    (tmp_path / "pool.jsonl").write_text("")
    assert not AllowedFolders([tmp_path / "pool.jsonl", tmp_path / "nowhere"])
    assert AllowedFolders([tmp_path])


def test_a_folder_that_is_too_large(make_site: Callable[..., Site], tmp_path: Path) -> None:
    site = make_site(limits=Limits(pages=2))
    got = open_folder(site, tmp_path / "notes")
    assert got.status_code == 413
    assert "lacuna index" in got.json()["message"]


def test_a_link_that_leads_to_the_whole_machine(
    make_site: Callable[..., Site], tmp_path: Path
) -> None:
    site = make_site(limits=Limits(files_seen=500), access=Access(folders=[tmp_path]))
    (tmp_path / "more").mkdir()
    (tmp_path / "more" / "all").symlink_to("/")
    assert open_folder(site, tmp_path / "more").json()["code"] == "folder-too-large"


@pytest.mark.skipif(not Path("/proc/self/root").exists(), reason="there is no /proc here")
def test_processes_are_no_folder_of_notes(make_site: Callable[..., Site]) -> None:
    site = make_site(limits=Limits(files_seen=5_000), access=Access(folders=[Path("/proc")]))
    assert open_folder(site, "/proc").status_code == 413
    assert open_folder(site, f"/proc/{os.getpid()}").status_code == 413


def test_other_machines_are_not_told_which_folders(make_site: Callable[..., Site]) -> None:
    site = make_site(access=Access(local=False))
    assert site.client.get("/api/v1/server").json()["folders"] == []
    assert open_folder(site, site.folder / "notes").status_code == 200


def test_a_corpus_deleted_while_serving(site: Site) -> None:
    shutil.rmtree(site.stand_in.store.derived)
    for got in (
        get(site, ""),
        get(site, "/titles"),
        get(site, "/document", title="Marrow"),
        site.client.post("/api/v1/ask", json={"question": "What?"}),
    ):
        assert got.status_code == 410
        assert "deleted or moved" in got.json()["message"]
    assert site.client.get("/api/v1/server").json()["corpora"] == []
    assert open_folder(site, site.folder / "notes").status_code == 200  # and can be opened again
    assert get(site, "").json()["documents"] == 3


def test_a_corpus_deleted_in_the_middle(site: Site, monkeypatch: pytest.MonkeyPatch) -> None:
    def deleted(*_: object, **__: object) -> None:
        shutil.rmtree(site.stand_in.store.derived)
        raise OSError("disk I/O error")

    monkeypatch.setattr(site.stand_in, "ask", deleted)
    got = site.client.post("/api/v1/ask", json={"question": "What?"})
    assert got.json()["code"] == "corpus-gone"
