"""The place where tables are made: find files, count them, run systems, keep their answers."""

from __future__ import annotations

import json
import re
from collections import defaultdict
from collections.abc import Callable, Hashable, Iterator, Mapping
from contextlib import ExitStack
from dataclasses import dataclass
from pathlib import Path
from types import TracebackType
from typing import Any, TypeVar

from lacuna.datasets import get_dataset
from lacuna.datasets.base import Item
from lacuna.errors import ItemError, LacunaError
from lacuna.evaluation.answering import AnswersElsewhere
from lacuna.evaluation.assignment import Assignment
from lacuna.evaluation.experiment import SystemResult, run
from lacuna.evaluation.kept_answers import KeptAnswers, about_work
from lacuna.evaluation.registry import NamedSystem, Resources
from lacuna.evaluation.retrieval import evaluate_retrieval
from lacuna.evaluation.system import ShowProgress, System, silent
from lacuna.files.cache import StoreBusyError, cache_folder, cached_folder, digest_of, only_writer
from lacuna.files.writing import replace_text
from lacuna.models.model_folder import CONFIG
from lacuna.version import __version__
from lacuna_lab.data.sources import DataFile
from lacuna_lab.describe.description import DescribedPart


def cached_json(path: Path, make: Callable[[], Mapping[str, Any]]) -> dict[str, Any]:
    """The content of the file; it is made, and written, where there is none that can be read."""
    try:
        kept = json.loads(path.read_text(encoding="utf-8"))
        if isinstance(kept, dict):
            return kept
    except (OSError, ValueError):
        pass
    made = dict(make())
    path.parent.mkdir(parents=True, exist_ok=True)
    with replace_text(path) as out:
        json.dump(made, out)
    return made


# The answers of every system that was run, kept: a table is made again without asking again.
#
# They are found by what they depend on: the questions, the setting, the system and its model, what
# it searched, and the version. A run that was killed goes on from its last block.


ANSWERS = "answers.jsonl"


class AnswersOnDisk:
    """Holds the answers to one assignment open while the block runs.

    Where another process writes the same answers, or the folder cannot be written, nothing is kept.
    """

    def __init__(self, folder: Path, assignment: Assignment) -> None:
        self._folder = folder
        self._assignment = assignment
        self._stack = ExitStack()
        self._kept: dict[str, KeptAnswers] = {}

    def __enter__(self) -> AnswersOnDisk:
        try:
            for system in self._assignment.systems:
                if isinstance(system, NamedSystem):
                    self._open(system)
        except (StoreBusyError, LacunaError, OSError):
            self._close()
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self._close()

    def of(self, system: System | NamedSystem) -> KeptAnswers | None:
        """The place where the answers of a system are kept; None where they are not."""
        return self._kept.get(system.name)

    @property
    def complete(self) -> bool:
        """True if every question has been answered by every system."""
        ids = [question.id for question in self._assignment.questions]
        kept = [self.of(system) for system in self._assignment.systems]
        return all(each and all(id_ in each.answers for id_ in ids) for each in kept)

    def _open(self, system: NamedSystem) -> None:
        about = about_work(self._assignment, system)
        place = self._folder / digest_of(json.dumps(about))
        place.mkdir(parents=True, exist_ok=True)
        self._stack.enter_context(only_writer(place))
        self._kept[system.name] = KeptAnswers(place / ANSWERS, about, resume=True)

    def _close(self) -> None:
        for kept in self._kept.values():
            kept.close()
        self._kept = {}
        self._stack.close()


class NotHere(Exception):  # noqa: N818 - no mistake of anyone's: a row tells it as its reason
    """An error: something that a table needs is not at hand; the message says what, and where it
    may be had."""


@dataclass(frozen=True, slots=True)
class FilePart:
    """Some items of a file, by their numbers from 0 and what they are."""

    name: str
    keeps: Callable[[int, Item], bool]


@dataclass(frozen=True, slots=True)
class Source:
    """A file of a dataset; ``quick`` stands in for it where the demo is shown.

    Where only a part of a file is meant, ``part`` says which, and ``quick_part`` which of the
    demo's.
    """

    file: DataFile
    quick: Path | None = None
    part: FilePart | None = None
    quick_part: FilePart | None = None

    @property
    def dataset(self) -> str:
        """The dataset that the file belongs to."""
        return self.file.dataset

    @property
    def name(self) -> str:
        """Its name in lists of what is needed."""
        return self.file.names[0] + (f" ({self.part.name})" if self.part else "")


def first(count: int) -> FilePart:
    """The first items of a file."""
    return FilePart(f"the first {count} items", lambda number, item: number < count)


def chosen(*numbers: int) -> FilePart:
    """Some items by their numbers."""
    return FilePart(f"{len(numbers)} of its items", lambda number, item: number in numbers)


