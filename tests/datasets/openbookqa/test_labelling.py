"""As many questions are labelled as the paper looked at."""

from __future__ import annotations

from lacuna.datasets import get_dataset
from lacuna_lab.describe.labelling import task_for


def test_samples_are_as_large_as_the_papers() -> None:
    openbookqa = get_dataset("openbookqa")
    assert task_for(openbookqa, of_errors=False).size == 75  # section 3.1
    assert task_for(openbookqa, of_errors=True).size == 40  # section 5.4
