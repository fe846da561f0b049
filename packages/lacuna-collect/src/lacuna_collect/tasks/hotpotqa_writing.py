"""What HotpotQA's tasks share: settings, paragraphs, tests, what makes a question good."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from lacuna.answers import AnswerMode, answer_from_text, text_from_answer
from lacuna.datasets.hotpotqa import NO_ANSWER, HotpotQAMetric, document_of, sentences_of
from lacuna.models.registry import Reader
from lacuna.text import STOP_WORDS
from lacuna.types import AnswerKind, Document, Gold, Prediction, Question, Span, SupportingFact
from lacuna_collect.mining import Pair, PairKind, ResolveTitle, first_paragraph
from lacuna_collect.tasks.task import (
    MOST_BONUS_CENTS,
    Bounded,
    FieldProblem,
    FileName,
    Json,
    Knobs,
    Names,
    NewItem,
)

MANY = 10**6

CURATION: Knobs = {
    "groups_file": FileName(),
    "pairs_per_group": Bounded(10, 1, 100),
    "copies": Bounded(1, 1, 9),
    "least_rate": Bounded(0.5),
    "seed": Bounded(13, 0, 2**31),
}
QUESTIONS: Knobs = {
    "bridge_ratio": Bounded(0.75),
    "yes_no_ratio": Bounded(0.5),
    "categories_file": FileName(),
    "lists_file": FileName(),
    "chosen_categories": Names(),
    "chosen_lists": Names(),
    "longest_question": Bounded(130, 5, 500),
    "sample_one_in": Bounded(4, 1, 1000),
    "sample_most": Bounded(10, 1, 1000),
    "best_every": Bounded(200, 1, MANY),
    "best_workers": Bounded(3, 0, 1000),
    "best_cents": Bounded(500, 0, MOST_BONUS_CENTS),
    "pace_every": Bounded(50, 1, MANY),
    "pace_least_per_hour": Bounded(20.0, 0, MANY),
    "pace_cents": Bounded(200, 0, MOST_BONUS_CENTS),
    "top_share": Bounded(0.7),
    "sample_least": Bounded(3, 1, 1000),
    "single_hop_share": Bounded(0.8),
    "split_models": Names(("small",), (0, 1, 3)),
    "medium_loss": Bounded(0.7, 0, 100),
    "seed": Bounded(13, 0, 2**31),
}


def kept_paragraph(document: Document) -> Json:
    """The first paragraph of a document; without sentences where it has no text."""
    paragraph = first_paragraph(document)
    return {"title": document.title, "sentences": _sentences(paragraph)}


def paragraph_document(kept: Json) -> Document:
    """The kept paragraph as a document of its own."""
    return document_of(str(kept["title"]), kept["sentences"])


def anchors(document: Document, target: str, resolve: ResolveTitle) -> list[Json]:
    """Where the first paragraph of a document links to a title: the sentence and its characters."""
    paragraph = first_paragraph(document)
    spans = paragraph.sentences or ((0, len(paragraph.text)),)
    found = []
    for link in paragraph.links:
        if resolve(link.target) != target:
            continue
        for number, (start, end) in enumerate(spans):
            if start <= link.start and link.end <= end:
                place = {"start": link.start - start, "end": link.end - start}
                found.append({"sentence": number, **place})
    return found


def _sentences(paragraph: Document) -> list[str]:
    sentences = sentences_of(paragraph)
    return sentences if any(sentence.strip() for sentence in sentences) else []


FIELDS = ("question", "answer", "supporting")
YES_NO = ("yes", "no")
NOT_TEXT = ("Cc", "Cs")
"""Unicode's classes of what nobody can read: control characters, half a character."""


