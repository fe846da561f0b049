"""What the collecting server's answers tell the browser."""

from __future__ import annotations

from collections.abc import Mapping

from lacuna.collect.people.crowd import MTURK_FRAMES, MTURK_SITES
from lacuna.server.security import HEADERS, POLICY

CROWD_ENTRANCE = "/collect/crowd"
SITES = " ".join(MTURK_SITES)
# Log-in forms are sent by scripts; the one form that is posted goes back to Mechanical Turk.
PAGES = {
    **HEADERS,
    "Content-Security-Policy": POLICY.replace("form-action 'none'", f"form-action {SITES}"),
}
# Mechanical Turk shows what it sends people to inside of its own page.
FRAMED = {
    **PAGES,
    "Content-Security-Policy": PAGES["Content-Security-Policy"].replace(
        "frame-ancestors 'none'", f"frame-ancestors {' '.join(MTURK_FRAMES)}"
    ),
    "Cross-Origin-Opener-Policy": "unsafe-none",
}
del FRAMED["X-Frame-Options"]


def collect_headers(path: str) -> Mapping[str, str]:
    """The headers of what is at a path: only the entrance of a crowd may be framed."""
    return FRAMED if path == CROWD_ENTRANCE else PAGES
