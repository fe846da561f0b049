"""READ: the passage and the best windows that fit, together."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import replace

from lacuna.ask.case import Case, Read
from lacuna.ask.finding import Told
from lacuna.ask.rooms import Rooms
from lacuna.ask.trace import Candidate
from lacuna.find.excerpts import Excerpt
from lacuna.find.windows import Window
from lacuna.read.style import Style
from lacuna.read.weighing import SURE, Weighed
from lacuna.types import Answer, Evidence, Prediction, Question, SupportingFact

PASSAGE = "\0passage"
"""What the reader calls a passage that came with the question: a name that no document has."""
AGAIN = 1.0
"""What each further window of one document must be better by: several documents say more."""
MOST_WINDOWS = 12


def read(rooms: Rooms, cases: Sequence[Case]) -> list[Told]:
    """Read each question once; an earlier reading is kept where it is surer."""
    chosen = [_fill(rooms, case) for case in cases]
    questions = [question for question, _, _ in chosen]
    style = rooms.style
    weighed = rooms.reader.weigh(questions, style=style)
    told: list[Told] = []
    for case, (_, texts, windows), one in zip(cases, chosen, weighed, strict=True):
        made = Read(texts, one, windows)
        if case.read is None or _surety(one) > _surety(case.read.weighed):
            case.read = made
        told.append((f"{len(windows)} windows were read.", _candidates(rooms, made)))
    return told


def _surety(weighed: Weighed) -> float:
    return min(weighed.margin, SURE) + weighed.total


def _fill(rooms: Rooms, case: Case) -> tuple[Question, dict[str, Excerpt], tuple[Window, ...]]:
    """The best windows, as long as everything fits into one input."""
    taken: list[Window] = []
    question, texts = _question(rooms, case, taken)
    for window in _in_turn(case):
        if len(taken) == MOST_WINDOWS:
            break
        longer, more = _question(rooms, case, [*taken, window])
        if rooms.reader.fits(longer, style=rooms.style):
            taken.append(window)
            question, texts = longer, more
    return question, texts, tuple(taken)


def _in_turn(case: Case) -> Iterable[Window]:
    """The best first, where a document's second window is worth less than its first."""
    left = case.best_windows()
    times: Counter[str] = Counter()
    while left:
        number = max(range(len(left)), key=lambda n: left[n][1] - AGAIN * times[left[n][0].title])
        window, _ = left.pop(number)
        times[window.title] += 1
        yield window


def _question(
    rooms: Rooms, case: Case, windows: Sequence[Window]
) -> tuple[Question, dict[str, Excerpt]]:
    spans: dict[str, list[tuple[int, int]]] = {}
    passage = None
    texts: dict[str, Excerpt] = {}
    if case.focus is not None and case.own:
        passage = replace(case.focus.document, title=PASSAGE)
        texts[PASSAGE] = case.focus
    elif case.focus is not None:
        spans[case.focus.original.title] = list(case.focus.pieces)
    for window in windows:
        spans.setdefault(window.title, []).append((window.start, window.end))
    for title, stretches in spans.items():
        texts[title] = Excerpt.of(rooms.shelf.document(title).document, stretches)
    documents = tuple(one.document for title, one in texts.items() if title != PASSAGE)
    asked = Question("", case.asked.question, passage, documents, case.asked.history)
    return asked, texts


def placed(read: Read, style: Style) -> Prediction:
    """The reader's best answer, in terms of the documents as they are."""
    prediction = read.weighed.prediction
    answer = prediction.answer or Answer.none()
    facts = None
    if style is Style.HOP:
        facts = tuple(original_fact(read, fact) for fact in prediction.supporting_facts or ())
    return replace(
        prediction,
        answer=replace(answer, found_at=_original(read, answer.found_at)),
        evidence=_original(read, prediction.evidence),
        supporting_facts=facts,
    )


def original_fact(read: Read, fact: SupportingFact) -> SupportingFact:
    """A sentence of an excerpt by its number in the document."""
    excerpt = read.texts[fact.title]
    return SupportingFact(excerpt.original.title, excerpt.sentences[fact.sentence])


def _original(read: Read, evidence: Iterable[Evidence]) -> tuple[Evidence, ...]:
    return tuple(read.texts[one.document].evidence(one) for one in evidence)


def _candidates(rooms: Rooms, made: Read) -> tuple[Candidate, ...]:
    prediction = placed(made, rooms.style)
    answer = prediction.answer
    if answer is None or not made.weighed.prediction.answer:
        return ()
    place = answer.found_at[0] if answer.found_at else None
    score = min(made.weighed.margin, SURE)
    if place is None:
        return (Candidate("", score, True, answer.text),)
    return (Candidate(place.document, score, True, answer.text, place.start, place.end),)
