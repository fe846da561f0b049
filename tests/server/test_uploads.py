"""Uploads, the good and the hostile."""

from __future__ import annotations

import io
import stat
import zipfile
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from stand_in import Site

from lacuna.serve.corpora import OpenCorpora, OpenCorpus
from lacuna.serve.schemas import CorpusKind
from lacuna.serve.uploads import index_upload
from lacuna.web.limits import Limits

PAGE = "# Tern\n\nThe tern is a bird. See [[Reed]].\n"


def zipped(files: dict[str, str | bytes]) -> bytes:
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in files.items():
            archive.writestr(name, content)
    return out.getvalue()


def upload(site: Site, *files: tuple[str, str | bytes]) -> Any:
    sent = [("files", (name, content, "application/octet-stream")) for name, content in files]
    return site.client.post("/api/v1/corpora/upload", files=sent)


def first_sentence(site: Site, corpus: dict[str, Any]) -> str:
    got = site.client.post("/api/v1/ask", json={"question": "What?", "corpus": corpus["id"]})
    return str(got.json()["answer"]["text"])


@pytest.fixture
def small(make_site: Callable[..., Site], small_limits: Limits) -> Iterator[Site]:
    """A server that takes little, and must have nothing left of what it refused."""
    site = make_site(limits=small_limits)
    yield site
    folder = site.app.state.services.opener._uploads
    others = site.app.state.services.corpora._others
    assert {path.name for path in folder.iterdir()} == set(others)


def test_a_page(site: Site) -> None:
    corpus = upload(site, ("Tern.md", PAGE)).json()
    assert (corpus["name"], corpus["kind"], corpus["documents"]) == ("Tern", "upload", 1)
    assert first_sentence(site, corpus) == "The tern is a bird."


def test_several_pages_link_to_each_other(site: Site) -> None:
    html = "<h1>Dune</h1><p>The dune is a hill of sand, and it moves.</p>"
    reed = "# Reed\n\nThe reed is a plant.\n"
    corpus = upload(site, ("Tern.md", PAGE), ("Reed.md", reed), ("Dune.html", html)).json()
    assert corpus["documents"] == 3
    assert corpus["name"] == "Tern and 2 more"
    page = f"/api/v1/corpora/{corpus['id']}/document"
    assert site.client.get(page, params={"title": "Tern"}).json()["links"][0]["title"] == "Reed"


def test_a_zip(site: Site) -> None:
    archive = zipped({"birds/Tern.md": PAGE, "__MACOSX/birds/._Tern.md": b"\0\1"})
    corpus = upload(site, ("birds.zip", archive)).json()
    assert (corpus["name"], corpus["documents"], corpus["skipped"]) == ("birds", 1, [])


def test_what_cannot_be_read_is_told_and_the_rest_is_read(site: Site) -> None:
    archive = zipped({"birds/Tern.md": PAGE, "a.png": b"x", "b.zip": zipped({"c.md": PAGE})})
    corpus = upload(site, ("birds.zip", archive), ("Reed.xyz", "?"), ("Gull.txt", "A gull.")).json()
    assert (corpus["documents"], corpus["unread"]) == (2, 3)
    skipped = {one["where"]: one["reason"] for one in corpus["skipped"]}
    assert skipped.keys() == {"a.png", "b.zip", "Reed.xyz"}
    assert skipped["Reed.xyz"] == "no file of this kind can be read"
    again = site.client.get(f"/api/v1/corpora/{corpus['id']}").json()
    assert again["unread"] == 3


def test_pictures_are_no_files_that_could_not_be_read(site: Site) -> None:
    archive = zipped({"Tern.md": PAGE, "logo.svg": "<svg/>", "scan.TIFF": b"?", "odd.xyz": b"?"})
    for sent in ([("birds.zip", archive)], [("birds.zip", archive), ("logo.svg", "<svg/>")]):
        corpus = upload(site, *sent).json()
        assert [one["where"] for one in corpus["skipped"]] == ["odd.xyz"]
        assert corpus["unread"] == 1


def test_how_far_the_reading_is_is_told_to_its_person_alone(
    site: Site, monkeypatch: pytest.MonkeyPatch
) -> None:
    readings = site.app.state.services.opener.readings
    told: list[Any] = []

    with readings.counting("", "mine") as tell:
        tell(3, 10)
        assert site.client.get("/api/v1/readings/mine").json() == {"read": 3, "files": 10}
        assert readings.of("another", "mine") == (0, 0)
    assert site.client.get("/api/v1/readings/mine").json() == {"read": 0, "files": 0}

    def counted(files: Any, folder: Path, limits: Limits, _: object) -> None:
        index_upload(files, folder, limits, lambda read, number: told.append((read, number)))

    monkeypatch.setattr("lacuna.serve.corpora.index_upload", counted)
    assert upload(site, ("Tern.md", PAGE), ("Reed.md", "# Reed\n\nA plant.\n")).status_code == 200
    assert told[-1] == (2, 2)


