"""IIRC's stages at toy size: the examples as official files, with articles made for them."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from toy_recipes import write_recipe

FILLER = (
    "The harbour was quiet that year, and little is known of it.",
    "A second ferry sailed in summer, when there were guests.",
    "The school had two rooms and a stove.",
)
SMALL: dict[str, Any] = {
    "name": "toy",
    "dropout": 0.0,
    "epochs": 30,
    "batch": 4,
    "learning_rate": 3e-3,
    "head_rate": 1e-2,
    "held_out": 0.0,
    "longest": 128,
}


def articles(passages: list[dict[str, Any]]) -> dict[str, str]:
    """An article for every link, with what is quoted from it among other sentences."""
    quotes: dict[str, list[str]] = {}
    for passage in passages:
        for link in passage["links"]:
            quotes.setdefault(link["target"].lower(), [])
        for question in passage["questions"]:
            for quote in question.get("context", []):
                if quote["passage"] != "main":
                    quotes.setdefault(quote["passage"].lower(), []).append(quote["text"])
    return {
        title: "".join(f"<p>{text}</p>" for text in (FILLER[0], *dict.fromkeys(own), *FILLER[1:]))
        for title, own in quotes.items()
    }


@pytest.fixture(scope="session")
def official_data(examples: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A data folder with IIRC's official files."""
    folder = tmp_path_factory.mktemp("official") / "iirc"
    folder.mkdir()
    text = (examples / "iirc.json").read_text("utf-8")
    (folder / "train.json").write_text(text, "utf-8")
    made = json.dumps(articles(json.loads(text)))
    (folder / "context_articles.json").write_text(made, "utf-8")
    return folder.parent


@pytest.fixture
def iirc_recipe(tmp_path: Path) -> Callable[..., Path]:
    """Writes a recipe of one of IIRC's networks, some of its settings changed."""

    def write(system: str, **changes: Any) -> Path:
        return write_recipe(tmp_path, system, **{**SMALL, **changes})

    return write
