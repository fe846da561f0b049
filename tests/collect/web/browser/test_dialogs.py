"""A whole dialog in two browser windows, validators in another browser, and what is exported.

LACUNA_SHOTS=FOLDER keeps pictures of every state; axe looks at each.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from browsing import ARGUMENTS, CHROMIUM, browser, needs_chromium
from person_in_browser import PersonInBrowser
from project_walk import SIZES, serving
from quac_site import HIDDEN, PEOPLE, make_quac_project

from lacuna_collect.people.accounts import CollectRole
from lacuna_collect.project import CollectProject

__all__ = ["browser"]
pytestmark = needs_chromium
ASKED = (
    ("What was built first?", "The breakwater of Sell"),
    ("When was it begun?", "in 1876"),
    ("Was anybody hurt in it later?", None),
    ("Does the light still stand?", "stands to this day"),
)
VALIDATORS = 4
VIEWS = (("wide", "light"), ("phone", "dark"))


class Talker(PersonInBrowser):
    """Somebody who talks; all that comes over the socket or the interface is kept."""

    def __init__(self, browser: Any, address: str, **options: Any) -> None:
        super().__init__(browser, address, **options)
        self.frames: list[str] = []
        self._before = 0
        self.page.on("websocket", self._listen)

    def _listen(self, socket: Any) -> None:
        socket.on("framereceived", lambda frame: self.frames.append(str(frame)))

    def waits_for_partner(self) -> None:
        """Whoever passed the test has read its section: what is told counts from here on."""
        self.page.get_by_role("heading", name="Waiting for a partner").wait_for()
        self._before = len(self.traffic)

    @property
    def told(self) -> str:
        """All that ever came over the socket, and over the interface since the wait."""
        return "\n".join(self.frames + self.traffic[self._before :])

    def views(self, name: str) -> None:
        """Look at a state at a desk by day and on a phone by night."""
        for size, scheme in VIEWS:
            width, height = SIZES[size]
            self.page.set_viewport_size({"width": width, "height": height})
            self.page.emulate_media(color_scheme=scheme)
            self.look(f"quac-{name}-{size}-{scheme}", whole=True)
        self.page.set_viewport_size({"width": 1280, "height": 900})
        self.page.emulate_media(color_scheme="light")

    def mark(self, words: str) -> None:
        """Select words of the section with the keyboard alone."""
        page = self.page
        text = page.locator(".markable").inner_text()
        before, among = text[: text.index(words)].split(), words.split()
        page.locator(".markable").focus()
        page.keyboard.press("Home")
        for _ in before:
            page.keyboard.press("ArrowRight")
        for _ in among[1:]:
            page.keyboard.press("Shift+ArrowRight")
        page.keyboard.press("Enter")

    def give(self, words: str | None) -> None:
        """Answer what is asked."""
        if words is None:
            self.page.get_by_role("button", name="The section does not tell").click()
        else:
            self.mark(words)
        self.page.get_by_role("button", name="Send the answer").click()

    def ask(self, text: str) -> None:
        self.page.get_by_label("Your question").fill(text)
        self.page.keyboard.press("Enter")


@pytest.fixture
def project(tmp_path: Path) -> Iterator[CollectProject]:
    made = make_quac_project(tmp_path, people=1, percent_dev=100)
    yield made
    made.close()


@pytest.fixture
def other_browser(browser: Any) -> Iterator[Any]:
    """A second browser, in a process of its own."""
    opened = browser.browser_type.launch(executable_path=CHROMIUM, args=list(ARGUMENTS))
    yield opened
    opened.close()


def test_a_whole_dialog(
    browser: Any, other_browser: Any, lacuna: Any, project: CollectProject, tmp_path: Path
) -> None:
    with serving(project.folder) as address:
        wanda, will = (_comes(browser, address, project, name) for name in ("Wanda", "Will"))
        wanda.go("/collect/tasks/quac-dialogs")
        wanda.page.get_by_role("button", name="Begin the test").wait_for()
        wanda.views("instructions")
        _passes_test(wanda, "quac-dialogs", look=True)
        _let(project, will, "quac-dialogs")
        wanda.waits_for_partner()
        wanda.views("waiting")
        will.go("/collect/live/quac-dialogs")
        for one in (wanda, will):
            one.page.locator(".two").wait_for()
        wanda_asks = wanda.page.get_by_label("Your question").count() == 1
        student, teacher = (wanda, will) if wanda_asks else (will, wanda)
        _talk(student, teacher)
        hidden = HIDDEN.format(name=PEOPLE[0])
        assert hidden in teacher.told
        assert hidden not in student.told
        assert "quarries" not in student.told
        assert '"start"' not in student.told

        for number in range(VALIDATORS):
            vera = _comes(other_browser, address, project, f"Vera {number}")
            _validates(project, vera, first=number == 0)
        for one in (student, teacher):
            assert one.errors == []
            one.go("/collect/earnings")
            one.page.get_by_text("$1.00").first.wait_for()  # 22 + 24 + 26 + 28 cents
    out = tmp_path / "data"
    exported = lacuna("collect", "export", project.folder, out)
    assert exported.code == 0, exported.err
    assert json.loads(exported.out)["written"]["human"]["dev.json"]["questions"] == len(ASKED)
    checked = lacuna("data", "check", "quac", out / "dev.json")
    assert checked.code == 0, checked.err
    scored = lacuna("evaluate", "quac", out / "dev.json")
    assert scored.code == 0, scored.err
    assert "human" in scored.out


def _talk(student: Talker, teacher: Talker) -> None:
    """Four questions, with a connection that is cut in the middle."""
    for number, (text, words) in enumerate(ASKED):
        if number == 1:
            student.context.set_offline(True)
            teacher.page.get_by_text("Your partner has lost the connection").wait_for()
            student.page.get_by_text("The connection is lost").wait_for()
            teacher.views("partner-away")
            student.ask(text)  # typed while the line is cut
            student.views("cut")
            student.context.set_offline(False)
        else:
            if number == 0:  # it is told every two seconds at most
                student.page.get_by_label("Your question").press_sequentially("W")
                teacher.page.get_by_text("The student is typing").wait_for()
            student.ask(text)
        teacher.page.locator(".talk").get_by_text(text).wait_for()
        assert teacher.page.locator(".talk li.student").count() == number + 1
        if number == 2:
            teacher.context.set_offline(True)
            student.page.get_by_text("Your partner has lost the connection").wait_for()
            teacher.give(words)
            teacher.context.set_offline(False)
        elif number == 3:
            teacher.mark(str(words))
            teacher.page.get_by_label("Yes", exact=True).check()
            teacher.page.get_by_label("Ask about something else").check()
            teacher.views("teacher")
            teacher.page.get_by_role("button", name="Send the answer").click()
        else:
            teacher.give(words)
        student.page.locator(".talk li.teacher").nth(number).wait_for()
    student.views("student")
    student.page.get_by_role("button", name="Leave the dialog").click()
    student.views("leave")
    student.page.get_by_role("button", name="Leave", exact=True).click()
    for one in (student, teacher):
        one.page.get_by_role("heading", name="The dialog has ended").wait_for()
    teacher.views("ended")


def _comes(browser: Any, address: str, project: CollectProject, name: str) -> Talker:
    person = Talker(browser, address)
    person.watch()
    person.register(project.accounts.invitations.invite(CollectRole.WORKER), name)
    return person


def _let(project: CollectProject, person: Talker, task: str) -> None:
    name = person.page.locator("#nav .who").inner_text()
    number = next(one.id for one in project.accounts.people() if one.name == name)
    project.work.qualifications.set(number, task, passed=True)


def _passes_test(person: Talker, task: str, *, look: bool) -> None:
    person.open_task(task)
    answers: tuple[str | None, ...] = (
        "Lowick",
        "She was not allowed to study,",
        None,
        "a breakwater at Sell,",
    )
    answers += ("a storm destroyed within a year.", "stands to this day.")
    for number, words in enumerate(answers):
        person.page.get_by_text(f"Question {number + 1} of 6").wait_for()
        person.page.locator(".question-now").wait_for()
        if words is None:
            person.give(None)
        else:
            person.mark(words)
            if look and number == 1:
                person.views("test")
            person.page.get_by_role("button", name="Send the answer").click()
    person.page.get_by_text("All questions are answered").wait_for()
    person.press_hand_in()
    person.page.get_by_text("You passed the test").wait_for()
    person.page.get_by_role("button", name="Next").click()


def _validates(project: CollectProject, vera: Talker, *, first: bool) -> None:
    if first:
        _passes_test(vera, "quac-validation", look=False)
    else:
        _let(project, vera, "quac-validation")
        vera.open_task("quac-validation")
    for number, (text, words) in enumerate(ASKED):
        vera.page.locator(".question-now", has_text=text).wait_for()
        later = [one for one, _ in ASKED[number + 1 :] if one in vera.told]
        assert not later, "questions come one by one"
        if number == 1 and first:
            vera.page.reload()  # nothing is lost, and nothing can be changed
            vera.page.locator(".question-now", has_text=text).wait_for()
            vera.views("validation")
        vera.give(words)
    vera.page.get_by_text("All questions are answered").wait_for()
    vera.press_hand_in()
    assert vera.errors == []
