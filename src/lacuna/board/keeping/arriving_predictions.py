"""A file of predictions on its way in: unpacked within bounds, and never more than that."""

from __future__ import annotations

import hashlib
import zlib
from collections.abc import Iterator
from pathlib import Path
from typing import BinaryIO

from lacuna.errors import LacunaError
from lacuna.files.opening import GZIP_MAGIC
from lacuna.files.writing import replace_bytes

CHUNK = 1 << 16
OTHER_ARCHIVES = {b"PK": "a zip archive", b"BZ": "packed with bzip2", b"\xfd7": "packed with xz",
                  b"(\xb5": "packed with zstd", b"7z": "a 7z archive"}  # fmt: skip
PACKED_AGAIN = {**OTHER_ARCHIVES, GZIP_MAGIC: "gzipped again"}
GZIP = 16 + zlib.MAX_WBITS


def keep_predictions(sent: BinaryIO, path: Path, largest_mb: int) -> str:
    """Write what was sent as plain text; its SHA-256. No byte beyond the bound is ever unpacked."""
    start = sent.read(2)
    if start in OTHER_ARCHIVES:
        raise LacunaError(
            f"The file is {OTHER_ARCHIVES[start]}. Send the predictions as they are, or gzipped."
        )
    sent.seek(0)
    chunks = _unpacked(sent) if start == GZIP_MAGIC else iter(lambda: sent.read(CHUNK), b"")
    digest, size, begins = hashlib.sha256(), 0, b""
    with replace_bytes(path) as out:
        for chunk in chunks:
            size += len(chunk)
            begins = (begins + chunk)[:2]
            if begins in PACKED_AGAIN:
                raise LacunaError(
                    f"What the file unpacks to is {PACKED_AGAIN[begins]}. Pack predictions once."
                )
            if size > largest_mb << 20:
                raise LacunaError(
                    f"The file is larger than {largest_mb:,} MB when it is unpacked, which is the "
                    "most. Send predictions alone."
                )
            digest.update(chunk)
            out.write(chunk)
    if not size:
        path.unlink()
        raise LacunaError("The file is empty. Send a file of predictions.")
    path.chmod(0o600)
    return digest.hexdigest()


def _unpacked(packed: BinaryIO) -> Iterator[bytes]:
    """What a gzip file holds, a piece at a time, however much a piece of it would unpack to."""
    unpacker, is_begun = zlib.decompressobj(GZIP), False
    try:
        while piece := packed.read(CHUNK):
            is_full = False
            while piece or is_full:  # a full chunk may not be all that is in there
                chunk = unpacker.decompress(piece, CHUNK)
                piece, is_full, is_begun = unpacker.unconsumed_tail, len(chunk) == CHUNK, True
                if unpacker.eof:  # a gzip file may be several, one behind the other
                    piece, is_full, is_begun = unpacker.unused_data, False, False
                    unpacker = zlib.decompressobj(GZIP)
                yield chunk
        if is_begun:
            raise zlib.error("its end is missing")
    except zlib.error as error:
        raise LacunaError(
            f"The file begins as gzip does and is cut off or damaged ({error}). Send it again."
        ) from error
