"""Contextual embeddings: pieces that find every word, and an encoder that stays as it is."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

torch = pytest.importorskip("torch")

from lacuna.datasets import get_dataset
from lacuna.errors import LacunaError
from lacuna.models.model_folder import ModelSystem, find_model
from lacuna_lab.papers import words as contextual
from lacuna_lab.papers.run import learn_paper, load_paper_reader, plan_paper
from lacuna_lab.papers.words import (
    MOST_PIECES,
    ContextualWords,
    PieceTokenizer,
    encoder_inputs,
    piece_table,
    pretrained_encoder,
)

WORDS = ["The", "ferry", "was", "launched", "\x00", "in", "1931", "at", "Port", "x" * 200]


@pytest.fixture(scope="module")
def pieces(encoder: Path) -> PieceTokenizer:
    return PieceTokenizer.of_encoder(str(encoder))


def test_every_word_is_found_at_its_first_piece(
    pieces: PieceTokenizer, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(contextual, "WINDOW", 7)  # so that texts have several windows
    table = piece_table(WORDS, pieces)
    assert (table.pieces[:, 0] >= 0).all()  # a word that the tokenizer drops has a piece, too
    assert table.pieces.shape[1] == MOST_PIECES
    texts = [np.arange(len(WORDS)), np.array([2, 1]), np.arange(len(WORDS))]
    inputs = encoder_inputs([text.astype(np.int32) for text in texts], table)
    flat = inputs.ids.flatten()
    for row, text in enumerate(texts):
        places = inputs.places[row, : len(text)]
        assert flat[places].tolist() == table.pieces[text, 0].tolist()
        assert inputs.mask.flatten()[places].all()
    assert torch.equal(inputs.places[0], inputs.places[2])  # equal texts are read once
    assert len(inputs.ids) < 3 * len(WORDS)


def test_the_encoder_stays_as_it_is(encoder: Path, pieces: PieceTokenizer) -> None:
    words = ContextualWords(pretrained_encoder(str(encoder))).train()
    assert not words.encoder.training
    before = [weight.clone() for weight in words.encoder.parameters()]
    inputs = encoder_inputs([np.arange(4, dtype=np.int32)], piece_table(WORDS, pieces))
    first = words(inputs)
    first.square().sum().backward()
    assert words.mix.grad is not None
    assert bool(words.mix.grad.abs().sum() > 0)
    assert all(weight.grad is None for weight in words.encoder.parameters())
    assert all(torch.equal(a, b) for a, b in zip(before, words.encoder.parameters(), strict=True))
    assert torch.equal(words(inputs), first)  # no dropout within


@pytest.mark.parametrize(
    ("system", "dataset"), [("quac-paper", "quac"), ("hotpotqa-paper", "hotpotqa")]
)
def test_a_network_with_them_is_trained_saved_and_read(
    system: str,
    dataset: str,
    encoder: Path,
    examples: Path,
    toy_data: Path,
    tmp_path: Path,
    paper_recipe: Callable[..., Path],
) -> None:
    recipe = paper_recipe(system, contextual=str(encoder), epochs=2, hidden=4)
    plan = plan_paper(recipe, toy_data, tmp_path / "run")
    assert ("contextual embeddings", str(encoder)) in plan.described()
    prepared: Any = plan.prepare()
    assert [end.stopped for _, end in learn_paper(plan, prepared)] == [False]
    folder = tmp_path / "run" / "seed-1"
    reader = load_paper_reader(find_model(str(folder), system=ModelSystem(system)), None)
    with get_dataset(dataset).open(examples / f"{dataset}.json") as source:
        questions = list(source.questions())
    assert len(reader.read(questions)) == len(questions)


def test_choices_have_none(
    paper_recipe: Callable[..., Path], examples: Path, tmp_path: Path
) -> None:
    recipe = paper_recipe("esim", contextual="an-encoder")
    with pytest.raises(LacunaError, match="no contextual embeddings"):
        plan_paper(recipe, examples, tmp_path / "run")
