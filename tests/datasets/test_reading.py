"""What the readers make of single items, and how they refuse broken ones."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from lacuna import (
    AnswerKind,
    Choice,
    Evidence,
    LacunaError,
    Question,
    Role,
    SupportingFact,
    YesNo,
    get_dataset,
)
from lacuna.errors import ItemError

FILES = {
    "iirc": "iirc.json",
    "hotpotqa": "hotpotqa.json",
    "openbookqa": "openbookqa.jsonl",
    "quac": "quac.json",
    "squad": "squad.json",
    "drop": "drop.json",
}


def questions(dataset_name: str, path: Path, **options: Any) -> list[Question]:
    with get_dataset(dataset_name).open(path, **options) as reader:
        return list(reader.questions())


def load(path: Path) -> Any:
    text = path.read_text(encoding="utf-8")
    return (
        [json.loads(line) for line in text.splitlines()]
        if path.suffix == ".jsonl"
        else json.loads(text)
    )


def save(path: Path, content: Any) -> Path:
    if path.suffix == ".jsonl":
        path.write_text("".join(json.dumps(item) + "\n" for item in content))
    else:
        path.write_text(json.dumps(content))
    return path


def test_iirc(examples: Path) -> None:
    age, aunt, alive, unknown, *_ = questions("iirc", examples / "iirc.json")
    assert age.context is not None
    assert age.context.title == "Marrow (ferry)"
    link = age.context.links[2]
    assert (age.context.text[link.start : link.end], link.target) == ("Harbour Act", "harbour act")
    assert age.gold is not None
    assert age.gold.links == ("harbour act",)
    (answer,) = age.gold.answers
    assert (answer.kind, answer.value, answer.unit) == (AnswerKind.NUMBER, 27, "years")
    assert age.gold.evidence is not None
    own, linked = age.gold.evidence
    assert age.context.text[own.start : own.end] == "launched at Port Ellery in 1931"
    (article,) = age.documents
    assert article.title == linked.document == "harbour act"
    assert article.text[linked.start : linked.end] == "The Harbour Act was passed in 1958."
    kinds = [question.gold.answers[0].kind for question in (aunt, alive, unknown) if question.gold]
    assert kinds == [AnswerKind.SPAN, AnswerKind.NO, AnswerKind.NONE]


def test_hotpotqa(examples: Path) -> None:
    first, second = questions("hotpotqa", examples / "hotpotqa.json")
    ferry = first.documents[0]
    assert (
        ferry.text
        == "The Marrow was a ferry of the Ellery Islands. Her first master was Ada Quill."
    )
    assert ferry.sentence(1) == " Her first master was Ada Quill."
    assert first.gold is not None
    assert first.gold.supporting_facts is not None
    assert first.gold.supporting_facts[1] == SupportingFact("Ada Quill", 0)
    assert second.gold is not None
    assert second.gold.answers[0].kind is AnswerKind.NO


def test_sentences_without_blanks_are_set_apart(tmp_path: Path) -> None:
    """2WikiMultihopQA's sentences bring no blank along; the text must still read well."""
    raw = {"_id": "w", "question": "?", "context": [["Tarn", ["It is small.", "", "It rains."]]]}
    (question,) = questions("hotpotqa", save(tmp_path / "f.json", [raw]))
    (document,) = question.documents
    assert document.text == "It is small. It rains."
    assert [document.sentence(n) for n in range(3)] == ["It is small.", "", "It rains."]


def test_openbookqa_with_the_annotations_of_kgd(examples: Path) -> None:
    kettle, oil = questions("openbookqa", examples / "openbookqa.jsonl")
    assert kettle.fact == "metals let electricity pass"
    assert kettle.gold is not None
    assert kettle.gold.relations == ("madeof", "madeof")
    assert kettle.gold.evidence is not None
    (span,) = kettle.gold.evidence
    assert (kettle.fact[span.start : span.end], span.role) == ("metals", Role.KEY_SPAN)
    assert kettle.gold.answers[0].text == "B: a copper kettle"
    assert oil.choices[3].text == "saltier than water"