@dataclass(frozen=True, slots=True)
class WrittenQuestion:
    """A question, its answer, and the places of its supporting sentences."""

    question: str
    answer: str
    supporting: tuple[tuple[int, int], ...]
    """Paragraph (0 or 1) and sentence, from 0."""

    @classmethod
    def of(cls, payload: Json, work: Json) -> WrittenQuestion:
        """What checked work says; an item of the test brings its own question."""
        question = payload.get("given_question") or work["question"]
        places = tuple(sorted((paragraph, sentence) for paragraph, sentence in work["supporting"]))
        return cls(question.strip(), work["answer"].strip(), places)

    def facts(self, payload: Json) -> tuple[SupportingFact, ...]:
        """The supporting sentences by the titles of their paragraphs."""
        titles = [paragraph["title"] for paragraph in payload["paragraphs"]]
        return tuple(SupportingFact(titles[place], number) for place, number in self.supporting)


def paragraphs_in(payload: Json) -> list[Document]:
    """Both paragraphs of an item."""
    return [paragraph_document(paragraph) for paragraph in payload["paragraphs"]]


def is_readable(value: Any) -> bool:
    """Whether a value is a text of characters that can be read and written to a file."""
    return isinstance(value, str) and not any(
        unicodedata.category(character) in NOT_TEXT for character in value
    )


def is_place(value: Any, payload: Json) -> bool:
    """Whether a value is a sentence of one of the paragraphs."""
    if not isinstance(value, list) or len(value) != 2:
        return False
    paragraph, sentence = value
    if type(paragraph) is not int or type(sentence) is not int or paragraph not in (0, 1):
        return False
    return 0 <= sentence < len(payload["paragraphs"][paragraph]["sentences"])


# Whether a text stands in another as whole tokens: "Osk" does not stand in "Oskhaven".
#
# A number is one token with the points and commas inside it, a word with its hyphens; an
# apostrophe ends a word, so that "the ship's" has "the ship". Everything else is a token by
# itself.


TOKEN = re.compile(r"\d+(?:[.,:]\d+)*|[^\W\d_]+(?:-[^\W\d_]+)*|\w+|\S")


def token_count(text: str) -> int:
    """How many tokens a text has."""
    return sum(1 for _ in TOKEN.finditer(text))


def whole_places(text: str, part: str) -> Iterator[Span]:
    """Where a part stands in a text as whole tokens.

    >>> list(whole_places("Oskhaven on Osk, 1,897 people", "Osk"))
    [Span(start=12, end=15)]
    >>> list(whole_places("1,897 people", "897"))
    []
    """
    if not part:
        return
    edges: tuple[set[int], set[int]] | None = None
    at = text.find(part)
    while at >= 0:
        if edges is None:
            tokens = [token.span() for token in TOKEN.finditer(text)]
            edges = {start for start, _ in tokens}, {end for _, end in tokens}
        if at in edges[0] and at + len(part) in edges[1]:
            yield Span(at, at + len(part))
        at = text.find(part, at + 1)


def stands_whole(text: str, part: str) -> bool:
    """Whether a part stands somewhere in a text as whole tokens."""
    return next(whole_places(text, part), None) is not None


def as_written(text: str, part: str) -> str:
    """How a text writes a part that it has in other capitals or with other blanks; else empty."""
    words = part.split()
    if not words:
        return ""
    found = re.search(r"\s+".join(map(re.escape, words)), text, re.IGNORECASE)
    return found.group() if found and stands_whole(text, found.group()) else ""


# Complete names: a question that says "Penhale" for "Agnes Penhale" cannot be found by itself.
#
# The paper asked its workers for complete names, so that most questions are clear without their
# paragraphs. Here the server looks: what a title is called without what only tells it apart, and
# the words of it that are no name by themselves.


TELLS_APART = re.compile(r"\s*\([^()]*\)\s*$")
SHORTEST = 3


def plain_name(title: str) -> str:
    """A title without the brackets that tell it apart from others.

    >>> plain_name("Kestrel (ship)")
    'Kestrel'
    """
    return TELLS_APART.sub("", title) or title


def short_forms(title: str, resolve: ResolveTitle) -> list[str]:
    """The words of a name that stand for it, but are not the whole of it.

    A word that is a title by itself names something else, and small words name nothing.

    >>> short_forms("Battle of Osk Roads", {"Osk": "Osk"}.get)
    ['Battle', 'Roads']
    """
    words = re.findall(r"[^\W_]+", plain_name(title))
    if len(words) < 2:
        return []
    return [
        word
        for word in dict.fromkeys(words)
        if len(word) >= SHORTEST
        and word[0].isupper()
        and word.lower() not in STOP_WORDS
        and resolve(word) is None
    ]


