from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

torch = pytest.importorskip("torch")
pytest.importorskip("transformers")

from gap_examples import VECTORS, VOCABULARY, colour_examples

from lacuna.models.gapqa.rows import Part, Row, RowMaker, padded
from lacuna.models.reader.encode import Tokenizer
from lacuna_lab.gapqa.network import BiLstmRows, TransformerRows, WordRows, texts_of
from lacuna_lab.train.network import build

Q, C, F, _ = Part.QUESTION, Part.CHOICE, Part.FACT, Part.PADDING


def tensors(*rows: Row) -> list[Any]:
    return [torch.from_numpy(one) for one in padded(rows)]


def bilstm() -> BiLstmRows:
    torch.manual_seed(1)
    return BiLstmRows(torch.from_numpy(VECTORS))


def test_where_texts_stand() -> None:
    texts, lengths = texts_of(torch.tensor([[Q, Q, C, _, _], [C, Q, Q, Q, F], [F, F, F, F, F]]))
    assert texts.tolist() == [
        [0, 1, -1, -1, -1],
        [2, -1, -1, -1, -1],
        [5, -1, -1, -1, -1],
        [6, 7, 8, -1, -1],
        [9, -1, -1, -1, -1],
        [10, 11, 12, 13, 14],
    ]
    assert lengths.tolist() == [2, 1, 1, 3, 1, 5]


def test_the_bilstm_reads_a_text_the_same_whatever_stands_beside_it() -> None:
    encoder, rows = bilstm().eval(), WordRows(VOCABULARY)
    alone = rows.question_row("what colour", "it is red")
    among = rows.choice_row("green what", "blue is what colour it is", "it is red")
    other = rows.knowledge_row("red", "blue", "what colour is it red is it blue")
    with torch.no_grad():
        (first,), (_, second, _) = encoder(*tensors(alone)), encoder(*tensors(other, among, alone))
    fact = first[: len(alone.ids)][alone.parts == F]
    again = second[: len(among.ids)][among.parts == F]
    assert len(fact) == 3
    assert torch.allclose(fact, again, atol=1e-6)
    with torch.no_grad():
        (grey,) = encoder(*tensors(rows.question_row("what colour", "it is grey")))
    assert not torch.allclose(fact, grey[alone.parts == F], atol=1e-3)


def test_the_bilstm_says_nothing_of_padding() -> None:
    ids, parts = tensors(*(one.rows.question for one in colour_examples()[:2]))
    ids, parts = (torch.nn.functional.pad(one, (0, 3)) for one in (ids, parts))
    states = bilstm().eval()(ids, parts)
    assert not states[:, -3:].any()
    assert states[:, :-3].any(2).all()


def test_word_vectors_stay_as_they_are() -> None:
    assert not bilstm().vectors.weight.requires_grad


def test_the_transformer_does_not_see_padding(encoder: Path, tokenizer: Path) -> None:
    pieces = Tokenizer(tokenizer)
    network = TransformerRows(build(str(encoder), pieces.vocabulary)).eval()
    rows = RowMaker(pieces)
    short, long = rows.question_row("cold?", "ice"), rows.question_row("cold? " * 9, "ice " * 9)
    with torch.no_grad():
        (alone,), (beside, _) = network(*tensors(short)), network(*tensors(short, long))
        scores = network.span_scores(alone[None])
    size = len(short.ids)
    assert alone.shape == (size, network.size)
    assert torch.allclose(alone, beside[:size], atol=1e-5)
    assert scores.shape == (1, size, 2)
