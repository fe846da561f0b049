"""``lacuna config``: what counts, where it comes from, and what is refused."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from refusing import refused


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder to work in, with a user's file elsewhere."""
    work = tmp_path / "work"
    work.mkdir()
    monkeypatch.chdir(work)
    monkeypatch.setenv("LACUNA_CONFIG", str(tmp_path / "user" / "config.toml"))
    for name in ("one", "two", "three"):
        (work / name).mkdir()
        (work / name / f"{name}.md").write_text(f"# {name}\n\nOsprey {name}.\n")
    return work


def counts(lacuna: Any) -> dict[str, Any]:
    settings: dict[str, Any] = json.loads(lacuna("config", "--json").out)["settings"]
    return settings


def test_the_order_of_precedence(
    lacuna: Any, pipeline: Any, home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert counts(lacuna)["min_confidence"] == {"value": 0.7, "from": "default"}
    assert lacuna("config", "set", "min-confidence", "0.5").code == 0
    assert counts(lacuna)["min_confidence"]["value"] == 0.5
    assert lacuna("config", "set", "min_confidence", "0.6", "--project").code == 0
    assert counts(lacuna)["min_confidence"] == {"value": 0.6, "from": "lacuna.toml"}
    monkeypatch.setenv("LACUNA_MIN_CONFIDENCE", "0.8")
    assert counts(lacuna)["min_confidence"] == {"value": 0.8, "from": "LACUNA_MIN_CONFIDENCE"}
    lacuna("ask", "Who?")
    lacuna("ask", "Who?", "--min-confidence", "0.9")
    assert [config.min_confidence for config in pipeline.configs] == [0.8, 0.9]


def test_cores_may_be_set(lacuna: Any, home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("LACUNA_THREADS", raising=False)
    assert counts(lacuna)["threads"] == {"value": None, "from": "default"}
    assert "as the machine has" in lacuna("config").out
    assert lacuna("config", "set", "threads", "2", "--project").code == 0
    assert counts(lacuna)["threads"] == {"value": 2, "from": "lacuna.toml"}
    assert (home / "lacuna.toml").read_text() == "threads = 2\n"
    monkeypatch.setenv("LACUNA_THREADS", "3")
    assert counts(lacuna)["threads"] == {"value": 3, "from": "LACUNA_THREADS"}


def test_the_corpus_that_is_asked(lacuna: Any, home: Path) -> None:
    lacuna("config", "set", "corpus", "one", "two")
    assert set(lacuna("search", "osprey").out.split()) >= {"one.", "two."}
    (home / "lacuna.toml").write_text('# ours\ncorpus = "three"\n')
    ran = lacuna("search", "osprey")
    assert "Osprey three" in ran.out
    assert "Osprey one" not in ran.out
    assert "This asks three, as lacuna.toml says." in ran.err
    assert "Osprey one" in lacuna("search", "osprey", "--corpus", "one").out
    assert "Osprey two" in lacuna("search", "osprey", "--corpus", "two").out


def test_the_rest_of_a_file_stays(lacuna: Any, home: Path) -> None:
    path = home / "lacuna.toml"
    path.write_text('# mine\ncorpus = [\n  "one", # first\n  "two",\n]\nmodel = "small"\n')
    assert lacuna("config", "set", "corpus", "three", "--project").code == 0
    assert path.read_text() == '# mine\ncorpus = "three"\nmodel = "small"\n'
    assert lacuna("config", "unset", "corpus", "--project").code == 0
    assert path.read_text() == '# mine\nmodel = "small"\n'
    assert "is not set" in lacuna("config", "unset", "corpus", "--project").err


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ('corpse = "x"', "Did you mean corpus?"),
        ("[corpus]\nx = 1", "must be a path"),
        ("min_confidence = 7", "from 0 to 1, and is the number 7"),
        ("min_confidence = true", "from 0 to 1, and is true"),
        ("model = 3", "the name of a model"),
        ("threads = 0", "a whole number of at least 1, and is the number 0"),
        ("log = 'json'", "There is no setting"),
        ("corpus = [1]", "a list of paths"),
        ("corpus = \n", "line 1"),
        ("\x00", "TOML"),
    ],
)
def test_a_wrong_file_is_told(lacuna: Any, pipeline: Any, home: Path, text: str, told: str) -> None:
    (home / "lacuna.toml").write_text(text)
    refused(lacuna("ask", "Who?"), told)
    refused(lacuna("config"), "lacuna.toml")


@pytest.mark.parametrize(
    ("words", "told"),
    [
        (("set", "corpse", "x"), "Did you mean corpus?"),
        (("set", "corpus", "nowhere"), "There is no file or folder nowhere"),
        (("set", "min_confidence", "much"), "a number from 0 to 1, and is 'much'"),
        (("set", "min_confidence", "nan"), "from 0 to 1"),
        (("set", "model", "a", "b"), "takes one value"),
        (("set", "threads", "many"), "a whole number of at least 1"),
        (("set", "model"), "Say what to set"),
        (("unset",), "Say what to unset"),
        (("put", "x"), "'put' is nothing that can be done here"),
    ],
)
def test_what_cannot_be_set(lacuna: Any, home: Path, words: tuple[str, ...], told: str) -> None:
    refused(lacuna("config", *words), told)


def test_a_wrong_variable(lacuna: Any, home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("LACUNA_MIN_CONFIDENCE", "much")
    refused(lacuna("config"), "The environment variable LACUNA_MIN_CONFIDENCE")
