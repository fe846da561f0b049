"""Several models over one corpus."""

from __future__ import annotations

from typing import Any

import pytest

from lacuna.errors import LacunaError
from lacuna.pipeline.open_corpus import SeveralModels, check_model, names_of_models
from lacuna.pipeline.query import Query


class Named:
    """Answers with its own name."""

    def __init__(self, name: str) -> None:
        self.name = name
        self.store = name

    def ask(self, query: Query, *, on_step: object = None) -> str:
        return f"{self.name}: {query.question}"


def test_a_question_chooses_and_the_first_is_the_usual_one() -> None:
    answerers: Any = {"small": Named("small"), "own": Named("own")}
    models = SeveralModels(answerers)
    answered: list[Any] = [models.ask(Query("Who?", model=name)) for name in (None, "small", "own")]
    assert answered == ["small: Who?", "small: Who?", "own: Who?"]


def test_two_of_one_name_cannot_be_told_apart() -> None:
    with pytest.raises(LacunaError, match="same name: own, own"):
        names_of_models(["./own", "/elsewhere/own"])


def test_a_model_that_is_not_there_is_named() -> None:
    check_model(None, [])
    check_model("own", ["small", "own"])
    with pytest.raises(LacunaError, match=r"no model .large. here\. There is: small, own\."):
        check_model("large", ["small", "own"])
