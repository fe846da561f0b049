"""How titles and page names are brought into one form."""

from __future__ import annotations

from posixpath import splitext
from urllib.parse import unquote


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

    Some offline wikis keep the quoting of the address in the file name. A page called ``index``
    is the page of its folder.
    """
    folder, _, base = name.rpartition("/")
    stem = splitext(base)[0] if not base.startswith(".") else base
    if stem.casefold() == "index" and folder:
        stem = folder.rpartition("/")[2]
    return " ".join(unquote(stem).replace("_", " ").split()) or stem
