"""A tokenizer small enough to be made on the spot, and the shipped model where it is at hand."""

from __future__ import annotations

import string
from pathlib import Path

import pytest
import tokenizers
from tokenizers.models import WordPiece
from tokenizers.normalizers import BertNormalizer
from tokenizers.pre_tokenizers import BertPreTokenizer

from lacuna.models.model_folder import SHIPPED, WEIGHTS
from lacuna.models.reader.encode import Tokenizer
from lacuna.models.reader.reader import ModelReader


@pytest.fixture(scope="session")
def tokenizer_file(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Every letter is a piece, and so are a few words."""
    letters = string.ascii_lowercase + string.digits + string.punctuation
    vocabulary = [
        *("[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]"),
        *(f"[unused{i}]" for i in range(1, 60)),
        *letters,
        *(f"##{letter}" for letter in letters),
        *("ann", "built", "the", "ferry", "in", "bob", "word", "1901", "1950"),
    ]
    model = WordPiece({piece: i for i, piece in enumerate(vocabulary)}, unk_token="[UNK]")
    tokenizer = tokenizers.Tokenizer(model)
    tokenizer.normalizer = BertNormalizer()
    tokenizer.pre_tokenizer = BertPreTokenizer()
    tokenizer.add_special_tokens(["[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]"])
    path = tmp_path_factory.mktemp("tokenizer") / "tokenizer.json"
    tokenizer.save(str(path))
    return path


@pytest.fixture(scope="session")
def tokenizer(tokenizer_file: Path) -> Tokenizer:
    return Tokenizer(tokenizer_file)


@pytest.fixture(scope="session")
def small() -> Path:
    """The folder of the shipped model."""
    if not (SHIPPED / "small" / WEIGHTS).is_file():
        pytest.skip("the small model is not in this checkout")
    return SHIPPED / "small"


@pytest.fixture(scope="session")
def reader(small: Path) -> ModelReader:
    return ModelReader.load(small, threads=1)
