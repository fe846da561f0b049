"""No letter moves what stands behind it: offsets are taken from the text itself.

"İ" has two letters in lower case; whoever looks for a mark in the lower-case text and cuts the text
there cuts in the wrong place.
"""

from __future__ import annotations

import json

import pytest
from length_changing import length_changing

from lacuna.corpus.formats.base import get_format
from lacuna.corpus.formats.dumps import IIRC_ARTICLE
from lacuna.corpus.formats.entries import Entry
from lacuna.corpus.formats.mediawiki import WIKITEXT_PAGE
from lacuna.corpus.page import Page

LAST = "The last sentence stays whole."
HTML = (
    "<p>{0} <B>{0}</B> <a href='b'>the anchor</a> <!-- {0} --><SCRIPT>{0}</SCRIPT>"
    "<select>{0}</SELECT> " + LAST + "</p>"
)
TEXTS = {
    "wikitext": "[[], []]\n{0} <Ref>{0}</REF> <NoWiki>''{0}</NOWIKI> <ref name={0}/> "
    "[[b|the anchor]] <Math>{0}</math> {{{{x|{0}}}}} " + LAST,
    "iirc article": HTML,
    "html": HTML,
    "markdown": "# {0}\n\n{0} **{0}** [the anchor](b.md) <B>{0}</b> `{0}` " + LAST,
    "rst": "{0} **{0}** `the anchor <b>`_ ``{0}`` " + LAST,
    "org": "* {0}\n{0} *{0}* [[file:b.org][the anchor]] ={0}= " + LAST,
    "asciidoc": "= {0}\n\n{0} *{0}* link:b[the anchor] `{0}` " + LAST,
    "mail": "Subject: {0}\nContent-Type: text/plain; charset=utf-8\n\n{0} " + LAST,
    "text": "{0} " + LAST,
    "table": "a,b\n{0},{0}\nc," + LAST + "\n",
    "notebook": "{0} [the anchor](b.md) <B>{0}</b> " + LAST,
}


@pytest.mark.parametrize("name", TEXTS)
def test_no_letter_moves_what_stands_behind_it(name: str) -> None:
    pieces = {"wikitext": WIKITEXT_PAGE, "iirc article": IIRC_ARTICLE}
    known = pieces.get(name) or get_format(name)
    assert known.parse is not None
    for letters in length_changing():
        text = TEXTS[name].format(letters)
        if name == "notebook":
            cells = [{"cell_type": "markdown", "source": [text]}]
            text = json.dumps({"cells": cells, "nbformat": 4, "metadata": {}})
        (page,) = known.parse(Entry("page", text.encode()))
        assert isinstance(page, Page)
        document = page.document
        assert LAST in document.text, letters
        assert LAST in [document.sentence(at) for at in range(len(document.sentences))][-1]
        anchors = [document.text[link.start : link.end] for link in page.links or document.links]
        assert anchors == (["the anchor"] if "the anchor" in TEXTS[name] else []), letters
