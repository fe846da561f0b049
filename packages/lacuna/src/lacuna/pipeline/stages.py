"""The stages from a question to a reading: START, SPOT, FIND, READ and ANSWER."""

from __future__ import annotations

import math
from bisect import bisect_right
from collections import Counter
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from dataclasses import replace

from lacuna.answers import AnswerMode
from lacuna.corpus.passages import Excerpt, headings_above
from lacuna.corpus.store import Store
from lacuna.models.reader.reader import SURE, LinkScores, ScoredAnswer
from lacuna.pipeline.config import PipelineConfig
from lacuna.pipeline.gaps import remaining_gap
from lacuna.pipeline.rating import RatedAnswer, chooses, is_sure, rated_answers
from lacuna.pipeline.result import PERHAPS, Candidate, Quote, Result
from lacuna.pipeline.shaping import shaped_reading
from lacuna.pipeline.state import (
    Components,
    LinkTarget,
    QuestionState,
    Reading,
    Selection,
)
from lacuna.retrieve.windows import (
    LONGEST,
    Window,
    headed,
    mentions,
    with_mentions,
    word_scores,
)
from lacuna.types import (
    Answer,
    AnswerKind,
    Document,
    Evidence,
    Prediction,
    Question,
    Role,
    Span,
)

OWN_CONTEXT = "\0context"
"""What the reader calls a context that came with the question: a name that no document has."""


def focus_on(components: Components, search_text: str, context: Document) -> Excerpt:
    """The part of the context that is read: all of a short one; of a long one its beginning, and
    what shares most words with the question."""
    most = components.config.context_characters
    if len(context.text) <= most:
        return Excerpt.of(context, [(0, len(context.text))])
    indexed = components.windows.cut(context)
    (scores,) = word_scores(components.windows.terms(search_text), [indexed])
    best = sorted(range(len(scores)), key=lambda number: (number > 0, -scores[number], number))
    taken: list[tuple[int, int]] = []
    size = 0
    for number in best:
        if taken and not scores[number]:
            break
        window = indexed.windows[number]
        size += window.end - window.start
        if size > most and taken:
            break
        taken.append((window.start, window.end))
    return Excerpt.of(indexed.document, taken)


def select_windows(components: Components, state: QuestionState) -> Selection:
    """The context and the best windows, as long as everything fits into one input."""
    selection = _selection(components, state, ())
    most = components.config.windows_read(components.mode)
    for window in _by_turns(state, components.config.repeat_penalty):
        if len(selection.windows) == most:
            break
        longer = _selection(components, state, (*selection.windows, window))
        if components.reader.fits(longer.question, mode=components.mode):
            selection = longer
    return selection


def _by_turns(state: QuestionState, repeat_penalty: float) -> Iterator[Window]:
    """The best first, where a document's second window is worth less than its first."""
    left = state.best_windows()
    times: Counter[str] = Counter()
    while left:
        number = max(
            range(len(left)), key=lambda n: left[n][1] - repeat_penalty * times[left[n][0].title]
        )
        window, _ = left.pop(number)
        times[window.title] += 1
        yield window


def _selection(
    components: Components, state: QuestionState, windows: Sequence[Window]
) -> Selection:
    spans: dict[str, list[tuple[int, int]]] = {}
    texts: dict[str, Excerpt] = {}
    context = None
    if state.focus is not None and state.is_own:
        context = replace(state.focus.document, title=OWN_CONTEXT)
        texts[OWN_CONTEXT] = state.focus
    elif state.focus is not None:
        spans[state.focus.original.title] = list(state.focus.pieces)
    for window in windows:
        spans.setdefault(window.title, []).append((window.start, window.end))
    for title, places in spans.items():
        texts[title] = components.windows.excerpt(title, places)
    documents = tuple(text.document for title, text in texts.items() if title != OWN_CONTEXT)
    question = Question("", state.query.question, context, documents, state.query.history)
    return Selection(question, texts, tuple(windows))