def test_kgds_own_files_call_the_fact_otherwise(examples: Path, tmp_path: Path) -> None:
    raw = json.loads((examples / "openbookqa.jsonl").read_text("utf-8").splitlines()[0])
    raw["fact"] = raw.pop("fact1")
    raw["prefetched_sentences"] = {"a copper kettle": ["Kettles of copper are costly."]}
    path, again = tmp_path / "kgd.jsonl", tmp_path / "again.jsonl"
    path.write_text(json.dumps(raw) + "\n", "utf-8")
    (question,) = questions("openbookqa", path)
    assert question.fact == "metals let electricity pass"
    assert question.gold is not None
    assert question.gold.evidence == (Evidence("fact1", 0, 6, Role.KEY_SPAN),)
    with get_dataset("openbookqa").open(path) as reader:
        get_dataset("openbookqa").copy(reader, again)
    assert json.loads(again.read_text("utf-8")) == raw


def test_a_fact_beside_fact1_is_one_of_the_unknown_fields(tmp_path: Path) -> None:
    raw = {"id": "o", "question": {"stem": "?", "choices": []}, "fact1": "one", "fact": 2}
    (question,) = questions("openbookqa", save(tmp_path / "f.json", [raw]))
    assert (question.fact, question.extra["fact"]) == ("one", 2)


@pytest.mark.parametrize(
    ("choices", "subset"),
    [
        (["a copper kettle", "the oar of a boat"], "OBQA-Short"),
        (["a copper kettle", "an old copper kettle"], "longer choices"),
        (["all of these", "it is what they were"], "OBQA-Short"),
    ],
)
def test_obqa_short_is_about_words_that_are_no_stop_words(choices: list[str], subset: str) -> None:
    question = Question("o", "?", choices=tuple(Choice(text[0], text) for text in choices))
    assert get_dataset("openbookqa").facets(question)["subset"] == subset


def test_quac_keeps_the_dialog(examples: Path) -> None:
    first, second, third = questions("quac", examples / "quac.json")
    assert first.history == ()
    assert [turn.question for turn in third.history] == [first.text, second.text]
    assert third.history[1].answer is not None
    assert third.history[1].answer.text == "the first woman of the islands to do so"
    assert second.gold is not None
    assert second.gold.acts is not None
    assert second.gold.acts.yes_no is YesNo.YES
    assert third.gold is not None
    assert {answer.kind for answer in third.gold.answers} == {AnswerKind.NONE}
    assert first.context is third.context


def test_squad(examples: Path) -> None:
    _, mark, owner = questions("squad", examples / "squad.json")
    assert mark.gold is not None
    assert mark.context is not None
    found = mark.gold.answers[1].found_at[0]
    assert mark.context.text[found.start : found.end] == "serves as a sea mark"
    assert owner.gold is not None
    assert owner.gold.answers[0].kind is AnswerKind.NONE
    assert owner.gold.evidence is not None
    assert owner.gold.evidence[0].role is Role.PLAUSIBLE


def test_drop(examples: Path) -> None:
    lost, sold, first = questions("drop", examples / "drop.json")
    kinds = [q.gold.answers[0].kind for q in (lost, sold, first) if q.gold]
    assert kinds == [AnswerKind.NUMBER, AnswerKind.SPANS, AnswerKind.SPAN]
    assert first.gold is not None
    assert first.gold.answers[0].unit == "date"


