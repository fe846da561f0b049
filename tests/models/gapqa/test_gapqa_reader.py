from __future__ import annotations

import json
from dataclasses import replace
from itertools import product
from pathlib import Path

import numpy as np
import pytest
from gap_toys import CHOICES, FACT, QUESTION, build, reader
from hypothesis import given
from hypothesis import strategies as st

from lacuna.errors import LacunaError
from lacuna.models.gapqa.gapqa_reader import LONGEST_SPAN, GapQAReader, Shown, best_span
from lacuna.models.gapqa.relations import DIRECTIONS, Relation
from lacuna.models.gapqa.rows import KnowledgeKind, search_knowledge
from lacuna.models.model_folder import FORMATS, SHIPPED, TOKENIZER, ModelSystem
from lacuna.retrieve.knowledge.knowledge_base import Knowledge
from lacuna.types import Choice, Question

SCORES = st.lists(st.tuples(*[st.floats(-5, 5, width=32)] * 2), min_size=1, max_size=30)


@given(SCORES)
def test_the_best_span_by_trying_all(scores: list[tuple[float, float]]) -> None:
    first, last = best_span(np.array(scores, np.float32))
    assert first <= last < first + LONGEST_SPAN
    allowed = [
        scores[start][0] + scores[end][1]
        for start, end in product(range(len(scores)), repeat=2)
        if start <= end < start + LONGEST_SPAN
    ]
    assert scores[first][0] + scores[last][1] == pytest.approx(max(allowed), abs=1e-5)


@pytest.mark.parametrize(
    ("fact", "key", "found"),
    [
        (FACT, "metal", "metal"),
        ("the Metals of old", "metals", "Metals"),
        ("heat (or cold) passes", "cold", "cold"),
        ("heat passes electroluminescent wires", "electroluminescent", "electroluminescent"),
    ],
)
def test_a_key_span_is_in_whole_words_of_the_fact(fact: str, key: str, found: str) -> None:
    """The stand-in scores the key in the question too, where no span may be."""
    asked = replace(QUESTION, text=f"Is there {key} in it?", fact=fact)
    ((start, end),) = reader(key=key)[0].key_spans([asked])
    assert fact[start:end] == found


def test_choices_with_what_was_found_for_them(tmp_path: Path) -> None:
    base, (model, _) = build(tmp_path), reader()
    (span,) = model.key_spans([QUESTION])
    known = search_knowledge(base.without([FACT]), QUESTION, span)
    ((oar, spoon, sock),) = model.score([QUESTION], [known])
    assert [one.choice for one in (oar, spoon, sock)] == list(CHOICES)
    assert sum(one.probability for one in (oar, spoon, sock)) == pytest.approx(1)
    assert spoon.probability == max(one.probability for one in (oar, spoon, sock))
    assert [(line.kind, line.source) for line in spoon.lines] == [
        (KnowledgeKind.SENTENCE, "book"),
        (KnowledgeKind.TRIPLE, "cn100k"),
        (KnowledgeKind.TRIPLE, "oewn"),
        (KnowledgeKind.BACK_OFF, ""),
    ]
    assert [line.text for line in spoon.lines] == list(known[1].texts)
    likely = 1 / (1 + np.exp(-3))
    assert [line.relations[at] for at, line in enumerate(spoon.lines)] == pytest.approx(
        [likely] * 4
    )
    assert spoon.relation_score == 4
    assert len(spoon.relations) == len(DIRECTIONS)
    states = [line.statement and (line.statement.about, *line.statement[2]) for line in spoon.lines]
    assert states == [
        (0.6, Relation.CAUSES, False),  # read by the stand-in: line 0 is sure of direction 0
        (0.5, Relation.MADE_OF, True),
        (0.5, Relation.IS_A, True),
        None,
    ]
    assert spoon.filling is not None
    assert sock.gap is not None
    assert not sock.gap.filled, "an antonym is none of the nine"


def test_a_sentence_that_states_it_and_a_choice_that_is_the_span(tmp_path: Path) -> None:
    base = build(tmp_path, (), ("book\tThe spoon is metal.",))
    model, _ = reader()
    asked = replace(QUESTION, choices=(Choice("A", "a spoon"), Choice("B", "Metals")))
    known = search_knowledge(base, asked, model.key_spans([asked])[0])
    ((spoon, metals),) = model.score([asked], [known])
    assert spoon.filling is not None
    assert spoon.knowledge[0].text == "The spoon is metal."
    assert metals.is_span
    assert metals.gap is None


def test_a_model_without_knowledge_has_no_lines() -> None:
    model, seen = reader(Shown(knowledge=False))
    (weighed,) = model.score([QUESTION], [[Knowledge("metal", one.text) for one in CHOICES]])
    assert [one.lines for one in weighed] == [()] * 3
    assert seen.seen[0].knowledge == ((),) * 3


@pytest.mark.parametrize(
    ("question", "said"),
    [
        (replace(QUESTION, text="\u200b\u00ad"), "nothing to read in the question"),
        (replace(QUESTION, fact="\u200b"), "nothing to read in the fact"),
        (replace(QUESTION, choices=(*CHOICES, Choice("D", "\x07"))), "in choice D"),
        (replace(QUESTION, text="What? " * 600), "Say it shorter"),
        (replace(QUESTION, choices=(*CHOICES, Choice("D", "oar " * 600))), "Say it shorter"),
    ],
)
def test_what_cannot_be_read_is_refused(question: Question, said: str) -> None:
    model, _ = reader()
    model.check(QUESTION)
    with pytest.raises(LacunaError, match=said):
        model.check(question)


def test_a_folder_without_weights_is_named(tmp_path: Path) -> None:
    told = {"system": "gapqa", "format": FORMATS[ModelSystem.GAPQA], "kind": "transformer"}
    (tmp_path / "config.json").write_text(json.dumps(told))
    (tmp_path / TOKENIZER).write_bytes((SHIPPED / "small" / TOKENIZER).read_bytes())
    with pytest.raises(LacunaError, match="has no weights"):
        GapQAReader.load(tmp_path)


def test_a_higher_temperature_is_less_sure_of_the_same(tmp_path: Path) -> None:
    base, (model, _), (warm, _) = build(tmp_path), reader(), reader(temperature=4.0)
    known = [search_knowledge(base, QUESTION, model.key_spans([QUESTION])[0])]
    (plain,), (warmed,) = model.score([QUESTION], known), warm.score([QUESTION], known)
    odds, less = ([np.log(one.probability) for one in some] for some in (plain, warmed))
    assert odds[1] - odds[0] == pytest.approx(4 * (less[1] - less[0]), rel=1e-4)
    assert [one.fact_score for one in plain] == [one.fact_score for one in warmed]
