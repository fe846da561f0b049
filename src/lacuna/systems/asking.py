"""Ask all questions of a dataset over a corpus, and judge what only a search can get wrong."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import asdict, dataclass
from itertools import islice

from lacuna.datasets.setting import Setting
from lacuna.models.reader.scored_answer import ScoredAnswer
from lacuna.pipeline.pipeline import Pipeline
from lacuna.pipeline.query import Query
from lacuna.pipeline.result import Result
from lacuna.pipeline.trace import Stage
from lacuna.types import AnswerKind, Question

AT_ONCE = 32
"""Questions that are asked together."""


def ask_all(
    pipeline: Pipeline,
    setting: Setting,
    questions: Iterable[Question],
    *,
    progress: Callable[[int], None] = lambda done: None,
) -> dict[str, Result]:
    """The results by id, in the order of the questions; ``progress`` is told how many are done."""
    found: dict[str, Result] = {}
    for chunk in _chunks(questions):
        results = pipeline.ask_many(_queries(setting, chunk))
        found |= zip((question.id for question in chunk), results, strict=True)
        progress(len(found))
    return found


def score_all(
    pipeline: Pipeline,
    setting: Setting,
    questions: Iterable[Question],
    *,
    progress: Callable[[int], None] = lambda done: None,
) -> list[ScoredAnswer]:
    """The answers that could be given, to fit on them when they should be."""
    found: list[ScoredAnswer] = []
    for chunk in _chunks(questions):
        found += pipeline.score_many(_queries(setting, chunk))
        progress(len(found))
    return found


def _queries(setting: Setting, questions: Iterable[Question]) -> list[Query]:
    arranged = map(setting.arrange, questions)
    return [Query(question.text, question.context) for question in arranged]


def _chunks(questions: Iterable[Question]) -> Iterator[list[Question]]:
    source = iter(questions)
    while chunk := list(islice(source, AT_ONCE)):
        yield chunk


@dataclass(frozen=True, slots=True)
class Found:
    """Shares; None where there is nothing to judge.

    Abstention is precise where a question with the answer "none" has none, and complete where all
    of those got it. ``links_recall`` is the share of the gold links of answerable questions that
    were followed, ``links_followed`` how many documents were, per question.
    """

    abstention_precision: float | None
    abstention_recall: float | None
    links_recall: float | None
    links_followed: float | None

    def as_json(self) -> dict[str, float | None]:
        """The numbers by name."""
        return asdict(self)


def judge_search(questions: Iterable[Question], results: Mapping[str, Result]) -> Found:
    """How well it was told when to abstain, and where to look."""
    said = right = unanswerable = 0
    recalls: list[float] = []
    followed: list[int] = []
    for question in questions:
        result = results.get(question.id)
        if result is None or question.gold is None or not question.gold.answers:
            continue
        none = question.gold.answers[0].kind is AnswerKind.NONE
        abstained = result.answer.kind is AnswerKind.NONE
        unanswerable += none
        said += abstained
        right += none and abstained
        titles = set(followed_titles(result))
        followed.append(len(titles))
        if not none and question.gold.links:
            gold = {title.casefold() for title in question.gold.links}
            recalls.append(len(gold & {title.casefold() for title in titles}) / len(gold))
    return Found(
        right / said if said else None,
        right / unanswerable if unanswerable else None,
        sum(recalls) / len(recalls) if recalls else None,
        sum(followed) / len(followed) if followed else None,
    )


def followed_titles(result: Result) -> Iterator[str]:
    """The documents that were followed to from links."""
    for step in result.steps:
        if step.stage is Stage.SPOT:
            yield from (one.title for one in step.candidates if one.chosen)
