"""Questions in blocks, and the answers to one block: what is kept while a run goes on."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Protocol

from lacuna.datasets.setting import Setting
from lacuna.systems.kept_answers import KeptAnswer
from lacuna.systems.linked_articles import FollowingSystem
from lacuna.systems.reading import dialogs_of
from lacuna.systems.system import AT_ONCE, Progress, System, chunks
from lacuna.types import Question

if TYPE_CHECKING:
    from lacuna.systems.assignment import Assignment
    from lacuna.systems.registry import NamedSystem


@dataclass(frozen=True, slots=True)
class AnsweredPart:
    """Some answers by id; ``failed`` has the questions that nobody could answer, and why."""

    answers: Mapping[str, KeptAnswer] = field(default_factory=dict)
    failed: Mapping[str, str] = field(default_factory=dict)


class AnswersElsewhere(Protocol):
    """Opens systems where they are to work, and lets them answer block by block."""

    def answered(
        self, assignment: Assignment, system: NamedSystem, kept: Collection[str]
    ) -> Iterator[AnsweredPart]:
        """The answers to all questions but those of blocks whose ids are kept, in any order."""
        ...


def blocks_for(
    system: System, questions: Iterable[Question], setting: Setting
) -> Iterator[list[Question]]:
    """The questions as they are asked, in blocks that do not depend on each other.

    The blocks of a file are always the same. Those that are asked of one collection stand together,
    and a dialog that goes on with its own answers is never split.
    """
    size = getattr(system, "at_once", AT_ONCE)
    if setting.collection is not None:
        questions = sorted(questions, key=setting.collection)
    arranged = map(setting.arrange, questions)
    if setting.predicted_history:
        for dialogs in chunks(dialogs_of(arranged), size):
            yield [question for dialog in dialogs for question in dialog]
    else:
        yield from chunks(arranged, size)


def answers_of(
    system: System,
    questions: Iterable[Question],
    setting: Setting,
    progress: Progress | None,
    *,
    traced: bool = False,
) -> dict[str, KeptAnswer]:
    """What a system answers, by the ids of the questions.

    With ``traced``, systems that can say so tell what they looked at.
    """
    from lacuna.systems.asking import AskingSystem, followed_titles, trace_of_search
    from lacuna.systems.gapqa import GapQASystem, trace_of_choices

    if isinstance(system, AskingSystem):
        results = system.ask(questions, progress=progress)
        return {
            id_: KeptAnswer(
                result.prediction,
                tuple(followed_titles(result)),
                trace_of_search(result) if traced else None,
            )
            for id_, result in results.items()
        }
    if isinstance(system, FollowingSystem):
        return system.answers(questions, setting=setting, progress=progress)
    if traced and isinstance(system, GapQASystem):
        return {
            question.id: KeptAnswer(result.prediction, trace=trace_of_choices(result))
            for question, result in system.ask(questions, progress=progress)
        }
    predictions = system.predict(questions, setting=setting, progress=progress)
    return {id_: KeptAnswer(prediction) for id_, prediction in predictions.items()}
