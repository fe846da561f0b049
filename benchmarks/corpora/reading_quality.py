"""How well documents are read: markup left in the text, links, titles, and quotes that are found.

The collections are those of LACUNA_REAL and of the folder ``strangers`` in LACUNA_DATA. Code is not
looked through for markup: what looks like some there is meant. A quote counts as found where it
stands in the text of its file with white space folded; that its words stand there, whatever is
between the cells of a table, is counted beside it.
"""

from __future__ import annotations

import gzip
import json
import re
import tempfile
from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path, PurePosixPath

from benchmarks.corpora.collections import real_folder, unpacked
from benchmarks.data import data_folder
from benchmarks.registry import command
from benchmarks.retrieval.evidence_match import EvidenceSentence
from lacuna.corpus.formats.base import page_suffixes
from lacuna.corpus.formats.detect import detect_source
from lacuna.corpus.page import Page
from lacuna.corpus.page_links import PageName, PageNames, count_links, resolve_all
from lacuna.corpus.store import Skipped
from lacuna.corpus.titles import title_of_path
from lacuna.types import Document, MarkupKind

TAGS = """
a abbr b br center code dd details div dl dt em figure font h1 h2 h3 h4 h5 h6 hr i iframe img kbd li
ol p pre section small source span strong sub summary sup svg table tbody td th thead tr u ul video
"""
PATTERNS = {
    "template": r"\{\{[^{}]*\}\}|\{%[^{}]*%\}|\bAUTOTITLE\b",
    "attributes": r"\{:[^{}\n]*\}|\{ ?[#.][A-Za-z][\w.:-]*[^{}\n]*\}",
    "icon": r":(?:material|fontawesome|octicons|simple|fa)-[\w-]+:",
    "mark": r"(?<![=\w])==\w[^=\n]*==(?![=\w])",
    "link": r"!?\[[^\[\]\n]*\]\([^()\s]*\)|\[[^\[\]\n]+\]\[[^\[\]\n]*\]|^\[[^\[\]\n]+\]: \S+$",
    "tag": rf"</?(?:{'|'.join(TAGS.split())})(?:\s[^<>]*)?/?>",
    "component": r"<[A-Z]\w*(?:\s[^<>]*)?/>|</[A-Z]\w*>|\{/\*|^(?:im|ex)port .* from ['\"]",
    "entity": r"&(?:amp|lt|gt|nbsp|quot|apos|[mn]dash|#\d+|#x[0-9a-f]+);",
    "role": r"\{[a-z:]+\}`|:[a-z:-]+:`[^`\n]+`|``[^`\n]+``|^:(?:alt|width|height|class|align):",
    "directive": r"^\.\. [\w:|-]+::|\b(?:include|image|xref|link)::?\S+\[|^\[source\b|,width=",
    "fence": r"^(?:```|~~~|----$|====$|:::)",
    "table": r"^\|.*\|$|:?-{3,}:?\s*\|\s*:?-{3,}|^\|===",
    "heading": r"^#{2,6}\S|^#{2,6} ",
    "strong": r"\*\*\S[^*\n]*\*\*|(?<!\w)__\S[^_\n]*__(?!\w)",
    "diagram": r"^(?:graph (?:TD|TB|LR|RL|BT)|flowchart|sequenceDiagram|gantt|@startuml)\b",
    "message": r"Duplicate (?:im|ex)plicit target|Unknown (?:directive type|interpreted text)",
    "control": "[\x00-\x08\x0b\x0c\x0e-\x1f]",
    "hole": r"(?<![\w.$@\]])(?:\(\)|\[\])|, , | \.$",
}
MARKUP = {name: re.compile(pattern, re.MULTILINE) for name, pattern in PATTERNS.items()}
IN_CODE_TOO = ("diagram",)
CODE = (MarkupKind.CODE, MarkupKind.INLINE_CODE)
STANDS_FOR_CODE = "0"
STRANGERS = "strangers"
QUESTIONS = ".questions.jsonl.gz"
SHOWN = 3


@dataclass
class Quality:
    """What was counted in one collection."""

    pages: int = 0
    words: int = 0
    markup: Counter[str] = field(default_factory=Counter)
    inside: int = 0
    resolved: int = 0
    stems: int = 0
    quotes: int = 0
    lost: list[tuple[str, str]] = field(default_factory=list)
    without_words: int = 0

    def row(self, name: str) -> str:
        """A row of the table."""
        most = ", ".join(f"{kind} {count}" for kind, count in self.markup.most_common(SHOWN))
        cells = (
            name,
            f"{self.pages:,}",
            f"{10_000 * self.markup.total() / max(1, self.words):.1f}",
            share(self.resolved, self.inside),
            share(self.pages - self.stems, self.pages),
            share(self.quotes - len(self.lost), self.quotes),
            share(self.quotes - self.without_words, self.quotes),
            most or "–",
        )
        return f"| {' | '.join(cells)} |"


