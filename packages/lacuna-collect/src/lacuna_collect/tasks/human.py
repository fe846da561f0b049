"""How well people do on the questions of a dataset's file, as the papers measure it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from random import Random
from typing import Any

from lacuna.answers import text_from_answer
from lacuna.corpus.store import Store
from lacuna.datasets import get_dataset
from lacuna.datasets.base import Dataset, Setting
from lacuna.datasets.convert import QuestionFile
from lacuna.datasets.drop import number_value
from lacuna.errors import LacunaError, no_such
from lacuna.files.json import dump
from lacuna.files.writing import replace_text
from lacuna.metrics.comparison import HumanRow
from lacuna.metrics.metric import Metric, Row
from lacuna.types import (
    Answer,
    AnswerKind,
    Document,
    Gold,
    Prediction,
    Question,
    Span,
    SupportingFact,
)
from lacuna_collect.tasks.iirc import LONGEST_UNIT
from lacuna_collect.tasks.iirc import NUMBER as NUMBER_TEXT
from lacuna_collect.tasks.iirc_questions import MOST_SPANS, text_problem
from lacuna_collect.tasks.task import (
    Bounded,
    CollectTask,
    DeclaredTask,
    FieldProblem,
    FinishedWork,
    Json,
    Knobs,
    NewItem,
    OneOf,
    SettingsByTask,
    TaskSettings,
    Text,
    WorksByTask,
    by_item,
    defaults,
    key_of,
    pairs,
    set_to,
)

SPAN, NUMBER, YES, NO = AnswerKind.SPAN, AnswerKind.NUMBER, AnswerKind.YES, AnswerKind.NO
NONE, CHOICE = AnswerKind.NONE, AnswerKind.CHOICE


@dataclass(frozen=True, slots=True)
class AnswerSheet:
    """One dataset's; ``questions`` and ``people`` are its paper's where that says so."""

    kinds: tuple[AnswerKind, ...]
    settings: tuple[str, ...]
    """What can be read with a question; the first unless another is set."""
    questions: int = 200
    people: int = 1
    several_spans: bool = False
    """Whether an answer may have several parts."""
    supporting: bool = False
    """Whether the sentences that support an answer are wanted. The file's own answer is then one
    more person's, and held against the new ones; else these are held against the file."""


SHEETS: Mapping[str, AnswerSheet] = {
    "hotpotqa": AnswerSheet((SPAN, YES, NO), ("distractor", "gold-only"), 1000, 3, supporting=True),
    "iirc": AnswerSheet(
        (SPAN, NUMBER, YES, NO, NONE),
        ("full", "oracle-links", "oracle-context"),
        several_spans=True,
    ),
    "openbookqa": AnswerSheet((CHOICE,), ("core-fact", "no-fact")),
    "squad": AnswerSheet((SPAN, NONE), ("may-abstain", "always-answer")),
    "drop": AnswerSheet((SPAN, NUMBER), ("passage",), several_spans=True),
}
"""QuAC's people answer within a dialog: that is a task of its own."""

OPTIONS: Knobs = {
    "dataset": OneOf(tuple(SHEETS)),
    "questions_file": Text(),
    "setting": Text(),
    "questions": Bounded(0, 0, 10**6),
    "people": Bounded(0, 0, 9),
    "seed": Bounded(13, 0, 2**31),
}
"""An empty ``setting`` is the sheet's first; 0 questions or people are the sheet's."""


FIELDS = frozenset({"kind", "texts", "number", "unit", "choice", "supporting"})
LONGEST = 1000


def answer_problems(payload: Json, work: Any) -> Iterator[FieldProblem]:
    """What is missing or wrong; the work may be anything that JSON can say."""
    sheet = SHEETS[payload["dataset"]]
    if not isinstance(work, dict) or not work.keys() <= FIELDS:
        yield FieldProblem("", "This is not an answer.")
        return
    kind = work.get("kind")
    if not isinstance(kind, str) or kind not in sheet.kinds:
        yield FieldProblem("kind", "Say what kind of answer it is.")
    elif kind == AnswerKind.SPAN:
        yield from _text_problems(payload, work.get("texts"), several=sheet.several_spans)
    elif kind == AnswerKind.NUMBER:
        yield from _number_problems(work)
    elif kind == AnswerKind.CHOICE:
        labels = [choice["label"] for choice in payload["choices"]]
        if work.get("choice") not in labels:
            yield FieldProblem("choice", "Choose one of the answers.")
    if sheet.supporting:
        yield from _supporting_problems(payload, work.get("supporting"))


