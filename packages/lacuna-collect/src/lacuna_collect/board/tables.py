"""The tables of a board: a dataset in one setting, by answers that stay hidden."""

from __future__ import annotations

import json
import re
import shutil
import tempfile
from collections.abc import Collection
from dataclasses import dataclass
from pathlib import Path

from sqlalchemy import RowMapping, select
from sqlalchemy.exc import IntegrityError

from lacuna.datasets import get_dataset
from lacuna.datasets.base import Dataset
from lacuna.datasets.convert import can_be_asked, write_without_answers
from lacuna.errors import LacunaError, no_such
from lacuna.files.json import Shape
from lacuna.files.writing import replace_bytes, replace_text
from lacuna.metrics.comparison import HumanRow
from lacuna_collect.board.database import (
    BOARD_TABLE,
    BoardDatabase,
    new_salt,
    plain_line,
    seal_of_file,
)
from lacuna_collect.board.scored_file import ScoredFile, score_abstention
from lacuna_lab.describe.labelling import blank


def check_measures(row: HumanRow, measures: Collection[str], scale: float) -> None:
    """Refuse measures that the table does not have, or that no scorer could give."""
    unknown = [name for name in row.measures if name not in measures]
    if unknown:
        raise LacunaError(
            f"The human row has {', '.join(map(repr, unknown))}, which the table does not "
            f"measure; it has {', '.join(measures)}."
        )
    given = {name: value for name, value in row.measures.items() if value is not None}
    beyond = {name: value for name, value in given.items() if not 0 <= value <= scale}
    if beyond:
        raise LacunaError(
            f"The human row has {json.dumps(beyond)}, but the official scorer gives numbers from "
            f"0 to {scale:g}. Give them on that scale."
        )


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


JOINT = "joint_f1"
"""Where a dataset has it, its own leaderboard goes by it."""
PLAIN = ("key", "dataset", "setting", "title", "rank_by", "scale", "questions", "smallest_part",
         "gold_seal", "added_at")  # fmt: skip
"""The fields that a column holds as they are."""
SUFFIXES = re.compile(r"(\.jsonl?|\.csv)?(\.gz)?$")


@dataclass(frozen=True, slots=True)
class BoardTable:
    """One table; all of it may be shown."""

    key: str
    dataset: str
    setting: str
    title: str
    rank_by: str
    measures: tuple[str, ...]
    """Those of the scorer that are shown, in its order."""
    scale: float
    questions: int
    smallest_part: int
    """Questions of the smallest part that has scores of its own, as it was set at the beginning."""
    gold_seal: str
    floor: ScoredFile
    human: HumanRow | None
    added_at: float


