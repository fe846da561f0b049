"""IIRC's question task: questions over paragraphs, without what answers them."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from hashlib import blake2b
from itertools import islice
from random import Random
from typing import Any

from lacuna.corpus.store import Store
from lacuna.errors import LacunaError
from lacuna.metrics.metric import normalise
from lacuna.models.registry import Reader
from lacuna.types import AnswerKind, Document, Question, Span
from lacuna_collect.mining import Seed, seeds
from lacuna_collect.tasks.task import (
    Bounded,
    DeclaredTask,
    FieldProblem,
    FinishedWork,
    ItemsByTask,
    Json,
    Knobs,
    NewItem,
    TaskSettings,
    defaults,
    set_to,
)

LONGEST_LINE = 400
MOST_SPANS = 30


def text_problem(value: Any, what: str, longest: int = LONGEST_LINE) -> str | None:
    """What is wrong with a line that was typed, or None."""
    if not isinstance(value, str) or not value.strip():
        return f"Write {what}."
    if len(value) > longest:
        return f"This has {len(value)} characters; at most {longest} are allowed."
    if any(ord(letter) < 32 or 0xD800 <= ord(letter) < 0xE000 for letter in value):
        return "This has a sign that is no text, or a line break. Write it in one line."
    return None


def entries(work: Any, name: str, count: int) -> list[Any] | str:
    """The list of so many entries under a name, or what is wrong with it."""
    found = work.get(name) if isinstance(work, dict) else None
    if not isinstance(found, list) or len(found) != count:
        there = len(found) if isinstance(found, list) else 0
        return f"{count} are wanted, and there are {there}."
    return found


def span_problem(start: Any, end: Any, text: str) -> str | None:
    """What is wrong with a place in a text, or None."""
    if type(start) is not int or type(end) is not int or not 0 <= start < end <= len(text):
        return "This place does not lie in the text. Mark it again."
    marked = text[start:end]
    if marked != marked.strip():
        return "A marked place begins and ends with a word. Mark it again."
    edges = (edge for edge in (start, end) if 0 < edge < len(text))
    if any(text[edge - 1].isalnum() and text[edge].isalnum() for edge in edges):
        return "Take whole words: the marked place ends within one."
    return None


def title_problems(field: str, value: Any, allowed: frozenset[str]) -> Iterator[FieldProblem]:
    """What is wrong with a choice of links."""
    if not isinstance(value, list) or not value:
        yield FieldProblem(field, "Choose at least one link.")
    elif not all(isinstance(title, str) and title in allowed for title in value):
        yield FieldProblem(field, "Only links of the paragraph can be chosen.")
    elif len(set(value)) < len(value):
        yield FieldProblem(field, "Choose each link once.")


def targets(paragraph: Json) -> frozenset[str]:
    """The titles that a paragraph links to."""
    return frozenset(link["target"] for link in paragraph["links"])


QUESTION_OPTIONS: Knobs = {
    "fewest_links": Bounded(10, 1, 10_000),
    "paragraphs": Bounded(10, 1, 10_000),
    "questions": Bounded(10, 1, 10_000),
    "fewest_multi_link": Bounded(2, 0, 10_000),
    "sets": Bounded(100, 0, 10_000),
    "percent_dev": Bounded(10, 0, 100),
    "percent_test": Bounded(10, 0, 100),
    "annotators_train": Bounded(1, 1, 10_000),
    "annotators_evaluation": Bounded(3, 1, 10_000),
}
"""``sets`` is how many are made of the corpus, 0 for as many as it gives: every set carries the
texts of the articles that its paragraphs link to, and all of a large corpus would be huge."""


def shares_problem(more: Json) -> Iterator[tuple[str, str]]:
    """Say so where dev and test together are more than there is."""
    if more["percent_dev"] + more["percent_test"] > 100:
        yield "percent_test", "Both shares together are more than 100 percent."


SENTENCE = re.compile(r"[^ .][^.]*\.")
"""No sentence of these has a dot inside."""

TEXT = (
    "Marl Point Light stands at the mouth of the Orne and was first lit in 1887. It was designed "
    "by Ada Fenn, who had just finished Holm Bridge, and its stone came by barge from the quarries "
    "of Tarrick. The keeper Jonas Wree saved the crew of the Silver Hind in 1902 and was given the "
    "Harbour Medal for it. The light was turned off when the Estuary Act came into force."
)
ARTICLES = {
    "Orne": "The Orne is a river of 212 kilometres. It rises below Tarrick and meets the sea at "
    "Marl Point. Salmon have come back to it since 1994.",
    "Ada Fenn": "Ada Fenn (1851–1929) was an engineer. She was born in Lowick as the daughter of a "
    "mason. She built four bridges and two lighthouses.",
    "Holm Bridge": "Holm Bridge crosses the Orne at Holm. Its building took six years. It was "
    "opened in 1886 and has carried trains since 1891.",
    "Tarrick": "Tarrick is a village of slate quarries. The quarries closed in 1931. In 1887 it "
    "had 340 inhabitants.",
    "Jonas Wree": "Jonas Wree was a lighthouse keeper. He was born in Tarrick in 1860 and went to "
    "sea at the age of twelve. His brother Peter kept the light after him.",
    "Silver Hind": "The Silver Hind was a schooner with a crew of nine. She carried timber and was "
    "lost on the bar of the Orne.",
    "Harbour Medal": "The Harbour Medal is given for saving lives at sea. It is made of bronze. "
    "Three keepers have received it.",
    "Estuary Act": "The Estuary Act was passed in 1951 and came into force in 1953. It moved all "
    "lights of the estuary onto buoys.",
}


def placed(text: str, part: str) -> list[int]:
    """Where a part of a text stands."""
    start = text.index(part)
    return [start, start + len(part)]


def _sentences(text: str) -> list[list[int]]:
    return [list(found.span()) for found in SENTENCE.finditer(text)]


TEST_PARAGRAPH: Json = {
    "id": "Marl Point Light#0",
    "title": "Marl Point Light",
    "text": TEXT,
    "sentences": _sentences(TEXT),
    "links": [
        dict(zip(("start", "end"), placed(TEXT, title), strict=True), target=title)
        for title in ARTICLES
    ],
}
TEST_ARTICLES: Json = {
    title: {"text": text, "paragraphs": [[0, len(text)]], "sentences": _sentences(text)}
    for title, text in ARTICLES.items()
}

CANDIDATES: tuple[tuple[str, str, tuple[str, ...]], ...] = (
    ("How old was the designer of Marl Point Light when it was first lit?", "good", ("Ada Fenn",)),
    ("In which year was Marl Point Light first lit?", "answerable-here", ()),
    ("Of what metal is the Harbour Medal made?", "paragraph-not-needed", ()),
    (
        "Had the quarries that gave its stone closed when the light was turned off?",
        "good",
        ("Tarrick", "Estuary Act"),
    ),
    ("How many storeys does the Orne have?", "senseless", ()),
    ("How many people did the keeper save in 1902?", "good", ("Silver Hind",)),
    ("Who saved the crew of the Silver Hind?", "answerable-here", ()),
    ("When did the Estuary Act come into force?", "paragraph-not-needed", ()),
)
"""Questions for the question task's test: what to think of each, and the links that it needs."""