def rank_windows(
    components: Components,
    states: Sequence[QuestionState],
    windows: Sequence[Sequence[Window]],
) -> None:
    """Read the windows of all questions alone, in one run of the reader, and rank them.

    Where the reader's answers are to be chosen from, what each window answers is kept.
    """
    config = components.config
    texts = [[window_text(components, window) for window in some] for some in windows]
    asked = [
        (state.query.question, [text.document for text in some])
        for state, some in zip(states, texts, strict=True)
    ]
    read = components.reader.read_alone(asked, mode=components.mode)
    for state, some, excerpts, answers in zip(states, windows, texts, read, strict=True):
        for window, excerpt, scored in zip(some, excerpts, answers, strict=True):
            leads = window.start <= components.windows.document(window.title).windows[0].start
            pull = config.link_pull * state.targets.get(window.title, 0.0)
            rank = len(state.ranked)
            state.ranked[window] = scored.relevance + pull + config.lead_bonus * leads
            state.best_relevance = max(state.best_relevance, scored.relevance)
            if chooses(components, state):
                question = Question("", state.query.question, documents=(excerpt.document,))
                selection = Selection(question, {excerpt.document.title: excerpt}, (window,))
                state.readings.append(Reading(selection, scored, rank))


def window_text(components: Components, window: Window) -> Excerpt:
    """A window as a document of its own, its title with the headings above it."""
    excerpt = components.windows.excerpt(window.title, [(window.start, window.end)])
    if components.mode is not AnswerMode.FOUND:
        return excerpt
    title = headed(window.title, window.section)
    return replace(excerpt, document=replace(excerpt.document, title=title))


def window_candidates(
    components: Components,
    state: QuestionState,
    windows: Iterable[Window],
    chosen: Collection[Window],
) -> tuple[Candidate, ...]:
    """Windows as a step shows them, the best first."""
    ordered = sorted(windows, key=lambda window: -state.ranked[window])
    return tuple(
        Candidate(
            window.title,
            state.ranked[window],
            window in chosen,
            window_text(components, window).document.text,
            window.start,
            window.end,
            window.section,
        )
        for window in ordered
    )


def start(components: Components, states: Sequence[QuestionState]) -> None:
    """Search for windows, rank them, and take the document of the best one as the context."""
    windows = [_first_windows(components, state) for state in states]
    for part in _parts(components):
        still_open = [
            (state, some[part])
            for state, some in zip(states, windows, strict=True)
            if some[part] and not is_sure(components, state)
        ]
        rank_windows(components, *_apart(still_open))
    for state, some in zip(states, windows, strict=True):
        if not some:
            state.recorded = "The corpus has no text with the words of the question.", ()
            continue
        some = [window for window in some if window in state.ranked]
        best = max(some, key=lambda window: state.ranked[window])
        state.context = components.windows.document(best.title).document
        state.recorded = (
            f"It begins with {best.title}, the best of {len(some)} windows that were found.",
            window_candidates(components, state, some, chosen={best}),
        )


def _parts(components: Components) -> Sequence[slice]:
    """Where a sure answer may be read in a few windows, the others wait until it is not."""
    if components.scorer is None:
        return (slice(None),)
    first = components.config.passages_first
    return slice(first), slice(first, None)


def _apart(
    pairs: Sequence[tuple[QuestionState, list[Window]]],
) -> tuple[list[QuestionState], list[list[Window]]]:
    return [state for state, _ in pairs], [windows for _, windows in pairs]


def _first_windows(components: Components, state: QuestionState) -> list[Window]:
    """What the search finds, and the beginnings of documents that the question names."""
    index, config = components.windows, components.config
    if components.scorer is not None:
        hits = components.retriever.search(state.search_text, config.passages)
        return index.around(hits, config.passage_characters)
    named = mentions(state.search_text, components.store.known, capitals=False)
    titles = dict.fromkeys(link.target for link in named)
    documents = [index.document(title) for title in titles]
    leads = [indexed.windows[0] for indexed in documents if indexed.windows]
    hits = components.retriever.search(state.search_text, config.start_hits)
    windows = index.most_alike(state.search_text, hits)
    return list(dict.fromkeys((*leads, *windows)))[: config.windows]


