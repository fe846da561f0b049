"""Servers to ask: over a few notes with a stand-in for the model, and over the demo with it."""

from __future__ import annotations

import socket
import threading
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import Any

from fastapi import FastAPI
from fastapi.testclient import TestClient
from gap_stand_in import GapStandIn
from starlette.applications import Starlette

from lacuna.corpus.open import open_store
from lacuna.corpus.refresh import refresh_source
from lacuna.corpus.store import Store
from lacuna.models.reader.reader import ModelReader
from lacuna.pipeline.dialog.conversation import DialogPipeline
from lacuna.pipeline.gapqa import open_gapqa
from lacuna.pipeline.pipeline import Pipeline
from lacuna.pipeline.query import Query
from lacuna.pipeline.result import Alternative, Candidate, OnStep, Result, Stage, Step
from lacuna.pipeline.stages import quote, sentence_around
from lacuna.serve.app import make_app
from lacuna.types import Answer, Evidence, Gap, Prediction, Span
from lacuna.web.access import Access
from lacuna.web.listening import bounded_server

NOTES = {
    "Marrow.md": "# Marrow\n\nThe Marrow is a ferry. It was built by [[Ada Quill]] in 1931.\n",
    "Ada Quill.md": "# Ada Quill\n\nAda Quill was born in [[Port Ellery]] in 1897. 𝔸 plain life.\n",
    "Evil.md": "# Evil\n\n`<img src=x onerror=alert(1)>` &lt;script>alert(2)&lt;/script> *so*\n",
}


TOKEN = "a-token-for-the-tests"
KNOWN = {"Authorization": f"Bearer {TOKEN}"}


class StandIn:
    """Answers with the first sentence of the document asked about; slow if it is to be."""

    def __init__(self, store: Store) -> None:
        self.store = store
        self.asked: list[Query] = []
        self.tried: list[Query] = []
        """What nobody asked: questions that may be suggested."""
        self.may_try = threading.Event()
        self.may_try.set()
        self.may_go_on = threading.Event()
        self.may_go_on.set()
        self.seconds = 0.0
        self.changes: dict[str, Any] = {}
        """Fields of every result that are to be otherwise."""

    def ask(self, query: Query, *, on_step: OnStep | None = None) -> Result:
        return replace(self._answer(query, on_step), **self.changes)

    def other(self, title: str, text: str, confidence: float) -> Alternative:
        """An alternative with the sentence that it stands in."""
        document = self.store.document(title)
        start = document.text.index(text)
        mark = Span(start, start + len(text))
        quoted = quote(document, sentence_around(document, *mark), (mark,))
        return Alternative(Answer.span(text, Evidence(title, *mark)), confidence, (quoted,))

    def _answer(self, query: Query, on_step: OnStep | None) -> Result:
        is_tried = query.hops == 0
        (self.tried if is_tried else self.asked).append(query)
        assert (self.may_try if is_tried else self.may_go_on).wait(20)
        time.sleep(self.seconds)
        context = self.store.document(query.title or next(self.store.titles()))
        link = Candidate("Ada Quill", float("-inf"), False, start=0, end=1, dangling=True)
        step = Step(Stage.SPOT, 1, "Nothing is missing.", (link,), 1.5)
        if on_step:
            on_step(step)
        place = context.sentences[0]
        where = Evidence(context.title, place.start, place.end)
        if "?" not in query.question:
            near = context.origin.at(place.start) if context.origin else None
            gap = Gap("a question", (context.title,), ("Port Ellery",), where, near, 3)
            prediction = Prediction(Answer.none(), gaps=(gap,), confidence=0.9)
            return Result(query.question, context, prediction, (), (step,), measured=True)
        text = context.sentence(0)
        quoted = quote(context, place, (Span(*place),))
        prediction = Prediction(Answer.span(text, where), (where,), confidence=0.5)
        return Result(query.question, context, prediction, (quoted,), (step,), measured=True)


class Site:
    """A server, what answers in it, and a client."""

    def __init__(self, folder: Path, **settings: object) -> None:
        self.folder = folder
        notes = folder / "notes"
        notes.mkdir(parents=True, exist_ok=True)
        for name, text in NOTES.items():
            (notes / name).write_text(text, encoding="utf-8")
        self.made: list[StandIn] = []
        self.gaps = GapStandIn()
        settings.setdefault("open_gaps", lambda: self.gaps)
        settings.setdefault("access", Access())
        self.app = make_app([notes], self._open_store, self._make, **settings)  # type: ignore[arg-type]
        self.client = TestClient(
            self.app, base_url="http://localhost", raise_server_exceptions=False
        )

    @property
    def stand_in(self) -> StandIn:
        return self.made[0]

    def _open_store(self, corpora: Sequence[Path]) -> Store:
        assert corpora
        store = Store.create(self.folder / f"corpus {len(self.made)}")
        with store.writer() as writer:
            for path in corpora:
                refresh_source(writer, path)
        return store

    def _make(self, store: Store) -> StandIn:
        self.made.append(StandIn(store))
        return self.made[-1]


def demo_app() -> FastAPI:
    """The app over the demo corpus and the shipped models; it wants the token."""
    reader = ModelReader.load()
    return make_app(
        [],
        open_store,
        lambda store: DialogPipeline(Pipeline(store, reader)),
        open_gapqa,
        access=Access([TOKEN]),
    )


@contextmanager
def listening(app: Starlette, host: str = "127.0.0.1", port: int = 0) -> Iterator[str]:
    """A real server, on a free port unless one is named; gives its address on this machine."""
    with socket.create_server((host, port)) as at:
        port = at.getsockname()[1]
        server = bounded_server(app)
        thread = threading.Thread(target=lambda: server.run(sockets=[at]), daemon=True)
        thread.start()
        while not server.started:
            time.sleep(0.01)
        try:
            yield f"http://127.0.0.1:{port}"
        finally:
            server.should_exit = True
            thread.join(20)
