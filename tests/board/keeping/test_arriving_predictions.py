"""Files come in within bounds, whatever they are."""

from __future__ import annotations

import gzip
import hashlib
import io
import zlib
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from lacuna.errors import LacunaError
from lacuna_collect.board.submissions import keep_predictions


def kept(sent: bytes, folder: Path, largest_mb: int = 1) -> bytes:
    path = folder / "predictions"
    digest = keep_predictions(io.BytesIO(sent), path, largest_mb)
    assert digest == hashlib.sha256(path.read_bytes()).hexdigest()
    return path.read_bytes()


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.binary(min_size=1), st.integers(1, 3))
def test_what_was_packed_comes_out(tmp_path: Path, data: bytes, parts: int) -> None:
    assert kept(b"{" + data, tmp_path) == b"{" + data
    packed = b"".join(gzip.compress(b"{" + data) for _ in range(parts))
    assert kept(packed, tmp_path) == (b"{" + data) * parts


def test_a_bomb_is_refused_before_it_is_unpacked(tmp_path: Path) -> None:
    squeezed = zlib.compressobj(9, wbits=31)
    megabyte = bytes(1 << 20)
    bomb = b"".join(squeezed.compress(megabyte) for _ in range(64)) + squeezed.flush()
    assert len(bomb) < 1 << 17
    sent = io.BytesIO(bomb)
    with pytest.raises(LacunaError, match="larger than 2 MB when it is unpacked"):
        keep_predictions(sent, tmp_path / "predictions", 2)
    assert sent.tell() <= 1 << 16
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("size", [(1 << 16) - 1, 1 << 16, (1 << 16) + 1, 1 << 20])
def test_what_packs_well_comes_out_whole(tmp_path: Path, size: int) -> None:
    assert kept(gzip.compress(bytes(size)), tmp_path) == bytes(size)


@pytest.mark.parametrize("split", [0, 1, 2])
def test_a_bomb_in_a_bomb_is_refused(tmp_path: Path, split: int) -> None:
    """Scoring would unpack it again, beyond all bounds; its beginning may come in two pieces."""
    inner = gzip.compress(bytes(1 << 20))
    sent = gzip.compress(inner[:split]) + gzip.compress(inner[split:])
    with pytest.raises(LacunaError, match="gzipped again"):
        keep_predictions(io.BytesIO(sent), tmp_path / "predictions", 1)
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize(
    ("sent", "words"),
    [
        (b"", "empty"),
        (gzip.compress(b"", mtime=0), "empty"),
        (b"PK\x03\x04" + bytes(20), "zip archive"),
        (b"BZh9", "bzip2"),
        (gzip.compress(b"x" * 1000, mtime=0)[:-9], "cut off or damaged"),
        (b"\x1f\x8b" + b"nonsense" * 9, "cut off or damaged"),
        (bytes((1 << 20) + 1), "larger than 1 MB"),
    ],
)
def test_refusals(tmp_path: Path, sent: bytes, words: str) -> None:
    with pytest.raises(LacunaError, match=words):
        keep_predictions(io.BytesIO(sent), tmp_path / "predictions", 1)
    assert list(tmp_path.iterdir()) == []
