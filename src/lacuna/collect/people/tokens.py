"""Secrets that are handed out: only their digests are kept."""

from __future__ import annotations

import hashlib
import secrets

LENGTH = 32
"""Bytes of chance; too many to be guessed, so that a plain digest is enough to keep."""


def new_secret() -> str:
    """A secret that can stand in an address."""
    return secrets.token_urlsafe(LENGTH)


def digest_of_secret(secret: str) -> str:
    """What is kept of it."""
    return hashlib.sha256(secret.encode("utf-8", "surrogatepass")).hexdigest()


def csrf_token(secret: str) -> str:
    """What a page sends with every change, made from the cookie that other sites cannot read."""
    return hashlib.sha256(b"csrf:" + secret.encode("utf-8", "surrogatepass")).hexdigest()
