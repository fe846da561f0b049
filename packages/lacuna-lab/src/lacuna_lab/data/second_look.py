"""Answers to be judged: right ones, wrong ones of the right kind, and some of other passages."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import chain
from pathlib import Path
from random import Random

from lacuna.datasets.fields import Fields
from lacuna.errors import BadField
from lacuna.files.json import JsonItems, Shape
from lacuna.files.opening import open_text
from lacuna.metrics.metric import normalise, overlap
from lacuna.models.reader.decode import AnswerVerdict
from lacuna.quantities.arithmetic import calculate
from lacuna.quantities.find_quantities import Quantity, find_quantities
from lacuna.types import Answer, AnswerKind, Document, Evidence, Gold, Question, Span
from lacuna_lab.data.documents import polarity_questions
from lacuna_lab.data.lines import PLAUSIBLE, TWIN, reworded
from lacuna_lab.data.strangers import FITTED, MEASURED
from lacuna_lab.data.texts import NAME, NO_NAME, TOGETHER, VERDICT, bare_name, units
from lacuna_lab.train.instances import derivations, occurrences

FILES = ("squad1", "squad_twins", "polarity", "drop", "hotpotqa")
PAIRS_OF_SQUAD, OF_SQUAD, OF_POLARITY, OF_HOTPOTQA = 9_000, 5_000, 12_000, 4_000
"""Questions of each, so that none outweighs the answers that a reader has given itself."""
BAD_LINE = "a broken item"
KEPT_ASIDE = "a collection that is not for training"

RealQuestions = Callable[[str], Iterator[Question]]


def second_looks(
    real: RealQuestions, given: Path, seed: int, left_out: Counter[str]
) -> Iterator[Question]:
    """Questions with one document each, whose gold is an answer to be judged; those of one question
    are neighbours. ``given`` holds what a reader answered over strangers' documents."""
    random = Random(seed)
    yield from judged_answers(given, random, left_out)
    yield from _twins(real("squad_twins"), real("squad1"), random)
    yield from _claims(polarity_questions(real("polarity"), seed), random)
    yield from _alone(_some(real("squad1"), OF_SQUAD, random), random)
    yield from _alone(map(_untitled, real("drop")), random)
    yield from _among_others(_some(real("hotpotqa"), OF_HOTPOTQA, random), random)


def _some(questions: Iterable[Question], most: int, random: Random) -> list[Question]:
    every = list(questions)
    return random.sample(every, min(most, len(every)))


def judged(
    question: Question, answer: Answer, passage: Document, verdict: AnswerVerdict, number: int
) -> Question:
    """A question about one answer; ``number`` tells it from the others of the same question."""
    return Question(
        f"{question.id}/look-{number}",
        question.text,
        documents=(passage,),
        gold=Gold((answer,)),
        extra={TOGETHER: f"{question.id}/look", VERDICT: int(verdict)},
    )


def _numbered(
    question: Question, answers: Iterable[tuple[Answer, Document, AnswerVerdict]]
) -> Iterator[Question]:
    for number, (answer, passage, verdict) in enumerate(answers):
        yield judged(question, answer, passage, verdict, number)


def _quoted(passage: Document, span: Span) -> Answer:
    return Answer.span(passage.text[slice(*span)], Evidence(passage.title, *span))


# What a reader answered to questions over strangers' documents.

AT_MOST = {AnswerVerdict.RIGHT: 2, AnswerVerdict.WRONG: 4, AnswerVerdict.NOT_HERE: 4}
"""Answers of one question by how they are judged; most passages hold none."""
FEW_WORDS = 4
"""So many words more than the gold answer, and the answer is still to the point."""
SURE_TO_MEAN_IT = 12
"""Letters of an answer that does not stand elsewhere by chance."""
NEARLY = 0.8


