"""Real questions over real documents: why the wrong answers are wrong.

All questions are asked, and each wrong answer is sorted by its cause, which the trace and the gold
evidence tell: error_causes.py has the rules. Then come a table of the kinds of questions, one of
the collections, and a sample of wrong answers to read. The shipped answer scorer was fitted on
these questions; with --cross-fitted each collection is asked with one fitted on the others.
LACUNA_REAL names the folder with the questions, LACUNA_DATA the one with the Schools Wikipedia.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import closing
from pathlib import Path
from random import Random

from benchmarks.asking.error_causes import AskedQuestion, Cause
from benchmarks.registry import command
from benchmarks.retrieval.real_questions import add_collection_options, collection, real_folder
from lacuna.answers import AnswerMode
from lacuna.datasets import get_dataset
from lacuna.datasets.real import CORRECT, collection_of, text_of
from lacuna.evaluation.tune import JudgedAnswer, fit_weights
from lacuna.files.writing import replace_text
from lacuna.metrics.calibration import reliability, reliability_svg
from lacuna.models.calibration import AnswerScorer
from lacuna.models.reader.reader import ModelReader, Progress, ScoredAnswer
from lacuna.pipeline.pipeline import Pipeline
from lacuna.pipeline.query import Query
from lacuna.types import AnswerKind, Document, Question

NAME = "real-errors"


class NotingReader(ModelReader):
    """The reader, which notes the texts that it is given to answer from."""

    def __init__(self, reader: ModelReader) -> None:
        vars(self).update(vars(reader))
        self.given: list[str] = []
        self.chosen_by: AnswerScorer | None = None

    def answer_scorer(self, mode: AnswerMode) -> AnswerScorer | None:
        return self.chosen_by or super().answer_scorer(mode)

    def score(
        self,
        questions: Sequence[Question],
        *,
        mode: AnswerMode = AnswerMode.ASK,
        progress: Progress | None = None,
    ) -> list[ScoredAnswer]:
        for question in questions:
            self.given += (document.text for document in question.documents)
        return super().score(questions, mode=mode, progress=progress)

    def read_alone(
        self,
        asked: Sequence[tuple[str, Sequence[Document]]],
        *,
        mode: AnswerMode = AnswerMode.ASK,
    ) -> list[list[ScoredAnswer]]:
        if self.answer_scorer(mode) is not None:  # else the texts are only ranked by it
            self.given += (document.text for _, documents in asked for document in documents)
        return super().read_alone(asked, mode=mode)


def main(arguments: Sequence[str]) -> None:
    """Ask, sort and print."""
    parser = command(NAME, __doc__)
    add_collection_options(parser)
    parser.add_argument("--model", default="small")
    parser.add_argument("--cross-fitted", action="store_true")
    parser.add_argument("--count", type=int, default=60, help="wrong answers to show")
    parser.add_argument("--seed", type=int, default=13)
    parser.add_argument("--out", type=Path, help="a file for what is printed")
    parser.add_argument("--reliability", type=Path, help="an SVG: confidence against share right")
    options = parser.parse_args(arguments)
    with get_dataset("real").open(real_folder() / "questions.json") as file:
        questions = [
            question
            for question in file.questions()
            if not options.corpus or collection_of(question) in options.corpus
        ]
    reader = NotingReader(ModelReader.load(options.model))
    scorers = cross_fitted(questions, reader, options.work) if options.cross_fitted else {}
    asked = list(ask_all(questions, reader, options.work, scorers))
    wrong = [one for one in asked if one.judgement not in CORRECT]
    shown = "\n".join((*tables(asked), *listing(sample(wrong, options.count, options.seed))))
    print(shown)
    for path, text in ((options.out, f"{shown}\n"), (options.reliability, reliability_of(asked))):
        if path is not None:
            with replace_text(path) as out:
                out.write(text)


def cross_fitted(
    questions: Sequence[Question], reader: ModelReader, work: Path
) -> dict[str, AnswerScorer]:
    """For each collection a scorer that was fitted on the questions of all others."""
    metric = get_dataset("real").metric()
    judged: dict[str, list[list[JudgedAnswer]]] = {}
    for name in dict.fromkeys(map(collection_of, questions)):
        own = [question for question in questions if collection_of(question) == name]
        with closing(collection(name, work)) as store:
            read = Pipeline(store, reader).considered_many([Query(one.text) for one in own])
        judged[name] = [
            [
                JudgedAnswer(
                    one.features, one.answer, metric.judge(question, one.prediction)[0] == 1
                )
                for one in answers
            ]
            for question, answers in zip(own, read, strict=True)
        ]
    return {
        name: fit_weights(
            [each for other, some in judged.items() if other != name for each in some]
        )
        for name in judged
    }


def ask_all(
    questions: Sequence[Question],
    reader: NotingReader,
    work: Path,
    scorers: Mapping[str, AnswerScorer],
) -> Iterator[AskedQuestion]:
    """Each question of its own collection."""
    for name in dict.fromkeys(map(collection_of, questions)):
        reader.chosen_by = scorers.get(name)
        with closing(collection(name, work)) as store:
            pipeline = Pipeline(store, reader)
            for question in questions:
                if collection_of(question) == name:
                    reader.given.clear()
                    result = pipeline.ask(Query(question.text))
                    yield AskedQuestion(question, result, tuple(reader.given))


def tables(asked: Sequence[AskedQuestion]) -> Iterator[str]:
    """The causes by kind of question, and by collection."""
    yield from table("kind", asked, kind_of)
    yield from table("collection", asked, lambda one: collection_of(one.question))


def kind_of(one: AskedQuestion) -> str:
    """The kind of question, as the file names it."""
    return str(one.question.extra.get("kind"))


def table(
    what: str, asked: Sequence[AskedQuestion], group_of: Callable[[AskedQuestion], str]
) -> Iterator[str]:
    """How many wrong answers each group has, by cause."""
    yield f"| {what} | asked | wrong | {' | '.join(Cause)} |"
    yield f"|---|{'---:|' * (len(Cause) + 2)}"
    groups = dict.fromkeys(map(group_of, asked))
    for group in (*groups, "all"):
        some = [one for one in asked if group in (group_of(one), "all")]
        causes = Counter(one.cause() for one in some if one.judgement not in CORRECT)
        cells = (len(some), causes.total(), *(causes[cause] for cause in Cause))
        yield f"| {group} | {' | '.join(map(str, cells))} |"
    yield ""


def sample(wrong: Sequence[AskedQuestion], count: int, seed: int) -> list[AskedQuestion]:
    """So many wrong answers, one of each kind of question in turn."""
    shuffled = Random(seed).sample(wrong, len(wrong))
    turns: Counter[str] = Counter()
    in_turn: list[tuple[int, AskedQuestion]] = []
    for one in shuffled:
        in_turn.append((turns[kind_of(one)], one))
        turns[kind_of(one)] += 1
    in_turn.sort(key=lambda pair: pair[0])
    return [one for _, one in in_turn[:count]]


def listing(wrong: Sequence[AskedQuestion]) -> Iterator[str]:
    """Wrong answers with what was asked, wanted, given, and why."""
    for number, one in enumerate(sorted(wrong, key=lambda one: one.question.id), 1):
        yield f"{number}. **{one.question.text}** ({one.question.id})"
        yield f"   - gold: {one.question.extra['gold']}"
        yield f"   - given: {text_of(one.result.answer)}"
        yield f"   - considered: {' | '.join(dict.fromkeys(one.considered)) or 'nothing'}"
        yield f"   - cause: {one.cause()}"
        for sentence, rank in zip(one.evidence, one.ranks(), strict=True):
            yield f"   - evidence: {rank}: {sentence.text}"


def reliability_of(asked: Sequence[AskedQuestion]) -> str:
    """The diagram of all answers that were given; "none" is left aside."""
    given = [
        (one.result.confidence, float(one.judgement in CORRECT))
        for one in asked
        if one.result.answer.kind is not AnswerKind.NONE and one.result.confidence is not None
    ]
    return reliability_svg(reliability([sure for sure, _ in given], [right for _, right in given]))
