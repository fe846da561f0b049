from __future__ import annotations

import random
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from lacuna.errors import LacunaError
from lacuna.retrieve.knowledge.build import BuildReport, Triple, build_triples
from lacuna.retrieve.knowledge.search import OMCS, WORDNET, FoundTriple, Triples
from lacuna.text import content_stems

BELT = Triple("MadeOf", "belt buckle", "metal", 1.0, ("cn56",))
SPOON = Triple("IsA", "spoon", "cutlery", 2.0, ("oewn",))

PHRASES = st.lists(
    st.sampled_from(["metal", "metals", "belt", "buckle", "iron", "the", "of", "heat", "hot"]),
    min_size=1,
    max_size=3,
).map(" ".join)
TRIPLES = st.lists(
    st.builds(
        Triple,
        st.sampled_from(["IsA", "MadeOf"]),
        PHRASES,
        PHRASES,
        st.sampled_from([0.5, 1.0, 2.0]),
        st.sampled_from([("a",), ("b",), ("a", "b")]),
    ),
    min_size=1,
    max_size=25,
)


def build(folder: Path, triples: list[Triple]) -> tuple[Triples, BuildReport]:
    lines = (
        "\t".join((t.relation, t.head, t.tail, repr(t.weight), ",".join(t.sources)))
        for t in triples
    )
    rows = folder / "rows.tsv"
    rows.write_text("\n".join(lines) + "\n", "utf-8")
    report = build_triples([rows], folder / "store")
    return Triples.open(folder / "store"), report


def merged(triples: list[Triple]) -> list[Triple]:
    together: dict[tuple[str, str, str], Triple] = {}
    for triple in triples:
        key = triple.head, triple.relation, triple.tail
        before = together.get(key, triple)
        together[key] = Triple(
            triple.relation,
            triple.head,
            triple.tail,
            max(before.weight, triple.weight),
            tuple(sorted({*before.sources, *triple.sources})),
        )
    return [together[key] for key in sorted(together)]


def by_the_paper(triples: list[Triple], span: str, choice: str, k: int) -> list[FoundTriple]:
    """Section 4.2 word by word, one triple after the other."""
    s, c = set(content_stems(span)), set(content_stems(choice))
    found = []
    for triple in merged(triples):
        head, tail = set(content_stems(triple.head)), set(content_stems(triple.tail))
        if (head & s and tail & c) or (head & c and tail & s):
            tokens = head | tail
            found.append(FoundTriple(triple, len(tokens & (s | c)) / len(tokens | s | c)))
    found.sort(
        key=lambda f: (-f.score, -f.triple.weight, f.triple.head, f.triple.relation, f.triple.tail)
    )
    return found[:k]


@settings(deadline=None)
@given(TRIPLES, PHRASES, PHRASES, st.integers(1, 6))
def test_the_search_is_that_of_the_paper(
    triples: list[Triple], span: str, choice: str, k: int
) -> None:
    with TemporaryDirectory() as folder:
        store, report = build(Path(folder), triples)
        assert store.search(span, choice, k) == by_the_paper(triples, span, choice, k)
        assert list(store) == merged(triples)
        assert report.rows == report.kept + report.merged == len(triples)


@settings(deadline=None)
@given(TRIPLES, PHRASES, PHRASES)
def test_span_and_choice_may_change_places(triples: list[Triple], one: str, other: str) -> None:
    with TemporaryDirectory() as folder:
        store, _ = build(Path(folder), triples)
        assert store.search(one, other) == store.search(other, one)


def test_the_order_of_the_rows_makes_no_difference(tmp_path: Path) -> None:
    triples = [Triple("IsA", f"metal {n % 7}", f"heat {n}", 1.0, ("a",)) for n in range(40)]
    shuffled = random.Random(1).sample(triples, len(triples))
    (tmp_path / "one").mkdir()
    (tmp_path / "other").mkdir()
    found = [
        build(tmp_path / name, rows)[0].search("metal", "heat", 40)
        for name, rows in (("one", triples), ("other", shuffled))
    ]
    assert found[0] == found[1]
    assert len(found[0]) == 40


