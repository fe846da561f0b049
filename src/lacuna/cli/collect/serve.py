"""``lacuna collect serve``: the server on which people work."""

from __future__ import annotations

import sys
from typing import Annotated

import typer

from lacuna.cli.collect.project_argument import ProjectFolder
from lacuna.cli.options import Model


def serve(
    project: ProjectFolder,
    host: Annotated[
        str, typer.Option(help="The address to listen on; 0.0.0.0 lets other machines in.")
    ] = "127.0.0.1",
    port: Annotated[int, typer.Option(min=0, max=65535, help="0: any that is free.")] = 8430,
    allow_host: Annotated[
        list[str] | None,
        typer.Option(
            metavar="NAME",
            help="A name that the server is reached under, such as work.example.org; can be given "
            "several times. Its addresses in numbers, and localhost, need no option.",
            show_default=False,
        ),
    ] = None,
    https: Annotated[
        bool,
        typer.Option(
            "--https",
            help="People reach it under https, by a proxy before it: cookies are for https alone.",
        ),
    ] = False,
    model: Model = "small",
) -> None:
    """Let people work on a project in the browser, and see how far it is.

    Workers, reviewers and requesters log in with accounts that `lacuna collect invite` lets them
    make. Only this machine can reach it unless --host says otherwise; others need https before it,
    since passwords are typed. Ctrl+C ends it, and nothing is lost.
    """
    from lacuna.cli.collect.project_argument import opened_project
    from lacuna.cli.console import notify, say

    with opened_project(project) as opened:
        from lacuna.collect.web.run import run_collect_server
        from lacuna.server.access.hosts import AllowedHosts, is_loopback

        def ready(address: str) -> None:
            say(f"Lacuna collects at {address}")
            sys.stdout.flush()  # whoever started it may wait for this line
            if not is_loopback(host) and not https:
                notify(
                    "Passwords are sent unencrypted. Put TLS before it, and give --https, before "
                    "you invite anybody."
                )

        run_collect_server(
            opened,
            host=host,
            port=port,
            hosts=AllowedHosts.of(host, allow_host or []),
            secure=https,
            model=model,
            ready=ready,
        )
