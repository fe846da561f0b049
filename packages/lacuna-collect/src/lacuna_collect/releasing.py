"""From a project to a folder that can be put on the web as it is."""

from __future__ import annotations

import json
import shutil
import tempfile
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from pathlib import Path
from typing import Any
from xml.etree.ElementTree import Element

from lacuna.datasets import get_dataset
from lacuna.datasets.base import Dataset
from lacuna.datasets.convert import write_without_answers
from lacuna.errors import LacunaError, no_such
from lacuna.files.checksums import write_sums
from lacuna.metrics.report import ScoreTable, cell
from lacuna.web.html_tree import Child, el, table, whole_page, write_look
from lacuna_collect import loaders
from lacuna_collect.project import CollectProject, check_new
from lacuna_collect.tasks.task import Json
from lacuna_collect.work.progress import TaskProgress
from lacuna_lab.describe.description import DescribedPart
from lacuna_lab.describe.labelling import blank

ADDRESSES = {
    "CC0-1.0": "https://creativecommons.org/publicdomain/zero/1.0/legalcode",
    "CC-BY-4.0": "https://creativecommons.org/licenses/by/4.0/legalcode",
    "CC-BY-SA-4.0": "https://creativecommons.org/licenses/by-sa/4.0/legalcode",
    "CC-BY-NC-4.0": "https://creativecommons.org/licenses/by-nc/4.0/legalcode",
}


def check_licence(name: str) -> None:
    """Refuse a name that nobody would find the text of."""
    if name and name not in ADDRESSES:
        raise no_such("licence", name, ADDRESSES)


def licence_note(title: str, name: str) -> str:
    """What LICENSE.txt says."""
    if not name:
        return f"{title}\n\n{blank('the licence: without one, nobody may use the dataset')}\n"
    return (
        f"{title}\n\nQuestions and answers: {name}\nThe text of the licence: {ADDRESSES[name]}\n\n"
        f"The documents that they are about keep their own licence: "
        f"{blank('which, and where it stands')}\n"
    )


HIDDEN = "hidden"
TEST = "test"
SPLITS = ("train", "dev", TEST)


@dataclass(slots=True)
class ReleasedData:
    """The questions of each file that goes out, and files with gold that stay."""

    public: dict[str, int | None] = field(default_factory=dict)
    """By file: how many questions it has; None for a file of another kind, such as articles."""
    kept_back: list[Path] = field(default_factory=list)


def part_data(
    dataset: Dataset, companions: Collection[str], exported: Path, data: Path, kept: Path
) -> ReleasedData:
    """Share an export out: ``data`` gets what is public, ``kept`` the answers of test.

    Only the splits and what is named go out: anything else may tell of the questions of test.
    """
    parted = ReleasedData()
    for folder in (data, kept):
        folder.mkdir(parents=True, exist_ok=True)
    kept.chmod(0o700)
    for path in sorted((exported / HIDDEN).glob("*")):
        parted.kept_back.append(Path(shutil.copyfile(path, kept / path.name)))
    files = (
        path
        for path in exported.iterdir()
        if path.is_file() and (_split(path) in SPLITS or path.name in companions)
    )
    for path in sorted(files, key=_usual_order):
        questions = None if path.name in companions else _count(dataset, path)
        if path.stem.startswith(TEST) and questions:
            if _has_answers(dataset, path):
                parted.kept_back.append(Path(shutil.copyfile(path, kept / path.name)))
            write_without_answers(dataset, path, data / path.name)
        else:
            shutil.copyfile(path, data / path.name)
        parted.public[path.name] = questions
    if not any(parted.public.values()):
        raise LacunaError(
            "The project has no finished question yet, so there is nothing to release. Look at it "
            "with `lacuna collect status`."
        )
    return parted


def _usual_order(path: Path) -> tuple[int, str]:
    """Train, dev, test, and then what holds no questions."""
    split = _split(path)
    return (SPLITS.index(split) if split in SPLITS else len(SPLITS), path.name)


def _split(path: Path) -> str:
    return path.stem.partition("-")[0]


def _count(dataset: Dataset, path: Path) -> int | None:
    """How many questions a file has; None for a file of another kind."""
    try:
        with dataset.open(path) as reader:
            return sum(1 for _ in reader.questions())
    except LacunaError:
        return None