def test_reduced_drop_offers_both_readings_of_a_joined_answer(tmp_path: Path) -> None:
    qa_pairs = [
        {"query_id": "a", "question": "Who?", "answers": ["Ruth Quill and Tom Orde"]},
        {"query_id": "b", "question": "What?", "answers": ["salt and pepper"]},
        {"query_id": "c", "question": "Which?", "answers": ["bread and butter", "7"]},
    ]
    passage = "Tom Orde met Ruth Quill; they ate salt and pepper."
    raw = [{"passage_id": "p", "passage": passage, "qa_pairs": qa_pairs}]
    both, one, not_there = questions("drop", save(tmp_path / "f.json", raw))
    assert both.gold is not None
    assert [a.texts for a in both.gold.answers] == [
        ("Ruth Quill", "Tom Orde"),
        ("Ruth Quill and Tom Orde",),
    ]
    assert one.gold is not None
    assert [a.texts for a in one.gold.answers] == [("salt and pepper",)]
    assert not_there.gold is not None
    assert [a.kind for a in not_there.gold.answers] == [AnswerKind.SPAN, AnswerKind.NUMBER]


@pytest.mark.parametrize("dataset_name", FILES)
def test_a_test_file_without_answers_loads(
    dataset_name: str, examples: Path, tmp_path: Path
) -> None:
    hidden = (
        *("answer", "answers", "supporting_facts", "orig_answer", "yesno", "followup"),
        *("answerKey", "validated_answers", "question_links", "answer_spans", "answer_starts"),
        *("relations", "is_impossible", "plausible_answers"),
    )

    def strip(value: Any) -> Any:
        if isinstance(value, dict):
            return {key: strip(inner) for key, inner in value.items() if key not in hidden}
        return [strip(inner) for inner in value] if isinstance(value, list) else value

    content = strip(load(examples / FILES[dataset_name]))
    if dataset_name == "iirc":
        for passage in content:
            for question in passage["questions"]:
                del question["context"]
    found = questions(dataset_name, save(tmp_path / FILES[dataset_name], content))
    assert found
    assert all(question.gold is None for question in found)


QA = ("data", 0, "paragraphs", 0, "qas")
FLEET = ("fleet_1", "qa_pairs")
ONE, NOTHING = "item 1", object()
# the dataset; where to change what; the item and the field that the error names; what it expects
Place = tuple[str | int, ...]
BROKEN: list[tuple[str, Place, Any, str, str, str]] = [
    ("iirc", (0, "links", 0, "indices"), [5, 9999], ONE, "links[0].indices", "within the text"),
    ("iirc", (0, "questions", 1, "answer", "type"), "word", ONE, "answer.type", "span, value"),
    ("iirc", (0, "questions", 2, "answer", "answer_value"), "?", ONE, "answer_value", "yes or no"),
    ("iirc", (1, "questions", 0, "answer", "answer_spans"), [], "item 2", "spans", "at least one"),
    ("hotpotqa", (1, "context", 1), ["Tarn"], "item 2", "context[1]", "[title, [sentence"),
    ("hotpotqa", (0, "supporting_facts", 0), ["T", "1"], ONE, "_facts[0]", "of the sentence"),
    ("hotpotqa", (0, "question"), NOTHING, ONE, "question", "a text, found nothing"),
    ("hotpotqa", (0, "answer"), 12, ONE, "answer", "a text, found the number 12"),
    ("openbookqa", (1, "answerKey"), "E", "line 2", "answerKey", "one of the labels A, B, C, D"),
    ("openbookqa", (0, "answer_starts"), [3], "line 1", "answer_spans[0]", "a span of the fact"),
    ("openbookqa", (0, "question", "choices", 2, "text"), 7, "line 1", "choices[2].text", "text"),
    ("quac", (*QA, 1, "answers", 0, "answer_start"), 3, ONE, "answer_start", "'the first woman"),
    ("quac", (*QA, 0, "yesno"), "j", ONE, "paragraphs[0].qas[0].yesno", "y, n or x"),
    ("quac", (*QA, 0, "orig_answer"), "cook", ONE, "orig_answer", "an object, found 'cook'"),
    ("squad", (*QA, 0, "answers", 0, "answer_start"), -1, ONE, "answer_start", "0 or more"),
    ("squad", (*QA, 0, "is_impossible"), True, ONE, "is_impossible", "false where there are"),
    ("squad", (*QA, 1, "id"), "s1", ONE, "id", "'s1' a second time"),
    ("drop", (*FLEET, 1, "answer", "spans"), "T", "item 1 ('fleet_1')", "spans", "a list of texts"),
    ("drop", (*FLEET, 2, "answer", "date"), "1940", "item 1 ('fleet_1')", "date", "day, month"),
]  # fmt: skip


