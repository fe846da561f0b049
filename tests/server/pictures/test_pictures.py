"""Pictures over the interface: of folders and uploads, and never anything else."""

from __future__ import annotations

import io
import zipfile
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import pytest
from drawn import png
from stand_in import TOKEN, Site

from lacuna.serve.uploads import NO_PICTURE, NO_ROOM
from lacuna.web.access import Access
from lacuna.web.limits import Limits

HERON = "# Heron\n\nA heron stands.\n\n![A heron at dusk](img/heron.png)\n\n![](img/egg.png)\n"


def upload(site: Site, files: Mapping[str, str | bytes], **sent: Any) -> Any:
    given = [("files", (name, content)) for name, content in files.items()]
    got = site.client.post("/api/v1/corpora/upload", files=given, **sent)
    assert got.status_code == 200, got.text
    return got.json()


def picture(site: Site, corpus: str, number: int = 0, title: str = "Heron", **sent: Any) -> Any:
    params: dict[str, Any] = {"title": title, "number": number}
    return site.client.get(f"/api/v1/corpora/{corpus}/picture", params=params, **sent)


def shown(site: Site, corpus: str, title: str = "Heron") -> list[dict[str, Any]]:
    got = site.client.get(f"/api/v1/corpora/{corpus}/document", params={"title": title}).json()
    return [one for block in got["blocks"] for one in block["pictures"]]


def test_of_an_uploaded_folder(site: Site) -> None:
    files: dict[str, str | bytes] = {
        "b/Heron.md": HERON,
        "b/img/heron.png": png(),
        "b/img/egg.png": png(30, 40),
    }
    corpus = upload(site, files)
    assert (corpus["documents"], corpus["unread"]) == (1, 0)
    first, second = shown(site, corpus["id"])
    assert (first["name"], first["width"], first["height"]) == ("heron.png", 64, 48)
    assert (second["name"], second["number"]) == ("egg.png", 1)
    got = picture(site, corpus["id"])
    assert got.content == png()
    assert got.headers["content-type"] == "image/png"
    assert got.headers["x-content-type-options"] == "nosniff"
    assert "default-src 'none'" in got.headers["content-security-policy"]


def test_where_they_stand(site: Site) -> None:
    corpus = upload(site, {"Heron.md": HERON, "img/heron.png": png(), "img/egg.png": png(30, 40)})
    got = site.client.get(f"/api/v1/corpora/{corpus['id']}/document?title=Heron").json()
    told = [(got["text"][one["start"] : one["end"]], len(one["pictures"])) for one in got["blocks"]]
    assert told == [("A heron stands.", 0), ("A heron at dusk", 2)]
    assert got["text"] == "A heron stands.\n\nA heron at dusk"


def test_of_an_archive_and_of_several_corpora_together(site: Site) -> None:
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w") as archive:
        archive.writestr("b/Heron.md", HERON)
        archive.writestr("b/img/heron.png", png())
    corpus = upload(site, {"birds.zip": out.getvalue()})
    assert len(shown(site, corpus["id"])) == 1
    other = upload(site, {"Tern.md": "# Tern\n\nA tern flies.\n"})
    both = site.client.post(
        "/api/v1/corpora/together", json={"corpora": [corpus["id"], other["id"]]}
    ).json()
    assert picture(site, both["id"]).content == png()
    site.client.delete(f"/api/v1/corpora/{corpus['id']}")
    assert picture(site, corpus["id"]).status_code == 404


def test_only_for_who_uploaded_it(make_site: Callable[..., Site]) -> None:
    site = make_site(access=Access([TOKEN, "another-token-for-the-tests"]))
    ada: Any = {"headers": {"Authorization": f"Bearer {TOKEN}"}}
    bea: Any = {"headers": {"Authorization": "Bearer another-token-for-the-tests"}}
    corpus = upload(site, {"Heron.md": HERON, "img/heron.png": png()}, **ada)["id"]
    assert picture(site, corpus, **ada).status_code == 200
    assert picture(site, corpus, **bea).json()["code"] == "corpus-unknown"
    assert picture(site, corpus).status_code == 401


@pytest.mark.parametrize(
    ("content", "reason"),
    [(b"<svg onload='alert(1)'/>", NO_PICTURE), (png() + b"\0" * (9 << 20), NO_ROOM)],
)
def test_what_only_has_the_name_of_a_picture_is_told(
    site: Site, content: bytes, reason: str
) -> None:
    corpus = upload(site, {"Heron.md": HERON, "img/heron.png": content})
    assert corpus["skipped"] == [{"where": "img/heron.png", "reason": reason}]
    assert shown(site, corpus["id"]) == []
    got = picture(site, corpus["id"])
    assert (got.status_code, got.json()["code"]) == (404, "no-picture")


def test_no_more_than_there_is_room_for(make_site: Callable[..., Site]) -> None:
    site = make_site(limits=Limits(pictures=len(png()) + 10))
    corpus = upload(site, {"Heron.md": HERON, "img/heron.png": png(), "img/egg.png": png(30, 40)})
    assert [one["where"] for one in corpus["skipped"]] == ["img/egg.png"]


@pytest.mark.parametrize("number", [-1, 2, 99_999])
def test_no_such_number(site: Site, number: int) -> None:
    corpus = upload(site, {"Heron.md": HERON, "img/heron.png": png()})["id"]
    assert picture(site, corpus, number).status_code in (404, 422)


def test_of_the_folder_that_is_served_and_nothing_beside_it(
    make_site: Callable[..., Site], tmp_path: Path
) -> None:
    notes = tmp_path / "notes"
    (notes / ".private").mkdir(parents=True)
    for path in (tmp_path / "out.png", notes / "in.png", notes / ".private" / "own.png"):
        path.write_bytes(png())
    (notes / "link.png").symlink_to(tmp_path / "out.png")
    (notes / "folder.png").mkdir()
    targets = [
        "in.png", "./a/../in.png", "/in.png", "i%6E.png",
        "../out.png", "%2e%2e/out.png", str(tmp_path / "out.png"), "link.png", "folder.png",
        ".private/own.png", "file:///etc/x.png", "https://example.org/x.png"
    ]  # fmt: skip
    (notes / "Own.md").write_text("# Own\n\n" + "\n\n".join(f"![w]({one})" for one in targets))
    (notes / "a").mkdir()
    site = make_site()
    corpus = site.client.get("/api/v1/server").json()["corpora"][0]["id"]
    assert {one["name"] for one in shown(site, corpus, "Own")} == {"in.png"}
    assert len(shown(site, corpus, "Own")) == 4
    codes = {picture(site, corpus, number, "Own").status_code for number in range(12)}
    assert codes == {200, 404}
