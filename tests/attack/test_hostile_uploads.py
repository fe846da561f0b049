"""Uploads that were made to do harm: read, skipped or refused, and nothing ever breaks."""

from __future__ import annotations

import io
import random
import time
import zipfile
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import httpx
import pytest
from stand_in import KNOWN, TOKEN, Site, listening

from lacuna.serve.uploads import taken_suffixes
from lacuna.web.access import Access
from lacuna.web.limits import Limits

Rounds = Callable[[], Iterator[random.Random]]
GOOD = ("Tern.md", b"# Tern\n\nThe tern is a bird.\n")
SMALL = Limits(upload=400_000, unpacked=2_000_000, pages=50, corpora=2)
NAMES = (
    "../../Out.md",
    "/Out.md",
    "C:\\Out.md",
    "a/../../Out.md",
    "",
    ".",
    "..",
    "a\0b.md",
    "\u202egpj.md",
    "x" * 300 + ".md",
    "a/" * 200 + "b.md",
    "CON.md",
    "é.md",
    "\ud83d.md",
    "<script>alert(1)</script>.md",
    "\x1b[31m.md",
    "pages",
    "corpus/documents.sqlite",
)
TEXTS = (
    b"---\nx: !!bool maybe\n---\nA tern.",
    b'---\nx: !!int ""\n---\nA tern.',
    b'---\nx: !!timestamp "x"\n---\nA tern.',
    b"---\ntitle: 0x" + b"f" * 4_000 + b"\n---\nA tern.",
    b"<p>&#" + b"9" * 5_000 + b"; bird",
    b"<meta charset=undefined>\xff bird",
    b"[" * 12_000,
    b"\x00\x01\x02" * 100,
    b"\xff\xfe" + b"\xd8\x00" * 50,
    b"",
    b"\xef\xbb\xbf",
    "İ".encode() * 1_000,
)


def hostile_file(rng: random.Random) -> tuple[str, bytes]:
    name = rng.choice(NAMES) if rng.random() < 0.5 else f"bad{rng.choice(taken_suffixes())}"
    content = rng.choice(TEXTS) if rng.random() < 0.7 else rng.randbytes(rng.randrange(3_000))
    return name, content


def hostile_zip(rng: random.Random) -> bytes:
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", rng.choice([zipfile.ZIP_DEFLATED, zipfile.ZIP_STORED])) as made:
        made.writestr(*GOOD)
        for _ in range(rng.randrange(8)):
            name, content = hostile_file(rng)
            member = zipfile.ZipInfo(name.encode("utf-8", "replace").decode() or "Q")
            member.external_attr = rng.choice([0, 0o120777 << 16, 0o40755 << 16, 0o644 << 16])
            made.writestr(member, content * rng.choice([1, 1, 1, 300]))
    data = bytearray(out.getvalue())
    for _ in range(rng.choice([0, 1, 2, 20])):
        data[rng.randrange(len(data))] = rng.randrange(256)
    return bytes(data[: rng.randrange(len(data))] if rng.random() < 0.1 else data)


def sent(rng: random.Random) -> list[tuple[str, tuple[str, bytes, str]]]:
    files = [GOOD]
    for _ in range(rng.randrange(1, 4)):
        is_zip = rng.random() < 0.6
        files.append(("a.zip", hostile_zip(rng)) if is_zip else hostile_file(rng))
    return [
        ("files", (name.encode("utf-8", "replace").decode() or "x", content, "text/plain"))
        for name, content in files
    ]


@pytest.mark.filterwarnings("ignore:Duplicate name")  # so it is meant
def test_hostile_uploads(rounds: Rounds, tmp_path: Path) -> None:
    site = Site(tmp_path / "site", limits=SMALL)
    uploads = site.app.state.services.opener._uploads
    others = site.app.state.services.corpora._others
    with site.client:
        for rng in rounds():
            got = site.client.post("/api/v1/corpora/upload", files=sent(rng))
            assert got.status_code in (200, 413, 422), got.text
            if got.status_code == 200:
                corpus = got.json()
                assert corpus["documents"] >= 1, "what is good is read"
                assert site.client.get(f"/api/v1/corpora/{corpus['id']}/titles").status_code == 200
            assert str(tmp_path) not in got.text, "nobody is told where the server keeps things"
            assert {path.name for path in uploads.iterdir()} == set(others)
            assert not list(tmp_path.parent.rglob("Out.md"))


def test_bodies_that_are_no_upload(rounds: Rounds, tmp_path: Path) -> None:
    site = Site(tmp_path / "site", limits=SMALL)
    with site.client:
        for rng in rounds():
            kind = rng.choice(
                [
                    "multipart/form-data",
                    "multipart/form-data; boundary=" + "x" * rng.randrange(1, 300),
                    "application/x-www-form-urlencoded",
                    "application/json",
                    "",
                ]
            )
            body = rng.randbytes(rng.randrange(500))
            if rng.random() < 0.7:
                part = rng.choice(['name="files"', 'name="files"; filename="a.md"', "", "\0"])
                body = f"--x\r\nContent-Disposition: form-data; {part}\r\n\r\n".encode() + body
                kind = "multipart/form-data; boundary=x"
            got = site.client.post(
                "/api/v1/corpora/upload", content=body, headers={"content-type": kind}
            )
            assert 400 <= got.status_code < 500, got.text
            assert got.json()["message"]


@pytest.mark.parametrize("note", ["# x" + " " * 100_000 + "y", "# a" * 100_000])
def test_a_note_that_was_made_to_take_for_ever_keeps_nobody_waiting(
    tmp_path: Path, note: str
) -> None:
    site = Site(tmp_path, access=Access([TOKEN]))
    uploads = site.app.state.services.opener._uploads
    with (
        listening(site.app) as address,
        httpx.Client(base_url=address, headers=KNOWN, timeout=30) as client,
        ThreadPoolExecutor(1) as other,
    ):
        text = f"{note}\n\nAll is well.\n"
        files = [("files", ("Note.md", text.encode())), ("files", GOOD)]
        sending = other.submit(client.post, "/api/v1/corpora/upload", files=files)
        while not sending.done() and not any(uploads.iterdir()):
            time.sleep(0.001)
        meanwhile = 0
        while not sending.done():
            got = client.post("/api/v1/ask", json={"question": "What?", "title": "Marrow"})
            assert got.json()["answer"]["text"] == "The Marrow is a ferry."
            meanwhile += 1
        assert meanwhile, "others are answered while it is read"
        corpus = sending.result().json()
        assert corpus["documents"] == 2, "it is read like any other"
        about = {"question": "What?", "title": "Tern", "corpus": corpus["id"]}
        after = client.post("/api/v1/ask", json=about).json()
        assert after["answer"]["text"] == "The tern is a bird."
