"""A project from its making to its export, its copy, and its way to PostgreSQL."""

from __future__ import annotations

import json
import threading
from dataclasses import asdict, replace
from pathlib import Path

import pytest
from private_postgres import new_postgres_database
from stand_in_task import CHECK, WRITE, StandInFamily, StandInWriting

from lacuna import demo
from lacuna.errors import LacunaError
from lacuna_collect.people.accounts import Invitations
from lacuna_collect.project import (
    FILE,
    CollectProject,
    back_up_project,
    read_project_file,
    restore_project,
    write_project_file,
)
from lacuna_collect.tasks.families import family_named
from lacuna_collect.tasks.task import TaskSettings
from lacuna_collect.work.assignments import Assigned

PASSWORD = "a long enough one"


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    family = StandInFamily(StandInWriting(items=5))
    with CollectProject.create(tmp_path / "project", family, demo.ARTICLES) as project:
        assert project.make_items() == {WRITE: 5, CHECK: 0}
        assert project.make_items() == {WRITE: 0, CHECK: 0}
    return tmp_path / "project"


def test_items_of_the_test_are_not_counted_as_work(tmp_path: Path) -> None:
    family = StandInFamily(StandInWriting(items=5, tests=2))
    with CollectProject.create(tmp_path / "project", family, demo.ARTICLES) as project:
        assert project.make_items() == {WRITE: 5, CHECK: 0}


def opened(folder: Path) -> CollectProject:
    return CollectProject.open(folder, family=StandInFamily(StandInWriting(items=5)))


def joined(project: CollectProject, name: str) -> int:
    code = Invitations(project.database).invite()
    return project.accounts.register(code, name, PASSWORD).person.id


def hand_in(project: CollectProject, person: int, word: str) -> None:
    assigned = project.work.next(person, WRITE)
    assert isinstance(assigned, Assigned), assigned
    project.work.submit(person, assigned.assignment, {"word": word}, "key", 1)


def test_from_init_to_export(folder: Path, tmp_path: Path) -> None:
    with opened(folder) as project:
        ada = joined(project, "Ada")
        hand_in(project, ada, "tree")
        (tmp_path / "out").mkdir()
        report = project.export(tmp_path / "out")
    assert report == {"written": {"words": 1}, "agreement": {WRITE: 1, CHECK: 0}}
    assert json.loads((tmp_path / "out" / "words.json").read_text())[WRITE] == ["tree"]


def test_backup_while_people_work_is_restored_elsewhere(
    folder: Path, tmp_path: Path, postgres: Path
) -> None:
    with opened(folder) as project:
        ada = joined(project, "Ada")
        hand_in(project, ada, "before")
        stop = threading.Event()

        def work_on() -> None:
            version = 0
            assigned = project.work.next(ada, WRITE)
            assert isinstance(assigned, Assigned)
            while not stop.is_set():
                project.work.save(ada, assigned.assignment, {"word": "on"}, version, 1)
                version += 1

        thread = threading.Thread(target=work_on)
        thread.start()
        try:
            back_up_project(folder, tmp_path / "backup")
        finally:
            stop.set()
            thread.join()
        hand_in(project, ada, "after")
    url = new_postgres_database(postgres, "restored")
    restore_project(tmp_path / "backup", tmp_path / "again", url)
    with opened(tmp_path / "again") as again:
        assert again.file.database == url
        assert [done.work["word"] for done in again.work.finished.of(WRITE)] == ["before"]
        ada = again.accounts.log_in("Ada", PASSWORD, "1.1.1.1").person.id
        hand_in(again, ada, "restored")
        joined(again, "Ben")
    with opened(tmp_path / "backup") as backup:
        assert [done.work["word"] for done in backup.work.finished.of(WRITE)] == ["before"]
    with pytest.raises(LacunaError, match="holds a project already"):
        restore_project(tmp_path / "backup", tmp_path / "third", url)
    assert not (tmp_path / "third").exists()


def test_settings_are_read_back_as_they_were_written(folder: Path) -> None:
    odd = {"text": 'quotes " and \\ and\nlines \x7f é 𝒳', "list": [1, 2.5, True, {"a": []}]}
    file = read_project_file(folder)
    settings = TaskSettings(1, per_person=3, pass_mark=0.5, review_all=True, more=odd)
    tasks = {**file.tasks, WRITE: settings}
    from dataclasses import replace

    write_project_file(folder, replace(file, tasks=tasks))
    assert asdict(read_project_file(folder).tasks[WRITE]) == asdict(settings)
    assert (folder / FILE).stat().st_mode & 0o077 == 0


@pytest.mark.parametrize(
    ("old", "new", "told"),
    [
        ("pay_cents = 400", "pay_cents = -1", "is negative"),
        ("pay_cents = 400", 'pay_cents = "much"', "pay_cents"),
        ("pay_cents = 400", "pay = 400", "no setting 'pay'"),
        ("family = ", "family = 1 #", "family"),
        ("[crowd]", "[crowd", "cannot be read"),
    ],
)
def test_wrong_settings_are_told(folder: Path, old: str, new: str, told: str) -> None:
    text = (folder / FILE).read_text()
    assert old in text
    (folder / FILE).write_text(text.replace(old, new, 1))
    with pytest.raises(LacunaError, match=told):
        opened(folder)


def test_folders_that_are_no_new_project(folder: Path, tmp_path: Path) -> None:
    with pytest.raises(LacunaError, match="is there already"):
        CollectProject.create(folder, StandInFamily(), demo.ARTICLES)
    with pytest.raises(LacunaError, match="is no project"):
        opened(tmp_path)


def test_questions_from_files_need_no_corpus(tmp_path: Path) -> None:
    family = family_named("kgd")
    more = {"train_file": str(demo.OPENBOOK), "questions": 2}
    tasks = {"kgd-facts": replace(family.tasks[0].settings, more=more)}
    with CollectProject.create(tmp_path / "project", family, None, tasks=tasks) as project:
        assert project.make_items() == {"kgd-facts": 2, "kgd-gaps": 0}
        assert len(project.corpus) == 0
    back_up_project(tmp_path / "project", tmp_path / "copy")
    with CollectProject.open(tmp_path / "copy") as again:
        assert again.make_items() == {"kgd-facts": 0, "kgd-gaps": 0}
        (tmp_path / "out").mkdir()
        again.export(tmp_path / "out")
    with pytest.raises(LacunaError, match="--corpus DIR"):
        CollectProject.create(tmp_path / "other", family_named("iirc"), None)
    assert not (tmp_path / "other").exists()