def names_whole(question: str, title: str) -> bool:
    """Whether a question has the complete name, in whatever capitals."""
    return stands_whole(question.casefold(), plain_name(title).casefold())


def named_in_part(question: str, title: str, short: list[str]) -> str:
    """The word by which a question names something incompletely; empty if it does not."""
    if names_whole(question, title):
        return ""
    # The first word of a question has a capital letter whatever it is.
    _, _, rest = question.strip().partition(" ")
    return next((word for word in short if stands_whole(rest, word)), "")


def hints_for(pair: Pair) -> Json:
    """A hint for each step: reading, the question, the answer, the supporting sentences."""
    if pair.kind is PairKind.BRIDGE:
        return _bridge(pair)
    return _yes_no(pair) if pair.yes_no else _comparison(pair)


def _bridge(pair: Pair) -> Json:
    return {
        "read": (
            f"The first paragraph is about {pair.first} and mentions {pair.second}, which the "
            f"second paragraph is about. {pair.second} is the bridge between them."
        ),
        "question": (
            f"Ask something that takes both paragraphs. One good way: do not name {pair.second}, "
            "say what the first paragraph tells instead, and ask for something that only the "
            f"second one tells. Or ask about {pair.first} by way of {pair.second}."
        ),
        "answer": "The answer stands in one of the paragraphs, word for word.",
        "supporting": (
            "Mark every sentence that is needed to get there: the one that leads to "
            f"{pair.second}, and the one with the answer."
        ),
    }


def _comparison(pair: Pair) -> Json:
    return {
        "read": (
            f"{pair.first} and {pair.second} are of one kind ({pair.group}). Look for something "
            "that both paragraphs tell: a date, a size, a place, a number of something."
        ),
        "question": (
            f"Compare {pair.first} and {pair.second}, and name both: which is older, which is "
            "larger, which was first … Nobody should be able to tell from one paragraph alone."
        ),
        "answer": "The answer is a piece of one of the paragraphs, or one of the two names.",
        "supporting": "Mark the sentence of each paragraph that the comparison rests on.",
    }


def _yes_no(pair: Pair) -> Json:
    return {
        "read": (
            f"{pair.first} and {pair.second} are of one kind ({pair.group}). Look for something "
            "that they share, or in which they differ."
        ),
        "question": (
            f"Ask a question about {pair.first} and {pair.second} that is answered with yes or "
            "no, and name both: are they from the same place, are both older than … One "
            "paragraph alone should not settle it."
        ),
        "answer": "Yes or no.",
        "supporting": "Mark the sentence of each paragraph that shows it.",
    }


LIGHT = {
    "title": "Marrow Light",
    "sentences": [
        "Marrow Light is a lighthouse on the southern tip of Fenn.",
        "It was designed by Tilda Roke and first lit in 1871.",
        "The tower is 31 metres high.",
    ],
}
ROKE = {
    "title": "Tilda Roke",
    "sentences": [
        "Tilda Roke (1829–1903) was an engineer of harbours and lighthouses.",
        "She was born in Grellby, the daughter of a rope-maker.",
        "Her first work was the breakwater of Sell.",
    ],
}
HOLM = {
    "title": "Holm Beacon",
    "sentences": [
        "Holm Beacon is a lighthouse in the strait between Fenn and Arrel.",
        "It was built of iron in 1884 and is 24 metres high.",
    ],
}
FERRY = {
    "title": "Wide Water",
    "sentences": [
        "The Wide Water was a ferry between Fenn and Arrel.",
        "She was launched in 1910 and broken up in 1952.",
    ],
}
SECOND_FERRY = {
    "title": "Queen of Fenn",
    "sentences": [
        "The Queen of Fenn is a ferry, now a restaurant in Grellby.",
        "She was launched in 1931 and carried 300 passengers.",
    ],
}
UNIT = {"title": "Cubic metre", "sentences": ["The cubic metre is a unit of volume."]}
FENN = {
    "title": "Fenn",
    "sentences": ["Fenn is an island in the north.", "It has 2,300 inhabitants."],
}


