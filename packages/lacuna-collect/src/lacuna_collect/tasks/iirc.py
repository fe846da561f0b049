"""IIRC's two tasks together: the answer task, agreement, and the dataset's own files."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Hashable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from html import escape
from itertools import combinations
from pathlib import Path
from typing import Any

from lacuna.answers import texts_from_answer
from lacuna.corpus.store import Store
from lacuna.datasets.drop import compare, normalise, number_value
from lacuna.datasets.iirc import MAIN, NO_ANSWER, TYPE_OF_KIND
from lacuna.files.json import Encoded, Shape, write_items
from lacuna.files.writing import replace_text
from lacuna.metrics.statistics import nominal_alpha
from lacuna.types import Answer
from lacuna_collect.tasks.iirc_questions import (
    ARTICLE,
    ARTICLES,
    MOST_SPANS,
    PARAGRAPH,
    QUESTION,
    SPLITS,
    TEST_ARTICLES,
    TEST_PARAGRAPH,
    TEXT,
    IIRCQuestions,
    entries,
    paragraph_of,
    placed,
    quoted,
    readable_texts,
    source_text,
    span_problem,
    text_problem,
)
from lacuna_collect.tasks.task import (
    CollectTask,
    DeclaredTask,
    FieldProblem,
    FinishedWork,
    Json,
    NewItem,
    SettingsByTask,
    TaskSettings,
    WorksByTask,
    by_item,
)

BAD = "bad"
TYPES = ("span", "value", "binary", "none", BAD)
"""The dataset's types of answers, and what is said of a bad question."""


@dataclass(frozen=True, slots=True)
class GivenAnswer:
    """One person's answer to one question; ``answer`` is None for a bad question."""

    answer: Answer | None
    raw: Json

    @property
    def type(self) -> str:
        """The type that the dataset's file has for it."""
        return BAD if self.answer is None else TYPE_OF_KIND[self.answer.kind]

    @property
    def texts(self) -> tuple[str, ...]:
        """What the scorer compares."""
        assert self.answer is not None
        return texts_from_answer(self.answer, NO_ANSWER)

    @property
    def same(self) -> Hashable:
        """Equal for answers that the dataset's scorer calls an exact match."""
        if self.type in (BAD, "none"):
            return self.type
        normalised = [normalise(text) for text in self.texts]
        return frozenset(normalised), len(normalised)


def given_answers(payload: Json, work: Json) -> list[GivenAnswer]:
    """The answers of a set that was checked, in the order of its questions."""
    return [
        GivenAnswer(_answer(raw, payload, number), raw)
        for number, raw in enumerate(work["answers"])
    ]


def agree(one: GivenAnswer, other: GivenAnswer) -> bool:
    """Whether two answers are the same, as the dataset's scorer sees it."""
    return one.same == other.same


def overlap(one: GivenAnswer, other: GivenAnswer) -> float:
    """The scorer's F1 of two answers, whichever is held against the other."""
    if one.answer is None or other.answer is None or "none" in (one.type, other.type):
        return float(agree(one, other))
    there, back = compare(one.texts, other.texts), compare(other.texts, one.texts)
    return (there[1] + back[1]) / 2


def _answer(raw: Json, payload: Json, number: int) -> Answer | None:
    match raw["kind"]:
        case "span":
            texts = readable_texts(payload, number)
            spans = tuple(quoted(span, texts) for span in raw["spans"])
            return Answer.span(spans[0]) if len(spans) == 1 else Answer.spans(spans)
        case "number":
            written = raw["number"].strip()
            return Answer.number(number_value(written), written, unit=raw["unit"].strip())
        case "yes":
            return Answer.yes()
        case "no":
            return Answer.no()
        case "none":
            return Answer.none()
    return None


NUMBER = re.compile(r"-?[0-9]{1,15}(\.[0-9]{1,10})?|-?[0-9]{1,3}(,[0-9]{3}){1,4}(\.[0-9]{1,10})?")
LONGEST_UNIT = 60
KINDS = ("span", "number", "yes", "no", "none", "bad")
ANSWERED = KINDS[:4]
REASONS = ("senseless", "answerable-here")


