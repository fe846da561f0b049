"""From a board to a running server."""

from __future__ import annotations

import logging.config
from collections.abc import Callable

from lacuna.board.board import Board
from lacuna.board.scoring.scoring_queue import ScoringQueue
from lacuna.board.web.app import make_board_app
from lacuna.board.web.services import BoardServices
from lacuna.server.access.hosts import AllowedHosts
from lacuna.server.connections.listening import address_of, bounded_server, listen
from lacuna.server.connections.quiet_logs import log_settings


def run_board_server(
    board: Board,
    *,
    host: str,
    port: int,
    hosts: AllowedHosts,
    secure: bool,
    ready: Callable[[str], None],
) -> None:
    """Serve until stopped; ``ready`` is called with the address when the board can be opened."""
    with board.served_alone(), listen(host, port) as listening:
        services = BoardServices(board, ScoringQueue(board), secure)
        app = make_board_app(services, hosts)
        ready(address_of(host, listening.getsockname()[1]))
        logging.config.dictConfig(log_settings())
        bounded_server(app).run(sockets=[listening])