def questions() -> Sequence[NewItem]:
    """A bridge question and two comparisons; answers and supporting sentences are wanted."""
    return (
        _test_question(
            Pair(PairKind.BRIDGE, "Marrow Light", "Tilda Roke"),
            (LIGHT, ROKE),
            "Where was the engineer born who designed Marrow Light?",
            "Grellby",
            [[0, 1], [1, 1]],
        ),
        _test_question(
            Pair(PairKind.COMPARISON, "Marrow Light", "Holm Beacon", group="lighthouse"),
            (LIGHT, HOLM),
            "Which lighthouse is higher, Marrow Light or Holm Beacon?",
            "Marrow Light",
            [[0, 2], [1, 1]],
        ),
        _test_question(
            Pair(PairKind.COMPARISON, "Wide Water", "Queen of Fenn", True, "ferry"),
            (FERRY, SECOND_FERRY),
            "Were both the Wide Water and the Queen of Fenn launched before 1920?",
            "no",
            [[0, 1], [1, 1]],
        ),
    )


def categories() -> Sequence[NewItem]:
    """A category with pairs that give a question, and pairs that do not."""
    pairs = [
        (_pair("bridge", LIGHT, ROKE, (1, 19, 29)), True),
        (_pair("bridge", LIGHT, FENN, (0, 52, 56)), True),
        (_pair("bridge", FERRY, UNIT), False),
        (_pair("bridge", FENN, UNIT), False),
    ]
    return (_group("engineers and units", pairs),)


def lists() -> Sequence[NewItem]:
    """A list with pairs that can be compared, and pairs that cannot."""
    pairs = [
        (_pair("comparison", LIGHT, HOLM), True),
        (_pair("comparison", FERRY, SECOND_FERRY), True),
        (_pair("comparison", ROKE, UNIT), False),
        (_pair("comparison", UNIT, HOLM), False),
    ]
    return (_group("things of Fenn", pairs),)


def hops() -> Sequence[NewItem]:
    """Questions that take one paragraph, and some that take both."""
    asked = (
        (LIGHT, ROKE, "Where was the engineer born who designed Marrow Light?", "Grellby", "both"),
        (LIGHT, ROKE, "Where was Tilda Roke, an engineer, born?", "Grellby", "one"),
        (LIGHT, HOLM, "Is Marrow Light or Holm Beacon built of iron?", "Holm Beacon", "one"),
        (LIGHT, HOLM, "Was Marrow Light lit before Holm Beacon was built?", "yes", "both"),
    )
    return tuple(
        NewItem(
            f"test-{number}",
            {"paragraphs": [first, second], "question": question, "answer": answer},
            gold={"needs": needs},
        )
        for number, (first, second, question, answer, needs) in enumerate(asked, 1)
    )


def _test_question(
    pair: Pair,
    paragraphs: tuple[Json, Json],
    question: str,
    answer: str,
    supporting: list[list[int]],
) -> NewItem:
    payload: Json = {
        "kind": str(pair.kind),
        "yes_no": pair.yes_no,
        "group": pair.group,
        "paragraphs": list(paragraphs),
        "anchors": [],
        "short_names": [[], []],
        "hints": hints_for(pair),
        "given_question": question,
    }
    gold = {"answer": answer, "supporting": supporting}
    return NewItem(f"test-{pair.first}-{pair.second}", payload, gold=gold)


def _pair(kind: str, first: Json, second: Json, anchor: tuple[int, int, int] | None = None) -> Json:
    anchors = []
    if anchor:
        anchors = [dict(zip(("sentence", "start", "end"), anchor, strict=True))]
    return {"kind": kind, "paragraphs": [first, second], "anchors": anchors}


