"""The datasheet of a table: what is known is filled in, the rest is for whoever runs the board."""

from __future__ import annotations

from lacuna.board.scoring.scored_file import ScoredFile
from lacuna.datasets.describing.blanks import blank


def datasheet(title: str, dataset: str, setting: str, floor: ScoredFile) -> str:
    """The sheet as Markdown, with the questions of Gebru et al.'s Datasheets for Datasets."""
    kinds = "\n".join(f"| {', '.join(part.kinds)} | {part.questions:,} |" for part in floor.parts)
    return f"""# Datasheet: {title}

## Motivation

{blank("why the dataset was made, by whom, and who paid for it")}

## Composition

{floor.questions:,} questions of {dataset}, asked in the setting {setting}. Their answers
are hidden.

| kind of answer | questions |
|---|---:|
{kinds}

{blank("what the texts are, where they are from, and whether they tell of people")}

## Collection

{blank("who wrote the questions and the answers, how, when, and what they were paid")}

## Uses

Systems are compared by their predictions for these questions.

{blank("what else the dataset should and should not be used for")}

## Distribution and maintenance

{blank("the licence, whom to write to, and whether answers will be published")}
"""
