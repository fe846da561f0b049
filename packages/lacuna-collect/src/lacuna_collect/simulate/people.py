"""Scripted people: a browser without a window, work, talk, and many of them at once."""

from __future__ import annotations

import asyncio
import json
import threading
import time
from collections import Counter
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from functools import partial
from http.client import HTTPConnection, HTTPException, HTTPResponse, RemoteDisconnected
from http.cookies import SimpleCookie
from random import Random
from statistics import quantiles
from typing import Any
from urllib.parse import urlsplit

from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import WebSocketException

from lacuna.errors import LacunaError
from lacuna_collect.people.accounts import CollectRole
from lacuna_collect.project import CollectProject
from lacuna_collect.simulate.scripts import LearnedWork, answer_anything, ask_anything
from lacuna_collect.tasks.quac_dialogs import ANSWERING
from lacuna_collect.tasks.task import Json

API = "/collect/api/"
REPLY_TIMEOUT_SECONDS = 60.0


class Unreached(Exception):  # noqa: N818 - it is what a person sees
    """The server did not answer; what was sent may have arrived or not."""


class ScriptedBrowser:
    """Asks the server as a page does."""

    def __init__(self, address: str) -> None:
        parts = urlsplit(address)
        if parts.scheme != "http" or not parts.hostname:
            raise LacunaError(f"{address} is no address such as http://127.0.0.1:8430.")
        self.address = address
        self._connection = HTTPConnection(
            parts.hostname, parts.port or 80, timeout=REPLY_TIMEOUT_SECONDS
        )
        self._cookies: dict[str, str] = {}
        self._csrf = ""
        self.took = 0.0
        """Seconds until the last answer was there."""

    @property
    def cookie(self) -> str:
        """What it sends to say who it is."""
        return "; ".join(f"{name}={value}" for name, value in self._cookies.items())

    @property
    def csrf(self) -> str:
        """The session's secret."""
        return self._csrf

    def come_in(self, path: str, given: Json) -> int:
        """Register or log in, and stay logged in; the person's number."""
        status, told = self.call("POST", path, given)
        if status != 200:
            raise LacunaError(
                f"A scripted person could not come in: {told.get('message', '')} See whether "
                f"{self.address} is the address of this project's own server, or give the "
                "simulation a project of its own."
            )
        self._csrf = told["csrf"]
        return int(told["person"]["id"])

    def call(self, method: str, path: str, body: Any = None) -> tuple[int, Any]:
        """The status and the JSON of an answer."""
        headers = {"Content-Type": "application/json", "X-Lacuna-CSRF": self._csrf}
        if self._cookies:
            headers["Cookie"] = self.cookie
        sent = None if body is None else json.dumps(body)
        begun = time.monotonic()
        try:
            response, told = self._answer(method, path, sent, headers)
        except (OSError, HTTPException) as error:
            self._connection.close()  # the next call opens a new one
            raise Unreached(str(error)) from error
        self.took = time.monotonic() - begun
        for header in response.headers.get_all("set-cookie") or ():
            for name, morsel in SimpleCookie(header).items():
                self._cookies[name] = morsel.value
        try:
            return response.status, json.loads(told)
        except ValueError:  # another server's page
            return response.status, {}

    def _answer(
        self, method: str, path: str, sent: str | None, headers: dict[str, str]
    ) -> tuple[HTTPResponse, bytes]:
        is_old = self._connection.sock is not None
        try:
            self._connection.request(method, API + path, sent, headers)
            response = self._connection.getresponse()
        except (BrokenPipeError, ConnectionResetError, RemoteDisconnected):
            if not is_old:
                raise
            # The server closes connections that nobody used for a while: browsers open another.
            self._connection.close()
            self._connection.request(method, API + path, sent, headers)
            response = self._connection.getresponse()
        return response, response.read()

    def close(self) -> None:
        """Close the connection."""
        self._connection.close()


AGAIN = 0.5
"""Seconds after which what did not arrive is sent again, and a line that broke is opened."""
TWICE = 0.1
"""The share of work that is sent twice."""
DIALOG_SECONDS = 60.0
"""After so long without an end, somebody leaves a dialog or the waiting room."""


@dataclass(frozen=True, slots=True)
class Habits:
    """How scripted people work."""

    errors: float = 0.1
    """The share of work with an error in it."""
    dropouts: float = 0.02
    """How often somebody leaves in the middle of a set, for good."""
    pause: float = 1.0
    """Seconds between two saves, on average."""
    saves: int = 3
    """Drafts of one set."""


