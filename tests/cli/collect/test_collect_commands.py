"""The verbs of ``lacuna collect``, over the stand-in tasks."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from stand_in_task import WRITE, StandInFamily, StandInWriting

from lacuna import demo
from lacuna_collect.project import CollectProject
from lacuna_collect.work.assignments import Assigned

Lacuna = Callable[..., Any]


@pytest.fixture
def project(tmp_path: Path, lacuna: Lacuna, monkeypatch: pytest.MonkeyPatch) -> Path:
    family = StandInFamily(StandInWriting(items=2))
    monkeypatch.setattr("lacuna_collect.tasks.families.family_of", lambda task: family)
    monkeypatch.setattr("lacuna_collect.project.family_named", lambda name: family)
    folder = tmp_path / "project"
    made = lacuna("collect", "init", folder, "--task", WRITE, "--corpus", demo.ARTICLES)
    assert made.code == 0, made.err
    assert "/collect/join/" in made.out
    return folder


def hand_in(folder: Path, lacuna: Lacuna) -> None:
    link = lacuna("collect", "invite", folder).out.strip()
    with CollectProject.open(folder) as project:
        code = link.rsplit("/", 1)[1]
        person = project.accounts.register(code, "Ada [b]", "a long enough one").person.id
        assigned = project.work.next(person, WRITE)
        assert isinstance(assigned, Assigned)
        project.work.submit(person, assigned.assignment, {"word": "tree"}, "key", 1)


def test_work_is_seen_reviewed_and_exported(project: Path, lacuna: Lacuna, tmp_path: Path) -> None:
    text = (project / "project.toml").read_text()
    (project / "project.toml").write_text(text.replace("review_all = false", "review_all = true"))
    hand_in(project, lacuna)
    assert "Ada [b]" in lacuna("collect", "review", project).out
    (waiting,) = json.loads(lacuna("collect", "review", project, "--json").out)
    assert waiting["work"] == {"word": "tree"}
    number = str(waiting["submission"])
    refused = lacuna("collect", "review", project, "send-back", number)
    assert (refused.code, "reason is empty" in refused.err) == (2, True)
    assert lacuna("collect", "review", project, "accept", number).code == 0
    for wrong in (("accept",), ("accpet", number)):
        assert "Say what to do" in lacuna("collect", "review", project, *wrong).err
    again = lacuna("collect", "review", project, "reject", "999", "--reason", "x")
    assert again.code == 2
    status = lacuna("collect", "status", project)
    assert "Ada [b]" in status.out
    assert "4.00" in status.out
    assert json.loads(lacuna("collect", "status", project, "--json").out)["tasks"][0]["items"] == 2
    out = tmp_path / "out"
    assert lacuna("collect", "export", project, out).code == 0
    assert json.loads((out / "words.json").read_text())[WRITE] == ["tree"]
    assert lacuna("collect", "export", project, project / "in").code == 2


def test_further_items(project: Path, lacuna: Lacuna, tmp_path: Path) -> None:
    file = tmp_path / "items.jsonl"
    item = {"task": WRITE, "key": "mine", "payload": {"text": "My own"}}
    file.write_text(json.dumps(item) + "\n\n" + json.dumps({**item, "key": "text-0"}))
    assert "1 items were added" in lacuna("collect", "import", project, file).err
    assert "0 items were added" in lacuna("collect", "import", project).err
    odd = ({"copies": 0}, {"copies": True}, {"task": "x"}, {"gold": 1}, {"not_for": ["a"]})
    for wrong in ({"task": WRITE}, [1], *({**item, **change} for change in odd)):
        file.write_text(json.dumps({**item, "key": "new"}) + "\n" + json.dumps(wrong))
        assert lacuna("collect", "import", project, file).code == 2
    assert "0 items were added" in lacuna("collect", "import", project).err


def test_backup_and_restore(project: Path, lacuna: Lacuna, tmp_path: Path) -> None:
    hand_in(project, lacuna)
    assert lacuna("collect", "backup", project, tmp_path / "copy").code == 0
    assert lacuna("collect", "backup", project, tmp_path / "copy").code == 2
    assert lacuna("collect", "restore", tmp_path / "copy", tmp_path / "again").code == 0
    assert "Ada [b]" in lacuna("collect", "status", tmp_path / "again").out


@pytest.mark.parametrize(
    "arguments",
    [
        ("status", "nowhere"),
        ("invite", "nowhere"),
        ("init", "new", "--task", "no-such", "--corpus", "."),
    ],
)
def test_bad_input_is_told_without_traceback(
    lacuna: Lacuna, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, arguments: tuple[str, ...]
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "note.md").write_text("# A note\n\nText.\n")
    ran = lacuna("collect", *arguments)
    assert ran.code == 2
    assert ran.err.startswith("Error: ")
    assert not (tmp_path / "new").exists()


def test_bad_database(project: Path, lacuna: Lacuna, tmp_path: Path) -> None:
    begun = ("collect", "init", tmp_path / "new", "--task", WRITE, "--corpus", demo.ARTICLES)
    for wrong in ("nonsense", "postgresql://a:secret@127.0.0.1:1/none"):
        ran = lacuna(*begun, "--database", wrong)
        assert (ran.code, "secret" in ran.err) == (2, False)
        assert not (tmp_path / "new" / "project.toml").exists()


def test_settings_are_given_and_half_a_project_is_not_left(lacuna: Lacuna, tmp_path: Path) -> None:
    folder = tmp_path / "new"
    begun = ("collect", "init", folder, "--task", "iirc-questions", "--corpus", demo.ARTICLES)
    refused = lacuna(*begun, "--set", "fewest_links=900")
    assert (refused.code, "--set fewest_links" in refused.err) == (2, True)
    wrong = lacuna(*begun, "--set", "fewest_link=2")
    assert (wrong.code, "fewest_links" in wrong.err) == (2, True)
    assert not folder.exists()
    made = lacuna(*begun, "--set", "fewest_links=2", "--set", "iirc-answers.pay_cents=1")
    assert made.code == 0, made.err
    text = (folder / "project.toml").read_text()
    assert "pay_cents = 1\n" in text
    assert "fewest_links = 2" in text


def test_bad_role(project: Path, lacuna: Lacuna) -> None:
    assert "Did you mean worker" in lacuna("collect", "invite", project, "--role", "worke").err


def test_an_export_of_nothing_does_not_speak_of_a_dataset(lacuna: Lacuna, tmp_path: Path) -> None:
    folder, out = tmp_path / "project", tmp_path / "out"
    begun = (
        "collect",
        "init",
        folder,
        "--task",
        "kgd-facts",
        "--set",
        f"train_file={demo.OPENBOOK}",
    )
    assert lacuna(*begun).code == 0
    exported = lacuna("collect", "export", folder, out)
    assert exported.code == 0
    assert "No work is accepted" in exported.err
    assert list(out.iterdir()) == []


def test_an_export_before_anything_is_accepted_says_so(
    project: Path, lacuna: Lacuna, tmp_path: Path
) -> None:
    out = tmp_path / "out"
    exported = lacuna("collect", "export", project, out)
    assert exported.code == 0
    assert (out / "words.json").exists()
    assert "No work is accepted yet" in exported.err
    assert "The dataset is in" not in exported.err


def test_an_account_is_shown_and_changed(project: Path, lacuna: Lacuna) -> None:
    hand_in(project, lacuna)
    assert "Ada [b] is a worker" in lacuna("collect", "account", project, "ada [b]").err
    changed = lacuna("collect", "account", project, "Ada [b]", "--role", "reviewer")
    assert (changed.code, "is a reviewer" in changed.err) == (0, True)
    reset = lacuna("collect", "account", project, "Ada [b]", "--new-password")
    with CollectProject.open(project) as opened:
        session = opened.accounts.log_in("Ada [b]", reset.out.strip(), "1.1.1.1")
        assert session.person.role == "reviewer"
    nobody = lacuna("collect", "account", project, "Eve")
    assert (nobody.code, "Nobody here is called" in nobody.err) == (2, True)
    assert lacuna("collect", "account", project, "Ada [b]", "--role", "queen").code == 2
