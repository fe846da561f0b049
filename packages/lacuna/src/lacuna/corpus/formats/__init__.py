"""Document formats: each finds documents, redirects and skipped pages, one at a time.

>>> from lacuna import demo
>>> next(open_source(demo.ARTICLES)).title
'Agnes Penhale'
"""

from lacuna.corpus.formats.base import DocumentFormat, all_formats, format_names, get_format
from lacuna.corpus.formats.detect import open_source
from lacuna.corpus.store import Redirect, Skipped, SourceItem

__all__ = [
    "DocumentFormat",
    "Redirect",
    "Skipped",
    "SourceItem",
    "all_formats",
    "format_names",
    "get_format",
    "open_source",
]
