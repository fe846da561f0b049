"""What each of the two sees of a dialog. Nothing else of it ever leaves the server."""

from __future__ import annotations

from lacuna.collect.live.dialog_rows import Dialog, DialogEvent, EventKind
from lacuna.collect.live.ending import EndedBy, is_kept, pay_of
from lacuna.collect.tasks.live_task import DialogRole, LiveTask
from lacuna.collect.tasks.task import Json
from lacuna.collect.work.results import TaskInUse

WHY = {
    EndedBy.LENGTH: "The dialog is complete.",
    EndedBy.NO_ANSWERS: "The dialog is over: too many questions had no answer.",
    EndedBy.BOTH: "The dialog is over: nobody was connected for too long.",
}
YOU_LEFT = "You have left the dialog, or were away for too long."
PARTNER_LEFT = "Your partner has left the dialog."
YOU_REPORTED = "You have reported your partner and left. The requester reads what you wrote."


class DialogViews:
    """Shows dialogs of one task."""

    def __init__(self, task: TaskInUse, live: LiveTask) -> None:
        self._task = task
        self._live = live

    def dialog(self, dialog: Dialog, role: DialogRole, after: int = 0) -> Json:
        """All that somebody needs to go on, with the events after a number."""
        rules = self._live.rules(self._task.settings)
        pairs = len(dialog.pairs)
        return {
            "type": "dialog",
            "dialog": dialog.id,
            "role": role,
            "seen": self._live.seen_by(dialog.payload, role),
            "partner_is_simulated": dialog.simulated is role.other,
            "events": [
                shown
                for event in dialog.events
                if event.number > after and (shown := self.event(dialog, event, role))
            ],
            "last": dialog.last,
            "turn": dialog.turn,
            "pairs": pairs,
            "most_pairs": rules.most_pairs,
            "fewest_pairs": rules.fewest_pairs,
            "pay_cents": self._live.pay_for_pairs(pairs, self._task.settings),
        }

    def event(self, dialog: Dialog, event: DialogEvent, role: DialogRole) -> Json | None:
        """What was said; None for what the other said to the requester."""
        shown: Json = {
            "type": "event",
            "dialog": dialog.id,
            "number": event.number,
            "kind": event.kind,
            "from": event.role,
        }
        if event.kind is EventKind.QUESTION:
            return {**shown, "text": event.body["text"]}
        if event.kind is EventKind.ANSWER:
            seen = self._live.answer_seen_by(dialog.payload, event.body, role)
            pairs = sum(
                one.kind is EventKind.ANSWER and one.number <= event.number for one in dialog.events
            )
            pay = self._live.pay_for_pairs(pairs, self._task.settings)
            return {**shown, "answer": seen, "pairs": pairs, "pay_cents": pay}
        return None

    def end(self, dialog: Dialog, role: DialogRole) -> Json:
        """How a dialog ended, and what it brought."""
        by = EndedBy(dialog.ended_by)
        return {
            "type": "ended",
            "dialog": dialog.id,
            "by": by,
            "pairs": len(dialog.pairs),
            "kept": is_kept(dialog, self._task, self._live),
            "pay_cents": pay_of(dialog, role, by, self._task, self._live),
            "message": _why(by, role),
            "may_report": dialog.simulated is None and dialog.report_by(role) is None,
        }


def _why(by: EndedBy, role: DialogRole) -> str:
    if by in WHY:
        return WHY[by]
    if by.value == f"{role}-report":
        return YOU_REPORTED
    return YOU_LEFT if by.was_left_by(role) else PARTNER_LEFT
