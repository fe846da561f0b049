from __future__ import annotations

import gzip
import os
import threading
from pathlib import Path

import pytest

from lacuna.errors import LacunaError
from lacuna.files.opening import open_text


def read(path: Path) -> str:
    with open_text(path) as source:
        return source.text.read()


@pytest.mark.parametrize("name", ["plain.json", "packed.json.gz", "misnamed.json"])
def test_gzip_is_seen_from_the_content(tmp_path: Path, name: str) -> None:
    path = tmp_path / name
    content = "Straße\r\n".encode()
    path.write_bytes(content if name == "plain.json" else gzip.compress(content))
    assert read(path) == "Straße\r\n"


def test_a_byte_order_mark_is_no_part_of_the_text(tmp_path: Path) -> None:
    path = tmp_path / "bom.json"
    path.write_bytes(b"\xef\xbb\xbf[]")
    assert read(path) == "[]"


def test_a_pipe_can_be_read(tmp_path: Path) -> None:
    path = tmp_path / "pipe"
    os.mkfifo(path)
    writer = threading.Thread(target=lambda: path.write_bytes(b"[1]"))
    writer.start()
    try:
        assert read(path) == "[1]"
    finally:
        writer.join()


def test_a_pipe_that_begins_slowly_is_understood(tmp_path: Path) -> None:
    path = tmp_path / "pipe"
    os.mkfifo(path)
    packed = gzip.compress(b"  [1]")

    def feed() -> None:
        with path.open("wb", buffering=0) as out:
            for byte in packed:
                out.write(bytes([byte]))

    writer = threading.Thread(target=feed)
    writer.start()
    with open_text(path) as source:
        assert source.head == "[1]"
        assert source.text.read() == "  [1]"
    writer.join()


def test_many_blanks_before_the_text_do_not_hide_it(tmp_path: Path) -> None:
    path = tmp_path / "file.json"
    path.write_text(" \n" * 5000 + "[1]")
    with open_text(path) as source:
        assert source.head == "[1]"


def test_an_endless_line_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "file.csv"
    path.write_text("a\n" + "x" * 5000)
    with open_text(path) as source, pytest.raises(LacunaError, match="line 2 is longer"):
        list(source.lines(1000))


def test_progress_counts_the_bytes_on_disk(tmp_path: Path) -> None:
    path = tmp_path / "file.txt"
    path.write_text("x" * 100_000)
    with open_text(path) as source:
        assert source.size == 100_000
        source.text.read()
        assert source.bytes_read == 100_000


def test_a_missing_file_suggests_its_neighbour(tmp_path: Path) -> None:
    (tmp_path / "dev.json.gz").touch()
    with pytest.raises(LacunaError, match=r"There is no file .*dev\.json.*Did you mean .*\.gz\?"):
        read(tmp_path / "dev.json")


def test_a_missing_folder_is_named(tmp_path: Path) -> None:
    with pytest.raises(LacunaError, match=r"The folder .*nowhere does not exist either"):
        read(tmp_path / "nowhere" / "dev.json")


def test_a_folder_is_not_a_file(tmp_path: Path) -> None:
    with pytest.raises(LacunaError, match="is a folder, not a file"):
        read(tmp_path)


@pytest.mark.parametrize("damage", ["cut", "flipped"])
def test_damaged_gzip_says_so(tmp_path: Path, damage: str) -> None:
    packed = bytearray(gzip.compress(os.urandom(50_000).hex().encode()))
    if damage == "cut":
        del packed[20_000:]
    else:
        packed[-6] ^= 0xFF  # a byte of the checksum
    path = tmp_path / "file.json.gz"
    path.write_bytes(packed)
    damaged = pytest.raises(LacunaError, match="gzip file that is cut off or damaged")
    with damaged, open_text(path) as source:
        source.text.read()


def test_text_that_is_not_utf8_says_so(tmp_path: Path) -> None:
    path = tmp_path / "latin.json"
    path.write_bytes("Straße".encode("latin-1"))
    with pytest.raises(LacunaError, match="is not UTF-8"):
        read(path)


@pytest.mark.parametrize("name", ["a\0b", "x" * 300, "x/" * 2100, "\ud800"])
def test_names_that_no_file_can_have(tmp_path: Path, name: str) -> None:
    with pytest.raises(LacunaError), open_text(tmp_path / name):
        pass
