"""Where tables are made: it finds the files, counts them, and runs systems, each once."""

from __future__ import annotations

import re
from collections.abc import Callable, Hashable, Mapping
from pathlib import Path
from typing import Any, TypeVar

from lacuna.datasets import get_dataset
from lacuna.datasets.describing.description import DescribedPart
from lacuna.errors import ItemError, LacunaError
from lacuna.experiment import SystemResult, run
from lacuna.files.cache import cache_folder, digest_of
from lacuna.reproduce.answers_on_disk import AnswersOnDisk
from lacuna.reproduce.cached_json import cached_json
from lacuna.reproduce.data_at_hand import DataAtHand, state_of
from lacuna.reproduce.run import Search, SystemRun
from lacuna.reproduce.source import NotHere, Source
from lacuna.reproduce.trained_runs import TrainedRun, TrainedRuns
from lacuna.systems.answering import AnswersElsewhere
from lacuna.systems.assignment import Assignment
from lacuna.systems.registry import NamedSystem, Resources
from lacuna.systems.retrieval import evaluate_retrieval
from lacuna.systems.system import ShowProgress, silent
from lacuna.version import __version__

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
        """What ``lacuna evaluate`` says of a run, one result for each seed."""
        return self.once(wanted, lambda: self._evaluate(wanted))

    def searched(self, wanted: Search) -> Scores:
        """What ``lacuna evaluate-retrieval`` says of a search."""
        return self.once(wanted, lambda: self._search(wanted))

    def trained(self, recipe: str, *, went_on: bool | None = None) -> list[TrainedRun]:
        """The trained networks of a recipe, one for each seed."""
        return self._trained.named(recipe, went_on=went_on)

    def once(self, key: Hashable, make: Callable[[], T]) -> T:
        """What ``make`` gives, made once; what cannot be had raises ``NotHere`` every time."""
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
        """What is wrong, without advice to someone who named a file or a setting."""
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