def _text_problems(payload: Json, texts: Any, *, several: bool) -> Iterator[FieldProblem]:
    if not isinstance(texts, list) or not texts:
        yield FieldProblem("texts", "Write the answer.")
        return
    if len(texts) > (MOST_SPANS if several else 1):
        yield FieldProblem("texts", "These are too many parts.")
        return
    written = [payload["question"], *(part for text in texts_in(payload) for part in text["parts"])]
    readable = [_folded(text) for text in (*written, *map(_joined, texts_in(payload)))]
    for text in texts:
        if problem := text_problem(text, "the answer", LONGEST):
            yield FieldProblem("texts", problem)
        elif not any(_folded(text) in each for each in readable):
            told = f"“{text.strip()}” does not stand in the texts, word for word."
            yield FieldProblem("texts", told)


def _number_problems(work: Json) -> Iterator[FieldProblem]:
    number, unit = work.get("number"), work.get("unit", "")
    if not isinstance(number, str) or not NUMBER_TEXT.fullmatch(number.strip()):
        yield FieldProblem("number", "Write a number in digits, such as 12 or 3.5.")
    if unit != "" and (problem := text_problem(unit, "what is counted", LONGEST_UNIT)):
        yield FieldProblem("unit", problem)


def _supporting_problems(payload: Json, places: Any) -> Iterator[FieldProblem]:
    sizes = [len(text["parts"]) for text in texts_in(payload)]
    if not isinstance(places, list) or not places:
        yield FieldProblem("supporting", "Mark the sentences that one must read to answer it.")
    elif not all(_is_place(place, sizes) for place in places):
        yield FieldProblem("supporting", "Mark sentences of these texts.")
    elif len({tuple(place) for place in places}) < len(places):
        yield FieldProblem("supporting", "A sentence is marked twice.")


def _is_place(place: Any, sizes: list[int]) -> bool:
    match place:
        case [int(text), int(part)] if type(text) is type(part) is int:
            return 0 <= text < len(sizes) and 0 <= part < sizes[text]
    return False


def prediction_of(payload: Json, work: Json) -> Prediction:
    """Checked work as a system would say it."""
    facts = None
    if SHEETS[payload["dataset"]].supporting:
        titles = [text["title"] for text in texts_in(payload)]
        facts = tuple(SupportingFact(titles[at], part) for at, part in sorted(work["supporting"]))
    return Prediction(_answer(payload, work), supporting_facts=facts)


def gold_of(payload: Json) -> Gold:
    """What the file says."""
    facts = payload["gold"]["supporting"]
    return Gold(
        tuple(map(_answer_from, payload["gold"]["answers"])),
        supporting_facts=None if facts is None else tuple(SupportingFact(*one) for one in facts),
    )


def answer_json(answer: Answer) -> Json:
    """What a scorer looks at of an answer, as it is kept."""
    return {
        "kind": str(answer.kind),
        "texts": list(answer.texts),
        "value": answer.value,
        "unit": answer.unit,
        "label": answer.label,
    }


def _answer_from(kept: Json) -> Answer:
    return Answer(
        AnswerKind(kept["kind"]),
        tuple(kept["texts"]),
        value=kept["value"],
        unit=kept["unit"],
        label=kept["label"],
    )


def _answer(payload: Json, work: Json) -> Answer:
    match AnswerKind(work["kind"]):
        case AnswerKind.SPAN:
            texts = tuple(text.strip() for text in work["texts"])
            return Answer.span(texts[0]) if len(texts) == 1 else Answer.spans(texts)
        case AnswerKind.NUMBER:
            written = work["number"].strip()
            return Answer.number(number_value(written), written, unit=work.get("unit", "").strip())
        case AnswerKind.CHOICE:
            choices = {choice["label"]: choice["text"] for choice in payload["choices"]}
            return Answer.choice(work["choice"], choices[work["choice"]])
        case AnswerKind.YES:
            return Answer.yes()
        case AnswerKind.NO:
            return Answer.no()
        case _:
            return Answer.none()


def texts_in(payload: Json) -> list[Json]:
    """What may be read, in its order."""
    return [payload["texts"][str(number)] for number in range(len(payload["texts"]))]