def after(count: int) -> FilePart:
    """All items of a file but the first."""
    return FilePart(f"all but the first {count} items", lambda number, item: number >= count)


@dataclass(frozen=True, slots=True)
class MixedSource(Source):
    """A file with questions of other datasets mixed in, whose links lead to titles of a corpus."""

    added: tuple[Source, ...] = ()
    titles: CorpusSource | None = None

    @property
    def name(self) -> str:
        others = " and ".join(source.file.names[0] for source in self.added)
        return f"{self.file.names[0]} with {others} mixed in"

    @property
    def plain(self) -> Source:
        """The file before anything is mixed in."""
        return Source(self.file, self.quick, self.part, self.quick_part)


@dataclass(frozen=True, slots=True)
class CorpusSource:
    """The files that a corpus is made of; ``quick`` stands in for them where the demo is shown."""

    files: tuple[DataFile, ...]
    quick: Path


TRIPLES = DataFile("conceptnet", ("conceptnet/triples.tsv",), official=False)
SEED = 1
"""Of what is mixed in."""
SENTENCES = DataFile("science", ("science/sentences.tsv",), official=False)


class DataAtHand:
    """The files of a data folder; ``quick`` takes the demo's instead.

    What has to be made of them first (a part of a file, a knowledge base) goes into ``cache``.
    """

    def __init__(self, folder: Path | None, cache: Path, *, quick: bool) -> None:
        if folder is not None and not folder.is_dir():
            raise LacunaError(f"{folder} is no folder. Give the one with the datasets as --data.")
        self.quick = quick
        self._folder, self._cache = folder, cache
        self._names: dict[str, str] = {}

    def path(self, source: Source) -> Path:
        """The file, or the part of it that is meant."""
        path = self._path(source)
        self._names[str(path)] = self.shown(source)
        return path

    def with_shown_names(self, text: str) -> str:
        """A message with the names of files as pages have them."""
        for path, name in self._names.items():
            text = text.replace(path, name)
        return text

    def _path(self, source: Source) -> Path:
        if isinstance(source, MixedSource):
            return self._mixed(source)
        if self.quick:
            if source.quick is None:
                raise NotHere(f"the demo has nothing like {source.name}")
            path, part = source.quick, source.quick_part
        else:
            path, part = self._find(source.file), source.part
        return path if part is None else self._part(source.dataset, path, part)

    def shown(self, source: Source) -> str:
        """The name of a file on a page."""
        if isinstance(source, MixedSource):
            return source.name
        if self.quick and source.quick is not None:
            part = f" ({source.quick_part.name})" if source.quick_part else ""
            return f"the demo's {source.quick.name}{part}"
        part = f" ({source.part.name})" if source.part else ""
        path = self._find(source.file)
        return f"{path.relative_to(self._folder) if self._folder else path}{part}"

    def corpus(self, source: CorpusSource) -> list[Path]:
        """The places that a corpus is made of."""
        return [source.quick] if self.quick else [self._find(file) for file in source.files]

    def knowledge(self) -> Path | None:
        """A knowledge base of the triples and sentences at hand; None is the demo's."""
        if self.quick:
            return None
        from lacuna.retrieve.knowledge.knowledge_base import build_base

        files = [self._find(file) for file in (TRIPLES, SENTENCES)]
        place = self._cache / "knowledge" / digest_of("\n".join(map(state_of, files)))
        if not place.is_dir():

            def build(folder: Path) -> None:
                build_base(files, folder)

            cached_folder(place, build, is_whole=Path.is_dir, what="the knowledge base")
        return place

    def _find(self, file: DataFile) -> Path:
        if self._folder is None:
            raise NotHere(
                f"{file.names[0]} is looked for in the folder of --data, and none is given"
            )
        if (path := file.find_optional(self._folder)) is None:
            fetched = f"; `lacuna data fetch {file.dataset}` gets it" if file.official else ""
            raise NotHere(f"the data folder has no {file.names[0]}{fetched}")
        return path

    def _mixed(self, source: MixedSource) -> Path:
        from lacuna.corpus.open import open_store
        from lacuna_lab.reproduce.combined import mix

        assert source.titles is not None
        own = self.path(source.plain)
        added = {other.dataset: self.path(other) for other in source.added}
        corpus = self.corpus(source.titles)
        states = [state_of(path) for path in (own, *added.values(), *corpus)]
        place = self._cache / "parts" / f"mixed-{digest_of(' '.join(states))}.json"
        if not place.is_file():
            place.parent.mkdir(parents=True, exist_ok=True)
            with open_store(corpus) as store:
                mix(own, added, store.known, place, seed=SEED)
        return place

    def _part(self, dataset: str, path: Path, part: FilePart) -> Path:
        name = f"{dataset}-{digest_of(f'{state_of(path)} {part.name}')}.json"
        place = self._cache / "parts" / name
        if not place.is_file():
            source = get_dataset(dataset)
            with source.open(path) as reader:
                kept = [item for number, item in enumerate(reader) if part.keeps(number, item)]
                if not kept:
                    raise NotHere(f"{path.name} has nothing of {part.name}")
                place.parent.mkdir(parents=True, exist_ok=True)
                form, shape = reader.form, reader.shape
                source.write(place, kept, form=form, shape=shape, header=reader.header)
        return place


