"""Passwords: what is asked of them, and how they are kept."""

from __future__ import annotations

from argon2 import PasswordHasher
from argon2.exceptions import InvalidHashError, VerificationError

from lacuna.collect.refused import RefusedError

SHORTEST = 10
LONGEST = 200


class Passwords:
    """Argon2id, with its authors' present advice for time and memory."""

    def __init__(self, hasher: PasswordHasher | None = None) -> None:
        self._hasher = hasher or PasswordHasher()
        self._nobody = self._hasher.hash("the password of nobody")

    def hash(self, password: str) -> str:
        """What is kept of a password; a bad one is refused."""
        if not SHORTEST <= len(password) <= LONGEST:
            raise RefusedError(
                "bad-password",
                f"A password has {SHORTEST} to {LONGEST} characters; several words are good.",
            )
        return self._hasher.hash(_bytes(password))

    def matches(self, password: str, kept: str | None) -> bool:
        """Whether it is the password; it takes as long for somebody who does not exist."""
        try:
            self._hasher.verify(kept or self._nobody, _bytes(password[: LONGEST + 1]))
        except (VerificationError, InvalidHashError):
            return False
        return kept is not None


def _bytes(password: str) -> bytes:
    return password.encode("utf-8", "surrogatepass")
