"""A dialog: questions that build on what was asked and answered before."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from functools import cache, partial
from time import perf_counter
from typing import Protocol

from lacuna.answers import AnswerMode
from lacuna.corpus.passages import Excerpt, SectionFinder
from lacuna.corpus.store import Store
from lacuna.models.registry import Reader, is_measured, readable
from lacuna.pipeline.config import PipelineConfig
from lacuna.pipeline.dialog.followups import (
    ask_again,
    ask_for_more,
    asks_for_more,
    completed,
    fill_in,
    has_pronoun,
    how_long_it_takes,
    points_back,
    put_in,
    what_the_answer_is,
    with_what_was_said,
)
from lacuna.pipeline.dialog.mentions import DialogMemory, SpokenTurn
from lacuna.pipeline.dialog.questions import (
    KindOf,
    fragment_of,
    is_short,
    kind_in,
    shape_of,
    without_lead,
)
from lacuna.pipeline.gaps import dialog_gap
from lacuna.pipeline.query import Answerer, Query, check_length
from lacuna.pipeline.result import Alternative, Candidate, Degree, OnStep, Result, Stage, Step
from lacuna.pipeline.small_talk import advice_on
from lacuna.pipeline.stages import quote, sentence_around
from lacuna.types import (
    Answer,
    AnswerKind,
    DialogActs,
    Document,
    Evidence,
    Prediction,
    Question,
    Span,
    Turn,
    YesNo,
)


@dataclass(frozen=True, slots=True)
class Understanding:
    """What a question was read as.

    ``text`` is what was asked where there is nothing to add. ``needs_dialog`` says that as it was
    typed the question means nothing by itself. ``names`` are what the dialog spoke of, the
    likeliest topic first. ``centre`` is what the dialog goes on with, if that is clear; ``unclear``
    are pronouns of which it is not.
    """

    asked: str
    text: str
    needs_dialog: bool
    names: tuple[str, ...] = ()
    centre: str = ""
    unclear: frozenset[str] = frozenset()

    @property
    def is_rewritten(self) -> bool:
        """Whether more than an "and" was changed."""
        return self.text not in (self.asked, without_lead(self.asked))


def understand(
    question: str, history: Sequence[Turn], *, title: str = "", kind_of: KindOf
) -> Understanding:
    """Read a question in the light of the turns before it, each of them read in this way too.

    >>> from lacuna.types import Answer
    >>> history = [Turn("Who founded the Harbour Gazette?", Answer.span("Edvard Lunde"))]
    >>> understand("When was he born?", history, kind_of={}.get).text
    'When was Edvard Lunde born?'
    """
    memory = DialogMemory(kind_of, title)
    for turn in history:
        read = _read(turn.question, memory)
        said = read.text if read.needs_dialog else read.asked
        memory.remember(
            shape_of(without_lead(said)),
            turn.answer,
            centre=read.centre,
            aside=_only_asks_why(turn.question),
            unclear=read.unclear,
        )
    return _read(question, memory)


def _read(question: str, memory: DialogMemory) -> Understanding:
    asked = question.strip()
    plain = without_lead(asked)
    names = tuple(memory.names())
    if memory.turns and (elliptic := _completed_by_last(asked, plain, memory)):
        text, centre = elliptic
        return Understanding(asked, text or asked, True, names, centre)
    filled = fill_in(plain, memory)
    if filled.text != plain:
        within = [name for name in names if name in filled.text]
        ordered = dict.fromkeys((*within, *names))
        return Understanding(
            asked, filled.text, True, tuple(ordered), filled.centre, filled.unclear
        )
    if filled.unclear or has_pronoun(plain) or points_back(plain):
        return Understanding(asked, plain, True, names, unclear=filled.unclear)
    topic = memory.topic()
    whole = completed(plain, topic)
    if whole != plain:
        return Understanding(asked, whole, False, names, topic)
    return Understanding(asked, plain if asked[:1] != plain[:1] else asked, False, names)


def _completed_by_last(asked: str, plain: str, memory: DialogMemory) -> tuple[str, str] | None:
    """What is read for a question that leaves out what the last one said; None for a whole one.

    With it comes what the dialog goes on with. Both may be "", where nothing fits.
    """
    last = memory.turns[-1]
    if asks_for_more(plain):
        return ask_for_more(last), last.centre
    if fragment := fragment_of(asked):
        return _with_fragment(fragment, memory)
    if is_short(shape_of(plain)):
        return ask_again(shape_of(plain), last), last.centre
    for complete in (how_long_it_takes, with_what_was_said, what_the_answer_is):
        if text := complete(plain, last):
            return text, last.centre
    return None


def _with_fragment(fragment: str, memory: DialogMemory) -> tuple[str, str]:
    """ "And X?" after the last question that was no mere "Why?"; and X, if it is about that."""
    base: SpokenTurn = next(
        (turn for turn in reversed(memory.turns) if " " in turn.shape.rest and not turn.aside),
        memory.turns[-1],
    )
    text = fill_in(fragment, memory).text
    put = put_in(text, base.shape, memory.kind, memory.known)
    return put.text, put.centre


def _only_asks_why(question: str) -> bool:
    shape = shape_of(without_lead(question))
    return is_short(shape) and shape.wh == "why"


def dialog_texts(store: Store, query: Query, topic: str, *, characters: int) -> list[Excerpt]:
    """What the dialog began with, else where the last answer stood; then the topic's document.

    Of a document with more ``characters``, only the section of the last answer, or its beginning.
    """
    last = _last_place(query)
    begun = query.title or (last.document if last else "")
    documents = [_document(store, query.context, title) for title in (begun, topic) if title]
    if query.context is not None:
        documents.insert(0, query.context)
    once = {document.title: document for document in reversed(documents) if document}
    return [_excerpt(document, last, characters) for document in reversed(once.values())]


def read_in_dialog(
    store: Store, reader: Reader, query: Query, texts: Sequence[Excerpt]
) -> Result | None:
    """The surest answer of these texts, or none; None where there is no text."""
    if not texts:
        return None
    begun = perf_counter()
    questions = [_question(query, excerpt) for excerpt in texts]
    predictions = reader.read(questions, mode=AnswerMode.DIALOG)
    pairs = list(zip(texts, predictions, strict=True))
    excerpt, best = max(pairs, key=lambda pair: (not _is_none(pair[1]), _confidence(pair[1])))
    document = excerpt.original
    answer = best.answer or Answer.none()
    places = tuple(excerpt.evidence(place) for place in answer.found_at)
    titles = tuple(text.original.title for text in texts)
    gaps = (dialog_gap(store, query.question, titles),) if _is_none(best) else ()
    prediction = replace(best, answer=replace(answer, found_at=places), evidence=places, gaps=gaps)
    marks = [Span(place.start, place.end) for place in places]
    quotes = tuple(quote(document, sentence_around(document, *mark), (mark,)) for mark in marks)
    message = f"The dialog was about {' and '.join(titles)}" + (
        ": nothing there answers it." if _is_none(best) else f": {document.title} answers it."
    )
    milliseconds = 1000 * (perf_counter() - begun)
    candidates = tuple(_candidate(text, read, read is best) for text, read in pairs)
    step = Step(Stage.READ, 0, message, candidates, milliseconds)
    measured = is_measured(reader)
    return Result(query.question, document, prediction, quotes, (step,), measured=measured)


def _last_place(query: Query) -> Evidence | None:
    places = (turn.answer.found_at for turn in reversed(query.history) if turn.answer)
    return next((of_turn[0] for of_turn in places if of_turn), None)


def _document(store: Store, context: Document | None, title: str) -> Document | None:
    if context is not None and context.title == title:
        return context
    resolved = store.resolve(title)
    return None if resolved is None else store.document(resolved)


def _excerpt(document: Document, last: Evidence | None, characters: int) -> Excerpt:
    if len(document.text) <= characters:
        return Excerpt.of(document, [(0, len(document.text))])
    section = None
    if last is not None and last.document == document.title:
        section = SectionFinder(document).at(last.start)
    if section is not None and section.end - section.start <= characters:
        return Excerpt.of(document, [(section.start, section.end)])
    ends = [paragraph.end for paragraph in document.paragraphs if paragraph.end <= characters]
    return Excerpt.of(document, [Span(0, max(ends, default=characters))])


def _question(query: Query, excerpt: Excerpt) -> Question:
    history = tuple(_turn_in(excerpt, turn) for turn in query.history)
    return Question("", query.question, excerpt.document, history=history)


def _turn_in(excerpt: Excerpt, turn: Turn) -> Turn:
    """A turn with its answer's places in the excerpt, as far as they are there."""
    if turn.answer is None:
        return turn
    (piece,) = excerpt.pieces
    places = tuple(
        Evidence(place.document, place.start - piece.start, place.end - piece.start)
        for place in turn.answer.found_at
        if place.document == excerpt.original.title
        and piece.start <= place.start
        and place.end <= piece.end
    )
    return replace(turn, answer=replace(turn.answer, found_at=places))


