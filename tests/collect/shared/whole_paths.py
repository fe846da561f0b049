"""What people do in a project, from the invitation to what can be exported."""

from __future__ import annotations

import re

from form_filling import (
    answer_set,
    pass_answer_trial,
    pass_hotpotqa_trial,
    pass_judging,
    write_about_pair,
    write_set,
)
from linked_notes import ENGINEERS, ISLANDS, SHIPS
from person_in_browser import PersonInBrowser
from project_walk import Walk

IIRC = {
    "fewest_links": 2,
    "paragraphs": 1,
    "questions": 2,
    "fewest_multi_link": 1,
    "percent_dev": 50,
    "percent_test": 0,
    "annotators_evaluation": 1,
    "model_in_loop": "true",
    "iirc-answers.inspect_first": 0,
}
HOTPOTQA = {
    "bridge_ratio": 0.5,
    "yes_no_ratio": 1,
    "split_models": "[]",
    "inspect_first": 0,
    "best_every": 2,
}
MOST_PAIRS = 30


def walk_iirc(walk: Walk) -> None:
    """Two people qualify, write a set each and answer the other's; a reviewer sends one back."""
    rea = walk.invited("Rea", "reviewer")
    workers = [walk.invited("Wanda"), walk.invited("Will")]
    for worker in workers:
        first = worker is workers[0]
        worker.open_task("iirc-questions")
        worker.page.get_by_role("heading", name="Others have asked").wait_for()
        if first:
            worker.page.get_by_label("Bad: it makes no sense").first.check()
            worker.page.get_by_role("button", name="Hand in").click()
            worker.page.get_by_text("Question 2: ").wait_for()
            walk.look(worker, "test-problems")
        pass_judging(worker.page)
        if first:
            walk.look(worker, "test")
        worker.press_hand_in()
        worker.page.get_by_text("You passed the test").wait_for()
        if first:
            walk.look(worker, "passed")
        worker.page.get_by_role("button", name="Next").click()
        worker.page.get_by_role("heading", name="Your questions").wait_for()
        write_set(worker.page)
        if first:
            worker.page.locator(".loop-says", has_text=re.compile("answer")).first.wait_for()
            walk.look(worker, "set-written")
        worker.press_hand_in()
        if first:
            walk.look(worker, "set-waits")
        told = "\n".join(worker.traffic)
        hidden = [f"{n} inhabitants" for n in ISLANDS.values()]
        hidden += [town for _, town, _ in ENGINEERS.values()]
        hidden += [f"carried {carried}" for carried, _ in SHIPS.values()]
        assert not [text for text in hidden if text in told], "linked texts are withheld"

    review_sets(walk, rea, workers[0])
    for worker in workers:
        first = worker is workers[0]
        worker.open_task("iirc-answers")
        worker.page.get_by_role("heading", name="Questions").wait_for()
        pass_answer_trial(worker.page)
        if first:
            walk.look(worker, "answer-test")
        worker.press_hand_in()
        worker.page.get_by_role("button", name="Next").click()
        worker.page.get_by_text("Where was the engineer born").first.wait_for()
        answer_set(worker.page)
        if first:
            walk.look(worker, "answers")
        worker.press_hand_in()
        worker.page.get_by_text("This was accepted").wait_for()
        if first:
            assert not worker.page.get_by_text("once it is accepted").count()
            walk.look(worker, "answers-accepted")
            worker.go("/collect/earnings")
            worker.page.get_by_text("$3.00").first.wait_for()
            walk.look(worker, "earnings")

    walk.rita.go("/collect/console")
    walk.rita.page.get_by_role("heading", name="Agreement").wait_for()
    walk.look(walk.rita, "console")
    walk.rita.go("/collect/console/workers")
    walk.rita.page.get_by_role("link", name="Wanda").first.click()
    walk.rita.page.get_by_role("heading", name="Qualification").wait_for()
    walk.look(walk.rita, "person")
    walk.rita.page.get_by_role("button", name="Do not let work").first.click()
    walk.rita.page.get_by_text("may not work").wait_for()
    walk.rita.page.get_by_role("button", name="Let work without the test").click()
    walk.rita.page.get_by_text("may not work").wait_for(state="detached")


def review_sets(walk: Walk, rea: PersonInBrowser, wanda: PersonInBrowser) -> None:
    """One set is sent back and handed in again; in the end both are accepted."""
    rea.go("/collect/console/queue")
    walk.look(rea, "queue")
    rea.page.locator("main tbody tr", has_text="Wanda").get_by_role("link").click()
    rea.page.get_by_role("button", name="Send back").wait_for()
    walk.look(rea, "review")
    rea.page.get_by_role("button", name="Send back").click()
    rea.page.get_by_label("Why?").fill("Name the island in the second question.")
    walk.look(rea, "send-back")
    rea.page.locator("#question").get_by_role("button", name="Send back").click()
    rea.page.get_by_text("by Will").wait_for()

    wanda.open_task("iirc-questions")
    wanda.page.get_by_text("Name the island in the second question.").wait_for()
    again = wanda.page.get_by_label("Question", exact=True).nth(1)
    again.fill("Do more people live on the island of the light than its keeper saved?")
    walk.look(wanda, "returned")
    wanda.press_hand_in()

    for _ in range(2):
        rea.go("/collect/console/queue")
        rea.page.locator("main tbody").get_by_role("link").first.click()
        rea.page.get_by_role("button", name="Accept").click()
        rea.page.wait_for_url(re.compile("/review/|/queue"))
        rea.page.wait_for_load_state("networkidle")
    rea.go("/collect/console/queue")
    rea.page.get_by_text("Nothing waits for a review.").wait_for()


def walk_hotpotqa(walk: Walk) -> None:
    """Somebody qualifies, skips a pair, and writes a bridge and a comparison question."""
    wanda = walk.invited("Wanda")
    walk.look(wanda, "tasks")
    wanda.open_task("hotpotqa-questions")
    for number in range(3):
        wanda.page.get_by_text(f"Test: {3 - number} to go").wait_for()
        pass_hotpotqa_trial(wanda.page, number)
        if number == 0:
            walk.look(wanda, "test")
        wanda.press_hand_in()
        wanda.page.get_by_role("button", name="Next").click()
    written: set[str] = set()
    skipped = False
    for _ in range(MOST_PAIRS):
        wanda.page.get_by_label("Your question").wait_for()
        kind = "" if not skipped else write_about_pair(wanda.page)
        if not skipped or kind in written:
            wanda.page.get_by_role("button", name="Skip").click()
            wanda.page.get_by_role("button", name="No good question takes both").click()
            walk.look(wanda, "skip")
            wanda.page.get_by_role("button", name="Skip it").click()
            wanda.page.get_by_role("button", name="Begin").click()
            skipped = True
            continue
        walk.look(wanda, kind)
        wanda.press_hand_in()
        written.add(kind)
        if len(written) == 2:
            break
        wanda.page.get_by_role("button", name="Next").click()
    assert written == {"bridge", "comparison"}

    walk.rita.go("/collect/console")
    walk.rita.page.get_by_role("heading", name="Bonuses that are due").wait_for()
    walk.look(walk.rita, "bonuses")
    assert "Place 1 among examples 1 to 2" in walk.lacuna("collect", "bonuses", walk.project).out
    walk.rita.page.get_by_role("button", name="Enter them in the ledger").click()
    walk.rita.page.get_by_role("heading", name="Bonuses").wait_for(state="detached")
    assert "No bonus is due" in walk.lacuna("collect", "bonuses", walk.project, "--pay").err
