"""Fetching from a real server on this machine: whole, interrupted, changed, or out of reach."""

from __future__ import annotations

import hashlib
import io
import tarfile
import threading
import zipfile
from collections.abc import Iterator
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import pytest

from lacuna.datasets import DATASETS, get_dataset
from lacuna.datasets.fetch import OfficialFile, download, fetch, folder_of, unpack
from lacuna.errors import LacunaError

CONTENT = bytes(range(256)) * 4000


@dataclass
class Site:
    """A server that notes the ranges it was asked for."""

    address: str
    ranges: list[str | None] = field(default_factory=list)
    breaks_after: int | None = None
    knows_ranges: bool = True
    content: bytes = CONTENT


@pytest.fixture
def site() -> Iterator[Site]:
    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            asked = self.headers.get("Range")
            served.ranges.append(asked)
            if self.path != "/file.json":
                self.send_error(404)
                return
            start = (
                int(asked.removeprefix("bytes=").rstrip("-"))
                if asked and served.knows_ranges
                else 0
            )
            if start >= len(served.content):
                self.send_error(416)
                return
            body = served.content[start:]
            self.send_response(206 if start else 200)
            self.send_header("Content-Length", str(len(body)))
            self.end_headers()
            self.wfile.write(body if served.breaks_after is None else body[: served.breaks_after])

        def log_message(self, *_: object) -> None:
            return

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    served = Site(f"http://127.0.0.1:{server.server_port}")
    thread = threading.Thread(target=server.serve_forever)
    thread.start()
    yield served
    server.shutdown()
    thread.join()
    server.server_close()


def official(site: Site, **rest: str) -> OfficialFile:
    return OfficialFile(f"{site.address}/file.json", len(site.content), **rest)  # type: ignore[arg-type]


def quiet(done: int, total: int | None) -> None:
    return


def test_a_file_arrives_whole_and_says_how_far_it_is(site: Site, tmp_path: Path) -> None:
    seen: list[tuple[int, int | None]] = []
    path = tmp_path / "cache" / "file.json"
    digest = hashlib.sha256(CONTENT).hexdigest()
    download(official(site, sha256=digest), path, lambda done, total: seen.append((done, total)))
    assert path.read_bytes() == CONTENT
    assert seen[-1] == (len(CONTENT), len(CONTENT))
    assert [entry.name for entry in path.parent.iterdir()] == ["file.json"]


def test_an_interrupted_download_goes_on_where_it_stopped(site: Site, tmp_path: Path) -> None:
    path = tmp_path / "file.json"
    site.breaks_after = 300_000
    with pytest.raises(LacunaError, match=r"ended after 300,000.*goes on from there"):
        download(official(site), path, quiet)
    assert not path.exists()
    site.breaks_after = None
    download(official(site), path, quiet)
    assert site.ranges == [None, "bytes=300000-"]
    assert path.read_bytes() == CONTENT


def test_a_server_without_ranges_sends_all_again(site: Site, tmp_path: Path) -> None:
    path = tmp_path / "file.json"
    (tmp_path / "file.json.part").write_bytes(b"stale")
    site.knows_ranges = False
    download(official(site), path, quiet)
    assert path.read_bytes() == CONTENT


def test_a_download_that_had_all_but_the_name_is_finished(site: Site, tmp_path: Path) -> None:
    path = tmp_path / "file.json"
    (tmp_path / "file.json.part").write_bytes(CONTENT)
    download(OfficialFile(f"{site.address}/file.json"), path, quiet)
    assert path.read_bytes() == CONTENT


def test_a_wrong_checksum_is_never_kept(site: Site, tmp_path: Path) -> None:
    path = tmp_path / "file.json"
    with pytest.raises(LacunaError, match=r"SHA-256 .* but the published one is 00"):
        download(official(site, sha256="00"), path, quiet)
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("address", ["{}/missing.json", "http://127.0.0.1:9/file.json"])
def test_out_of_reach_says_where_to_put_the_file(site: Site, tmp_path: Path, address: str) -> None:
    path = tmp_path / "file.json"
    with pytest.raises(LacunaError, match=r"cannot be reached \(.+\).*put it at .*file\.json"):
        download(OfficialFile(address.format(site.address)), path, quiet)


