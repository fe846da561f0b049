"""A project: a folder with its settings and, where no other is named, its database."""

from __future__ import annotations

import json
import os
import shutil
import sys
import threading
from collections.abc import Iterable, Mapping
from dataclasses import asdict, dataclass, field, fields, replace
from functools import cached_property
from pathlib import Path
from random import Random
from secrets import randbits
from typing import Any

from lacuna.corpus.database import root_of
from lacuna.corpus.open import open_store
from lacuna.corpus.store import Store
from lacuna.errors import LacunaError, no_such
from lacuna.files.child import ChildBrokeOffError, ChildRefusedError, ChildRunner
from lacuna.files.settings import read_toml, typed, write_settings
from lacuna.web.sessions import new_token
from lacuna_collect.database.engine import (
    CollectClock,
    CollectDatabase,
    copy_database,
    database_url,
    sqlite_url,
)
from lacuna_collect.people.accounts import Accounts
from lacuna_collect.people.crowd import Crowd, CrowdSettings
from lacuna_collect.tasks.families import WITHOUT_CORPUS, family_named
from lacuna_collect.tasks.task import CollectFamily, Json, TaskSettings
from lacuna_collect.work.assignments import TaskInUse
from lacuna_collect.work.work import Work

FILE = "project.toml"
HEAD = """A project of `lacuna collect`. Money is in cents; the defaults are the paper's.
Changes hold after the server was started again."""


@dataclass(frozen=True, slots=True)
class ProjectFile:
    """All that the file says."""

    family: str
    corpus: str = ""
    database: str = ""
    """Empty for SQLite in the project's folder."""
    seed: int = 0
    crowd: CrowdSettings = field(default_factory=CrowdSettings)
    tasks: dict[str, TaskSettings] = field(default_factory=dict)


def read_project_file(folder: Path) -> ProjectFile:
    """Read it; what is wrong in it is told by name."""
    try:
        return typed(read_toml(folder / FILE), ProjectFile, str(folder / FILE))
    except (FileNotFoundError, NotADirectoryError) as error:
        raise LacunaError(
            f"{folder} is no project: it has no {FILE}. Make one with: lacuna collect init "
            f"{folder} --task iirc-questions --corpus DIR"
        ) from error


def write_project_file(folder: Path, project: ProjectFile) -> None:
    """Write it for its owner alone: it may hold a database's password."""
    write_settings(folder / FILE, project, HEAD, private=True)


COMMON = frozenset(field.name for field in fields(TaskSettings)) - {"more"}


def set_by_hand(
    tasks: Mapping[str, TaskSettings], given: Iterable[str], task: str
) -> dict[str, TaskSettings]:
    """The settings with those changed that are given as NAME=VALUE or TASK.NAME=VALUE.

    ``task`` is meant where none is named. What a task calls its own goes into ``more``, and is
    checked by the task.
    """
    changed: dict[str, dict[str, Any]] = {name: asdict(each) for name, each in tasks.items()}
    for one in given:
        where, equals, value = one.partition("=")
        named, dot, name = where.strip().rpartition(".")
        if not (equals and name):
            raise LacunaError(f"--set is NAME=VALUE or TASK.NAME=VALUE, and not {one!r}.")
        of = named if dot else task
        if of not in changed:
            raise no_such("task", of, list(changed))
        place = changed[of] if name in COMMON else changed[of]["more"]
        place[name] = _value(value.strip())
    return {name: typed(said, TaskSettings, f"--set, {name}") for name, said in changed.items()}


def _value(text: str) -> Any:
    """A number, true, false or a list as JSON writes them; anything else is a text."""
    try:
        return json.loads(text)
    except ValueError:
        return text


DATABASE = "collect.db"
NO_DOCUMENTS = "no-documents"
"""The empty corpus of a project that needs none."""


class CollectProject:
    """Everything of one project, opened."""

    def __init__(
        self, folder: Path, file: ProjectFile, family: CollectFamily, database: CollectDatabase
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
            crowd=CrowdSettings(key=new_token()),
            tasks=tasks,
        )
        new_folder(folder)
        try:
            opened = open_database(folder, file, create=True)
            write_project_file(folder, file)
        except BaseException:  # whoever tries again does not want half a project in the way
            shutil.rmtree(folder, ignore_errors=True)
            raise
        return cls(folder, file, family, opened)

    @classmethod
    def open(
        cls, folder: Path, *, family: CollectFamily | None = None, clock: CollectClock | None = None
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


# Back a project up while people work in it, and make a project from a backup.
#
# A backup is a project's folder with a database of SQLite in it, wherever the project's own is: it
# can be opened as it is, and restored into either kind.


def back_up_project(folder: Path, backup: Path) -> int:
    """Copy a project as it is at this moment into a new folder; the corpus is not copied."""
    return _copy(folder, backup, "")


def restore_project(backup: Path, folder: Path, database: str = "") -> int:
    """Make a project from a backup, in a new folder and an empty database."""
    return _copy(backup, folder, database)


def _copy(source: Path, target: Path, database: str) -> int:
    file = read_project_file(source)
    old = open_database(source, file)
    try:
        new_folder(target)
        copied_file = replace(file, database=database)
        try:
            new = open_database(target, copied_file, create=True)
            try:
                rows = copy_database(old, new)
            finally:
                new.close()
        except LacunaError:
            _clear(target)
            raise
        write_project_file(target, copied_file)  # last: a folder without it is no project
        return rows
    finally:
        old.close()


def _clear(folder: Path) -> None:
    """Leave nothing half done behind."""
    for path in folder.glob(f"{DATABASE}*"):
        path.unlink()
    folder.rmdir()


EXPORT = "from lacuna_collect.project import export_here; export_here(*sys.argv[1:])"


class ExportProcess:
    """Exports a project, one process at a time."""

    def __init__(self, project: Path) -> None:
        self._project = project
        self.child = ChildRunner()

    def __call__(self, out: Path) -> None:
        """Write the dataset's files into a folder, and wait for it."""
        try:
            self.child.run(EXPORT, str(self._project), str(out))
        except ChildBrokeOffError as error:
            raise LacunaError(
                f"The export broke off. Try `lacuna collect export`, which says more. {error}"
            ) from error

    def close(self) -> None:
        """End what runs."""
        self.child.close()


def export_here(project: str, out: str) -> None:
    """What the process does."""
    try:
        with CollectProject.open(Path(project)) as opened:
            opened.export(Path(out))
    except LacunaError as error:
        print(error, file=sys.stderr)
        sys.exit(ChildRefusedError.CODE)
