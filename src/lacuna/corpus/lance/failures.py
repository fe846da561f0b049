"""What goes wrong with an object store, in words: never with a credential in them."""

from __future__ import annotations

import os
import re
from collections.abc import Iterator
from contextlib import contextmanager

from lacuna.errors import LacunaError

SECRETS = re.compile(r"KEY|SECRET|TOKEN|PASSWORD|CREDENTIAL|SAS", re.IGNORECASE)
STORES = ("AWS_", "AZURE_", "GOOGLE_", "GCS_")
REFUSED = re.compile(
    r"\b40[13]\b|access ?denied|forbidden|InvalidAccessKeyId|SignatureDoesNotMatch|ExpiredToken"
    r"|Unauthori[sz]ed|unauthenticated|credential|InvalidToken|permission denied"
    r"|lacked the necessary privileges",
    re.IGNORECASE,
)
WRONG_CLOCK = re.compile(
    r"TooSkewed|too skewed|RequestExpired|date header (is )?too old|iat and exp", re.IGNORECASE
)
"""As S3, Azure and Google say that a request was signed at another time than theirs."""
NO_ROOM = re.compile(
    r"no space left|\b507\b|insufficient ?storage|quota|EntityTooLarge|disk full", re.IGNORECASE
)
UNREACHABLE = re.compile(
    r"timed? ?out|connect|dns|resolve host|error sending request|\b50[0234]\b|retries",
    re.IGNORECASE,
)
MISSING = re.compile(r"NoSuchBucket|bucket .*(not|n't) exist", re.IGNORECASE)
NO_REGION = re.compile(r"resolve region|missing region", re.IGNORECASE)
NO_TLS = re.compile(r"\bGET http://.*builder error|URL scheme is not allowed", re.IGNORECASE)
"""As the client says that it was not allowed to go without TLS."""
LONGEST = 300


class AddressError(LacunaError):
    """Something about the store behind an address."""


@contextmanager
def telling_failures(address: str, doing: str = "read") -> Iterator[None]:
    """For all that is done with an address."""
    try:
        yield
    except (LacunaError, KeyboardInterrupt):
        raise
    except Exception as error:  # Lance raises many kinds for what its store says
        raise AddressError(_words(address, doing, str(error))) from None


def without_secrets(text: str) -> str:
    """The first line of a text, without what the environment keeps secret or an address carries."""
    for name, value in os.environ.items():
        if name.startswith(STORES) and SECRETS.search(name) and len(value) > 3:
            text = text.replace(value, "…")
    text = re.sub(r"\?[^\s\"']+", "", text)  # signed addresses
    text = re.sub(r"//[^/@\s]+@", "//…@", text)
    text = re.sub(r"LanceError\(\w+\): |,? ?/\S*\.rs:\d+:\d+", "", text.partition("\n")[0]).strip()
    return text if len(text) <= LONGEST else f"{text[:LONGEST]}…"


def _without_places(address: str, error: str) -> str:
    """What an error says apart from where: names of buckets and lines of code hold any word."""
    path = address.partition("://")[2]
    for place in (address, path, path.partition("/")[2]):
        error = error.replace(place, "") if place else error
    return re.sub(r"\S*\.rs:\d+(:\d+)?", "", error)


def _words(address: str, doing: str, error: str) -> str:
    said = without_secrets(error)
    error = _without_places(address, error)
    if MISSING.search(error):
        return f"{address} cannot be {doing}: there is no such bucket or container. Make it first."
    if NO_REGION.search(error):
        return (
            f"{address} cannot be {doing}: it is not known in which region its bucket is. Set "
            "AWS_REGION, or AWS_ENDPOINT_URL for another store that speaks S3."
        )
    if NO_TLS.search(error):
        return (
            f"{address} cannot be {doing}: its store is at an address without TLS. Where that is "
            "meant, set AWS_ALLOW_HTTP=true."
        )
    if NO_ROOM.search(error):
        return (
            f"{address} cannot be {doing}: its store has no room left. What was published before "
            "is whole; make room and run it again."
        )
    if WRONG_CLOCK.search(error):
        return (
            f"{address} cannot be {doing}: the clock of this machine differs too much from that of "
            "its store, which refuses such requests. Set it right and run it again; what was "
            "published before is whole."
        )
    if REFUSED.search(error):
        return (
            f"{address} cannot be {doing}: its store refuses the credentials of the environment "
            "(they are missing, wrong, expired, or do not allow this). Set them anew, as "
            "docs/scaling.md shows, and run it again; what was published before is whole."
        )
    if UNREACHABLE.search(error):
        return (
            f"{address} cannot be {doing}: its store does not answer, after several attempts "
            f"({said}). Run it again when it does; what was published before is whole."
        )
    return f"{address} cannot be {doing}: {said}. What was published before is whole."
