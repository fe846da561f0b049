from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

torch = pytest.importorskip("torch")
pytest.importorskip("transformers")

from lacuna.models.gapqa.relations import DIRECTIONS
from lacuna.models.gapqa.rows import Part, RowMaker
from lacuna.models.reader.encode import Tokenizer
from lacuna.retrieve.knowledge.build import build_triples
from lacuna.retrieve.knowledge.search import Triples
from lacuna_lab.gapqa.data import RelationFeatures, relation_examples

ROWS = [
    *(f"IsA\tkind {n}\tclass\t1\ta" for n in range(9)),
    "MadeOf\tnail\tiron\t1\ta",
    "HasProperty\tnail\thard\t1\ta",
    "MadeOf\tthe very old bridge over the wide river\tstone\t1\ta",
]


@pytest.fixture
def triples(tmp_path: Path) -> Triples:
    (tmp_path / "t").write_text("\n".join(ROWS))
    build_triples([tmp_path / "t"], tmp_path / "triples")
    return Triples.open(tmp_path / "triples")


def test_as_many_of_each_as_there_are_and_no_more(triples: Triples, tokenizer: Path) -> None:
    examples = relation_examples(triples, RowMaker(Tokenizer(tokenizer)), 3)
    counts = dict.fromkeys(("is a", "is a⁻¹", "made of", "made of⁻¹"), 0)
    for example in examples:
        counts[DIRECTIONS[example.label].name] += 1
    assert counts == {"is a": 3, "is a⁻¹": 3, "made of": 1, "made of⁻¹": 1}


def test_the_span_comes_first_in_a_row(triples: Triples, tokenizer: Path) -> None:
    words = Tokenizer(tokenizer)
    for example in relation_examples(triples, RowMaker(words), 1):
        if DIRECTIONS[example.label].name == "made of":
            span = example.row.ids[example.row.parts == Part.SPAN]
            assert span.tolist() == words.encode("nail").ids.tolist()
            return
    pytest.fail("there is no example of made of")


def test_examples_are_read_once_and_their_loss_falls(
    triples: Triples, tokenizer: Path, transformer: Any
) -> None:
    examples = relation_examples(triples, RowMaker(Tokenizer(tokenizer)), 2)
    features = RelationFeatures.of(transformer, examples)
    assert len(features.lines) == len(features.labels) == len(examples)
    assert sorted(features.labels.tolist()) == sorted(example.label for example in examples)
    numbers = torch.arange(len(examples))
    optimizer = torch.optim.Adam(transformer.heads.parameters(), lr=1e-2)
    before = float(features.loss(transformer, numbers))
    for _ in range(20):
        optimizer.zero_grad()
        features.loss(transformer, numbers).backward()
        optimizer.step()
    assert float(features.loss(transformer, numbers)) < before / 2