QUESTION, PARAGRAPH, ARTICLE = "question", "paragraph", "article"
Source = tuple[str, str]
"""What kind of text it is, and the title of an article."""


def readable_texts(payload: Json, number: int) -> dict[Source, str]:
    """The texts of one question of a set."""
    question = payload["questions"][number]
    paragraph = paragraph_of(payload, question)
    articles = {
        (ARTICLE, title): payload["articles"][title]["text"] for title in targets(paragraph)
    }
    return {(QUESTION, ""): question["text"], (PARAGRAPH, ""): paragraph["text"], **articles}


def paragraph_of(payload: Json, question: Json) -> Json:
    """The paragraph that a question is about."""
    found: Json = next(one for one in payload["paragraphs"] if one["id"] == question["paragraph"])
    return found


def source_text(span: Any, texts: dict[Source, str]) -> str | None:
    """The text that a marked place names, if it is one of these."""
    match span:
        case {"source": "article", "title": str(title)}:
            return texts.get((ARTICLE, title))
        case {"source": "question" | "paragraph" as source}:
            return texts.get((source, ""))
    return None


def quoted(span: Json, texts: dict[Source, str]) -> str:
    """What stands in a marked place that was checked."""
    text = source_text(span, texts)
    assert text is not None
    return text[span["start"] : span["end"]]


