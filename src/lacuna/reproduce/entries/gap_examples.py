"""GapQA's examples, made by the shipped model over the demo: gaps, errors, and the heat map."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, replace

from lacuna.assets import demo
from lacuna.datasets import get_dataset
from lacuna.datasets.describing.description import DescribedPart
from lacuna.figures.charts import HeatMap
from lacuna.metrics.score_tables import ScoreTable
from lacuna.models.gapqa.relations import DIRECTIONS
from lacuna.models.gapqa.scored_choice import ScoredChoice
from lacuna.pipeline.gapqa import open_gapqa
from lacuna.pipeline.result import Result
from lacuna.reproduce.entries.entry import PaperEntry
from lacuna.reproduce.published import PublishedTable
from lacuna.reproduce.workbench import Workbench
from lacuna.systems.gapqa import core_facts
from lacuna.types import Question

Answered = list[tuple[Question, Result]]
MANY = 4
OURS = "The shipped model's answers over the demo, whose questions were written for it."


@dataclass(frozen=True, slots=True)
class GapExampleEntry(PaperEntry):
    """Something that the demo's questions show, with the answers of the shipped model."""

    show: Callable[[Answered], Iterable[DescribedPart]] = lambda answered: ()

    @property
    def needs(self) -> list[str]:
        return ["the system gapqa"]

    def make(self, bench: Workbench, paper: PublishedTable) -> Iterator[DescribedPart]:
        for part in self.show(bench.once("the demo, answered by GapQA", _answered)):
            yield replace(part, name=f"{self.name}-{part.name}")


def _answered() -> Answered:
    with get_dataset("openbookqa").open(demo.OPENBOOK) as reader:
        questions = list(reader.questions())
    pipeline = open_gapqa(hidden=core_facts(questions))
    return list(zip(questions, pipeline.ask_many(questions), strict=True))


def filled_gap(answered: Answered) -> Iterator[DescribedPart]:
    """Figure 1: a question, its fact, the gap, and what fills it."""
    question, result = next(each for each in answered if _right(*each) and _filled(each[1]))
    chosen = _chosen(result)
    rows = (
        ("question", f"{question.text} {_choices(question)}"),
        ("core fact", question.fact),
        ("knowledge gap", f"{chosen.span} – ? – {chosen.choice.text}"),
        ("filled gap", _filled(result)),
    )
    yield DescribedPart("example", ScoreTable("A gap", ("what", "in the demo"), rows), note=OURS)


def gaps(answered: Answered) -> Iterator[DescribedPart]:
    """Table 1: key spans and relations; the paper's are those that people annotated."""
    filled = [each for each in answered if _filled(each[1])][:MANY]
    rows = tuple(
        (
            f"{question.text} {result.answer.text if result.answer else ''}",
            question.fact,
            _chosen(result).span,
            result.prediction.gaps[0].relation,
            _filled(result),
        )
        for question, result in filled
    )
    columns = ("question and choice", "fact", "span", "relation", "gap")
    yield DescribedPart("gaps", ScoreTable("Gaps", columns, rows), note=OURS)


def errors(answered: Answered) -> Iterator[DescribedPart]:
    """Table 7: wrong answers, with the key span and the gap that the model saw."""
    wrong = [each for each in answered if not _right(*each)][:MANY]
    rows = tuple(
        (
            f"{question.text} {_choices(question)}",
            question.fact,
            result.answer.text if result.answer else "",
            question.gold.answers[0].label if question.gold else "",
            _chosen(result).span,
            _filled(result) or "open",
        )
        for question, result in wrong
    )
    columns = ("question", "fact", "predicted", "right", "key span", "gap")
    note = f"{OURS} {len(answered) - len(wrong)} of {len(answered)} are right; the paper tells the "
    yield DescribedPart(
        "errors", ScoreTable("Errors", columns, rows), note=f"{note}reason of each in words."
    )


def relations(answered: Answered) -> Iterator[DescribedPart]:
    """Figure 10: how likely each relation is by each line of knowledge."""
    question, result = max(
        (each for each in answered if _right(*each) and _filled(each[1])),
        key=lambda each: len(_chosen(each[1]).lines),
    )
    chosen = _chosen(result)
    lines = (*chosen.knowledge, chosen.lines[-1])
    rows = (
        ("question", question.text),
        ("fact", question.fact),
        ("key span", chosen.span),
        ("choice", chosen.choice.text),
        ("filled gap", _filled(result)),
        *((f"line {number}", line.text) for number, line in enumerate(lines, 1)),
    )
    values = [[100 * line.relations[number] for line in lines] for number in range(len(DIRECTIONS))]
    chart = HeatMap(
        "How likely each relation is, by each line",
        "line of knowledge, the last is the back-off",
        "relation",
        [str(number) for number in range(1, len(lines) + 1)],
        [direction.name for direction in DIRECTIONS],
        values,
        darkest=100.0,
    )
    table = ScoreTable("What the model saw", ("what", "in the demo"), rows)
    yield DescribedPart("relations", table, chart, note=OURS)


def _chosen(result: Result) -> ScoredChoice:
    label = result.answer.label if result.answer else ""
    return next(each for each in result.choices if each.choice.label == label)


def _filled(result: Result) -> str:
    return result.prediction.gaps[0].filled if result.prediction.gaps else ""


def _right(question: Question, result: Result) -> bool:
    gold = question.gold
    return bool(gold and result.answer and gold.answers[0].label == result.answer.label)


def _choices(question: Question) -> str:
    return " ".join(f"({choice.label}) {choice.text}" for choice in question.choices)
