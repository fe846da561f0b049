"""A language model of this machine, chosen on the page, in a real browser over a few notes."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from browsing import ask, needs_chromium, survey
from model_server import ModelServer
from stand_in import Site

from lacuna.serve.language_models import LanguageModels

pytestmark = needs_chromium


@pytest.fixture
def models() -> Iterator[ModelServer]:
    server = ModelServer()
    yield server
    server.close()


@pytest.fixture
def site(tmp_path: Path, models: ModelServer) -> Site:
    readers: Any = {"small": object()}
    finder = LanguageModels(readers, {models.port: "Ollama"})
    return Site(tmp_path, models=readers.keys(), language_models=finder)


def open_settings(page: Any) -> Any:
    page.get_by_role("button", name="More …").click()
    return page.locator("#menu")


def test_it_is_looked_for_when_the_setting_is_opened_and_is_one_click(
    notes: Any, site: Site, models: ModelServer
) -> None:
    menu = open_settings(notes)
    assert models.asked == []
    menu.get_by_text("Use a language model of this machine").press("Enter")
    model = menu.get_by_role("button", name=f"qwen2.5:3b Ollama, port {models.port}")
    model.wait_for()
    assert len(models.asked) == 1
    assert "summaries" in menu.locator(".settings details").inner_text()
    survey(notes, "language-models")
    model.press("Enter")
    menu.locator(".announcer", has_text="The next questions go to qwen2.5:3b.").wait_for(
        state="attached"
    )
    chosen = menu.get_by_label("Model", exact=True)
    assert chosen.locator("option:checked").inner_text() == "llm:qwen2.5:3b"
    notes.keyboard.press("Escape")
    site.stand_in.changes["measured"] = False
    card = ask(notes, "What is it?")
    assert site.stand_in.asked[-1].model == "llm:qwen2.5:3b"
    assert card.locator(".card-head .sure").inner_text() == "50 %, says the model"
    assert notes.locator(".suggested").count() == 0, "it is asked nothing that nobody wants"
    notes.reload()
    notes.wait_for_selector(".document-head h2")
    menu = open_settings(notes)
    assert chosen.locator("option:checked").inner_text() == "llm:qwen2.5:3b"


def test_where_none_answers(notes: Any, models: ModelServer) -> None:
    models.close()
    menu = open_settings(notes)
    menu.get_by_text("Use a language model of this machine").click()
    menu.get_by_text("Ollama 11434").wait_for()
    survey(notes, "no-language-model")
