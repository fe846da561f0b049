"""Where the connections of one task meet: waiting, pairing, talking, and noticing who has gone."""

from __future__ import annotations

import asyncio
import json
import time
from collections import deque
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass
from itertools import combinations, islice
from statistics import median
from typing import Protocol

from starlette.websockets import WebSocketDisconnect

from lacuna.web.sessions import RateLimit
from lacuna_collect.live.dialogs import (
    Dialog,
    Dialogs,
    DialogViews,
    EndedBy,
    NoPair,
    Said,
    no_such_dialog,
)
from lacuna_collect.live.ticking import Ticking, unharmed
from lacuna_collect.refused import RefusedError
from lacuna_collect.tasks.task import DialogRole, DialogRules, Json

AT_ONCE = 30
"""Messages that a person may send at once,"""
A_SECOND = 10
"""and in every second after them."""


MOST_WAITING = 200
"""Messages that may wait to be sent; who takes none of them has to come back."""
LAST_WORDS = 5.0


class TextSocket(Protocol):
    """What a connection needs of a WebSocket."""

    async def send_text(self, data: str) -> None:
        """Send a message."""

    async def close(self, code: int = 1000, reason: str | None = None) -> None:
        """Close it."""


class LiveConnection:
    """A WebSocket of somebody who is logged in."""

    def __init__(self, person: int, socket: TextSocket, now: float) -> None:
        self.person = person
        self.rate = RateLimit(AT_ONCE, A_SECOND, now)
        self._socket = socket
        self._out: asyncio.Queue[str | tuple[int, str]] = asyncio.Queue()
        self._is_closing = False
        self._writer = asyncio.create_task(self._write())

    def send(self, message: Json) -> None:
        """Send a message, after those before it."""
        if self._is_closing:
            return
        if self._out.qsize() >= MOST_WAITING:
            self.close(1013, "too-slow")
            return
        self._out.put_nowait(json.dumps(message))

    def close(self, code: int, reason: str) -> None:
        """Close it after what waits was sent; nothing more is sent."""
        if not self._is_closing:
            self._is_closing = True
            self._out.put_nowait((code, reason))

    async def ended(self) -> None:
        """Let go of it, once its socket is of no more use."""
        self._is_closing = True
        self._writer.cancel()
        with suppress(asyncio.CancelledError):
            await self._writer

    async def finished(self) -> None:
        """Wait until what was sent before ``close`` is gone."""
        with suppress(TimeoutError):
            await asyncio.wait_for(asyncio.shield(self._writer), LAST_WORDS)

    async def _write(self) -> None:
        with suppress(RuntimeError, OSError, WebSocketDisconnect):  # closed by the other side
            while True:
                message = await self._out.get()
                if isinstance(message, tuple):
                    await self._socket.close(*message)
                    return
                await self._socket.send_text(message)


class HeldDialog:
    """What the server remembers of a dialog beside what is on the disk."""

    def __init__(self, dialog: Dialog, now: float) -> None:
        self.dialog = dialog
        self.lock = asyncio.Lock()
        """Held while something is written and told, so that all hear it in one order."""
        self._was_reminded = False
        self._quiet_since = now
        # Until they say hello: after a restart, everybody has time to come back.
        self._away: dict[DialogRole, float] = {
            role: now for role in DialogRole if dialog.person_in(role) is not None
        }

    def changed(self, dialog: Dialog, now: float) -> None:
        """Note what was said."""
        self.dialog = dialog
        self._quiet_since = now
        self._was_reminded = False

    def is_here(self, role: DialogRole) -> bool:
        """Whether somebody is connected; simulated partners always are."""
        return role not in self._away

    def came(self, role: DialogRole) -> None:
        """Note that somebody is connected."""
        self._away.pop(role, None)

    def lost(self, role: DialogRole, now: float) -> None:
        """Note that somebody's connection was lost."""
        self._away[role] = now

    def quiet_for(self, now: float) -> float:
        """Seconds since something was said."""
        return now - self._quiet_since

    def left_by(self, rules: DialogRules, now: float) -> EndedBy | None:
        """Who has left for good by now, if anybody."""
        gone = [role for role, at in self._away.items() if now - at > rules.reconnect_seconds]
        if len(gone) > 1:
            return EndedBy.BOTH
        if gone:
            return EndedBy(gone[0].value)
        if self.quiet_for(now) > rules.idle_end_seconds:
            return EndedBy(self.dialog.turn.value)
        return None

    def reminders(self, rules: DialogRules, now: float) -> Iterator[tuple[DialogRole, Json]]:
        """What both are told, once, when nothing was said for a while."""
        if self._was_reminded or self.quiet_for(now) <= rules.idle_warning_seconds:
            return
        self._was_reminded = True
        left = round(rules.idle_end_seconds - self.quiet_for(now))
        for role in DialogRole:
            is_you = role is self.dialog.turn
            yield role, {"type": "idle", "is_you": is_you, "seconds": left}


