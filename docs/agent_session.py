"""Run the session that docs/agents.md shows, with the official client, and write it down there.

``python docs/agent_session.py FOLDER``: the folder is the manual of PostgreSQL 15 in HTML, as
Debian's package postgresql-doc-15 has it. What a model would decide stands here as code: what to
call next, from what the last call gave.
"""

from __future__ import annotations

import asyncio
import json
import os
import sys
from pathlib import Path
from typing import Any

from mcp import Client, StdioServerParameters
from mcp_types import TextContent

PAGE = Path(__file__).parent / "agents.md"
BEGIN, END = "<!-- the session, made by agent_session.py -->\n", "<!-- end of the session -->"
ELSEWHERE = "file:///home/me/postgresql-15"
"""Stands for where the manual lies."""


class Session:
    """Calls tools, and keeps what was said."""

    def __init__(self, client: Client, folder: Path) -> None:
        self._client = client
        self._here = folder.as_uri()
        self.lines: list[str] = []

    def think(self, words: str) -> None:
        """Why the next call is made."""
        self.lines += [f"*{words}*", ""]

    async def call(self, tool: str, /, **arguments: Any) -> dict[str, Any]:
        """Call a tool; its structured result, or nothing where it failed."""
        steps: list[str] = []

        async def note(progress: float, total: float | None, message: str | None) -> None:
            steps.append(f"· {message}")

        result = await self._client.call_tool(tool, arguments, progress_callback=note)
        (content,) = result.content
        assert isinstance(content, TextContent)
        failed = " (an error)" if result.is_error else ""
        self.lines += [
            "```text",
            f"→ {tool} {json.dumps(arguments, ensure_ascii=False)}",
            *steps,
            f"←{failed}",
            *(line.rstrip() for line in content.text.splitlines()),
            "```",
            "",
        ]
        return result.structured_content or {}

    def show(self, value: Any) -> None:
        """A part of a structured result."""
        text = json.dumps(value, indent=2, ensure_ascii=False).replace(self._here, ELSEWHERE)
        self.lines += ["```json", text, "```", ""]


async def play(folder: Path) -> list[str]:
    """The whole session."""
    arguments = ["-m", "lacuna", "mcp", "--corpus", str(folder)]
    server = StdioServerParameters(command=sys.executable, args=arguments, env=dict(os.environ))
    async with Client(server) as client:
        session = Session(client, folder)
        await vacuuming(session)
    return session.lines


async def vacuuming(session: Session) -> None:
    """A user asks: our table bloats; when does autovacuum come, and may we run VACUUM FULL?"""
    session.think("What is there on the subject?")
    listed = await session.call("list_documents", title_contains="vacuum", limit=3)
    assert listed["documents"]
    session.think("When autovacuum comes is a number: ask for it.")
    await session.call("ask", question="What is the default of autovacuum_vacuum_threshold?")
    session.think("It is not said in these words. The same in other words:")
    answer = await session.call(
        "ask",
        question="How many tuples must be updated or deleted before autovacuum vacuums a table by "
        "default?",
    )
    session.think("The same as a program gets it, in part:")
    session.show({key: answer[key] for key in ("degree", "confidence", "answer", "sources")})
    session.think("What else counts? Search, and read around the best passage.")
    found = await session.call(
        "search", query="vacuum base threshold scale factor number of tuples", limit=1
    )
    passage = found["passages"][0]
    before = max(0, passage["start"] - 600)
    await session.call("read_document", document=passage["uri"], start=before, max_chars=1_000)
    session.think("And VACUUM FULL?")
    await session.call("ask", question="Can VACUUM FULL run inside a transaction block?")
    await session.call("ask", question="What lock does VACUUM FULL require?", alternatives=1)
    session.think("How do the pages on both hang together? The title is not quite right at first.")
    goal = "Automatic Vacuumming"
    if not await session.call("find_path", from_document="vacuumdb", to_document=goal):
        await session.call(
            "find_path", from_document="vacuumdb", to_document="20.10. Automatic Vacuuming"
        )
    await session.call("follow_links", document="VACUUM", limit=2)
    session.think("Something that no manual says:")
    await session.call(
        "ask", question="How many kilobytes does the autovacuum launcher use on Windows 11?"
    )


def main(folder: Path) -> None:
    """Write the session into the page."""
    lines = asyncio.run(play(folder.resolve()))
    before, _, rest = PAGE.read_text(encoding="utf-8").partition(BEGIN)
    _, _, after = rest.partition(END)
    text = "\n".join(lines).strip("\n")
    PAGE.write_text(f"{before}{BEGIN}\n{text}\n\n{END}{after}", encoding="utf-8")


if __name__ == "__main__":
    main(Path(sys.argv[1]))
