"""How connections are taken."""

from __future__ import annotations

import socket

from lacuna.web.listening import listen


def test_answers_do_not_wait_for_their_headers_to_be_confirmed() -> None:
    with (
        listen("127.0.0.1", 0) as listening,
        socket.create_connection(listening.getsockname()),
        listening.accept()[0] as accepted,
    ):
        assert accepted.getsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY)
