"""The board's app: everything put together."""

from __future__ import annotations

from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager

from fastapi import FastAPI
from fastapi.staticfiles import StaticFiles

from lacuna.board.web.routes import interface, tables, teams
from lacuna.board.web.services import BoardServices
from lacuna.server.access.access import Access
from lacuna.server.access.hosts import AllowedHosts
from lacuna.server.error_shapes import shape_errors
from lacuna.server.routes.pages import STATIC
from lacuna.server.security import HEADERS, POLICY, Guard
from lacuna.version import __version__

# No page has a script, and forms are sent by the browser itself.
PAGES: Mapping[str, str] = {
    **HEADERS,
    "Content-Security-Policy": POLICY.replace("form-action 'none'", "form-action 'self'")
    .replace("script-src 'self'", "script-src 'none'")
    .replace("connect-src 'self'", "connect-src 'none'"),
    # Under no-referrer, browsers do not say that a form comes from this very site.
    "Referrer-Policy": "same-origin",
}


def make_board_app(services: BoardServices, hosts: AllowedHosts) -> FastAPI:
    """The app over a board; everybody may look, and teams send with their keys."""

    @asynccontextmanager
    async def while_served(_: FastAPI) -> AsyncIterator[None]:
        services.queue.start()
        yield
        services.queue.close()

    app = FastAPI(
        title="Lacuna board",
        summary="Systems compared by hidden answers.",
        version=__version__,
        docs_url=None,
        redoc_url=None,
        openapi_url=None,
        lifespan=while_served,
    )
    app.state.services = services
    for routes in (interface, tables, teams):
        app.include_router(routes.router)
    app.mount("/static", StaticFiles(directory=STATIC), name="static")
    shape_errors(app)
    app.add_middleware(
        Guard,
        access=Access(hosts=hosts),
        limits=services.limits,
        stopping=services.stopping,
        headers_of=lambda _: PAGES,
        uploads=(teams.SUBMIT, interface.SUBMISSIONS),
    )
    return app