def answer_set_problems(payload: Json, work: Any) -> Iterator[FieldProblem]:
    """What is wrong, at the fields where it is."""
    answers = entries(work, "answers", len(payload["questions"]))
    if isinstance(answers, str):
        yield FieldProblem("answers", f"Answer every question: {answers}")
        return
    for number, answer in enumerate(answers):
        field = f"answers.{number}"
        kind = answer.get("kind") if isinstance(answer, dict) else None
        if not isinstance(kind, str) or kind not in KINDS:
            yield FieldProblem(f"{field}.kind", "Choose the kind of answer.")
            continue
        texts = readable_texts(payload, number)
        if kind == "span":
            yield from _span_problems(f"{field}.spans", answer.get("spans"), texts, "the answer")
        elif kind == "number":
            yield from _number_problems(field, answer)
        elif kind == "bad" and answer.get("reason") not in REASONS:
            yield FieldProblem(f"{field}.reason", "Say what is wrong with the question.")
        if kind in ANSWERED:
            evidence = {source: text for source, text in texts.items() if source != (QUESTION, "")}
            what = "what one must read to answer this"
            yield from _span_problems(f"{field}.context", answer.get("context"), evidence, what)


def _number_problems(field: str, answer: Json) -> Iterator[FieldProblem]:
    number = answer.get("number")
    if not isinstance(number, str) or not NUMBER.fullmatch(number.strip()):
        yield FieldProblem(f"{field}.number", "Write a number in digits, such as 12 or 3.5.")
    if problem := text_problem(answer.get("unit"), "what is counted, such as years", LONGEST_UNIT):
        yield FieldProblem(f"{field}.unit", problem)


def _span_problems(
    field: str, spans: Any, texts: dict[tuple[str, str], str], what: str
) -> Iterator[FieldProblem]:
    if not isinstance(spans, list) or not spans:
        yield FieldProblem(field, f"Mark {what} in the texts.")
        return
    if len(spans) > MOST_SPANS:
        yield FieldProblem(field, f"Mark at most {MOST_SPANS} places.")
        return
    seen: set[tuple[str, str, int, int]] = set()
    for number, span in enumerate(spans):
        place = f"{field}.{number}"
        text = source_text(span, texts)
        if text is None:
            yield FieldProblem(place, "This is no text that can be marked here. Remove it.")
        elif problem := span_problem(span.get("start"), span.get("end"), text):
            yield FieldProblem(place, problem)
        else:
            key = (
                span["source"],
                span["title"] if span["source"] == ARTICLE else "",
                span["start"],
                span["end"],
            )
            if key in seen:
                yield FieldProblem(place, "This place is marked twice. Remove it here.")
            seen.add(key)


BUILT = "first lit in 1887"
STONE = "its stone came by barge from the quarries of Tarrick"
OFF = "The light was turned off when the Estuary Act came into force"
SAVED = "The keeper Jonas Wree saved the crew of the Silver Hind in 1902"


def answer_trial() -> NewItem:
    """The test, and how we answer it."""
    rows = list(_rows())
    questions = [
        {
            "id": f"trial-{number}",
            "paragraph": TEST_PARAGRAPH["id"],
            "text": text,
            "context": [placed(TEXT, context)],
            "links": links,
        }
        for number, (text, context, links, _) in enumerate(rows)
    ]
    payload = {
        "set": "trial",
        "copies": 1,
        "questions": questions,
        "paragraphs": [TEST_PARAGRAPH],
        "articles": TEST_ARTICLES,
    }
    return NewItem("trial-answers", payload, gold={"answers": [gold for *_, gold in rows]})


