"""Pictures are known by their bytes, and by nothing else."""

from __future__ import annotations

import io
from typing import Any

import pytest
from drawn import png
from hypothesis import given
from hypothesis import strategies as st

from lacuna.serve.uploads import Raster, raster_of

JPEG = (
    b"\xff\xd8\xff\xe0\x00\x10JFIF\x00\x01\x01\x00\x00\x01\x00\x01\x00\x00"
    b"\xff\xff\xc2\x00\x11\x08\x00\x30\x00\x40\x03"
)


def webp(kind: bytes, rest: bytes) -> bytes:
    return (b"RIFF\0\0\0\0WEBP" + kind + b"\0\0\0\0" + rest).ljust(40, b"\0")


@pytest.mark.parametrize(
    ("head", "media_type"),
    [
        (png(64, 48), "image/png"),
        (b"GIF87a\x40\x00\x30\x00", "image/gif"),
        (JPEG, "image/jpeg"),
        (webp(b"VP8 ", b"\0\0\0\x9d\x01\x2a\x40\x00\x30\x00"), "image/webp"),
        (webp(b"VP8L", b"\x2f" + (63 | 47 << 14).to_bytes(4, "little")), "image/webp"),
        (webp(b"VP8X", b"\0\0\0\0\x3f\0\0\x2f\0\0"), "image/webp"),
    ],
)
def test_what_it_is_and_how_large(head: bytes, media_type: str) -> None:
    assert raster_of(head) == Raster(media_type, 64, 48)
    assert raster_of(head[:9]) is None


@pytest.mark.parametrize("kind", ["PNG", "GIF", "JPEG", "WEBP"])
def test_as_programs_write_them(kind: str) -> None:
    image: Any = pytest.importorskip("PIL.Image", reason="Pillow is not installed")
    out = io.BytesIO()
    image.new("RGB", (200, 120), "teal").save(out, kind)
    assert raster_of(out.getvalue()) == Raster(f"image/{kind.lower()}", 200, 120)


@pytest.mark.parametrize(
    "head",
    [b"", b"<svg xmlns='http://www.w3.org/2000/svg'/>", b"<html>", b"%PDF-1.7", b"BM", b"\xff\xd8"],
)
def test_all_else_is_none(head: bytes) -> None:
    assert raster_of(head) is None


@given(st.sampled_from([png()[:33], JPEG[:22], b"GIF89a", webp(b"VP8 ", b"")]), st.binary())
def test_any_bytes_are_a_picture_or_none(begins: bytes, rest: bytes) -> None:
    raster_of(begins + rest)


@pytest.mark.parametrize(
    ("size", "shown"),
    [((24, 24), True), ((23, 800), False), ((20_001, 30), False), ((20_000, 20_000), False)],
)
def test_too_small_or_too_large(size: tuple[int, int], shown: bool) -> None:
    assert Raster("image/png", *size).can_be_shown is shown
