"""What stands in running text beyond CommonMark, each as a rule of markdown-it."""

from __future__ import annotations

import re

from markdown_it import MarkdownIt
from markdown_it.rules_inline import StateInline
from markdown_it.token import Token

from lacuna.corpus.formats.markdown.tags import tag_at
from lacuna.corpus.formats.markdown.templates import TEMPLATE, template_words

# Each pattern stops where the next of its kind begins, so that a page of openings without an end
# takes time in proportion to its length.
WIKI_LINK = re.compile(r"(!?)\[\[([^\[\]|\n]+)(?:\|([^\[\]\n]*))?\]\](?!\()")
NOTE_MARK = re.compile(r"\[\^[^\[\]\s]+\]")
INLINE_NOTE = re.compile(r"\^\[((?:[^\[\]]|\[[^\[\]]*+\])++)\]")
MATH = re.compile(r"\$\$[^$]++\$\$|\$(?=[^\s$])[^$\n]*+\$(?!\d)")
LOOKS_LIKE_MATH = re.compile(r"[\\^_{}*]")
ATTRIBUTES = re.compile(
    r"\{:[^{}\n]*+\}|\{[#.][\w.:-]+(?:\s[^{}\n]*+)?\}(?=\s*+$)|(?<=\))\{[\w-]+=[^{}\n]*+\}",
    re.MULTILINE,
)
MDX_COMMENT = re.compile(r"\{/\*[^{}]*+\}")
MDX_TEXT = re.compile(r"""\{\s*(?:"([^"{}\n]*)"|'([^'{}\n]*)'|`([^`{}\n]*)`)\s*\}""")
MDX_VALUE = re.compile(r"\{[\w.]+\}")
NOTE_COMMENT = re.compile(r"%%[^%]++%%")
BEGIN_OF_RAW = re.compile(r"\{%-?\s*raw\s*-?%\}")
END_OF_RAW = re.compile(r"\{%-?\s*endraw\s*-?%\}")
LONGEST_RAW = 2000
NEAR = 100
"""Characters on either side of a tag that tell whether it has a line of its own."""


def add_inline_rules(parser: MarkdownIt, *, mdx: bool) -> None:
    """Make a parser know them; ``mdx`` adds what only MDX has."""
    ruler = parser.inline.ruler
    ruler.before("escape", "math", _math)
    ruler.before("link", "wiki_link", _wiki_link)
    ruler.before("link", "note_mark", _note_mark)
    ruler.before("link", "inline_note", _inline_note)
    ruler.before("link", "template", _template)
    ruler.before("link", "braces", _braces_of_mdx if mdx else _braces)
    ruler.before("link", "note_comment", _note_comment)
    ruler.at("html_inline", _tag)


def _push(state: StateInline, silent: bool, kind: str, content: str, end: int) -> bool:
    if not silent:
        state.push(kind, "", 0).content = content
    state.pos = end
    return True


def _math(state: StateInline, silent: bool) -> bool:
    """Formulas stay as they are written; what only has prices in it is no formula."""
    if state.src[state.pos] != "$" or not (math := MATH.match(state.src, state.pos)):
        return False
    if not LOOKS_LIKE_MATH.search(math[0]) or "](" in math[0] or math[0][-2].isspace():
        return False
    return _push(state, silent, "text", math[0], math.end())


def _wiki_link(state: StateInline, silent: bool) -> bool:
    """``[[target#heading|shown]]``, and ``![[…]]``, which shows the target here.

    ``[[1]](path)`` is a link with brackets in its words.
    """
    if state.src[state.pos] not in "[!" or not (link := WIKI_LINK.match(state.src, state.pos)):
        return False
    if not silent:
        token = state.push("wiki_embed" if link[1] else "wiki_link", "", 0)
        token.content = link[2].strip()
        token.info = (link[3] or "").strip()
    state.pos = link.end()
    return True


def _note_mark(state: StateInline, silent: bool) -> bool:
    """The mark of a footnote vanishes; its text stands where the note was written."""
    mark = NOTE_MARK.match(state.src, state.pos) if state.src[state.pos] == "[" else None
    notes = state.env.get("footnotes", {}).get("refs", {})
    if mark is None or ":" + mark[0][2:-1] not in notes:
        return False
    state.pos = mark.end()
    return True


def _inline_note(state: StateInline, silent: bool) -> bool:
    """``^[a note]`` is read in brackets."""
    if state.src[state.pos] != "^" or not (note := INLINE_NOTE.match(state.src, state.pos)):
        return False
    if not silent:
        state.push("text", "", 0).content = " ("
        words: list[Token] = []
        state.md.inline.parse(note[1], state.md, state.env, words)
        state.tokens += words
        state.push("text", "", 0).content = ")"
    state.pos = note.end()
    return True


def _template(state: StateInline, silent: bool) -> bool:
    if state.src[state.pos] != "{" or not (template := TEMPLATE.match(state.src, state.pos)):
        return False
    if BEGIN_OF_RAW.fullmatch(template[0]):
        end = END_OF_RAW.search(state.src, template.end(), template.end() + LONGEST_RAW)
        if end:
            return _push(state, silent, "text", state.src[template.end() : end.start()], end.end())
    words = template_words(template[0])
    if words is None:
        return False
    return _push(state, silent, "text", words, template.end())


def _braces(state: StateInline, silent: bool) -> bool:
    """Attributes of what stands before them, and comments."""
    if state.src[state.pos] != "{":
        return False
    if found := ATTRIBUTES.match(state.src, state.pos):
        return _push(state, silent, "attributes", found[0], found.end())
    comment = MDX_COMMENT.match(state.src, state.pos)
    if comment and comment[0].endswith("*/}"):
        state.pos = comment.end()
        return True
    return False


def _braces_of_mdx(state: StateInline, silent: bool) -> bool:
    if _braces(state, silent):
        return True
    if state.src[state.pos] != "{":
        return False
    if text := MDX_TEXT.match(state.src, state.pos):
        return _push(state, silent, "text", text[1] or text[2] or text[3] or "", text.end())
    if value := MDX_VALUE.match(state.src, state.pos):
        state.pos = value.end()
        return True
    return False


def _note_comment(state: StateInline, silent: bool) -> bool:
    """``%%what Obsidian does not show%%``."""
    if state.src[state.pos] != "%" or not (found := NOTE_COMMENT.match(state.src, state.pos)):
        return False
    state.pos = found.end()
    return True


def _tag(state: StateInline, silent: bool) -> bool:
    if state.src[state.pos] != "<" or not (end := tag_at(state.src, state.pos)):
        return False
    if not silent:
        token = state.push("html_inline", "", 0)
        token.content = state.src[state.pos : end]
        before = state.src[max(0, state.pos - NEAR) : state.pos].rpartition("\n")[2]
        after = state.src[end : end + NEAR].partition("\n")[0]
        token.meta = {"alone": not before.strip() and not after.strip()}
    state.pos = end
    return True
