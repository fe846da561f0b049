"""Which files of a data folder are trained on, and which are left for evaluation.

A file may have its official name, as ``lacuna data fetch`` leaves it, or a shorter one, and may be
gzipped under either.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from hashlib import file_digest, sha256
from pathlib import Path

from lacuna.datasets import get_dataset
from lacuna.errors import LacunaError
from lacuna.train.data.line_files import LINE_FORMATS, read_lines
from lacuna.types import Question

BAD_ITEM = "a broken item"
ZIPPED = ".gz"


@dataclass(frozen=True, slots=True)
class DataFile:
    """A dataset's file by the names that it may have, relative to the data folder.

    ``dataset`` is a dataset of this project, or a format of ``line_files`` that is only trained on.
    ``distinctive`` is False where the same words are asked about many texts ("When was he born?"),
    so that equal words do not make two questions the same.
    """

    dataset: str
    names: tuple[str, ...]
    distinctive: bool = True
    official: bool = True
    """Whether ``lacuna data fetch`` gets it."""

    def find(self, folder: Path) -> Path:
        """The file in a data folder; the first of its names counts."""
        if (path := self.find_optional(folder)) is not None:
            return path
        names = " or ".join(self.names)
        fetched = (
            f"`lacuna data fetch {self.dataset}` gets it, into the cache folder: give that as the "
            "data folder, or copy the file."
            if self.official
            else "It is not among the official files; leave out what needs it."
        )
        raise LacunaError(f"{folder} has no {names} (nor the same with {ZIPPED}). {fetched}")

    def find_optional(self, folder: Path) -> Path | None:
        """The file in a data folder, or None."""
        paths = (folder / f"{name}{end}" for name in self.names for end in ("", ZIPPED))
        return next((path for path in paths if path.is_file()), None)


TRAIN = {
    "squad1": DataFile("squad", ("squad/train-v1.1.json",)),
    "squad2": DataFile("squad", ("squad/train-v2.0.json",)),
    "hotpotqa": DataFile("hotpotqa", ("hotpotqa/train.json", "hotpotqa/hotpot_train_v1.1.json")),
    "hotpotqa_gold": DataFile("hotpotqa", ("hotpotqa/train_gold_only.jsonl",), official=False),
    "twowiki": DataFile("hotpotqa", ("2wikimultihopqa/train.json",), official=False),
    "iirc": DataFile("iirc", ("iirc/train_snippets.jsonl", "iirc/train.json")),
    "quac": DataFile("quac", ("quac/train.json", "quac/train_v0.2.json"), distinctive=False),
    "quac_acts": DataFile(
        "quac", ("quac/train_acts.json", "quac/train_v0.2.json"), distinctive=False
    ),
    "drop": DataFile("drop", ("drop/train.json", "drop/drop_dataset_train.json"), False),
    "openbookqa": DataFile("openbookqa", ("openbookqa/train_complete.jsonl",)),
    "boolq": DataFile("boolq", ("boolq/train.jsonl",), official=False),
    "qed": DataFile("qed", ("qed/train.jsonl",), official=False),
    "squad_twins": DataFile(
        "squad_twins", ("squad/train-v2.0-unanswerable.jsonl",), official=False
    ),
    "strategyqa": DataFile("strategyqa", ("strategyqa/train.jsonl",), official=False),
    "snli": DataFile("snli", ("nli/snli_train.jsonl",), official=False),
    "zre": DataFile("zre", ("zre/train.jsonl",), official=False),
    **{
        f"synthetic_{kind}": DataFile("synthetic", (f"synthetic/{kind}.jsonl",), official=False)
        for kind in ("fact", "list", "none", "yes", "no")
    },
}
DEV = {
    "squad1": DataFile("squad", ("squad/dev-v1.1.json",)),
    "squad2": DataFile("squad", ("squad/dev-v2.0.json",)),
    "hotpotqa": DataFile(
        "hotpotqa", ("hotpotqa/dev.json", "hotpotqa/hotpot_dev_distractor_v1.json")
    ),
    "iirc": DataFile("iirc", ("iirc/dev.json",)),
    "quac": DataFile("quac", ("quac/dev.json", "quac/val_v0.2.json"), distinctive=False),
    "quac_acts": DataFile("quac", ("quac/dev_acts.json", "quac/val_v0.2.json"), distinctive=False),
    "drop": DataFile("drop", ("drop/dev.json", "drop/drop_dataset_dev.json"), distinctive=False),
    "openbookqa": DataFile("openbookqa", ("openbookqa/dev_complete.jsonl",)),
    "boolq": DataFile("boolq", ("boolq/dev.jsonl",), official=False),
    "qed": DataFile("qed", ("qed/dev.jsonl",), official=False),
    "strategyqa": DataFile("strategyqa", ("strategyqa/dev.jsonl",), official=False),
    "quoref": DataFile("squad", ("quoref/dev.json",), official=False),
}
KGD = DataFile("openbookqa", ("kgd/train.jsonl", "openbookqa/kgd_train.jsonl"), official=False)
"""Knowledge gaps that people annotated, for some of OpenBookQA's training questions."""
PARAGRAPHS = DataFile("hotpotqa", ("hotpotqa/abstracts_pool.jsonl",), official=False)
"""First paragraphs of articles, from which distractors and hard negatives are taken."""


def dev_paths(folder: Path) -> dict[str, Path]:
    """The dev files; official ones must be there, of the others those that are count."""
    found = {
        name: file.find(folder) if file.official else file.find_optional(folder)
        for name, file in DEV.items()
    }
    return {name: path for name, path in found.items() if path is not None}


def named(files: dict[str, DataFile], name: str) -> DataFile:
    """The file of that name."""
    if name not in files:
        raise LacunaError(f"There is no {name!r}. Take one of {', '.join(files)}.")
    return files[name]


def read(file: DataFile, folder: Path, left_out: Counter[str] | None = None) -> Iterator[Question]:
    """The questions of a file; broken items are skipped and counted."""
    if file.dataset in LINE_FORMATS:
        reasons = Counter[str]() if left_out is None else left_out
        yield from read_lines(file.find(folder), LINE_FORMATS[file.dataset], reasons, BAD_ITEM)
        return
    with get_dataset(file.dataset).open(file.find(folder), skip_bad=True) as reader:
        yield from reader.questions()
        if left_out is not None and reader.bad:
            left_out[BAD_ITEM] += len(reader.bad)


def read_to_train(file: DataFile, folder: Path, left_out: Counter[str]) -> Iterator[Question]:
    """The questions of a file, unless its dataset only measures."""
    if file.dataset not in LINE_FORMATS and not get_dataset(file.dataset).for_training:
        raise LacunaError(f"{file.dataset} is for measuring alone; nothing may be trained on it.")
    yield from read(file, folder, left_out)


def content_digest(paths: Iterable[Path]) -> str:
    """A digest of the names and contents of files, and of all files in folders."""
    whole = sha256()
    for path in paths:
        files = sorted(path.rglob("*")) if path.is_dir() else [path]
        for file in files:
            if file.is_file():
                with file.open("rb") as raw:
                    content = file_digest(raw, "sha256").hexdigest()
                whole.update(f"{file.name}\0{content}\n".encode())
    return whole.hexdigest()