@pytest.mark.parametrize(("dataset_name", "place", "value", "item", "field", "expected"), BROKEN)
def test_a_broken_item_is_named(
    examples: Path,
    tmp_path: Path,
    dataset_name: str,
    place: Place,
    value: Any,
    item: str,
    field: str,
    expected: str,
) -> None:
    content = inner = load(examples / FILES[dataset_name])
    for step in place[:-1]:
        inner = inner[step]
    if value is NOTHING:
        del inner[place[-1]]
    else:
        inner[place[-1]] = value
    path = save(tmp_path / FILES[dataset_name], content)
    with pytest.raises(ItemError) as caught:
        questions(dataset_name, path)
    message = str(caught.value)
    assert message.startswith(f"{path}, {item}, field ")
    assert caught.value.field.endswith(field)
    assert expected in message
    assert "--skip-bad" in message


def test_a_broken_first_item_does_not_speak_for_the_file(tmp_path: Path) -> None:
    lines = [{"question": "?"}, *({"question": f"{n}?", "link_context": "x"} for n in range(9))]
    path = save(tmp_path / "file.jsonl", lines)
    with get_dataset("iirc").open(path, skip_bad=True) as reader:
        assert len(list(reader.questions())) == 9
    assert [error.item for error in reader.bad] == ["line 1"]


def test_a_key_that_an_item_has_twice_is_named_and_can_be_skipped(tmp_path: Path) -> None:
    path = tmp_path / "file.json"
    good = '{"_id": "b", "question": "?", "context": []}'
    path.write_text(f'[{{"_id": "a", "question": "?", "question": "!", "context": []}}, {good}]')
    with get_dataset("hotpotqa").open(path, skip_bad=True) as reader:
        assert [question.id for question in reader.questions()] == ["b"]
    assert "field question: expected every key once" in str(reader.bad[0])


def test_a_title_that_is_also_quoted_does_not_confuse_the_evidence(tmp_path: Path) -> None:
    context = [
        {"passage": "main", "text": "beta", "indices": [6, 10]},
        {"passage": "Foo", "text": "another text"},
    ]
    raw = {"qid": "q", "question": "?", "context": context}
    item = {"pid": "p", "title": "Foo", "text": "alpha beta", "links": [], "questions": [raw]}
    (question,) = questions("iirc", save(tmp_path / "f.json", [item]))
    assert question.context is not None
    assert question.gold is not None
    assert question.gold.evidence is not None
    own, quoted = question.gold.evidence
    assert own.document == question.context.title != quoted.document == "Foo"


def test_skip_bad_reports_and_goes_on(tmp_path: Path) -> None:
    good = {"_id": "a", "question": "?", "context": []}
    items = [good, {"_id": "b", "question": 5, "context": []}, dict(good), {**good, "_id": "c"}]
    path = save(tmp_path / "file.json", items)
    with get_dataset("hotpotqa").open(path, skip_bad=True) as reader:
        assert [question.id for question in reader.questions()] == ["a", "c"]
    assert [error.item for error in reader.bad] == ["item 2", "item 3"]
    assert "'a' a second time" in str(reader.bad[1])


@pytest.mark.parametrize("dataset_name", FILES)
@pytest.mark.parametrize("other", FILES)
def test_the_wrong_dataset_is_recognised(examples: Path, dataset_name: str, other: str) -> None:
    path = examples / FILES[other]
    if dataset_name == other or (dataset_name, other) == (
        "iirc",
        "drop",
    ):  # IIRC is scored in DROP's format
        assert questions(dataset_name, path)
        return
    with pytest.raises(LacunaError, match=f"it looks like {other}"):
        questions(dataset_name, path)


