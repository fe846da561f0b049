"""The real triples and sentences; these tests run where LACUNA_DATA names the data."""

from __future__ import annotations

import gzip
from pathlib import Path

from lacuna.retrieve.knowledge.build import BuildReport, unfit
from lacuna.retrieve.knowledge.search import OMCS, WORDNET, WORDS, Sentences, Triples, sentence_of
from lacuna.text import content_stems, sameness_key


def test_every_triple_of_the_file_is_there(
    data_folder: Path, real_triples: tuple[Path, BuildReport]
) -> None:
    folder, report = real_triples
    with gzip.open(data_folder / "conceptnet" / "triples.tsv.gz", "rt", encoding="utf-8") as rows:
        in_file = {tuple(row.split("\t")[:3]) for row in rows}
    assert {(t.relation, t.head, t.tail) for t in Triples.open(folder)} == in_file
    assert report.rows == report.kept + report.merged + report.skipped.total() == 1_145_547


def test_the_belt_buckle_of_the_paper(real_triples: tuple[Path, BuildReport]) -> None:
    best = Triples.open(real_triples[0]).search("metal", "belt buckle")[0]
    assert sentence_of(best.triple) == "belt buckle is made of metal"
    assert best.score == 1.0


def test_what_is_found_connects_the_two(real_triples: tuple[Path, BuildReport]) -> None:
    span, choice = "heat energy", "a hot iron pan"
    found = Triples.open(real_triples[0]).search(span, choice, 200)
    assert len(found) > 20
    for triple, score in found:
        head, tail = set(content_stems(triple.head)), set(content_stems(triple.tail))
        s, c = set(content_stems(span)), set(content_stems(choice))
        assert (head & s and tail & c) or (head & c and tail & s)
        assert score == len((head | tail) & (s | c)) / len(head | tail | s | c)
    assert [score for _, score in found] == sorted((score for _, score in found), reverse=True)


def test_wordnet_and_omcs_alone(real_triples: tuple[Path, BuildReport]) -> None:
    triples = Triples.open(real_triples[0])
    for names in (WORDNET, OMCS):
        found = triples.search("metal", "steel alloy", 50, names)
        assert found
        assert all(names & set(hit.triple.sources) for hit in found)


def test_every_sentence_is_kept_or_told_why_not(
    real_sentences: tuple[Path, BuildReport],
) -> None:
    _, report = real_sentences
    assert report.rows == report.kept + report.merged + report.skipped.total() == 403_981
    assert "not a source and a sentence" not in report.skipped


def test_core_facts_stay_hidden(
    data_folder: Path, real_sentences: tuple[Path, BuildReport]
) -> None:
    """Facts of the open book that also stand in the corpus are found by their own words; kept
    out, they are not."""
    facts = [
        line.strip().strip('"')
        for line in (data_folder / "openbookqa" / "openbook.txt").read_text("utf-8").splitlines()
        if line.strip()
    ]
    corpus = Sentences.open(real_sentences[0])
    hidden = corpus.without(facts)
    assert len(hidden) < len(corpus)
    keys = {sameness_key(fact) for fact in facts}

    def leaks(sentences: Sentences) -> int:
        hits = (hit for fact in facts[:300] for hit in sentences.search(fact, fact, 20))
        return sum(sameness_key(hit.text) in keys for hit in hits)

    assert leaks(corpus) > 0
    assert leaks(hidden) == 0


def test_found_sentences_keep_to_the_paper_s_filters(
    real_sentences: tuple[Path, BuildReport],
) -> None:
    hits = Sentences.open(real_sentences[0]).search("water", "plants", 500)
    assert len(hits) > 200
    assert all(unfit(hit.text) is None for hit in hits)


def test_every_relation_of_the_real_data_has_words(
    real_triples: tuple[Path, BuildReport],
) -> None:
    relations = {triple.relation for triple in Triples.open(real_triples[0])}
    assert len(relations) == 54
    assert relations <= WORDS.keys()
