"""The model card of an entry: its scores filled in, the rest for whoever sent it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from lacuna.board.keeping.board_tables import BoardTable
from lacuna.datasets.describing.blanks import as_plain_markdown, blank
from lacuna.metrics.score_tables import ScoreTable, between, scaled


def model_card(table: BoardTable, details: Mapping[str, Any]) -> str:
    """The card as Markdown, with the sections of Mitchell et al.'s Model Cards."""
    return f"""# Model card: {as_plain_markdown(details["name"])}

## Model details

- Made by: {as_plain_markdown(details["team"])}
- Sent: {details["sent"]}
- Code: {as_plain_markdown(details["code"]) or blank("where the code is")}
- Parameters: {as_plain_markdown(details["parameters"]) or blank("size, hyperparameters, hardware")}

{as_plain_markdown(details["description"]) or blank("what kind of model it is, and how it answers")}

## Intended use

{blank("what it is for, for whom, and what it should not be used for")}

## Training data

{blank("what it was trained on, and how that was kept apart from these questions")}

## Evaluation

{details["questions"]:,} questions of {table.dataset}, asked in the setting {table.setting},
with the official scorer; the answers are hidden from who sent the predictions.

{scores_table(table, details).to_markdown()}

{kinds_table(table, details).to_markdown()}

## Limitations and risks

{blank("where it fails, whom that may harm, and what was done about it")}
"""


def scores_table(table: BoardTable, details: Mapping[str, Any]) -> ScoreTable:
    """The official scores, beside what a system gets that never answers."""
    percent = 100 / table.scale
    rows = tuple(
        (
            name,
            scaled(details["scores"].get(name), percent),
            between(details["intervals"].get(name), percent),
            scaled(table.floor.scores.get(name), percent),
        )
        for name in table.measures
    )
    return ScoreTable(
        "Official scores, %", ("measure", "score", "95% interval", "always abstain"), rows
    )


def kinds_table(table: BoardTable, details: Mapping[str, Any]) -> ScoreTable:
    """The scores per kind of answer."""
    percent = 100 / table.scale
    told = [name for name in table.measures if name in details["parts"][0]["means"]]
    rows = tuple(
        (
            ", ".join(part["kinds"]),
            part["questions"],
            *(scaled(part["means"].get(name), percent) for name in told),
        )
        for part in details["parts"]
    )
    return ScoreTable("By kind of answer, %", ("kind", "questions", *told), rows)
