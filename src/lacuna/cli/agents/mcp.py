"""``lacuna mcp``: the corpus as tools of an assistant."""

from __future__ import annotations

import sys
from importlib.util import find_spec
from pathlib import Path
from typing import Annotated

import typer

from lacuna.cli.options import Corpora, MinConfidence, SystemModel, Threads, Watch


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
    from lacuna.errors import LacunaError

    if find_spec("mcp") is None:
        raise LacunaError(
            "`lacuna mcp` needs mcp. Install it with: pip install 'lacuna-qa[agents]'"
        )
    from lacuna.agents.run import AgentSettings, run_http, run_stdio
    from lacuna.assets import demo
    from lacuna.cli.console import notify, say
    from lacuna.cli.settings.chosen import chosen_confidence, chosen_corpora, chosen_model
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
    from lacuna.cli.opening import open_with_bar
    from lacuna.server.access.access import Access
    from lacuna.server.access.hosts import AllowedHosts, is_loopback
    from lacuna.server.access.tokens import new_token, tokens_of_file

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
