"""What an end leaves of a section: whoever comes next can talk about what was not used."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest
from hub_table import TASK, dialogs_of
from quac_site import let_in, make_quac_project

from lacuna_collect.live.dialogs import Dialog, Dialogs, EndedBy, NoPair, Said
from lacuna_collect.project import CollectProject
from lacuna_collect.refused import RefusedError
from lacuna_collect.tasks.task import DialogRole

ANSWER = {"kind": "none", "yesno": "x", "followup": "m"}
Make = Callable[..., CollectProject]


@pytest.fixture
def make(tmp_path: Path) -> Iterator[Make]:
    """A project with one section of dev, about which one dialog is held."""
    made: list[CollectProject] = []

    def make_project(**settings: Any) -> CollectProject:
        made.append(
            make_quac_project(tmp_path, people=1, percent_dev=100, most_no_answers=12, **settings)
        )
        return made[-1]

    yield make_project
    for one in made:
        one.close()


def held(dialogs: Dialogs, begun: Dialog | NoPair) -> Dialog:
    """A dialog of three pairs, from which the student then goes."""
    assert isinstance(begun, Dialog), begun
    for turn in range(6):
        role = DialogRole.TEACHER if turn % 2 else DialogRole.STUDENT
        person, body = begun.person_in(role), {"answer": ANSWER} if turn % 2 else {"text": "Why?"}
        if person is None:
            said = dialogs.say_simulated(dialogs.look_at(begun.people[0], begun.id))
        else:
            told = dialogs.say(person, begun.id, f"k{turn}", turn, body)
            said = told if isinstance(told, Said) else None
        assert said is not None
    return dialogs.leave(begun.id, EndedBy.STUDENT)


def begin(project: CollectProject, dialogs: Dialogs, *names: str) -> Dialog | NoPair:
    return dialogs.begin(*(let_in(project, name)[2] for name in names))


@pytest.mark.parametrize("role", list(DialogRole))
def test_practice_with_a_simulated_partner_takes_no_section(
    make: Make, role: DialogRole, monkeypatch: pytest.MonkeyPatch
) -> None:
    project = make()
    dialogs = dialogs_of(project)
    monkeypatch.setattr(dialogs._random, "choice", lambda _: role)
    ended = held(dialogs, dialogs.begin_simulated(let_in(project, "Ada")[2]))
    assert ended.simulated is role.other
    assert len(project.work.finished.of(TASK)) == 1  # it is paid, and exported apart
    assert isinstance(begin(project, dialogs, "Ben", "Cleo"), Dialog)
    assert begin(project, dialogs, "Dan", "Eve") is NoPair.NO_SECTION


@pytest.mark.parametrize("review_all", [False, True])
@pytest.mark.parametrize("rejected", list(DialogRole))
def test_who_rejects_one_part_rejects_the_dialog(
    make: Make, review_all: bool, rejected: DialogRole
) -> None:
    project = make(review_all=review_all)
    dialogs, reviews = dialogs_of(project), project.work.reviews
    held(dialogs, begin(project, dialogs, "Ada", "Ben"))
    assert begin(project, dialogs, "Cleo", "Dan") is NoPair.NO_SECTION
    parts = reviews.queue() if review_all else reviews.inspection_sample(2)
    of_role = {part.work["role"]: part for part in parts}
    reviews.reject(of_role[rejected].submission, "Spam.")
    assert project.work.finished.of(TASK) == []
    assert reviews.queue() + reviews.inspection_sample(2) == []
    with pytest.raises(RefusedError, match="decided about this meanwhile"):
        reviews.reject(of_role[rejected.other].submission, "Spam, too.")
    told = {
        role: project.work.open(part.person, part.assignment).returned_reason
        for role, part in of_role.items()
    }
    assert told[rejected] == "Spam."
    assert "Your partner's part" in told[rejected.other]
    assert isinstance(begin(project, dialogs, "Eve", "Finn"), Dialog)
    assert begin(project, dialogs, "Gus", "Hal") is NoPair.NO_SECTION


def test_who_was_accepted_before_stays_paid(make: Make) -> None:
    project = make(review_all=True)
    dialogs, reviews = dialogs_of(project), project.work.reviews
    held(dialogs, begin(project, dialogs, "Ada", "Ben"))
    good, bad = reviews.queue()
    reviews.accept(good.submission)
    reviews.reject(bad.submission, "Spam.")
    assert [row.person for row in project.work.ledger.rows()] == [good.person]
    assert project.work.finished.of(TASK) == []


def test_two_reviewers_reject_a_part_each(make: Make, url: str) -> None:
    project = make(database=url)
    dialogs, reviews = dialogs_of(project), project.work.reviews
    held(dialogs, begin(project, dialogs, "Ada", "Ben"))
    parts = [part.submission for part in reviews.inspection_sample(2)]
    with ThreadPoolExecutor(2) as reviewers:
        decided = [reviewers.submit(reviews.reject, part, "Spam.") for part in parts]
    refused = [one.exception() for one in decided if one.exception() is not None]
    assert [type(one) for one in refused] == [RefusedError]
    assert isinstance(begin(project, dialogs, "Eve", "Finn"), Dialog)
    assert begin(project, dialogs, "Gus", "Hal") is NoPair.NO_SECTION


def test_a_paused_task_begins_no_simulated_dialog_either(make: Make) -> None:
    project = make()
    project.work.progress.pause(TASK, True)
    assert dialogs_of(project).begin_simulated(let_in(project, "Ada")[2]) is NoPair.IS_PAUSED