REMEMBERED = 20
"""So many of the last waits tell how long the next one may take."""

TRIED_AGAIN = 10.0
"""Seconds after which two people who could not talk with each other are tried again."""


@dataclass(slots=True)
class Waiting:
    """Somebody who waits."""

    person: int
    since: float
    is_first: bool
    """Whether a partner left this person, who then need not queue again."""
    gone_since: float | None = None
    why_not: str = ""
    """Why the last that was tried came to nothing."""


class WaitingRoom:
    """Everybody who waits, in the order in which they get a partner.

    Who loses the connection keeps the place for a while, and gets no partner meanwhile.
    """

    def __init__(self, keeps_place: float) -> None:
        self._keeps_place = keeps_place
        self._waiting: dict[int, Waiting] = {}
        self._took: deque[float] = deque(maxlen=REMEMBERED)
        self._put_off: dict[frozenset[int], float] = {}

    def __contains__(self, person: int) -> bool:
        return person in self._waiting

    def enter(self, person: int, now: float, *, is_first: bool = False) -> None:
        """Begin to wait, or come back."""
        there = self._waiting.setdefault(person, Waiting(person, now, is_first))
        there.gone_since = None

    def lose(self, person: int, now: float) -> None:
        """Note that somebody's connection was lost."""
        if person in self._waiting:
            self._waiting[person].gone_since = now

    def leave(self, person: int) -> None:
        """Stop waiting."""
        self._waiting.pop(person, None)

    def paired(self, person: int, now: float) -> None:
        """Note that somebody has a partner."""
        found = self._waiting.pop(person, None)
        if found is not None:
            self._took.append(now - found.since)

    def forget_gone(self, now: float) -> None:
        """Give up places that nobody came back to."""
        for one in list(self._waiting.values()):
            if one.gone_since is not None and now - one.gone_since > self._keeps_place:
                del self._waiting[one.person]

    def here(self) -> list[Waiting]:
        """Who waits and is connected, first those who come first."""
        there = [one for one in self._waiting.values() if one.gone_since is None]
        return sorted(there, key=lambda one: (not one.is_first, one.since))

    def pairs(self, now: float) -> Iterator[tuple[int, int]]:
        """All pairs that may be tried now, those who wait longest first."""
        self._put_off = {pair: until for pair, until in self._put_off.items() if until > now}
        for one, other in combinations(self.here(), 2):
            if frozenset((one.person, other.person)) not in self._put_off:
                yield one.person, other.person

    def put_off(self, people: Sequence[int], why: str, now: float) -> None:
        """Try some people again later: now they cannot talk with each other."""
        self._put_off[frozenset(people)] = now + TRIED_AGAIN
        for person in people:
            if person in self._waiting:
                self._waiting[person].why_not = why

    def notices(self, now: float, *, talking: int, after: float) -> Iterator[tuple[int, Json]]:
        """What everybody who waits is told; ``after`` so many seconds a simulated partner comes."""
        here, estimate = self.here(), self.estimate()
        for ahead, one in enumerate(here):
            yield (
                one.person,
                {
                    "type": "waiting",
                    "ahead": ahead,
                    "here": len(here),
                    "why_not": one.why_not,
                    "talking": talking,
                    "waited_seconds": round(now - one.since),
                    "estimate_seconds": None if estimate is None else round(estimate),
                    "simulated_in_seconds": round(max(after - (now - one.since), 0))
                    if after
                    else None,
                },
            )

    def estimate(self) -> float | None:
        """How many seconds a wait takes, as the last ones did; None where nothing is known."""
        return median(self._took) if self._took else None


