"""The questions of one file in one setting, and the systems that are to answer them.

Everything that can be wrong is checked before a model is loaded.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from lacuna import demo
from lacuna.datasets import every_dataset, get_dataset
from lacuna.datasets.base import AnswerTrace, Dataset, Setting
from lacuna.datasets.convert import QuestionFile
from lacuna.errors import LacunaError
from lacuna.evaluation import system as gapqa
from lacuna.evaluation.answering import AnswersElsewhere, answers_of, blocks_for
from lacuna.evaluation.asking import Collections
from lacuna.evaluation.baselines import check_other_file
from lacuna.evaluation.kept_answers import KeptAnswer, KeptAnswers
from lacuna.evaluation.registry import NamedSystem, Resources, SystemKind
from lacuna.evaluation.system import Progress, System, after
from lacuna.types import Prediction, Question


@dataclass(frozen=True, slots=True)
class Answers:
    """One system's predictions by id; ``followed`` are the documents that it followed links to,
    where it asked a corpus, ``traces`` what it looked at, where it can say so. ``failed`` are the
    questions that could not be answered, and why; they count as abstained."""

    predictions: Mapping[str, Prediction]
    followed: Mapping[str, Sequence[str]] | None = None
    traces: Mapping[str, AnswerTrace] = field(default_factory=dict)
    failed: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class ArrangedQuestions:
    """The questions as a setting gives them to a system; iterate as often as needed."""

    questions: QuestionFile
    setting: Setting

    def __iter__(self) -> Iterator[Question]:
        return map(self.setting.arrange, self.questions)

    def __len__(self) -> int:
        return self.questions.total


class Assignment:
    """The questions to answer, by whom, and with what; ``file`` is the demo's where none is given.

    ``needs_gold`` refuses a file without answers.
    """

    def __init__(
        self,
        dataset: str,
        file: str | Path | None,
        setting: str | None,
        systems: Sequence[System | NamedSystem],
        resources: Resources = Resources(),  # noqa: B008 - it is frozen
        *,
        skip_bad: bool = False,
        needs_gold: bool = False,
    ) -> None:
        self.dataset: Dataset = get_dataset(dataset)
        self.file = demo_file(self.dataset) if file is None else Path(file)
        self.systems = tuple(systems)
        self.resources = resources
        self._named = [system for system in systems if isinstance(system, NamedSystem)]
        for system in self._named:
            system.check(self.dataset, setting)
            if system.kind is SystemKind.BASELINE and system.model is not None:
                check_other_file(system.model, self.file)
        self.setting: Setting = self.dataset.setting(setting)
        self._check_names()
        self._check_resources()
        self._collections: Collections | None = None
        if self.setting.collection is not None and self._searches_corpus:
            self._collections = Collections(resources.corpus)
        self.questions = QuestionFile(
            self.dataset, self.file, self.setting, skip_bad=skip_bad, wanted=self._at_hand
        )
        if not self.questions.total and self._collections is not None:
            raise LacunaError(
                f"There is no {self._collections.missing}, and all questions of {self.file} are "
                "asked of these. Give the folder that holds them with --corpus DIR."
            )
        if needs_gold and not self.questions.with_gold:
            raise LacunaError(
                f"{self.file} has no question with an answer, so there is nothing to judge by. "
                "Give a file that holds the answers; `lacuna predict` works without them."
            )
        if self._has(SystemKind.GAPQA):
            gapqa.core_facts(self.questions)

    @property
    def notes(self) -> list[str]:
        """Notes for a user who has not said what to search."""
        notes = []
        if self._searches_corpus and self.resources.corpus is None:
            notes.append(demo.ASKS_CORPUS)
        if self._has(SystemKind.GAPQA) and self.resources.knowledge is None:
            notes.append(demo.ASKS_KNOWLEDGE)
        if self.questions.passed_over and self._collections is not None:
            notes.append(
                f"{self.questions.passed_over:,} questions are left out: there is no "
                f"{self._collections.missing}."
            )
        return notes

    @property
    def arranged(self) -> ArrangedQuestions:
        """The questions as the setting gives them to a system."""
        return ArrangedQuestions(self.questions, self.setting)

    @property
    def traced(self) -> bool:
        """True if it matters what systems looked at."""
        return bool(self.dataset.error_fields)

    @property
    def corpora(self) -> list[Path]:
        """The places that a setting over a corpus searches."""
        corpus = self.resources.corpus
        places = [corpus] if isinstance(corpus, str | Path) else list(corpus or ())
        return [Path(place) for place in places]

    def answers(
        self,
        system: System | NamedSystem,
        *,
        progress: Progress | None = None,
        kept: KeptAnswers | None = None,
        elsewhere: AnswersElsewhere | None = None,
    ) -> Answers:
        """Let one system answer all questions; those that are kept already are not asked again.

        With ``elsewhere``, a system that is given by name answers there.
        """
        if kept is not None and all(question.id in kept.answers for question in self.questions):
            return self._gathered(kept.answers)  # no model has to be loaded for that
        if elsewhere is not None and isinstance(system, NamedSystem):
            return self._predict_elsewhere(elsewhere, system, progress, kept)
        if isinstance(system, NamedSystem):
            with system.open(self.dataset, self.setting, self.questions, self.resources) as opened:
                return self._predict(opened, progress, kept)
        return self._predict(system, progress, kept)

    def _predict(
        self, system: System, progress: Progress | None, kept: KeptAnswers | None
    ) -> Answers:
        answered: dict[str, KeptAnswer] = {}
        if kept is None:
            answered = answers_of(system, self.arranged, self.setting, progress, traced=self.traced)
        else:
            for block in blocks_for(system, self.questions, self.setting):
                if any(question.id not in kept.answers for question in block):
                    done = after(len(kept.answers), progress)
                    kept.add(answers_of(system, block, self.setting, done, traced=self.traced))
            answered = kept.answers
        return self._gathered(answered)

    def _predict_elsewhere(
        self,
        elsewhere: AnswersElsewhere,
        system: NamedSystem,
        progress: Progress | None,
        kept: KeptAnswers | None,
    ) -> Answers:
        answered = {} if kept is None else dict(kept.answers)
        failed: dict[str, str] = {}
        for part in elsewhere.answered(self, system, frozenset(answered)):
            answered |= part.answers
            failed |= part.failed
            if kept is not None and part.answers:
                kept.add(part.answers)
            if progress is not None:
                progress(len(answered) + len(failed))
        return self._gathered(answered, failed)

    def _gathered(
        self, answered: Mapping[str, KeptAnswer], failed: Mapping[str, str] | None = None
    ) -> Answers:
        predictions = self._restored({id_: each.prediction for id_, each in answered.items()})
        followed = {
            id_: each.followed for id_, each in answered.items() if each.followed is not None
        }
        traces = {id_: each.trace for id_, each in answered.items() if each.trace is not None}
        if not failed:
            return Answers(predictions, followed or None, traces)
        metric = self.dataset.metric()
        whole = {
            question.id: metric.abstention(question)
            if question.id in failed
            else predictions[question.id]
            for question in self.questions
            if question.id in failed or question.id in predictions
        }
        return Answers(whole, followed or None, traces, failed)

    def _restored(self, predictions: Mapping[str, Prediction]) -> dict[str, Prediction]:
        """The predictions in terms of the questions as the file has them, and in their order."""
        restored = {
            question.id: self.setting.restore(question, predictions[question.id])
            for question in self.questions
            if question.id in predictions
        }
        return restored | {id_: each for id_, each in predictions.items() if id_ not in restored}

    def _at_hand(self, question: Question) -> bool:
        """Tell if the collection that a question is asked of is there, if it has one of its own."""
        if self._collections is None or self.setting.collection is None:
            return True
        return self._collections.find(self.setting.collection(question)) is not None

    def _has(self, kind: SystemKind) -> bool:
        return any(system.kind is kind for system in self._named)

    @property
    def _searches_corpus(self) -> bool:
        return self.setting.over_corpus and self._has(SystemKind.READER)

    def _check_names(self) -> None:
        names = [system.name for system in self.systems]
        if not names:
            raise LacunaError("There is no system to evaluate. Give at least one.")
        if twice := [name for name in names if names.count(name) > 1]:
            raise LacunaError(f"Two systems are called {twice[0]!r}. Give each a name of its own.")

    def _check_resources(self) -> None:
        resources, setting = self.resources, self.setting
        looking_up = [system.name for system in self._named if system.looks_up]
        if looking_up and resources.knowledge is None:
            raise LacunaError(
                f"The network of {looking_up[0]} was trained to read knowledge. Give the base that "
                "`lacuna knowledge` made as --knowledge DIR."
            )
        if resources.knowledge is not None and not (looking_up or self._has(SystemKind.GAPQA)):
            raise LacunaError(
                "The reader looks into no knowledge base, so --knowledge has no use. Add --system "
                "gapqa, or leave it out."
            )
        if not setting.over_corpus:
            for option, value in (
                ("--corpus", resources.corpus),
                ("--retriever", resources.retriever),
            ):
                if value is not None:
                    over = [other.name for other in self.dataset.settings.values()
                            if other.over_corpus]  # fmt: skip
                    hint = f" Over a corpus: --setting {' or '.join(over)}." if over else ""
                    raise LacunaError(
                        f"The setting {setting.name} reads what the file holds, so {option} has no "
                        f"use.{hint}"
                    )
        elif self._searches_corpus and resources.corpus is None:
            check_demo(self.dataset, self.file, f"The setting {setting.name} searches a corpus")


def demo_file(dataset: Dataset) -> Path:
    """The questions about the demo in a dataset's format."""
    if dataset.demo_questions is None:
        names = [other.name for other in every_dataset() if other.demo_questions is not None]
        raise LacunaError(
            f"Give a file of {dataset.name}; only {', '.join(names)} have demo questions."
        )
    return dataset.demo_questions


def check_demo(dataset: Dataset, file: Path, why: str) -> None:
    """Refuse to ask the demo corpus anything but the demo's questions."""
    own = dataset.demo_questions
    if file.exists() and (own is None or not file.samefile(own)):
        raise LacunaError(
            f"{why}, and the demo corpus answers the demo's questions alone. Give one with "
            "--corpus DIR."
        )