def test_of_many_files_that_cannot_be_read_the_first_are_named(site: Site) -> None:
    pictures = {f"{number}.png": b"x" for number in range(70)}
    corpus = upload(site, ("a.zip", zipped({"Tern.md": PAGE, **pictures}))).json()
    assert (corpus["unread"], len(corpus["skipped"])) == (70, 50)


def test_what_can_be_uploaded_is_what_can_be_read(site: Site) -> None:
    suffixes = site.client.get("/api/v1/server").json()["upload_suffixes"]
    assert {".md", ".html", ".txt", ".zip"} <= set(suffixes)
    assert all(suffix.startswith(".") for suffix in suffixes)


def test_only_who_has_the_id_sees_an_upload(site: Site) -> None:
    upload(site, ("Tern.md", PAGE))
    assert [one["name"] for one in site.client.get("/api/v1/server").json()["corpora"]] == ["notes"]


@pytest.mark.parametrize("name", ["../Out.md", "/Out.md", "a/../../Out.md", "C:\\Out.md"])
def test_a_path_that_leads_out(small: Site, name: str) -> None:
    corpus = upload(small, ("a.zip", zipped({"Tern.md": PAGE, name: PAGE}))).json()
    assert corpus["documents"] == 1
    assert not list(small.folder.parent.rglob("Out.md"))
    if name != "C:\\Out.md":
        (skipped,) = corpus["skipped"]
        assert "leads out" in skipped["reason"] or "absolute" in skipped["reason"]


def test_the_name_of_an_upload_is_not_trusted(small: Site) -> None:
    assert upload(small, ("../../Out.md", PAGE)).json()["documents"] == 1
    assert not list(small.folder.parent.rglob("Out.md"))


def test_a_link_in_a_zip(small: Site) -> None:
    link = zipfile.ZipInfo("Secret.md")
    link.external_attr = (stat.S_IFLNK | 0o777) << 16
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w") as archive:
        archive.writestr(link, "/etc/passwd")
        archive.writestr("Tern.md", PAGE)
    corpus = upload(small, ("a.zip", out.getvalue())).json()
    assert corpus["documents"] == 1
    assert corpus["skipped"] == [{"where": "Secret.md", "reason": "it is a link"}]


def test_a_zip_bomb(small: Site) -> None:
    bomb = zipped({f"{number}.md": b"bird " * 100_000 for number in range(4)})
    assert len(bomb) < small.app.state.services.limits.upload
    got = upload(small, ("bomb.zip", bomb))
    assert got.status_code == 413
    assert "unpacks to more than" in got.json()["message"]


def test_one_page_that_unpacks_to_far_too_much(small: Site) -> None:
    got = upload(small, ("bomb.zip", zipped({"a.md": b"\0" * (40 << 20)})))
    assert got.status_code == 422
    assert "larger than 32 MB" in got.json()["message"]


def test_a_bomb_in_another_packing(small: Site) -> None:
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_BZIP2) as archive:
        archive.writestr("bomb.md", b"\0" * (20 << 20))
    got = upload(small, ("bomb.zip", out.getvalue()))
    assert got.status_code == 422
    assert "deflate" in got.json()["message"]


def test_a_name_that_is_too_long_for_a_file(small: Site) -> None:
    corpus = upload(small, ("a.zip", zipped({"Tern.md": PAGE, "x" * 300 + ".md": PAGE}))).json()
    assert corpus["documents"] == 1
    (skipped,) = corpus["skipped"]
    assert "too long" in skipped["reason"]


def test_a_damaged_zip_is_named_as_it_was_uploaded(small: Site) -> None:
    damaged = zipped({"éé.md": PAGE}).replace("éé".encode(), b"\xff\xff\xff\xff")
    got = upload(small, ("notes.zip", damaged))
    assert (got.status_code, got.json()["code"]) == (415, "upload-not-pages")
    assert "(notes.zip: it is no zip archive, or is cut off)" in got.json()["message"]


def test_a_member_whose_name_was_damaged(small: Site) -> None:
    archive = zipped({"Tern.md": PAGE, "é.md": PAGE})
    place = archive.index("é.md".encode())  # before the member; the directory has it once more
    damaged = archive[:place] + b"\xc3\xc3" + archive[place + 2 :]
    corpus = upload(small, ("notes.zip", damaged)).json()
    assert corpus["documents"] == 1
    (skipped,) = corpus["skipped"]
    assert skipped["where"] == "é.md"
    assert "cannot be unpacked" in skipped["reason"]


