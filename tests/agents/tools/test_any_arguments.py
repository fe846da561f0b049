"""Any arguments at all: a result that JSON can hold, or a sentence."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from stand_in import StandIn

from lacuna.corpus.store import Store
from lacuna.errors import LacunaError
from lacuna.mcp.documents import AgentTool, Library
from lacuna.mcp.tools import TOOLS

TITLES = st.sampled_from(["Marrow", "ada_quill", "Plan", "Long", "lacuna://documents/Long"])
SCALARS = st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=40) | TITLES
VALUES = SCALARS | st.lists(SCALARS, max_size=2) | st.dictionaries(st.text(), SCALARS, max_size=2)
FITTING = {
    "question": st.text(max_size=60),
    "query": st.text(max_size=60) | st.sampled_from(["sentence", '"is here"', "ferry"]),
    "document": TITLES | st.text(max_size=20),
    "from_document": TITLES,
    "to_document": TITLES,
    "direction": st.sampled_from(["in", "out"]),
    "title_contains": st.text(max_size=10),
}
NUMBERS = st.integers(-5, 30_000)


@st.composite
def arguments(draw: st.DrawFn, tool: AgentTool) -> dict[str, Any]:
    names = [name for name in tool.arguments.model_fields if draw(st.integers(0, 9)) < 7]
    strange = draw(st.integers(0, 4)) == 0
    given_ = {name: draw(VALUES if strange else FITTING.get(name, NUMBERS)) for name in names}
    return {**given_, draw(st.text(max_size=5)): 1} if strange else given_


@pytest.mark.parametrize("tool", TOOLS, ids=lambda tool: tool.name)
@settings(max_examples=40, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(data=st.data())
def test_any_arguments(store: Store, tool: AgentTool, data: st.DataObject) -> None:
    library = Library(StandIn(store), local=True)
    wanted = data.draw(arguments(tool))
    try:
        told, values = tool.run(library, tool.parse(wanted), lambda _: None)
    except LacunaError as refused:
        told, values = str(refused), {}
    assert told.encode("utf-8")
    assert json.loads(json.dumps(values, allow_nan=False)) == values
