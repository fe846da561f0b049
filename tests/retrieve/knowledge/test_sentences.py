from __future__ import annotations

import math
import random
from collections.abc import Iterable
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from lacuna.errors import LacunaError
from lacuna.retrieve.knowledge.build import BuildReport, build_sentences
from lacuna.retrieve.knowledge.search import Sentences
from lacuna.text import content_stems

WORDS = st.sampled_from(["metal", "metals", "iron", "heat", "the", "spoon", "conducts", "of"])
PHRASES = st.lists(WORDS, min_size=1, max_size=3).map(" ".join)
CORPORA = st.lists(st.lists(WORDS, min_size=1, max_size=7).map(" ".join), min_size=1, max_size=20)


def build(folder: Path, rows: Iterable[tuple[str, str]]) -> tuple[Sentences, BuildReport]:
    file = folder / "rows.tsv"
    file.write_text("".join(f"{source}\t{sentence}\n" for source, sentence in rows), "utf-8")
    report = build_sentences([file], folder / "index")
    return Sentences.open(folder / "index"), report


def index(folder: Path, *sentences: str) -> Sentences:
    return build(folder, (("book", sentence) for sentence in sentences))[0]


def found(sentences: Sentences, span: str, choice: str, k: int = 5) -> list[str]:
    return [hit.text for hit in sentences.search(span, choice, k)]


def bm25(sentence: str, query: set[str], corpus: list[str]) -> float:
    """Robertson's formula with Lucene's rarity, straight from the book."""
    stems = {text: content_stems(text) for text in corpus}
    average = max(sum(map(len, stems.values())) / len(corpus), 1)
    score = 0.0
    for stem in query:
        holders = sum(stem in found for found in stems.values())
        times = stems[sentence].count(stem)
        rarity = math.log(1 + (len(corpus) - holders + 0.5) / (holders + 0.5))
        length = 0.25 + 0.75 * len(stems[sentence]) / average
        score += rarity * times * 2.2 / (times + 1.2 * length) if times else 0
    return score


@settings(deadline=None)
@given(CORPORA, PHRASES, PHRASES, st.booleans())
def test_all_and_only_sentences_with_both_are_found_and_scored_by_bm25(
    corpus: list[str], span: str, choice: str, every_word: bool
) -> None:
    corpus = sorted(set(corpus))
    need = all if every_word else any
    s, c = set(content_stems(span)), set(content_stems(choice))
    expected = {
        sentence: bm25(sentence, s | c, corpus)
        for sentence in corpus
        if s and c and all(need(q in content_stems(sentence) for q in side) for side in (s, c))
    }
    with TemporaryDirectory() as folder:
        hits = index(Path(folder), *corpus).search(span, choice, 100, every_word=every_word)
    assert {hit.text for hit in hits} == set(expected)
    assert len(hits) == len(expected)
    assert [hit.score for hit in hits] == pytest.approx([expected[hit.text] for hit in hits])
    assert [(-hit.score, hit.text) for hit in hits] == sorted((-h.score, h.text) for h in hits)


def test_top_k_are_the_first_of_all(tmp_path: Path) -> None:
    corpus = index(tmp_path, *(f"metal {'and iron ' * n}heat" for n in range(1, 9)))
    assert found(corpus, "metal", "heat", 3) == found(corpus, "metal", "heat", 8)[:3]


def test_ties_go_by_the_alphabet_whatever_the_order_of_the_rows(tmp_path: Path) -> None:
    sentences = [f"metal heat {letter}" for letter in "bcdefghjkl"]
    results = []
    for seed in (1, 2):
        folder = tmp_path / str(seed)
        folder.mkdir()
        corpus = index(folder, *random.Random(seed).sample(sentences, len(sentences)))
        results.append(found(corpus, "heat", "metal", 4))
    assert results[0] == results[1] == sentences[:4]


def test_any_word_of_a_phrase_is_enough_unless_every_word_is_asked_for(tmp_path: Path) -> None:
    corpus = index(tmp_path, "a steel bridge is metal", "a steel spoon is metal")
    assert len(corpus.search("metal", "steel spoon")) == 2
    strict = corpus.search("metal", "steel spoon", every_word=True)
    assert [hit.text for hit in strict] == ["a steel spoon is metal"]


@pytest.mark.parametrize(("span", "choice"), [("", "metal"), ("the", "metal"), ("metal", "zyx")])
def test_nothing_to_match_finds_nothing(tmp_path: Path, span: str, choice: str) -> None:
    corpus = index(tmp_path, "the metal is hot")
    assert corpus.search(span, choice) == []
    assert corpus.search(span, choice, every_word=True) == []


def test_core_facts_are_kept_out_however_they_are_written(tmp_path: Path) -> None:
    stay = "Metal heats and conducts electricity."
    corpus = index(tmp_path, "Metals conduct heat.", "a metal conducts heat", stay)
    assert len(found(corpus, "metal", "heat")) == 3
    hidden = corpus.without(["The metal conducts heat !"])
    assert found(hidden, "metal", "heat") == [stay]
    assert len(hidden) == 1
    # The index itself is as it was, and keeping out adds up.
    assert len(found(corpus, "metal", "heat")) == 3
    assert len(hidden.without([stay, "A fact that is not there."])) == 0


@settings(deadline=None)
@given(CORPORA, st.data())
def test_keeping_out_is_like_never_having_had_them(corpus: list[str], data: st.DataObject) -> None:
    out = data.draw(st.lists(st.sampled_from(corpus)))
    span, choice = data.draw(PHRASES), data.draw(PHRASES)
    with TemporaryDirectory() as folder:
        whole = index(Path(folder), *corpus)
        before = found(whole, span, choice, 100)
        after = found(whole.without(out), span, choice, 100)
    assert not set(after) & set(out)
    assert after == [text for text in before if text in after]


def test_a_source_can_be_kept_out(tmp_path: Path) -> None:
    rows = [("book", "metal conducts heat"), ("crowd", "iron is a metal with heat")]
    corpus, _ = build(tmp_path, rows)
    assert corpus.sources == {"book", "crowd"}
    assert {hit.source for hit in corpus.search("metal", "heat")} == {"book", "crowd"}
    assert found(corpus.without(sources={"crowd"}), "metal", "heat") == ["metal conducts heat"]
    with pytest.raises(LacunaError, match="No sentence comes from wiki"):
        corpus.without(sources={"wiki"})


def test_every_row_is_accounted_for(tmp_path: Path) -> None:
    rows = [
        ("b", "metal conducts heat"),
        ("a", "metal conducts heat"),
        ("a", "metal is not wood"),
        ("a", "one\ttoo many"),
        ("a", ""),
    ]
    corpus, report = build(tmp_path, rows)
    assert (report.rows, report.kept, report.merged) == (5, 1, 1)
    assert report.skipped == {"negation": 1, "not a source and a sentence": 2}
    assert [hit.source for hit in corpus.search("metal", "heat")] == ["a"]


def test_a_file_without_sentences_is_an_error(tmp_path: Path) -> None:
    with pytest.raises(LacunaError, match="no sentence that can be used"):
        build(tmp_path, [("a", "It is not here.")])