TRAIN, DEV, TEST = "train", "dev", "test"
SPLITS = (TRAIN, DEV, TEST)


def paragraph_sets(corpus: Store, options: Json) -> Iterator[tuple[str, list[Seed]]]:
    """Sets of paragraphs of one split each: as many people answer a set as its split needs.

    Which split a paragraph is in, and which set, is decided by a hash of where it stands: the same
    corpus always gives the same sets. Paragraphs that fill no set are left over. Any number of the
    first sets has the splits in about their shares.
    """
    fewest, size = options["fewest_links"], options["paragraphs"]
    by_split: dict[str, list[Seed]] = {split: [] for split in SPLITS}
    for seed in seeds(corpus, corpus.resolve, fewest):
        by_split[split_of(paragraph_id(seed), options)].append(seed)
    made: list[tuple[float, str, list[Seed]]] = []
    for split, some in by_split.items():
        some.sort(key=lambda seed: _hash(paragraph_id(seed), "order"))
        count = len(some) // size
        for number in range(count):
            part = some[number * size : (number + 1) * size]
            made.append(((number + 0.5) / count, split, part))
    if not made:
        found = sum(map(len, by_split.values()))
        raise LacunaError(
            f"The corpus has {found} paragraphs with links to at least {fewest} other "
            f"articles, and no split has the {size} that make a set. Set a lower "
            "fewest_links or paragraphs, as in `lacuna collect init … --set fewest_links=3`, or "
            "give a larger corpus; `lacuna corpus seeds --links N` lists such paragraphs."
        )
    for _, split, part in sorted(made, key=lambda one: one[:2]):
        yield split, part


def paragraph_id(seed: Seed) -> str:
    """What a paragraph is called: its article, and where it begins there."""
    return f"{seed.context.title}#{seed.span.start}"


def split_of(paragraph: str, options: Json) -> str:
    """The split of a paragraph, by its name alone."""
    place = _hash(paragraph, "split") % 100
    if place < options["percent_test"]:
        return TEST
    return DEV if place < options["percent_test"] + options["percent_dev"] else TRAIN


def set_key(paragraphs: Iterable[str]) -> str:
    """A name for a set, whatever order its paragraphs have."""
    return f"set-{_hash(chr(10).join(sorted(paragraphs)), 'set'):016x}"


def raw_paragraph(seed: Seed, corpus: Store) -> Json:
    """A paragraph with those of its links that lead to another article."""
    context = seed.context
    resolved = ((link, corpus.resolve(link.target)) for link in context.links)
    return {
        "id": paragraph_id(seed),
        "title": context.title,
        "text": context.text,
        "sentences": _pairs(context.sentences),
        "links": [
            {"start": link.start, "end": link.end, "target": title}
            for link, title in resolved
            if title in seed.targets
        ],
    }


def raw_article(document: Document) -> Json:
    """An article as it can be read and quoted: its text, which images are no part of."""
    return {
        "text": document.text,
        "paragraphs": _pairs(document.paragraphs or (Span(0, len(document.text)),)),
        "sentences": _pairs(document.sentences),
    }


def _pairs(spans: Iterable[Span]) -> list[list[int]]:
    return [[start, end] for start, end in spans]


