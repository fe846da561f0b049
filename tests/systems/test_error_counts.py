"""Errors by the classes of the papers: which stage failed, and what cannot be told."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

import lacuna
from lacuna import demo
from lacuna.datasets import get_dataset
from lacuna.datasets import openbookqa as gap_errors
from lacuna.datasets.base import AnswerTrace, ChoiceTrace
from lacuna.datasets.iirc import CONTEXT, ERROR, LINKS, MODEL, UNANSWERABLE, UNKNOWN
from lacuna.types import Answer, Choice, Document, Evidence, Gold, Prediction, Question, Role

ISLE = Document("Isle", "Home of herring. It lies north.")
ASKED = Question(
    "1",
    "Where is it?",
    Document("passage", "The ferry goes to the isle."),
    (ISLE,),
    gold=Gold((Answer.span("north"),), evidence=(Evidence("Isle", 17, 31),), links=("isle",)),
)
WRONG = Prediction(Answer.span("south"))


def iirc_error(trace: AnswerTrace, question: Question = ASKED) -> str:
    return get_dataset("iirc").errors(question, WRONG, trace)[ERROR]


def test_which_stage_failed() -> None:
    assert iirc_error(AnswerTrace()) == LINKS
    assert iirc_error(AnswerTrace(("Isle",), ("Home of herring.",))) == CONTEXT
    assert iirc_error(AnswerTrace(("ISLE (retrieved)",), ("Home.  It LIES\nnorth. Yes.",))) == MODEL
    nobody_knows = Question("2", "Why?", gold=Gold((Answer.none(),)))
    assert iirc_error(AnswerTrace(), nobody_knows) == UNANSWERABLE
    bare = Question("3", "Why?", gold=Gold((Answer.span("so"),)))
    assert iirc_error(AnswerTrace(), bare) == UNKNOWN


def gap_question(relations: tuple[str, ...] | None = ("madeof",)) -> Question:
    spans = (Evidence("fact1", 0, 5, Role.KEY_SPAN),)
    return Question(
        "1",
        "What lets heat pass?",
        choices=(Choice("A", "a spoon"), Choice("B", "a rug")),
        fact="metal lets heat pass",
        gold=Gold((Answer.choice("A"),), evidence=spans, relations=relations),
    )


def chosen(start: int, end: int) -> Prediction:
    return Prediction(Answer.choice("B"), (Evidence("fact", start, end, Role.KEY_SPAN),))


def test_gapqas_classes_need_kgds_annotations() -> None:
    assert gap_errors.error_class(gap_question(), chosen(11, 15)) == gap_errors.SPAN
    assert gap_errors.error_class(gap_question(), chosen(0, 10)) == gap_errors.SCORES
    out_of_scope = gap_question(("before", "related"))
    assert gap_errors.error_class(out_of_scope, chosen(0, 5)) == gap_errors.SCOPE
    inverse = gap_question(("is a⁻¹",))
    assert gap_errors.error_class(inverse, chosen(0, 5)) == gap_errors.SCORES
    assert gap_errors.error_class(gap_question(None), chosen(0, 5)) is None
    assert gap_errors.error_class(gap_question(), WRONG) is None


@pytest.mark.parametrize(
    ("fact", "relation", "preferred"),
    [
        (1.0, 0.0, "the fact score alone"),
        (0.0, 1.0, "the relation score alone"),
        (1.0, 1.0, "both scores"),
    ],
)
def test_which_score_preferred_the_wrong_choice(
    fact: float, relation: float, preferred: str
) -> None:
    choices = ChoiceTrace("A", 0.5, 0.5, False), ChoiceTrace("B", fact, relation, True)
    labels = gap_errors.error_labels(gap_question(), chosen(0, 5), AnswerTrace(choices=choices))
    assert labels[gap_errors.PREFERRED] == preferred
    assert labels[gap_errors.KNOWLEDGE] == "none"
    assert gap_errors.PREFERRED not in gap_errors.error_labels(
        gap_question(), chosen(0, 5), AnswerTrace()
    )


def test_an_evaluation_counts_errors_by_what_was_read(examples: Path) -> None:
    table = lacuna.evaluate("always-none", "iirc", examples / "iirc.json")
    (system,) = table.systems
    assert system.errors is not None
    counts = system.errors.tables[ERROR]
    # With the gold sentences before it, only the model can be wrong.
    assert set(counts) <= {MODEL, UNKNOWN}
    assert counts.total() == system.errors.wrong == system.to_json()["errors"]["wrong"]
    titles = [each.title for each in table.tables()]
    assert f"Errors: {counts.total()} of {counts.total()}" in titles


def test_a_search_tells_what_it_followed_and_read(tmp_path: Path) -> None:
    file = tmp_path / "some.json"
    passages = json.loads(demo.QUESTIONS.read_text("utf-8"))
    file.write_text(json.dumps(passages[::5]), "utf-8")
    table = lacuna.evaluate("reader", "iirc", file, setting="full", corpus=demo.ARTICLES)
    (system,) = table.systems
    assert system.errors is not None
    counts = system.errors.tables[ERROR]
    assert system.errors.wrong == counts.total() > 0
    assert set(counts) == {CONTEXT, MODEL, UNANSWERABLE, LINKS}
    rows = next(each for each in table.tables() if each.columns[0] == ERROR).rows
    assert [row[0] for row in rows][:4] == [CONTEXT, MODEL, UNANSWERABLE, LINKS]
    assert rows[0][-1] == 39, "the paper's"


def test_what_cannot_be_told_is_said(tmp_path: Path) -> None:
    table = lacuna.evaluate("abstain", "openbookqa")
    assert table.systems[0].errors is not None
    assert not table.systems[0].errors.wrong
    lines = demo.OPENBOOK.read_text("utf-8").splitlines()
    labels = [json.loads(line) for line in lines]
    for raw in labels:
        raw.pop("answer_spans", None), raw.pop("relations", None)
    file = tmp_path / "plain.jsonl"
    file.write_text("\n".join(map(json.dumps, labels)))
    table = lacuna.evaluate(["gapqa", "reader"], "openbookqa", file)
    assert any("KGD's answer_spans and relations" in note for note in table.notes)
    gapqa, reader = (system.errors for system in table.systems)
    assert gapqa is not None
    assert gapqa.tables[gap_errors.PREFERRED].total() == gapqa.wrong
    assert reader is not None
    assert not reader.tables
    kgd = lacuna.evaluate("gapqa", "openbookqa", _all_wrong(lines, tmp_path / "kgd.jsonl"))
    assert kgd.notes == ()
    assert kgd.systems[0].errors is not None
    assert kgd.systems[0].errors.tables[gap_errors.ERROR].total() > 0


def _all_wrong(lines: list[str], file: Path) -> Path:
    """Questions whose wrong choices are called right, with KGD's annotations."""
    raws = []
    for raw in map(json.loads, lines):
        labels = [choice["label"] for choice in raw["question"]["choices"]]
        for label in labels:
            annotated = {"answer_spans": [raw["fact1"].split()[0]], "relations": ["isa"]}
            raws.append({**raw, **annotated, "id": f"{raw['id']}-{label}", "answerKey": label})
    file.write_text("\n".join(map(json.dumps, raws)))
    return file
