"""The network: a pretrained encoder and two thin layers that hold all heads."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import torch
from torch import Tensor, nn
from transformers import AutoModel, AutoTokenizer

from lacuna.errors import LacunaError
from lacuna.models.reader.heads import TAGS, Columns
from lacuna.models.reader.model_input import MARKED_TURNS
from lacuna.train.mpnet_attention import quicken

SURE_OF_OUTSIDE = 4.0
"""Most tokens are outside any span and most numbers in no calculation; a network that starts from
there need not learn it first."""


class Network(nn.Module):
    """Scores per token and per sequence; ``lacuna.models.reader.heads`` says which column is which.

    One tokenizer serves encoders that number the same tokens differently: ``numbers`` is the
    encoder's number of each token.
    """

    def __init__(self, encoder: Any, numbers: Tensor) -> None:
        super().__init__()
        self.encoder = encoder
        size = int(encoder.config.hidden_size)
        self.register_buffer("numbers", numbers, persistent=True)
        self.marks = nn.Embedding(MARKED_TURNS + 1, size)
        nn.init.zeros_(self.marks.weight)
        self.token_layer = nn.Linear(size, size)
        self.token_scores = nn.Linear(size, Columns.PER_TOKEN)
        self.sequence_layer = nn.Linear(size, size)
        self.sequence_scores = nn.Linear(size, Columns.PER_SEQUENCE)
        self.dropout = nn.Dropout(0.1)
        with torch.no_grad():
            for layer in (self.token_scores, self.sequence_scores):
                nn.init.normal_(layer.weight, std=0.02)
                nn.init.zeros_(layer.bias)
            tags = range(*Columns.TAG.indices(Columns.PER_TOKEN))
            self.token_scores.bias[tags[TAGS.index("outside")]] = SURE_OF_OUTSIDE
            self.token_scores.bias[Columns.SIGN[0].start] = SURE_OF_OUTSIDE

    def forward(self, ids: Tensor, marks: Tensor, mask: Tensor) -> tuple[Tensor, Tensor]:
        """Inputs are [batch, tokens]."""
        states = self.dropout(self.states(ids, marks, mask))
        first = nn.functional.gelu(self.sequence_layer(states[:, 0]))
        return self.per_token(states), self.sequence_scores(first)

    def states(self, ids: Tensor, marks: Tensor, mask: Tensor) -> Tensor:
        """The encoder's state of each token: [batch, tokens, size]."""
        words = self.encoder.get_input_embeddings()(self.numbers[ids])
        encoded = self.encoder(inputs_embeds=words + self.marks(marks), attention_mask=mask)
        states: Tensor = encoded.last_hidden_state
        return states

    def per_token(self, states: Tensor) -> Tensor:
        """The scores of each token: [batch, tokens, columns]."""
        hidden = nn.functional.gelu(self.token_layer(states))
        scores: Tensor = self.token_scores(hidden)
        return scores


def build(encoder: str | Path, vocabulary: dict[str, int]) -> Network:
    """A network over a pretrained encoder, from a folder or from the model hub."""
    try:
        loaded = AutoModel.from_pretrained(
            str(encoder), add_pooling_layer=False, dtype=torch.float32
        )
        tokenizer = AutoTokenizer.from_pretrained(str(encoder))
    except (OSError, ValueError) as problem:
        raise LacunaError(
            f"{encoder} cannot be loaded as an encoder. Give a folder, or a name that the model "
            f"hub knows: --encoder DIR|NAME. (transformers says: {problem})"
        ) from problem
    network = Network(loaded, encoder_numbers(vocabulary, tokenizer.get_vocab()))
    quicken(loaded)
    return network


SPECIAL = {"[CLS]": "<s>", "[SEP]": "</s>", "[PAD]": "<pad>", "[MASK]": "<mask>"}


def encoder_numbers(ours: dict[str, int], theirs: dict[str, int]) -> Tensor:
    """The number that an encoder has for each of our tokens."""
    numbers = torch.zeros(max(ours.values()) + 1, dtype=torch.long)
    missing = []
    roberta_like = "<s>" in theirs
    for token, number in ours.items():
        wanted = SPECIAL.get(token, token) if roberta_like else token
        if (known := theirs.get(wanted, theirs.get(token))) is None:
            missing.append(token)
        else:
            numbers[number] = known
    if missing:
        raise LacunaError(
            f"the encoder lacks {len(missing)} of the tokenizer's tokens, {missing[0]!r} for one. "
            "Take its own tokenizer, or another encoder."
        )
    return numbers
