"""Answers over collections: right, wrong, none; by kind and by collection.

The questions are the real ones (LACUNA_REAL, and LACUNA_DATA for the Schools Wikipedia) and those
of the strangers' collections that fit what is tuned (LACUNA_DATA/strangers). Each collection is
asked with an answer scorer that was fitted on all others of what is asked. What the network says
of a text is kept under --work, so that a change of what follows it costs seconds; a model of
another folder (--model) keeps its own. The collections that measure (--set measured) are for
reports alone: their scorer is fitted on real and fitted ones.

    python -m benchmarks answers --out before.jsonl
    python -m benchmarks answers --before before.jsonl --changed 20
"""

from __future__ import annotations

import argparse
import json
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import closing
from dataclasses import asdict, dataclass, replace
from pathlib import Path

from benchmarks.asking.judged_collections import REAL, SETS, JudgedQuestion, asked_questions
from benchmarks.asking.kept_reader import KeptReader
from benchmarks.registry import command
from benchmarks.retrieval.real_questions import add_collection_options, collection
from lacuna.datasets.real import CORRECT, Judgement, text_of
from lacuna.evaluation.tune import JudgedAnswer, fit_weights
from lacuna.files.writing import replace_text
from lacuna.metrics.calibration import discrimination
from lacuna.models.calibration import SCORER_KEY, AnswerScorer
from lacuna.models.model_folder import find_model, write_config
from lacuna.pipeline.config import PipelineConfig
from lacuna.pipeline.pipeline import Pipeline
from lacuna.pipeline.query import Query
from lacuna.pipeline.result import Result

NAME = "answers"
CHOSEN_BY = (REAL, "fitted")
"""What scorers are fitted on, and settings are chosen by."""


@dataclass(frozen=True, slots=True)
class Outcome:
    """What came of one question; ``likeliest`` is the best answer, given or not."""

    id: str
    source: str
    collection: str
    kind: str
    question: str
    gold: str
    judgement: str
    given: str
    confidence: float
    likeliest: str
    likeliest_confidence: float
    likeliest_right: bool
    considered_right: bool
    quotes: list[str]
    missing: str
    pair: str
    answerable: bool
    long: bool
    milliseconds: float

    @property
    def is_given(self) -> bool:
        """Whether an answer was given."""
        return self.given != "none"

    @property
    def is_right(self) -> bool:
        """Whether it was right, or rightly none."""
        return self.judgement in CORRECT


def main(arguments: Sequence[str]) -> None:
    """Fit, ask, judge, print."""
    parser = command(NAME, __doc__)
    add_collection_options(parser)
    parser.add_argument("--model", default="small", help="a shipped model, or a folder")
    parser.add_argument("--set", action="append", choices=SETS, help="real and fitted unless given")
    parser.add_argument("--kind", action="append", help="may be given again; all unless given")
    parser.add_argument("--every", type=int, default=1, help="ask every so many-th alone")
    parser.add_argument("--scorer", choices=("cross-fitted", "shipped"), default="cross-fitted")
    parser.add_argument("--setting", action="append", default=[], help="NAME=NUMBER of the config")
    parser.add_argument("--fit", action="store_true", help="write the scorer of all into --model")
    parser.add_argument("--out", type=Path, help="a file for what came of each question")
    parser.add_argument("--before", type=Path, help="such a file, to compare with")
    parser.add_argument("--changed", type=int, default=0, help="changed answers to show of it")
    options = parser.parse_args(arguments)
    outcomes = list(asked(options))
    if options.out:
        with replace_text(options.out) as out:
            out.writelines(json.dumps(asdict(one)) + "\n" for one in outcomes)
    print("\n".join(tables(outcomes)))
    if options.before:
        lines = options.before.read_text("utf-8").splitlines()
        before = {one["id"]: Outcome(**one) for one in map(json.loads, lines)}
        print("\n".join(changes(before, outcomes, options.changed)))


