"""Titles of pages: told apart, and without what all of them share."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from lacuna.corpus.page_links import unique_titles


def test_pages_of_one_title_are_told_apart_by_their_paths() -> None:
    called = {
        "guide/linux/setup.md": "Setup",
        "guide/mac/setup.md": "Setup",
        "guide/mac/faq.md": "Questions",
        "api/index.html": "Overview",
        "cli/index.html": "Overview",
        "book.epub#one.xhtml": "Chapter",
        "book.epub#two.xhtml": "Chapter",
    }
    assert unique_titles(called) == {
        "guide/linux/setup.md": "Setup (linux)",
        "guide/mac/setup.md": "Setup (mac)",
        "guide/mac/faq.md": "Questions",
        "api/index.html": "Overview (api)",
        "cli/index.html": "Overview (cli)",
        "book.epub#one.xhtml": "Chapter (one.xhtml)",
        "book.epub#two.xhtml": "Chapter (two.xhtml)",
    }


def test_what_all_titles_share_is_cut_off() -> None:
    named = {f"{name}.html": f"Foo: {name} — Foo 1.2 documentation" for name in "abcdef"}
    assert unique_titles(named)["a.html"] == "a"
    manual = {f"git-{name}.html": f"git-{name}(1) Manual Page" for name in "abcdef"}
    assert unique_titles(manual)["git-a.html"] == "git-a(1)"
    few = {"a.html": "a — Foo", "b.html": "b — Foo"}
    assert unique_titles(few) == few, "of two pages nothing can be told"
    some = {f"{name}.html": f"{name}: a tale" for name in "abcdef"} | {"x.html": "The end"}
    assert unique_titles(some)["x.html"] == "The end"


def test_a_title_that_another_source_has_gets_the_name_of_its_source() -> None:
    titles = unique_titles({"a.md": "Ferry"}, {"Ferry"}.__contains__, "notes")
    assert titles == {"a.md": "Ferry (notes)"}
    taken = {"Ferry", "Ferry (notes)", "Ferry (a.md)"}
    assert unique_titles({"a.md": "Ferry"}, taken.__contains__, "notes")["a.md"] not in taken


PATHS = st.lists(
    st.lists(st.sampled_from(["a", "b", "index", "c d"]), min_size=1, max_size=3).map("/".join),
    min_size=1,
    max_size=12,
    unique=True,
)


@given(PATHS, st.data())
def test_no_two_titles_are_alike(paths: list[str], data: st.DataObject) -> None:
    title = st.sampled_from(["A", "B", "A (a)", "A (b)", "A - C"])
    called = {f"{path}.md": data.draw(title) for path in paths}
    titles = unique_titles(called)
    assert len(set(titles.values())) == len(called)