def _group(name: str, pairs: Sequence[tuple[Json, bool]]) -> NewItem:
    payload = {"group": name, "size": 2 * len(pairs), "pairs": [pair for pair, _ in pairs]}
    return NewItem("test", payload, gold={"askable": [askable for _, askable in pairs]})


LONGEST = 5000
"""Characters of a text that is looked at in detail at all."""
LEANS = re.compile(
    r"\b(?:(?:first|second|above|this|these|both|following|given) (?:paragraph|passage|text)s?"
    r"|(?:paragraph|passage)s? (?:[AB12]|above|one|two))\b",
    re.IGNORECASE,
)
"""What makes a question depend on the paragraphs that its writer sees."""


def check_question(payload: Json, work: object, longest: int) -> list[FieldProblem]:
    """Say what is wrong; ``work`` may be anything that JSON can say."""
    if not isinstance(work, dict):
        return [FieldProblem("", "This is not a question with its answer.")]
    problems = list(_shape(payload, work))
    wrong = {problem.field for problem in problems}
    if "answer" in wrong or "question" in wrong:
        return problems
    # What else is wrong is said at the same time.
    sound = {**work, "supporting": []} if "supporting" in wrong else work
    written = WrittenQuestion.of(payload, sound)
    if "given_question" not in payload:
        problems += _question(payload, written, longest)
    problems += _answer(payload, written)
    if "supporting" not in wrong:
        problems += _supporting(payload, written)
    return problems


def _shape(payload: Json, work: Json) -> Iterator[FieldProblem]:
    if not set(work) <= set(FIELDS):
        yield FieldProblem("", f"Only these can be handed in: {', '.join(FIELDS)}.")
    needed = ("answer",) if "given_question" in payload else ("question", "answer")
    for name in needed:
        value = work.get(name, "")
        if not is_readable(value):
            yield FieldProblem(name, "Write one line of readable characters.")
        elif not value.strip():
            yield FieldProblem(name, f"Write the {name}.")
        elif len(value) > LONGEST:
            yield FieldProblem(name, f"This is too long: at most {LONGEST:,} characters.")
    places = work.get("supporting", [])
    if not isinstance(places, list) or not all(is_place(place, payload) for place in places):
        yield FieldProblem("supporting", "Mark sentences of the two paragraphs.")
    elif len({tuple(place) for place in places}) < len(places):
        yield FieldProblem("supporting", "A sentence is marked twice.")
    elif {place[0] for place in places} != {0, 1}:
        yield FieldProblem("supporting", "Mark at least one sentence of each paragraph.")


def _question(payload: Json, written: WrittenQuestion, longest: int) -> Iterator[FieldProblem]:
    size = token_count(written.question)
    if size < SHORTEST:
        yield FieldProblem("question", "Write a whole question.")
    if size > longest:
        yield FieldProblem("question", f"This has {size} words; {longest} are the most.")
    if LEANS.search(written.question):
        yield FieldProblem(
            "question",
            "Others will read this question without the paragraphs: do not speak of them in it.",
        )
    compares = payload["kind"] == PairKind.COMPARISON
    for paragraph, short in zip(payload["paragraphs"], payload["short_names"], strict=True):
        title = paragraph["title"]
        name = plain_name(title)
        part = named_in_part(written.question, title, short)
        if part:
            message = f"Write complete names: “{name}”, not “{part}” alone."
            yield FieldProblem("question", message)
        elif compares and not names_whole(written.question, title):
            yield FieldProblem("question", f"Compare the two by their complete names: “{name}”.")
    is_span = written.answer.casefold() not in YES_NO
    if not compares and is_span and stands_whole(written.question, written.answer):
        yield FieldProblem("question", "The question gives its own answer away.")


def _answer(payload: Json, written: WrittenQuestion) -> Iterator[FieldProblem]:
    answer = written.answer
    if payload["yes_no"]:
        if answer not in YES_NO:
            yield FieldProblem("answer", "Ask something that is answered with yes or no.")
        return
    if answer.casefold() in (*YES_NO, NO_ANSWER):
        message = "Ask something that a piece of a paragraph answers, not yes or no."
        yield FieldProblem("answer", message)
        return
    texts = _answering_texts(payload)
    if any(stands_whole(text, answer) for text in texts):
        return
    if better := next(filter(None, (as_written(text, answer) for text in texts)), ""):
        yield FieldProblem("answer", f"Write it as the paragraph does: “{better}”.")
    elif any(answer in text for text in texts):
        yield FieldProblem("answer", "Take whole words: the answer ends within one.")
    else:
        yield FieldProblem("answer", "This does not stand in either paragraph, word for word.")