class BoardTables:
    """All tables; gold lies in ``hidden/``, what may be downloaded in ``tables/``."""

    def __init__(self, database: BoardDatabase, folder: Path, smallest_part: int) -> None:
        self._database = database
        self._folder = folder
        self._smallest_part = smallest_part

    def add(
        self, dataset: str, gold: Path, setting: str | None, title: str, rank_by: str | None
    ) -> BoardTable:
        """Add a table, with the questions that people download and a datasheet to be filled in."""
        source = get_dataset(dataset)
        chosen = source.setting(setting).name
        title = plain_line(title or f"{dataset}, {chosen}", "The title", 120)
        key = re.sub(r"[^a-z0-9]+", "-", title.casefold()).strip("-")[:60] or dataset
        if any(table.key == key for table in self.all()):
            raise LacunaError(f"There is a table {key!r} already. Give another --title.")
        floor, metric = score_abstention(source, gold, self._smallest_part)
        main = tuple(name for name in metric.main if floor.scores.get(name) is not None)
        if rank_by is None:
            rank_by = JOINT if JOINT in main else metric.answer_measure
        if rank_by not in main:
            raise no_such("measure", rank_by, main)
        salt = new_salt()
        # Beside the others until it is whole: somebody else may add the same one just now.
        with tempfile.TemporaryDirectory(prefix=".", dir=self._folder / "hidden") as place:
            public, hidden = Path(place) / "tables", Path(place) / "hidden"
            public.mkdir()
            hidden.mkdir(mode=0o700)
            kept = _write_questions(source, gold, public, hidden)
            table = BoardTable(
                key=key,
                dataset=dataset,
                setting=chosen,
                title=title,
                rank_by=rank_by,
                measures=main,
                scale=metric.scale,
                questions=floor.questions,
                smallest_part=self._smallest_part,
                gold_seal=seal_of_file(salt, kept),
                floor=floor,
                human=None,
                added_at=self._database.clock.now(),
            )
            with replace_text(public / "datasheet.md") as text:
                text.write(datasheet(title, dataset, chosen, floor))
            try:
                with self._database.begin() as transaction:
                    transaction.add(BOARD_TABLE, **_row(table), salt=salt)
                    transaction.log("table", logged_table(table))
                    for made in (public, hidden):  # before the commit: what is listed is there
                        _put(made, self._folder / made.name / key)
            except IntegrityError as error:
                raise LacunaError(f"Somebody else has just added {key!r}. Look at it.") from error
        return table

    def set_human(self, row: HumanRow, key: str | None = None) -> BoardTable:
        """Pin a human row to the table of its dataset and setting, in place of an older one;
        to that with this key, where there are several."""
        fitting = [
            table
            for table in self.all()
            if (table.dataset, table.setting) == (row.dataset, row.setting)
            and key in (None, table.key)
        ]
        if len(fitting) > 1:
            keys = ", ".join(table.key for table in fitting)
            raise LacunaError(
                f"The human row is of {row.dataset} in the setting {row.setting}, and the board "
                f"has several tables of these. Choose one with --table: {keys}."
            )
        if not fitting:
            raise LacunaError(
                f"The human row is of {row.dataset} in the setting {row.setting}, and the board "
                f"has no such table{f' named {key!r}' if key else ''}. Give a row for one of its "
                "tables."
            )
        table = fitting[0]
        check_measures(row, table.floor.scores, table.scale)
        with self._database.begin() as transaction:
            transaction.change(BOARD_TABLE, BOARD_TABLE.c.key == table.key, human=row.as_json())
            transaction.log("human", {"table": table.key, "row": row.as_json()})
        return self.get(table.key)

    def all(self) -> list[BoardTable]:
        """Every table, the oldest first."""
        query = select(BOARD_TABLE).order_by(BOARD_TABLE.c.added_at, BOARD_TABLE.c.key)
        with self._database.read() as transaction:
            return [_table(row) for row in transaction.execute(query).mappings()]

    def get(self, key: str) -> BoardTable:
        """The table of that key."""
        for table in (tables := self.all()):
            if table.key == key:
                return table
        raise no_such("table", key, [table.key for table in tables] or ["none yet"])

    def gold(self, key: str) -> Path:
        """Where a table's hidden answers lie."""
        for found in (self._folder / "hidden" / key).glob("gold*"):
            return found
        raise LacunaError(f"The hidden answers of {key} are gone. Bring them back from a copy.")

    def salt(self, key: str) -> str:
        """What the seal of its hidden answers is made with."""
        with self._database.read() as transaction:
            return str(
                transaction.scalar(select(BOARD_TABLE.c.salt).where(BOARD_TABLE.c.key == key))
            )

    def questions_file(self, key: str) -> Path:
        """The questions without answers."""
        (found,) = (self._folder / "tables" / key).glob("questions*")
        return found

    def can_be_asked(self, key: str) -> bool:
        """Whether its questions are enough to ask them in its setting."""
        table = self.get(key)
        dataset = get_dataset(table.dataset)
        setting = dataset.setting(table.setting)
        return can_be_asked(dataset, setting, self.gold(key), self.questions_file(key))

    def datasheet(self, key: str) -> str:
        """The datasheet as whoever runs the board has filled it in."""
        path = self._folder / "tables" / key / "datasheet.md"
        return path.read_text(encoding="utf-8", errors="replace") if path.is_file() else ""


def _write_questions(source: Dataset, gold: Path, public: Path, hidden: Path) -> Path:
    """Write the questions without answers, and the whole file where nobody sees it; the latter."""
    suffix = ".jsonl" if source.forms[0].shapes[0] is Shape.LINES else ".json"
    write_without_answers(source, gold, public / f"questions{suffix}")
    found = SUFFIXES.search(gold.name)
    kept = hidden / f"gold{found[0] if found else ''}"
    with gold.open("rb") as read, replace_bytes(kept) as out:
        shutil.copyfileobj(read, out)
    kept.chmod(0o600)
    return kept


def _put(made: Path, place: Path) -> None:
    """Move a folder to its place; what lies there is of an attempt that was broken off."""
    if place.exists():
        shutil.rmtree(place)
    made.replace(place)


def logged_table(table: BoardTable) -> dict[str, object]:
    """What the log says of a table: all that scores depend on."""
    return {
        "table": table.key,
        "dataset": table.dataset,
        "setting": table.setting,
        "title": table.title,
        "rank_by": table.rank_by,
        "measures": list(table.measures),
        "scale": table.scale,
        "smallest_part": table.smallest_part,
        "gold": table.gold_seal,
        "floor": table.floor.as_json(),
    }


def _row(table: BoardTable) -> dict[str, object]:
    told = {name: getattr(table, name) for name in PLAIN}
    return {**told, "measures": table.measures, "floor": table.floor.as_json()}


def _table(row: RowMapping) -> BoardTable:
    return BoardTable(
        **{name: row[name] for name in PLAIN},
        measures=tuple(row["measures"]),
        floor=ScoredFile.of_json(row["floor"]),
        human=None if row["human"] is None else HumanRow(**row["human"]),
    )