def test_ties_go_to_the_weight_then_to_the_alphabet(tmp_path: Path) -> None:
    light, heavy = (Triple("IsA", "iron", "metal", w, ("a",)) for w in (1.0, 3.0))
    rows = [
        Triple("UsedFor", "iron", "metal", 1.0, ("a",)),
        Triple("RelatedTo", "metal", "iron", 3.0, ("a",)),
        light,
        Triple("HasA", "iron", "metal", 1.0, ("a",)),
        heavy,
    ]
    found = build(tmp_path, rows)[0].search("iron", "metal")
    assert [(f.triple.relation, f.triple.weight) for f in found] == [
        ("IsA", 3.0),
        ("RelatedTo", 3.0),
        ("HasA", 1.0),
        ("UsedFor", 1.0),
    ]


def test_words_of_the_query_that_no_triple_has_still_lower_the_score(tmp_path: Path) -> None:
    store, _ = build(tmp_path, [BELT])
    assert store.search("metal", "belt buckle") == [FoundTriple(BELT, 1.0)]
    assert store.search("metal zyx", "belt buckle") == [FoundTriple(BELT, 0.75)]


@pytest.mark.parametrize(
    ("span", "choice"), [("", ""), ("the", "metal"), ("metal", "of"), ("metal", "zyx"), ("!", "?")]
)
def test_nothing_to_match_finds_nothing(tmp_path: Path, span: str, choice: str) -> None:
    assert build(tmp_path, [BELT])[0].search(span, choice) == []


def test_both_on_one_side_is_no_match(tmp_path: Path) -> None:
    assert build(tmp_path, [BELT])[0].search("belt", "buckle") == []


@settings(deadline=None)
@given(TRIPLES, PHRASES, PHRASES)
def test_a_source_filter_finds_what_a_store_of_that_source_would(
    triples: list[Triple], span: str, choice: str
) -> None:
    kept = [triple for triple in merged(triples) if "a" in triple.sources]
    with TemporaryDirectory() as folder:
        store, _ = build(Path(folder), triples)
        if kept:
            assert store.search(span, choice, sources={"a"}) == by_the_paper(kept, span, choice, 5)
        else:
            with pytest.raises(LacunaError, match="No triple comes from a"):
                store.search(span, choice, sources={"a"})


def test_the_filter_takes_names_that_the_store_lacks_if_it_has_one(tmp_path: Path) -> None:
    store, _ = build(tmp_path, [BELT, SPOON])
    assert store.sources == {"cn56", "oewn"}
    assert store.search("metal", "belt", sources={"oewn", "other"}) == []
    assert len(store.search("spoon", "cutlery", sources={"oewn", "other"})) == 1


def test_broken_rows_are_counted_by_reason(tmp_path: Path) -> None:
    rows = tmp_path / "rows"
    rows.write_text("IsA\tcat\tanimal\t1\ta\n" + "broken\n" * 7 + "IsA\tcat\tpet\theavy\ta\n")
    report = build_triples([rows], tmp_path / "store")
    assert (report.rows, report.kept) == (9, 1)
    assert report.skipped == {"not five columns": 7, "a weight that is no number from 0 up": 1}
    assert f"{rows}, line 2" in [example.where for example in report.examples]
    assert "7 left out: not five columns" in str(report)


def test_a_file_without_any_triple_is_an_error_and_builds_nothing(tmp_path: Path) -> None:
    rows = tmp_path / "rows"
    rows.write_text("what is this\n")
    with pytest.raises(LacunaError, match="holds no triples"):
        build_triples([rows], tmp_path / "store")
    assert not (tmp_path / "store").exists()


def test_assertions_of_two_datasets_about_the_same_words_become_one(tmp_path: Path) -> None:
    rows = tmp_path / "assertions.csv"
    rows.write_text(
        '/a/1\t/r/IsA\t/c/en/iron\t/c/en/metal\t{"dataset": "/d/conceptnet/4/en", "weight": 3.5}\n'
        '/a/2\t/r/IsA\t/c/en/iron/n\t/c/en/metal/n\t{"dataset": "/d/wordnet/3.1", "weight": 2}\n'
        '/a/3\t/r/IsA\t/c/fr/fer\t/c/fr/métal\t{"dataset": "/d/wiktionary/fr", "weight": 1}\n',
        "utf-8",
    )
    report = build_triples([rows], tmp_path / "store")
    assert (report.kept, report.merged, report.skipped) == (1, 1, {"not English": 1})
    store = Triples.open(tmp_path / "store")
    iron = Triple("IsA", "iron", "metal", 3.5, ("conceptnet/4/en", "wordnet/3.1"))
    assert store.search("metal", "iron", sources=WORDNET) == [FoundTriple(iron, 1.0)]
    assert store.search("metal", "iron", sources=OMCS) == [FoundTriple(iron, 1.0)]