def _hash(text: str, purpose: str) -> int:
    digest = blake2b(text.encode(errors="surrogatepass"), digest_size=8, person=purpose.encode())
    return int.from_bytes(digest.digest())


def question_set_problems(payload: Json, work: Any, options: Json) -> Iterator[FieldProblem]:
    """What is wrong, at the fields where it is."""
    questions = entries(work, "questions", options["questions"])
    if isinstance(questions, str):
        yield FieldProblem("questions", questions)
        return
    paragraphs = {one["id"]: one for one in payload["paragraphs"]}
    seen: dict[str, int] = {}
    multi = 0
    for number, question in enumerate(questions):
        field = f"questions.{number}"
        found = list(_question_problems(field, question, paragraphs))
        yield from found
        wrong = {problem.field for problem in found}
        if wrong.isdisjoint((field, f"{field}.paragraph", f"{field}.links")):
            multi += len(question["links"]) > 1
        if found:
            continue
        words = normalise(question["text"])
        if words in seen:
            first = seen[words] + 1
            yield FieldProblem(f"{field}.text", f"This is question {first} once more.")
        seen.setdefault(words, number)
    if multi < options["fewest_multi_link"]:
        yield FieldProblem(
            "questions",
            f"At least {options['fewest_multi_link']} of the questions need two or more links; "
            f"so far there are {multi}.",
        )


def _question_problems(
    field: str, question: Any, paragraphs: dict[str, Json]
) -> Iterator[FieldProblem]:
    if not isinstance(question, dict):
        yield FieldProblem(field, "Write a question here.")
        return
    if problem := text_problem(question.get("text"), "a question"):
        yield FieldProblem(f"{field}.text", problem)
    elif len(normalise(question["text"]).split()) < 2:
        yield FieldProblem(f"{field}.text", "Write a whole question, of several words.")
    name = question.get("paragraph")
    paragraph = paragraphs.get(name) if isinstance(name, str) else None
    if paragraph is None:
        yield FieldProblem(f"{field}.paragraph", "Choose the paragraph that this is about.")
        return
    if problem := _context_problem(question.get("context"), paragraph["text"]):
        yield FieldProblem(f"{field}.context", problem)
    yield from title_problems(f"{field}.links", question.get("links"), targets(paragraph))


def _context_problem(context: Any, text: str) -> str | None:
    if not isinstance(context, list) or not context:
        return "Mark at least one place in the paragraph that the question builds on."
    if len(context) > MOST_SPANS:
        return f"Mark at most {MOST_SPANS} places."
    last = 0
    for span in context:
        if not isinstance(span, list) or len(span) != 2:
            return "A marked place has a beginning and an end. Mark it again."
        if problem := span_problem(span[0], span[1], text):
            return problem
        if span[0] < last:
            return "Marked places stand in the order of the text and do not overlap."
        last = span[1]
    return None


# The question task's test: others' questions about a paragraph, to be told apart.
#
# What somebody writes can be scored by nobody but a person, who looks at the first sets; whether
# they know a good question when they see one can be scored here.


JUDGING = "judging"
GOOD = "good"
VERDICTS = {
    GOOD: "Good: it needs the paragraph, and at least one linked article",
    "answerable-here": "Bad: the paragraph alone answers it",
    "paragraph-not-needed": "Bad: one linked article answers it, without the paragraph",
    "senseless": "Bad: it makes no sense, or mistakes what the paragraph says",
}


def judging_item() -> NewItem:
    """The test, with what we think of its questions."""
    payload = {
        "kind": JUDGING,
        "paragraph": TEST_PARAGRAPH,
        "candidates": [text for text, _, _ in CANDIDATES],
    }
    gold = [{"verdict": verdict, "links": list(links)} for _, verdict, links in CANDIDATES]
    return NewItem("test-judging", payload, gold={"judgements": gold})


def shown_judging(payload: Json) -> Json:
    """All of it, and what can be chosen."""
    verdicts = [{"name": name, "label": label} for name, label in VERDICTS.items()]
    return {**payload, "verdicts": verdicts}


