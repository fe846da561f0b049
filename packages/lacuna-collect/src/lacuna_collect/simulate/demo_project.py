"""The demo: a project over the demo corpus, filled by scripted people in about a minute."""

from __future__ import annotations

import threading
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path

from lacuna import demo
from lacuna.errors import no_such
from lacuna.web.access import AllowedHosts
from lacuna.web.listening import bounded_server, listen
from lacuna_collect.people.accounts import CollectRole
from lacuna_collect.project import CollectProject
from lacuna_collect.simulate.people import Diary, Habits, Simulation
from lacuna_collect.tasks.families import family_of
from lacuna_collect.tasks.task import Json
from lacuna_collect.web.app import app_of_project

PEOPLE = 8
HABITS = Habits(errors=0.15, dropouts=0.02, pause=0.1, saves=2)
DEMO_TASK = "iirc-questions"
DEMOS: Mapping[str, Json] = {
    DEMO_TASK: {"fewest_links": 2, "paragraphs": 3, "questions": 4, "fewest_multi_link": 1},
    "hotpotqa-questions": {"split_models": []},
    "quac-dialogs": {
        "fewest_in_links": 0,
        "tokens": [20, 2_000],
        "words_a_sentence": [3, 60],
        "percent_dev": 30,
        "percent_test": 30,
    },
    "kgd-facts": {"train_file": str(demo.OPENBOOK)},
    "human-check": {
        "dataset": "iirc",
        "questions_file": str(demo.QUESTIONS),
        "questions": 20,
        "people": 3,
    },
}
"""Tasks that the demo's short articles and questions can fill, and what is set for them; the
papers' sets are larger."""


def make_demo(folder: Path, task: str = DEMO_TASK) -> CollectProject:
    """A project over what comes along, for a task and those that belong to it."""
    if task not in DEMOS:
        raise no_such("demo of a task", task, list(DEMOS))
    family = family_of(task)
    tasks = {one.name: one.settings for one in family.tasks}
    tasks[task] = replace(tasks[task], more=tasks[task].more | DEMOS[task])
    project = CollectProject.create(folder, family, demo.ARTICLES, tasks=tasks)
    project.make_items()
    return project


def fill_demo(project: CollectProject, seconds: float) -> Diary:
    """Let scripted people work in it, over a server of its own."""
    with _serving(project) as address:
        return Simulation(project, address, habits=HABITS).run(PEOPLE, seconds)


def requester_link(project: CollectProject, address: str) -> str:
    """An invitation for whoever looks at the demo."""
    code = project.accounts.invitations.invite(CollectRole.REQUESTER, note="for you")
    return f"{address}collect/join/{code}"


@contextmanager
def _serving(project: CollectProject) -> Iterator[str]:
    with listen("127.0.0.1", 0) as listening:
        app = app_of_project(project, hosts=AllowedHosts(), open_reader=lambda: None)
        server = bounded_server(app)
        thread = threading.Thread(target=lambda: server.run(sockets=[listening]), daemon=True)
        thread.start()
        while not server.started:
            time.sleep(0.01)
        try:
            yield f"http://127.0.0.1:{listening.getsockname()[1]}"
        finally:
            server.should_exit = True
            thread.join()
