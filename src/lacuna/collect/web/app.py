"""The collecting server's app: everything put together."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from fastapi import FastAPI

from lacuna.collect.web.ascii_json import AsciiJsonResponse
from lacuna.collect.web.headers import collect_headers
from lacuna.collect.web.refusing import shape_refusals
from lacuna.collect.web.routes import (
    console,
    crowd,
    export,
    live,
    own,
    people,
    review,
    session,
    steps,
    work,
)
from lacuna.collect.web.routes.pages import add_collect_pages
from lacuna.collect.web.services import SOCKET_MESSAGE, CollectServices
from lacuna.server.access.access import Access
from lacuna.server.access.hosts import AllowedHosts
from lacuna.server.error_shapes import shape_errors
from lacuna.server.security import Guard
from lacuna.version import __version__


def make_collect_app(services: CollectServices, hosts: AllowedHosts) -> FastAPI:
    """The app over a project; people log in, so that no token is asked for."""

    @asynccontextmanager
    async def until_stopped(_: FastAPI) -> AsyncIterator[None]:
        for hub in services.live.values():
            await hub.start()
        yield
        for hub in services.live.values():
            await hub.stop()
        services.archive.close()

    app = FastAPI(
        title="Lacuna collect",
        summary="People make data: tasks, accounts, review.",
        version=__version__,
        docs_url=None,
        redoc_url=None,
        openapi_url=None,
        default_response_class=AsciiJsonResponse,
        lifespan=until_stopped,
    )
    app.state.services = services
    app.state.socket_message = SOCKET_MESSAGE
    for routes in (session, work, steps, live, own, review, console, export, people, crowd):
        app.include_router(routes.router)
    add_collect_pages(app)
    shape_errors(app)
    shape_refusals(app)
    app.add_middleware(
        Guard,
        access=Access(hosts=hosts),
        limits=services.limits,
        stopping=services.stopping,
        headers_of=collect_headers,
    )
    return app