@dataclass(slots=True)
class Diary:
    """What happened to one person, or to all of them."""

    receipts: list[str] = field(default_factory=list)
    """Of work that the server has taken, the tests included; each once."""
    save_seconds: list[float] = field(default_factory=list)
    happened: Counter[str] = field(default_factory=Counter)

    def add(self, other: Diary) -> None:
        """Put what happened to somebody else to this."""
        self.receipts += other.receipts
        self.save_seconds += other.save_seconds
        self.happened += other.happened


class ScriptedPerson:
    """Works until told to stop, there is nothing to do, or it has had enough."""

    def __init__(
        self,
        browser: ScriptedBrowser,
        tasks: Sequence[str],
        knowledge: LearnedWork,
        habits: Habits,
        random: Random,
    ) -> None:
        self._browser = browser
        self._tasks = list(tasks)
        self._knowledge = knowledge
        self._habits = habits
        self._random = random
        self.diary = Diary()

    def work(self, until: float) -> bool:
        """Do one set of the first task that has one; whether there was any."""
        self._random.shuffle(self._tasks)
        for task in self._tasks:
            got = self._told("POST", f"tasks/{task}/next", {}, until)
            if got is not None and got.get("assignment"):
                return self._do(int(got["assignment"]), until)
            if got is not None and got.get("reason") == "live" and self._talk(until):
                return True
        return False

    def _do(self, assignment: int, until: float) -> bool:
        begun = time.monotonic()
        shown = self._told("GET", f"work/{assignment}", None, until)
        if shown is None:
            return False
        task = shown["task"]
        work = self._knowledge.work(task, shown["shown"], self._random, self._habits.errors)
        if shown["shown"].get("kind") == ANSWERING:
            if not self._step_through(assignment, work["answers"], until):
                return False
            return self._hand_in(assignment, shown, work, begun, until)
        version = shown["version"]
        for part in range(self._habits.saves):
            self._rest()
            draft = dict(list(work.items())[: part + 1])
            body = {"draft": draft, "version": version, "seconds": time.monotonic() - begun}
            saved = self._told("PUT", f"work/{assignment}/draft", body, until)
            if saved is None:
                return False
            self.diary.save_seconds.append(self._browser.took)
            version = saved["version"]
            if self._random.random() < self._habits.dropouts / self._habits.saves:
                self.diary.happened["dropped out"] += 1
                return False
        return self._hand_in(assignment, shown, work, begun, until)

    def _step_through(self, assignment: int, answers: Sequence[Any], until: float) -> bool:
        """Answer the questions of a dialog one after another."""
        for number, answer in enumerate(answers):
            self._rest()
            body = {"number": number, "answer": answer}
            if self._told("POST", f"work/{assignment}/steps", body, until) is None:
                return False
        return True

    def _talk(self, until: float) -> bool:
        """Hold one dialog with whoever comes; whether there was one."""

        diary = TalkDiary()
        line = line_to(self._browser.address, self._browser.cookie)
        talker = ScriptedTalker(line, self._browser.csrf, diary, self._random, self._habits.pause)
        patience = min(until, time.monotonic() + DIALOG_SECONDS)
        ended = asyncio.run(talker.talk(1, patience))
        self.diary.happened["quac-dialogs"] += ended
        return bool(ended)

    def _hand_in(self, assignment: int, shown: Any, work: Any, begun: float, until: float) -> bool:
        key = f"{self._random.getrandbits(128):032x}"
        path = f"work/{assignment}/submit"
        body = {"work": work, "key": key, "seconds": time.monotonic() - begun}
        got = self._told("POST", path, body, until)
        if got is None and not shown["is_test"]:
            # What was refused is done again without an error, or given back.
            body["work"] = self._knowledge.work(shown["task"], shown["shown"], self._random, 0)
            got = self._told("POST", path, body, until)
        if got is None:
            self._told("POST", f"work/{assignment}/skip", {"reason": "I cannot do it."}, until)
            return True
        if self._random.random() < TWICE:
            again = self._told("POST", path, body, until)
            if again is not None and again["receipt"] != got["receipt"]:
                self.diary.happened["two receipts for one piece of work"] += 1
        self.diary.receipts.append(got["receipt"])
        self.diary.happened["test" if shown["is_test"] else shown["task"]] += 1
        return True

    def _told(self, method: str, path: str, body: Any, until: float) -> Any:
        """What the server says; None where it refuses. While it is away, it is asked again."""
        while True:
            try:
                status, told = self._browser.call(method, path, body)
            except Unreached:
                self.diary.happened["server away"] += 1
                if time.monotonic() > until:
                    return None
                time.sleep(AGAIN)
                continue
            if status == 200:
                return told
            self.diary.happened[f"refused: {told.get('code', status)}"] += 1
            return None

    def _rest(self) -> None:
        if self._habits.pause:
            time.sleep(self._random.expovariate(1 / self._habits.pause))


