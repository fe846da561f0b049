"""Files with something wrong in them, made from good ones."""

from __future__ import annotations

import io
import random
import zipfile

from hostile_fragments import FRAGMENTS, fragments_of

NUMBERS = [b"0", b"-1", b"65536", b"4294967296", b"9" * 40, b"1e999", b"NaN"]
BYTES = [b"\0", b"\xff", b"\xff\xfe", b"\xed\xa0\x80", b"\r", b"\x0b", b"\x1b[31m", b"\xe2\x80\xa8"]


def mutated(data: bytes, other: bytes, rng: random.Random) -> bytes:
    """The file after a few changes; of one that is packed, mostly of what is packed in it."""
    if zipfile.is_zipfile(io.BytesIO(data)) and rng.random() < 0.7:
        return _inside_zip(data, other, rng)
    for _ in range(rng.choice((1, 1, 2, 4, 8))):
        data = _change(data, other, rng)
    return data


def _change(data: bytes, other: bytes, rng: random.Random) -> bytes:
    start = rng.randrange(len(data) + 1)
    end = min(len(data), start + rng.choice((0, 1, 1, 4, 30, 400)))
    match rng.randrange(8):
        case 0:  # one bit
            if start == len(data):
                return data
            return data[:start] + bytes([data[start] ^ 1 << rng.randrange(8)]) + data[start + 1 :]
        case 1:  # a part is gone
            return data[:start] + data[end:]
        case 2:  # a part stands several times
            return data[:end] + data[start:end] * rng.choice((1, 3, 200)) + data[end:]
        case 3:  # it ends early
            return data[:start]
        case 4:  # a part of another file
            at = rng.randrange(len(other) + 1)
            return data[:start] + other[at : at + rng.choice((1, 20, 500))] + data[end:]
        case 5:
            return data[:start] + rng.choice(NUMBERS + BYTES) + data[end:]
        case _:
            pieces = fragments_of(rng.choice(list(FRAGMENTS)))
            piece = rng.choice(pieces) * rng.choice((1, 1, 1, 20, 2000))
            return data[:start] + piece.encode() + data[end:]


def _inside_zip(data: bytes, other: bytes, rng: random.Random) -> bytes:
    with zipfile.ZipFile(io.BytesIO(data)) as archive:
        files = {name: archive.read(name) for name in archive.namelist()}
    name = rng.choice(list(files))
    match rng.randrange(6):
        case 0:
            del files[name]
        case 1:
            files[rng.choice(("../a.md", "/a.md", "a" * 300, "İ.md", "a\0b"))] = files.pop(name)
        case _:
            files[name] = _change(files[name], other, rng)
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w", zipfile.ZIP_DEFLATED) as archive:
        for member, content in files.items():
            archive.writestr(member, content)
    return packed.getvalue()