def spot(components: Components, states: Sequence[QuestionState]) -> None:
    """Choose documents to look into next: those that links lead to, and those a search finds."""
    texts = [_texts_to_go_on_from(components, state) for state in states]
    questions = [
        Question("", state.query.question, excerpt.document)
        for state, excerpts in zip(states, texts, strict=True)
        for excerpt in excerpts
    ]
    scores = iter(components.reader.link_scores(questions, mode=components.mode))
    for state, excerpts in zip(states, texts, strict=True):
        _follow(components, state, [(excerpt, next(scores)) for excerpt in excerpts])


UNSEEN = -20.0
"""The score of a link that the reader did not see."""


def spot_links(
    question: str,
    text: Document,
    scores: Sequence[float],
    resolve: Callable[[str], str | None],
    terms: Callable[[str], Collection[str]],
    config: PipelineConfig,
    *,
    leave_out: Collection[str] = (),
) -> tuple[LinkTarget, ...]:
    """The targets of a text's links, the likeliest first; links to one target count once.

    Recall matters more than precision: what is followed in vain costs a little time, and reading
    decides.
    """
    question_terms = set(terms(question))
    by_target: dict[tuple[str, bool], list[tuple[float, Span]]] = {}
    for link, score in zip(text.links, scores, strict=True):
        title = resolve(link.target)
        if title in leave_out:
            continue
        score = score if math.isfinite(score) else UNSEEN
        share = _share(question_terms, terms(f"{text.text[link.start : link.end]} {link.target}"))
        key = (link.target if title is None else title, title is None)
        score += config.named_link * share
        by_target.setdefault(key, []).append((score, Span(link.start, link.end)))
    ranked = sorted(
        (
            (max(places)[0], key, sorted(places, key=lambda pair: -pair[0]))
            for key, places in by_target.items()
        ),
        key=lambda target: -target[0],
    )
    targets: list[LinkTarget] = []
    followed = 0
    for score, (title, dangling), places in ranked:
        likely = score > config.likely_link and followed < config.most_links
        chosen = not dangling and (followed < config.fewest_links or likely)
        followed += chosen
        spans = tuple(span for _, span in places)
        targets.append(LinkTarget(title, score, spans, dangling, chosen))
    return tuple(targets)


def _share(question: Collection[str], name: Collection[str]) -> float:
    """How many of a name's words the question has."""
    words = set(name)
    return len(words.intersection(question)) / len(words) if words else 0.0


def _texts_to_go_on_from(components: Components, state: QuestionState) -> list[Excerpt]:
    """The context first; later, and where it was only found, the best of the ranked windows."""
    if state.hop == 1 and state.focus is not None:
        return [_linked(components, state.focus)]
    by_title: dict[str, list[tuple[int, int]]] = {}
    for window, _ in state.best_windows():
        if window.title in state.expanded:
            continue
        if window.title not in by_title and len(by_title) == components.config.bridge_documents:
            continue
        by_title.setdefault(window.title, []).append((window.start, window.end))
    state.expanded.update(by_title)
    return [
        _linked(components, components.windows.excerpt(title, spans))
        for title, spans in by_title.items()
    ]


def _linked(components: Components, excerpt: Excerpt) -> Excerpt:
    """A text without links names other documents all the same."""
    return replace(excerpt, document=with_mentions(excerpt.document, components.store.known))


