"""A network in a folder, and what reads with it."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest

torch = pytest.importorskip("torch")
pytest.importorskip("transformers")

from gap_examples import COLOURS, VOCABULARY, changed, colour_examples, weights

from lacuna.errors import LacunaError
from lacuna.models.gapqa.gapqa_reader import GapQAReader, QuestionRows, Shown
from lacuna.models.gapqa.relations import DIRECTIONS
from lacuna.models.gapqa.rows import RowMaker
from lacuna.models.model_folder import ModelSystem, find_model, write_config
from lacuna.models.reader.encode import Tokenizer
from lacuna.types import Choice, Question
from lacuna_lab.gapqa.network import BiLstmRows, GapNetwork, TransformerRows, Vocabulary, WordRows
from lacuna_lab.gapqa.recipe import BILSTM, GapRecipe
from lacuna_lab.gapqa.run import (
    TorchGapBackend,
    begin_heads,
    begin_transformer,
    load_gap,
    load_gap_backend,
    save_gap,
)

WORDS = GapRecipe("toy", "vectors.txt", BILSTM)
PIECES = GapRecipe("toy", "folder", knowledge="omcs", retrieve_by="fact")


def test_a_bilstm_comes_back(bilstm: Any, tmp_path: Path) -> None:
    network = bilstm()
    save_gap(network, WORDS, tmp_path, {"name": "toy-1"}, vocabulary=VOCABULARY)
    folder = find_model(tmp_path, system=ModelSystem.GAPQA)
    again = load_gap(folder)
    assert isinstance(again.encoder, BiLstmRows)
    assert not changed(weights(network), weights(again))
    assert not again.training
    assert folder.kind == BILSTM
    assert folder.config["name"] == "toy-1"
    assert folder.config["relations"] == [one.name for one in DIRECTIONS]


def test_a_transformer_comes_back(transformer: GapNetwork, tokenizer: Path, tmp_path: Path) -> None:
    save_gap(transformer, PIECES, tmp_path, {}, tokenizer=tokenizer)
    folder = find_model(tmp_path, system=ModelSystem.GAPQA)
    again = load_gap(folder)
    assert isinstance(again.encoder, TransformerRows)
    assert not changed(weights(transformer), weights(again))
    assert (folder.knowledge, folder.by_span) == ("omcs", False)
    reader = GapQAReader.load(tmp_path)
    question = Question(
        *("q", "what is it"), choices=(Choice("A", "ice"), Choice("B", "tin")), fact="it is tin"
    )
    (span,) = reader.key_spans([question])
    assert 0 <= span.start < span.end <= len("it is tin")


def test_half_the_bytes_are_read_as_whole_numbers(
    transformer: GapNetwork, tokenizer: Path, tmp_path: Path
) -> None:
    before = weights(transformer)
    save_gap(transformer.half(), PIECES, tmp_path, {}, tokenizer=tokenizer)
    after = weights(load_gap(find_model(tmp_path, system=ModelSystem.GAPQA)))
    for name, value in before.items():
        assert after[name].dtype == value.dtype
        assert torch.allclose(value.float(), after[name].float(), atol=1e-3)


def test_one_may_go_on_from_any_model(
    transformer: GapNetwork, tokenizer: Path, bilstm: Any, tmp_path: Path
) -> None:
    save_gap(transformer, PIECES, tmp_path / "gap", {}, tokenizer=tokenizer)
    earlier = begin_transformer(str(tmp_path / "gap"), tokenizer)
    reader = transformer.encoder
    assert isinstance(reader, TransformerRows)
    for name, value in reader.state_dict().items():
        assert (earlier.state_dict()[name] == value).all()
    save_gap(bilstm(), WORDS, tmp_path / "words", {}, vocabulary=VOCABULARY)
    with pytest.raises(LacunaError, match="no transformer to start from"):
        begin_transformer(str(tmp_path / "words"), tokenizer)


def test_only_heads_can_be_learned_over_an_encoder_that_stays(
    transformer: GapNetwork, tokenizer: Path, tmp_path: Path
) -> None:
    save_gap(transformer, PIECES, tmp_path, {}, tokenizer=tokenizer)
    network = begin_heads(str(tmp_path), Shown(knowledge=False))
    assert not changed(weights(network), weights(transformer))
    assert network.shown == Shown(knowledge=False), "as the new recipe has it"
    trained = {name for name, one in network.named_parameters() if one.requires_grad}
    assert trained == {name for name, _ in network.named_parameters() if name.startswith("heads.")}


def test_a_network_cut_short_is_named(bilstm: Any, tmp_path: Path) -> None:
    save_gap(bilstm(), WORDS, tmp_path, {}, vocabulary=VOCABULARY)
    folder = find_model(tmp_path, system=ModelSystem.GAPQA)
    whole = folder.network.read_bytes()
    for broken in (b"", whole[:100], whole[:-10]):
        folder.network.write_bytes(broken)
        with pytest.raises(LacunaError, match="cannot be read"):
            load_gap(folder)
    folder.network.write_bytes(whole)
    config = json.loads((tmp_path / "config.json").read_text())
    write_config(tmp_path, {**config, "kind": "transformer"})  # under checksums that are right
    with pytest.raises(LacunaError, match="cannot be read"):
        load_gap(find_model(tmp_path, system=ModelSystem.GAPQA))


def test_words_keep_their_numbers(tmp_path: Path, tokenizer: Path) -> None:
    """Files of word vectors hold words that look like ends of lines to Python."""
    words = ["\x85", "\u2028", "\x1c", "", *COLOURS]
    vectors = torch.zeros(3 + len(words), 6)
    network = GapNetwork(BiLstmRows(vectors), Shown())
    save_gap(network, WORDS, tmp_path, {}, vocabulary=Vocabulary(words))
    backend = load_gap_backend(
        find_model(tmp_path, system=ModelSystem.GAPQA), Tokenizer(tokenizer), 1
    )
    row, expected = (
        rows.question_row("red", "grey blue")
        for rows in (backend.rows, WordRows(Vocabulary(words)))
    )
    assert row.ids.tolist() == expected.ids.tolist()


def test_a_model_that_finds_no_spans_says_so(bilstm: Any) -> None:
    backend = TorchGapBackend(bilstm(), WordRows(VOCABULARY))
    with pytest.raises(LacunaError, match="finds no key spans"):
        backend.spans([colour_examples()[0].rows.question])


def test_what_else_is_asked_makes_no_difference(transformer: GapNetwork, tokenizer: Path) -> None:
    """Other questions in the batch change neither scores nor whose they are."""
    rows = RowMaker(Tokenizer(tokenizer))
    lines = ["ice is cold and hard", "tin", "tin is a metal that is soft", "ice"]

    def asked(*sizes: int) -> QuestionRows:
        return QuestionRows(
            rows.question_row("what is it?", "it is tin"),
            tuple(rows.choice_row("what is it?", "x" * (n + 1), "tin") for n in range(len(sizes))),
            tuple(
                tuple(rows.knowledge_row("tin", "ice", line) for line in lines[:size])
                for size in sizes
            ),
        )

    backend = TorchGapBackend(transformer, rows)
    questions = [asked(4, 1), asked(0, 2, 3), asked(0, 0)]
    together = backend.score(questions)
    assert [[len(one.lines) for one in some] for some in together] == [[4, 1], [0, 2, 3], [0, 0]]
    for question, some in zip(questions, together, strict=True):
        (alone,) = backend.score([question])
        for one, other in zip(some, alone, strict=True):
            assert one.fact == pytest.approx(other.fact, abs=1e-4)
            assert one.relation == pytest.approx(other.relation, abs=1e-4)
            assert np.allclose(one.lines, other.lines, atol=1e-4)
            if len(one.lines):
                assert np.allclose(one.relations, one.lines.mean(0), atol=1e-4)
    assert np.allclose(together[0][0].lines[1], together[1][1].lines[1], atol=1e-4)
    assert backend.score([]) == []


def test_spans_of_many_rows(transformer: GapNetwork, tokenizer: Path) -> None:
    rows = RowMaker(Tokenizer(tokenizer))
    some = [rows.question_row("what?", "tin " * (1 + number % 5)) for number in range(40)]
    backend = TorchGapBackend(transformer, rows)
    found = backend.spans(some)
    assert [one.shape for one in found] == [(len(row.ids), 2) for row in some]
    assert np.allclose(found[3], backend.spans([some[3]])[0], atol=1e-4)


def test_an_encoder_folder_that_is_cut_short_is_told(tmp_path: Path) -> None:
    (tmp_path / "network.safetensors").write_bytes(b"")
    with pytest.raises(LacunaError, match="cannot be read"):
        begin_transformer(str(tmp_path), tmp_path / "tokenizer.json")
