"""Language models of this machine, listed and taken in over the JSON interface."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from typing import Any

import pytest
from model_server import ModelServer
from stand_in import Site

from lacuna.models.llm.llm_reader import LLMReader
from lacuna.serve.language_models import USUAL_PORTS, LanguageModels
from lacuna.web.access import Access, AllowedHosts

MakeSite = Callable[..., Site]


@pytest.fixture
def models() -> Iterator[ModelServer]:
    server = ModelServer()
    yield server
    server.close()


@pytest.fixture
def readers() -> dict[str, Any]:
    return {"small": object()}


@pytest.fixture
def site(make_site: MakeSite, models: ModelServer, readers: dict[str, Any]) -> Site:
    finder = LanguageModels(readers, {models.port: "Ollama"})
    return make_site(models=readers.keys(), language_models=finder)


def test_nothing_is_looked_for_before_someone_asks(site: Site, models: ModelServer) -> None:
    assert site.client.get("/").status_code == 200
    told = site.client.get("/api/v1/server").json()
    assert (told["models"], told["finds_language_models"]) == (["small"], True)
    assert models.asked == []
    assert set(USUAL_PORTS) == {11434, 1234, 8080, 8000}


def test_what_is_there_is_listed_without_what_is_only_passed_on(
    site: Site, models: ModelServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("LACUNA_LLM_KEY", "secret")
    monkeypatch.setenv("http_proxy", "http://127.0.0.1:9")
    got = site.client.get("/api/v1/language-models").json()
    assert got == {"servers": [{"name": "Ollama", "port": models.port, "models": ["qwen2.5:3b"]}]}
    ((path, headers),) = models.asked
    assert path == "/v1/models"
    assert "secret" not in json.dumps(headers)


def test_one_is_taken_and_asked(site: Site, models: ModelServer, readers: dict[str, Any]) -> None:
    chosen = {"port": models.port, "model": "qwen2.5:3b"}
    for _ in range(2):
        got = site.client.post("/api/v1/language-models", json=chosen)
        assert got.json() == {"model": "llm:qwen2.5:3b"}
    assert list(readers) == ["small", "llm:qwen2.5:3b"]
    assert isinstance(readers["llm:qwen2.5:3b"], LLMReader)
    assert site.client.get("/api/v1/server").json()["models"] == ["small", "llm:qwen2.5:3b"]
    asked = {"question": "What?", "model": "llm:qwen2.5:3b"}
    assert site.client.post("/api/v1/ask", json=asked).status_code == 200
    assert site.stand_in.asked[-1].model == "llm:qwen2.5:3b"


@pytest.mark.parametrize("model", ["qwen", "gpt-oss:120b-cloud", "small"])
def test_only_what_is_listed_can_be_taken(
    site: Site, models: ModelServer, readers: dict[str, Any], model: str
) -> None:
    got = site.client.post("/api/v1/language-models", json={"port": models.port, "model": model})
    assert (got.status_code, got.json()["code"]) == (422, "no-language-model")
    got = site.client.post("/api/v1/language-models", json={"port": 22, "model": model})
    assert (got.status_code, got.json()["code"]) == (422, "no-language-model")
    assert list(readers) == ["small"]


def test_whoever_does_not_sit_there_looks_for_nothing(
    make_site: MakeSite, models: ModelServer, readers: dict[str, Any]
) -> None:
    away = Access(hosts=AllowedHosts.of("localhost", []), local=False)
    finder = LanguageModels(readers, {models.port: "Ollama"})
    site = make_site(models=readers.keys(), language_models=finder, access=away)
    assert not site.client.get("/api/v1/server").json()["finds_language_models"]
    assert site.client.get("/api/v1/language-models").status_code == 403
    chosen = {"port": models.port, "model": "qwen2.5:3b"}
    assert site.client.post("/api/v1/language-models", json=chosen).status_code == 403
    assert models.asked == []


@pytest.mark.parametrize(
    ("reply", "status"),
    [(b"<html>", 200), (b"{}", 200), (b'{"data": [1]}', 200), (b"[]", 200), (b"{}", 302)],
)
def test_what_is_no_such_server_is_passed_over(reply: bytes, status: int) -> None:
    other = ModelServer(reply, status)
    try:
        assert LanguageModels({}, {other.port: "vLLM", 9: "none"}).found() == []
    finally:
        other.close()