def _follow(
    components: Components, state: QuestionState, scored: Sequence[tuple[Excerpt, LinkScores]]
) -> None:
    candidates: list[Candidate] = []
    own = state.own_title
    for excerpt, scores in scored:
        targets = spot_links(
            state.search_text,
            excerpt.document,
            scores.links,
            components.store.resolve,
            components.windows.terms,
            components.config,
            leave_out={excerpt.original.title, *own},
        )
        in_context = excerpt.original is state.context
        for target in targets:
            place = excerpt.place(*target.places[0])
            candidates.append(_candidate(target, excerpt.original.title, place))
            if target.chosen:
                before = state.targets.get(target.title, target.score)
                state.targets[target.title] = max(target.score, before)
                if in_context:
                    state.followed.setdefault(target.title, place)
        state.links += targets
        _take_if_sure(components, state, excerpt, scores)
    if state.hop > 1 or state.focus is None:
        _search_on(components, state, [excerpt for excerpt, _ in scored], own)
    candidates.sort(key=lambda candidate: -candidate.score)
    chosen = [candidate.title for candidate in candidates if candidate.chosen]
    if state.answered_alone:
        message = "Nothing is missing: the context answers by itself."
    elif chosen:
        message = f"What is missing may stand in {_listed(chosen)}."
    else:
        message = "No link leads on."
    state.recorded = message, tuple(candidates)


def _take_if_sure(
    components: Components, state: QuestionState, excerpt: Excerpt, scores: LinkScores
) -> None:
    """Where the context that was given surely answers alone, nothing else needs to be read."""
    given = state.hop == 1 and state.focus is not None and excerpt.original is state.context
    if given and math.inf > scores.alone.margin > components.config.sure_alone:
        state.answered_alone = True
        question = Question("", state.query.question, excerpt.document)
        selection = Selection(question, {excerpt.document.title: excerpt}, ())
        state.reading = Reading(selection, scores.alone)
        state.readings.append(state.reading)


def _search_on(
    components: Components, state: QuestionState, texts: Sequence[Excerpt], own: Collection[str]
) -> None:
    """Search again with the question and the names of what was found."""
    for excerpt in texts:
        search_text = f"{state.search_text} {excerpt.original.title}"
        hits = components.retriever.search(search_text, components.config.bridge_hits)
        for window in components.windows.most_alike(search_text, hits):
            if window.title not in own:
                state.targets.setdefault(window.title, 0.0)


def _candidate(target: LinkTarget, source: str, place: Span) -> Candidate:
    return Candidate(
        target.title,
        target.score,
        target.chosen,
        start=place.start,
        end=place.end,
        dangling=target.dangling,
        source=source,
    )


def _listed(titles: Sequence[str]) -> str:
    *most, last = dict.fromkeys(titles)
    return f"{', '.join(most)} or {last}" if most else last


def find(components: Components, states: Sequence[QuestionState]) -> None:
    """Rank windows of the documents to look into next, and select those to be read."""
    windows = [_by_words(components, state) for state in states]
    rank_windows(components, states, windows)
    for state, some in zip(states, windows, strict=True):
        titles = list(state.targets)
        state.targets.clear()
        state.selection = select_windows(components, state)
        if titles:
            message = f"{len(some)} windows of {len(titles)} documents were ranked."
        else:
            message = "There was nowhere to look further."
        chosen = state.selection.windows
        state.recorded = message, window_candidates(components, state, some, chosen)


