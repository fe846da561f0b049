"""A project for IIRC's tasks with more sets than people can do in the time."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from random import Random

from lacuna_collect.project import CollectProject, write_project_file
from lacuna_collect.tasks.families import family_named

HUBS = 40
"""Articles that are linked to; a set of ten paragraphs links to most of them."""
HUB_SENTENCES = 10
LINKS = 12
PARAGRAPHS = 50
"""Of one article that links."""
PER_SET = 10
WORDS = ("river", "stone", "harbour", "bridge", "winter", "market", "engine", "painter")


def large_project(folder: Path, sets: int, database: str) -> Path:
    """A project with about so many sets of ten paragraphs; work is accepted without a reviewer."""
    corpus = folder / "corpus"
    _write_corpus(corpus, sets)
    project = folder / "project"
    with CollectProject.create(project, family_named("iirc"), corpus, database) as made:
        tasks = {
            name: replace(settings, inspect_first=0) for name, settings in made.file.tasks.items()
        }
        more = {**tasks["iirc-questions"].more, "sets": 0}
        tasks["iirc-questions"] = replace(tasks["iirc-questions"], more=more)
        write_project_file(project, replace(made.file, tasks=tasks))
    with CollectProject.open(project) as opened:
        opened.make_items()
    return project


def _write_corpus(folder: Path, sets: int) -> None:
    folder.mkdir()
    random = Random(1)
    for number in range(HUBS):
        text = " ".join(_sentence(random) for _ in range(HUB_SENTENCES))
        (folder / f"Hub {number}.md").write_text(f"# Hub {number}\n\n{text}\n", encoding="utf-8")
    # Some paragraphs of each split fill no set.
    for number in range(sets * PER_SET // PARAGRAPHS + 2):
        parts = [_linking(random) for _ in range(PARAGRAPHS)]
        text = "\n\n".join((f"# Tale {number}", *parts))
        (folder / f"Tale {number}.md").write_text(f"{text}\n", encoding="utf-8")


def _linking(random: Random) -> str:
    chosen = random.sample(range(HUBS), LINKS)
    return " ".join(f"{_sentence(random)[:-1]} near [[Hub {number}]]." for number in chosen)


def _sentence(random: Random) -> str:
    return f"The {' '.join(random.choice(WORDS) for _ in range(7))} {random.randrange(2000)}."