def judging_problems(payload: Json, work: Any) -> Iterator[FieldProblem]:
    """What is missing or wrong."""
    judgements = entries(work, "judgements", len(payload["candidates"]))
    if isinstance(judgements, str):
        yield FieldProblem("judgements", f"Judge every question: {judgements}")
        return
    allowed = targets(payload["paragraph"])
    for number, judgement in enumerate(judgements):
        field = f"judgements.{number}"
        verdict = judgement.get("verdict") if isinstance(judgement, dict) else None
        if not isinstance(verdict, str) or verdict not in VERDICTS:
            yield FieldProblem(f"{field}.verdict", "Say what you think of this question.")
        elif verdict == GOOD:
            yield from title_problems(f"{field}.links", judgement.get("links"), allowed)


def judging_score(work: Json, gold: Json) -> float:
    """The share of right verdicts; a good question's other half is the links that it needs."""
    pairs = list(zip(work["judgements"], gold["judgements"], strict=True))
    return sum(_right(given, wanted) for given, wanted in pairs) / len(pairs)


def _right(given: Json, wanted: Json) -> float:
    if given["verdict"] != wanted["verdict"]:
        return 0.0
    if wanted["verdict"] != GOOD:
        return 1.0
    return 1.0 if set(given["links"]) == set(wanted["links"]) else 0.5


ANSWERABLE = "This one is answerable here: the model answers “{}” from the paragraph alone."
NOT_ANSWERABLE = "The model does not find the answer in the paragraph. That is how it should be."


def says_reader(reader: Reader, payload: Json, work: Any, part: str) -> Json:
    """What a reader makes of one question with nothing but its paragraph."""
    asked = _question(payload, work, part)
    if isinstance(asked, str):
        return {"message": asked}
    (prediction,) = reader.read([asked])
    answer = prediction.answer
    if answer is None or answer.kind is AnswerKind.NONE:
        return {"question": asked.text, "answerable": False, "message": NOT_ANSWERABLE}
    return {
        "question": asked.text,
        "answerable": True,
        "answer": answer.text,
        "confidence": prediction.confidence,
        "message": ANSWERABLE.format(answer.text),
    }


def _question(payload: Json, work: Any, part: str) -> Question | str:
    """The question that is meant, or why there is none."""
    list_name, _, number = part.partition(".")
    questions = work.get("questions") if isinstance(work, dict) else None
    if list_name != "questions" or not isinstance(questions, list) or not number.isdecimal():
        return "There is no such question."
    question = questions[int(number)] if len(number) < 6 and int(number) < len(questions) else None
    if not isinstance(question, dict):
        return "There is no such question."
    if problem := text_problem(question.get("text"), "the question first"):
        return problem
    for paragraph in payload.get("paragraphs", ()):
        if paragraph["id"] == question.get("paragraph"):
            sentences = tuple(Span(start, end) for start, end in paragraph["sentences"])
            context = Document(paragraph["title"], paragraph["text"], sentences)
            return Question(part, question["text"].strip(), context)
    return "Choose the paragraph first that this is about."


WRITING = "writing"


