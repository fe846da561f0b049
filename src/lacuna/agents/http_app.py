"""The protocol over streamable HTTP, behind the same guard as the page."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from mcp.server.lowlevel.server import Server
from mcp.server.transport_security import TransportSecuritySettings
from starlette.applications import Starlette

from lacuna.agents.calls import ToolCalls
from lacuna.server.access.access import Access
from lacuna.server.limits import Limits
from lacuna.server.problem_pages import AGENTS
from lacuna.server.security import Guard
from lacuna.server.stopping import Stopping


@dataclass(frozen=True, slots=True)
class AgentServices:
    """What a bounded server must know of its app."""

    limits: Limits
    stopping: Stopping


def make_http_app(
    server: Server[Any],
    calls: ToolCalls,
    access: Access,
    limits: Limits = Limits(),  # noqa: B008 - it is frozen
) -> Starlette:
    """The app; who has no token, and who comes under another name, gets nothing."""
    app = server.streamable_http_app(
        streamable_http_path=AGENTS,
        # The guard looks at names and origins, as the one who started the server allowed them.
        transport_security=TransportSecuritySettings(enable_dns_rebinding_protection=False),
        max_request_body_size=limits.body,
        max_sessions=limits.connections,
    )
    stopping = Stopping(calls.queues)
    app.state.services = AgentServices(limits, stopping)
    app.add_middleware(Guard, access=access, limits=limits, stopping=stopping)
    return app