def _candidate(text: Excerpt, prediction: Prediction, best: bool) -> Candidate:
    answer = prediction.answer or Answer.none()
    chosen = best and not _is_none(prediction)
    return Candidate(text.original.title, _confidence(prediction), chosen, answer.text)


def _is_none(prediction: Prediction) -> bool:
    return prediction.answer is None or prediction.answer.kind is AnswerKind.NONE


def _confidence(prediction: Prediction) -> float:
    return prediction.confidence or 0.0


DECIDED = (AnswerKind.YES, AnswerKind.NO)


class Way(StrEnum):
    """How a question was read."""

    ANEW = "anew"
    """Over the corpus, with names in the place of its pronouns."""
    AS_ASKED = "as asked"
    """Over the corpus, word by word."""
    NEAR = "near"
    """In the text that the dialog is about, as the questions of QuAC's dialogs are."""
    NEAR_THOUGH_WHOLE = "near, though whole"
    """The same for a question that may have nothing to do with the dialog: it needs no other."""


@dataclass(frozen=True, slots=True)
class DialogReading:
    """A result, and how the question was read for it."""

    way: Way
    result: Result

    @property
    def is_none(self) -> bool:
        """Whether it says that there is no answer."""
        return self.result.answer.kind is AnswerKind.NONE


