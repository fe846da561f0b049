"""Decode a text by the charset that it names, as far as that is one of texts."""

from __future__ import annotations

import codecs

NOT_OF_TEXTS = frozenset(
    ("undefined", "idna", "punycode", "unicode_escape", "raw_unicode_escape", "mbcs", "oem")
)
"""Python's own, which no page is written in; some of them take time that grows with the square."""


def decoded_by_name(data: bytes, charset: str) -> str | None:
    """The text; None where there is no such charset, or the bytes are not in it.

    >>> decoded_by_name(b"Stra\\xdfe", "cp1252"), decoded_by_name(b"a", "punycode")
    ('Straße', None)
    """
    try:
        name = codecs.lookup(charset).name.replace("-", "_")
        return None if name in NOT_OF_TEXTS else data.decode(charset)
    except (LookupError, ValueError):  # ValueError: a NUL in the name, or bytes that do not fit
        return None