def test_a_member_without_a_name(small: Site) -> None:
    archive = zipped({"Tern.md": PAGE, "Q": "x"})
    corpus = upload(small, ("notes.zip", archive.replace(b"Q", b"\0"))).json()
    assert corpus["documents"] == 1
    assert "no name" in corpus["skipped"][0]["reason"]


@pytest.mark.parametrize(
    "text",
    [
        b"---\nx: !!bool maybe\n---\nA tern.",
        b'---\nx: !!int ""\n---\nA tern.',
        b'---\nx: !!timestamp "x"\n---\nA tern.',
        b"---\ntitle: 0x" + b"f" * 4_000 + b"\n---\nA tern.",
        b"---\ntitle: !!float x\n---\nA tern.",
    ],
)
def test_a_bad_document_never_fails_the_others(small: Site, text: bytes) -> None:
    corpus = upload(small, ("bad.md", text), ("Tern.md", PAGE)).json()
    assert corpus["documents"] + corpus["unread"] == 2
    page = f"/api/v1/corpora/{corpus['id']}/document"
    assert small.client.get(page, params={"title": "Tern"}).status_code == 200


def test_a_zip_of_zips_is_not_unpacked(small: Site) -> None:
    got = upload(small, ("a.zip", zipped({"b.zip": zipped({"Tern.md": PAGE})})))
    assert got.json()["code"] == "upload-not-pages"


def test_too_many_files(small: Site) -> None:
    many: dict[str, str | bytes] = {f"{number}.md": PAGE for number in range(21)}
    assert upload(small, ("many.zip", zipped(many))).status_code == 413
    other: dict[str, str | bytes] = {f"{number}.x": "" for number in range(100)}
    assert upload(small, ("many.zip", zipped(other))).status_code == 413


def test_what_is_not_text(small: Site) -> None:
    got = upload(small, ("Tern.md", b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR" + bytes(range(256))))
    assert got.status_code == 422
    assert "Tern.md" in got.json()["message"]
    got = upload(small, ("tern.exe", b"MZ"))
    assert got.status_code == 415
    assert ".zip" in got.json()["message"]
    assert upload(small, ("a.zip", b"PK no zip")).json()["code"] == "upload-not-pages"
    assert upload(small, ("a.zip", zipped({"Tern.md": PAGE})[:-30])).status_code == 415


def test_nothing(small: Site) -> None:
    assert upload(small).status_code == 422
    for name, content in (("Empty.md", ""), (".hidden.md", PAGE)):
        got = upload(small, (name, content)).json()
        assert got["code"] == "upload-empty"
        assert str(small.folder) not in got["message"]


def test_too_large(small: Site) -> None:
    got = upload(small, ("Tern.md", b"bird " * 50_000))
    assert got.status_code == 413
    assert got.json()["code"] == "too-large"

    def chunks() -> Iterator[bytes]:  # a length that is not announced
        for _ in range(300):
            yield b"x" * 1000

    got = small.client.post(
        "/api/v1/corpora/upload",
        content=chunks(),
        headers={"content-type": "multipart/form-data; boundary=x"},
    )
    assert got.status_code == 413


def test_markup_in_an_upload_stays_text(site: Site) -> None:
    page = "# Evil\n\nIt says `<script>alert(1)</script>` there.\n"
    corpus = upload(site, ("Evil.md", page)).json()
    assert first_sentence(site, corpus) == "It says <script>alert(1)</script> there."


def test_old_uploads_make_room(small: Site) -> None:
    corpora = [upload(small, (f"{number}.md", PAGE)).json()["id"] for number in range(3)]
    codes = [small.client.get(f"/api/v1/corpora/{corpus}").status_code for corpus in corpora]
    assert codes == [404, 200, 200]


def test_uploads_have_their_time(site: Site, tmp_path: Path) -> None:
    now = 0.0
    stand_in = site.stand_in
    first = OpenCorpus("first", "first", CorpusKind.DEMO, stand_in)
    corpora = OpenCorpora(first, room=5, upload_hours=2, now=lambda: now)
    folder = tmp_path / "upload"
    folder.mkdir()
    corpora.add(OpenCorpus("up", "up", CorpusKind.UPLOAD, stand_in, remove=folder, opened=0.0))
    now = 2 * 3600.0
    assert corpora.get("up", "").id == "up"
    now += 1
    with pytest.raises(Exception, match="is not open here"):
        corpora.get("up", "")
    assert not folder.exists()
    assert corpora.get(None, "").id == "first"


def test_a_folder_keeps_its_paths_and_its_name(site: Site) -> None:
    reed = "# Reed\n\nThe reed is a plant.\n"
    corpus = upload(site, ("birds/a/Tern.md", PAGE), ("birds/b/Tern.md", reed)).json()
    assert (corpus["name"], corpus["documents"], corpus["skipped"]) == ("birds", 2, [])