@dataclass(frozen=True, slots=True)
class DialogWeights:
    """What the confidence of a reading is multiplied with, so that all are on one scale.

    The confidence of a "none" is how likely there is no answer. A result over the corpus that was
    read anew weighs 1, and the others are measured by it.
    """

    none_anew: float = 0.7
    as_asked: float = 0.9
    none_as_asked: float = 0.7
    near: float = 0.9
    near_though_whole: float = 0.75
    none_near: float = 0.2
    at_home: float = 1.2
    """For an answer over the corpus that stands in a document that the dialog has read before."""
    no_yes_or_no: float = 0.5
    """For an answer that is neither, where that was asked for."""

    def of(self, reading: DialogReading, home: Iterable[str] = ()) -> float:
        """The confidence of a reading, weighed."""
        none = reading.is_none
        match reading.way:
            case Way.NEAR:
                weight = self.none_near if none else self.near
            case Way.NEAR_THOUGH_WHOLE:
                weight = self.none_near if none else self.near_though_whole
            case Way.AS_ASKED:
                weight = self.none_as_asked if none else self.as_asked
            case Way.ANEW:
                weight = self.none_anew if none else 1.0
        documents = {quote.document for quote in reading.result.quotes}
        if reading.way in (Way.ANEW, Way.AS_ASKED) and not none and documents & set(home):
            weight *= self.at_home
        if (
            not none
            and _asks_yes_or_no(reading.result)
            and reading.result.answer.kind not in DECIDED
        ):
            weight *= self.no_yes_or_no
        return weight * _likelihood(reading.result)


def _likelihood(result: Result) -> float:
    """How likely an answer is right; of none, how likely there is none: what answers leave."""
    sure = result.confidence or 0.0
    if result.answer.kind is not AnswerKind.NONE or not result.alternatives:
        return sure
    left = 1 - math.fsum(other.confidence for other in result.alternatives)
    return min(sure, max(left, 0.0))


