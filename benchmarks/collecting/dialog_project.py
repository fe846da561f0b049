"""A project for QuAC's dialogs with more sections than people can talk about, and its people."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from random import Random

from sqlalchemy import insert

from lacuna_collect.database.tables import PERSON
from lacuna_collect.people.accounts import CollectRole, LoginSession, new_session, person_numbered
from lacuna_collect.project import CollectProject
from lacuna_collect.tasks.families import family_named

WORDS = ("river", "stone", "harbour", "bridge", "winter", "market", "engine", "painter")
SENTENCES = 30
LOOSE = {"fewest_in_links": 0, "percent_dev": 0, "percent_test": 0, "words_a_sentence": [5, 40]}
"""The corpus is made up: nothing links to its articles. All dialogs are train's."""


def dialog_project(folder: Path, sections: int) -> Path:
    """A project with so many sections, each of the paper's length and for three dialogs."""
    corpus, project = folder / "corpus", folder / "project"
    corpus.mkdir()
    random = Random(1)
    for number in range(sections):
        name = f"Person {number}"
        text = " ".join(_sentence(random) for _ in range(SENTENCES))
        head = f"# {name}\n\n{name} (1851–1929) was an engineer.\n\n## Life\n\n"
        (corpus / f"{name}.md").write_text(f"{head}{text}\n", encoding="utf-8")
    family = family_named("quac")
    tasks = {task.name: task.settings for task in family.tasks}
    dialogs = tasks["quac-dialogs"]
    tasks["quac-dialogs"] = replace(dialogs, more={**dialogs.more, **LOOSE})
    with CollectProject.create(project, family, corpus, tasks=tasks) as made:
        made.make_items()
    return project


def let_in(project: CollectProject, name: str) -> LoginSession:
    """Somebody who may work on all tasks, without a password, which takes long to hash."""
    with project.database.begin() as transaction:
        made = transaction.execute(
            insert(PERSON)
            .values(
                platform="",
                name=name,
                folded=name.casefold(),
                role=CollectRole.WORKER,
                created_at=transaction.now,
            )
            .returning(PERSON.c.id)
        )
        session = new_session(transaction, person_numbered(transaction, int(made.scalar_one())))
    for task in project.work.tasks:
        project.work.qualifications.set(session.person.id, task, passed=True)
    return session


def _sentence(random: Random) -> str:
    words = (random.choice(WORDS) for _ in range(14))
    return f"The {' '.join(words)} {random.randrange(2000)}."