def _joined(text: Json) -> str:
    return " ".join(part.strip() for part in text["parts"])


def _folded(text: str) -> str:
    return " ".join(text.casefold().split())


def setting_of(more: Json) -> str:
    """The setting that is meant: the one that was set, or the sheet's first."""
    sheet = SHEETS[more["dataset"]]
    named: str = more["setting"] or sheet.settings[0]
    if named not in sheet.settings:
        raise no_such(f"setting of {more['dataset']} for people", named, sheet.settings)
    return named


def sampled_items(more: Json, corpus: Store) -> Iterator[NewItem]:
    """So many questions of the file, by chance, the same for the same seed."""
    if not more["questions_file"]:
        raise LacunaError(
            "Name the file with the questions, and their dataset: --set dataset=hotpotqa "
            "--set questions_file=dev.json"
        )
    dataset, sheet = get_dataset(more["dataset"]), SHEETS[more["dataset"]]
    setting = dataset.setting(setting_of(more))
    if setting.over_corpus and not len(corpus):
        others = [name for name in sheet.settings if not dataset.setting(name).over_corpus]
        raise LacunaError(
            f"In the setting {setting.name} people read the linked articles. Name these with "
            f"--corpus DIR, or take another setting, such as --set setting={others[0]}."
        )
    people = more["people"] or sheet.people
    for question in _sample(dataset, setting, sheet, more):
        payload = _payload(question, setting, more["dataset"], corpus)
        yield NewItem(key_of(more["dataset"], setting.name, question.id), payload, people)


def _sample(
    dataset: Dataset, setting: Setting, sheet: AnswerSheet, more: Json
) -> Iterator[Question]:
    file = QuestionFile(dataset, Path(more["questions_file"]), setting)
    if not file.with_gold:
        raise LacunaError(
            f"{file.path} has no question with an answer, so people cannot be measured on it. "
            "Give a file that holds the answers."
        )
    wanted = min(more["questions"] or sheet.questions, file.with_gold)
    chosen = set(Random(more["seed"]).sample(range(file.with_gold), wanted))
    answered = (question for question in file if question.gold and question.gold.answers)
    for number, question in enumerate(answered):
        if number in chosen:
            yield question


def _payload(question: Question, setting: Setting, dataset: str, corpus: Store) -> Json:
    arranged = setting.arrange(question)
    documents = list(arranged.documents)
    if arranged.context is not None:
        documents.insert(0, arranged.context)
        if setting.over_corpus:
            documents += _linked(arranged.context, corpus)
    assert question.gold is not None
    facts = question.gold.supporting_facts
    return {
        "dataset": dataset,
        "setting": setting.name,
        "id": question.id,
        "question": question.text,
        "fact": arranged.fact or "",
        "choices": [choice._asdict() for choice in question.choices],
        "texts": {
            str(number): _shown(document, by_sentence=SHEETS[dataset].supporting)
            for number, document in enumerate(documents)
        },
        "gold": {
            "answers": [answer_json(answer) for answer in question.gold.answers],
            "supporting": None if facts is None else [list(fact) for fact in facts],
        },
    }


def _linked(context: Document, corpus: Store) -> list[Document]:
    """The documents that a text links to, as far as the corpus has them, each once."""
    titles = dict.fromkeys(corpus.resolve(link.target) for link in context.links)
    return [corpus.document(title) for title in titles if title is not None]


def _shown(document: Document, *, by_sentence: bool) -> Json:
    """A text in parts: its sentences where these are to be marked, else its paragraphs."""
    spans = document.sentences if by_sentence else document.paragraphs
    spans = spans or (Span(0, len(document.text)),)
    return {"title": document.title, "parts": [document.text[start:end] for start, end in spans]}


LIGHT = {
    "title": "Marrow Light",
    "parts": [
        "Marrow Light is a lighthouse on the southern tip of Fenn.",
        "It was designed by Tilda Roke and first lit in 1871.",
    ],
}
ROKE = {
    "title": "Tilda Roke",
    "parts": [
        "Tilda Roke was an engineer of harbours and lighthouses.",
        "She was born in Grellby, the daughter of a rope-maker.",
    ],
}
LABELS = "ABCD"


