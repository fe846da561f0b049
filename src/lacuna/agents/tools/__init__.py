"""The tools that an agent is given, each with its arguments, its result and its words."""

from typing import Any

from lacuna.agents.agent_tool import AgentTool
from lacuna.agents.tools.ask import ASK
from lacuna.agents.tools.find_path import FIND_PATH
from lacuna.agents.tools.follow_links import FOLLOW_LINKS
from lacuna.agents.tools.list_documents import LIST_DOCUMENTS
from lacuna.agents.tools.read_document import READ_DOCUMENT
from lacuna.agents.tools.search import SEARCH

TOOLS: tuple[AgentTool[Any, Any], ...] = (
    SEARCH,
    ASK,
    READ_DOCUMENT,
    FOLLOW_LINKS,
    FIND_PATH,
    LIST_DOCUMENTS,
)
"""In the order in which an agent sees them."""
