"""Titles: how they are written, compared, looked for, and made from wiki links and file names."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Sequence
from itertools import islice
from posixpath import splitext
from typing import TYPE_CHECKING
from urllib.parse import unquote

if TYPE_CHECKING:
    from lacuna.corpus.store import Store


GAPS = re.compile(r"[\s_]+")
FOLDER_PAGES = frozenset(("index", "_index", "readme"))
"""Names of files that are the page of their folder."""
NEAR_ENOUGH = 60
"""Of 100: below this a suggestion would puzzle more than help."""


def plain(title: str) -> str:
    """Undo URL-quoting and underscores; case stays.

    >>> plain("Ferry_%28ship%29")
    'Ferry (ship)'
    """
    return GAPS.sub(" ", unquote(title, errors="replace")).strip()


def folded(title: str) -> str:
    """The form in which two ways to write a title are the same.

    >>> folded("ferry_(Ship)") == folded("Ferry  (ship)")
    True
    """
    return unicodedata.normalize("NFC", plain(title)).casefold()


def is_valid(title: str) -> bool:
    """Tell if the title is Unicode that a file can hold: no half surrogates, not empty."""
    try:
        return bool(title.encode("utf-8").strip())
    except UnicodeEncodeError:
        return False


def closest(wanted: str, titles: Sequence[str]) -> int:
    """The title that was meant among several, alike but for case and gaps; the first if in doubt.

    Wikis write a link's first letter small and mean the title with a capital.
    """
    asked = plain(wanted)
    capital = asked[:1].upper() + asked[1:]
    ranks = [
        (plain(title) != asked, plain(title) != capital, number)
        for number, title in enumerate(titles)
    ]
    return min(ranks)[2]


def did_you_mean(wanted: str, titles: Iterable[str], count: int = 3) -> list[str]:
    """The titles most like the one wanted, best first."""
    from rapidfuzz import fuzz, process

    close = process.extract(
        folded(wanted),
        titles,
        scorer=fuzz.ratio,
        processor=str.casefold,
        limit=count,
        score_cutoff=NEAR_ENOUGH,
    )
    return [title for title, _, _ in close]


def search_titles(store: Store, typed: str, limit: int) -> list[str]:
    """Titles like what is typed; without anything typed, the first that were added.

    The same title goes first, then those that begin so, then those with a word that begins so,
    then the others that hold it. If none does, titles that are written alike.
    """
    wanted = folded(typed)
    if not wanted or not is_valid(wanted):
        return list(islice(store.titles(), limit)) if not wanted else []
    if titles := store.titles_with(wanted, limit):
        return titles
    meant = store.resolve(typed)  # another name of a document
    close = did_you_mean(typed, store.titles(), limit)
    return list(dict.fromkeys([meant, *close] if meant else close))[:limit]


def wiki_title(written: str) -> str:
    """A title as MediaWiki writes it: no underscores, first letter upper-case.

    >>> wiki_title("rotterdam__ferry ")
    'Rotterdam ferry'
    """
    title = " ".join(written.replace("_", " ").split())
    first = title[:1].upper()
    # "ß" and the like would become two letters; MediaWiki leaves them.
    return first + title[1:] if len(first) == 1 else title


def split_fragment(written: str) -> tuple[str, str]:
    """A link's target and its fragment, the part of the page that it points to.

    >>> split_fragment("Ferry#Old_boats")
    ('Ferry', 'Old boats')
    """
    target, _, fragment = written.partition("#")
    return target, " ".join(unquote(fragment).replace("_", " ").split())


def title_of_path(name: str) -> str:
    """The title that a page's file name stands for: ``wp/f/Old_ferry.htm`` is ``Old ferry``.

    Some offline wikis keep the quoting of the address in the file name. A page called ``index``,
    ``_index`` or ``README`` is the page of its folder.
    """
    folder, _, base = name.rpartition("/")
    stem = splitext(base)[0] if not base.startswith(".") else base
    if stem.casefold() in FOLDER_PAGES and folder:
        stem = folder.rpartition("/")[2]
    return " ".join(unquote(stem).replace("_", " ").split()) or stem


def words_of(name: str) -> str:
    """The words of a label, a file or a substitution whose own text stands somewhere else.

    >>> words_of("files/using_old-boats"), words_of("sail.rst.inc")
    ('using old boats', 'sail')
    """
    title = title_of_path(name.strip().strip("/").removesuffix(".inc"))
    return title if " " in name.strip() else re.sub(r"[-_]+", " ", title).strip() or title