@dataclass(slots=True)
class TalkDiary:
    """What happened to some people in their dialogs."""

    sent_at: dict[tuple[int, int], float] = field(default_factory=dict)
    """When what has become an event (dialog, number) was sent, in the one process of all."""
    delivery_seconds: list[float] = field(default_factory=list)
    """From being sent by one to being there at the other."""
    acknowledged: dict[int, dict[int, str]] = field(default_factory=dict)
    """The questions that the server has acknowledged, by dialog and number."""
    happened: Counter[str] = field(default_factory=Counter)


@dataclass(slots=True)
class _Talk:
    """Where somebody stands in one dialog."""

    number: int
    role: str
    seen: Json
    last: int
    turn: str
    said: tuple[str, Json] | None = None
    """The key and the message that was not acknowledged yet."""


class ScriptedTalker:
    """One person; ``talk`` holds one dialog after another."""

    def __init__(
        self,
        open_line: Callable[[], Any],
        csrf: str,
        diary: TalkDiary,
        random: Random,
        think: float,
    ) -> None:
        self._open_line = open_line
        self._csrf = csrf
        self._diary = diary
        self._random = random
        self._think = think
        self._talk: _Talk | None = None
        self._ended = 0

    async def talk(self, dialogs: int, until: float) -> int:
        """Hold so many dialogs, or as many as there is time for; how many ended."""
        self._ended = 0
        while self._ended < dialogs and time.monotonic() < until:
            try:
                async with self._open_line() as line:
                    await self._hold(line, dialogs, until)
            except (OSError, WebSocketException, TimeoutError):
                self._diary.happened["line broke"] += 1
                await asyncio.sleep(AGAIN)
        return self._ended

    async def _hold(self, line: ClientConnection, dialogs: int, until: float) -> None:
        talk = self._talk
        await _send(
            line,
            type="hello",
            csrf=self._csrf,
            dialog=talk.number if talk else None,
            seen=talk.last if talk else 0,
            wait=talk is None,
        )
        while self._ended < dialogs:
            async with asyncio.timeout(max(until - time.monotonic(), 0.01)):
                message = json.loads(await line.recv())
            await self._take(line, message)

    async def _take(self, line: ClientConnection, message: Json) -> None:
        match message["type"]:
            case "dialog":
                await self._begin(line, message)
            case "event":
                self._hear(message)
                await self._say(line)
            case "ack":
                self._note(message)
            case "ended":
                self._ended += 1
                self._talk = None
                self._diary.happened[f"ended by {message['by']}"] += 1
                await _send(line, type="wait")
            case "refused":
                self._diary.happened[f"refused: {message.get('code', 'problems')}"] += 1

    async def _begin(self, line: ClientConnection, message: Json) -> None:
        before = self._talk
        said = before.said if before and before.number == message["dialog"] else None
        self._talk = _Talk(
            message["dialog"],
            message["role"],
            message["seen"],
            message["last"],
            message["turn"],
            said,
        )
        if said is not None:  # it may have arrived or not: the key tells
            await _send(line, **said[1])
        await self._say(line)

    def _hear(self, message: Json) -> None:
        talk = self._talk
        if talk is None or message["dialog"] != talk.number:
            return
        talk.last = message["number"]
        talk.turn = "teacher" if message["kind"] == "question" else "student"
        if message["from"] != talk.role:
            sent = self._diary.sent_at.get((talk.number, talk.last))
            if sent is not None:
                self._diary.delivery_seconds.append(time.monotonic() - sent)

    async def _say(self, line: ClientConnection) -> None:
        talk = self._talk
        if talk is None or talk.turn != talk.role or talk.said is not None:
            return
        if self._think:
            await asyncio.sleep(self._random.expovariate(1 / self._think))
        body: Json = {"text": ask_anything(self._random)}
        if talk.role == "teacher":
            text = talk.seen["text"]
            body = {"answer": answer_anything(text, self._random, follow_up=True)}
        key = f"{self._random.getrandbits(96):024x}"
        talk.said = (key, {"type": "say", "key": key, "after": talk.last, **body})
        # The partner may have it before the acknowledgement is here.
        self._diary.sent_at[talk.number, talk.last + 1] = time.monotonic()
        await _send(line, **talk.said[1])

    def _note(self, message: Json) -> None:
        talk = self._talk
        if talk is not None and talk.said is not None and talk.said[0] == message["key"]:
            if talk.role == "student":
                kept = self._diary.acknowledged.setdefault(talk.number, {})
                kept[message["number"]] = talk.said[1]["text"]
            talk.said = None