def surest(
    readings: Sequence[DialogReading],
    *,
    home: Iterable[str] = (),
    weights: DialogWeights = DialogWeights(),  # it is frozen
) -> DialogReading:
    """The reading with the highest weighed confidence; the first of those that are equal.

    ``home`` are the documents in which the dialog's answers stood so far.
    """
    titles = frozenset(home)
    return max(readings, key=lambda reading: weights.of(reading, titles))


def _asks_yes_or_no(result: Result) -> bool:
    shape = shape_of(result.question)
    return bool(shape.auxiliary) and not shape.asking


NEAR = (Way.NEAR, Way.NEAR_THOUGH_WHOLE)
YES_NO = {AnswerKind.YES: YesNo.YES, AnswerKind.NO: YesNo.NO}


class DialogAnswerer(Answerer, Protocol):
    """Answers questions, and lets its reader be asked about the documents of a dialog."""

    @property
    def reader(self) -> Reader:
        """The reader."""
        ...

    @property
    def config(self) -> PipelineConfig:
        """The numbers that it goes by."""
        ...


class Conversation:
    """Keeps what was asked and answered, of one document, one context, or a whole corpus.

    >>> import lacuna
    >>> dialog = Conversation(lacuna.open_corpus())
    >>> dialog.ask("Who founded the Sandreth Courier?").answer.text
    'Perrin Cobb'
    >>> dialog.ask("When was he born?").answer.text
    '28 March 1840'
    """

    def __init__(
        self,
        answerer: DialogAnswerer,
        *,
        title: str | None = None,
        context: Document | None = None,
    ) -> None:
        self._answerer = answerer
        self._title = None if title is None else answerer.store.resolve(title)
        if title is not None and self._title is None:
            raise answerer.store.no_such(title)
        self._context = context
        self.results: list[Result] = []

    @property
    def history(self) -> tuple[Turn, ...]:
        """What was asked and answered so far."""
        return tuple(
            Turn(result.question, result.answer, result.prediction.acts) for result in self.results
        )

    def ask(self, question: str, *, on_step: OnStep | None = None) -> Result:
        """The answer, in the light of the turns before."""
        query = Query(question, self._context, self._title, self.history)
        result = ask_in_dialog(self._answerer, query, on_step=on_step)
        if not result.advice:  # "Thanks" is no turn that anything could follow up
            self.results.append(result)
        return result


def ask_in_dialog(
    answerer: DialogAnswerer, query: Query, *, on_step: OnStep | None = None
) -> Result:
    """One turn; ``query.history`` is all that needs to be known of the dialog.

    The question is read in up to three ways, and the surest reading is the answer.
    """
    check_length(query.question)
    reader = answerer.reader
    if advice_on(query.question, reader):
        return answerer.ask(replace(query, history=()), on_step=on_step)
    said = tuple(turn for turn in query.history if not advice_on(turn.question, reader))
    query = replace(query, history=said)
    part = readable(reader, query.question)
    asked = replace(query, question=part)
    understanding = understand_query(answerer.store, asked)
    steps: list[Step] = []

    def record(step: Step) -> None:
        steps.append(step)
        if on_step is not None:
            on_step(step)

    readings = list(read_all_ways(answerer, asked, understanding, on_step=record))
    best = surest(readings, home=_home(query))
    given = best.result
    if best.way in NEAR and is_too_unlikely(given, answerer.config):
        given = refused(answerer.store, given)
    near = next((one.result for one in readings if one.way in NEAR), None)
    as_typed = best.way is Way.AS_ASKED or not understanding.is_rewritten
    read_as = part if as_typed else understanding.text
    return replace(
        given,
        question=query.question,
        prediction=replace(given.prediction, acts=_acts(given, near)),
        steps=tuple(steps),
        read_as="" if read_as == query.question else read_as,
    ).held_to(answerer.config.min_confidence)