def config_of(settings: Sequence[str]) -> PipelineConfig:
    """The configuration with some of its numbers changed.

    >>> config_of(["probable_from=0.3"]).probable_from
    0.3
    """
    config = PipelineConfig()
    for setting in settings:
        name, _, value = setting.partition("=")
        config = replace(config, **{name: type(getattr(config, name))(float(value))})
    return config


def asked(options: argparse.Namespace) -> Iterator[Outcome]:
    """What comes of every question."""
    reader = KeptReader(options.model, options.work)
    config = config_of(options.setting)
    sets = options.set or CHOSEN_BY
    questions = some_of(asked_questions(sets, options.corpus or ()), options)
    judged: dict[str, list[list[JudgedAnswer]]] = {}
    if options.scorer == "cross-fitted" or options.fit:
        fitting = CHOSEN_BY if "measured" in sets else sets
        fitted_on = some_of(asked_questions(fitting), options)
        judged = considered(fitted_on, reader, options.work, config)
    for name in dict.fromkeys(one.collection for one in questions):
        if judged and options.scorer == "cross-fitted":
            others = [each for other, some in judged.items() if other != name for each in some]
            reader.chosen_by = fit_weights(others)
        with closing(collection(name, options.work)) as store:
            pipeline = Pipeline(store, reader, config=config)
            for one in questions:
                if one.collection == name:
                    yield outcome_of(one, pipeline.ask(Query(one.text)))
    if options.fit:
        keep_scorer(options.model, fit_weights([each for some in judged.values() for each in some]))


def some_of(
    questions: Iterable[JudgedQuestion], options: argparse.Namespace
) -> list[JudgedQuestion]:
    """The questions that are asked for; opposite ones stay together."""
    kept, units = [], dict[str, int]()
    for one in questions:
        unit = units.setdefault(min(one.id, one.pair or one.id), len(units))
        if unit % options.every == 0 and one.kind in (options.kind or (one.kind,)):
            kept.append(one)
    return kept


def considered(
    questions: Sequence[JudgedQuestion], reader: KeptReader, work: Path, config: PipelineConfig
) -> dict[str, list[list[JudgedAnswer]]]:
    """By collection, every answer that was read for each question, with its judgement."""
    judged: dict[str, list[list[JudgedAnswer]]] = {}
    for name in dict.fromkeys(one.collection for one in questions):
        own = [one for one in questions if one.collection == name]
        with closing(collection(name, work)) as store:
            pipeline = Pipeline(store, reader, config=config)
            read = pipeline.considered_many([Query(one.text) for one in own])
        judged[name] = [
            [
                JudgedAnswer(
                    each.features,
                    each.answer,
                    question.judge(text_of(each.answer)) is Judgement.RIGHT,
                )
                for each in answers
            ]
            for question, answers in zip(own, read, strict=True)
        ]
    return judged


def outcome_of(question: JudgedQuestion, result: Result) -> Outcome:
    """How a result turns out."""
    given, confidence = text_of(result.answer), result.confidence or 0.0
    others = [(text_of(each.answer), each.confidence) for each in result.alternatives]
    ranked = others if given == "none" else [(given, confidence), *others]
    likeliest, sure = ranked[0] if ranked else ("", 0.0)
    judgement = question.judge(given)
    return Outcome(
        question.id,
        question.source,
        question.collection,
        question.kind,
        question.text,
        question.gold,
        judgement.value,
        given,
        confidence,
        likeliest,
        sure,
        bool(likeliest) and question.judge(likeliest) is Judgement.RIGHT,
        any(question.judge(text) is Judgement.RIGHT for text, _ in ranked),
        [quote.text for quote in result.quotes],
        " ".join(gap.missing for gap in result.prediction.gaps),
        question.pair,
        question.is_answerable,
        judgement is Judgement.RIGHT and len(given.split()) > 12,
        result.milliseconds,
    )


