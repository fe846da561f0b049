"""What the elements of an HTML page become in its text."""

from __future__ import annotations

import pytest
from tests.corpus.formats.html.html_pages import links_of, page_of, text_of


@pytest.mark.parametrize(
    ("html", "text"),
    [
        ("<p>Two:<ul><li>One<ul><li>a<li>b</ul><li><p>Two</p></ul><p>End",
         "Two:\n\nOne\n  a\n  b\nTwo\n\nEnd"),
        ("<dl><dt>-v</dt> <dt>--verbose</dt>\n<dd><p>Say more.</p></dd><dt>-q:<dd>Less.</dl>x",
         "-v, --verbose: Say more.\n-q: Less.\n\nx"),
        ("<dl><dt><p>Term </p></dt><dd>One.<p>Two.</dl>", "Term: One.\n\nTwo."),
        ("<dl><dt>Alone</dl><p>x", "Alone\n\nx"),
        ("<p>See:<pre>a\n  b\n</pre>c", "See:\n\na\n  b\n\nc"),
        ("<details><summary>More</summary><p>Hidden.</details>", "More\n\nHidden."),
        ("<p>Ten to the 6th is 10<sup>6</sup>, the 1<sup>st</sup>, in km<sup>2</sup>.",
         "Ten to the 6th is 10⁶, the 1st, in km²."),
        ("<p>x<sup>n</sup> or portCode<sup>USG</sup>.", "x^n or portCode USG."),
        ("<p>She said <q>go</q>.", "She said “go”."),
        ("<p>So <math alttext='x^2'><mi>x</mi></math>.", "So x^2 ."),
        ("<p>So <math><mi>x</mi><annotation encoding='application/x-tex'>x_1</annotation></math>",
         "So x_1"),
        ("<p>a<br>b", "a\nb"),
        ("<p>x<blockquote>Said.<footer>Her</footer></blockquote>", "x\n\nSaid.\n\nHer"),
        ("<p>soft\u00adhyphen", "softhyphen"),
        ("<p>x<select><option>One<option>Two</select> y", "x y"),
    ],
)  # fmt: skip
def test_elements(html: str, text: str) -> None:
    assert text_of(html) == text


@pytest.mark.parametrize(
    ("html", "text"),
    [
        ('<p>x <img src="a.png" alt="A ferry on the river"> y', "x A ferry on the river y"),
        ('<p>x <img alt="a.png"><img alt="[Note]"><img alt="logo"><img alt=""> y', "x y"),
        ('<p>x <img alt="Flag of Chile" width="22"> y', "x y"),
        ('<p>x<figure><img alt="The old ferry"><figcaption>The ferry</figcaption></figure>',
         "x\n\nThe ferry"),
        ('<p>x<figure><img alt="The old ferry"></figure>', "x\n\nThe old ferry"),
    ],
)  # fmt: skip
def test_pictures_say_what_they_show_once(html: str, text: str) -> None:
    assert text_of(html) == text


@pytest.mark.parametrize(
    "html",
    [
        '<p>It sails<sup class="reference">[1]</sup>.',
        '<p>It sails<a class="footnote-reference brackets" href="#f">1</a>.',
        '<p>It sails<sup id="r"><a href="#f">1</a></sup>.',
        '<p>It sails<a href="#f"><sup class="footnote">[1]</sup></a>.',
        '<p>It sails<a role="doc-noteref" href="#f">1</a>.',
        '<p>It sails<sup class="footnote">[<a href="#f">1</a>]</sup>.',
    ],
)
def test_marks_of_footnotes_vanish(html: str) -> None:
    assert text_of(html) == "It sails."


def test_notes_themselves_stay_without_their_number() -> None:
    html = (
        '<p>It sails.<aside class="footnote"><span class="label"><span class="fn-bracket">[</span>1'
        '<span class="fn-bracket">]</span></span><p>Since 1931.</p></aside>'
    )
    assert text_of(html) == "It sails.\n\nSince 1931."


def test_references_of_sphinx_are_text() -> None:
    html = '<p>The <a class="reference internal" href="a.html"><code>add</code></a> command.'
    assert text_of(html) == "The add command."


def test_labels_on_a_picture_are_links() -> None:
    html = '<p>A map.<map><area href="x.html" title="The X"><area href="#"></map>'
    assert links_of(page_of(html)) == [("The X", "x.html")]


def test_a_picture_in_a_link_is_its_anchor() -> None:
    html = '<p>Here you find <a href="x.html"><img alt="A map of the port"></a>, the only map.'
    assert links_of(page_of(html)) == [("A map of the port", "x.html")]
