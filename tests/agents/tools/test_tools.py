"""What each tool gives, with the official client."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import pytest
from agent_parts import run, server_over, text_of, values_of
from mcp import Client
from mcp_types import CallToolResult
from stand_in import StandIn

from lacuna.corpus.store import Store
from lacuna.web.limits import Limits

Call = Callable[..., CallToolResult]
NAMES = ["search", "ask", "read_document", "follow_links", "find_path", "list_documents"]


def sources_in(value: Any) -> Iterator[dict[str, Any]]:
    """Every source of a result, wherever it stands."""
    if isinstance(value, dict):
        if "quote" in value:
            yield value
        for inner in value.values():
            yield from sources_in(inner)
    elif isinstance(value, list):
        for inner in value:
            yield from sources_in(inner)


@pytest.mark.parametrize(
    ("tool", "arguments"),
    [
        ("search", {"query": "ferry built"}),
        ("ask", {"question": "What is the Marrow?", "document": "Marrow"}),
        ("ask", {"question": "Nothing to find", "document": "marrow"}),
        ("read_document", {"document": "Long", "start": 700, "max_chars": 500}),
        ("follow_links", {"document": "Marrow"}),
        ("follow_links", {"document": "Ada Quill", "direction": "in"}),
        ("find_path", {"from_document": "Marrow", "to_document": "Ada Quill"}),
        ("list_documents", {"limit": 3}),
    ],
)
def test_every_result_quotes_its_sources_word_for_word(
    call: Call, store: Store, tool: str, arguments: dict[str, Any]
) -> None:
    result = call(tool, **arguments)
    sources = list(sources_in(values_of(result)))
    assert sources
    for source in sources:
        document = store.document(source["document"])
        assert document.text[source["start"] : source["end"]] == source["quote"]
        assert source["place"].partition(":")[0].endswith(".md")
        assert source["url"].startswith("file://")
        assert source["uri"].startswith("lacuna://documents/")
    assert sources[0]["place"] in text_of(result)


def test_tools_say_that_they_only_read_and_describe_every_argument(store: Store) -> None:
    async def tools() -> list[Any]:
        async with Client(server_over(StandIn(store))) as client:
            return (await client.list_tools()).tools

    listed = run(tools())
    assert [tool.name for tool in listed] == NAMES
    for tool in listed:
        assert tool.annotations.read_only_hint
        assert not tool.annotations.open_world_hint
        assert len(tool.description) > 100
        assert tool.output_schema["type"] == "object"
        for name, argument in tool.input_schema["properties"].items():
            assert argument.get("description"), (tool.name, name)


def test_the_definitions_of_all_tools_are_short(store: Store) -> None:
    async def listed() -> str:
        async with Client(server_over(StandIn(store))) as client:
            return (await client.list_tools()).model_dump_json(by_alias=True, exclude_none=True)

    assert len(run(listed())) < 8_000, "an assistant reads them in every session"


def test_an_answer_is_typed_and_tells_how_sure_it_is(call: Call) -> None:
    result = call("ask", question="What is the Marrow?", document="Marrow")
    answer = values_of(result)
    assert answer["answer"]["kind"] == "span"
    assert (answer["degree"], answer["confidence"]) == ("answer", 0.5)
    assert "The Marrow is a ferry." in text_of(result)
    assert "Answer (50% sure)" in text_of(result)


def test_no_answer_says_what_is_missing_and_where_it_was_looked_for(call: Call) -> None:
    result = call("ask", question="Nothing to find", document="Marrow")
    answer = values_of(result)
    assert answer["answer"] is None
    assert answer["degree"] == "none"
    (gap,) = answer["missing"]
    assert (gap["missing"], gap["looked_in"]) == ("a question", ["Marrow"])
    assert (gap["dangling"], gap["unread_files"]) == (["Port Ellery"], 3)
    assert answer["nearest"]["quote"] == "The Marrow is a ferry."
    for word in ("No answer was found", "a question", "Looked in: Marrow", "Port Ellery"):
        assert word in text_of(result)


def test_no_answer_brings_the_likeliest_ones(store: Store) -> None:
    answerer = StandIn(store)
    answerer.changes["alternatives"] = tuple(
        answerer.other("Marrow", text, 0.3 - number / 20)
        for number, text in enumerate(("a ferry", "Ada Quill", "1931", "The Marrow"))
    )

    async def ask(question: str) -> CallToolResult:
        async with Client(server_over(answerer)) as client:
            return await client.call_tool("ask", {"question": question, "document": "Marrow"})

    none = run(ask("Nothing to find"))
    others = values_of(none)["alternatives"]
    assert [one["answer"]["text"] for one in others] == ["a ferry", "Ada Quill", "1931"]
    assert others[0]["sources"][0]["quote"] == "The Marrow is a ferry."
    assert "Perhaps: a ferry (30%)" in text_of(none)
    assert values_of(run(ask("What is the Marrow?")))["alternatives"] == []


def test_a_long_document_is_read_page_by_page(call: Call, store: Store) -> None:
    text, start, first = "", 0, True
    while start is not None:
        page = values_of(call("read_document", document="Long", start=start, max_chars=1_000))
        assert len(page["source"]["quote"]) <= 1_000
        assert bool(page["outline"]) is first
        text += page["source"]["quote"]
        start, first = page["next_start"], False
    assert text == store.document("Long").text


def test_headings_lead_to_their_parts(call: Call) -> None:
    outline = values_of(call("read_document", document="Long", max_chars=300))["outline"]
    part = next(one for one in outline if one["path"][-1] == "Part 4")
    page = values_of(call("read_document", document="Long", start=part["start"], max_chars=300))
    assert "Sentence 4.0 is here." in page["source"]["quote"]


def test_search_pages_through_all_hits_within_its_limit_of_characters(call: Call) -> None:
    seen: list[tuple[str, int]] = []
    skip: int | None = 0
    while skip is not None:
        found = values_of(call("search", query="sentence", skip=skip, limit=4, max_chars=900))
        assert sum(len(one["quote"]) for one in found["passages"]) <= 900
        seen += [(one["document"], one["start"]) for one in found["passages"]]
        skip = found["next_skip"]
    assert len(seen) == len(set(seen)) > 8


def test_search_can_stay_in_one_document(call: Call) -> None:
    found = values_of(call("search", query="built sentence", document="Marrow"))
    assert {one["document"] for one in found["passages"]} == {"Marrow"}
    assert "Nothing matches" in text_of(call("search", query="zeppelin"))


def test_links_name_what_is_not_there(call: Call) -> None:
    links = values_of(call("follow_links", document="Ada Quill"))["links"]
    assert [(one["document"], one["target"]) for one in links] == [(None, "Port Ellery")]
    into = values_of(call("follow_links", document="Ada Quill", direction="in"))
    assert [one["document"] for one in into["links"]] == ["Marrow"]
    assert "[[" not in into["links"][0]["source"]["quote"]


def test_a_path_is_looked_for_in_both_directions(call: Call) -> None:
    there = values_of(call("find_path", from_document="Marrow", to_document="Ada Quill"))
    assert [stop["document"] for stop in there["stops"]] == ["Marrow", "Ada Quill"]
    assert not there["backwards"]
    back = values_of(call("find_path", from_document="Ada Quill", to_document="Marrow"))
    assert [stop["document"] for stop in back["stops"]] == ["Marrow", "Ada Quill"]
    assert back["backwards"]
    none = values_of(call("find_path", from_document="Marrow", to_document="Long"))
    assert (none["found"], none["stops"]) == (False, [])


def test_documents_of_the_same_title_are_told_apart(call: Call) -> None:
    listed = values_of(call("list_documents", title_contains="plan"))["documents"]
    assert sorted(one["title"] for one in listed) == ["Plan (2023)", "Plan (2024)"]
    addresses = [one["begins"]["uri"] for one in listed]
    texts = {
        values_of(call("read_document", document=address))["source"]["quote"].split()[-2]
        for address in addresses
    }
    assert texts == {"old", "new"}


def test_list_documents_pages_through_all(call: Call, store: Store) -> None:
    titles: list[str] = []
    skip: int | None = 0
    while skip is not None:
        page = values_of(call("list_documents", limit=2, skip=skip))
        assert page["documents_in_all"] == len(store)
        titles += [one["title"] for one in page["documents"]]
        skip = page["next_skip"]
    assert titles == list(store.titles())


def test_an_unknown_document_gets_the_nearest_titles(call: Call) -> None:
    for tool, arguments in (
        ("read_document", {"document": "Ada Quil"}),
        ("follow_links", {"document": "lacuna://documents/Ada%20Quil"}),
        ("ask", {"question": "Who?", "document": "Ada Quil"}),
        ("search", {"query": "who", "document": "Ada Quil"}),
        ("find_path", {"from_document": "Marrow", "to_document": "Ada Quil"}),
    ):
        result = call(tool, **arguments)
        assert result.is_error
        assert "'Ada Quill'" in text_of(result), tool


HOSTILE: list[tuple[str, dict[str, Any]]] = [
    ("read_document", {}),
    ("read_document", {"document": ""}),
    ("read_document", {"document": "x" * 100_000}),
    ("read_document", {"document": "\x00"}),
    ("read_document", {"document": "../../etc/passwd"}),
    ("read_document", {"document": "file:///etc/passwd"}),
    ("read_document", {"document": ["Marrow"]}),
    ("read_document", {"document": "Marrow", "start": -1}),
    ("read_document", {"document": "Marrow", "start": 10**30}),
    ("read_document", {"document": "Marrow", "start": 5_000}),
    ("read_document", {"document": "Marrow", "max_chars": 10**9}),
    ("read_document", {"document": "Marrow", "max_chars": "many"}),
    ("read_document", {"document": "Marrow", "extra": 1}),
    ("search", {"query": ""}),
    ("search", {"query": '"" ""'}),
    ("search", {"query": "a" * 5_000}),
    ("search", {"query": "ferry", "limit": 0}),
    ("search", {"query": "ferry", "skip": 10**9}),
    ("ask", {"question": "\u0007\u0000 \n"}),
    ("ask", {"question": "?" * (Limits().question + 1)}),
    ("ask", {"question": {"$ne": None}}),
    ("ask", {"question": "Who?", "alternatives": 99}),
    ("follow_links", {"document": "Marrow", "direction": "sideways"}),
    ("find_path", {"from_document": "Marrow"}),
    ("list_documents", {"limit": float("inf")}),
    ("list_documents", {"title_contains": 7}),
    ("no_such_tool", {}),
    ("__class__", {"x": "y"}),
]


@pytest.mark.parametrize(("tool", "arguments"), HOSTILE)
def test_what_cannot_be_done_is_told_in_a_sentence(
    call: Call, tool: str, arguments: dict[str, Any]
) -> None:
    result = call(tool, **arguments)
    assert result.is_error
    assert 20 < len(text_of(result)) < 1_500
    assert "Traceback" not in text_of(result)
    assert "went wrong here" not in text_of(result)


@pytest.mark.parametrize("query", ["* OR title:", "a AND NOT (", "\\", '"half', "💣", "'; --"])
def test_a_query_is_only_words(call: Call, query: str) -> None:
    assert "went wrong here" not in text_of(call("search", query=query))


def test_others_are_not_told_where_files_lie(store: Store) -> None:
    async def read() -> CallToolResult:
        async with Client(server_over(StandIn(store), local=False)) as client:
            return await client.call_tool("read_document", {"document": "Marrow"})

    result = run(read())
    assert values_of(result)["source"]["url"] == ""
    assert str(store.derived.parent) not in result.model_dump_json()
