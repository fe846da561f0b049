from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from lacuna import Document, LacunaError, Question
from lacuna.answers import AnswerMode
from lacuna.models.model_folder import TOKENIZER, WEIGHTS
from lacuna.models.reader import reader as backend
from lacuna.models.reader.decode import Columns
from lacuna.models.reader.encode import ModelInput, QuestionEncoder, Tokenizer
from lacuna.models.reader.reader import OnnxBackend, by_length, padded


def inputs_of(tokenizer: Tokenizer, *sizes: int) -> list[ModelInput]:
    made = []
    for size in sizes:
        question = Question("q", "Who?", Document("t", "word " * size))
        whole = QuestionEncoder(tokenizer, question, AnswerMode.ASK).whole()
        assert whole is not None
        made.append(whole)
    return made


def test_batches_of_like_length(tokenizer: Tokenizer) -> None:
    inputs = inputs_of(tokenizer, 5, 100, 7, 90)
    batches = list(by_length(inputs, 250))
    assert batches == [[1, 3], [2, 0]]
    assert [sorted(batch) for batch in by_length(inputs, 0)] == [[1], [3], [2], [0]]
    assert list(by_length([], 100)) == []


def test_padding_is_masked(tokenizer: Tokenizer) -> None:
    short, long = inputs_of(tokenizer, 2, 5)
    batch = padded([short, long])
    assert batch["mask"].sum(axis=1).tolist() == [len(short.ids), len(long.ids)]
    assert batch["ids"][0, : len(short.ids)].tolist() == short.ids.tolist()
    assert not batch["ids"][0, len(short.ids) :].any()


def test_scores_depend_neither_on_threads_nor_on_company(small: Path) -> None:
    inputs = inputs_of(Tokenizer(small / TOKENIZER), 3, 120, 0, 40)
    one = OnnxBackend(small / WEIGHTS, threads=1)
    two = OnnxBackend(small / WEIGHTS, threads=2)
    together = one.run(inputs)
    elsewhere = two.run(inputs[::-1])[::-1]
    alone = [one.run([single])[0] for single in inputs]
    for read, *outputs in zip(inputs, together, elsewhere, alone, strict=True):
        for per_token, per_sequence in outputs:
            assert per_token.shape == (len(read.ids), Columns.PER_TOKEN)
            assert per_sequence.shape == (Columns.PER_SEQUENCE,)
            assert np.array_equal(per_token, outputs[0][0])
            assert np.array_equal(per_sequence, outputs[0][1])
    assert one.run([]) == []


def test_a_truncated_file_is_told(small: Path, tmp_path: Path) -> None:
    cut = tmp_path / WEIGHTS
    cut.write_bytes((small / WEIGHTS).read_bytes()[:1_000_000])
    for path in (cut, tmp_path / "missing.onnx", tmp_path):
        with pytest.raises(LacunaError, match="cannot be loaded as a model") as caught:
            OnnxBackend(path)
        assert "\n" not in str(caught.value)


def test_a_network_with_other_heads_is_told(small: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(backend.OUTPUT_WIDTHS, "per_token", 7)
    with pytest.raises(LacunaError, match="of another make"):
        OnnxBackend(small / WEIGHTS)