def _rows() -> Iterable[tuple[str, str, list[str], Json]]:
    """Question, the writer's context, the writer's links, and our answer."""
    yield (
        "How old was the designer of Marl Point Light when it was first lit?",
        BUILT,
        ["Ada Fenn"],
        {
            "kind": "number",
            "number": "36",
            "unit": "years",
            "context": [_in_paragraph(BUILT), _in_article("Ada Fenn", "1851–1929")],
        },
    )
    yield (
        "Had the quarries that gave its stone closed when the light was turned off?",
        STONE,
        ["Tarrick", "Estuary Act"],
        {
            "kind": "yes",
            "context": [
                _in_article("Tarrick", "The quarries closed in 1931"),
                _in_article("Estuary Act", "came into force in 1953"),
            ],
        },
    )
    yield (
        "Who kept the light after the keeper who saved the crew?",
        SAVED,
        ["Jonas Wree"],
        {
            "kind": "span",
            "spans": [_in_article("Jonas Wree", "Peter")],
            "context": [_in_article("Jonas Wree", "His brother Peter kept the light after him")],
        },
    )
    yield (
        "What did the ship carry whose crew the keeper saved?",
        SAVED,
        ["Silver Hind"],
        {
            "kind": "span",
            "spans": [_in_article("Silver Hind", "timber")],
            "context": [_in_article("Silver Hind", "She carried timber")],
        },
    )
    yield (
        "Who voted against the act that turned off the light?",
        OFF,
        ["Estuary Act"],
        {"kind": "none"},
    )
    yield (
        "How many storeys does the river have where the light stands?",
        BUILT,
        ["Orne"],
        {"kind": "bad", "reason": "senseless"},
    )


def _in_paragraph(part: str) -> Json:
    start, end = placed(TEXT, part)
    return {"source": PARAGRAPH, "start": start, "end": end}


def _in_article(title: str, part: str) -> Json:
    start, end = placed(ARTICLES[title], part)
    return {"source": ARTICLE, "title": title, "start": start, "end": end}


SHOWN_OF_QUESTION = ("paragraph", "text", "context", "links")


class IIRCAnswers(DeclaredTask):
    """The answer task (section 2.3); its items are the question task's accepted sets."""

    name = "iirc-answers"
    title = "Answer from linked articles"
    instructions = "iirc-answers"
    form = "iirc-answers"
    shared = "articles"
    reads_shared = True
    look_at = "iirc-questions"
    settings = TaskSettings(pay_cents=300, minutes=120)

    def qualification(self, settings: TaskSettings) -> Sequence[NewItem]:
        """A set of questions about a text of our own."""
        return [answer_trial()]

    def shown(self, payload: Json, settings: TaskSettings) -> Json:
        """The questions, their paragraphs, and the articles that these link to."""
        return {
            "questions": [
                {name: question[name] for name in SHOWN_OF_QUESTION}
                for question in payload["questions"]
            ],
            "paragraphs": payload["paragraphs"],
            "articles": payload["articles"],
        }

    def check(self, payload: Json, work: Json, settings: TaskSettings) -> Sequence[FieldProblem]:
        """Every question is answered, and every place that is named is there."""
        return list(answer_set_problems(payload, work))

    def score(self, payload: Json, work: Json, gold: Json) -> float:
        """The share of questions that are answered as the gold answers them."""
        given, wanted = given_answers(payload, work), given_answers(payload, gold)
        return sum(map(agree, given, wanted)) / len(wanted)


ENOUGH = 2
"""Of several people who answered, so many must say the same."""


@dataclass(frozen=True, slots=True)
class CollectedQuestion:
    """A question with all the answers that it got, the earliest first."""

    split: str
    payload: Json
    number: int
    answers: tuple[GivenAnswer, ...]

    @property
    def question(self) -> Json:
        """The question as it is stored in its set."""
        found: Json = self.payload["questions"][self.number]
        return found

    @property
    def common(self) -> GivenAnswer:
        """The answer that most people gave; of several such, the earliest."""
        counts = Counter(answer.same for answer in self.answers)
        return max(self.answers, key=lambda answer: counts[answer.same])

    @property
    def left_out(self) -> str | None:
        """Why the question is not kept, or None."""
        common, copies = self.common, self.payload["copies"]
        voices = sum(answer.same == common.same for answer in self.answers)
        if voices < min(ENOUGH, copies):
            if len(self.answers) < copies:
                return "not answered by enough people yet"
            return "no two people agree"
        if common.type == BAD:
            return f"bad question: {common.raw['reason']}"
        return None


