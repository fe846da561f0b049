"""Labels stand where the gold answer stands, or nowhere."""

from __future__ import annotations

import gzip
import json
import shutil
from collections import Counter
from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("tokenizers")

from lacuna.answer_mode import MAY_ABSTAIN, AnswerMode
from lacuna.models.reader.encode import Packer
from lacuna.models.reader.heads import HeadKind
from lacuna.models.tokenizer import Tokenizer
from lacuna.train.cache import NO_LABEL, SOURCES, build_cache, cache_key, questions_of
from lacuna.train.data.data_folder import BAD_ITEM, TRAIN
from lacuna.train.data.iirc.surroundings import surrounded
from lacuna.train.instance_builder import InstanceBuilder
from lacuna.train.instances import UNKNOWN, Instance, Instances
from lacuna.train.labels import span_places
from lacuna.types import Answer, Document, Evidence, Gold, Question, SupportingFact

LONG = " ".join(f"On day {number} it rained ." for number in range(400))
HERE = "The ferry sailed on to Marrow ."


@pytest.fixture(scope="module")
def pieces(tokenizer: Path) -> Tokenizer:
    return Tokenizer(tokenizer)


@pytest.fixture(scope="module")
def written(pieces: Tokenizer) -> Any:
    """The text of some tokens of an instance, without spaces."""
    names = {number: piece.removeprefix("##") for piece, number in pieces.vocabulary.items()}
    return lambda one, first, last: "".join(names[int(i)] for i in one.ids[first : last + 1])


def bare(text: str) -> str:
    return "".join(text.lower().split())


@pytest.mark.parametrize("name", ["squad1", "doubt", "hotpotqa", "iirc", "quac", "drop"])
def test_labels_read_as_the_gold_answer(
    name: str, toy_data: Path, pieces: Tokenizer, written: Any
) -> None:
    examples, source = InstanceBuilder(pieces, 1), SOURCES[name]
    seen: Counter[str] = Counter()
    for question in questions_of(name, toy_data, 1, Counter()):
        assert question.gold is not None
        answers = question.gold.answers
        texts = {bare(text) for answer in answers for text in answer.texts}
        for one in examples.of(question, source.mode, 0):
            for place in one.spans:
                assert written(one, *place) in texts
            assert not one.tagged or {written(one, *place) for place in one.tagged} == texts
            if one.fixed != UNKNOWN:
                assert HeadKind(one.fixed).name.lower() in {answer.kind for answer in answers}
            for first, last, label in one.sentences:
                assert written(one, first, last)
                seen["supporting"] += label
            seen["answered"] += one.answered
            seen["ranked"] += one.relevance == 1
    assert seen["answered"]
    if name == "hotpotqa":
        assert seen["supporting"] == 5
        assert seen["ranked"] == 5


def long_question(answer: Answer, gold: Gold | None = None) -> Question:
    passage = Document("p", f"{LONG} {HERE} {LONG}")
    return Question("q", "Where did the ferry sail?", passage, gold=gold or Gold((answer,)))


@pytest.mark.parametrize("mode", [mode for mode in AnswerMode if mode is not AnswerMode.CHOOSE])
def test_windows_without_the_answer(mode: AnswerMode, pieces: Tokenizer, written: Any) -> None:
    made = InstanceBuilder(pieces, 1).of(long_question(Answer.span("Marrow")), mode, 0)
    found = [one for one in made if one.spans]
    assert found
    assert all(written(one, *one.spans[0]) == "marrow" for one in found)
    others = [one for one in made if not one.spans]
    if mode in MAY_ABSTAIN:
        assert len(others) > 5
        assert all(one.answered and one.fixed == HeadKind.NONE for one in others)
    else:
        assert not others


def test_an_answer_that_is_nowhere_teaches_nothing(pieces: Tokenizer) -> None:
    assert not InstanceBuilder(pieces, 1).of(
        long_question(Answer.span("Ellery")), AnswerMode.ASK, 0
    )
    asked = Question("q", "Where? " * 200, Document("p", HERE), gold=Gold((Answer.span("Marrow"),)))
    assert not InstanceBuilder(pieces, 1).of(asked, AnswerMode.ASK, 0)


def test_a_given_place_counts_and_not_another(pieces: Tokenizer) -> None:
    text = "Marrow is near. The ferry sails to Marrow."
    answer = Answer.span("Marrow", Evidence("p", 35, 41))
    question = Question("q", "Where to?", Document("p", text), gold=Gold((answer,)))
    read = Packer(pieces, question, AnswerMode.EXTRACT).whole()
    assert read is not None
    (place,) = span_places(read, question, answer)
    quoted = read.quote(*place)
    assert quoted == ("Marrow", Evidence("p", 35, 41))