def keep_scorer(model: str, scorer: AnswerScorer) -> None:
    """Write a scorer into a model's configuration."""
    folder = find_model(model)
    write_config(folder.path, {**folder.config, SCORER_KEY: scorer.as_json()})


def tables(outcomes: Sequence[Outcome]) -> Iterator[str]:
    """By set and kind, and by collection."""
    for source in dict.fromkeys(one.source for one in outcomes):
        own = [one for one in outcomes if one.source == source]
        yield f"**{source}**: {summary(own)}"
        yield ""
        yield from table("kind", own, [one.kind for one in own])
        yield from table("collection", own, [one.collection for one in own])


COLUMNS = "asked | right | wrong | wrongly none | refused | likeliest right | among the shown"


def table(what: str, outcomes: Sequence[Outcome], groups: Sequence[str]) -> Iterator[str]:
    """The counts of each group, and of all."""
    yield f"| {what} | {COLUMNS} |"
    yield f"|---|{'---:|' * (COLUMNS.count('|') + 1)}"
    for group in (*sorted(set(groups)), "all"):
        some = [one for one, own in zip(outcomes, groups, strict=True) if group in (own, "all")]
        counts = Counter(one.judgement for one in some)
        cells = (
            len(some),
            counts[Judgement.RIGHT],
            counts[Judgement.WRONG],
            counts[Judgement.WRONGLY_NONE],
            f"{counts[Judgement.RIGHTLY_NONE]} of {sum(not one.answerable for one in some)}",
            sum(one.likeliest_right for one in some),
            sum(one.considered_right for one in some),
        )
        yield f"| {group} | {' | '.join(map(str, cells))} |"
    yield ""


def summary(outcomes: Sequence[Outcome]) -> str:
    """What matters most in one line."""
    counts = Counter(one.judgement for one in outcomes)
    answerable = sum(one.answerable for one in outcomes)
    right, wrong = counts[Judgement.RIGHT], counts[Judgement.WRONG]
    won, pairs = pairs_right(outcomes)
    given = [one for one in outcomes if one.is_given]
    auc = discrimination(
        [one.confidence for one in given if one.is_right],
        [one.confidence for one in given if not one.is_right],
    )
    below = sum(not one.is_given and one.confidence < one.likeliest_confidence for one in outcomes)
    return (
        f"{right} of {answerable} right ({right / max(answerable, 1):.1%}), {wrong} wrong, "
        f"{counts[Judgement.RIGHTLY_NONE]} of {len(outcomes) - answerable} refused, "
        f"pairs {won} of {pairs}, AUC {auc if auc is None else round(auc, 3)}, "
        f"long {sum(one.long for one in outcomes)}, none below an alternative {below}"
    )


def pairs_right(outcomes: Sequence[Outcome]) -> tuple[int, int]:
    """Of the pairs of opposite questions, how many have both right."""
    right = {one.id: one.is_right for one in outcomes}
    pairs = {frozenset((one.id, one.pair)) for one in outcomes if one.pair in right}
    return sum(all(right[id_] for id_ in pair) for pair in pairs), len(pairs)


def changes(before: Mapping[str, Outcome], after: Sequence[Outcome], shown: int) -> Iterator[str]:
    """How many answers became right, how many no longer are, and some of both."""
    for source in dict.fromkeys(one.source for one in after):
        own = [one for one in after if one.source == source and one.id in before]
        gained = [one for one in own if one.is_right and not before[one.id].is_right]
        lost = [one for one in own if not one.is_right and before[one.id].is_right]
        yield f"**{source}** before: {summary([before[one.id] for one in own])}"
        yield f"{len(gained)} became right, {len(lost)} no longer are."
        for sign, some in (("+", gained), ("-", lost)):
            for one in some[:shown]:
                old = before[one.id]
                yield (
                    f"{sign} {one.kind} {one.id}: {one.question} [{one.gold}] "
                    f"{old.given!r} ({old.confidence:.2f}) → {one.given!r} ({one.confidence:.2f})"
                )
        yield ""