@dataclass(frozen=True, slots=True)
class GivenAnswer:
    """A window that a reader read for a question, with what it answered."""

    passage: Document
    quotes: tuple[Span, ...]
    """What of the quotes that decide the question stands in the window."""
    whole: bool
    """Whether all of them do."""
    answer: Answer | None
    supported_by: Span | None

    @classmethod
    def of(cls, fields: Fields, quotes: int) -> GivenAnswer:
        """The window of a question with so many quotes."""
        title, text = fields.text("title"), fields.text("text")
        sentences = tuple(Span(*each) for each in fields.items("sentences"))
        held = fields.items("whole")
        support = fields.peek("supported_by")
        return cls(
            Document(title, text, sentences),
            tuple(Span(*each) for each in fields.items("quotes")),
            len(held) == quotes and all(held),
            _answer(fields, title) if "answer" in fields else None,
            Span(*support) if support else None,
        )


def _answer(fields: Fields, title: str) -> Answer:
    places = (Evidence(title, *each) for each in fields.items("found_at"))
    return Answer(
        AnswerKind(fields.text("answer")),
        tuple(fields.texts("texts")),
        tuple(places),
        fields.peek("value"),
        fields.text("unit"),
        fields.text("expression"),
    )


def judged_answers(path: Path, random: Random, left_out: Counter[str]) -> Iterator[Question]:
    """What a reader gave, judged by the gold answer; and the gold answers themselves."""
    with open_text(path) as source:
        for raw in JsonItems(source, Shape.LINES):
            try:
                if raw.problem:
                    raise raw.problem
                fields = Fields(raw.value)
                if fields.text("collection") in MEASURED | FITTED:
                    left_out[KEPT_ASIDE] += 1
                    continue
                yield from _judged_line(fields, random)
            except (BadField, TypeError, ValueError):  # or a place outside of its text
                left_out[BAD_LINE] += 1


def _judged_line(fields: Fields, random: Random) -> Iterator[Question]:
    question = Question(fields.text("id"), fields.text("question"))
    gold, kind = fields.texts("answers"), fields.text("kind")
    windows = [GivenAnswer.of(each, fields.integer("quotes")) for each in fields.objects("windows")]
    every = [judgement for window in windows for judgement in _judgements(window, gold, kind)]
    left = Counter(AT_MOST)
    chosen: list[tuple[Answer, Document, AnswerVerdict]] = []
    for judgement in random.sample(every, len(every)):
        verdict = judgement[2]
        if left[verdict] > 0 and judgement not in chosen:
            left[verdict] -= 1
            chosen.append(judgement)
    yield from _numbered(question, chosen)


def _judgements(
    window: GivenAnswer, gold: Sequence[str], kind: str
) -> Iterator[tuple[Answer, Document, AnswerVerdict]]:
    passage, given = window.passage, window.answer
    if kind == "yes_no":
        yield from _yes_and_no(window, gold[0])
        return
    if given is not None and given.kind in (AnswerKind.YES, AnswerKind.NO):
        given = None  # the form of the question has misled it
    verdict = None if given is None else verdict_of(window, given, gold, kind)
    if given is not None and verdict is not None:
        yield given, passage, verdict
    if kind in ("none", "list") or not window.whole or len(gold) != 1:
        return
    for quote in window.quotes:
        places = (at for at in occurrences(passage.text, gold[0]) if _inside(at, quote))
        if (place := next(places, None)) is not None:
            if verdict is not AnswerVerdict.RIGHT:
                yield _quoted(passage, place), passage, AnswerVerdict.RIGHT
            if (shortened := incomplete(passage.text, place)) is not None:
                yield _quoted(passage, shortened), passage, AnswerVerdict.WRONG


def _yes_and_no(window: GivenAnswer, gold: str) -> Iterator[tuple[Answer, Document, AnswerVerdict]]:
    """Both words, each with the sentence that decides."""
    passage = window.passage
    place = window.quotes[0] if window.whole and window.quotes else window.supported_by
    if place is None or (window.quotes and not window.whole):
        return
    at = Evidence(passage.title, *place)
    for word in ("yes", "no") if window.whole else (window.answer and window.answer.text,):
        if word in FIXED:
            verdict = AnswerVerdict.NOT_HERE
            if window.whole:
                verdict = AnswerVerdict.RIGHT if word == gold else AnswerVerdict.WRONG
            yield replace(FIXED[word](), found_at=(at,)), passage, verdict


