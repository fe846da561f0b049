"""A project of QuAC's tasks over a few articles about people, and its server."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

from benchmarks.collecting.dialog_project import let_in as person_let_in

from lacuna.web.access import AllowedHosts
from lacuna_collect.project import CollectProject
from lacuna_collect.tasks.families import family_named
from lacuna_collect.web.app import app_of_project

PEOPLE = ("Tilda Roke", "Ansel Voss", "Ida Marsh", "Jonas Wree", "Mara Holt", "Emil Fane")
HIDDEN = "The breakwater of Sell was the first thing that {name} built on the northern coast."
"""Stands in every section, and in nothing that a student may see."""
SMALL = {
    "fewest_in_links": 0,
    "tokens": [10, 2000],
    "words_a_sentence": [1, 100],
    "percent_dev": 0,
    "percent_test": 0,
}


def article(name: str) -> str:
    """An article with one section that is long enough for a dialog."""
    return f"""# {name}

{name} (1851–1929) was an engineer of harbours. {name} is remembered for lighthouses.

## Life and work

{HIDDEN.format(name=name)} It was begun in 1876 and finished after four years of work in all
weathers. A storm destroyed it within a year, and nobody was hurt when it fell. {name} then moved to
Tarrick, where the quarries gave work to six hundred people. The great light was drawn there.

The light was lit in 1887 and stands to this day. Visitors may climb its stairs in the summer.
"""


def make_quac_project(
    folder: Path, people: int = len(PEOPLE), database: str = "", **settings: Any
) -> CollectProject:
    """A project over so many articles, and what is to be set of the dialogs."""
    notes = folder / "notes"
    notes.mkdir(parents=True)
    names = [*PEOPLE, *(f"Person Number{number}" for number in range(people))][:people]
    for name in names:
        (notes / f"{name}.md").write_text(article(name), encoding="utf-8")
    family = family_named("quac")
    tasks = {task.name: task.settings for task in family.tasks}
    tasks["quac-dialogs"] = _with(tasks["quac-dialogs"], {**SMALL, **settings})
    project = CollectProject.create(folder / "project", family, notes, database, tasks)
    project.make_items()
    return project


def quac_app(project: CollectProject) -> Any:
    """The app over it."""
    return app_of_project(project, hosts=AllowedHosts(), open_reader=lambda: None)


def let_in(project: CollectProject, name: str) -> tuple[str, str, int]:
    """Somebody who may work on all tasks: the cookie's value, the secret, and the number."""
    session = person_let_in(project, name)
    return session.token, session.csrf, session.person.id


def _with(settings: Any, more: Mapping[str, Any]) -> Any:
    common = {name: more[name] for name in ("pay_cents", "review_all") if name in more}
    own = {name: value for name, value in more.items() if name not in common}
    return replace(settings, more={**settings.more, **own}, **common)