def is_too_unlikely(result: Result, config: PipelineConfig) -> bool:
    """Whether an answer is less likely right than one over the corpus may be, as was measured."""
    sure = result.confidence
    given = result.degree is not Degree.NONE
    return given and result.measured and sure is not None and sure < config.probable_from


def refused(store: Store, result: Result) -> Result:
    """None in the place of an answer, which becomes the alternative that was considered."""
    sure = result.confidence or 0.0
    titles = (result.context.title,) if result.context else ()
    gap = dialog_gap(store, result.question, titles)
    none = replace(
        result.prediction, answer=Answer.none(), evidence=(), gaps=(gap,), confidence=1 - sure
    )
    other = Alternative(result.answer, sure, result.quotes)
    return replace(result, prediction=none, quotes=(), alternatives=(other,))


def read_all_ways(
    answerer: DialogAnswerer,
    query: Query,
    understanding: Understanding,
    *,
    on_step: OnStep | None = None,
) -> Iterator[DialogReading]:
    """Every reading of a question: anew where it was rewritten, as asked where it means something.

    In the documents of the dialog it is read with the turns before it beside it.
    """
    if understanding.is_rewritten:
        text = understanding.text
        if on_step is not None:
            on_step(Step(Stage.START, 0, f"It was understood as: {text}", (), 0.0))
        anew = replace(query, question=text, history=())
        yield DialogReading(Way.ANEW, answerer.ask(anew, on_step=on_step))
    if not understanding.needs_dialog or not understanding.is_rewritten:
        plain = query.question if understanding.is_rewritten else understanding.text
        asked = replace(query, question=plain, history=())
        yield DialogReading(Way.AS_ASKED, answerer.ask(asked, on_step=on_step))
    topic = _documented(answerer.store, understanding)
    most = answerer.config.dialog_characters
    texts = dialog_texts(answerer.store, query, topic, characters=most)
    # Names that were put in for pronouns may have made it too long.
    understood = replace(query, question=readable(answerer.reader, understanding.text))
    near = read_in_dialog(answerer.store, answerer.reader, understood, texts)
    if near is not None:
        if on_step is not None:
            on_step(near.steps[-1])
        whole = not understanding.needs_dialog
        yield DialogReading(Way.NEAR_THOUGH_WHOLE if whole else Way.NEAR, near)


class DialogPipeline:
    """Answers a first question by itself, and later ones in the light of their dialog."""

    def __init__(self, pipeline: DialogAnswerer) -> None:
        self._pipeline = pipeline

    @property
    def store(self) -> Store:
        """The corpus."""
        return self._pipeline.store

    def ask(self, query: Query, *, on_step: OnStep | None = None) -> Result:
        """One answer; ``on_step`` is called with each step when it is done."""
        if query.history:
            return ask_in_dialog(self._pipeline, query, on_step=on_step)
        return self._pipeline.ask(query, on_step=on_step)


def understand_query(store: Store, query: Query) -> Understanding:
    """What a question means, by what the corpus knows of the names in its dialog."""
    title = (store.resolve(query.title) if query.title else None) or ""
    kind_of = cache(partial(kind_in, store, read=_home(query)))
    return understand(query.question, query.history, title=title, kind_of=kind_of)


def dialog_topic(store: Store, query: Query) -> str:
    """The document that a question is about, after the turns before it; "" if there is none."""
    return _documented(store, understand_query(store, query))


def _documented(store: Store, understanding: Understanding) -> str:
    return next((name for name in understanding.names if name in store), "")


def _home(query: Query) -> frozenset[str]:
    """The documents that the answers of the dialog were taken from."""
    answers = (turn.answer for turn in query.history if turn.answer)
    return frozenset(place.document for answer in answers for place in answer.found_at)


def _acts(best: Result, near: Result | None) -> DialogActs | None:
    """Those of the reading that gave the answer; whether to follow up is known from either."""
    if best.prediction.acts is not None or near is None or near.prediction.acts is None:
        return best.prediction.acts
    return DialogActs(YES_NO.get(best.answer.kind), near.prediction.acts.follow_up)
