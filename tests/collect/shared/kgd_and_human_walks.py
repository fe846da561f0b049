"""What people do in a project for KGD, and in one for a human check."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from person_in_browser import PersonInBrowser
from project_walk import Walk

from lacuna import demo
from lacuna_collect.project import CollectProject
from lacuna_collect.tasks.kgd import BY_LABEL, fact_trial, gap_trial

HOTPOTQA = Path(__file__).parents[3] / "examples" / "hotpotqa.json"
KGD = {"train_file": demo.OPENBOOK, "questions": 2, "kgd-gaps.inspect_first": 0}
HUMAN = {"dataset": "hotpotqa", "questions_file": HOTPOTQA}
LADLE = "heat passes quickly through metals"
LEVER = "a lever makes it easier to lift a heavy load"
GAPS = {
    LADLE: ("metals", "a steel ladle is made of metals"),
    LEVER: ("lever", "a crowbar is a kind of lever"),
}
ANSWERS = {
    "On which island": ("Greater Tarn", (("Marrow (ferry)", 2), ("Ada Quill", 1), ("Corrie", 1))),
    "Were the Marrow": ("no", (("Marrow (ferry)", 1), ("Lantern (ship)", 1))),
}


def walk_kgd(walk: Walk) -> None:
    """Three people judge facts, and then describe the gaps of those that two of them kept."""
    workers = three_people(walk, "kgd-facts", "kgd-gaps")
    for worker in workers:
        first = worker is workers[0]
        worker.open_task("kgd-facts")
        for number, item in enumerate(fact_trial() if first else ()):
            worker.page.get_by_text(f"Test: {2 - number} to go").wait_for()
            assert item.gold is not None
            if first and number == 0:
                worker.page.get_by_role("button", name="Hand in").click()
                worker.page.get_by_text("Fact 1: ").wait_for()
                walk.look(worker, "facts-problems")
            for at, verdict in enumerate(item.gold["judgements"]):
                judge(worker.page, at, **verdict)
            hand_in_and_go_on(worker)
        for number in range(2):
            worker.page.get_by_role("heading", name="Facts", exact=True).wait_for()
            for at, fact in enumerate(facts(worker.page)):
                judge(worker.page, at, relevant=fact in GAPS, unique=worker is not workers[2])
            if first and number == 0:
                walk.look(worker, "facts")
            hand_in_and_go_on(worker)
        worker.page.get_by_text("There is nothing more to do").wait_for()
        told = "".join(text for text in worker.traffic if '"facts"' in text)
        assert '"answer"' not in told, "the right choice is withheld in round 1"

    for worker in workers:
        first = worker is workers[0]
        worker.open_task("kgd-gaps")
        for number, item in enumerate(gap_trial() if first else ()):
            worker.page.get_by_text(f"Test: {4 - number} to go").wait_for()
            assert item.gold is not None
            fact, (start, end) = item.payload["fact"], item.gold["span"]
            if first and number == 0:
                walk.look(worker, "gaps-begun")
            mark(worker.page, fact, fact[start:end])
            right = next(
                c["text"] for c in item.payload["choices"] if c["label"] == item.payload["answer"]
            )
            (relation,) = item.gold["relations"]
            tick(worker.page, BY_LABEL[relation].sentence(fact[start:end], right))
            hand_in_and_go_on(worker)
        for number in range(2):
            fact = worker.page.locator(".markable").inner_text()
            term, statement = GAPS[fact]
            if worker is workers[2] and fact == LEVER:  # in words of one's own
                worker.page.get_by_text("No words that stand together will do", exact=True).click()
                worker.page.get_by_label("The key term, in other words").fill("levers")
                worker.page.get_by_label("None of them?").fill("works like")
                walk.look(worker, "gaps-own-words")
            else:
                mark(worker.page, fact, term)
                if first and number == 0:
                    worker.page.get_by_role("button", name="Hand in").click()
                    worker.page.get_by_text("Tick what is true").first.wait_for()
                    walk.look(worker, "gaps-problems")
                tick(worker.page, statement)
            if first and number == 0:
                walk.look(worker, "gaps")
            hand_in_and_go_on(worker)
        worker.page.get_by_text("There is nothing more to do").wait_for()
    walk.rita.go("/collect/console")
    walk.rita.page.get_by_text("a relation in common").wait_for()
    walk.look(walk.rita, "console")


def walk_human_check(walk: Walk) -> None:
    """Three people answer both questions, the last one a little otherwise."""
    workers = three_people(walk, "human-check")
    for worker in workers:
        first = worker is workers[0]
        page = worker.page
        worker.open_task("human-check")
        if first:
            page.get_by_text("Test: 1 to go").wait_for()
            page.get_by_role("button", name="Hand in").click()
            page.get_by_text("Say what kind of answer it is").first.wait_for()
            assert page.get_by_label("The words").is_hidden(), "before the kind is chosen"
            walk.look(worker, "test-problems")
            answer(page, "Grellby", (("Marrow Light", 2), ("Tilda Roke", 2)))
            hand_in_and_go_on(worker)
        for number in range(2):
            page.get_by_role("heading", name="Your answer").wait_for()
            asked = page.locator(".given-question").inner_text()
            text, support = next(ANSWERS[begins] for begins in ANSWERS if asked.startswith(begins))
            if worker is workers[2]:
                support = support[:1]
            answer(page, text, support)
            if first and number == 0:
                walk.look(worker, "answer")
            hand_in_and_go_on(worker)
        page.get_by_text("There is nothing more to do").wait_for()
        told = "".join(worker.traffic)
        assert '"gold"' not in told, "the file's own answers are withheld"


def three_people(walk: Walk, *tasks: str) -> list[PersonInBrowser]:
    """The first of them does the tests; the others may work without."""
    workers = [walk.invited(name) for name in ("Wanda", "Will", "Wim")]
    with CollectProject.open(walk.project) as project:
        for person in project.accounts.people():
            for task in tasks:
                if person.name in ("Will", "Wim"):
                    project.work.qualifications.set(person.id, task, passed=True)
    return workers


def answer(page: Any, text: str, support: tuple[tuple[str, int], ...]) -> None:
    if text in ("yes", "no"):
        page.get_by_role("radio", name=text.capitalize(), exact=True).check()
    else:
        page.get_by_role("radio", name="Words from a text").check()
        page.get_by_label("The words").fill(text)
    for title, number in support:
        page.get_by_label(f"Sentence {number} of {title} supports").check()


def facts(page: Any) -> list[str]:
    return [text.partition(". ")[2] for text in page.locator(".judged-fact h3").all_inner_texts()]


def judge(page: Any, at: int, *, relevant: bool, unique: bool) -> None:
    fact = page.locator(".judged-fact").nth(at)
    fact.get_by_label("Yes, it helps" if relevant else "No", exact=True).check()
    if relevant:
        fact.get_by_label("Yes, to one" if unique else "No, to several or none").check()


def mark(page: Any, fact: str, term: str) -> None:
    """By keys alone."""
    words = fact.split()
    page.locator(".markable").focus()
    page.keyboard.press("Home")
    for _ in range(words.index(term)):
        page.keyboard.press("ArrowRight")
    page.keyboard.press("Enter")
    page.locator(".key-term", has_text=term).wait_for()


def tick(page: Any, statement: str) -> None:
    page.get_by_label(statement, exact=True).check()


def hand_in_and_go_on(worker: PersonInBrowser) -> None:
    worker.press_hand_in()
    worker.page.get_by_role("button", name="Next").click()