# Where the connections of one task meet: waiting, pairing, talking, and noticing who is gone.
#
# All of it runs in the server's one event loop; the database is asked in threads.


TICK = 0.5
TOLD_EVERY = 5.0
"""Seconds between two looks at how long the wait may last."""
TAKEN_OVER = 4001
MOST_TRIES = 50
"""Pairs that are tried at one time."""
MOST_NUMBER = 2**63 - 1
"""No dialog has a higher one: databases cannot count further."""


class LiveHub:
    """The dialogs of one task, as they happen."""

    def __init__(self, dialogs: Dialogs, steady: Callable[[], float] = time.monotonic) -> None:
        self._dialogs = dialogs
        self._views = DialogViews(dialogs.task, dialogs.live)
        self._rules = dialogs.rules
        self._now = steady
        self._connections: dict[int, LiveConnection] = {}
        self._held: dict[int, HeldDialog] = {}
        self._dialog_of: dict[int, int] = {}
        self._room = WaitingRoom(self._rules.reconnect_seconds)
        self._were_left: set[int] = set()
        self._pairing = asyncio.Lock()
        self._ticking = Ticking(self.tick, TICK)
        self._told_at = 0.0

    async def start(self) -> None:
        """Take up the dialogs that were being held when the server ended."""
        for dialog in await asyncio.to_thread(self._dialogs.open):
            self._hold(dialog)
        self._ticking.start()

    async def stop(self) -> None:
        """Stop noticing who is gone; the dialogs go on when the server is there again."""
        await self._ticking.stop()

    @property
    def counts(self) -> dict[str, int]:
        """How many dialogs are being held, and how many people wait."""
        return {"dialogs": len(self._held), "waiting": len(self._room.here())}

    async def hello(self, connection: LiveConnection, said: Json) -> None:
        """Let somebody in: into the dialog that is open, or into the waiting room."""
        person = connection.person
        before = self._connections.get(person)
        self._connections[person] = connection
        if before is not None and before is not connection:
            before.send({"type": "taken-over"})
            before.close(TAKEN_OVER, "taken-over")
        held = await self._resumed(person)
        if held is not None:
            role = held.dialog.role_of(person)
            async with held.lock:  # nothing is said between what is shown and what follows
                if self._connections.get(person) is not connection or not self._holds(held):
                    return  # it is gone already, or was told meanwhile how the dialog ended
                held.came(role)
                is_same = said.get("dialog") == held.dialog.id
                seen = said.get("seen") if is_same else 0
                after = seen if type(seen) is int else 0
                connection.send(self._views.dialog(held.dialog, role, after))
                self._tell_presence(held, role.other, connection)
                self._send(held, role.other, {"type": "partner", "is_here": True})
            await self._let_simulated_speak(held)  # whose turn it may have been at a restart
            return
        if number := _number_in(said):
            with suppress(RefusedError):
                ended = await asyncio.to_thread(self._dialogs.look_at, person, number)
                if not ended.is_open:
                    connection.send(self._views.end(ended, ended.role_of(person)))
                    return
        if said.get("wait"):
            await self.wait(connection)

    async def wait(self, connection: LiveConnection) -> None:
        """Let somebody wait for a partner."""
        if connection.person in self._dialog_of:
            return
        await asyncio.to_thread(self._dialogs.check_may_wait, connection.person)
        if self._connections.get(connection.person) is connection:
            was_left = connection.person in self._were_left
            self._were_left.discard(connection.person)
            self._room.enter(connection.person, self._now(), is_first=was_left)
            self._tell_waiting()
            await self._pair()

    async def say(self, connection: LiveConnection, said: Json) -> None:
        """Write down a question or an answer, and tell both."""
        held, key = self._dialog_held_by(connection.person), said.get("key")
        async with held.lock:
            found = await asyncio.to_thread(
                self._dialogs.say,
                connection.person,
                held.dialog.id,
                key if isinstance(key, str) else "",
                said.get("after"),
                said,
            )
            if not isinstance(found, Said):
                problems = [{"field": one.field, "message": one.message} for one in found]
                connection.send({"type": "refused", "key": key, "problems": problems})
                return
            connection.send({"type": "ack", "key": key, "number": found.event.number})
            if found.is_new:
                self._spread(held, found)
        await self._let_simulated_speak(held)

    async def leave(self, connection: LiveConnection) -> None:
        """Let somebody go: out of the waiting room, or out of the dialog for good."""
        self._room.leave(connection.person)
        if connection.person in self._dialog_of:
            held = self._dialog_held_by(connection.person)
            await self._end(held, EndedBy(held.dialog.role_of(connection.person).value))
        else:
            connection.send({"type": "left"})
            self._tell_waiting()

    async def report(self, connection: LiveConnection, said: Json) -> None:
        """Keep what somebody says about the partner, and end the dialog if it has not ended."""
        person, text = connection.person, said.get("text")
        text = text if isinstance(text, str) else ""
        number = _number_in(said) if "dialog" in said else self._dialog_of.get(person)
        if number is None:
            raise no_such_dialog()
        held = self._held.get(number)
        if held is None:  # the partner has left before it was written
            await asyncio.to_thread(self._dialogs.report, person, number, text)
        else:
            async with held.lock:
                ended = await asyncio.to_thread(self._dialogs.report, person, number, text)
                self._tell_end(held, ended)
        connection.send({"type": "reported", "dialog": number})

    def typing(self, connection: LiveConnection) -> None:
        """Tell the partner that somebody types; nobody keeps that."""
        held = self._held.get(self._dialog_of.get(connection.person, 0))
        if held is not None:
            role = held.dialog.role_of(connection.person)
            if held.dialog.turn is role:
                self._send(held, role.other, {"type": "typing"})

    def lost(self, connection: LiveConnection) -> None:
        """Note that a connection has ended."""
        person = connection.person
        if self._connections.get(person) is not connection:
            return  # another one was opened since
        del self._connections[person]
        self._room.lose(person, self._now())
        held = self._held.get(self._dialog_of.get(person, 0))
        if held is not None:
            role = held.dialog.role_of(person)
            held.lost(role, self._now())
            self._send(held, role.other, self._partner_away())

    async def _resumed(self, person: int) -> HeldDialog | None:
        """The dialog that somebody is in, which may have been begun before the server was."""
        if person not in self._dialog_of:
            dialog = await asyncio.to_thread(self._dialogs.of, person)
            if dialog is not None and person not in self._dialog_of:
                self._hold(dialog)
        return self._held.get(self._dialog_of.get(person, 0))

    def _hold(self, dialog: Dialog) -> HeldDialog:
        held = self._held.setdefault(dialog.id, HeldDialog(dialog, self._now()))
        for person in dialog.people:
            self._dialog_of[person] = dialog.id
        return held

    def _dialog_held_by(self, person: int) -> HeldDialog:
        held = self._held.get(self._dialog_of.get(person, 0))
        if held is None:
            raise RefusedError("no-such-dialog", "You are in no dialog, or it has ended.")
        return held

    async def _pair(self) -> None:
        """Give partners to as many of those who wait as can have one."""
        async with self._pairing:
            for one, other in list(islice(self._room.pairs(self._now()), MOST_TRIES)):
                if one in self._room and other in self._room:
                    await self._try(self._dialogs.begin, one, other)

    async def _try(self, begin: Callable[..., Dialog | NoPair], *people: int) -> None:
        try:
            begun = await asyncio.to_thread(begin, *people)
        except RefusedError:
            for person in people:
                await self._check_again(person)
            return
        if isinstance(begun, NoPair):
            self._room.put_off(people, begun, self._now())
            return
        held = self._hold(begun)
        for person in people:
            self._room.paired(person, self._now())
            role = begun.role_of(person)
            if person in self._connections:
                held.came(role)
            self._tell(person, self._views.dialog(begun, role))
        for role in DialogRole:
            if not held.is_here(role):
                self._send(held, role.other, self._partner_away())
        self._tell_waiting()
        await self._let_simulated_speak(held)

    async def _check_again(self, person: int) -> None:
        """Let nobody wait on who was blocked meanwhile."""
        try:
            await asyncio.to_thread(self._dialogs.check_may_wait, person)
        except RefusedError as refused:
            self._room.leave(person)
            self._tell(person, {"type": "refused", "code": refused.code, "message": str(refused)})

    async def _let_simulated_speak(self, held: HeldDialog) -> None:
        if held.dialog.simulated is None:
            return
        async with held.lock:
            said = await asyncio.to_thread(self._dialogs.say_simulated, held.dialog)
            if said is not None:
                self._spread(held, said)

    def _spread(self, held: HeldDialog, said: Said) -> None:
        """Tell both what was said, and its end if that was the end."""
        held.changed(said.dialog, self._now())
        for role in DialogRole:
            shown = self._views.event(said.dialog, said.event, role)
            if shown is not None:
                self._send(held, role, {**shown, "last": said.dialog.last})
        if not said.dialog.is_open:
            self._tell_end(held, said.dialog)

    def _holds(self, held: HeldDialog) -> bool:
        """Whether a dialog still goes on; who has waited for its lock must look."""
        return self._held.get(held.dialog.id) is held

    async def _end(self, held: HeldDialog, by: EndedBy | None = None) -> None:
        """End a dialog; where nobody says so, only if somebody has left once the lock is held.

        Until then somebody may have spoken, come back, or ended it.
        """
        async with held.lock:
            by = by or held.left_by(self._rules, self._now())
            if by is not None and self._holds(held):
                ended = await asyncio.to_thread(self._dialogs.leave, held.dialog.id, by)
                self._tell_end(held, ended)

    def _tell_end(self, held: HeldDialog, dialog: Dialog) -> None:
        """Tell both that it is over, once; who is in another dialog by now stays there."""
        if not self._holds(held):
            return
        held.dialog = dialog
        del self._held[dialog.id]
        for person in dialog.people:
            if self._dialog_of.get(person) != dialog.id:
                continue
            del self._dialog_of[person]
            role = dialog.role_of(person)
            ended = self._views.end(dialog, role)
            if EndedBy(dialog.ended_by).was_left_by(role.other):
                self._were_left.add(person)  # who gets the next partner, before all others
            self._tell(person, ended)

    def _tell_presence(
        self, held: HeldDialog, role: DialogRole, connection: LiveConnection
    ) -> None:
        if not held.is_here(role):
            connection.send(self._partner_away())

    def _partner_away(self) -> Json:
        return {"type": "partner", "is_here": False, "seconds": self._rules.reconnect_seconds}

    def _send(self, held: HeldDialog, role: DialogRole, message: Json) -> None:
        person = held.dialog.person_in(role)
        if person is not None and self._dialog_of.get(person) == held.dialog.id:
            self._tell(person, message)

    def _tell(self, person: int, message: Json) -> None:
        connection = self._connections.get(person)
        if connection is not None:
            connection.send(message)

    def _tell_waiting(self) -> None:
        """Tell everybody who waits how long it may last."""
        now = self._now()
        self._told_at = now
        after = self._rules.simulated_after_seconds
        for person, message in self._room.notices(now, talking=len(self._held), after=after):
            self._tell(person, message)

    async def tick(self) -> None:
        """End what was left, remind who is idle, and look for partners."""
        for held in list(self._held.values()):
            now = self._now()
            if held.left_by(self._rules, now) is not None:
                await unharmed(self._end(held))  # others end even where this one cannot
            else:
                for role, message in held.reminders(self._rules, now):
                    self._send(held, role, message)
        self._room.forget_gone(self._now())
        await self._pair()
        after = self._rules.simulated_after_seconds
        for one in self._room.here():
            if after and self._now() - one.since > after:
                async with self._pairing:
                    if one.person in self._room:
                        await self._try(self._dialogs.begin_simulated, one.person)
        if self._now() - self._told_at > TOLD_EVERY:
            self._tell_waiting()


def _number_in(said: Json) -> int | None:
    """The number of a dialog that a message names, if any."""
    number = said.get("dialog")
    return number if type(number) is int and 0 < number <= MOST_NUMBER else None
