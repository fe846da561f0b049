"""A dialog that is being held: who is connected, who was reminded, and since when nobody spoke."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator

from lacuna.collect.live.dialog_rows import Dialog
from lacuna.collect.live.ending import EndedBy
from lacuna.collect.tasks.live_task import DialogRole, DialogRules
from lacuna.collect.tasks.task import Json


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
