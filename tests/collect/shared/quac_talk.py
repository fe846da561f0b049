"""A dialog that two people held, and others who validate it."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

from quac_site import let_in

from lacuna_collect.live.dialogs import Dialogs, EndedBy, NoPair, Said
from lacuna_collect.project import CollectProject
from lacuna_collect.tasks.task import Json
from lacuna_collect.work.assignments import Assigned, Submitted

TASK, VALIDATION = "quac-dialogs", "quac-validation"
ANSWERS = ("in 1876", None, "A storm", "stands to this day")


def span(text: str, words: str | None, **acts: str) -> Json:
    """An answer in these words of the section."""
    if words is None:
        return {"kind": "none", "yesno": "x", **acts}
    start = text.index(words)
    return {"kind": "span", "start": start, "end": start + len(words), "yesno": "x", **acts}


def hold_dialog(project: CollectProject, *names: str) -> tuple[int, int]:
    """A dialog of two people that is done; the student's and the teacher's numbers."""
    task = project.work.tasks[TASK]
    dialogs = Dialogs(project.database, project.work.tasks, task, task.task)  # type: ignore[arg-type]
    people = [let_in(project, name)[2] for name in names or ("Ada", "Ben")]
    begun = dialogs.begin(*people)
    assert not isinstance(begun, NoPair)
    assert begun.student is not None
    assert begun.teacher is not None
    text = begun.payload["text"]
    for number, words in enumerate(ANSWERS):
        asked = dialogs.say(
            begun.student, begun.id, f"q{number}", 2 * number, {"text": f"Question {number}?"}
        )
        answer = {"answer": span(text, words, followup="m")}
        said = dialogs.say(begun.teacher, begun.id, f"a{number}", 2 * number + 1, answer)
        assert isinstance(asked, Said)
        assert isinstance(said, Said)
    dialogs.leave(begun.id, EndedBy.STUDENT)
    return begun.student, begun.teacher


def begin(project: CollectProject, person: int) -> Assigned:
    """A dialog to validate."""
    found = project.work.next(person, VALIDATION)
    assert isinstance(found, Assigned), found
    return found


def validate(
    project: CollectProject,
    name: str,
    answers: tuple[str | None, ...] = ANSWERS,
    acts: Mapping[int, str] = MappingProxyType({}),
) -> None:
    """Somebody new answers all questions; ``acts`` has what is said by number, if not neither."""
    person = let_in(project, name)[2]
    work = begin(project, person)
    for number, words in enumerate(answers):
        said = span(work.shown["text"], words, yesno=acts.get(number, "x"))
        project.work.steps.answer(person, work.assignment, number, said)
    got = project.work.submit(person, work.assignment, {}, "k", 10)
    assert isinstance(got, Submitted), got
