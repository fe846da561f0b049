"""Documents as resources, with the official client."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import TypeVar

import pytest
from agent_parts import run, server_over
from mcp import Client
from mcp.shared.exceptions import MCPError
from mcp_types import TextResourceContents
from stand_in import StandIn

from lacuna.corpus.store import Store
from lacuna.mcp.documents import PAGE
from lacuna.retrieve.windows import with_sentences
from lacuna.types import Document

T = TypeVar("T")


def session(store: Store, work: Callable[[Client], Awaitable[T]]) -> T:
    """Do something with a client."""

    async def work_with_it() -> T:
        async with Client(server_over(StandIn(store))) as client:
            try:
                return await work(client)
            except MCPError as error:  # within the block it would become a group of errors
                refused = error
        raise refused

    return run(work_with_it())


def read(store: Store, address: str) -> str:
    result = session(store, lambda client: client.read_resource(address))
    (contents,) = result.contents
    assert isinstance(contents, TextResourceContents)
    return contents.text


def test_all_documents_are_listed_page_by_page(tmp_path: Path) -> None:
    titles = [f"Note {number}" for number in range(2 * PAGE + 5)]
    with Store.create(tmp_path) as store:
        with store.writer() as writer:
            writer.add([with_sentences(Document(title, "A note.")) for title in titles])

        async def names(client: Client) -> list[str]:
            listed: list[str] = []
            cursor = None
            while True:
                page = await client.list_resources(cursor=cursor)
                listed += [resource.name for resource in page.resources]
                cursor = page.next_cursor
                if cursor is None:
                    return listed

        assert session(store, names) == titles


def test_the_addresses_that_are_listed_can_be_read(store: Store) -> None:
    listed = session(store, lambda client: client.list_resources()).resources
    assert len({resource.uri for resource in listed}) == len(store)
    for resource in listed:
        text = store.document(resource.name).text
        assert read(store, resource.uri) == text
        assert resource.size == len(text.encode())


def test_a_part_of_a_document_tells_where_it_goes_on(store: Store) -> None:
    text = store.document("Long").text
    address: str | None = "lacuna://documents/Long?max_chars=1500"
    seen = ""
    while address:
        part, more, rest = read(store, address).partition("\n\n[It goes on, ")
        seen += part
        address = rest.rpartition(" ")[2].rstrip("]") + "&max_chars=1500" if more else None
    assert seen == text


def test_the_template_names_the_document_and_the_part(store: Store) -> None:
    (template,) = session(store, lambda client: client.list_resource_templates()).resource_templates
    assert template.uri_template == "lacuna://documents/{title}{?start,max_chars}"


@pytest.mark.parametrize(
    ("address", "told"),
    [
        ("lacuna://documents/Marow", "'Marrow'"),
        ("lacuna://documents/Marrow?start=9999", "smaller start"),
        ("lacuna://documents/Marrow?start=-1", "0 or more"),
        ("lacuna://documents/Marrow?max_chars=1", "from 200"),
        ("lacuna://documents/..%2F..%2Fetc%2Fpasswd", "There is no document"),
        ("file:///etc/passwd", "no address of a document"),
    ],
)
def test_what_cannot_be_read_is_refused_in_words(store: Store, address: str, told: str) -> None:
    with pytest.raises(MCPError, match=told):
        read(store, address)


@pytest.mark.parametrize("cursor", ["x", "-1", "9" * 50, "²"])
def test_a_cursor_of_another_list_is_refused(store: Store, cursor: str) -> None:
    with pytest.raises(MCPError, match="is no cursor"):
        session(store, lambda client: client.list_resources(cursor=cursor))


def test_a_cursor_behind_the_end_gives_nothing(store: Store) -> None:
    assert session(store, lambda client: client.list_resources(cursor="99999")).resources == []
