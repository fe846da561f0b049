"""A dialog, with a model and a pipeline that say what they are told to."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

import pytest

from lacuna.answers import AnswerMode
from lacuna.corpus.store import Store
from lacuna.errors import LacunaError
from lacuna.models.registry import Progress
from lacuna.pipeline.config import PipelineConfig
from lacuna.pipeline.dialog.conversation import Conversation, DialogPipeline, ask_in_dialog
from lacuna.pipeline.query import Query
from lacuna.pipeline.result import OnStep, Result, Stage, Step
from lacuna.types import (
    Answer,
    AnswerKind,
    DialogActs,
    Document,
    Evidence,
    FollowUp,
    Prediction,
    Question,
    Section,
    Span,
    Turn,
    YesNo,
)

QUILL = "Ada Quill was born in 1897. She left the sea in 1931."
MARROW = "The first master of the Marrow was Ada Quill."
ACTS = DialogActs(YesNo.NEITHER, FollowUp.MAYBE)


class Model:
    """Finds a word that it was told of, in the mode of a dialog."""

    def __init__(self) -> None:
        self.finds: dict[str, str] = {}
        self.confidence = 0.8
        self.measured = False
        self.read_texts: list[Question] = []

    def read(
        self,
        questions: Sequence[Question],
        *,
        mode: AnswerMode = AnswerMode.ASK,
        progress: Progress | None = None,
    ) -> list[Prediction]:
        assert mode is AnswerMode.DIALOG
        self.read_texts += questions
        return [self._one(question) for question in questions]

    def _one(self, question: Question) -> Prediction:
        assert question.context is not None
        start = question.context.text.find(self.finds.get(question.text, "\0"))
        if start < 0:
            return Prediction(Answer.none(), acts=ACTS, confidence=self.confidence)
        end = start + len(self.finds[question.text])
        place = Evidence(question.context.title, start, end)
        answer = Answer.span(question.context.text[start:end], place)
        return Prediction(answer, (place,), acts=ACTS, confidence=self.confidence)


class FakePipeline:
    """Knows answers by question."""

    def __init__(self, store: Store) -> None:
        self.store = store
        self.reader = Model()
        self.config = PipelineConfig()
        self.knows: dict[str, Answer] = {}
        self.confidence = 0.7
        self.asked: list[Query] = []

    def ask(self, query: Query, *, on_step: OnStep | None = None) -> Result:
        self.asked.append(query)
        step = Step(Stage.ANSWER, 0, "It was asked.", (), 1.0)
        if on_step is not None:
            on_step(step)
        answer = self.knows.get(query.question, Answer.none())
        prediction = Prediction(answer, confidence=self.confidence)
        return Result(query.question, None, prediction, (), (step,))


@pytest.fixture
def pipeline(tmp_path: Path) -> Iterator[FakePipeline]:
    with Store.create(tmp_path / "corpus") as store:
        with store.writer() as writer:
            writer.add(
                [
                    Document("Ada Quill", QUILL, (Span(0, 27), Span(28, 53))),
                    Document("Marrow", MARROW, (Span(0, 45),)),
                ]
            )
        yield FakePipeline(store)


MASTER = "Who was the first master of the Marrow?"


def test_a_first_question_is_asked_of_the_corpus(pipeline: FakePipeline) -> None:
    pipeline.knows[MASTER] = Answer.span("Ada Quill", Evidence("Marrow", 35, 44))
    dialog = Conversation(pipeline)
    assert dialog.ask(MASTER).answer.text == "Ada Quill"
    assert pipeline.asked == [Query(MASTER)]
    assert [turn.question for turn in dialog.history] == [MASTER]


def test_a_follow_up_is_read_in_the_documents_of_the_dialog(pipeline: FakePipeline) -> None:
    pipeline.knows[MASTER] = Answer.span("Ada Quill", Evidence("Marrow", 35, 44))
    pipeline.reader.finds["When did Ada Quill leave?"] = "1931"
    dialog = Conversation(pipeline)
    dialog.ask(MASTER)
    result = dialog.ask("And when did she leave?")
    assert [text.context.title for text in pipeline.reader.read_texts if text.context] == [
        "Marrow",
        "Ada Quill",
    ], "where the last answer stood, and what it named"
    (place,) = result.answer.found_at
    assert QUILL[place.start : place.end] == result.answer.text == "1931"
    (quote,) = result.quotes
    assert (quote.text, quote.marks) == ("She left the sea in 1931.", (Span(48, 52),))
    assert result.prediction.acts == ACTS
    assert pipeline.asked[1:] == [Query("When did Ada Quill leave?")], "the corpus was asked, too"
    assert result.question == "And when did she leave?"
    assert result.read_as == "When did Ada Quill leave?"


@pytest.mark.parametrize(("sure", "degree"), [(0.8, "answer"), (0.7, "answer"), (0.62, "probable")])
def test_a_follow_up_has_the_degree_that_a_first_question_has(
    pipeline: FakePipeline, sure: float, degree: str
) -> None:
    pipeline.knows[MASTER] = Answer.span("Ada Quill", Evidence("Marrow", 35, 44))
    pipeline.reader.finds["When did Ada Quill leave?"] = "1931"
    pipeline.reader.confidence = sure
    dialog = Conversation(pipeline)
    dialog.ask(MASTER)
    result = dialog.ask("And when did she leave?")
    assert (result.confidence, result.degree) == (sure, degree)
    assert not result.measured, "this reader's own word is all that is known"


def test_a_follow_up_that_is_likelier_wrong_is_not_given(pipeline: FakePipeline) -> None:
    pipeline.knows[MASTER] = Answer.span("Ada Quill", Evidence("Marrow", 35, 44))
    pipeline.reader.finds["When did Ada Quill leave?"] = "1931"
    pipeline.reader.confidence = 0.446
    pipeline.reader.measured = True
    pipeline.confidence = 0.0
    dialog = Conversation(pipeline)
    dialog.ask(MASTER)
    result = dialog.ask("And when did she leave?")
    assert (result.degree, result.quotes, result.answer) == ("none", (), Answer.none())
    assert result.confidence == pytest.approx(0.554)
    assert result.perhaps is not None
    assert (result.perhaps.answer.text, result.perhaps.confidence) == ("1931", 0.446)
    assert [quote.text for quote in result.perhaps.quotes] == ["She left the sea in 1931."]
    (gap,) = result.gaps
    assert gap.missing.startswith("Not found in Ada Quill: when Ada Quill left.")


def test_earlier_answers_are_marked_in_the_text_that_is_read(pipeline: FakePipeline) -> None:
    history = (Turn(MASTER, Answer.span("Ada Quill", Evidence("Marrow", 35, 44))),)
    ask_in_dialog(pipeline, Query("Who was she?", history=history))
    marrow, quill = pipeline.reader.read_texts
    assert marrow.history[0].answer is not None
    assert marrow.history[0].answer.found_at == (Evidence("Marrow", 35, 44),)
    assert quill.history[0].answer is not None
    assert quill.history[0].answer.found_at == ()


def test_where_the_dialog_does_not_say_the_topic_is_asked_for(pipeline: FakePipeline) -> None:
    pipeline.knows["Where did Ada Quill live?"] = Answer.span("Port Ellery")
    told: list[Step] = []
    dialog = Conversation(pipeline, title="ada quill")
    result = dialog.ask("Where did she live?", on_step=told.append)
    assert result.answer.text == "Port Ellery"
    assert result.question == "Where did she live?"
    assert pipeline.asked[0].title == "Ada Quill"
    assert tuple(told) == result.steps
    assert any("Where did Ada Quill live?" in step.message for step in told), "as it was understood"
    assert result.prediction.acts == DialogActs(None, FollowUp.MAYBE)


def test_where_nothing_answers_it_says_what_was_understood(pipeline: FakePipeline) -> None:
    result = Conversation(pipeline, title="Ada Quill").ask("Where did she live?")
    assert result.answer.kind is AnswerKind.NONE
    assert result.read_as == "Where did Ada Quill live?"


def test_a_question_of_its_own_is_read_as_asked(pipeline: FakePipeline) -> None:
    pipeline.knows["How high is Carrow Fell?"] = Answer.span("900 m")
    history = (Turn(MASTER, Answer.span("Ada Quill", Evidence("Marrow", 35, 44))),)
    result = ask_in_dialog(pipeline, Query("And how high is Carrow Fell?", history=history))
    assert (result.answer.text, result.read_as) == ("900 m", "")
    assert [query.question for query in pipeline.asked] == ["How high is Carrow Fell?"]


def test_a_question_that_may_stand_by_itself_is_asked_in_both_ways(pipeline: FakePipeline) -> None:
    pipeline.knows["When is the festival?"] = Answer.span("in May")
    history = (Turn("How old is the Marrow?", Answer.span("90 years", Evidence("Marrow", 0, 3))),)
    result = ask_in_dialog(pipeline, Query("When is the festival?", history=history))
    asked = [query.question for query in pipeline.asked]
    assert asked == ["When is the festival of the Marrow?", "When is the festival?"]
    assert (result.answer.text, result.read_as) == ("in May", "")


def test_a_calculation_that_is_surer_than_a_quote_is_given(pipeline: FakePipeline) -> None:
    pipeline.confidence = 0.9
    pipeline.knows["How old was Ada Quill then?"] = Answer.number(34, unit="years")
    pipeline.reader.finds["How old was Ada Quill then?"] = "1931"
    dialog = Conversation(pipeline, title="Ada Quill")
    assert dialog.ask("How old was she then?").answer.text == "34 years"


def test_a_question_that_stands_by_itself_may_still_be_about_the_text(
    pipeline: FakePipeline,
) -> None:
    pipeline.confidence = 0.4
    pipeline.reader.finds["What year was the last at sea?"] = "1931"
    dialog = Conversation(pipeline, title="Ada Quill")
    assert dialog.ask("What year was the last at sea?").answer.text == "1931"
    assert pipeline.asked[0].question == "What year was the last at sea?"


def test_a_yes_of_the_pipeline_is_the_act(pipeline: FakePipeline) -> None:
    pipeline.knows["Was Ada Quill a pilot then?"] = Answer.yes()
    acts = Conversation(pipeline, title="Ada Quill").ask("Was she a pilot then?").prediction.acts
    assert acts == DialogActs(YesNo.YES, FollowUp.MAYBE)


def test_a_passage_of_ones_own(pipeline: FakePipeline) -> None:
    passage = Document("letter", "I met her in the harbour. She wore a red coat.")
    pipeline.reader.finds["What did she wear?"] = "a red coat"
    result = Conversation(pipeline, context=passage).ask("What did she wear?")
    assert result.answer.found_at == (Evidence("letter", 35, 45),)


def test_of_a_long_document_only_the_section_is_read(pipeline: FakePipeline) -> None:
    long = "It was cold. " * 1000
    text = long + "She left in 1931."
    sections = (Section(("Log",), 0, len(long)), Section(("Log", "End"), len(long), len(text)))
    log = Document("Log", text, sections=sections, paragraphs=(Span(0, 12), Span(12, len(text))))
    with pipeline.store.writer() as writer:
        writer.add([log])
    at = text.index("1931")
    history = (Turn("When did Quill leave?", Answer.span("1931", Evidence("Log", at, at + 4))),)
    pipeline.reader.finds["Who left?"] = "She"
    result = ask_in_dialog(pipeline, Query("And who left?", history=history))
    assert pipeline.reader.read_texts[0].context is not None
    assert pipeline.reader.read_texts[0].context.text == "She left in 1931."
    assert result.answer.found_at == (Evidence("Log", len(long), len(long) + 3),)
    ask_in_dialog(pipeline, Query("And then?", title="Log"))
    assert pipeline.reader.read_texts[-1].context is not None
    assert pipeline.reader.read_texts[-1].context.text == "It was cold."


def test_a_document_that_is_gone_does_not_stop_the_dialog(pipeline: FakePipeline) -> None:
    history = (Turn("Who sank?", Answer.span("the Tern", Evidence("Gone", 3, 9))),)
    assert (
        ask_in_dialog(pipeline, Query("And when was it?", history=history)).answer.kind
        is AnswerKind.NONE
    )


def test_a_title_that_is_not_there_is_refused_at_once(pipeline: FakePipeline) -> None:
    with pytest.raises(LacunaError, match="Did you mean 'Ada Quill'"):
        Conversation(pipeline, title="Ada Quil")


def test_talks_do_not_share_what_was_said(pipeline: FakePipeline) -> None:
    make: Callable[[], Conversation] = lambda: Conversation(pipeline)  # noqa: E731
    first, second = make(), make()
    first.ask(MASTER)
    assert second.history == ()


def test_only_later_questions_are_read_in_the_light_of_the_dialog(pipeline: FakePipeline) -> None:
    pipeline.reader.finds["When did Ada Quill leave?"] = "1931"
    dialogs = DialogPipeline(pipeline)
    assert dialogs.ask(Query("When did she leave?")).answer.kind is AnswerKind.NONE
    assert not pipeline.reader.read_texts
    history = (Turn(MASTER, Answer.span("Ada Quill", Evidence("Marrow", 35, 44))),)
    assert dialogs.ask(Query("When did she leave?", history=history)).answer.text == "1931"
