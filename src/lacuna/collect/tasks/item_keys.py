"""Names of items that are short, and always the same for the same parts."""

from __future__ import annotations

from hashlib import blake2b


def key_of(*parts: str) -> str:
    """A key from what tells an item from others, however long that is."""
    return blake2b("\n".join(parts).encode(errors="replace"), digest_size=16).hexdigest()
