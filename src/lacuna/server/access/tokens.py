"""Tokens: whoever knows one may ask. A new one for each start, or those that a file keeps.

Each token is a person: what was asked, uploaded and said with one is not seen with another.
"""

from __future__ import annotations

import os
import re
import secrets
from hashlib import blake2b
from pathlib import Path

from lacuna.errors import LacunaError

BYTES = 24
VARIABLE = "LACUNA_TOKEN"
GOOD = re.compile(r"[A-Za-z0-9_\-]{16,200}")
"""What can stand in an address and in a cookie as it is, and cannot be guessed."""


def new_token() -> str:
    """A token that nobody can guess."""
    return secrets.token_urlsafe(BYTES)


def is_same(given: str, token: str) -> bool:
    """Whether a token is the right one; how long that takes says nothing about the right one."""
    return secrets.compare_digest(given.encode("utf-8", "replace"), token.encode())


def person_of(token: str) -> str:
    """A name for who has a token, which does not give the token away."""
    return blake2b(token.encode(), digest_size=8, person=b"lacuna").hexdigest()


def tokens_of_file(path: Path) -> tuple[str, ...]:
    """The tokens that a file holds; where there is no file, one is made, for its owner alone."""
    try:
        return (_make(path),)
    except FileExistsError:
        return _read(path)
    except OSError as error:
        raise LacunaError(
            f"The token cannot be written to {path}: {error.strerror or error}. Give --token-file "
            "a path in a folder that you can write to."
        ) from error


def tokens_of_environment() -> tuple[str, ...]:
    """The tokens that the environment holds, for servers that a cluster starts; mostly none."""
    tokens = os.environ.get(VARIABLE, "").split()
    if not all(map(GOOD.fullmatch, tokens)):
        raise LacunaError(
            f"{VARIABLE} holds no token: that is 16 to 200 letters, digits, - and _, for each "
            "person, with spaces between them."
        )
    return tuple(dict.fromkeys(tokens))


def _make(path: Path) -> str:
    token = new_token()
    with os.fdopen(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "w") as file:
        file.write(f"{token}\n")
    return token


def _read(path: Path) -> tuple[str, ...]:
    try:
        tokens = path.read_text(encoding="utf-8").split()
        mode = path.stat().st_mode
    except (OSError, UnicodeDecodeError) as error:
        raise LacunaError(
            f"The token cannot be read from {path}: {getattr(error, 'strerror', None) or error}. "
            "Give --token-file another path, or delete that file to get a new token."
        ) from error
    if os.name == "posix" and mode & 0o077:
        raise LacunaError(
            f"Others on this machine can read the token in {path}. Take that away with "
            f"`chmod 600 {path}`, or delete the file to get a new token."
        )
    if not tokens or not all(map(GOOD.fullmatch, tokens)):
        raise LacunaError(
            f"{path} holds no token: that is one line of 16 to 200 letters, digits, - and _, for "
            "each person. Delete the file to get a new one."
        )
    return tuple(dict.fromkeys(tokens))