def _supporting(payload: Json, written: WrittenQuestion) -> Iterator[FieldProblem]:
    if payload["kind"] == PairKind.COMPARISON:
        return
    documents = paragraphs_in(payload)
    if not any(stands_whole(document.text, written.answer) for document in documents):
        return  # said at the answer
    marked = [(documents[place], documents[place].sentences[n]) for place, n in written.supporting]
    for document, sentence in marked:
        for place in whole_places(document.text, written.answer):
            if place.start < sentence.end and sentence.start < place.end:
                return
    yield FieldProblem("supporting", "Mark a sentence that has the answer, too.")


def _answering_texts(payload: Json) -> list[str]:
    """The paragraphs; of a comparison also what is compared, which a paragraph may call "it"."""
    texts = [document.text for document in paragraphs_in(payload)]
    if payload["kind"] == PairKind.COMPARISON:
        texts += [plain_name(paragraph["title"]) for paragraph in payload["paragraphs"]]
    return texts


ALIKE = 0.8
"""From this F1 on, the model's answer is the writer's."""


def single_hop(reader: Reader, payload: Json, work: Json, least_confidence: float) -> Json:
    """What the reader says to the question over each paragraph alone.

    ``single_hop`` is true where one of them gives the writer's answer, or, before that is written,
    an answer of some confidence. A yes or a no is guessed right half the time, so it always takes
    that confidence.
    """
    question, answer = _texts(payload, work)
    if not question:
        return {"single_hop": False, "message": "Write the question first.", "alone": []}
    paragraphs = paragraphs_in(payload)
    asked = [Question("", question, documents=(paragraph,)) for paragraph in paragraphs]
    alone: list[Json] = []
    for paragraph, prediction in zip(
        paragraphs, reader.read(asked, mode=AnswerMode.ASK), strict=True
    ):
        found = prediction.answer
        answered = found is not None and found.kind is not AnswerKind.NONE
        confidence = prediction.confidence or 0.0
        sure = answered and confidence >= least_confidence
        text = text_from_answer(found, NO_ANSWER) if answered and found else ""
        same = _alike(text, answer) if answer and answered else sure
        closed = answered and found is not None and found.kind in (AnswerKind.YES, AnswerKind.NO)
        enough = bool(same and (sure or not closed))
        alone.append(
            {
                "title": paragraph.title,
                "answer": text,
                "confidence": round(confidence, 4),
                "enough": enough,
            }
        )
    titles = [each["title"] for each in alone if each["enough"]]
    return {"single_hop": bool(titles), "message": _message(titles), "alone": alone}


def _texts(payload: Json, work: Any) -> tuple[str, str]:
    """The question and the answer, as far as they are written."""
    given = work if isinstance(work, dict) else {}
    question = payload.get("given_question") or given.get("question", "")
    texts = [
        text.strip() if is_readable(text) and len(text) <= LONGEST else ""
        for text in (question, given.get("answer", ""))
    ]
    return texts[0], texts[1]


def _alike(found: str, answer: str) -> bool:
    metric = HotpotQAMetric()
    wanted = Question("", "", gold=Gold((answer_from_text(answer, NO_ANSWER),)))
    row = metric.judge(wanted, Prediction(answer_from_text(found, NO_ANSWER)))
    return (row[metric.measures.index("f1")] or 0.0) >= ALIKE


def _message(titles: list[str]) -> str:
    if not titles:
        return "The model does not get there from one paragraph alone."
    named = " or ".join(f"“{title}”" for title in titles)
    return (
        f"Single hop: the model answers this from {named} alone. "
        "Can you ask so that it takes both paragraphs?"
    )
