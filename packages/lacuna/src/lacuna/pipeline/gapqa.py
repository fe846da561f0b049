"""GapQA: from a question with choices to its answer by the same stages as other questions."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from string import ascii_uppercase
from time import perf_counter
from typing import Protocol

from lacuna.errors import LacunaError
from lacuna.models.gapqa.gapqa_reader import DEFAULT, GapQAReader, ScoredChoice
from lacuna.models.gapqa.relations import DIRECTIONS
from lacuna.models.gapqa.rows import search_knowledge
from lacuna.pipeline.result import Candidate, Quote, Result, Stage, Step
from lacuna.retrieve.knowledge.knowledge_base import Knowledge, KnowledgeBase, open_knowledge
from lacuna.retrieve.knowledge.search import sentence_of
from lacuna.types import Answer, Choice, Evidence, Gap, Prediction, Question, Role, Span

SEPARATOR = "|"
FEWEST, MOST = 2, len(ascii_uppercase)
"""How many choices there may be; each gets a letter."""


class BadChoices(LacunaError):  # noqa: N818 - it is named after the question's fault
    """A question that GapQA cannot be asked; ``code`` names the reason for programs."""

    def __init__(self, code: str, message: str) -> None:
        super().__init__(message)
        self.code = code


def check_choices(question: Question) -> None:
    """Refuse a question without words, without a core fact, or without choices to choose from."""
    which = f"Question {question.id!r}" if question.id else "The question"
    if not question.text.strip():
        raise BadChoices("question-empty", f"{which} is empty. Write one.")
    if not (question.fact and question.fact.strip()):
        raise BadChoices(
            "fact-empty",
            f"{which} has no core fact, and GapQA begins at one. Give a fact; the reader answers "
            "without one.",
        )
    if len(question.choices) < FEWEST:
        raise BadChoices(
            "too-few-choices", f"{which} has fewer than two choices. Give at least two."
        )
    for choice in question.choices:
        if not choice.text.strip():
            place = f" in question {question.id!r}" if question.id else ""
            raise BadChoices(
                "choice-empty",
                f"Choice {choice.label} is empty{place}. Write something there, or take it out.",
            )


def labelled_question(
    text: str, choices: Sequence[str], fact: str, *, most: int = MOST
) -> Question:
    """A checked question; its choices get the letters A, B, C, … as labels.

    >>> labelled_question("Which is warm?", ["the sun", "ice"], "stars are warm").choices[0]
    Choice(label='A', text='the sun')
    """
    if len(choices) > most:
        raise BadChoices(
            "too-many-choices",
            f"The question has {len(choices)} choices, and may have {most} at most. Leave some "
            "out.",
        )
    labelled = map(Choice, ascii_uppercase, choices)
    question = Question("", text, choices=tuple(labelled), fact=fact)
    check_choices(question)
    return question


def typed_question(text: str, choices: str, fact: str) -> Question:
    """A question whose choices were typed on one line.

    >>> typed_question("Which is warm?", "the sun | ice", "stars are warm").choices[1]
    Choice(label='B', text='ice')
    """
    texts = [part.strip() for part in choices.split(SEPARATOR)]
    try:
        return labelled_question(text, texts, fact.strip())
    except BadChoices as problem:
        if problem.code != "too-few-choices":
            raise
        raise BadChoices(problem.code, f"{problem} Type {SEPARATOR} between them.") from problem


AT_ONCE = 8
"""Questions that are read together: so many keep all cores busy."""
FACT = "fact"
"""What the evidence of a key span calls its document."""

_Outcome = tuple[str, Sequence[Candidate]]
"""What a stage did for one question: a message, and its candidates."""


@dataclass(frozen=True, slots=True)
class KeySpan:
    """The part of the fact that hints at the answer: offsets in code points, half-open."""

    start: int
    """Where it begins in the fact."""
    end: int
    """Where it ends, exclusive."""
    text: str
    """Its words."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ChoiceResult(Result):
    """The choice that is the answer, and the gap that it rests on."""

    gaps: tuple[Gap, ...] = field(init=False, repr=False)
    """That of the answer, if it has one."""
    fact: str
    """The core fact, as it was typed."""
    key_span: KeySpan
    """The part of the fact that hints at the answer."""
    relations: tuple[str, ...] = tuple(direction.name for direction in DIRECTIONS)
    """Names of the relations, in the order of every list of likelihoods."""
    choices: tuple[ScoredChoice, ...]
    """All choices, in the order of the question."""

    @property
    def chosen(self) -> ScoredChoice:
        """The choice that is the answer."""
        return max(self.choices, key=lambda scored: scored.probability)


class FillsGaps(Protocol):
    """Answers questions with choices and a core fact; several threads may ask at the same time.

    A question needs a fact and at least two choices; what is wrong raises a LacunaError.
    """

    def ask(self, question: Question) -> ChoiceResult:
        """One answer."""
        ...

    def ask_many(self, questions: Sequence[Question]) -> list[ChoiceResult]:
        """An answer each."""
        ...