class IIRCQuestions(DeclaredTask):
    """The question task (section 2.2)."""

    name = "iirc-questions"
    title = "Ask what a paragraph leaves out"
    instructions = "iirc-questions"
    form = "iirc-questions"
    shared = "articles"
    reads_shared = False
    knobs = QUESTION_OPTIONS
    settings = TaskSettings(pay_cents=400, minutes=120, more=defaults(QUESTION_OPTIONS))

    def together(self, more: Json) -> Iterable[tuple[str, str]]:
        """A set must be able to have what it has to have."""
        if more["fewest_multi_link"] > more["questions"]:
            yield "fewest_multi_link", "There are not that many questions in a set."
        if more["fewest_multi_link"] and more["fewest_links"] < 2:
            yield "fewest_links", "A question that needs two links needs a paragraph with two."
        yield from shares_problem(more)

    def make_items(
        self, corpus: Store, settings: TaskSettings, random: Random
    ) -> Iterable[NewItem]:
        """Sets of paragraphs; the texts of their links come along, for those who answer."""
        options = set_to(settings, QUESTION_OPTIONS)
        for split, chosen in islice(paragraph_sets(corpus, options), options["sets"] or None):
            paragraphs = [raw_paragraph(seed, corpus) for seed in chosen]
            titles = dict.fromkeys(title for seed in chosen for title in seed.targets)
            payload = {
                "kind": WRITING,
                "paragraphs": paragraphs,
                "articles": {title: raw_article(corpus.document(title)) for title in titles},
            }
            yield NewItem(set_key(one["id"] for one in paragraphs), payload, split=split)

    def follow_up(self, finished: FinishedWork, settings: TaskSettings) -> ItemsByTask:
        """A set to be answered, by one person or by several, and never by who wrote it."""
        if finished.payload.get("kind") != WRITING:
            return {}
        options = set_to(settings, QUESTION_OPTIONS)
        training = finished.split in ("", TRAIN)
        copies = options["annotators_train" if training else "annotators_evaluation"]
        payload = _to_be_answered(finished, copies)
        key = f"answers-{finished.submission}"
        item = NewItem(key, payload, copies, finished.split or TRAIN, not_for=(finished.person,))
        return {"iirc-answers": [item]}

    def qualification(self, settings: TaskSettings) -> Sequence[NewItem]:
        """Questions by others, to be told apart into good and bad ones."""
        return [judging_item()]

    def shown(self, payload: Json, settings: TaskSettings) -> Json:
        """The paragraphs with the titles of their links; never the articles."""
        if payload["kind"] == JUDGING:
            return shown_judging(payload)
        options = set_to(settings, QUESTION_OPTIONS)
        return {
            "kind": WRITING,
            "paragraphs": payload["paragraphs"],
            "questions": options["questions"],
            "fewest_multi_link": options["fewest_multi_link"],
        }

    def check(self, payload: Json, work: Json, settings: TaskSettings) -> Sequence[FieldProblem]:
        """Every question is whole, and enough of them need two links."""
        if payload["kind"] == JUDGING:
            return list(judging_problems(payload, work))
        return list(question_set_problems(payload, work, set_to(settings, QUESTION_OPTIONS)))

    def score(self, payload: Json, work: Json, gold: Json) -> float:
        """How many of the test's questions were judged rightly; no two written sets compare."""
        if payload["kind"] != JUDGING:
            return float(work == gold)
        return judging_score(work, gold)

    def ask_model(self, reader: Reader, payload: Json, work: Json, part: str) -> Json:
        """Whether a reader answers a question (``questions.3``) from its paragraph alone."""
        return says_reader(reader, payload, work, part)


def _to_be_answered(finished: FinishedWork, copies: int) -> Json:
    questions = [
        {"id": f"q{finished.submission}-{number}", **_written(question), **loop}
        for number, question, loop in _numbered(finished)
    ]
    used = {question["paragraph"] for question in questions}
    paragraphs = [one for one in finished.payload["paragraphs"] if one["id"] in used]
    linked = {link["target"] for one in paragraphs for link in one["links"]}
    articles = finished.payload["articles"]
    return {
        "set": finished.item_key,
        "copies": copies,
        "questions": questions,
        "paragraphs": paragraphs,
        "articles": {title: text for title, text in articles.items() if title in linked},
    }


def _numbered(finished: FinishedWork) -> Iterator[tuple[int, Json, Json]]:
    for number, question in enumerate(finished.work["questions"]):
        said: Any = finished.loop.get(f"questions.{number}")
        # What was said of an earlier wording is of no use.
        fits = isinstance(said, dict) and said.get("question") == question["text"].strip()
        yield number, question, {"loop": said} if fits else {}


def _written(question: Json) -> Json:
    return {
        "paragraph": question["paragraph"],
        "text": question["text"].strip(),
        "context": question["context"],
        "links": question["links"],
    }