def trial_item(dataset: str, setting: str) -> NewItem:
    """The test for a dataset, with how we answer it."""
    sheet = SHEETS[dataset]
    about: Json = {"dataset": dataset, "setting": setting, "id": "test", "fact": "", "choices": []}
    if CHOICE in sheet.kinds:
        choices = zip(LABELS, ("scarf", "steel nail", "glass bead", "oar"), strict=True)
        about |= {
            "question": "Which of these would a magnet pull?",
            "fact": "a magnet pulls iron",
            "choices": [{"label": label, "text": text} for label, text in choices],
            "texts": {},
        }
        return NewItem(f"test-{dataset}", about, gold={"kind": "choice", "choice": "B"})
    about |= {
        "question": "Where was the engineer born who designed Marrow Light?",
        "texts": {"0": LIGHT, "1": ROKE},
    }
    gold: Json = {"kind": "span", "texts": ["Grellby"]}
    if sheet.supporting:
        gold["supporting"] = [[0, 1], [1, 1]]
    return NewItem(f"test-{dataset}", about, gold=gold)


# What people reach, as the papers reckon it.
#
# Where no supporting sentences are asked for, each person's answer is scored against the file as a
# system's would be. HotpotQA (section 5.3) goes the other way about: the answer in the file is
# that of one more person; it is held against the new ones, of which the best counts, for the
# answer and for the support each by itself. The upper bound takes each person in turn, against all
# others, and of each measure the best.


Works = Sequence[FinishedWork]


def human_row(items: Sequence[Works], made: str) -> HumanRow:
    """The row of some questions, each with everybody's work on it."""
    payload = items[0][0].payload
    dataset, sheet = get_dataset(payload["dataset"]), SHEETS[payload["dataset"]]
    metric = dataset.metric()
    bound: Mapping[str, float | None] = {}
    if sheet.supporting:
        voices = [(_in_file(works[0].payload), *_given(works)) for works in items]
        rows = [_against(metric, first, others) for first, *others in voices]
        bound = metric.means([_best(metric, people) for people in voices])
    else:
        rows = [
            metric.judge(_asked(gold_of(works[0].payload)), given)
            for works in items
            for given in _given(works)
        ]
    return HumanRow(
        payload["dataset"],
        payload["setting"],
        questions=len(items),
        people=len({work.person for works in items for work in works}),
        made=made,
        measures=metric.means(rows),
        upper_bound=bound,
    )


def likeness(payload: Json, one: Json, other: Json) -> float:
    """How alike two people's answers are by the dataset's scorer, from 0 to 1."""
    metric = get_dataset(payload["dataset"]).metric()
    wanted, given = prediction_of(payload, other), prediction_of(payload, one)
    row = _judged(metric, given, wanted, wanted)
    measures = [metric.answer_measure, "sp_f1"]
    values = [row[metric.measures.index(name)] for name in measures if name in metric.measures]
    return sum(value or 0.0 for value in values) / len(values)


def mean_likeness(finished: Works) -> float | None:
    """The mean over any two people who answered the same question."""
    values = [likeness(one.payload, one.work, other.work) for one, other in pairs(finished)]
    return sum(values) / len(values) if values else None


def _in_file(payload: Json) -> Prediction:
    gold = gold_of(payload)
    return Prediction(gold.answers[0], supporting_facts=gold.supporting_facts or ())


def _given(works: Works) -> list[Prediction]:
    return [prediction_of(work.payload, work.work) for work in works]


def _against(metric: Metric, given: Prediction, others: Sequence[Prediction]) -> Row:
    """One person against others: the answer that is nearest, and the support that is."""
    answer = max(others, key=lambda other: _by(metric, given, other, "f1", "em"))
    support = max(others, key=lambda other: _by(metric, given, other, "sp_f1", "sp_em"))
    return _judged(metric, given, answer, support)


def _by(metric: Metric, given: Prediction, other: Prediction, *measures: str) -> list[float]:
    row = _judged(metric, given, other, other)
    return [row[metric.measures.index(name)] or 0.0 for name in measures]


def _judged(metric: Metric, given: Prediction, answer: Prediction, support: Prediction) -> Row:
    """One person's work by another's answer, and by somebody's support."""
    assert answer.answer is not None
    gold = Gold((answer.answer,), supporting_facts=support.supporting_facts)
    return metric.judge(_asked(gold), given)


def _asked(gold: Gold) -> Question:
    """All that a scorer looks at."""
    return Question("", "", gold=gold)