class GapQAPipeline:
    """The model over a knowledge base."""

    def __init__(self, reader: GapQAReader, knowledge: KnowledgeBase) -> None:
        self._reader = reader
        self._knowledge = knowledge.narrowed(reader.folder.knowledge)

    def ask(self, question: Question) -> ChoiceResult:
        """One answer."""
        return self.ask_many([question])[0]

    def ask_many(self, questions: Sequence[Question]) -> list[ChoiceResult]:
        """An answer each; all questions are checked before the first is read."""
        for question in questions:
            check_choices(question)
            self._reader.check(question)
        results: list[ChoiceResult] = []
        for start in range(0, len(questions), AT_ONCE):
            results += self._answer(questions[start : start + AT_ONCE])
        return results

    def _answer(self, questions: Sequence[Question]) -> list[ChoiceResult]:
        trace = _Trace(len(questions))
        spans = self._reader.key_spans(questions)
        trace.record(Stage.SPOT, map(_spotted, questions, spans))
        known = [self._search(*pair) for pair in zip(questions, spans, strict=True)]
        trace.record(Stage.FIND, map(_found, known))
        scored = self._reader.score(questions, known)
        trace.record(Stage.READ, map(_read, scored))
        results = list(map(gap_result, questions, spans, scored))
        trace.record(Stage.ANSWER, map(_answered, results))
        return [
            replace(result, steps=tuple(steps), measured=self._reader.measured)
            for result, steps in zip(results, trace.steps, strict=True)
        ]

    def _search(self, question: Question, span: Span) -> list[Knowledge]:
        # A fact is no evidence for itself, whoever asks.
        base = self._knowledge.without([question.fact or ""])
        return search_knowledge(base, question, span, by_span=self._reader.folder.by_span)


def open_gapqa(
    knowledge: str | Path | None = None,
    *,
    model: str | Path = DEFAULT,
    threads: int | None = None,
    hidden: Iterable[str] = (),
) -> FillsGaps:
    """Something to ask with choices; without a folder, over the demo's knowledge.

    ``hidden`` are core facts that must not be found among the sentences: where many questions are
    asked, the fact of one may give the answer of another away.

    >>> import lacuna
    >>> choices = lacuna.Choice("A", "a steel ladle"), lacuna.Choice("B", "a woollen mitten")
    >>> fact = "heat passes quickly through metals"
    >>> question = lacuna.Question("1", "What lets heat pass?", choices=choices, fact=fact)
    >>> result = lacuna.open_gapqa().ask(question)
    >>> result.answer.text, result.prediction.gaps[0].filled
    ('A: a steel ladle', 'a steel ladle is a kind of metals')
    """
    base = open_knowledge(knowledge).without(hidden)  # before a model is loaded in vain
    return GapQAPipeline(GapQAReader.load(model, threads=threads), base)


def gap_result(question: Question, span: Span, choices: Sequence[ScoredChoice]) -> ChoiceResult:
    """The likeliest choice as the answer, with its gap and the knowledge that it rests on."""
    chosen = max(choices, key=lambda scored: scored.probability)
    prediction = Prediction(
        Answer.choice(chosen.choice.label, chosen.choice.text),
        evidence=(Evidence(FACT, span.start, span.end, Role.KEY_SPAN),),
        gaps=(chosen.gap,) if chosen.gap else (),
        confidence=chosen.probability,
    )
    quotes = tuple(
        Quote(line.source, (str(line.kind),), line.text, 0, len(line.text))
        for line in (chosen.knowledge if chosen.gap else ())
    )
    fact = question.fact or ""
    return ChoiceResult(
        *(question.text, None, prediction, quotes, ()),
        fact=fact,
        key_span=KeySpan(*span, fact[span.start : span.end]),
        choices=tuple(choices),
    )


class _Trace:
    """The steps of questions that are answered together; a stage's time is shared out evenly."""

    def __init__(self, count: int) -> None:
        self.steps: list[list[Step]] = [[] for _ in range(count)]
        self._begun = perf_counter()

    def record(self, stage: Stage, outcomes: Iterable[_Outcome]) -> None:
        """What the stage that ends now did for each question."""
        each = (perf_counter() - self._begun) * 1000 / len(self.steps)
        for steps, (message, candidates) in zip(self.steps, outcomes, strict=True):
            steps.append(Step(stage, 0, message, tuple(candidates), each))
        self._begun = perf_counter()


def _spotted(question: Question, span: Span) -> _Outcome:
    words = (question.fact or "")[span.start : span.end]
    return f"The key span of the fact is “{words}”.", []


def _found(known: Sequence[Knowledge]) -> _Outcome:
    hits = [
        Candidate(sentence.source, sentence.score, True, sentence.text)
        for pair in known
        for sentence in pair.sentences
    ]
    hits += [
        Candidate(", ".join(hit.triple.sources), hit.score, True, sentence_of(hit.triple))
        for pair in known
        for hit in pair.triples
    ]
    message = f"Lines of knowledge that speak of the key span and a choice: {len(hits)}."
    return message, sorted(hits, key=lambda hit: hit.score, reverse=True)


def _read(choices: Sequence[ScoredChoice]) -> _Outcome:
    if not any(scored.lines for scored in choices):
        return "This model reads no knowledge: it goes by the fact alone.", []
    clearest = [
        Candidate(
            *(_named(scored), scored.relation_score, scored.filling is not None),
            text=scored.knowledge[0].text if scored.knowledge else "",
        )
        for scored in choices
    ]
    filled = sum(candidate.chosen for candidate in clearest)
    message = f"Gaps between the key span and a choice that a line fills: {filled}."
    return message, sorted(clearest, key=lambda choice: choice.score, reverse=True)


def _answered(result: ChoiceResult) -> _Outcome:
    ranked = sorted(result.choices, key=lambda scored: scored.probability, reverse=True)
    message = f"{ranked[0].choice.label} is the likeliest of {len(ranked)} choices."
    return message, [
        Candidate("", scored.probability, scored is result.chosen, _named(scored))
        for scored in ranked
    ]


def _named(scored: ScoredChoice) -> str:
    return f"{scored.choice.label}: {scored.choice.text}"