@pytest.mark.parametrize(
    ("name", "content", "message"),
    [
        ("file.json", "", "is empty"),
        ("file.json", "id,choice\n", "not how JSON begins"),
        ("facts.txt", "water is wet\n", "is plain text, one item a line, but a file of squad is"),
    ],
)
def test_a_file_that_is_no_dataset_is_refused(
    tmp_path: Path, name: str, content: str, message: str
) -> None:
    path = tmp_path / name
    path.write_text(content)
    with pytest.raises(LacunaError, match=message):
        questions("squad", path)


def test_an_unknown_task_suggests_a_known_one() -> None:
    with pytest.raises(LacunaError, match=r"no dataset 'hotpot'. Did you mean hotpotqa\?"):
        get_dataset("hotpot")


def test_gold_only_reads_what_scoring_needs(examples: Path) -> None:
    for dataset_name, name in FILES.items():
        whole = questions(dataset_name, examples / name)
        bare = questions(dataset_name, examples / name, gold_only=True)
        assert [q.id for q in whole] == [q.id for q in bare]
        for one, other in zip(whole, bare, strict=True):
            assert one.gold is not None
            assert other.gold is not None
            texts = [(answer.kind, answer.texts) for answer in one.gold.answers]
            assert texts == [(answer.kind, answer.texts) for answer in other.gold.answers]


def test_the_quick_way_to_hotpotqas_gold_agrees_with_the_slow_one(examples: Path) -> None:
    quick = get_dataset("hotpotqa").gold_at_once(examples / "hotpotqa.json")
    assert quick is not None
    slow = questions("hotpotqa", examples / "hotpotqa.json", gold_only=True)
    assert [(q.id, q.text, q.gold) for q in quick] == [(q.id, q.text, q.gold) for q in slow]


@pytest.mark.parametrize(
    "content",
    [
        "",
        "[]x",
        '[{"_id": "a", "question": "?", "context": []}]',
        '[{"_id": "a", "question": "?", "answer": "\\u0000", "supporting_facts": []}]',
        '[{"_id": "a", "question": "?", "answer": "", "supporting_facts": []},'
        ' {"_id": "a", "question": "?", "answer": "", "supporting_facts": []}]',
    ],
)
def test_the_quick_way_leaves_odd_files_to_the_slow_one(tmp_path: Path, content: str) -> None:
    path = tmp_path / "file.json"
    path.write_text(content)
    assert get_dataset("hotpotqa").gold_at_once(path) is None
    assert get_dataset("hotpotqa").gold_at_once(tmp_path / "missing.json") is None


@pytest.mark.parametrize("name", ["squad", "drop"])
def test_a_forbidden_sign_beside_the_items_is_told(
    name: str, examples: Path, tmp_path: Path
) -> None:
    """In SQuAD's version, and in a key of DROP."""
    content = load(examples / FILES[name])
    if name == "squad":
        content["version"] = "v2\0"
    else:
        content["\0"] = content.pop(next(iter(content)))
    with pytest.raises(LacunaError, match="a NUL character"):
        questions(name, save(tmp_path / FILES[name], content))


def test_a_bad_key_costs_one_item(examples: Path, tmp_path: Path) -> None:
    content = load(examples / "drop.json")
    count = len(questions("drop", examples / "drop.json"))
    content["bad\0"] = next(iter(content.values()))
    path = save(tmp_path / "drop.json", content)
    with get_dataset("drop").open(path, skip_bad=True) as reader:
        assert len(list(reader.questions())) == count
        assert len(reader.bad) == 1


def test_a_file_that_nests_deeply_is_told(tmp_path: Path) -> None:
    path = tmp_path / "hotpotqa.json"
    path.write_text(f'[{{"_id": "a", "context": {"[" * 100_000}{"]" * 100_000}}}]')
    assert get_dataset("hotpotqa").gold_at_once(path) is None
    with pytest.raises(LacunaError, match="nested too deeply"):
        questions("hotpotqa", path)
