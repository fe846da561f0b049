"""The Markdown that is understood: CommonMark, and what people write beyond it."""

from __future__ import annotations

from functools import cache, partial

from markdown_it import MarkdownIt
from markdown_it.parser_block import RuleFuncBlockType
from markdown_it.ruler import RuleOptionsType
from markdown_it.rules_block import StateBlock
from markdown_it.rules_block.html_block import html_block
from markdown_it.rules_core import StateCore
from mdit_py_plugins.deflist import deflist_plugin
from mdit_py_plugins.footnote import footnote_plugin

from lacuna.corpus.formats.markdown.inline_rules import add_inline_rules

DEEPEST_BLOCKS = 60
"""Of lists and quotes inside each other."""
NESTING = frozenset(("list", "blockquote", "deflist", "footnote_def"))
NESTS_BY = 3
"""Levels that one of these may add."""
DEEPEST_BRACKETS = 10
"""Of links and pictures inside each other: each level is looked through again by the one above."""
CAN_INTERRUPT: RuleOptionsType = {"alt": ["paragraph", "reference", "blockquote", "list"]}


@cache
def markdown_parser(*, mdx: bool = False) -> MarkdownIt:
    """A parser, which is costly to make; in MDX, indented text is no code."""
    parser = MarkdownIt("commonmark", {"maxNesting": DEEPEST_BLOCKS}).enable("table")
    parser.use(deflist_plugin).use(footnote_plugin, inline=False, move_to_end=False)
    parser.block.ruler.at("html_block", _html_block, CAN_INTERRUPT)
    parser.block.ruler.before("fence", "math_block", _math_block, CAN_INTERRUPT)
    for rule in parser.block.ruler.__rules__:
        if rule.name in NESTING:
            rule.fn = partial(_unless_deep, rule.fn)
    if mdx:
        parser.disable("code")
    parser.core.ruler.at("inline", partial(_parse_inline, _inline_parser(mdx=mdx)))
    return parser


def _unless_deep(
    rule: RuleFuncBlockType, state: StateBlock, start: int, end: int, silent: bool
) -> bool:
    """What would nest too deeply is a paragraph; the parser would drop all that follows it."""
    return state.level < DEEPEST_BLOCKS - NESTS_BY and rule(state, start, end, silent)


def _inline_parser(*, mdx: bool) -> MarkdownIt:
    parser = MarkdownIt("commonmark", {"maxNesting": DEEPEST_BRACKETS}).enable("strikethrough")
    add_inline_rules(parser, mdx=mdx)
    # Links stay as they are written, and one that no browser would open is still none of the text.
    parser.normalizeLink = _as_written  # type: ignore[method-assign]
    parser.validateLink = _always  # type: ignore[method-assign]
    return parser


def _parse_inline(parser: MarkdownIt, state: StateCore) -> None:
    for token in state.tokens:
        if token.type == "inline":
            token.children = []
            parser.inline.parse(token.content, parser, state.env, token.children)


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