def test_what_is_calculated(pieces: Tokenizer) -> None:
    passage = Document("p", "In 1940 there were 14 boats and 9 crabs, in 1960 only 5 boats.")
    question = Question("q", "How many boats were lost?", passage, gold=Gold((Answer.number(9),)))
    (one,) = InstanceBuilder(pieces, 1).of(question, AnswerMode.CALCULATE, 0)
    assert one.count == 9
    number_of = {value: at for at, value in enumerate(("hundred", 1940, 14, 9, 1960, 5))}
    assert ((number_of[14], 1), (number_of[5], -1)) in one.derivations
    assert ((number_of[9], 1),) in one.derivations
    (plain,) = InstanceBuilder(pieces, 1).of(question, AnswerMode.EXTRACT, 0)
    assert not plain.derivations
    assert plain.count == UNKNOWN


def test_choices_stay_in_one_group(toy_data: Path, pieces: Tokenizer) -> None:
    examples = InstanceBuilder(pieces, 1)
    made: list[Instance] = []
    for question in questions_of("openbookqa", toy_data, 1, Counter()):
        some = examples.of(question, AnswerMode.CHOOSE, 0)
        assert [one.choice for one in some].count(1) == 1
        assert len({one.group for one in some}) == 1
        made += some
    assert len({one.group for one in made}) == len(made) // 4


def test_paragraphs_are_ranked_by_what_supports(pieces: Tokenizer) -> None:
    documents = tuple(Document(f"d{number}", f"Text {number}.") for number in range(8))
    gold = Gold((Answer.yes(),), supporting_facts=(SupportingFact("d3", 0),))
    question = Question("q", "Is it so?", documents=documents, gold=gold)
    made = InstanceBuilder(pieces, 1).of(question, AnswerMode.HOP, 0)
    assert [one.relevance for one in made].count(1) == 1
    assert [one.relevance for one in made].count(0) == 4


def test_surroundings_move_what_is_known_of_the_answer() -> None:
    answer = Answer.span("Marrow", Evidence("p", 23, 29))
    gold = Gold((answer,), evidence=(Evidence("p", 0, len(HERE)),))
    short = Question("q", "Where to?", Document("p", HERE), gold=gold)
    whole = Question("w", "When?", Document("w", LONG), gold=Gold((Answer.none(),)))
    changed = 0
    for number in range(20):
        made, _ = surrounded([short, whole], number)
        assert made.context is not None
        assert made.gold is not None
        (place,), (evidence,) = made.gold.answers[0].found_at, made.gold.evidence or ()
        assert made.context.text[place.start : place.end] == "Marrow"
        assert made.context.text[evidence.start : evidence.end] == HERE
        changed += made.context.text != HERE
    assert 5 < changed < 20


def test_what_is_broken_is_left_out_and_counted(
    toy_data: Path, tokenizer: Path, tmp_path: Path
) -> None:
    folder = tmp_path / "data"
    shutil.copytree(toy_data, folder)
    path = folder / TRAIN["squad1"].path
    with gzip.open(path, "rt") as file:
        raw = json.load(file)
    paragraph = raw["data"][0]["paragraphs"][0]
    too_long = {**paragraph["qas"][0], "id": "long", "question": "What? " * 200}
    off = {"id": "off", "question": "What?", "answers": [{"text": "herring", "answer_start": 3}]}
    paragraph["qas"] = [paragraph["qas"][0], too_long]
    broken = {"title": "x", "paragraphs": [{"context": paragraph["context"], "qas": [off]}]}
    with gzip.open(path, "wt") as file:
        json.dump({**raw, "data": [*raw["data"], broken]}, file)
    seen: list[int] = []
    report = build_cache(
        ["squad1"], folder, tokenizer, tmp_path / "x.npz", seed=1, workers=1, progress=seen.append
    )
    assert report == {"squad1": {"questions": 2, "inputs": 1, BAD_ITEM: 1, NO_LABEL: 1}}
    assert seen == [2]
    assert len(Instances.load(tmp_path / "x.npz")) == 1


def test_the_name_of_a_cache(tokenizer: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    names = {
        cache_key(["squad1"], tokenizer, 1),
        cache_key(["squad1"], tokenizer, 2),
        cache_key(["squad1", "drop"], tokenizer, 1),
    }
    assert len(names) == 3
    assert cache_key(["drop", "squad1"], tokenizer, 1) in names
    monkeypatch.setattr("lacuna.train.cache.LABELS", 0)
    assert cache_key(["squad1"], tokenizer, 1) not in names


def test_the_kinds_of_the_toy_data(caches: Path) -> None:
    """So that the toy runs learn every head but one."""
    data = Instances.load(next(caches.glob("data-*.npz")))
    kinds = set(data.scalar("fixed").tolist())
    assert {HeadKind.NONE, HeadKind.NO} <= kinds
    for name in ("spans", "tagged", "sentences", "links", "terms"):
        assert getattr(data, name).sizes.any()
    for name in ("relevance", "choice", "yes_no_act", "follow_up_act", "count"):
        assert (data.scalar(name) != UNKNOWN).any()
