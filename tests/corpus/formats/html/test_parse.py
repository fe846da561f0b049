"""HTML pages: text, links, headings, titles, and pages that cannot be read."""

from __future__ import annotations

import pytest
from tests.corpus.formats.html.html_pages import links_of, page_of, reason_of, text_of

PAGE = """<!DOCTYPE html><html><head><title>Old ferry</title><style>p {}</style></head>
<body><nav><a href="river.html">menu</a></nav><div id="content"><h1>Old ferry</h1>
<table class="infobox"><tr><th>Built</th><td>1931 in <a href="Port.html">Port</a></td></tr></table>
<p>The ferry crosses the <a href="../wp/River%20Maas.html#Width_of_it">wide
river</a>. It is <b>old</b>.<sup class="reference"><a href="#n1">[1]</a></sup>
<p>See <a href="https://example.org/">a site</a>, <a href="gone.html">a lost page</a>
and <a href="boat.jpg">a picture</a>.
<h2>History</h2><p>It was built.<h3>Crew</h3><ul><li>One<li>Two</ul>
<script>var leak = 1;</script></div><footer>Made by hand <a href="river.html">x</a></footer>"""


def test_text_is_what_a_person_reads() -> None:
    document = page_of(PAGE).document
    assert document.text == (
        "The ferry crosses the wide river. It is old.\n\n"
        "See a site, a lost page and a picture.\n\n"
        "Built: 1931 in Port\n\n"
        "History\n\nIt was built.\n\nCrew\n\nOne\nTwo"
    )
    assert document.sentence(1) == "It is old."


def test_the_first_paragraph_comes_before_the_boxes_above_it() -> None:
    document = page_of(PAGE).document
    assert document.text[slice(*document.paragraphs[0])].startswith("The ferry crosses")


def test_links_stay_as_they_are_written() -> None:
    assert links_of(page_of(PAGE)) == [
        ("wide river", "../wp/River%20Maas.html#Width_of_it"),
        ("a site", "https://example.org/"),
        ("a lost page", "gone.html"),
        ("a picture", "boat.jpg"),
        ("Port", "Port.html"),
    ]


def test_links_that_run_programs_are_none() -> None:
    page = page_of('<p>Press <a href="javascript:go()">here</a> or <a href=" ">there</a>.')
    assert page.document.text == "Press here or there."
    assert page.links == ()


def test_headings_become_nested_sections() -> None:
    document = page_of(PAGE).document
    sections = {part.path: document.text[part.start : part.end] for part in document.sections}
    assert sections["Old ferry", "History", "Crew"] == "Crew\n\nOne\nTwo"
    assert sections["Old ferry", "History"].endswith("Two")


def test_a_link_on_a_heading_to_itself_is_none() -> None:
    page = page_of('<h1>T</h1><h2 id="a"><a class="header" href="#a">Ways</a></h2><p>Text')
    assert page.document.text == "Ways\n\nText"
    assert page.links == ()


def test_ids_and_names_are_anchors() -> None:
    html = (
        '<h1 id="top">T</h1><p>One <span id="here">two</span><h2><a class="anchor" id="s" '
        'aria-hidden="true" href="#s">#</a>Three</h2><p><a name="old"></a>Four'
    )
    origin = page_of(html).document.origin
    assert origin is not None
    text = text_of(html)
    assert {(name, text[at:].split()[0]) for at, name in origin.anchors} == {
        ("top", "One"),
        ("here", "two"),
        ("s", "Three"),
        ("old", "Four"),
    }


