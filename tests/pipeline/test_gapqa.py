from __future__ import annotations

from dataclasses import replace

import pytest
from gap_toys import CHOICES, FACT, QUESTION, CountingBackend, build, reader

from lacuna.errors import LacunaError
from lacuna.models.gapqa.rows import KnowledgeKind
from lacuna.pipeline.gapqa import AT_ONCE, ChoiceResult, GapQAPipeline
from lacuna.pipeline.result import Result, Stage
from lacuna.retrieve.knowledge.knowledge_base import KnowledgeBase
from lacuna.types import Answer, Choice, Gap, Prediction, Question, Role

SAYING_THE_FACT = "The metals let heat travel through."


@pytest.fixture(scope="module")
def base(tmp_path_factory: pytest.TempPathFactory) -> KnowledgeBase:
    return build(tmp_path_factory.mktemp("knowledge"))


@pytest.fixture
def pipeline(base: KnowledgeBase) -> GapQAPipeline:
    return GapQAPipeline(reader()[0], base)


def lines(result: ChoiceResult) -> set[str]:
    return {line.text for one in result.choices for line in one.lines}


def test_an_answer_with_its_gap(pipeline: GapQAPipeline) -> None:
    result = pipeline.ask(replace(QUESTION, gold=None))
    assert result.question == QUESTION.text
    assert result.key_span is not None
    assert result.fact[result.key_span.start : result.key_span.end] == "metal"
    assert result.chosen is not None
    assert result.chosen.choice == CHOICES[1]
    assert result.prediction.answer == Answer.choice("B", "a steel spoon")
    assert result.prediction.confidence == result.chosen.probability
    assert result.prediction.evidence is not None
    (place,) = result.prediction.evidence
    assert (place.role, FACT[place.start : place.end]) == (Role.KEY_SPAN, "metal")
    assert result.milliseconds > 0
    (gap,) = result.prediction.gaps
    assert gap.filled == "a steel spoon is made of metal"
    assert gap.relation == "made of⁻¹"
    assert result.quotes[0].text == "spoon is made of metal"
    assert (result.quotes[0].document, result.quotes[0].section) == ("cn100k", ("triple",))
    assert [quote.text for quote in result.quotes] == [
        line.text for line in result.chosen.knowledge
    ]


def test_every_stage_is_recorded(pipeline: GapQAPipeline) -> None:
    spot, find, read, answer = pipeline.ask(QUESTION).steps
    assert [step.stage for step in (spot, find, read, answer)] == [
        *(Stage.SPOT, Stage.FIND, Stage.READ, Stage.ANSWER)
    ]
    assert "“metal”" in spot.message
    assert {hit.text for hit in find.candidates} >= {"steel is a kind of metal"}
    assert find.message.endswith(f": {len(find.candidates)}.")
    filled = [choice.title for choice in read.candidates if choice.chosen]
    assert filled == ["B: a steel spoon", "A: a wooden oar"]
    assert answer.candidates[0].text == "B: a steel spoon"
    assert [choice.chosen for choice in answer.candidates] == [True, False, False]
    scores = [choice.score for choice in answer.candidates]
    assert scores == sorted(scores, reverse=True)
    assert sum(step.milliseconds for step in (spot, find, read, answer)) > 0


def test_json_of_a_choice_and_of_other_answers(pipeline: GapQAPipeline) -> None:
    result = pipeline.ask(QUESTION)
    values = result.as_json()
    assert values["answer"]["label"] == "B"
    assert values["key_span"] == {"start": 0, "end": 5, "text": "metal"}
    assert [choice["label"] for choice in values["choices"]] == ["A", "B", "C"]
    assert values["gaps"] == [values["choices"][1]["gap"]]
    assert len(values["relations"]) == len(values["choices"][0]["relations"])
    assert [step["stage"] for step in values["steps"]] == ["spot", "find", "read", "answer"]
    assert "steps" not in result.as_json(trace=False)
    missing = Prediction(Answer.none(), gaps=(Gap("who built it", ("Ferry",)),))
    plain = Result("Who?", None, missing, (), ()).as_json()
    assert not plain.keys() & {"fact", "key_span", "relations", "choices"}
    halves = {"missing", "found", "not_found"}
    fields = halves | {"looked_in", "dangling", "nearest", "nearest_place", "unread"}
    assert plain["gaps"][0].keys() == fields


