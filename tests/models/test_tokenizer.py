from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from lacuna import LacunaError
from lacuna.models.reader import encode as tokens
from lacuna.models.reader.encode import Tokenizer

AWKWARD = st.text(st.characters() | st.sampled_from("한é\u0301İ\u200b\ud800👩\u202e日 \n1"))


def test_pieces_stand_for_their_characters(tokenizer: Tokenizer) -> None:
    text = "Ann built xy, in 1901."
    found = tokenizer.encode(text)
    told = [text[a:b] for a, b in zip(found.starts, found.ends, strict=True)]
    assert told == ["Ann", "built", "x", "y", ",", "in", "1901", "."]


def test_special_pieces_in_a_text_are_only_text(tokenizer: Tokenizer) -> None:
    found = tokenizer.encode("[SEP] [unused1] [CLS] [PAD]").ids.tolist()
    special = {tokenizer.separator, tokenizer.document, tokenizer.begin, tokenizer.pad}
    assert not special & set(found)


@given(AWKWARD)
def test_offsets_never_go_back_or_out_of_the_text(tokenizer: Tokenizer, text: str) -> None:
    found = tokenizer.encode(text)
    assert (found.starts < found.ends).all()
    assert (np.diff(found.starts) >= 0).all()
    assert (np.diff(found.ends) >= 0).all()
    assert not len(found.ends) or found.ends[-1] <= len(text)


@pytest.mark.parametrize("text", ["", " \n\t", "\x00", "\u200b"])
def test_a_text_of_nothing_has_no_pieces(tokenizer: Tokenizer, text: str) -> None:
    assert not len(tokenizer.encode(text).ids)
    assert tokenizer.encode(text).cover(0, 5) is None


def test_half_a_surrogate_pair_is_one_character(tokenizer: Tokenizer) -> None:
    text = "Ann \ud800 built"
    found = tokenizer.encode(text)
    assert [text[a:b] for a, b in zip(found.starts, found.ends, strict=True)][-1] == "built"


@given(AWKWARD, st.lists(st.tuples(st.integers(0, 40), st.integers(0, 40)), max_size=6))
def test_many_stretches_are_covered_as_one_is(
    tokenizer: Tokenizer, text: str, spans: list[tuple[int, int]]
) -> None:
    found = tokenizer.encode(text)
    first, last = found.covers(spans)
    many = [(a, b) if a <= b else None for a, b in zip(first, last, strict=True)]
    assert many == [found.cover(*span) for span in spans]


def test_what_was_read_long_ago_is_forgotten(
    tokenizer_file: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(tokens, "REMEMBERED", 10)
    tokenizer = Tokenizer(tokenizer_file)
    first = tokenizer.encode("ann built the ferry")
    assert tokenizer.encode("ann built the ferry") is first
    tokenizer.encode("bob built the ferry in 1901")
    again = tokenizer.encode("ann built the ferry")
    assert again is not first
    assert again.ids.tolist() == first.ids.tolist()
    assert len(tokenizer.encode("word " * 50).ids) == 50


def test_threads_may_share_it(tokenizer_file: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(tokens, "REMEMBERED", 40)
    tokenizer = Tokenizer(tokenizer_file)
    texts = [f"{'word ' * (number % 7)}{number}" for number in range(40)] * 20
    with ThreadPoolExecutor(4) as pool:
        found = list(pool.map(tokenizer.encode, texts))
    alone = Tokenizer(tokenizer_file)
    assert all(
        one.ids.tolist() == alone.encode(text).ids.tolist()
        for one, text in zip(found, texts, strict=True)
    )


def test_a_damaged_tokenizer_is_told(tokenizer_file: Path, tmp_path: Path) -> None:
    broken = tmp_path / "tokenizer.json"
    broken.write_bytes(tokenizer_file.read_bytes()[:500])
    with pytest.raises(LacunaError, match="cut short"):
        Tokenizer(broken)


def test_a_foreign_vocabulary_is_told(tokenizer_file: Path, tmp_path: Path) -> None:
    foreign = tmp_path / "tokenizer.json"
    foreign.write_text(tokenizer_file.read_text().replace("[unused2]", "[other2]"))
    with pytest.raises(LacunaError, match=r"no piece \[unused2\]"):
        Tokenizer(foreign)