@pytest.mark.parametrize(
    ("html", "title", "names"),
    [
        ("<title>Ways - Site</title><h1>Ways</h1><p>x", "Ways", ("Ways - Site",)),
        ("<title>Ways</title><h1>Ways<a class='headerlink' href='#w'>¶</a></h1><p>x", "Ways", ()),
        ("<title>Ways - Site</title><p>x", "Ways - Site", ()),
        ("<p>x", "page", ()),
        # One of several main headings begins a section.
        ("<title>SELECT</title><h1>1. Overview</h1><p>x<h1>2. Use</h1>", "SELECT", ()),
        # A main heading below others is not the page's.
        ("<title>Button</title><h4>Uses</h4><h2>More</h2>x<h1>Nodes</h1>y", "Button", ()),
        # The name of the site above each page.
        (
            "<title>Path | Site</title><body><header><h1>Site</h1></header><h2>Path</h2><p>x",
            "Path",
            ("Path | Site",),
        ),
        # Some page makers begin with a smaller heading.
        ("<title>Time (Manual)</title><h3>3.1 Time</h3><p>x", "3.1 Time", ("Time (Manual)",)),
        # Titles that say nothing.
        ("<title>10</title><h1>10</h1><h2>Poisonous plants</h2><p>x", "Poisonous plants", ("10",)),
        ("<title>APPENDIX</title><p>x<h3>Clouds</h3>y", "Clouds", ("APPENDIX",)),
        (
            "<title>Untitled Document</title><h1>Old</h1><p>x<h1>New</h1>",
            "Old",
            ("Untitled Document",),
        ),
        ("<title>10</title><p>x", "10", ()),
        ("<h2>Clouds</h2><p>x<h2>Winds</h2>", "Clouds", ()),
        ('<h1 class="firstHeading">Fox</h1><main><h1>Not this</h1><p>x</main>', "Fox", ()),
    ],
)
def test_a_page_is_called_by_its_main_heading(
    html: str, title: str, names: tuple[str, ...]
) -> None:
    page = page_of(html)
    assert (page.document.title, page.names) == (title, names)


def test_indexes_are_skipped_but_lists_with_a_sentence_are_not() -> None:
    links = "".join(f'<li><a href="p{n}.html">A page with the number {n}</a>' for n in range(30))
    prose = "<p>This is a list of all the pages that there are in the set."
    assert reason_of(f"<ul>{links}</ul>") == "it is a list of links without a text of its own"
    assert "number 29" in text_of(f"{prose}<ul>{links}</ul>")


def test_a_page_that_begins_with_its_contents_is_kept() -> None:
    contents = "".join(f'<li><a href="#s{n}">Part number {n} of it</a>' for n in range(30))
    assert "Text of it." in text_of(f"<h1>T</h1><ul>{contents}</ul><h2 id=s1>Part</h2>Text of it.")


def test_a_page_that_only_leads_on_is_a_name_for_another() -> None:
    html = '<meta http-equiv="Refresh" content="0; url=new.html"><p>Moved to <a href="new.html">new'
    page = page_of(html)
    assert (page.leads_to, page.document.text) == ("new.html", "")


def test_bytes_that_are_not_utf8() -> None:
    assert text_of(b'<meta charset="ISO-8859-1"><p>caf\xe9') == "café"
    assert text_of("<p>café".encode("utf-16")) == "café"
    broken = page_of(b"<p>caf\xe9 here").document
    assert broken.text == "caf\ufffd here"
    assert "byte 6 is not UTF-8" in broken.extra["note"]
    assert reason_of(b"\x7fELF\0\0\0") == "it is not an HTML page but binary data"


@pytest.mark.parametrize("html", ["", "<p> ", "<script>x</script>", "<nav>menu</nav>"])
def test_pages_without_text_are_skipped(html: str) -> None:
    assert reason_of(html) == "it has no text"


def test_xhtml_elements_that_close_themselves() -> None:
    html = (
        '<?xml version="1.0"?><html><head><title/><script src="x"/></head><body>One<a id="b"/> two'
    )
    assert text_of(html) == "One two"


@pytest.mark.parametrize("charset", ["undefined", "idna", "punycode", "unicode_escape", "klingon"])
def test_a_charset_that_no_page_has(charset: str) -> None:
    text = text_of(f"<meta charset={charset}>".encode() + b"<p>caf\xe9 \\u0041")
    assert text == "caf\ufffd \\u0041"


def test_what_a_site_generator_fills_in_is_read_as_it_would() -> None:
    page = page_of(
        "---\nlayout: page\ntitle: Old ferries\nauthor: Ann Voss\n---\n"
        '<p>{{ page.title }} by {{ author }}: <a href="{{ site.baseurl }}/a.html">all</a>'
        "{% include foot.html %}, {{ site.data.harbour_name }}.</p>"
    )
    assert page.document.title == "Old ferries"
    assert page.document.text == (
        "Old ferries by Ann Voss: all, harbour name.\n\nProperties\n\nauthor: Ann Voss"
    )
    assert [link.target for link in page.links] == ["/a.html"]
