"""`lacuna serve` and `lacuna mcp`: the page, and the door for agents."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Annotated

import typer

from lacuna.cli.options import Corpora, Knowledge, MinConfidence, SystemModel, Threads, Watch


def serve(
    corpus: Corpora = None,
    knowledge: Knowledge = None,
    host: Annotated[
        str, typer.Option(help="The address to listen on; 0.0.0.0 lets other machines in.")
    ] = "127.0.0.1",
    port: Annotated[int, typer.Option(min=0, max=65535, help="0: any that is free.")] = 8420,
    allow_host: Annotated[
        list[str] | None,
        typer.Option(
            metavar="NAME",
            help="A name that the server is reached under, such as notes.example.org; can be "
            "given several times. Its addresses in numbers, and localhost, need no option.",
            show_default=False,
        ),
    ] = None,
    allow_folder: Annotated[
        list[Path] | None,
        typer.Option(
            metavar="DIR",
            help="A folder that may be opened from the page, with all that is in it; can be given "
            "several times. Without it, only those of --corpus.",
            exists=True,
            file_okay=False,
            show_default=False,
        ),
    ] = None,
    token_file: Annotated[
        Path | None,
        typer.Option(
            metavar="FILE",
            help="Keep the token in this file, so that it is the same after every start; it is "
            "made, for you alone, where there is none. Several people: a line for each, and none "
            "sees what another asks and uploads.",
            show_default=False,
        ),
    ] = None,
    no_token: Annotated[
        bool,
        typer.Option(
            "--no-token",
            help="Ask for no token: everybody who can reach the address, every user of this "
            "machine too, can read what is open, ask, and upload.",
        ),
    ] = False,
    model: Annotated[
        list[str] | None,
        typer.Option(
            metavar="NAME|DIR",
            help="A shipped model, or a folder with one; without it that of `lacuna config`, or "
            "else small. Given several times, the page lets people choose; the first is the usual.",
            show_default=False,
        ),
    ] = None,
    threads: Threads = None,
    workers: Annotated[
        int, typer.Option(min=1, max=8, help="Questions that are answered at the same time.")
    ] = 1,
    min_confidence: MinConfidence = None,
    watch: Watch = False,
    feedback: Annotated[
        Path | None,
        typer.Option(
            metavar="FILE",
            help="Take feedback on answers, and keep it in this file, as questions for testing: "
            "`lacuna data check real FILE` reads them.",
            show_default=False,
        ),
    ] = None,
    keep_in: Annotated[
        str | None,
        typer.Option(
            metavar="URL",
            help="Keep answers and feedback where several servers share them: "
            "postgresql://user:password@host/name or redis://host:6379/0. Without it, answers "
            "are kept in memory.",
            envvar="LACUNA_KEEP_IN",
            show_default=False,
        ),
    ] = None,
    drain: Annotated[
        float,
        typer.Option(
            min=0,
            max=3600,
            metavar="SECONDS",
            help="How long questions that are being answered have when the server is to end.",
        ),
    ] = 5.0,
    metrics_open: Annotated[
        bool,
        typer.Option(
            "--metrics-open",
            help="Give /metrics to everybody who can reach the address, without the token.",
        ),
    ] = False,
    log: Annotated[
        str,
        typer.Option(
            metavar="plain|json",
            help="How the log is written; as JSON it has a line for each request too.",
        ),
    ] = "plain",
) -> None:
    """Ask in the browser: the page, and a JSON interface behind it (see /docs).

    Open the address that it prints: it carries a token, and who does not know it gets nothing. Only
    this machine can reach it unless --host says otherwise. Ctrl+C ends it.
    """
    from lacuna.cli.console import notify
    from lacuna.cli.options import chosen_confidence, chosen_corpora, chosen_model, open_with_bar
    from lacuna.errors import LacunaError
    from lacuna.pipeline.config import PipelineConfig
    from lacuna.serve.run import run_server
    from lacuna.web.access import (
        Access,
        AllowedHosts,
        is_loopback,
        tokens_of_environment,
        tokens_of_file,
    )
    from lacuna.web.listening import LogForm
    from lacuna.web.sessions import new_token

    if log not in list(LogForm):
        raise LacunaError(f"--log {log!r} is no form of a log. Give plain or json.")
    if keep_in is not None and feedback is not None:
        raise LacunaError(
            "With --keep-in, feedback is kept there too. Leave --feedback out; `lacuna data "
            "feedback` writes such a file from what was kept."
        )
    if no_token and token_file is not None:
        raise LacunaError("Give --token-file or --no-token, not both.")
    from_cluster = () if no_token or token_file else tokens_of_environment()
    if no_token:
        tokens: tuple[str, ...] = ()
    elif token_file:
        tokens = tokens_of_file(token_file)
    else:
        tokens = from_cluster or (new_token(),)
    access = Access(
        tokens,
        tokens_stay=bool(token_file or from_cluster),
        hosts=AllowedHosts.of(host, allow_host or []),
        folders=allow_folder or [],
        # A server that has a name is reached through a proxy, by people who sit elsewhere.
        local=is_loopback(host) and all(map(is_loopback, allow_host or [])),
    )

    def ready(address: str) -> None:
        # What a cluster starts is read by what collects logs.
        shown = address.partition("?")[0] if from_cluster else address
        print(f"Lacuna answers at {shown}", flush=True)
        if no_token:
            who = "Every user of this machine" if access.local else "Who can reach this machine"
            notify(f"{who} can read what is open here, ask, and upload: there is no token.")
        elif not access.local:
            notify(
                "Others open it under an address of this machine, with the same token. It is sent "
                "unencrypted; in a network that you do not trust, put TLS before it."
            )

    run_server(
        chosen_corpora(corpus),
        knowledge,
        host=host,
        port=port,
        access=access,
        models=model or [chosen_model(None)],
        threads=threads,
        workers=workers,
        config=PipelineConfig(min_confidence=chosen_confidence(min_confidence)),
        watch=watch,
        feedback=feedback,
        keep_in=keep_in,
        metrics_open=metrics_open,
        drain_seconds=drain,
        log=LogForm(log),
        open_store=open_with_bar,
        ready=ready,
    )


def mcp(
    corpus: Corpora = None,
    http: Annotated[
        str | None,
        typer.Option(
            metavar="HOST:PORT",
            help="Speak streamable HTTP there instead, such as 127.0.0.1:8425; 0.0.0.0 lets other "
            "machines in, port 0 is any that is free.",
            show_default=False,
        ),
    ] = None,
    allow_host: Annotated[
        list[str] | None,
        typer.Option(
            metavar="NAME",
            help="A name that the server is reached under with --http, such as notes.example.org; "
            "can be given several times. Addresses in numbers, and localhost, need no option.",
            show_default=False,
        ),
    ] = None,
    token_file: Annotated[
        Path | None,
        typer.Option(
            metavar="FILE",
            help="Keep the token for --http in this file, so that it is the same after every "
            "start; it is made, for you alone, where there is none.",
            show_default=False,
        ),
    ] = None,
    no_token: Annotated[
        bool,
        typer.Option(
            "--no-token",
            help="Ask for no token with --http: everybody who can reach the address, every user "
            "of this machine too, can read the documents.",
        ),
    ] = False,
    model: SystemModel = None,
    threads: Threads = None,
    workers: Annotated[
        int, typer.Option(min=1, max=8, help="Questions that are answered at the same time.")
    ] = 1,
    min_confidence: MinConfidence = None,
    watch: Watch = False,
) -> None:
    """Let assistants ask and read: the Model Context Protocol over the documents.

    An assistant starts it by itself and speaks to it over standard input and output; see
    docs/agents.md for the few lines that tell it how. With --http it serves several at once, and
    asks for a token. It reads only, and nothing leaves this machine.
    """
    from lacuna.errors import LacunaError, needs

    with needs("agents", "`lacuna mcp`"):
        import mcp  # noqa: F401
    from lacuna import demo
    from lacuna.cli.console import notify, say
    from lacuna.cli.options import chosen_confidence, chosen_corpora, chosen_model
    from lacuna.mcp.server import AgentSettings, run_http, run_stdio
    from lacuna.pipeline.config import PipelineConfig

    corpora = chosen_corpora(corpus)
    config = PipelineConfig(min_confidence=chosen_confidence(min_confidence))
    settings = AgentSettings(corpora, chosen_model(model), threads, workers, config, watch)
    if http is None:
        if token_file or no_token or allow_host:
            raise LacunaError(
                "--token-file, --no-token and --allow-host belong to --http: over standard input "
                "and output only the program that started it can ask."
            )
        if not corpora:
            notify(demo.ASKS_CORPUS)
        run_stdio(settings)
    from lacuna.cli.options import open_with_bar
    from lacuna.web.access import Access, AllowedHosts, is_loopback, tokens_of_file
    from lacuna.web.sessions import new_token

    if no_token and token_file is not None:
        raise LacunaError("Give --token-file or --no-token, not both.")
    host, port = _host_and_port(http)
    tokens = () if no_token else tokens_of_file(token_file) if token_file else (new_token(),)
    access = Access(tokens, hosts=AllowedHosts.of(host, allow_host or []), local=is_loopback(host))

    def ready(address: str) -> None:
        say(f"Lacuna speaks MCP at {address}")
        if tokens:
            say(f"Clients send the header  Authorization: Bearer {tokens[0]}")
        else:
            notify("Who can reach this address can read the documents: there is no token.")
        sys.stdout.flush()  # whoever started it may wait for this line
        if not access.local:
            notify(
                "What is sent, the token too, is not encrypted; in a network that you do not "
                "trust, put TLS before it."
            )

    run_http(settings, host=host, port=port, access=access, open_store=open_with_bar, ready=ready)


def _host_and_port(given: str) -> tuple[str, int]:
    from lacuna.errors import LacunaError

    host, _, port = given.rpartition(":")
    if not (port.isascii() and port.isdecimal() and int(port[:6]) <= 65535):
        raise LacunaError(
            f"--http {given!r} is no address. Give HOST:PORT, such as 127.0.0.1:8425; a port alone "
            "listens on this machine only."
        )
    return host.strip("[]") or "127.0.0.1", int(port)