def packed(kind: str, names: list[str]) -> bytes:
    raw = io.BytesIO()
    if kind == "zip":
        with zipfile.ZipFile(raw, "w") as archive:
            for name in names:
                archive.writestr(name, f"content of {name}")
    else:
        with tarfile.open(fileobj=raw, mode="w:gz") as tar:
            for name in names:
                entry = tarfile.TarInfo(name)
                entry.size = len(f"content of {name}")
                tar.addfile(entry, io.BytesIO(f"content of {name}".encode()))
    return raw.getvalue()


@pytest.mark.parametrize("kind", ["zip", "tar"])
def test_only_the_wanted_members_leave_an_archive(tmp_path: Path, kind: str) -> None:
    archive = tmp_path / "archive"
    archive.write_bytes(packed(kind, ["set/train.json", "set/dev.json", "../../evil.json"]))
    folder = tmp_path / "out"
    folder.mkdir()
    written = unpack(archive, ("set/dev.json", "../../evil.json"), folder)
    assert written == [folder / "dev.json", folder / "evil.json"]
    assert sorted(path.name for path in folder.iterdir()) == ["dev.json", "evil.json"]
    assert (folder / "dev.json").read_text() == "content of set/dev.json"


@pytest.mark.parametrize("content", [b"not an archive", packed("zip", ["other.json"])])
def test_an_archive_that_is_not_as_expected_is_named(tmp_path: Path, content: bytes) -> None:
    archive = tmp_path / "archive"
    archive.write_bytes(content)
    with pytest.raises(LacunaError, match="is not the archive that was expected"):
        unpack(archive, ("train.json",), tmp_path)


def test_a_damaged_archive_is_not_unpacked(tmp_path: Path) -> None:
    """The wanted file comes first and is whole; the damage is told by the checksum at the end."""
    content = bytearray(packed("tar", ["train.json", "dev.json"]))
    content[-8] ^= 0xFF
    archive = tmp_path / "archive"
    archive.write_bytes(content)
    with pytest.raises(LacunaError, match="is not the archive"):
        unpack(archive, ("train.json",), tmp_path)
    assert list(tmp_path.iterdir()) == [archive]


def test_a_cache_that_cannot_be_made_is_named(
    site: Site, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "file").touch()
    monkeypatch.setenv("LACUNA_CACHE", str(tmp_path / "file"))
    with pytest.raises(LacunaError, match=r"cannot be made.*LACUNA_CACHE"):
        fetch(official(site), folder_of("quac"), quiet)


def test_an_archive_is_fetched_unpacked_and_not_fetched_again(
    site: Site, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("LACUNA_CACHE", str(tmp_path))
    site.content = packed("zip", ["set/train.json"])
    archive = OfficialFile(f"{site.address}/file.json", members=("set/train.json",))
    (file,) = fetch(archive, folder_of("drop"), quiet)
    assert file == tmp_path / "drop" / "train.json"
    assert file.read_text() == "content of set/train.json"
    assert fetch(archive, folder_of("drop"), quiet) == [file]
    assert site.ranges == [None]


def test_every_published_dataset_has_its_official_files(tmp_path: Path) -> None:
    for name in DATASETS:
        if name == "real":  # everyone writes questions over their own documents
            continue
        downloads = get_dataset(name).downloads
        assert downloads is not None
        for file in downloads.named(None):
            assert file.address.startswith(("http://", "https://"))
            assert file.paths(tmp_path)
            assert file.sha256 is None or len(file.sha256) == 64
    downloads = get_dataset("quac").downloads
    assert downloads is not None
    assert [file.name for file in downloads.named("val")] == ["val_v0.2.json"]