def answered_questions(finished: Iterable[FinishedWork]) -> list[CollectedQuestion]:
    """The questions of all sets, with everybody's answers."""
    return [question for works in by_item(finished).values() for question in _questions(works)]


def _questions(works: Sequence[FinishedWork]) -> Iterable[CollectedQuestion]:
    payload, split = works[0].payload, works[0].split
    sheets = [given_answers(payload, work.work) for work in works]
    for number, answers in enumerate(zip(*sheets, strict=True)):
        yield CollectedQuestion(split, payload, number, answers)


def answer_agreement(questions: Sequence[CollectedQuestion]) -> Json:
    """Of all questions that several people answered.

    A question's type is that of the answer most people gave. Alpha of a type looks at all
    questions: answers of that type count as what they are, all others as one label "other".
    """
    shared = [question for question in questions if len(question.answers) > 1]
    by_type = {
        type_: [question for question in shared if question.common.type == type_] for type_ in TYPES
    }
    return {
        "questions": len(shared),
        **_pairwise(shared),
        "alpha": _alpha(shared, None),
        "alpha_of_types": nominal_alpha(
            [[answer.type for answer in question.answers] for question in shared]
        ),
        "types": {
            type_: {"questions": len(some), **_pairwise(some), "alpha": _alpha(shared, type_)}
            for type_, some in by_type.items()
        },
    }


def _pairwise(questions: Sequence[CollectedQuestion]) -> Json:
    """The means over all pairs of answers to the same question."""
    pairs = [pair for question in questions for pair in combinations(question.answers, 2)]
    if not pairs:
        return {"exact": None, "f1": None}
    return {
        "exact": sum(agree(*pair) for pair in pairs) / len(pairs),
        "f1": sum(overlap(*pair) for pair in pairs) / len(pairs),
    }


def _alpha(questions: Sequence[CollectedQuestion], only: str | None) -> float | None:
    def label(answer: GivenAnswer) -> Hashable:
        return answer.same if only in (None, answer.type) else "other"

    return nominal_alpha([[label(answer) for answer in question.answers] for question in questions])


ARTICLES_FILE = "context_articles.json"


def write_files(kept: Sequence[CollectedQuestion], out: Path) -> Json:
    """Write all files, those without a question too; the counts of each."""
    out.mkdir(parents=True, exist_ok=True)
    articles = _articles(kept)
    names = _names(articles)
    counts: Json = {}
    for split in SPLITS:
        some = [question for question in kept if question.split == split]
        passages = list(_passages(some, names))
        _write(out / f"{split}.json", ((None, passage) for passage in passages), Shape.LIST)
        counts[f"{split}.json"] = {"passages": len(passages), "questions": len(some)}
    _write(
        out / ARTICLES_FILE,
        ((names[title], _html(article)) for title, article in articles.items()),
        Shape.MAP,
    )
    counts[ARTICLES_FILE] = {"articles": len(articles)}
    return counts


def _write(path: Path, items: Iterable[Encoded], shape: Shape) -> None:
    with replace_text(path) as file:
        write_items(file, items, shape, {})


def _articles(kept: Iterable[CollectedQuestion]) -> dict[str, Json]:
    """What the passages of the kept questions link to."""
    articles: dict[str, Json] = {}
    for question in kept:
        for link in paragraph_of(question.payload, question.question)["links"]:
            title = link["target"]
            articles.setdefault(title, question.payload["articles"][title])
    return dict(sorted(articles.items()))


def _names(titles: Iterable[str]) -> dict[str, str]:
    """Titles in lower case, as IIRC has them, unless two would then be the same."""
    by_name: dict[str, list[str]] = {}
    for title in titles:
        by_name.setdefault(title.lower(), []).append(title)
    return {
        title: name if len(same) == 1 else title for name, same in by_name.items() for title in same
    }