def line_to(address: str, cookie: str, own: str | None = None) -> Callable[[], Any]:
    """Opens the line of somebody with a cookie; ``own`` is the address that it comes from."""
    at = f"{address.replace('http://', 'ws://')}/collect/api/live/quac-dialogs"
    more: dict[str, Any] = {"local_addr": (own, 0)} if own else {}
    return lambda: connect(at, additional_headers={"Cookie": cookie}, compression=None, **more)


async def _send(line: ClientConnection, **message: Any) -> None:
    await line.send(json.dumps(message))


PASSWORD = "scripted people have no secrets"
REVIEW_EVERY = 0.5
SENT_BACK = 0.1
IDLE = 1.0
AT_THE_DOOR = 8
"""So many register at the same time; hashing a password takes a core for a moment."""


class Simulation:
    """People who come to a project's server."""

    def __init__(
        self, project: CollectProject, address: str, *, habits: Habits, seed: int = 1
    ) -> None:
        self._invite: Callable[..., str] = project.accounts.invitations.invite
        self._known = {person.name for person in project.accounts.people()}
        """Those of an earlier simulation come back to their accounts."""
        self._tasks = list(project.work.tasks)
        self._knowledge = LearnedWork(project.work.tasks)
        self._address = address
        self._habits = habits
        self._seed = seed

    def run(self, people: int, seconds: float, *, review: bool = True) -> Diary:
        """Let them work so long; what happened to all of them."""
        names = [f"Scripted {self._seed}-{number + 1}" for number in range(people)]
        with ThreadPoolExecutor(AT_THE_DOOR) as door:  # all are in before anybody begins
            browsers = list(door.map(partial(self._arrive, CollectRole.WORKER), names))
        reviewer = None
        if review:
            reviewer = self._arrive(CollectRole.REVIEWER, f"Scripted reviewer {self._seed}")
        until = time.monotonic() + seconds
        ended = threading.Event()
        everybody = Diary()
        with ThreadPoolExecutor(people + 1) as at_work:
            reviewing = at_work.submit(self._review, reviewer, ended) if reviewer else None
            try:
                lives = [at_work.submit(self._live, *each, until) for each in enumerate(browsers)]
                for life in lives:
                    everybody.add(life.result())
            finally:
                ended.set()
            if reviewing is not None:
                reviewing.result()
        return everybody

    def _live(self, number: int, browser: ScriptedBrowser, until: float) -> Diary:
        random = Random(f"{self._seed} {number}")
        person = ScriptedPerson(browser, self._tasks, self._knowledge, self._habits, random)
        while time.monotonic() < until:
            if person.diary.happened["dropped out"]:
                break
            if not person.work(until):
                time.sleep(min(IDLE, max(until - time.monotonic(), 0)))
        browser.close()
        return person.diary

    def _review(self, browser: ScriptedBrowser, ended: threading.Event) -> None:
        """Look at everything that waits: most is accepted, some is sent back once."""
        random = Random(f"{self._seed} reviewer")
        seen: set[int] = set()
        while not ended.wait(REVIEW_EVERY):
            try:
                _, waiting = browser.call("GET", "console/queue")
                for one in waiting:
                    self._decide(browser, one, random, seen)
            except Unreached:
                continue
        browser.close()

    def _decide(self, browser: ScriptedBrowser, one: Json, random: Random, seen: set[int]) -> None:
        at = f"console/submissions/{one['submission']}"
        if one["person"] not in seen and random.random() < SENT_BACK:
            browser.call("POST", f"{at}/send-back", {"reason": "Please look at it once more."})
        else:
            browser.call("POST", f"{at}/accept", {})
        seen.add(one["person"])

    def _arrive(self, role: CollectRole, name: str) -> ScriptedBrowser:
        browser = ScriptedBrowser(self._address)
        given = {"name": name, "password": PASSWORD}
        try:
            if name in self._known:
                browser.come_in("login", given)
            else:
                code = self._invite(role, note="simulated")
                browser.come_in("register", {**given, "invitation": code})
        except Unreached as error:
            raise LacunaError(
                f"Nothing answers at {self._address}: {error}. Start the project's server with "
                "`lacuna collect serve`, and give the address that it prints with --url."
            ) from error
        return browser


def slow_save(diary: Diary) -> float:
    """The time below which 95 of 100 saves were, in seconds."""
    saves = diary.save_seconds
    return quantiles(saves, n=20)[-1] if len(saves) > 1 else 0.0