def _by_words(components: Components, state: QuestionState) -> list[Window]:
    """The first window of each document, and those with most of the question's words.

    Of many documents the likeliest have half of the places, so that the words have their say too.
    """
    most = components.config.windows
    titles = sorted(state.targets, key=lambda title: -state.targets[title])
    scored = components.windows.scored(state.search_text, titles)
    leads = [indexed.windows[0] for indexed, _ in scored if indexed.windows]
    ranked = sorted(
        (
            (score, window)
            for indexed, scores in scored
            for window, score in zip(indexed.windows, scores, strict=True)
            if score > 0
        ),
        key=lambda pair: -pair[0],
    )
    first = leads[: (most + 1) // 2]
    wanted = dict.fromkeys((*first, *(window for _, window in ranked), *leads))
    return [window for window in wanted if window not in state.ranked][:most]


def read(components: Components, states: Sequence[QuestionState]) -> None:
    """Read each question once; an earlier reading stays unless the new one is surer."""
    selections = [state.selection or select_windows(components, state) for state in states]
    questions = [selection.question for selection in selections]
    scored = components.reader.score(questions, mode=components.mode)
    for state, selection, answer in zip(states, selections, scored, strict=True):
        reading = Reading(selection, answer)
        state.readings.append(reading)
        state.selection = None
        before = state.reading
        if before is None or _sureness(answer) > (
            _sureness(before.scored) + components.config.surer_later
        ):
            state.reading = reading
        state.recorded = _message(state, reading), _candidates(reading, components.mode)


def _sureness(scored: ScoredAnswer) -> float:
    return min(scored.margin, SURE) + scored.total


def _message(state: QuestionState, reading: Reading) -> str:
    count = len(reading.selection.windows)
    parts = [f"{count} window{'s' if count > 1 else ''}"] if count else []
    if state.focus is not None:
        parts.insert(0, "The context")
    return f"{' and '.join(parts) or 'Nothing'} could be read together."


def _candidates(reading: Reading, mode: AnswerMode) -> tuple[Candidate, ...]:
    if reading.scored.prediction.answer is None:
        return ()
    answer = reading.in_documents(mode).answer
    assert answer is not None
    score = min(reading.scored.margin, SURE)
    if not answer.found_at:
        return (Candidate("", score, True, answer.text),)
    place = answer.found_at[0]
    return (Candidate(place.document, score, True, answer.text, place.start, place.end),)


def answer(components: Components, states: Sequence[QuestionState]) -> None:
    """The last word on each question."""
    for state in states:
        if chooses(components, state):
            prediction = _likeliest(components, state)
        else:
            prediction = best_answer(components, state).decide(components.tuning)
        given = prediction.answer
        assert given is not None
        message = f"The answer: {given.text}."
        if given.kind is AnswerKind.NONE:
            gap = remaining_gap(components.store, state, _perhaps(state))
            gaps = (gap, *prediction.gaps)
            prediction = replace(prediction, gaps=gaps, evidence=())
            message = "Nothing answers it."
        state.prediction = prediction
        state.recorded = message, tuple(_alternatives(state, prediction))


def _perhaps(state: QuestionState) -> Evidence | None:
    """The sentence of the likeliest answer, where it is likely enough to be told."""
    best = next(iter(state.rated), None)
    if best is None or best.probability < PERHAPS:
        return None
    quoted = next(iter(quotes_for(state, best.reading, best.prediction)), None)
    if quoted is None:
        return None
    return Evidence(quoted.document, quoted.start, quoted.end, Role.SUPPORT)


def best_answer(components: Components, state: QuestionState) -> ScoredAnswer:
    """The best reading so far, with its answer in shape and placed in the documents."""
    reading = state.reading
    assert reading is not None
    if reading.scored.prediction.answer is None:
        return reading.scored
    return shaped_reading(reading, state.query.question, components.mode)


def _likeliest(components: Components, state: QuestionState) -> Prediction:
    """The answer that is likeliest to be right, if that is likely enough.

    Else none is right to be said as far as that answer would have been wrong.
    """
    rated = rated_answers(components, state)
    best = next(iter(rated), None)
    likely = 0.0 if best is None else best.probability
    if best is None or likely < components.config.probable_from:
        return Prediction(Answer.none(), confidence=1 - likely)
    state.reading = best.reading
    return replace(best.prediction, confidence=best.probability)


def _alternatives(state: QuestionState, prediction: Prediction) -> list[Candidate]:
    if not state.rated:
        assert prediction.answer is not None
        return [Candidate("", prediction.confidence or 0.0, True, prediction.answer.text)]
    given = prediction.answer
    return [_alternative(rated, rated.prediction.answer is given) for rated in state.rated]


def _alternative(rated: RatedAnswer, chosen: bool) -> Candidate:
    answer = rated.prediction.answer
    assert answer is not None
    text, places = answer.text, answer.found_at
    if not places:
        return Candidate("", rated.probability, chosen, text)
    first = places[0]
    return Candidate(first.document, rated.probability, chosen, text, first.start, first.end)


MOST = 4
SUPPORTING = 2
"""Sentences quoted for an answer that stands nowhere itself: yes, no, a count."""
AROUND = 200
"""Characters quoted on either side where a sentence is too long to be one."""
LONGEST_NEAREST = 300
"""Characters of what came nearest; it is shown as a hint, not as an answer."""


def quotes_for(state: QuestionState, reading: Reading, prediction: Prediction) -> tuple[Quote, ...]:
    """The sentences that hold the answer or its operands; else those that support it most."""
    answer = prediction.answer
    if answer is None or answer.kind is AnswerKind.NONE:
        return ()
    documents = reading.documents
    marks: dict[tuple[str, Span], list[Span]] = {}
    for place in answer.found_at:
        document = documents[place.document]
        sentence = sentence_around(document, place.start, place.end)
        marks.setdefault((place.document, sentence), []).append(Span(place.start, place.end))
    if not marks:
        for title, span in _most_supporting(reading):
            marks.setdefault((title, span), [])
    return tuple(
        quote(documents[title], span, marked, state.followed.get(title))
        for (title, span), marked in marks.items()
    )[:MOST]


def quote(
    document: Document, span: Span, marks: Sequence[Span] = (), followed: Span | None = None
) -> Quote:
    """A stretch of a document with the section that it stands in, and its place in its file."""
    shown = min(marks, default=span)
    return Quote(
        document.title,
        headings_above(document, span.start),
        document.text[span.start : span.end],
        span.start,
        span.end,
        tuple(sorted(marks)),
        followed,
        document.origin.at(shown.start) if document.origin else None,
    )


def sentence_around(document: Document, start: int, end: int) -> Span:
    """The sentence (or the sentences) that a stretch stands in; of a table, what is around it."""
    starts = [sentence.start for sentence in document.sentences]
    first = bisect_right(starts, start) - 1
    last = bisect_right(starts, max(start, end - 1)) - 1
    if first < 0 or document.sentences[last].end < end:
        return Span(start, end)
    whole = Span(document.sentences[first].start, document.sentences[last].end)
    return whole if whole.end - whole.start <= LONGEST else _cut(document.text, whole, start, end)


def nearest_quote(store: Store, result: Result) -> Quote | None:
    """The beginning of the nearest evidence of the first gap that has some."""
    evidence = next((gap.nearest for gap in result.prediction.gaps if gap.nearest), None)
    if evidence is None:
        return None
    if result.context is not None and result.context.title == evidence.document:
        document = result.context
    elif evidence.document in store:
        document = store.document(evidence.document)
    else:
        return None
    start, end = evidence.start, evidence.end
    if end - start > LONGEST_NEAREST:
        ends = [sentence.end for sentence in document.sentences if start < sentence.end <= end]
        short = (at for at in ends if at - start <= LONGEST_NEAREST)
        end = max(short, default=min(ends or [end]))
    return quote(document, Span(start, end))


def _cut(text: str, whole: Span, start: int, end: int) -> Span:
    """A part of a stretch with some words on both sides of what it is quoted for."""
    left = max(whole.start, start - AROUND)
    right = min(whole.end, end + AROUND)
    if left > whole.start:
        left = text.find(" ", left, start) + 1 or left
    if right < whole.end:
        space = text.rfind(" ", end, right)
        right = right if space < 0 else space
    return Span(left, right)


def _most_supporting(reading: Reading) -> list[tuple[str, Span]]:
    best = sorted(reading.scored.sentences, key=lambda pair: -pair[1])[:SUPPORTING]
    return [reading.sentence(fact) for fact, _ in best]
