"""Language models of this machine: found at the usual ports, and taken in as readers."""

from __future__ import annotations

import http.client
import json
from collections.abc import MutableMapping
from concurrent.futures import ThreadPoolExecutor

from lacuna.models.llm.chat_server import ChatServer
from lacuna.models.llm.llm_reader import LLMReader
from lacuna.models.registry import Reader
from lacuna.serve.schemas import LanguageModelServer
from lacuna.web.refusals import Refusal

USUAL_PORTS = {11434: "Ollama", 1234: "LM Studio", 8080: "llama.cpp", 8000: "vLLM"}
HERE = "127.0.0.1"
LISTING_TIMEOUT_SECONDS = 1.5
LARGEST_LIST = 1 << 20
MOST_MODELS = 200
LONGEST_NAME = 200
SENT_ON = ("-cloud", ":cloud")
"""How Ollama's names end of models that it only passes questions on to: they are not here."""


class LanguageModels:
    """Looks for servers when it is asked to, and only on this machine's own loopback address.

    ``readers`` are those that questions may choose from, by name; what is chosen is added to them.
    """

    def __init__(
        self, readers: MutableMapping[str, Reader], ports: dict[int, str] = USUAL_PORTS
    ) -> None:
        self._readers = readers
        self._ports = ports

    def found(self) -> list[LanguageModelServer]:
        """The servers that answer, each with its models."""
        with ThreadPoolExecutor(len(self._ports)) as pool:
            listed = list(pool.map(_models_at, self._ports))
        return [
            LanguageModelServer(name=name, port=port, models=models)
            for (port, name), models in zip(self._ports.items(), listed, strict=True)
            if models
        ]

    def take(self, port: int, model: str) -> str:
        """Let questions choose a model of such a server; the name that they choose it by."""
        if port not in self._ports or model not in _models_at(port):
            raise Refusal(
                422,
                "no-language-model",
                f"No server on this machine lists the model {model!r} at port {port} any more. "
                "Look for it again.",
            )
        name = f"llm:{model}"
        if name not in self._readers and len(self._readers) < MOST_MODELS:
            self._readers[name] = LLMReader(ChatServer(f"http://{HERE}:{port}/v1", model))
        return name


def _models_at(port: int) -> list[str]:
    """What a server lists; nothing where none answers, or not in this form.

    Neither a proxy nor a redirect can lead this elsewhere, and no key is sent.
    """
    connection = http.client.HTTPConnection(HERE, port, timeout=LISTING_TIMEOUT_SECONDS)
    try:
        connection.request("GET", "/v1/models")
        response = connection.getresponse()
        listed = json.loads(response.read(LARGEST_LIST)) if response.status == 200 else {}
        names = dict.fromkeys(str(model["id"]) for model in listed["data"])
    except (OSError, http.client.HTTPException, ValueError, LookupError, TypeError, AttributeError):
        return []
    finally:
        connection.close()
    usable = (name for name in names if name.isprintable() and 0 < len(name) <= LONGEST_NAME)
    return [name for name in usable if not name.endswith(SENT_ON)][:MOST_MODELS]
