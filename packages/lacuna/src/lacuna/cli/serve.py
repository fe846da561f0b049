"""`lacuna serve` and `lacuna mcp`: the page, and the door for agents."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Annotated

import typer

from lacuna.cli.options import (
    Corpora,
    Host,
    HostNames,
    Knowledge,
    ModelName,
    NoToken,
    Port,
    TokenFile,
    Watch,
)


def serve(
    corpus: Corpora = None,
    knowledge: Knowledge = None,
    host: Host = "127.0.0.1",
    port: Port = 8420,
    allow_host: HostNames = None,
    allow_folder: Annotated[
        list[Path] | None,
        typer.Option(
            metavar="DIR",
            help="Let people open this folder, and all in it, from the page. Give it several times "
            "for several folders; without it, they open only those of --corpus.",
            exists=True,
            file_okay=False,
            show_default=False,
        ),
    ] = None,
    token_file: TokenFile = None,
    no_token: NoToken = False,
    model: Annotated[
        list[str] | None,
        typer.Option(
            metavar="NAME|DIR",
            help="A shipped model, a folder with one, or llm:NAME for a language model behind "
            "LACUNA_LLM_URL; without it, that of `lacuna config`, or else small. Give it several "
            "times to let people choose; the first is the usual one. The page's settings also "
            "find Ollama, LM Studio, llama.cpp and vLLM on this machine.",
            show_default=False,
        ),
    ] = None,
    watch: Watch = False,
    feedback: Annotated[
        Path | None,
        typer.Option(
            metavar="FILE",
            help="Take feedback on answers and keep it in this file, as questions for testing: "
            "`lacuna data check real FILE` reads them.",
            show_default=False,
        ),
    ] = None,
) -> None:
    """Ask in the browser, or over JSON.

    Open the address that it prints: it carries a token, and the server answers nobody without it.
    /docs describes the JSON interface. Only this machine can reach the server unless you give
    --host. Without --corpus, questions go to the demo. Ctrl+C ends it.
    """
    from lacuna.cli.console import notify
    from lacuna.cli.options import (
        chosen_confidence,
        chosen_corpora,
        chosen_model,
        chosen_threads,
        open_with_bar,
    )
    from lacuna.cli.settings import server_settings
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

    settings = server_settings()
    if settings.keep_in is not None and feedback is not None:
        raise LacunaError(
            "With LACUNA_KEEP_IN, feedback is kept there too. Leave --feedback out; `lacuna data "
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
        models=model or [chosen_model()],
        threads=chosen_threads(),
        workers=settings.workers,
        config=PipelineConfig(min_confidence=chosen_confidence()),
        watch=watch,
        feedback=feedback,
        keep_in=settings.keep_in,
        metrics_open=settings.metrics_open,
        drain_seconds=settings.drain,
        log=LogForm(settings.log),
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
    allow_host: HostNames = None,
    token_file: TokenFile = None,
    no_token: NoToken = False,
    model: ModelName = None,
    watch: Watch = False,
) -> None:
    """Let assistants ask and read your documents.

    It speaks the Model Context Protocol. An assistant starts it by itself and speaks to it over
    standard input and output; docs/agents.md has the few lines that tell it how. With --http it
    serves several at once, and asks for a token. It only reads, and nothing leaves this machine.
    """
    from lacuna.errors import LacunaError, needs

    with needs("agents", "`lacuna mcp`"):
        import mcp  # noqa: F401
    from lacuna import demo
    from lacuna.cli.console import notify, say
    from lacuna.cli.options import (
        chosen_confidence,
        chosen_corpora,
        chosen_model,
        chosen_threads,
    )
    from lacuna.cli.settings import server_settings
    from lacuna.mcp.server import AgentSettings, run_http, run_stdio
    from lacuna.pipeline.config import PipelineConfig

    corpora = chosen_corpora(corpus)
    config = PipelineConfig(min_confidence=chosen_confidence())
    threads, workers = chosen_threads(), server_settings().workers
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
