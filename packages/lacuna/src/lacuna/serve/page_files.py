"""The files of the page, at addresses that change with them: a browser asks for each once."""

from __future__ import annotations

import re
from functools import cache
from hashlib import blake2b
from pathlib import Path

from fastapi.staticfiles import StaticFiles
from starlette.responses import HTMLResponse, Response
from starlette.types import Scope

from lacuna.web.html_tree import STATIC

AT = "/static"
FOREVER = "private, max-age=31536000, immutable"
_VERSION = re.compile(r"[0-9a-f]{16}")
_FIRST = re.compile(rf'<script type="module" src="{AT}/js/([\w-]+\.js)"')
_IMPORTED = re.compile(r'^(?:import|export) [^;]*?from "\./([\w-]+\.js)";', re.MULTILINE)


class PageFiles(StaticFiles):
    """All files under ``/static/VERSION/``, where the version is a digest of what is in them.

    Under ``/static/`` itself, and under the version of another server, they are there too, but to
    be asked for anew each time.
    """

    def __init__(self) -> None:
        super().__init__(directory=STATIC)

    async def get_response(self, path: str, scope: Scope) -> Response:
        """The file at a path below ``/static/``."""
        first, *rest = Path(path).parts or ("",)
        versioned = bool(rest) and _VERSION.fullmatch(first) is not None
        response = await super().get_response(str(Path(*rest)) if versioned else path, scope)
        if versioned and first == version():
            response.headers["Cache-Control"] = FOREVER
        return response


@cache
def version() -> str:
    """A name for what all files hold together."""
    digest = blake2b(digest_size=8)
    for file in sorted(file for file in STATIC.rglob("*") if file.is_file()):
        digest.update(f"{file.relative_to(STATIC).as_posix()}\0".encode())
        digest.update(blake2b(file.read_bytes()).digest())
    return digest.hexdigest()


def page(name: str) -> HTMLResponse:
    """A page, with the addresses of its files as they are now."""
    return HTMLResponse(_page(name))


@cache
def _page(name: str) -> str:
    """Every module that it loads is named in its head: none waits until another one was read."""
    text = (STATIC / name).read_text("utf-8")
    ahead = "".join(
        f'<link rel="modulepreload" href="{AT}/js/{module}">\n' for module in modules_of(text)
    )
    return text.replace("</head>", f"{ahead}</head>").replace(f'"{AT}/', f'"{AT}/{version()}/')


def modules_of(text: str) -> list[str]:
    """The modules that a page loads, in the order in which they are found."""
    found = dict.fromkeys(_FIRST.findall(text))
    waiting = list(found)
    while waiting:
        script = (STATIC / "js" / waiting.pop(0)).read_text("utf-8")
        new = [name for name in _IMPORTED.findall(script) if name not in found]
        found.update(dict.fromkeys(new))
        waiting += dict.fromkeys(new)
    return list(found)
