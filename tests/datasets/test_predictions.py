"""The official prediction formats."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import formats
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from lacuna import (
    Answer,
    AnswerKind,
    DialogActs,
    FollowUp,
    LacunaError,
    Prediction,
    SupportingFact,
    YesNo,
    get_dataset,
)

quick = settings(max_examples=60, deadline=None)
ids = st.text(formats.LETTERS, min_size=1, max_size=5)


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("predictions")


def given_back(folder: Path, dataset_name: str, content: Any) -> Any:
    source, target = folder / "pred.json", folder / "again.json"
    source.write_text(json.dumps(content))
    dataset = get_dataset(dataset_name)
    dataset.write_predictions(target, dataset.read_predictions(source))
    return json.loads(target.read_text(encoding="utf-8"))


@quick
@given(content=st.dictionaries(ids, formats.text | st.lists(formats.text, max_size=3)))
@pytest.mark.parametrize("dataset_name", ["iirc", "drop"])
def test_texts_and_lists_of_texts(folder: Path, dataset_name: str, content: dict[str, Any]) -> None:
    assert given_back(folder, dataset_name, content) == content


@quick
@given(content=st.dictionaries(ids, formats.text))
def test_squad(folder: Path, content: dict[str, str]) -> None:
    assert given_back(folder, "squad", content) == content


@quick
@given(
    answers=st.dictionaries(ids, formats.text, min_size=1),
    facts=st.dictionaries(ids, st.lists(st.tuples(formats.text, st.integers(0, 9)).map(list))),
)
def test_hotpotqa(folder: Path, answers: dict[str, str], facts: dict[str, list[Any]]) -> None:
    content = {"answer": answers, "sp": facts}
    assert given_back(folder, "hotpotqa", content) == content


dialog_predictions = st.dictionaries(
    st.tuples(st.integers(0, 3), st.integers(0, 9)),
    st.tuples(
        formats.text | st.just("CANNOTANSWER"), st.sampled_from("ynx"), st.sampled_from("ymn")
    ),
    min_size=1,
)


@quick
@given(found=dialog_predictions)
def test_quac(folder: Path, found: dict[tuple[int, int], tuple[str, str, str]]) -> None:
    lines: dict[int, dict[str, list[str]]] = {}
    for dialog, turn in sorted(found):
        line = lines.setdefault(
            dialog, {"best_span_str": [], "qid": [], "yesno": [], "followup": []}
        )
        values = (found[dialog, turn][0], f"C_{dialog}_q#{turn}", *found[dialog, turn][1:])
        for name, value in zip(line, values, strict=True):
            line[name].append(value)
    source, target = folder / "pred.jsonl", folder / "again.jsonl"
    source.write_text("".join(json.dumps(line) + "\n" for line in lines.values()))
    quac = get_dataset("quac")
    quac.write_predictions(target, quac.read_predictions(source))
    written = target.read_text(encoding="utf-8").split("\n")
    assert [json.loads(line) for line in written if line] == list(lines.values())


printable = st.text(st.characters(exclude_categories=["C"]), min_size=1, max_size=5)


@quick
@given(content=st.dictionaries(printable, st.sampled_from(["A", "B", "A;C"]), min_size=1))
def test_openbookqa(folder: Path, content: dict[str, str]) -> None:
    path = folder / "pred.csv"
    openbookqa = get_dataset("openbookqa")
    predictions = {id_: Prediction(Answer.choice(label)) for id_, label in content.items()}
    openbookqa.write_predictions(path, predictions)
    assert openbookqa.read_predictions(path) == predictions


def test_the_kinds_that_a_text_can_say(tmp_path: Path) -> None:
    path = tmp_path / "pred.json"
    path.write_text('{"a": "none", "b": "yes", "c": ["x", "y"], "d": "27", "e": ""}')
    found = get_dataset("iirc").read_predictions(path)
    kinds = [prediction.answer.kind for prediction in found.values() if prediction.answer]
    assert kinds == [
        AnswerKind.NONE,
        AnswerKind.YES,
        AnswerKind.SPANS,
        AnswerKind.SPAN,
        AnswerKind.SPAN,
    ]


def test_every_kind_of_answer_can_be_written(tmp_path: Path) -> None:
    path = tmp_path / "pred.json"
    predictions = {
        "a": Prediction(Answer.number(27, unit="years", expression="1958 - 1931")),
        "b": Prediction(Answer.no()),
        "c": Prediction(Answer.spans(("x", "y"))),
        "d": Prediction(Answer.none()),
        "e": Prediction(None),
    }
    get_dataset("iirc").write_predictions(path, predictions)
    assert json.loads(path.read_text()) == {"a": "27", "b": "no", "c": ["x", "y"], "d": "none"}
    facts = Prediction(Answer.none(), supporting_facts=(SupportingFact("Tarn", 2),))
    get_dataset("hotpotqa").write_predictions(path, {"a": facts})
    assert json.loads(path.read_text()) == {"answer": {"a": "noanswer"}, "sp": {"a": [["Tarn", 2]]}}


def test_what_a_format_cannot_say_is_refused(tmp_path: Path) -> None:
    with pytest.raises(LacunaError, match="is no choice but 'none'"):
        get_dataset("openbookqa").write_predictions(
            tmp_path / "pred.csv", {"a": Prediction(Answer.none())}
        )
    assert list(tmp_path.iterdir()) == []


def test_dialog_acts_may_be_missing(tmp_path: Path) -> None:
    path = tmp_path / "pred.jsonl"
    path.write_text('{"best_span_str": ["a"], "qid": ["C_1_q#0"]}\n')
    assert get_dataset("quac").read_predictions(path) == {"C_1_q#0": Prediction(Answer.span("a"))}
    acts = DialogActs(YesNo.NEITHER, FollowUp.MAYBE)
    get_dataset("quac").write_predictions(path, {"C_1_q#0": Prediction(Answer.none(), acts=acts)})
    line = {
        "best_span_str": ["CANNOTANSWER"],
        "qid": ["C_1_q#0"],
        "yesno": ["x"],
        "followup": ["m"],
    }
    assert json.loads(path.read_text()) == line


@pytest.mark.parametrize(
    ("dataset_name", "content", "message"),
    [
        ("iirc", '["none"]', "maps each question's id to its answer"),
        ("iirc", '{"q": 7}', "prediction for 'q'.*expected a text or a list of texts.*number 7"),
        ("iirc", '{"q": ["a", null]}', "a text or a list of texts"),
        ("iirc", '{"q": "a", "q": "b"}', "q: expected every key once"),
        ("iirc", '{"q": NaN}', "NaN"),
        ("iirc", '{"q": "\\u0000"}', "NUL"),
        ("squad", '{"q": ["a"]}', "expected a text, found a list of 1"),
        ("hotpotqa", '{"q": "a"}', "holds no HotpotQA predictions"),
        ("hotpotqa", '{"answer": ["a"]}', "holds no HotpotQA predictions"),
        ("hotpotqa", '{"answer": {"q": 1}}', "prediction for 'q'.*expected a text"),
        ("hotpotqa", '{"sp": {"q": [["Tarn"]]}}', r"sp\[0\].*number of the sentence"),
        ("hotpotqa", '{"answer": {"q": "a", "q": "b"}}', "q: expected every key once"),
        ("quac", "[]", "one JSON object a line"),
        (
            "quac",
            '{"qid": ["a"], "best_span_str": []}',
            r"line 1.*as many as in qid \(1\), found 0",
        ),
        ("quac", '{"qid": ["a"], "best_span_str": ["x"], "yesno": ["j"]}', "y, n or x"),
        ("quac", '{"qid": ["a", "a"], "best_span_str": ["x", "y"]}', "'a' a second time"),
        ("quac", '{"qid": ["a"], "best_span_str": ["x"]}\n{', "line 2"),
        ("openbookqa", "", "holds no predictions"),
        ("openbookqa", "a\n", "line 1.*two columns"),
        ("openbookqa", "a,B;\n", "line 1.*an id and a choice"),
        ("openbookqa", ",B\n", "line 1.*an id and a choice"),
        ("openbookqa", "a,A\na,B\n", "line 2.*'a' a second time"),
        ("openbookqa", "a," + "x" * 200_000, "is not a CSV file"),
    ],
)
def test_broken_predictions_are_named(
    tmp_path: Path, dataset_name: str, content: str, message: str
) -> None:
    path = tmp_path / "pred"
    path.write_text(content)
    with pytest.raises(LacunaError, match=message):
        get_dataset(dataset_name).read_predictions(path)