FIXED = {"yes": Answer.yes, "no": Answer.no}


def verdict_of(
    window: GivenAnswer, given: Answer, gold: Sequence[str], kind: str
) -> AnswerVerdict | None:
    """How an answer compares with the gold one; None where nobody can tell from that alone."""
    if kind == "none":
        return AnswerVerdict.NOT_HERE
    same = agrees(given, gold)
    if window.quotes:
        if same:
            return AnswerVerdict.RIGHT
        said = any(next(occurrences(window.passage.text, text), None) for text in gold)
        return AnswerVerdict.WRONG if window.whole or said else AnswerVerdict.NOT_HERE
    if same:
        return AnswerVerdict.RIGHT if len(given.text) >= SURE_TO_MEAN_IT else None
    said = any(next(occurrences(window.passage.text, text), None) for text in gold)
    return None if said else AnswerVerdict.NOT_HERE


def agrees(given: Answer, gold: Sequence[str]) -> bool:
    """Whether an answer says all of the gold one and little else.

    >>> agrees(Answer.span("after 30 days"), ["30 days"]), agrees(Answer.span("30"), ["30 days"])
    (True, False)
    """
    said = normalise(" ".join(given.texts) if given.kind is AnswerKind.SPANS else given.text)
    wanted = [normalise(text) for text in gold]
    words, padded = len(said.split()), f" {said} "
    most = sum(len(text.split()) for text in wanted) + FEW_WORDS
    if all(text and f" {text} " in padded for text in wanted) and words <= most:
        return True
    if given.kind is AnswerKind.NUMBER and given.value is not None and len(gold) == 1:
        values = [quantity.value for quantity in find_quantities(gold[0])]
        return len(values) == 1 and round(values[0], 4) == round(given.value, 4)
    return len(wanted) == 1 and overlap(said, wanted[0]).f1 >= NEARLY


# Wrong answers of the right kind, from the same text.

PHRASE = re.compile(r"[^\W_](?:[^.,;:!?()\[\]|\n]*[^\W_])?")
FEWEST_TO_CUT = 4
"""Words of an answer of which a part is no answer."""


