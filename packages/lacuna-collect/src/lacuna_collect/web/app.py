"""The collecting server's app, and how it runs."""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from typing import Any

from fastapi import FastAPI

from lacuna.version import __version__
from lacuna.web.access import Access, AllowedHosts
from lacuna.web.listening import listen, run_app
from lacuna.web.security import Guard, shape_errors
from lacuna_collect.live.dialogs import Dialogs
from lacuna_collect.live.hub import LiveHub
from lacuna_collect.project import CollectProject, ExportProcess
from lacuna_collect.tasks.task import LiveTask
from lacuna_collect.web.people import own_router, people_router, session_router
from lacuna_collect.web.routes import (
    add_collect_pages,
    console_router,
    crowd_router,
    export_router,
    live_router,
    review_router,
    steps_router,
    work_router,
)
from lacuna_collect.web.services import (
    SOCKET_MESSAGE,
    AsciiJsonResponse,
    CollectServices,
    DatasetArchive,
    KeptWhileCostly,
    ModelLoop,
    collect_headers,
    shape_refusals,
)
from lacuna_collect.work.items import OpenItems


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
        services.loop.close()

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
    for router in (
        session_router, work_router, steps_router, live_router, own_router, review_router,
        console_router, export_router, people_router, crowd_router,
    ):  # fmt: skip
        app.include_router(router)
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


def app_of_project(
    project: CollectProject,
    *,
    hosts: AllowedHosts,
    secure: bool = False,
    open_reader: Callable[[], Any],
    archive: DatasetArchive | None = None,
) -> FastAPI:
    """The app over an opened project; without an ``archive``, it exports in this process."""
    services = CollectServices(
        title=project.folder.resolve().name,
        database=project.database,
        work=project.work,
        accounts=project.accounts,
        crowd=project.crowd,
        loop=ModelLoop(project.database, project.work, open_reader),
        open_items=OpenItems(project.database),
        # It reads all accepted work, which would hold up everybody who saves.
        agreement=KeptWhileCostly(lambda: project.family.agreement(project.work.finished.all())),
        archive=archive or DatasetArchive(project.export),
        live={
            task.name: LiveHub(Dialogs(project.database, project.work.tasks, task, task.task))
            for task in project.tasks
            if isinstance(task.task, LiveTask)
        },
        secure=secure,
    )
    return make_collect_app(services, hosts)


def run_collect_server(
    project: CollectProject,
    *,
    host: str,
    port: int,
    hosts: AllowedHosts,
    secure: bool,
    model: str,
    ready: Callable[[str], None],
) -> None:
    """Serve until stopped; ``ready`` is called with the address when people can log in."""

    def open_reader() -> Any:
        from lacuna.models.registry import open_reader as open_model  # onnxruntime takes a second

        return open_model(model)

    with listen(host, port) as listening:
        exporting = ExportProcess(project.folder)
        app = app_of_project(
            project,
            hosts=hosts,
            secure=secure,
            open_reader=open_reader,
            archive=DatasetArchive(exporting, exporting.close),
        )
        run_app(listening, host, app, lambda address: ready(f"{address}collect/"))
