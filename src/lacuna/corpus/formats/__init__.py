"""One reader per source format; each gives documents, redirects and skips, one at a time.

>>> from pathlib import Path
>>> for found in open_source(Path("notes")):  # doctest: +SKIP
...     print(found)
"""

from lacuna.corpus.formats.detect import FORMATS, detect_format, open_pages, open_source

__all__ = ["FORMATS", "detect_format", "open_pages", "open_source"]