def state_of(path: Path) -> str:
    """Changes with a file; a folder's is that of its newest file."""
    files = [file for file in path.rglob("*") if file.is_file()] if path.is_dir() else [path]
    stats = [file.stat() for file in files]
    size, newest = sum(one.st_size for one in stats), max(one.st_mtime_ns for one in stats)
    return f"{path.resolve()} {size} {newest}"


@dataclass(frozen=True, slots=True)
class SystemRun:
    """A system by its name, as ``lacuna evaluate --system`` takes it; ``what`` says it in words.

    ``learns_from`` is the file of a baseline that learns. With ``trained``, it is every trained
    network whose recipe has that name, and there is a result for each seed; ``went_on`` says
    whether these began with another trained network.
    """

    what: str
    file: Source
    system: str = ""
    setting: str | None = None
    learns_from: Source | None = None
    trained: str = ""
    went_on: bool | None = None
    corpus: CorpusSource | None = None
    knowledge: bool = False

    @property
    def needs(self) -> list[str]:
        """The things that must be at hand, in words."""
        files = [self.file.name, *([self.learns_from.name] if self.learns_from else [])]
        if self.corpus is not None:
            files += [file.names[0] for file in self.corpus.files]
        if self.knowledge:
            files.append("a knowledge base")
        system = f"the run {self.trained}" if self.trained else f"the system {self.system}"
        return [*files, system]


@dataclass(frozen=True, slots=True)
class Search:
    """A retriever over a corpus, for the questions of a file."""

    file: Source
    corpus: CorpusSource
    retriever: str
    k: int

    @property
    def needs(self) -> list[str]:
        """The things that must be at hand, in words."""
        return [self.file.name, *(file.names[0] for file in self.corpus.files)]


@dataclass(frozen=True, slots=True)
class TrainedRun:
    """One network: its folder, and the system that it is of."""

    folder: Path
    system: str
    went_on: bool = False
    """True if it began with another trained network: it is not the same as one from scratch."""


class TrainedRuns:
    """All networks below a folder; each recipe has one for every seed."""

    def __init__(self, folder: Path | None) -> None:
        if folder is not None and not folder.is_dir():
            raise LacunaError(f"{folder} is no folder. Give the one with trained runs as --runs.")
        self._runs: Mapping[str, list[TrainedRun]] = defaultdict(list)
        for name, found in _found(folder):
            self._runs[name].append(found)

    def named(self, recipe: str, *, went_on: bool | None = None) -> list[TrainedRun]:
        """The networks of a recipe: all, or those that went on from another network or did not."""
        runs = self._runs.get(recipe, [])
        if runs := [run for run in runs if went_on in (None, run.went_on)]:
            return runs
        which = {None: "", True: " that went on from another network", False: " from scratch"}
        raise NotHere(
            f"no trained run of the recipe {recipe!r}{which[went_on]} is in the folder of --runs; "
            "`lacuna train` makes one"
        )


def _found(folder: Path | None) -> Iterator[tuple[str, TrainedRun]]:
    for config in sorted(folder.rglob(CONFIG)) if folder is not None else ():
        try:
            about = json.loads(config.read_text(encoding="utf-8"))
        except (OSError, ValueError):  # an encoder's folder, or a file that is being written
            continue
        match about:
            case {"recipe": {"name": str(name), **recipe}, "system": str(system)}:
                yield name, TrainedRun(config.parent, system, bool(recipe.get("begin")))


T = TypeVar("T")
NOT_RUN = "it was not run yet"
SENTENCE_END = re.compile(r"\.\s+(?=[A-Z])")
Scores = Mapping[str, float | None]


