"""Many clients at once, some of whom go away: nobody gets another one's answer."""

from __future__ import annotations

import json
import random
import threading
from collections import Counter
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from pathlib import Path
from typing import Any

import httpx
import pytest
from stand_in import KNOWN, NOTES, TOKEN, Site, listening

from lacuna.web.access import Access
from lacuna.web.limits import Limits

Rounds = Callable[[], Iterator[random.Random]]
CLIENTS = 40
FEW = Limits(waiting=8)
"""Some are refused."""
TITLES = [name.removesuffix(".md") for name in NOTES]
FIRST = {
    "Marrow": "The Marrow is a ferry.",
    "Ada Quill": "Ada Quill was born in Port Ellery in 1897.",
}


class Client:
    """One who does this and that, and looks whether what comes is its own."""

    def __init__(self, address: str, rng: random.Random, number: int) -> None:
        self._http = httpx.Client(base_url=address, headers=KNOWN, timeout=60)
        self._rng = rng
        self._name = f"client {number}"
        self._asked = 0

    def run(self) -> Counter[str]:
        done: Counter[str] = Counter()
        with self._http:
            for _ in range(8):
                act = self._rng.choice(
                    [self.ask, self.ask, self.stream, self.choose, self.leave, self.look, self.send]
                )
                done[act.__name__] += act()
        return done

    def ask(self) -> bool:
        question, title = self._question()
        got = self._http.post("/api/v1/ask", json={"question": question, "title": title})
        return self._is_served(got) and self._is_mine(got.json(), question, title)

    def stream(self) -> bool:
        question, title = self._question()
        body = {"question": question, "title": title}
        with self._http.stream("POST", "/api/v1/ask/stream", json=body) as got:
            if got.status_code != 200:
                got.read()
                return self._is_served(got)
            data = [line[6:] for line in got.iter_lines() if line.startswith("data: ")]
        last = json.loads(data[-1])
        assert last["event"] == "answer", last
        return self._is_mine(last["answer"], question, title)

    def choose(self) -> bool:
        choices = [f"{self._name} {letter}" for letter in "abc"]
        body = {"question": "Which?", "fact": f"{self._name} knows", "choices": choices}
        got = self._http.post("/api/v1/choose", json=body)
        if self._is_served(got):
            assert [one["text"] for one in got.json()["choices"]] == choices
            return True
        return False

    def leave(self) -> bool:
        question, title = self._question()
        body = {"question": question, "title": title}
        path = self._rng.choice(["/api/v1/ask", "/api/v1/ask/stream", "/api/v1/corpora/upload"])
        with suppress(httpx.HTTPError):
            self._http.post(path, json=body, timeout=self._rng.random() * 0.05 + 0.001)
        return True

    def look(self) -> bool:
        server = self._http.get("/api/v1/server").json()
        title = self._rng.choice(TITLES)
        got = self._http.get(
            f"/api/v1/corpora/{server['default']}/document", params={"title": title}
        ).json()
        assert got["title"] == title
        return True

    def send(self) -> bool:
        sent = [("files", (f"{self._name}.md", f"# {self._name}\n\nIt is {self._name}.\n"))]
        got = self._http.post("/api/v1/corpora/upload", files=sent)
        if not self._is_served(got):
            return False
        corpus = got.json()
        assert corpus["name"] == self._name
        answer = self._http.post(
            "/api/v1/ask", json={"question": f"Of {self._name}?", "corpus": corpus["id"]}
        )
        if self._is_served(answer):
            assert answer.json()["answer"]["text"] == f"It is {self._name}."
        return True

    def _question(self) -> tuple[str, str]:
        self._asked += 1
        return f"What does {self._name} ask as number {self._asked}?", self._rng.choice(TITLES)

    @staticmethod
    def _is_served(got: httpx.Response) -> bool:
        if got.status_code == 503:
            assert got.json()["code"] == "busy"
            assert int(got.headers["retry-after"]) >= 1
            return False
        if got.status_code == 404:  # newer uploads needed the place of this one
            assert got.json()["code"] == "corpus-unknown"
            return False
        assert got.status_code == 200, got.text
        return True

    @staticmethod
    def _is_mine(answer: Any, question: str, title: str) -> bool:
        assert (answer["question"], answer["context"]) == (question, title)
        assert answer["answer"]["text"] == FIRST.get(title, answer["answer"]["text"])
        return True


def test_many_clients(
    rounds: Rounds, tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch
) -> None:
    site = Site(tmp_path_factory.mktemp("site"), access=Access([TOKEN]), limits=FEW, workers=2)
    monkeypatch.setattr(site.stand_in, "seconds", 0.002)
    before = threading.active_count()
    with listening(site.app) as address:
        for rng in rounds():
            clients = [
                Client(address, random.Random(rng.random()), number) for number in range(CLIENTS)
            ]
            with ThreadPoolExecutor(CLIENTS) as people:
                done = sum(people.map(Client.run, clients), Counter())
            assert done["ask"], "some questions were answered"
            assert threading.active_count() <= before + 60, "threads do not pile up"
            site.stand_in.asked.clear()


def test_what_was_left_is_not_worked_on(rounds: Rounds, tmp_path: Path) -> None:
    site = Site(tmp_path, access=Access([TOKEN]), limits=FEW)
    with listening(site.app) as address:
        for rng in rounds():
            leavers = [Client(address, random.Random(rng.random()), number) for number in range(8)]
            site.stand_in.may_go_on.clear()
            with ThreadPoolExecutor(8) as people:
                list(people.map(Client.leave, leavers))
            site.stand_in.may_go_on.set()
            polite = Client(address, rng, 99)
            assert polite.ask(), "the queue is free for others"
