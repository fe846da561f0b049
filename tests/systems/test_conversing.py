"""Dialogs over a corpus; what they are asked with is tested at the command line."""

from __future__ import annotations

import pytest
from fake_reader import FakeReader

import lacuna
from lacuna.errors import LacunaError
from lacuna.evaluation.asking import ConversingSystem
from lacuna.types import Answer, Question, Turn


@pytest.fixture
def system() -> ConversingSystem:
    return ConversingSystem(
        lacuna.open_corpus(reader=FakeReader(lambda question, mode: Answer.span("Ada")))
    )


def test_progress_counts_turns(system: ConversingSystem) -> None:
    first, second = Question("1", "Who?"), Question("2", "When?", history=(Turn("Who?"),))
    done: list[int] = []
    results = system.ask([first, second, Question("3", "Where?")], progress=done.append)
    assert (list(results), done) == (["1", "2", "3"], [1, 2, 3])


def test_a_dialog_cannot_be_tuned_on(system: ConversingSystem) -> None:
    with pytest.raises(LacunaError, match="every question is asked by itself"):
        system.score([Question("1", "Who?")])
