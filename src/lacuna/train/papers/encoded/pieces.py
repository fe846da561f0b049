"""Word pieces as a pretrained encoder numbers them, whatever its vocabulary."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import tokenizers
from transformers import AutoTokenizer

from lacuna.errors import LacunaError
from lacuna.files.writing import replace_text
from lacuna.models.model_folder import TOKENIZER
from lacuna.models.tokenizer import HALF_A_PAIR, TokenText

SPECIAL = {"begin": ("[CLS]", "<s>"), "separator": ("[SEP]", "</s>"), "pad": ("[PAD]", "<pad>")}
"""What BERT and RoBERTa call the pieces that inputs are built with."""


class PieceTokenizer:
    """A tokenizer with the numbers of its special pieces."""

    def __init__(self, tokenizer: tokenizers.Tokenizer, where: str) -> None:
        tokenizer.no_truncation()
        tokenizer.no_padding()
        tokenizer.encode_special_tokens = True  # "[SEP]" in a user's text is only text
        self._tokenizer = tokenizer
        self.begin, self.separator, self.pad = (
            self._special(names, where) for names in SPECIAL.values()
        )

    @classmethod
    def of_encoder(cls, encoder: str) -> PieceTokenizer:
        """The tokenizer that an encoder was trained with."""
        try:
            fast = AutoTokenizer.from_pretrained(encoder, use_fast=True).backend_tokenizer
        except (OSError, ValueError, AttributeError) as problem:
            raise LacunaError(
                f"{encoder} has no tokenizer that can be loaded. Give a folder with an encoder, or "
                f"a name that the model hub knows: --encoder DIR|NAME. (transformers says: "
                f"{problem})"
            ) from problem
        return cls(tokenizers.Tokenizer.from_str(fast.to_str()), encoder)

    @classmethod
    def load(cls, folder: Path) -> PieceTokenizer:
        """The tokenizer that ``save`` wrote."""
        return cls(tokenizers.Tokenizer.from_file(str(folder / TOKENIZER)), str(folder))

    def save(self, folder: Path) -> None:
        """Write it into the folder of a model."""
        with replace_text(folder / TOKENIZER) as out:
            out.write(self._tokenizer.to_str())

    def _special(self, names: tuple[str, ...], where: str) -> int:
        numbers = (self._tokenizer.token_to_id(name) for name in names)
        number = next((number for number in numbers if number is not None), None)
        if number is None:
            raise LacunaError(
                f"the tokenizer of {where} has no piece {' or '.join(names)}. Take an encoder like "
                "BERT, MPNet or RoBERTa."
            )
        return int(number)

    def encode(self, text: str) -> TokenText:
        """The pieces of a text with their places, without special ones."""
        whole = HALF_A_PAIR.sub("\N{REPLACEMENT CHARACTER}", text)
        encoding = self._tokenizer.encode(whole, add_special_tokens=False)
        offsets = np.array(encoding.offsets, np.int32).reshape(-1, 2)
        return TokenText(
            np.array(encoding.ids, np.int32), offsets[:, 0].copy(), offsets[:, 1].copy()
        )
