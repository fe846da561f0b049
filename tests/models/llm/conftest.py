"""A server on this machine, and a question for it."""

from __future__ import annotations

import threading
from collections.abc import Iterator

import pytest
from llm_stand_in import LLMStandIn

from lacuna.types import Document, Question


@pytest.fixture
def llm(monkeypatch: pytest.MonkeyPatch) -> Iterator[LLMStandIn]:
    """A server that the environment names."""
    stand_in = LLMStandIn()
    thread = threading.Thread(target=stand_in.server.serve_forever, args=(0.02,), daemon=True)
    thread.start()
    monkeypatch.setenv("LACUNA_LLM_URL", stand_in.url)
    monkeypatch.setenv("NO_PROXY", "127.0.0.1")
    for name in ("LACUNA_LLM_KEY", "LACUNA_LLM_MODEL", "LACUNA_LLM_TIMEOUT"):
        monkeypatch.delenv(name, raising=False)
    yield stand_in
    stand_in.ended.set()
    stand_in.server.shutdown()
    stand_in.server.server_close()
    thread.join()


@pytest.fixture
def question() -> Question:
    """A question whose answer stands in two texts together."""
    quill = Document(
        "Ada Quill", "Ada Quill was born in Ellery in 1897.\nShe was  “the last” of three sisters."
    )
    marrow = Document("Marrow", "Quill built the Marrow in 1931. It cost 3.5 million keels.")
    text = "How old was Ada Quill when she built the Marrow?"
    return Question("q1", text, context=quill, documents=(marrow,))
