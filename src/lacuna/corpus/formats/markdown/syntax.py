"""The Markdown that is understood: CommonMark, and what people write beyond it."""

from __future__ import annotations

from functools import cache

from markdown_it import MarkdownIt
from markdown_it.rules_block import StateBlock
from markdown_it.rules_block.html_block import html_block
from mdit_py_plugins.deflist import deflist_plugin
from mdit_py_plugins.footnote import footnote_plugin

from lacuna.corpus.formats.markdown.inline_rules import add_inline_rules

DEEPEST = 60
"""Of lists and quotes inside each other."""


@cache
def markdown_parser(*, mdx: bool = False) -> MarkdownIt:
    """A parser, which is costly to make; in MDX, indented text is no code."""
    parser = MarkdownIt("commonmark", {"maxNesting": DEEPEST}).enable(["table", "strikethrough"])
    parser.use(deflist_plugin)
    # Its rule for marks reads on to the end of the text at each "[^"; we have our own.
    parser.use(footnote_plugin, inline=False, move_to_end=False).disable("footnote_ref")
    add_inline_rules(parser, mdx=mdx)
    parser.block.ruler.at("html_block", _html_block, {"alt": ["paragraph", "reference", "blockquote"]})
    parser.block.ruler.before(
        "fence", "math_block", _math_block, {"alt": ["paragraph", "reference", "blockquote", "list"]}
    )
    if mdx:
        parser.disable("code")
    # Links stay as they are written, and one that no browser would open is still none of the text.
    parser.normalizeLink = _as_written  # type: ignore[method-assign]
    parser.validateLink = _always  # type: ignore[method-assign]
    return parser


def _as_written(url: str) -> str:
    return url


def _always(url: str) -> bool:
    return True


def _html_block(state: StateBlock, start: int, end: int, silent: bool) -> bool:
    """HTML; a component, ``<Tabs>``, is none: what stands in it is Markdown."""
    at = state.bMarks[start] + state.tShift[start]
    name = state.src[at : at + 3].lstrip("</")
    return not name[:1].isupper() and html_block(state, start, end, silent)


def _math_block(state: StateBlock, start: int, end: int, silent: bool) -> bool:
    """A formula between lines with ``$$``."""
    at = state.bMarks[start] + state.tShift[start]
    if not state.src.startswith("$$", at) or state.is_code_block(start):
        return False
    last = start
    if "$$" not in state.src[at + 2 : state.eMarks[start]]:
        last = next((line for line in range(start + 1, end) if _has_math_mark(state, line)), -1)
    elif not state.src[at : state.eMarks[start]].rstrip().endswith("$$"):
        return False  # text goes on after it
    if last < 0:
        return False
    if not silent:
        state.line = last + 1
        token = state.push("math_block", "", 0)
        token.content = state.getLines(start, last + 1, state.blkIndent, False)
        token.map = [start, last + 1]
    return True


def _has_math_mark(state: StateBlock, line: int) -> bool:
    return "$$" in state.src[state.bMarks[line] : state.eMarks[line]]
