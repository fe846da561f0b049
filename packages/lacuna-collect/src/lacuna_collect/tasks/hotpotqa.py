"""HotpotQA's tasks: questions about two paragraphs, their review, and the files they become."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import replace
from enum import StrEnum
from hashlib import blake2b
from pathlib import Path
from random import Random

from lacuna.answers import AnswerMode, answer_from_text
from lacuna.corpus.store import Store
from lacuna.datasets import get_dataset
from lacuna.datasets.base import Item
from lacuna.datasets.hotpotqa import NO_ANSWER, HotpotQAMetric
from lacuna.files.json import dump
from lacuna.files.writing import replace_text
from lacuna.models.registry import Reader, open_reader
from lacuna.retrieve.hotpotqa import HotpotRetriever
from lacuna.types import Answer, Document, Gold, Prediction, Question
from lacuna_collect.mining import Pair, PairKind, item_of, shuffled
from lacuna_collect.tasks import hotpotqa_writing as qualification
from lacuna_collect.tasks.hotpotqa_pairs import FIELD as ASKABLE
from lacuna_collect.tasks.hotpotqa_pairs import (
    HotpotCategoriesTask,
    HotpotListsTask,
    group_rates,
    question_item,
)
from lacuna_collect.tasks.hotpotqa_writing import (
    QUESTIONS,
    WrittenQuestion,
    check_question,
    kept_paragraph,
    paragraph_document,
    paragraphs_in,
    single_hop,
)
from lacuna_collect.tasks.task import (
    Bonus,
    CollectTask,
    DeclaredTask,
    FieldProblem,
    FinishedWork,
    ItemsByTask,
    Json,
    NewItem,
    SettingsByTask,
    TaskSettings,
    WorksByTask,
    defaults,
    pairs,
    set_to,
)

FIELD = "needs"
ONE, BOTH = "one", "both"


def hop_items(finished: FinishedWork, more: Json) -> list[NewItem]:
    """The question as an item of the review, if it is drawn.

    A question falls into one of so many slots of its writer, by the number of its submission. Some
    slots are reviewed, and a slot's key is used once, so that no writer has more than
    ``sample_most`` in the sample, whatever order things are accepted in.
    """
    slots = more["sample_most"] * more["sample_one_in"]
    name = f"{more['seed']}\n{finished.submission}".encode()
    slot = int.from_bytes(blake2b(name, digest_size=8).digest(), "big") % slots
    if slot >= more["sample_most"]:
        return []
    written = WrittenQuestion.of(finished.payload, finished.work)
    payload = {
        "paragraphs": finished.payload["paragraphs"],
        "question": written.question,
        "answer": written.answer,
        "writer": finished.person,
        "submission": finished.submission,
    }
    key = f"writer {finished.person}, slot {slot}"
    return [NewItem(key, payload, not_for=(finished.person,))]


class HotpotHopsTask(DeclaredTask):
    """Tell whether a question takes both paragraphs or just one of them.

    Its items follow accepted questions.
    """

    name = "hotpotqa-hops"
    title = "One paragraph or both?"
    instructions = "hotpotqa-hops"
    form = "hotpotqa-hops"
    shown_fields = ("paragraphs", "question", "answer")  # not who wrote it
    settings = TaskSettings(pay_cents=10, minutes=30, inspect_first=0)

    def qualification(self, settings: TaskSettings) -> Sequence[NewItem]:
        """Questions of ours that take one paragraph, and some that take both."""
        return qualification.hops()

    def check(self, payload: Json, work: Json, settings: TaskSettings) -> Sequence[FieldProblem]:
        """One of the two has to be chosen."""
        given = work.get(FIELD) if isinstance(work, dict) else None
        if not isinstance(given, str) or given not in (ONE, BOTH) or set(work) != {FIELD}:
            return [FieldProblem(FIELD, "Say whether one paragraph is enough.")]
        return []


# Bonuses (appendix A.2): for the best workers of every 200 examples, and for pace.
#
# The paper mixes both and names no sums; ours are defaults that can be set. Each bonus has a key,
# so that reckoning again, with more work accepted, does not pay one twice.


HOUR = 3600


def bonuses(finished: Sequence[FinishedWork], settings: TaskSettings) -> list[Bonus]:
    """All bonuses that accepted questions have earned so far, in the order of their submission."""
    more = set_to(settings, QUESTIONS)
    in_order = sorted(finished, key=lambda work: work.submission)
    earned = [*_best(in_order, more), *_pace(in_order, more)]
    return [bonus for bonus in earned if bonus.cents]


def _best(finished: Sequence[FinishedWork], more: Json) -> Iterator[Bonus]:
    """Of every full block of examples, those who wrote most; of equals, who had them first."""
    size = more["best_every"]
    for block in range(len(finished) // size):
        some = finished[block * size : (block + 1) * size]
        counts = Counter(work.person for work in some)
        last = {work.person: work.submission for work in some}
        order = sorted(counts, key=lambda person: (-counts[person], last[person]))
        for place, person in enumerate(order[: more["best_workers"]], 1):
            reason = (
                f"Place {place} among examples {block * size + 1:,} to {(block + 1) * size:,}: "
                f"{counts[person]} of them"
            )
            yield Bonus(person, more["best_cents"], reason, f"best-{size}-{block + 1}-{place}")


def _pace(finished: Sequence[FinishedWork], more: Json) -> Iterator[Bonus]:
    """For every full block of a person's own examples that was written fast enough."""
    size = more["pace_every"]
    by_person: dict[int, list[FinishedWork]] = {}
    for work in finished:
        by_person.setdefault(work.person, []).append(work)
    for person in sorted(by_person):
        own = by_person[person]
        for block in range(len(own) // size):
            seconds = sum(work.seconds for work in own[block * size : (block + 1) * size])
            # Time that was not measured is no proof of pace.
            per_hour = size * HOUR / seconds if seconds > 0 else 0.0
            if per_hour >= more["pace_least_per_hour"]:
                reason = f"{per_hour:.1f} examples an hour over {size} examples"
                yield Bonus(person, more["pace_cents"], reason, f"pace-{size}-{person}-{block + 1}")


LEAST_CONFIDENCE = 0.5
"""From this on, what the model in the loop says counts as an answer."""
SKIP_REASONS = (
    "No good question takes both paragraphs",
    "The paragraphs have nothing to do with each other",
    "A paragraph cannot be read",
)


class HotpotQuestionsTask(DeclaredTask):
    """A question that takes two paragraphs, its answer, and the sentences that support it.

    The paper does not say what a question was paid with; the default is ours.
    """

    name = "hotpotqa-questions"
    title = "Write questions that take two paragraphs"
    instructions = "hotpotqa-questions"
    form = "hotpotqa-questions"
    knobs = QUESTIONS
    shown_fields = ("kind", "yes_no", "group", "paragraphs", "anchors", "hints", "given_question")
    settings = TaskSettings(pay_cents=50, minutes=30, inspect_first=5, more=defaults(QUESTIONS))

    def draw_item(
        self, corpus: Store, settings: TaskSettings, random: Random, taken: frozenset[str]
    ) -> NewItem | None:
        """Draw a pair that nobody has had; None when there is none left."""
        return question_item(corpus, set_to(settings, QUESTIONS), random, taken)

    def follow_up(self, finished: FinishedWork, settings: TaskSettings) -> ItemsByTask:
        """A sample of each writer's questions goes to somebody who tells whether they take both."""
        return {"hotpotqa-hops": hop_items(finished, set_to(settings, QUESTIONS))}

    def qualification(self, settings: TaskSettings) -> Sequence[NewItem]:
        """Three questions of ours, to be answered and supported."""
        return qualification.questions()

    def shown(self, payload: Json, settings: TaskSettings) -> Json:
        """The pair, the hints, and what a bad pair may be skipped for."""
        return {**super().shown(payload, settings), "skip_reasons": list(SKIP_REASONS)}

    def check(self, payload: Json, work: Json, settings: TaskSettings) -> Sequence[FieldProblem]:
        """Say what is wrong with a question, its answer or its supporting sentences."""
        longest = int(set_to(settings, QUESTIONS)["longest_question"])
        return check_question(payload, work, longest)

    def score(self, payload: Json, work: Json, gold: Json) -> float:
        """Half for the answer, half for the supporting sentences, by HotpotQA's own F1."""
        if check_question(payload, work, 0):
            return 0.0
        given, wanted = (WrittenQuestion.of(payload, each) for each in (work, gold))
        question = Question(
            "",
            wanted.question,
            gold=Gold((Answer.span(wanted.answer),), supporting_facts=wanted.facts(payload)),
        )
        prediction = Prediction(Answer.span(given.answer), supporting_facts=given.facts(payload))
        metric = HotpotQAMetric()
        row = dict(zip(metric.measures, metric.judge(question, prediction), strict=True))
        return sum(row[part] or 0.0 for part in ("f1", "sp_f1")) / 2

    def ask_model(self, reader: Reader, payload: Json, work: Json, part: str) -> Json:
        """Say whether the reader answers the question from one paragraph alone."""
        return single_hop(reader, payload, work, LEAST_CONFIDENCE)

    def bonuses(self, finished: Sequence[FinishedWork], settings: TaskSettings) -> Sequence[Bonus]:
        """For the best workers of every block of examples, and for pace."""
        return bonuses(finished, settings)


def top_contributors(questions: Sequence[FinishedWork], share: float) -> list[int]:
    """The fewest people who together wrote at least this share of the questions."""
    counts = Counter(work.person for work in questions)
    top: list[int] = []
    written = 0
    for person in sorted(counts, key=lambda person: (-counts[person], person)):
        if written >= share * len(questions):
            break
        top.append(person)
        written += counts[person]
    return top


def easy_writers(
    questions: Sequence[FinishedWork], reviews: Sequence[FinishedWork], more: Json
) -> dict[int, float]:
    """Top contributors whose questions are easy, with the share of single hops in their sample.

    One whose sample is smaller than ``sample_least`` is not judged by it.
    """
    sampled: dict[int, list[bool]] = {}
    for review in reviews:
        sampled.setdefault(review.payload["writer"], []).append(review.work[FIELD] == ONE)
    easy = {}
    for person in top_contributors(questions, more["top_share"]):
        sample = sampled.get(person, [])
        if len(sample) < more["sample_least"]:
            continue
        share = sum(sample) / len(sample)
        if share >= more["single_hop_share"]:
            easy[person] = share
    return easy


# Train-medium: what a model answers rightly and with little loss, in three folds.
#
# The paper trained a model three times, each time on two thirds of the questions, and asked it the
# other third. With one model (the shipped one, by default) nothing is trained: it has seen none of
# these questions, so all folds are held out, but it knows nothing of this corpus and its writers
# either, and it finds easy what its own training data makes easy. With three models, each trained
# on the file without its fold that an export writes, it is what the paper did.


FOLDS = 3
OpenReader = Callable[[str], Reader]


def fold_of(question: Question, seed: int) -> int:
    """Which third a question is in, from 0."""
    name = f"{seed}\n{question.id}"
    return int.from_bytes(blake2b(name.encode(), digest_size=8).digest(), "big") % FOLDS


def medium_losses(
    questions: Sequence[Question], models: Sequence[str], seed: int, open_reader: OpenReader
) -> dict[str, float]:
    """The loss of every question that was answered rightly while it was held out, by id.

    The loss is the negative logarithm of how sure the reader is of its answer.
    """
    if not models:
        return {}
    metric = HotpotQAMetric()
    exact = metric.measures.index("em")
    losses = {}
    for fold in range(FOLDS):
        held_out = [question for question in questions if fold_of(question, seed) == fold]
        if not held_out:
            continue
        reader = open_reader(models[fold % len(models)])
        for question, prediction in zip(
            held_out, reader.read(held_out, mode=AnswerMode.HOP), strict=True
        ):
            if metric.judge(question, prediction)[exact] and prediction.confidence:
                losses[question.id] = -math.log(prediction.confidence)
    return losses


FOUND = 10


class ContextMaker:
    """Retrieves the paragraphs that a question is asked over, once it is written."""

    def __init__(self, corpus: Store, seed: int) -> None:
        self._corpus = corpus
        self._retriever = HotpotRetriever(corpus)
        self._seed = seed

    def distractor(self, finished: FinishedWork) -> Question:
        """The question with its gold, over its two paragraphs and eight distractors, shuffled."""
        payload = finished.payload
        written = WrittenQuestion.of(payload, finished.work)
        gold = {paragraph.title: paragraph for paragraph in paragraphs_in(payload)}
        first, second = gold
        pair = Pair(PairKind(payload["kind"]), first, second)

        def document(title: str) -> Document:
            # The gold paragraphs as their writer saw them, whatever the corpus says by now.
            return gold[title] if title in gold else self._corpus.document(title)

        question = item_of(pair, document, self._titles, self._seed, written.question)
        return replace(
            question,
            id=self.id_of(finished),
            gold=Gold(
                (answer_from_text(written.answer, NO_ANSWER),),
                supporting_facts=written.facts(payload),
            ),
            extra={"type": str(pair.kind)},
        )

    def fullwiki(self, question: Question) -> Question:
        """The same question over what is found for it; the gold paragraphs are not put in."""
        found = [paragraph_document(kept) for kept in self._found(question.text)]
        return replace(question, documents=tuple(found))

    def id_of(self, finished: FinishedWork) -> str:
        """The same in every export; says nothing of the paragraphs, which a test must not tell."""
        name = f"{self._seed}\n{finished.submission}"
        return blake2b(name.encode(), digest_size=12).hexdigest()

    def _titles(self, query: str, k: int) -> list[str]:
        return [hit.title for hit in self._retriever.search(query, k)]

    def _found(self, query: str) -> list[dict[str, object]]:
        kept = (kept_paragraph(self._corpus.document(t)) for t in self._titles(query, 2 * FOUND))
        return [paragraph for paragraph in kept if paragraph["sentences"]][:FOUND]


class HotpotSplit(StrEnum):
    """The parts of the dataset, with the paper's names."""

    TRAIN_EASY = "train-easy"
    TRAIN_MEDIUM = "train-medium"
    TRAIN_HARD = "train-hard"
    DEV = "dev"
    TEST_DISTRACTOR = "test-distractor"
    TEST_FULLWIKI = "test-fullwiki"

    @property
    def level(self) -> str:
        """How hard its questions are, as the dataset's files say it."""
        return {"train-easy": "easy", "train-medium": "medium"}.get(self, "hard")


HARD_SHARES = {
    HotpotSplit.TRAIN_HARD: 15661,
    HotpotSplit.DEV: 7405,
    HotpotSplit.TEST_DISTRACTOR: 7405,
    HotpotSplit.TEST_FULLWIKI: 7405,
}
"""How many of the hard examples went where (table 1); here they are shares."""


def split_up(
    questions: Sequence[Question],
    easy: Collection[str],
    losses: Mapping[str, float],
    medium_loss: float,
    seed: int,
) -> dict[HotpotSplit, list[Question]]:
    """Every question in one split; the order of the questions makes no difference."""
    splits: dict[HotpotSplit, list[Question]] = {split: [] for split in HotpotSplit}
    hard = []
    for question in sorted(questions, key=lambda question: question.id):
        if question.id in easy:
            splits[HotpotSplit.TRAIN_EASY].append(question)
        elif losses.get(question.id, float("inf")) <= medium_loss:
            splits[HotpotSplit.TRAIN_MEDIUM].append(question)
        else:
            hard.append(question)
    hard = shuffled(Random(f"{seed}\nhard"), hard)
    total = sum(HARD_SHARES.values())
    begin, shares = 0, 0
    for split, share in HARD_SHARES.items():
        shares += share
        end = round(len(hard) * shares / total)
        splits[split] += hard[begin:end]
        begin = end
    return splits


# Accepted questions as HotpotQA's files, in their splits.
#
# ``hidden/`` holds the test questions with their gold, and what the model in the loop said while
# questions were written: whoever runs the benchmark keeps it back.


TRAIN = (HotpotSplit.TRAIN_EASY, HotpotSplit.TRAIN_MEDIUM, HotpotSplit.TRAIN_HARD)


def write_export(
    finished: WorksByTask, more: Json, corpus: Store, out: Path, open_reader: OpenReader
) -> Json:
    """Write all files, and say how many questions each has and what was left out."""
    longest = more["longest_question"]
    sound, left_out = [], []
    for work in finished.get("hotpotqa-questions", ()):
        problems = check_question(work.payload, work.work, longest)
        if problems:  # repaired by hand, or accepted under other settings
            left_out.append({"submission": work.submission, "why": problems[0].message})
        else:
            sound.append(work)
    contexts = ContextMaker(corpus, more["seed"])
    questions = {work.submission: contexts.distractor(work) for work in sound}
    writers = easy_writers(sound, finished.get("hotpotqa-hops", ()), more)
    easy = {questions[work.submission].id for work in sound if work.person in writers}
    rest = [question for question in questions.values() if question.id not in easy]
    losses = medium_losses(rest, more["split_models"], more["seed"], open_reader)
    splits = split_up(list(questions.values()), easy, losses, more["medium_loss"], more["seed"])
    files = _write(splits, contexts, out)
    _write_folds(rest, more["seed"], out)
    said = {contexts.id_of(work): work.loop for work in sound if work.loop}
    with replace_text(out / "hidden" / "loop.json") as file:
        file.write(dump(said) + "\n")
    return {
        "questions": len(sound),
        "left_out": left_out,
        "splits": {str(split): len(members) for split, members in splits.items()},
        "easy_writers": {str(person): share for person, share in writers.items()},
        "split_models": list(more["split_models"]),
        "answered_by_model": len(losses),
        "with_model_in_loop": len(said),
        "files": files,
    }


def _write(
    splits: Mapping[HotpotSplit, Sequence[Question]], contexts: ContextMaker, out: Path
) -> dict[str, int]:
    labelled = {
        split: [_with_level(question, split) for question in members]
        for split, members in splits.items()
    }
    files = {f"{split}.json": labelled[split] for split in (*TRAIN, HotpotSplit.DEV)}
    files["train.json"] = [question for split in TRAIN for question in labelled[split]]
    distractor = labelled[HotpotSplit.TEST_DISTRACTOR]
    fullwiki = [contexts.fullwiki(each) for each in labelled[HotpotSplit.TEST_FULLWIKI]]
    files["test-distractor.json"] = list(map(_stripped, distractor))
    files["test-fullwiki.json"] = list(map(_stripped, fullwiki))
    files["hidden/test-distractor-gold.json"] = distractor
    files["hidden/test-fullwiki-gold.json"] = fullwiki
    for name, questions in files.items():
        _write_file(out / name, questions)
    return {name: len(questions) for name, questions in files.items()}


def _write_folds(questions: Sequence[Question], seed: int, out: Path) -> None:
    """What three models of one's own are trained on, each without the fold it is then asked."""
    for fold in range(FOLDS):
        others = [question for question in questions if fold_of(question, seed) != fold]
        _write_file(out / "folds" / f"without-{fold + 1}.json", others)


def _write_file(path: Path, questions: Sequence[Question]) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    get_dataset("hotpotqa").write(path, map(Item.of, questions))


def _with_level(question: Question, split: HotpotSplit) -> Question:
    return replace(question, extra={**question.extra, "level": split.level})


def _stripped(question: Question) -> Question:
    """Without anything that tells the answer; the kind of question would tell something, too."""
    return replace(question, gold=None, extra={})


class HotpotFamily:
    """Curation, then questions, then a look at how many paragraphs they take."""

    name = "hotpotqa"
    dataset = "hotpotqa"
    companions: tuple[str, ...] = ()
    tasks: Sequence[CollectTask] = (
        HotpotCategoriesTask(),
        HotpotListsTask(),
        HotpotQuestionsTask(),
        HotpotHopsTask(),
    )

    def agreement(self, finished: WorksByTask) -> Json:
        """Rates of groups, agreement where several looked at one, and the share of single hops."""
        report: Json = {}
        for task in ("hotpotqa-categories", "hotpotqa-lists"):
            works = finished.get(task, ())
            report[task] = {"rates": group_rates(works), "agreement": _same_verdicts(works)}
        reviews = finished.get("hotpotqa-hops", ())
        single = sum(review.work[FIELD] == ONE for review in reviews)
        report["hotpotqa-hops"] = {
            "reviewed": len(reviews),
            "single_hop": single / len(reviews) if reviews else None,
        }
        return report

    def export(
        self,
        finished: WorksByTask,
        corpus: Store,
        out: Path,
        settings: SettingsByTask | None = None,
    ) -> Json:
        """Write HotpotQA's files into a folder, and say what they hold."""
        own = (settings or {}).get("hotpotqa-questions", HotpotQuestionsTask.settings)
        return write_export(finished, set_to(own, QUESTIONS), corpus, out, open_reader)


def _same_verdicts(works: Sequence[FinishedWork]) -> float | None:
    """How often two people say the same of a pair; None where nobody looked at the same."""
    same = [
        one == other
        for first, second in pairs(works)
        for one, other in zip(first.work[ASKABLE], second.work[ASKABLE], strict=True)
    ]
    return sum(same) / len(same) if same else None


FAMILY = HotpotFamily()
