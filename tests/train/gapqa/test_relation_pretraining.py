from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

torch = pytest.importorskip("torch")
pytest.importorskip("transformers")

from lacuna.models.gapqa.relations import DIRECTIONS
from lacuna.models.gapqa.rows import Part, RowMaker
from lacuna.models.tokenizer import Tokenizer
from lacuna.retrieve.knowledge import Triples, build_triples
from lacuna.train.gapqa.relation_pretraining import Practice, drills

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
    made = drills(triples, RowMaker(Tokenizer(tokenizer)), 3)
    counts = dict.fromkeys(("is a", "is a⁻¹", "made of", "made of⁻¹"), 0)
    for drill in made:
        counts[DIRECTIONS[drill.label].name] += 1
    assert counts == {"is a": 3, "is a⁻¹": 3, "made of": 1, "made of⁻¹": 1}


def test_the_span_comes_first_in_a_row(triples: Triples, tokenizer: Path) -> None:
    pieces = Tokenizer(tokenizer)
    for drill in drills(triples, RowMaker(pieces), 1):
        if DIRECTIONS[drill.label].name == "made of":
            span = drill.row.ids[drill.row.parts == Part.SPAN]
            assert span.tolist() == pieces.encode("nail").ids.tolist()
            return
    pytest.fail("there is no drill of made of")


def test_practice_is_read_once_and_its_loss_falls(
    triples: Triples, tokenizer: Path, transformer: Any
) -> None:
    made = drills(triples, RowMaker(Tokenizer(tokenizer)), 2)
    practice = Practice.of(transformer, made)
    assert len(practice.lines) == len(practice.labels) == len(made)
    assert sorted(practice.labels.tolist()) == sorted(drill.label for drill in made)
    numbers = torch.arange(len(made))
    optimizer = torch.optim.Adam(transformer.heads.parameters(), lr=1e-2)
    before = float(practice.loss(transformer, numbers))
    for _ in range(20):
        optimizer.zero_grad()
        practice.loss(transformer, numbers).backward()
        optimizer.step()
    assert float(practice.loss(transformer, numbers)) < before / 2
