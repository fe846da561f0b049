"""Each layer keeps what it promises: shapes, and that padding and position make no difference."""

from __future__ import annotations

import pytest

torch = pytest.importorskip("torch")

from lacuna_lab.papers.layers import (
    BiAttention,
    BiGru,
    CharacterEncoder,
    ResidualSelfAttention,
    TextParts,
    WordEmbedding,
    character_numbers,
    same_dropout,
)


def test_dropout_leaves_out_the_same_of_every_word_of_a_text() -> None:
    torch.manual_seed(1)
    dropped = same_dropout(torch.ones(3, 5, 50), 0.2, training=True)
    assert (dropped == dropped[:, :1]).all()
    assert 0 < (dropped == 0).float().mean() < 0.5
    assert not (dropped[0] == dropped[1]).all()
    assert (same_dropout(torch.ones(3, 5, 50), 0.2, training=False) == 1).all()


def test_a_word_is_read_by_its_letters_alone() -> None:
    torch.manual_seed(1)
    encoder = CharacterEncoder(8)
    spelled = [character_numbers(word) for word in ("tarn", "Tarn", "tarn", "a" * 16, "a" * 40)]
    states = encoder(torch.tensor(spelled))
    assert states.shape == (5, 8)
    assert torch.allclose(states[0], states[2])
    assert not torch.allclose(states[0], states[1])  # upper case tells
    assert torch.allclose(states[3], states[4])  # a long word is cut


def test_given_vectors_stay_as_they_are_and_others_are_learned() -> None:
    for learned in (False, True):
        embedding = WordEmbedding(torch.ones(4, 6), 0, learned=learned)
        assert embedding.vectors.weight.requires_grad is learned
        assert embedding.size == 6
    assert WordEmbedding(torch.ones(4, 6), 8, learned=True).size == 14


def test_an_rnn_does_not_read_what_pads_a_text() -> None:
    torch.manual_seed(1)
    rnn = BiGru(4, 3, 0.0)
    texts = torch.randn(2, 7, 4)
    whole = rnn(texts, torch.tensor([7, 5]))
    assert whole.shape == (2, 7, 6)
    assert not whole[1, 5:].any()
    assert torch.allclose(whole[1, :5], rnn(texts[1:, :5], torch.tensor([5]))[0], atol=1e-6)


def test_attention_does_not_see_padding() -> None:
    torch.manual_seed(1)
    attention = BiAttention(4, 0.0)
    context, question = torch.randn(1, 6, 4), torch.randn(1, 5, 4)
    context_mask = torch.arange(6)[None] < 4
    question_mask = torch.arange(5)[None] < 3
    seen = attention(context, question, context_mask, question_mask)
    alone = attention(context[:, :4], question[:, :3], context_mask[:, :4], question_mask[:, :3])
    assert seen.shape == (1, 6, 16)
    assert torch.allclose(seen[:, :4], alone, atol=1e-6)


def test_a_word_does_not_attend_to_itself_but_keeps_its_state() -> None:
    torch.manual_seed(1)
    attention = ResidualSelfAttention(4, 0.0)
    states, mask = torch.randn(1, 5, 4), torch.arange(5)[None] < 3
    found = attention(states, states, mask)
    assert torch.allclose(found[:, :3], attention(*[states[:, :3]] * 2, mask[:, :3]), atol=1e-6)
    # All others alike: where a word looks makes no difference, so only its own state tells.
    read = torch.zeros(1, 3, 4)
    read[0, 0] = 1.0
    own, other = attention(torch.zeros(1, 3, 4), read, mask[:, :3])[0, [0, 1]]
    assert not torch.allclose(own, other)
    assert torch.allclose(own, attention.project(torch.tensor([1.0] * 4 + [0.0] * 8)).relu())


def test_a_part_of_a_text_is_read_as_if_it_stood_alone() -> None:
    torch.manual_seed(1)
    rnn = BiGru(4, 3, 0.0)
    texts = torch.randn(2, 5, 4)  # the first in parts of two and three words, the second whole
    parts = TextParts(
        words=torch.tensor([[0, 1, 0, 0], [2, 3, 4, 0], [5, 6, 7, 8]]),
        places=torch.tensor([[0, 1, 4, 5, 6], [8, 9, 10, 11, 0]]),
        part_lengths=torch.tensor([2, 3, 4]),
    )
    read = rnn(texts, parts)
    for row, start, end in ((0, 0, 2), (0, 2, 5), (1, 0, 4)):
        alone = rnn(texts[row : row + 1, start:end], torch.tensor([end - start]))
        assert torch.allclose(read[row, start:end], alone[0], atol=1e-6)