def _has_answers(dataset: Dataset, path: Path) -> bool:
    with dataset.open(path) as reader:
        return any(question.gold and question.gold.answers for question in reader.questions())


Statistics = Mapping[str, list[DescribedPart]]


def statistics_of(dataset: Dataset, folder: Path, data: ReleasedData) -> Statistics:
    """The tables of the dataset's paper for each split, from the very files that go out: nothing
    is told of answers that are kept back."""
    told: dict[str, list[DescribedPart]] = {}
    for name in (name for name, questions in data.public.items() if questions):
        description = dataset.description()
        with dataset.open(folder / name) as reader:
            for item in reader:
                description.add(item)
        told[Path(name).stem] = list(description.parts())
    return told


def statistics_markdown(title: str, statistics: Statistics) -> str:
    """All tables, split by split."""
    parts = [f"# Statistics: {title}"]
    for split, described in statistics.items():
        parts += [f"## {split}", *(part.to_markdown() for part in described)]
    return "\n\n".join(parts) + "\n"


def statistics_json(statistics: Statistics) -> dict[str, Any]:
    """The same as plain values."""
    return {
        split: {part.name: part.as_json() for part in described}
        for split, described in statistics.items()
    }


COUNTED = ("questions", "dialogs", "pairs")
"""What an export may count of what it has left out."""


def dataset_sheet(
    project: CollectProject, title: str, data: ReleasedData, report: Json, licence: str, board: str
) -> str:
    """The sheet as Markdown, with the sections of Gebru et al.'s Datasheets for Datasets."""
    tasks = project.work.progress.all()
    kept = ", ".join(path.name for path in data.kept_back)
    hidden = f"The answers of test are kept back ({kept})." if kept else "All answers are in it."
    return f"""# Datasheet: {title}

## Motivation

{blank("why the dataset was made, by whom, and who paid for it")}

## Composition

Questions of the kind of {project.family.name}, in its own format, about
{len(project.corpus):,} documents. {hidden}

{_splits(data).to_markdown()}

{blank("what the documents are, whose they are, and whether they tell of people")}

## Collection

People worked in the browser with `lacuna collect`. Each had to pass a test before a task.

{_work(project, tasks).to_markdown()}

{_when(tasks)} {_people(project)}

{_left_out(report)}

{_agreement(report)}

{blank("who the people were, how they were found, and whether an ethics board was asked")}

## Pay

{_pay(project, tasks).to_markdown()}

{blank("what a fair hourly pay is where the people live, and how it was reached")}

## Uses

{blank("what the dataset should and should not be used for")}

## Distribution and maintenance

- Licence: {licence or blank("the licence")}
- Board: {board or blank("where predictions for test are scored, if anywhere")}
- {blank("whom to write to, and how errors are mended")}
"""


def _splits(data: ReleasedData) -> ScoreTable:
    rows = tuple((name, count) for name, count in data.public.items() if count is not None)
    return ScoreTable("Splits", ("file", "questions"), rows)


def _work(project: CollectProject, tasks: Sequence[TaskProgress]) -> ScoreTable:
    settings = {task.name: task.settings for task in project.tasks}
    rows = tuple(
        (
            task.task,
            task.accepted,
            task.qualified,
            task.failed,
            f"{settings[task.task].pass_mark:g}",
            "all" if settings[task.task].review_all else settings[task.task].inspect_first,
        )
        for task in tasks
    )
    columns = ("task", "accepted sets", "people who passed", "who did not", "pass mark",
               "sets of a person that are reviewed")  # fmt: skip
    return ScoreTable("Work", columns, rows)


def _pay(project: CollectProject, tasks: Sequence[TaskProgress]) -> ScoreTable:
    settings = {task.name: task.settings for task in project.tasks}
    rows = tuple(
        (
            task.task,
            _dollars(settings[task.task].pay_cents),
            _dollars(task.pay_cents),
            _dollars(task.bonus_cents),
            f"{task.hours:.1f}",
            None if task.dollars_per_hour is None else f"{task.dollars_per_hour:.2f}",
        )
        for task in tasks
    )
    columns = ("task", "$ a set", "$ pay", "$ bonuses", "hours", "$ an hour")
    return ScoreTable("Pay", columns, rows)


