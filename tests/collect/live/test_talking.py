"""Two people on real sockets: what each sees, how a dialog ends, and what it brings."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

import pytest
from live_person import Come, LivePerson, exchange, in_roles
from quac_site import HIDDEN, PEOPLE, let_in, make_quac_project, quac_app
from stand_in import listening

from lacuna_collect.project import CollectProject

TASK = "quac-dialogs"


@pytest.fixture
def project(tmp_path: Path) -> Iterator[CollectProject]:
    made = make_quac_project(
        tmp_path, reconnect_seconds=1, idle_warning_seconds=2, idle_end_seconds=4
    )
    yield made
    made.close()


def paired(come: Come, *names: str) -> tuple[LivePerson, LivePerson]:
    one, other = (come(name) for name in names)
    one.hello()
    other.begin()
    one.get("dialog")
    return in_roles(one, other)


def test_the_student_never_sees_the_section(project: CollectProject, come: Come) -> None:
    student, teacher = paired(come, "Ada", "Ben")
    assert set(student.seen) == {"title", "section", "background"}
    exchange(student, teacher, "When was it begun?", "in 1876")
    exchange(student, teacher, "Did she marry?", None)
    student.reconnect()
    again = student.get("dialog")
    assert again["events"] == []  # all of it was seen before
    student.last = 0
    student.reconnect()
    events = student.get("dialog")["events"]
    assert [event["kind"] for event in events] == ["question", "answer"] * 2
    assert events[1]["answer"] == {
        "kind": "span", "text": "in 1876", "yesno": "x", "followup": "m"
    }  # fmt: skip
    hidden = HIDDEN.format(name=student.seen["title"])
    assert student.seen["title"] in PEOPLE
    told = "\n".join(student.raw)
    assert hidden in "\n".join(teacher.raw)
    assert "breakwater" not in told
    assert '"start"' not in told
    assert '"sentences"' not in told


def test_twelve_answers_end_it_and_pay_grows(project: CollectProject, come: Come) -> None:
    student, teacher = paired(come, "Ada", "Ben")
    for number in range(12):
        exchange(student, teacher, f"Question {number}?", "in 1876")
    ends = [one.get("ended") for one in (student, teacher)]
    assert [(end["by"], end["kept"], end["pay_cents"]) for end in ends] == [
        ("length", True, 396)
    ] * 2
    assert sorted(row.cents for row in project.work.ledger.rows()) == [396, 396]


def test_a_third_question_without_an_answer_ends_it(come: Come) -> None:
    student, teacher = paired(come, "Ada", "Ben")
    for number in range(3):
        exchange(student, teacher, f"Question {number}?", None)
    assert student.get("ended")["by"] == "no-answers"


def test_a_short_dialog_is_discarded_and_who_stayed_is_paid(
    project: CollectProject, come: Come
) -> None:
    student, teacher = paired(come, "Ada", "Ben")
    exchange(student, teacher, "When?", "in 1876")
    exchange(student, teacher, "And then?", "A storm")
    student.send(type="leave")
    assert (student.get("ended")["pay_cents"], teacher.get("ended")["pay_cents"]) == (0, 46)
    assert not project.work.finished.of(TASK)
    assert [row.cents for row in project.work.ledger.rows()] == [46]
    # Somebody else comes; about this section, who left never talks again.
    cleo = come("Cleo")
    cleo.hello()
    cleo.get("waiting")
    student.send(type="wait")
    student.get("dialog")
    cleo.get("dialog")
    assert student.seen["title"] != teacher.seen["title"]


def test_the_same_pair_waits_for_others(come: Come) -> None:
    student, teacher = paired(come, "Ada", "Ben")
    student.send(type="leave")
    for one in (student, teacher):
        one.get("ended")
        one.send(type="wait")
    told = teacher.get("waiting", lambda waiting: waiting["why_not"] == "have-met")
    assert told["here"] == 2


def test_the_same_pair_talks_again_where_it_may(tmp_path: Path) -> None:
    project = make_quac_project(tmp_path, same_pair_again=True)
    with listening(quac_app(project)) as address:
        people = [LivePerson(address, *let_in(project, name)[:2]) for name in ("Ada", "Ben")]
        people[0].hello()
        people[1].begin()
        people[0].get("dialog")
        first = {one.role: one.seen["title"] for one in people}
        people[0].send(type="leave")
        for one in people:
            one.get("ended")
            one.send(type="wait")
        again = [one.get("dialog") for one in people]
        assert again[0]["dialog"] == again[1]["dialog"]
        assert people[0].seen["title"] == people[1].seen["title"] != first["student"]
        for one in people:
            one.close()
    project.close()


def test_who_does_not_come_back_has_left(come: Come) -> None:
    student, teacher = paired(come, "Ada", "Ben")
    student.socket.close()
    assert teacher.get("partner")["is_here"] is False
    assert teacher.get("ended")["by"] == "student"
    student.reconnect()
    assert student.get("ended")["pay_cents"] == 0


def test_both_lose_the_connection(project: CollectProject, come: Come) -> None:
    student, teacher = paired(come, "Ada", "Ben")
    for number in range(3):
        exchange(student, teacher, f"Question {number}?", "in 1876")
    for one in (student, teacher):
        one.socket.close()
    for one in (student, teacher):  # within the second that there is
        one.reconnect()
        assert one.get("dialog")["pairs"] == 3
    exchange(student, teacher, "And now?", "stands to this day")
    for one in (student, teacher):
        one.socket.close()
    waits = come("Cleo")  # some time later
    waits.hello()
    waits.get("waiting", lambda waiting: waiting["waited_seconds"] >= 4)
    for one in (student, teacher):
        one.reconnect()
        assert one.get("ended")["by"] == "both"
    assert len(project.work.finished.of(TASK)) == 2  # it was long enough


def test_who_says_nothing_is_reminded_and_then_has_left(come: Come) -> None:
    student, teacher = paired(come, "Ada", "Ben")
    assert student.get("idle")["is_you"] is True
    assert teacher.get("idle")["is_you"] is False
    assert teacher.get("ended")["by"] == "student"


def test_a_report_reaches_the_requester_alone(project: CollectProject, come: Come) -> None:
    student, teacher = paired(come, "Ada", "Ben")
    exchange(student, teacher, "When?", "in 1876")
    teacher.send(type="report", text="They were rude.")
    assert teacher.get("ended")["pay_cents"] == 22
    student.get("ended")
    assert "rude" not in "\n".join(student.raw)
    (report,) = project.work.reports.all()
    assert "They were rude." in report.text
    assert "student" in report.text


def test_typing_is_passed_on(come: Come) -> None:
    student, teacher = paired(come, "Ada", "Ben")
    teacher.send(type="typing")  # it is not the teacher's turn
    student.send(type="typing")
    teacher.get("typing")
    exchange(student, teacher, "When?", "in 1876")
    assert '"typing"' not in "\n".join(student.raw)


def test_only_spans_are_answers(come: Come) -> None:
    student, teacher = paired(come, "Ada", "Ben")
    student.ask("When?")
    teacher.get("event")
    acts = {"yesno": "x", "followup": "m"}
    for answer, field in (
        ({"kind": "span", "start": 0, "end": 9_999, **acts}, "span"),
        ({"kind": "span", "start": 0, "end": 300, **acts}, "span"),  # more than 30 tokens
        ({"kind": "span", "start": 0, "end": 2, **acts}, "span"),  # half a word
        ({"kind": "none", "yesno": "x"}, "followup"),
        ({"kind": "none", "yesno": ["y"], "followup": "m"}, "yesno"),
        ({"kind": "words", "text": "I tell you all"}, "kind"),
        ("free text", "kind"),
        (None, "kind"),
    ):
        teacher.send(type="say", key="k", after=1, answer=answer)
        problems = teacher.get("refused")["problems"]
        assert [problem["field"] for problem in problems] == [field]
    assert teacher.answer("in 1876")["number"] == 2


def test_a_simulated_partner_comes_only_where_it_is_wanted(tmp_path: Path) -> None:
    project = make_quac_project(tmp_path, simulated_after_seconds=1)
    with listening(quac_app(project)) as address:
        token, csrf, _ = let_in(project, "Ada")
        ada = LivePerson(address, token, csrf)
        begun = ada.begin()
        assert begun["partner_is_simulated"] is True
        for number in range(3):
            if ada.role == "student":
                ada.ask(f"What about the light {number}?")
                ada.get("event", lambda event: event["kind"] == "answer")
            else:
                ada.get("event", lambda event: event["kind"] == "question")
                ada.answer("in 1876")
        ada.send(type="leave")
        assert ada.get("ended")["kept"] is True
        ada.close()
    report = project.export(tmp_path / "out")
    assert report["written"]["written"]["train.json"]["dialogs"] == 0
    assert report["written"]["written"]["simulated.json"]["dialogs"] == 1
    project.close()


def test_an_export_has_each_dialog_once(
    project: CollectProject, come: Come, tmp_path: Path
) -> None:
    student, teacher = paired(come, "Ada", "Ben")
    acts = [("x", "n"), ("y", "y"), ("n", "m")]
    for number, (yes_no, follow_up) in enumerate(acts):
        student.ask(f"Question {number}?")
        teacher.get("event", lambda event: event["kind"] == "question")
        words = "in 1876" if number else None
        teacher.answer(words, yesno=yes_no, followup=follow_up)
        told = student.get("event", lambda event: event["kind"] == "answer")["answer"]
        assert (told["yesno"], told["followup"]) == (yes_no, follow_up)
    student.send(type="leave")
    teacher.get("ended")
    project.export(tmp_path / "out")
    (item,) = json.loads((tmp_path / "out" / "train.json").read_text())["data"]
    (paragraph,) = item["paragraphs"]
    assert [qa["question"] for qa in paragraph["qas"]] == [f"Question {n}?" for n in range(3)]
    assert [(qa["yesno"], qa["followup"]) for qa in paragraph["qas"]] == acts
    assert paragraph["qas"][0]["orig_answer"]["text"] == "CANNOTANSWER"
    for qa in paragraph["qas"]:
        (answer,) = qa["answers"]
        start = answer["answer_start"]
        assert paragraph["context"][start : start + len(answer["text"])] == answer["text"]