def test_a_choice_that_is_the_key_span_leaves_no_gap(pipeline: GapQAPipeline) -> None:
    result = pipeline.ask(replace(QUESTION, choices=(Choice("A", "metals"), CHOICES[2])))
    assert result.answer.label == "A"
    assert result.prediction.gaps == ()
    assert result.quotes == ()


def test_a_fact_is_no_evidence_for_itself(pipeline: GapQAPipeline, base: KnowledgeBase) -> None:
    """A choice whose words stand in the fact would find the fact."""
    asked = replace(QUESTION, choices=(*CHOICES, Choice("D", "heat")))
    assert base.about("metal", "heat").sentences[0].text == SAYING_THE_FACT
    assert SAYING_THE_FACT not in lines(pipeline.ask(asked))
    other = replace(asked, fact="metal is hard")
    assert SAYING_THE_FACT in lines(pipeline.ask(other))


def test_a_model_looks_up_what_it_was_trained_with(base: KnowledgeBase) -> None:
    for part, kinds in (
        ("all", {KnowledgeKind.SENTENCE, KnowledgeKind.TRIPLE, KnowledgeKind.BACK_OFF}),
        ("triples", {KnowledgeKind.TRIPLE, KnowledgeKind.BACK_OFF}),
        ("wordnet", {KnowledgeKind.TRIPLE, KnowledgeKind.BACK_OFF}),
        ("none", {KnowledgeKind.BACK_OFF}),
    ):
        spoon = GapQAPipeline(reader(knowledge=part)[0], base).ask(QUESTION).choices[1]
        assert {line.kind for line in spoon.lines} == kinds
        assert (part == "wordnet") == ({line.source for line in spoon.lines} == {"oewn", ""})


def test_one_that_searches_by_the_whole_fact(base: KnowledgeBase) -> None:
    """Of the two words of the fact, only steel is known to be a metal."""
    asked = replace(QUESTION, fact="wire is steel", choices=(Choice("A", "metal"), CHOICES[2]))
    by_span, by_fact = (
        GapQAPipeline(reader(key="wire", retrieve_by=by)[0], base).ask(asked)
        for by in ("span", "fact")
    )
    assert not by_span.choices[0].knowledge
    assert "steel is a kind of metal" in lines(by_fact)
    assert {scored.span for scored in by_fact.choices} == {"wire"}


def test_many_are_answered_in_their_order(pipeline: GapQAPipeline) -> None:
    questions = [
        replace(QUESTION, id=str(number), choices=CHOICES[::-1] if number % 2 else CHOICES)
        for number in range(2 * AT_ONCE + 1)
    ]
    results = pipeline.ask_many(questions)
    asked = [[scored.choice for scored in result.choices] for result in results]
    assert asked == [list(question.choices) for question in questions]
    assert {one.prediction.answer for one in results} == {Answer.choice("B", "a steel spoon")}
    assert pipeline.ask_many([]) == []


@pytest.mark.parametrize(
    ("question", "said"),
    [
        (replace(QUESTION, text=" "), "'q' is empty"),
        (replace(QUESTION, fact=None), "no core fact"),
        (replace(QUESTION, fact="\n"), "no core fact"),
        (replace(QUESTION, id="", fact=None), "The question has no core fact"),
        (replace(QUESTION, choices=CHOICES[:1]), "fewer than two choices"),
        (
            replace(QUESTION, choices=(*CHOICES, Choice("D", " "))),
            "Choice D is empty in",
        ),
        (replace(QUESTION, fact="metal " * 600), "Say it shorter"),
    ],
)
def test_bad_questions_are_refused_before_anything_is_read(
    base: KnowledgeBase, question: Question, said: str
) -> None:
    model, backend = reader()
    assert isinstance(backend, CountingBackend)
    with pytest.raises(LacunaError, match=said):
        GapQAPipeline(model, base).ask_many([QUESTION, question])
    assert not backend.seen


def test_without_any_knowledge_the_back_off_is_left() -> None:
    result = GapQAPipeline(reader()[0], KnowledgeBase()).ask(QUESTION)
    assert result.quotes == ()
    assert not any(gap.filled for gap in result.prediction.gaps)
    assert lines(result) == {f"metal and {one.text}" for one in CHOICES}
