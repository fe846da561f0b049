"""From a project to a running server."""

from __future__ import annotations

import logging.config
from collections.abc import Callable
from typing import Any

from fastapi import FastAPI

from lacuna.collect.export_process import ExportProcess
from lacuna.collect.live.dialogs import Dialogs
from lacuna.collect.live.hub import LiveHub
from lacuna.collect.project import CollectProject
from lacuna.collect.tasks.live_task import LiveTask
from lacuna.collect.web.app import make_collect_app
from lacuna.collect.web.dataset_archive import DatasetArchive
from lacuna.collect.web.kept_while_costly import KeptWhileCostly
from lacuna.collect.web.model_loop import ModelLoop
from lacuna.collect.web.services import CollectServices
from lacuna.collect.work.open_items import OpenItems
from lacuna.server.access.hosts import AllowedHosts
from lacuna.server.connections.listening import address_of, bounded_server, listen
from lacuna.server.connections.quiet_logs import log_settings


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
        ready(address_of(host, listening.getsockname()[1]) + "collect/")
        logging.config.dictConfig(log_settings())
        bounded_server(app).run(sockets=[listening])
