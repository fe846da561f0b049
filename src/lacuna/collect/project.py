"""A project: a folder with its settings and, where no other is named, its database."""

from __future__ import annotations

import os
import threading
from collections.abc import Mapping
from functools import cached_property
from pathlib import Path
from random import Random
from secrets import randbits

from sqlalchemy import URL

from lacuna.collect.database.clock import CollectClock
from lacuna.collect.database.engine import CollectDatabase, database_url
from lacuna.collect.people.accounts import Accounts
from lacuna.collect.people.crowd import Crowd, CrowdSettings
from lacuna.collect.people.tokens import new_secret
from lacuna.collect.project_file import (
    FILE,
    ProjectFile,
    read_project_file,
    write_project_file,
)
from lacuna.collect.tasks.families import WITHOUT_CORPUS, family_named
from lacuna.collect.tasks.task import CollectFamily, Json, TaskSettings
from lacuna.collect.work.results import TaskInUse
from lacuna.collect.work.work import Work
from lacuna.corpus.open import open_store
from lacuna.corpus.source_rows import root_of
from lacuna.corpus.store import Store
from lacuna.errors import LacunaError

DATABASE = "collect.db"
NO_DOCUMENTS = "no-documents"
"""The empty corpus of a project that needs none."""


class CollectProject:
    """Everything of one project, opened."""

    def __init__(
        self,
        folder: Path,
        file: ProjectFile,
        family: CollectFamily,
        database: CollectDatabase,
    ) -> None:
        self.folder = folder
        self.file = file
        self.family = family
        self.database = database
        self.tasks = [
            TaskInUse(task, file.tasks.get(task.name, task.settings)) for task in family.tasks
        ]
        self.work = Work(database, self.tasks, lambda: self.corpus)
        self._opening = threading.Lock()
        self._corpus: Store | None = None

    @classmethod
    def create(
        cls,
        folder: Path,
        family: CollectFamily,
        corpus: Path | None,
        database: str = "",
        tasks: Mapping[str, TaskSettings] | None = None,
    ) -> CollectProject:
        """Make a project; its items are made by ``make_items``.

        ``tasks`` are settings by the names of tasks; without them, the family's own hold. Families
        whose items are made from files of questions do without a corpus.
        """
        check_new(folder)
        tasks = {task.name: task.settings for task in family.tasks} | dict(tasks or {})
        check_settings(family, tasks, "--set")
        if corpus is not None:
            open_store(corpus).close()  # before anything is written
        elif family.name not in WITHOUT_CORPUS:
            raise LacunaError(
                f"The tasks of {family.name} are about documents. Name them with --corpus DIR."
            )
        if database:
            database_url(database)
        file = ProjectFile(
            family=family.name,
            corpus="" if corpus is None else os.fsdecode(root_of(corpus)),
            database=database,
            seed=randbits(31),
            crowd=CrowdSettings(key=new_secret()),
            tasks=tasks,
        )
        new_folder(folder)
        opened = open_database(folder, file, create=True)
        write_project_file(folder, file)
        return cls(folder, file, family, opened)

    @classmethod
    def open(
        cls,
        folder: Path,
        *,
        family: CollectFamily | None = None,
        clock: CollectClock | None = None,
    ) -> CollectProject:
        """Open a project; its database is brought up to date. ``family`` stands in for its own."""
        file = read_project_file(folder)
        family = family or family_named(file.family)
        check_settings(family, file.tasks, str(folder / FILE))
        return cls(folder, file, family, open_database(folder, file, clock=clock))

    @property
    def corpus(self) -> Store:
        """The corpus, opened when it is first needed."""
        with self._opening:
            if self._corpus is None and self.file.corpus:
                self._corpus = open_store(Path(self.file.corpus))
            elif self._corpus is None:
                self._corpus = Store.create(self.folder / NO_DOCUMENTS)
            return self._corpus

    @cached_property
    def accounts(self) -> Accounts:
        """Who works here."""
        return Accounts(self.database)

    @cached_property
    def crowd(self) -> Crowd:
        """People whom a platform sends."""
        return Crowd(self.database, self.file.crowd)

    def make_items(self) -> dict[str, int]:
        """Make the items that the corpus gives, by task; those that are there stay."""
        return self.work.items.make(Random(self.file.seed))

    def export(self, out: Path) -> Json:
        """Write the dataset's files, and return what was written, left out, and agreed on."""
        finished = self.work.finished.all()
        settings = {task.name: task.settings for task in self.tasks}
        written = self.family.export(finished, self.corpus, out, settings)
        return {"written": written, "agreement": self.family.agreement(finished)}

    def close(self) -> None:
        """Let go of database and corpus."""
        self.database.close()
        if self._corpus is not None:
            self._corpus.close()

    def __enter__(self) -> CollectProject:
        return self

    def __exit__(self, *exception: object) -> None:
        self.close()


def check_settings(family: CollectFamily, tasks: Mapping[str, TaskSettings], where: str) -> None:
    """Refuse settings that a task cannot work with."""
    for task in family.tasks:
        if problems := task.check_settings(tasks.get(task.name, task.settings)):
            told = " ".join(f"{problem.field}: {problem.message}" for problem in problems)
            raise LacunaError(
                f"The settings of {task.name} in {where} are wrong. {told} Mend them."
            )


def check_new(folder: Path) -> None:
    """Refuse a folder that holds something."""
    if folder.exists() and (not folder.is_dir() or any(folder.iterdir())):
        raise LacunaError(f"{folder} is there already. Give the name of a new folder.")


def new_folder(folder: Path) -> None:
    """Make a folder for a project, or take an empty one."""
    check_new(folder)
    folder.mkdir(parents=True, exist_ok=True)


def open_database(
    folder: Path, file: ProjectFile, *, create: bool = False, clock: CollectClock | None = None
) -> CollectDatabase:
    """The database that a project names, or the one in its folder."""
    if file.database:
        return CollectDatabase.open(file.database, clock=clock)
    path = folder / DATABASE
    if create:
        path.touch(mode=0o600)
    return CollectDatabase.open(sqlite_url(path), clock=clock)


def sqlite_url(path: Path) -> str:
    """The address of a file of SQLite, whatever its name is."""
    return URL.create("sqlite", database=str(path.resolve())).render_as_string(hide_password=False)