def _passages(kept: Iterable[CollectedQuestion], names: dict[str, str]) -> Iterator[Json]:
    by_passage: dict[str, list[CollectedQuestion]] = {}
    for question in kept:
        by_passage.setdefault(question.question["paragraph"], []).append(question)
    for pid, questions in by_passage.items():
        paragraph = paragraph_of(questions[0].payload, questions[0].question)
        yield {
            "pid": pid,
            "title": paragraph["title"],
            "text": paragraph["text"],
            "links": [
                {"target": names[link["target"]], "indices": [link["start"], link["end"]]}
                for link in paragraph["links"]
            ],
            "questions": [_question(question, names) for question in questions],
        }


def _question(answered: CollectedQuestion, names: dict[str, str]) -> Json:
    question, given = answered.question, answered.common
    texts = readable_texts(answered.payload, answered.number)
    context = given.raw.get("context", ()) if given.type != "none" else ()
    return {
        "qid": question["id"],
        "question": question["text"],
        "question_links": [names[title] for title in question["links"]],
        "context": [_quote(span, texts, names) for span in context],
        "answer": _official_answer(answered, names),
        **({"model_in_loop": question["loop"]} if "loop" in question else {}),
    }


def _quote(span: Json, texts: dict[tuple[str, str], str], names: dict[str, str]) -> Json:
    """A place in the passage with its offsets, one in an article by its title."""
    text = quoted(span, texts)
    if span["source"] == PARAGRAPH:
        return {"passage": MAIN, "text": text, "indices": [span["start"], span["end"]]}
    source = names[span["title"]] if span["source"] == ARTICLE else span["source"]
    return {"passage": source, "text": text}


def _official_answer(answered: CollectedQuestion, names: dict[str, str]) -> Json:
    given = answered.common
    match given.type:
        case "span":
            texts = readable_texts(answered.payload, answered.number)
            return {
                "type": "span",
                "answer_spans": [_quote(span, texts, names) for span in given.raw["spans"]],
            }
        case "value":
            assert given.answer is not None
            return {
                "type": "value",
                "answer_value": given.answer.texts[0],
                "answer_unit": given.answer.unit,
            }
        case "binary":
            return {"type": "binary", "answer_value": given.raw["kind"]}
    return {"type": "none"}


def _html(article: Json) -> str:
    """An article's paragraphs, as the dataset's file of articles has them."""
    text = article["text"]
    parts = (text[start:end] for start, end in article["paragraphs"])
    return "\n".join(f"<p>{escape(part, quote=False)}</p>" for part in parts if part.strip())


WAITING = "waits for its first answer"


class IIRCFamily:
    """IIRC."""

    name = "iirc"
    dataset = "iirc"
    companions = (ARTICLES_FILE,)
    tasks: Sequence[CollectTask] = (IIRCQuestions(), IIRCAnswers())

    def agreement(self, finished: WorksByTask) -> Json:
        """Of answers; questions are written by one person each."""
        answered = answered_questions(finished.get(IIRCAnswers.name, ()))
        return {IIRCAnswers.name: answer_agreement(answered)}

    def export(
        self,
        finished: WorksByTask,
        corpus: Store,
        out: Path,
        settings: SettingsByTask | None = None,
    ) -> Json:
        """Write train, dev and test, and the linked articles; say what was left out, and why."""
        answered = answered_questions(finished.get(IIRCAnswers.name, ()))
        written = write_files([one for one in answered if one.left_out is None], out)
        reasons = {one.question["id"]: why for one in answered if (why := one.left_out)}
        seen = {one.question["id"] for one in answered}
        for work in finished.get(IIRCQuestions.name, ()):
            ids = (f"q{work.submission}-{n}" for n in range(len(work.work.get("questions", ()))))
            reasons.update((id_, WAITING) for id_ in ids if id_ not in seen)
        return {
            "written": written,
            "left_out": {
                "questions": len(reasons),
                "reasons": dict(Counter(reasons.values()).most_common()),
                "by_question": reasons,
            },
        }


FAMILY = IIRCFamily()
