"""A pretrained encoder at toy size: means over the words of a text, whatever it is read with."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

pytest.importorskip("torch")

from lacuna.errors import LacunaError
from lacuna.models.sentence_vectors import open_sentence_encoder
from lacuna_lab.train.sentence_encoder import MeanEncoder


def toy_encoder(folder: Path) -> Path:
    from transformers import BertConfig, BertModel, BertTokenizerFast

    words = ["[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]", "a", "ferry", "sails", "north"]
    folder.mkdir()
    (folder / "vocab.txt").write_text("\n".join(words))
    BertTokenizerFast(str(folder / "vocab.txt")).save_pretrained(folder)
    sizes = {"hidden_size": 8, "num_hidden_layers": 1, "num_attention_heads": 2}
    BertModel(BertConfig(vocab_size=len(words), intermediate_size=16, **sizes)).save_pretrained(
        folder
    )
    return folder


def test_a_text_has_one_vector_whatever_it_is_read_with(tmp_path: Path) -> None:
    encoder = MeanEncoder(toy_encoder(tmp_path / "toy"))
    texts = ["a ferry sails north", "a ferry", "north"]
    together = encoder.vectors(texts)
    assert np.allclose(np.linalg.norm(together, axis=1), 1, atol=1e-5)
    alone = np.concatenate([encoder.vectors([text]) for text in texts])
    assert np.allclose(together, alone, atol=1e-5)
    assert np.allclose(encoder.means(texts, at_once=1), encoder.means(texts), atol=1e-5)


def test_a_folder_without_an_encoder_is_refused(tmp_path: Path) -> None:
    with pytest.raises(LacunaError, match="what the folder holds cannot be loaded"):
        open_sentence_encoder(str(tmp_path))


def test_a_folder_that_is_not_there_is_told_in_our_own_words(tmp_path: Path) -> None:
    gone = tmp_path / "no" / "dir"
    with pytest.raises(LacunaError) as refused:
        open_sentence_encoder(str(gone))
    said = str(refused.value)
    assert said.startswith(f"{gone} is no pretrained encoder: there is no such folder, and")
    assert "Repo id" not in said
    assert "\n" not in said