class Workbench:
    """All that entries ask for; what is asked for twice is made once.

    With ``only_kept`` no system is run: what was not answered before is not here. ``sheets`` is a
    folder of labelling sheets that people filled. Systems answer ``elsewhere``, where that is
    given. ``problems`` are the errors that left a row
    empty, so that a caller can say so in the end.
    """

    def __init__(
        self,
        *,
        data: Path | None = None,
        runs: Path | None = None,
        sheets: Path | None = None,
        cache: Path | None = None,
        quick: bool = False,
        only_kept: bool = False,
        progress: ShowProgress = silent,
        elsewhere: AnswersElsewhere | None = None,
    ) -> None:
        self.cache = cache or cache_folder() / "reproduce"
        self.data = DataAtHand(data, self.cache, quick=quick)
        if sheets is not None and not sheets.is_dir():
            raise LacunaError(f"{sheets} is no folder. Give that of filled sheets as --sheets.")
        self.sheets = sheets
        self.only_kept = only_kept
        self.problems: list[str] = []
        self._trained = TrainedRuns(runs)
        self._progress = progress
        self._elsewhere = elsewhere
        self._made: dict[Hashable, Any] = {}

    def described(self, sources: tuple[Source, ...]) -> list[DescribedPart]:
        """What ``lacuna describe`` says of some files together."""
        return self.once(sources, lambda: self._describe(sources))

    def results(self, wanted: SystemRun) -> list[SystemResult]:
        """The results of ``lacuna evaluate`` for a run, one result for each seed."""
        return self.once(wanted, lambda: self._evaluate(wanted))

    def searched(self, wanted: Search) -> Scores:
        """The results of ``lacuna evaluate-retrieval`` for a search."""
        return self.once(wanted, lambda: self._search(wanted))

    def trained(self, recipe: str, *, went_on: bool | None = None) -> list[TrainedRun]:
        """The trained networks of a recipe, one for each seed."""
        return self._trained.named(recipe, went_on=went_on)

    def once(self, key: Hashable, make: Callable[[], T]) -> T:
        """Make something once; what cannot be had raises ``NotHere`` every time."""
        if key not in self._made:
            try:
                self._made[key] = make()
            except NotHere as missing:
                self._made[key] = missing
            except LacunaError as error:
                if isinstance(error, ItemError):  # else it lacks something, which is no mistake
                    self.problems.append(str(error))
                self._made[key] = NotHere(self._reason(error))
        made: T | NotHere = self._made[key]
        if isinstance(made, NotHere):
            raise made
        return made

    def _reason(self, error: LacunaError) -> str:
        """The problem, without advice to someone who named a file or a setting."""
        first = SENTENCE_END.split(str(error))[0].rstrip(".")
        return self.data.with_shown_names(first)

    def _describe(self, sources: tuple[Source, ...]) -> list[DescribedPart]:
        dataset = get_dataset(sources[0].dataset)
        description = dataset.description()
        for path in map(self.data.path, sources):
            with dataset.open(path) as reader:
                for item in reader:
                    description.add(item)
        return list(description.parts())

    def _evaluate(self, wanted: SystemRun) -> list[SystemResult]:
        file = self.data.path(wanted.file)
        corpus = None if wanted.corpus is None else self.data.corpus(wanted.corpus)
        names = self._names(wanted)
        knowledge = self.data.knowledge() if wanted.knowledge else None
        resources = Resources(corpus, knowledge)
        results: list[SystemResult] = []
        for name in names:
            systems = [NamedSystem.parse(name)]
            dataset = wanted.file.dataset
            assignment = Assignment(
                dataset, file, wanted.setting, systems, resources, needs_gold=True
            )
            with AnswersOnDisk(self.cache / "answers", assignment) as kept:
                if self.only_kept and not kept.complete:
                    raise NotHere(NOT_RUN)
                results += run(
                    assignment,
                    progress=self._progress,
                    unfinished=kept,
                    elsewhere=self._elsewhere,
                ).systems
            for id_, why in results[-1].failed.items():
                self.problems.append(
                    f"{name} could not answer the question {id_} of {file.name} ({why}); it counts "
                    "as abstained."
                )
        return results

    def _names(self, wanted: SystemRun) -> list[str]:
        """The systems that are meant, as ``--system`` takes them."""
        if wanted.trained:
            runs = self.trained(wanted.trained, went_on=wanted.went_on)
            return [f"{run.system}:{run.folder}" for run in runs]
        if wanted.learns_from is not None:
            return [f"{wanted.system}:{self.data.path(wanted.learns_from)}"]
        return [wanted.system]

    def _search(self, wanted: Search) -> Scores:
        file = self.data.path(wanted.file)
        corpus = self.data.corpus(wanted.corpus)
        asked = [__version__, wanted.retriever, str(wanted.k), *map(state_of, (file, *corpus))]
        cached = self.cache / "searches" / f"{digest_of(' '.join(asked))}.json"

        def search() -> Scores:
            if self.only_kept:
                raise NotHere(NOT_RUN)
            table = evaluate_retrieval(
                wanted.retriever,
                wanted.file.dataset,
                file,
                corpus=corpus,
                k=wanted.k,
                progress=self._progress,
            )
            return {"questions": len(table.groups), **table.systems[0].scores}

        return cached_json(cached, search)
