"""The end of a dialog: both get what they earned, and what was said becomes accepted work."""

from __future__ import annotations

from enum import StrEnum

from sqlalchemy import insert, select, update

from lacuna.collect.database.engine import CollectTransaction
from lacuna.collect.database.tables import ASSIGNMENT, DIALOG, PROBLEM_REPORT, SUBMISSION
from lacuna.collect.live.dialog_rows import ENDED, Dialog, DialogEvent
from lacuna.collect.tasks.live_task import DialogRole, LiveTask
from lacuna.collect.tasks.task import FinishedWork, Json
from lacuna.collect.work.accepting import reward
from lacuna.collect.work.ledger import enter
from lacuna.collect.work.looking_up import TasksInUse
from lacuna.collect.work.places import free_place
from lacuna.collect.work.results import AssignmentState, TaskInUse


class EndedBy(StrEnum):
    """Why a dialog has ended."""

    LENGTH = "length"
    """All questions that a dialog may have were answered."""
    NO_ANSWERS = "no-answers"
    """Too many questions had no answer."""
    STUDENT = "student"
    TEACHER = "teacher"
    """Somebody left, or did nothing for too long."""
    BOTH = "both"
    """Both lost their connection and did not come back."""
    STUDENT_REPORT = "student-report"
    TEACHER_REPORT = "teacher-report"
    """Somebody reported the partner."""

    def was_left_by(self, role: DialogRole) -> bool:
        """Whether who has this role is the one who left."""
        return self.value == role.value or self is EndedBy.BOTH


def rule_that_ends(dialog: Dialog, task: TaskInUse, live: LiveTask) -> EndedBy | None:
    """Which of the paper's rules ends a dialog after its latest answer, if any."""
    rules = live.rules(task.settings)
    pairs = dialog.pairs
    if sum(live.is_no_answer(answer) for _, answer in pairs) > rules.most_no_answers:
        return EndedBy.NO_ANSWERS
    return EndedBy.LENGTH if len(pairs) >= rules.most_pairs else None


def pay_of(dialog: Dialog, role: DialogRole, by: EndedBy, task: TaskInUse, live: LiveTask) -> int:
    """What one of the two gets, in cents; nothing to who left a dialog that is discarded."""
    pairs = len(dialog.pairs)
    if not is_kept(dialog, task, live) and by.was_left_by(role):
        return 0
    return live.pay_for_pairs(pairs, task.settings)


def is_kept(dialog: Dialog, task: TaskInUse, live: LiveTask) -> bool:
    """Whether a dialog is long enough to be used."""
    return len(dialog.pairs) >= live.rules(task.settings).fewest_pairs


def end_dialog(
    transaction: CollectTransaction,
    tasks: TasksInUse,
    task: TaskInUse,
    live: LiveTask,
    dialog: Dialog,
    by: EndedBy,
) -> None:
    """End a dialog that is locked and open.

    One with too few pairs is discarded; then only who did not leave is paid for what was said. The
    places are free again of what is discarded, and of what is practice with a simulated partner.
    """
    transaction.execute(
        update(DIALOG)
        .where(DIALOG.c.id == dialog.id)
        .values(state=ENDED, ended_by=by, ended_at=transaction.now)
    )
    kept = is_kept(dialog, task, live)
    has_places = kept and dialog.simulated is None
    about = {"dialog": dialog.id, "by": by, "pairs": len(dialog.pairs), "kept": kept}
    transaction.log("dialog-ended", task=dialog.task, about=about)
    for role in DialogRole:
        person = dialog.person_in(role)
        if not has_places:
            free_place(transaction, dialog.item)
        if person is None:
            continue
        assignment = _assignment(
            transaction, dialog, task, person, is_kept=kept, has_place=has_places
        )
        if kept:
            _hand_in(transaction, tasks, task, dialog, dialog_work(dialog, role, live), assignment)
        elif cents := pay_of(dialog, role, by, task, live):
            enter(
                transaction,
                person=person,
                task=dialog.task,
                assignment=assignment,
                kind="pay",
                reference=f"pay:{assignment}",
                cents=cents,
            )
        if (report := dialog.report_by(role)) is not None:
            pass_on_report(transaction, dialog, report)


def dialog_work(dialog: Dialog, role: DialogRole, live: LiveTask) -> Json:
    """What was said, as it is exported and reviewed."""

    def words(answer: Json) -> str:
        return str(live.answer_seen_by(dialog.payload, answer, role)["text"])

    return {
        "dialog": dialog.id,
        "role": role,
        "simulated": dialog.simulated or "",
        "people": list(dialog.people),
        "turns": [
            {"question": question, "answer": answer, "words": words(answer)}
            for question, answer in dialog.pairs
        ],
    }


def pass_on_report(transaction: CollectTransaction, dialog: Dialog, report: DialogEvent) -> None:
    """Put what one said about the partner of a dialog that has ended where the requester looks."""
    person, about = dialog.person_in(report.role), report.role.other
    assignment = transaction.scalar(
        select(ASSIGNMENT.c.id).where(
            ASSIGNMENT.c.item == dialog.item, ASSIGNMENT.c.person == person
        )
    )
    words = f"About the {about}{_named(dialog, about)} of dialog {dialog.id}: "
    transaction.execute(
        insert(PROBLEM_REPORT).values(
            assignment=assignment,
            person=person,
            body=words + report.body["text"],
            at=report.at,
        )
    )


def _assignment(
    transaction: CollectTransaction,
    dialog: Dialog,
    task: TaskInUse,
    person: int,
    *,
    is_kept: bool,
    has_place: bool,
) -> int:
    state = AssignmentState.SKIPPED
    if is_kept:
        waits = task.settings.review_all
        state = AssignmentState.WAITING if waits else AssignmentState.ACCEPTED
    made = transaction.execute(
        insert(ASSIGNMENT)
        .values(
            item=dialog.item,
            person=person,
            task=dialog.task,
            state=state,
            has_place=has_place,
            is_test=False,
            version=0,
            seconds=transaction.now - dialog.began_at,
            loop={},
            returned_reason="",
            assigned_at=dialog.began_at,
            expires_at=transaction.now,
            ended_at=transaction.now,
        )
        .returning(ASSIGNMENT.c.id)
    )
    return int(made.scalar_one())


def _hand_in(
    transaction: CollectTransaction,
    tasks: TasksInUse,
    task: TaskInUse,
    dialog: Dialog,
    work: Json,
    assignment: int,
) -> None:
    person = dialog.person_in(work["role"])
    assert person is not None
    seconds = transaction.now - dialog.began_at
    is_accepted = not task.settings.review_all
    made = transaction.execute(
        insert(SUBMISSION)
        .values(
            assignment=assignment,
            author=person,
            key=f"dialog-{dialog.id}",
            work=work,
            loop={},
            seconds=seconds,
            late=False,
            accepted=is_accepted,
            at=transaction.now,
        )
        .returning(SUBMISSION.c.id)
    )
    submission = int(made.scalar_one())
    transaction.log("submitted", person=person, task=dialog.task, assignment=assignment)
    if is_accepted:
        finished = FinishedWork(
            dialog.item_key, dialog.payload, dialog.split, work, person, submission, seconds
        )
        reward(transaction, tasks, dialog.task, assignment, finished)


def _named(dialog: Dialog, role: DialogRole) -> str:
    person = dialog.person_in(role)
    return " (simulated)" if person is None else f" (person {person})"