def _when(tasks: Sequence[TaskProgress]) -> str:
    hours = [at for task in tasks for at, _ in task.accepted_by_hour]
    if not hours:
        return ""
    first, last = (datetime.fromtimestamp(at, UTC).date() for at in (min(hours), max(hours)))
    return f"The work was handed in from {first} to {last}."


def _people(project: CollectProject) -> str:
    people = {worker.person for worker in project.work.workers.all() if worker.accepted}
    return f"{len(people):,} people have accepted work in it."


def _left_out(report: Json) -> str:
    left = report["written"].get("left_out")
    reasons = left.get("reasons", {}) if isinstance(left, dict) else {}
    if reasons:
        told = "; ".join(f"{why} ({count:,})" for why, count in reasons.items())
        what = next(name for name in COUNTED if name in left)
        return f"{left[what]:,} {what} were left out: {told}."
    count = len(left) if isinstance(left, list) else 0
    return f"{count:,} questions were left out." if count else "No question was left out."


def _agreement(report: Json) -> str:
    """The numbers of the first level: how far people agree, by task."""
    told = [
        f"- {task}: " + ", ".join(f"{name} {_number(value)}" for name, value in numbers.items())
        for task, agreed in report["agreement"].items()
        if (numbers := {k: v for k, v in agreed.items() if isinstance(v, int | float)})
    ]
    return "\n".join(["How far people agree:", "", *told]) if told else ""


def _number(value: float) -> str:
    return f"{value:,}" if isinstance(value, int) else f"{value:.3f}"


def _dollars(cents: int) -> str:
    return f"{cents / 100:,.2f}"


SHEETS = {
    "DATASHEET.md": "how the dataset was made, by whom, for what pay, and what it is for",
    "statistics.md": "its numbers in full, as its paper's tables have them",
    "LICENSE.txt": "what you may do with it",
    "SHA256SUMS": "the sums of all files; check them with sha256sum --check SHA256SUMS",
}
QUESTIONS = "questions"
LOADING = """from load import questions

for question in questions("train"):
    print(question)
    break
"""


@dataclass(frozen=True, slots=True)
class ReleaseNames:
    """What a release is called, and where it belongs."""

    title: str
    dataset: str
    about: str
    """What such a dataset asks, in a few words."""
    licence: str
    board: str


def project_page(
    names: ReleaseNames, data: ReleasedData, folder: Path, statistics: Statistics
) -> str:
    """The page; it needs no script and no server."""
    return whole_page(
        names.title,
        el("h1", names.title),
        el("p", f"A dataset of the kind of {names.dataset}: {names.about}.", class_="lead"),
        el("h2", "Get it"),
        _downloads(data, folder),
        el("p", f"Licence: {names.licence or 'not chosen yet'}."),
        el("h2", "Use it"),
        el("p", "Loading code that needs Python alone is in ", _file("load.py"), ":"),
        el("pre", el("code", LOADING), tabindex="0"),
        *_evaluating(names, data),
        *_taking_part(names, data),
        el("h2", "What is in it"),
        *_numbers(statistics, data),
        el("h2", "More"),
        el("ul", (el("li", _file(name), f": {what}") for name, what in SHEETS.items())),
        static="",
        home="index.html",
    )


def _evaluating(names: ReleaseNames, data: ReleasedData) -> Iterable[Child]:
    for dev in (name for name in data.public if Path(name).stem == "dev"):
        command = f"lacuna evaluate {names.dataset} data/{dev}"
        yield el("p", "Or with Lacuna: ", el("code", command))


def _downloads(data: ReleasedData, folder: Path) -> Element:
    rows: list[list[Child]] = [
        [_file(f"data/{name}", name), _shown_number(count), _size(folder / "data" / name)]
        for name, count in data.public.items()
    ]
    return table(["File", "Questions", "Size"], rows, caption="Files of the dataset")


def _taking_part(names: ReleaseNames, data: ReleasedData) -> Iterable[Child]:
    if not data.kept_back:
        return
    yield el("h2", "Take part")
    said = "The answers of test are hidden. Predictions for it are scored "
    if names.board:
        link = el("a", names.board, href=names.board, rel="noopener noreferrer")
        yield el("p", said, "on the board: ", link)
    else:
        yield el("p", said, "by who made the dataset.")