def incomplete(text: str, place: Span) -> Span | None:
    """A part of a longer answer."""
    words = list(re.finditer(r"\S+", text[slice(*place)]))
    if len(words) < FEWEST_TO_CUT:
        return None
    return Span(place.start, place.start + words[len(words) // 2 - 1].end())


def of_its_kind(
    passage: Document, like: str, avoided: Sequence[str], random: Random
) -> Span | None:
    """Another number, date, name or phrase of a passage, as the answer is one."""
    text, words = passage.text, len(like.split())
    own = find_quantities(like)
    if own:
        quantities = find_quantities(text)
        spans = [Span(q.start, q.end) for q in quantities if q.kind is own[0].kind]
    elif (name := NAME.match(like)) is not None and name.end() >= len(like) - 1:
        spans = list(_names(text))
    else:
        phrases = (re.finditer(r"\S+", m.group()) for m in PHRASE.finditer(text))
        starts = [match.start() for match in PHRASE.finditer(text)]
        spans = [
            Span(start + pieces[0].start(), start + pieces[min(words, len(pieces)) - 1].end())
            for start, found in zip(starts, phrases, strict=True)
            if len(pieces := list(found)) >= min(words, 2)
        ]
    other = [normalise(each) for each in (like, *avoided)]
    fit = []
    for span in spans:
        said = normalise(text[slice(*span)])
        if said and not any(said in each or each in said for each in other if each):
            fit.append(span)
    return random.choice(fit) if fit else None


def _names(text: str) -> Iterator[Span]:
    """Names; a single word that begins a sentence may be any."""
    for match in NAME.finditer(text):
        name = bare_name(match)
        begins = text[: match.start()].rstrip(" \"'“‘([")[-1:] in ("", ".", "!", "?", "\n", ":")
        if not NO_NAME.match(name) and ". " not in name and not (begins and " " not in name):
            yield Span(match.start(), match.start() + len(name))


def _inside(place: Span, region: Span) -> bool:
    return region.start <= place.start and place.end <= region.end


# SQuAD: a question that its passage answers, and one that it seems to answer.


def _twins(
    unanswerable: Iterable[Question], answerable: Iterable[Question], random: Random
) -> Iterator[Question]:
    """Each pair with the gold answer of one and the plausible one of the other."""
    made_from = {question.extra[TWIN]: question for question in unanswerable}
    pairs = [
        (question, twin)
        for question in answerable
        if (twin := made_from.get(question.id.partition("/")[2])) and PLAUSIBLE in twin.extra
    ]
    for question, twin in random.sample(pairs, min(PAIRS_OF_SQUAD, len(pairs))):
        both = [replace(each, extra={TOGETHER: question.id}) for each in (question, twin)]
        unit = list(reworded(both, random.randrange(1 << 32)))
        gold, passage = question.gold, question.context
        assert gold is not None
        assert passage is not None
        right = next((a for a in gold.answers if a.found_at), None)
        if right is None or twin.context is None or twin.context.text != passage.text:
            continue
        plausible = _quoted(passage, twin.extra[PLAUSIBLE])
        looks = [
            (unit[0], right, AnswerVerdict.RIGHT),
            (unit[1], plausible, AnswerVerdict.NOT_HERE),
        ]
        if not agrees(plausible, right.texts) and not agrees(right, plausible.texts):
            looks.append((unit[0], plausible, AnswerVerdict.WRONG))
            looks.append((unit[1], right, AnswerVerdict.NOT_HERE))
        for number, (asked, answer, verdict) in enumerate(looks):
            named = replace(asked, id=question.id)
            yield judged(named, answer, passage, verdict, number)


def _claims(questions: Iterable[Question], random: Random) -> Iterator[Question]:
    """Yes and no to each claim, with the sentence that has most of its words."""
    pairs = list(units(questions))
    share = OF_POLARITY / max(1, sum(map(len, pairs)))
    chosen = random.sample(pairs, round(min(1.0, share) * len(pairs)))
    for question in chain.from_iterable(chosen):
        passage, gold = question.context, question.gold
        assert passage is not None
        assert gold is not None
        place = nearest_sentence(question.text, passage)
        found_at = () if place is None else (Evidence(passage.title, *place),)
        right = gold.answers[0].kind
        looks = []
        for word in (Answer.yes(), Answer.no()):
            verdict = AnswerVerdict.RIGHT if word.kind is right else AnswerVerdict.WRONG
            verdict = AnswerVerdict.NOT_HERE if right is AnswerKind.NONE else verdict
            looks.append((replace(word, found_at=found_at), passage, verdict))
        yield from _numbered(question, looks)


def nearest_sentence(question: str, passage: Document) -> Span | None:
    """The sentence with the largest share of the question's words."""
    asked = set(normalise(question).split())

    def shared(span: Span) -> float:
        words = set(normalise(passage.text[slice(*span)]).split())
        return len(asked & words) / (len(words) + 5)

    return max(passage.sentences, key=shared, default=None)


def _untitled(question: Question) -> Question:
    """A passage whose title is only the name of its place in the file."""
    passage = question.context
    return question if passage is None else replace(question, context=replace(passage, title=""))


def _alone(questions: Iterable[Question], random: Random) -> Iterator[Question]:
    """The gold answer of a passage, and others of its kind that stand there."""
    for question in questions:
        passage, gold = question.context, question.gold
        if passage is None or gold is None:
            continue
        first = gold.answers[0]
        if first.kind is AnswerKind.NUMBER:
            yield from _numbered(question, _calculated(question, passage, first, random))
        elif first.kind is AnswerKind.SPAN:
            texts = [text for answer in gold.answers for text in answer.texts]
            yield from _numbered(question, _spans(passage, first, texts, random))
        elif first.kind is AnswerKind.SPANS:
            places = [next(occurrences(passage.text, text), None) for text in first.texts]
            found = tuple(Evidence(passage.title, *at) for at in places if at is not None)
            if len(found) == len(places) > 1:
                part = Answer.spans(first.texts[:-1], *found[:-1])
                part = part if len(part.texts) > 1 else Answer.span(part.texts[0], *found[:1])
                looks = [(replace(first, found_at=found), passage, AnswerVerdict.RIGHT)]
                yield from _numbered(question, [*looks, (part, passage, AnswerVerdict.WRONG)])


def _spans(
    passage: Document, gold: Answer, texts: Sequence[str], random: Random
) -> Iterator[tuple[Answer, Document, AnswerVerdict]]:
    places = [Span(at.start, at.end) for at in gold.found_at if at.document == passage.title]
    places = places or list(occurrences(passage.text, gold.text))
    if not places:
        return
    yield _quoted(passage, places[0]), passage, AnswerVerdict.RIGHT
    if (other := of_its_kind(passage, gold.text, texts, random)) is not None:
        yield _quoted(passage, other), passage, AnswerVerdict.WRONG
    shortened = incomplete(passage.text, places[0])
    if shortened is not None and random.random() < 0.5:
        yield _quoted(passage, shortened), passage, AnswerVerdict.WRONG


def _calculated(
    question: Question, passage: Document, gold: Answer, random: Random
) -> Iterator[tuple[Answer, Document, AnswerVerdict]]:
    """The only calculation that gives the gold number, and the same over another number."""
    quantities = find_quantities(passage.text)
    assert gold.value is not None
    ways = derivations(gold.value, quantities, question.text)
    if len(ways) != 1:
        return
    terms = [(sign, quantities[index]) for index, sign in ways[0]]
    right = _number(passage, terms, question.text)
    changed = random.randrange(len(terms))
    own = {quantity for _, quantity in terms}
    others = [q for q in quantities if q.kind is terms[changed][1].kind and q not in own]
    if right is None:
        return
    yield right, passage, AnswerVerdict.RIGHT
    if others:
        other = [*terms]
        other[changed] = terms[changed][0], random.choice(others)
        wrong = _number(passage, other, question.text)
        if wrong is not None and wrong.value not in (gold.value, right.value):
            yield wrong, passage, AnswerVerdict.WRONG
    if len(terms) > 1:  # a number of the text itself, where one had to be calculated
        operand = random.choice(terms)[1]
        yield _quoted(passage, Span(operand.start, operand.end)), passage, AnswerVerdict.WRONG


def _number(
    passage: Document, terms: Sequence[tuple[int, Quantity]], question: str
) -> Answer | None:
    try:
        made = calculate(terms, question)
    except ValueError:
        return None
    places = (Evidence(passage.title, quantity.start, quantity.end) for _, quantity in terms)
    expression = made.expression if len(terms) > 1 else ""
    return Answer.number(made.value, made.text, *places, unit=made.unit, expression=expression)


def _among_others(questions: Iterable[Question], random: Random) -> Iterator[Question]:
    """The gold answer in its paragraph, another there, and one of a paragraph that says nothing."""
    for question in questions:
        gold = question.gold
        if gold is None or gold.answers[0].kind is not AnswerKind.SPAN or not question.documents:
            continue
        answer, useful = gold.answers[0], {fact.title for fact in gold.supporting_facts or ()}
        holding = [
            document
            for document in question.documents
            if document.title in useful and next(occurrences(document.text, answer.text), None)
        ]
        if not holding:
            continue
        looks = list(_spans(holding[0], answer, answer.texts, random))
        others = [d for d in question.documents if d.title not in useful]
        for document in random.sample(others, min(2, len(others))):
            place = of_its_kind(document, answer.text, answer.texts, random)
            if place is not None:
                looks.append((_quoted(document, place), document, AnswerVerdict.NOT_HERE))
        yield from _numbered(question, looks)
