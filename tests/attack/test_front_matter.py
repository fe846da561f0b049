"""Front matter that is nearly right: the note is read, whatever stands above it."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator

import pytest
from mutations import mutated
from page_checks import check_page

from lacuna.corpus.formats.entries import Entry
from lacuna.corpus.formats.isolation import packed_reply, parsed_items, unpacked_reply
from lacuna.corpus.formats.markdown import parse_markdown
from lacuna.corpus.page import Page

VALUES = """
!!bool|maybe !!int|"" !!float|"" !!timestamp|"x" !!timestamp|2001-99-99 !!binary|* !!set|{a}
!!omap|[a] !!python/object:os.system|a !!null|x 0xffff 0b2 0o9 1_0 1:99:99 .inf -.nan 2001-13-45 ~
yes *a &a|b *b <<:|*a "\\x" '\\x' {a:|b,|c} [a,|[b,|{c:|d}]] |- >+ ? - : @ ` % %YAML 1e999 0.1.2
"\\ud800" !<a>|b !
"""
FORMS = [
    "---\n{0}: {1}\ntitle: {2}\naliases: [{1}, {2}]\nx:\n  - {1}\n  y: {2}\n---\n",
    "+++\n{0} = {1}\ntitle = {2}\n[a.b]\nc = [{1}, {2}]\n+++\n",
    '{{"{0}": {1}, "title": {2}, "tags": [{1}, {{"a": {2}}}]}}\n',
]
LAST = "The last sentence stays whole."


def a_value(rng: random.Random) -> str:
    match rng.randrange(6):
        case 0:
            return rng.choice(("0x" + "f" * 4000, "9" * 5000, "0b" + "1" * 9000, "1e" + "9" * 400))
        case 1:
            return rng.choice("[{&*!|>'\"%@`") * rng.choice((1, 3, 500))
        case _:
            return rng.choice(VALUES.split()).replace("|", " ")


def front_matter(rng: random.Random) -> str:
    key = rng.choice(("title", "date", "a", "a.b", "İ", '"a"', "<<", "?", "- a", "aliases", "1"))
    whole = rng.choice(FORMS).format(key, a_value(rng), a_value(rng))
    if rng.random() < 0.5:
        return whole
    return mutated(whole.encode(), a_value(rng).encode(), rng).decode("utf-8", "replace")


def test_a_note_is_read_whatever_stands_above_it(
    rounds: Callable[[], Iterator[random.Random]],
) -> None:
    for rng in rounds():
        for _ in range(50):
            note = f"{front_matter(rng)}\n\n{LAST}\n".replace("\0", "")
            items = parsed_items(parse_markdown, Entry("note.md", note.encode()))
            pages = unpacked_reply(packed_reply(items))
            assert pages is not None
            (page,) = pages
            assert isinstance(page, Page), note
            check_page(page)


@pytest.mark.parametrize(
    "field",
    [
        "x: !!bool maybe",
        'x: !!int ""',
        'x: !!float ""',
        'x: !!timestamp "x"',
        "title: 0x" + "f" * 4000,
        "title: " + "9" * 5000,
        "&a [*a]: 1",
        "? [a]\n: b",
    ],
)
def test_what_was_found(field: str) -> None:
    (page,) = parse_markdown(Entry("note.md", f"---\n{field}\n---\n\n{LAST}\n".encode()))
    assert isinstance(page, Page)
    assert page.document.text.startswith(LAST)