def _numbers(statistics: Statistics, data: ReleasedData) -> Iterable[Child]:
    """The first table of the paper, with a column for each split; the rest is in its own file.

    Where a split lacks something, such as the levels of a test set, a zero means that it is not
    known.
    """
    rows: dict[str, dict[str, str]] = {QUESTIONS: {}}
    for name, count in data.public.items():
        rows[QUESTIONS][Path(name).stem] = _shown_number(count)
    for split, parts in statistics.items():
        for part in [part for part in parts if part.table.rows][:1]:
            for counted, (name, value, *_) in zip(
                part.table.rows, part.shown_table().rows, strict=True
            ):
                known = rows.setdefault(str(name), {})
                if counted[1] or not part.missing:
                    known.setdefault(split, cell(value))
    lines: list[list[Child]] = [
        [name, *(values.get(split, "–") for split in statistics)]
        for name, values in rows.items()
        if values
    ]
    yield table(["What", *statistics], lines, caption="Numbers of each split")


def _shown_number(count: int | None) -> str:
    return "–" if count is None else f"{count:,}"


def _file(name: str, shown: str = "") -> Element:
    return el("a", shown or name, href=name)


def _size(path: Path) -> str:
    size = path.stat().st_size
    return f"{size / 1e6:,.1f} MB" if size >= 1e6 else f"{max(size / 1e3, 0.1):,.1f} kB"


KEPT_BACK = "kept-back"
"""The folder of the project that gets, by release, the answers which do not go out."""


def release(
    project: CollectProject, out: Path, *, title: str, licence: str, board: str
) -> ReleasedData:
    """Write a new folder, which is there whole or not at all; so is what is kept back."""
    check_new(out)
    check_licence(licence)
    dataset, keeping = _dataset(project), project.folder / KEPT_BACK / out.resolve().name
    if keeping.exists():
        raise LacunaError(
            f"{keeping} has the answers of an earlier release of this name. Give another name, or "
            "move them elsewhere."
        )
    out.parent.mkdir(parents=True, exist_ok=True)
    keeping.parent.mkdir(mode=0o700, exist_ok=True)
    with (
        tempfile.TemporaryDirectory(prefix=f".{out.name}.", dir=out.parent) as place,
        tempfile.TemporaryDirectory(prefix=".", dir=keeping.parent) as beside,
    ):
        exported, made, kept = Path(place) / "exported", Path(place) / "made", Path(beside) / "kept"
        exported.mkdir()
        report = project.export(exported)
        data = part_data(dataset, project.family.companions, exported, made / "data", kept)
        statistics = statistics_of(dataset, made / "data", data)
        names = ReleaseNames(title, dataset.name, dataset.about, licence, board)
        told = statistics_json(statistics)
        sheets = {
            "DATASHEET.md": dataset_sheet(project, title, data, report, licence, board),
            "LICENSE.txt": licence_note(title, licence),
            "statistics.md": statistics_markdown(title, statistics),
            "statistics.json": json.dumps(told, ensure_ascii=False, indent=1) + "\n",
            "index.html": project_page(names, data, made, statistics),
        }
        for name, text in sheets.items():
            (made / name).write_text(text, encoding="utf-8")
        shutil.copyfile(_loader(dataset.name), made / "load.py")
        write_look(made)
        write_sums(made)
        if data.kept_back:  # first: no release is without the answers that it hides
            kept.replace(keeping)
        try:
            if out.exists():  # an empty folder, as was checked
                out.rmdir()
            made.replace(out)
        except OSError:
            if data.kept_back:
                keeping.replace(kept)
            raise
    return replace(data, kept_back=[keeping / path.name for path in data.kept_back])


def _dataset(project: CollectProject) -> Dataset:
    if not project.family.dataset:
        raise LacunaError(
            f"A project of the kind {project.family.name!r} makes no dataset to release. Get what "
            "it has with `lacuna collect export`."
        )
    return get_dataset(project.family.dataset)


def _loader(dataset: str) -> Path:
    """The loading code for a dataset's format, or what reads any."""
    own = Path(loaders.__file__).with_name(f"{dataset}.py")
    return own if own.is_file() else own.with_name("any_format.py")