def main(arguments: Sequence[str]) -> None:
    """Print a row for each collection."""
    parser = command("reading-quality", __doc__)
    parser.add_argument("names", nargs="*", help="of collections; all unless some are named")
    parser.add_argument("--lost", type=Path, help="write the quotes that were not found here")
    options = parser.parse_args(arguments)
    print(
        "| collection | pages | markup per 10,000 words | links into the folder resolved "
        "| titles that are no file stem | quotes found | their words found | markup most often |"
    )
    print("|---|" + "---:|" * 6 + "---|")
    lost = []
    with tempfile.TemporaryDirectory() as scratch:
        for archives in (real_folder(), data_folder() / STRANGERS):
            for name, folder in unpacked(archives, Path(scratch), options.names):
                quality = measured(folder, list(quotes(archives, name)))
                print(quality.row(name), flush=True)
                lost += [f"{name}\t{file}\t{quote}\n" for file, quote in quality.lost]
    if options.lost:
        options.lost.write_text("".join(lost), encoding="utf-8")


def quotes(archives: Path, name: str) -> Iterator[tuple[str, str]]:
    """The quotes that answer the questions over a collection, each with its file."""
    if (path := archives / f"{name}{QUESTIONS}").exists():
        with gzip.open(path, "rt", encoding="utf-8") as lines:
            for line in lines:
                for piece in json.loads(line)["evidence"]:
                    yield piece["file"], piece["quote"]
    else:
        for question in json.loads((archives / "questions.json").read_text("utf-8")):
            if question["corpus"] == name:
                for piece in question["evidence"]:
                    yield piece["file"], piece["sentence"]


def measured(folder: Path, wanted: Sequence[tuple[str, str]]) -> Quality:
    """Read a collection as the product does, and count."""
    inner = list(folder.iterdir())
    pages = list(read(inner[0] if len(inner) == 1 else folder))
    quality = Quality(len(pages), quotes=len(wanted))
    names = PageNames(map(PageName.of, pages), suffixes=page_suffixes())
    texts: defaultdict[str, str] = defaultdict(str)
    for page in pages:
        texts[page.file] += f" {page.document.title} {page.document.text}"
        if page.leads_to:
            continue
        prose = without_code(page.document)
        quality.words += len(prose.split())
        quality.stems += is_stem(page)
        for kind, pattern in MARKUP.items():
            looked_at = page.document.text if kind in IN_CODE_TOO else prose
            found = len(pattern.findall(f"{page.document.title}\n{looked_at}"))
            quality.markup.update({kind: found} if found else {})
        counts = count_links(resolve_all(PageName.of(page), page.links, names))
        quality.resolved += counts.resolved
        quality.inside += counts.resolved + counts.missing
    folded = {file: " ".join(text.split()) for file, text in texts.items()}
    quality.lost = [
        (file, quote)
        for file, quote in wanted
        if " ".join(quote.split()) not in folded.get(file, "")
    ]
    quality.without_words = sum(
        not EvidenceSentence(quote).is_in(texts.get(file, "")) for file, quote in quality.lost
    )
    return quality


def read(folder: Path) -> Iterator[Page]:
    """Every page of a folder."""
    source = detect_source(folder)
    for file in source.files():
        entry = file if isinstance(file, Skipped) else source.load(file)
        if not isinstance(entry, Skipped):
            yield from (item for item in source.begin(entry).items() if isinstance(item, Page))


def without_code(document: Document) -> str:
    """The text with a digit for each stretch of code."""
    pieces, end = [], 0
    for mark in document.markup:
        if mark.kind in CODE and mark.start >= end:
            pieces += [document.text[end : mark.start], STANDS_FOR_CODE]
            end = mark.end
    return "".join([*pieces, document.text[end:]])


def is_stem(page: Page) -> bool:
    """Tell if a page is called as its file is, in the way of files: ``web-forms-intro``."""
    title, stem = page.document.title.strip(), PurePosixPath(page.file).stem
    is_written_so = title == title.lower() or "-" in title or "_" in title
    return title in (stem, title_of_path(page.file)) and is_written_so


def share(part: int, whole: int) -> str:
    """A part of a whole in per cent."""
    return f"{100 * part / whole:.1f} %" if whole else "–"