def _best(metric: Metric, people: Sequence[Prediction]) -> Row:
    rows = [
        _against(metric, one, [*people[:number], *people[number + 1 :]])
        for number, one in enumerate(people)
    ]
    return tuple(max(value or 0.0 for value in column) for column in zip(*rows, strict=True))


class HumanCheck(DeclaredTask):
    """People answer a sample of questions; the papers do not say what they paid for it."""

    name = "human-check"
    title = "Answer questions"
    instructions = "human-check"
    form = "human-check"
    shared = "texts"
    reads_shared = True
    knobs = OPTIONS
    shown_fields = ("question", "fact", "choices")
    settings = TaskSettings(pay_cents=30, minutes=60, inspect_first=0, more=defaults(OPTIONS))

    def together(self, more: Json) -> Iterable[tuple[str, str]]:
        """The setting has to be one of the dataset's."""
        try:
            setting_of(more)
        except LacunaError as error:
            yield "setting", str(error)

    def make_items(
        self, corpus: Store, settings: TaskSettings, random: Random
    ) -> Iterable[NewItem]:
        """A sample of the file, by the setting's own seed, so that it can be drawn again."""
        return sampled_items(set_to(settings, OPTIONS), corpus)

    def qualification(self, settings: TaskSettings) -> Sequence[NewItem]:
        """One question of ours."""
        more = set_to(settings, OPTIONS)
        return [trial_item(more["dataset"], setting_of(more))]

    def shown(self, payload: Json, settings: TaskSettings) -> Json:
        """The question with what may be read; never what the file answers."""
        sheet = SHEETS[payload["dataset"]]
        return {
            **super().shown(payload, settings),
            "texts": texts_in(payload),
            "kinds": [str(kind) for kind in sheet.kinds],
            "several_spans": sheet.several_spans,
            "supporting": sheet.supporting,
        }

    def check(self, payload: Json, work: Json, settings: TaskSettings) -> Sequence[FieldProblem]:
        """The answer is whole, and stands in the texts where it should."""
        return list(answer_problems(payload, work))

    def alike(self, payload: Json, work: Json, other: Json) -> float:
        """What the dataset's scorer says of it."""
        return likeness(payload, work, other)


ROW, ANSWERS = "human.json", "answers.jsonl"


class HumanFamily:
    """How well people do."""

    name = "human"
    dataset = ""
    companions: tuple[str, ...] = ()
    tasks: Sequence[CollectTask] = (HumanCheck(),)

    def agreement(self, finished: WorksByTask) -> Json:
        """How alike answers to the same question are, by the dataset's scorer."""
        return {HumanCheck.name: {"alike": mean_likeness(_sound(finished))}}

    def export(
        self,
        finished: WorksByTask,
        corpus: Store,
        out: Path,
        settings: SettingsByTask | None = None,
    ) -> Json:
        """Write the human row, and all answers that it was made from, without names."""
        items = list(by_item(_sound(finished)).values())
        if not items:
            return {"questions": 0, "written": []}
        row = human_row(items, made=datetime.now(UTC).date().isoformat())
        row.write(out / ROW)
        with replace_text(out / ANSWERS) as file:
            file.writelines(dump(line) + "\n" for line in _lines(items))
        return {
            "questions": row.questions,
            "people": row.people,
            "measures": row.measures,
            "upper_bound": row.upper_bound,
            "written": [ROW, ANSWERS],
        }


def _sound(finished: WorksByTask) -> Works:
    """What was accepted, but for repairs by hand that went wrong."""
    return [
        work
        for work in finished.get(HumanCheck.name, ())
        if not list(answer_problems(work.payload, work.work))
    ]


def _lines(items: Sequence[Works]) -> Iterator[Json]:
    people: dict[int, int] = {}
    for works in items:
        for work in works:
            given = prediction_of(work.payload, work.work)
            assert given.answer is not None
            none = get_dataset(work.payload["dataset"]).no_answer
            line: Json = {
                "id": work.payload["id"],
                "person": people.setdefault(work.person, len(people) + 1),
                "kind": str(given.answer.kind),
                "answer": given.answer.label or text_from_answer(given.answer, none),
            }
            if given.supporting_facts is not None:
                line["supporting_facts"] = [list(fact) for fact in given.supporting_facts]
            yield line


FAMILY = HumanFamily()
