"""Habits of note-taking programs and site generators, made CommonMark line by line."""

from __future__ import annotations

import re
from collections.abc import Iterator

from lacuna.corpus.formats.markdown_syntax import (
    ADMONITIONS,
    RAW,
    TEMPLATE,
    attributes,
    link_target,
)

KIND_ALONE = "\x1f"
"""Ends a line that has nothing but the kind of a note."""
CALLOUT = re.compile(r"(\s*+(?:>\s*+)+)\[!([\w-]+)[^\[\]]*\][+-]?\s*+(.*)$")
ADMONITION = re.compile(
    r"""(\s*+)(?:!!!|\?\?\?\+?|===[!+]?)(?:[ ]+|$)((?:[A-Za-z][\w-]*[ ]*)*+)"""
    r"""(?:"([^"]*)"|'([^']*)')?\s*+$"""
)
CONTAINER = re.compile(
    r"\s*+:{3,}+\s*+\{?([A-Za-z][\w-]*)?\}?(?:\[([^\[\]]*)\])?([^\[\]{}:]*+)(?:\{([^{}]*)\})?\s*+$"
)
CLASS = re.compile(r"\.(?:callout-)?([\w-]+)")
DIRECTIVE = re.compile(rf"(?:mdx-code-block|\{{({'|'.join(sorted(ADMONITIONS))})\}})(.*)$")


def callout_lines(line: str) -> list[str]:
    """Obsidian's and GitHub's ``> [!note] Title``."""
    found = CALLOUT.match(line)
    return list(_titled(found[1], found[2], found[3])) if found else []


def admonition_lines(line: str, below: str, *, in_list: bool) -> list[str]:
    """MkDocs' ``!!! note "Title"`` and ``=== "Tab"``, whose text below is indented."""
    found = ADMONITION.match(line)
    if not found or (below.strip() and below[0] not in " \t"):
        return []
    if len(found[1]) > 3 and not in_list:  # code that shows one
        return []
    words = found[2].split()
    titled = list(_titled(found[1], words[0] if words else "", found[3] or found[4] or ""))
    return ["", *titled] if titled else []


def container_lines(line: str) -> list[str]:
    """Docusaurus' ``:::note Title``, Quarto's ``::: {.callout-note}``, and what ends them."""
    found = CONTAINER.match(line) if ":::" in line else None
    if not found:
        return []
    given = found[4] or ""
    marked = CLASS.match(given)
    name = found[1] or (marked[1] if marked else "")
    title = found[2] or found[3].strip() or attributes(given).get("title", "")
    return ["", *_titled("", name if name.lower() in ADMONITIONS else "", title)]


def directive_lines(info: str) -> list[str]:
    """MyST's fence with ``{note} Title``, and other fences around what is no code."""
    found = DIRECTIVE.match(info)
    if not found:
        return []
    name = found[1] or ""
    return ["", *_titled("", "" if name == "admonition" else name, found[2].strip())]


def _titled(before: str, name: str, title: str) -> Iterator[str]:
    """The title on a line of its own; without one, the kind begins the text."""
    name = name.capitalize()
    if title:
        yield before + (f"{name}: {title}" if name.lower() not in title.lower() else title)
        yield before.rstrip()
    elif name:
        yield f"{before}{name}{KIND_ALONE}"


# Habits of note-taking programs and site generators, made CommonMark line by line.
#
# Every line keeps the number that it has in the file; what stands in a code fence stays as it is.


FENCE = re.compile(r"[\s>]*+(?:(?:[-*+]|\d{1,9}[.)])\s++)*+(`{3,}+|~{3,}+)([^`]*+)$")
LIST_ITEM = re.compile(r"\s*+(?:[-*+]|\d{1,9}[.)])\s")
CODE_BEGINS = re.compile(
    r"\s*+(?:\{%-?\s*(highlight)\b[^{}]*%\}|\{\{[<%]\s*(highlight|code[\w-]*)\b[^{}]*[^{}/][>%]\}\})\s*$"
)
CODE_ENDS = re.compile(
    r"\s*+(?:\{%-?\s*end(highlight)\s*-?%\}|\{\{[<%]\s*/\s*(highlight|code[\w-]*)\s*[>%]\}\})\s*$"
)
IMPORT = re.compile(
    r"import\s[^'\"]*from\s+['\"][^'\"]+['\"];?\s*$|import\s+['\"][^'\"]+['\"];?\s*$"
)
EXPORT = re.compile(
    r"export\s+(?:(?:const|let|var|function|class)\s+\w+\s*[=({]|default\s+(?:function|class|\w+;$|[({]))"
)
LONGEST_EXPORT = 60
OWN_FENCE = "~" * 20
INCLUDED = re.compile(r"\s*+\{\{#\w+[^{}]*\}\}\s*$")
CONTENTS = re.compile(
    r"\s*+(?:\[toc\]|\[\[_?toc_?\]\]|\{\{\s*toc\s*\}\}|\$\{toc\})\s*$", re.IGNORECASE
)
CONTENTS_ITEM = re.compile(r"\s*+(?:[-*+]|1\.)\s.{0,60}$")
CONTENTS_MARK = re.compile(r"\s*+\{:\s*toc\b[^{}]*\}\s*$", re.IGNORECASE)
TARGET = re.compile(
    r"""(\]\([ ]*<?|^[ ]{0,3}\[[^\[\]\n]{1,200}\]:[ ]*<?|\bhref=["'])"""
    r"""((?:[^\s()<>{}"']|\{\{[^{}]*+\}\}|\{%[^{}]*+\})++)"""
)

Line = tuple[int, str]


def prepare(text: str, first: int = 1) -> tuple[str, list[int]]:
    """The text as CommonMark, and the number of each of its lines in the file."""
    lines = list(_joined(_prepared(text.replace(KIND_ALONE, " ").split("\n"), first)))
    return "\n".join(line for _, line in lines), [number for number, _ in lines]


def _joined(lines: Iterator[Line]) -> Iterator[Line]:
    """The kind of a note without a title, ``Tip:``, stands with the text below it."""
    begins = False
    for number, line in lines:
        if begins and not line.strip():
            continue
        begins = line.endswith(KIND_ALONE)
        yield number, line.removesuffix(KIND_ALONE) + ":" * begins


def _prepared(lines: list[str], first: int) -> Iterator[Line]:
    fence = unwrapped = ""
    indents: list[int] = []  # of the admonitions around
    in_list = False
    skip_to = 0
    code_ends = {name for line in lines if (end := CODE_ENDS.match(line)) for name in end.groups()}
    comments = _Comments(lines)
    for at, whole in enumerate(lines):
        number = first + at
        if at < skip_to:
            continue
        indent = _indent(whole)
        while indents and whole.strip() and indent < indents[-1] + 4:
            indents.pop()
            yield number, ""
        line = _dedented(whole, 4 * len(indents)) if indents else whole
        if fence:
            if _closes(fence, line):
                line = OWN_FENCE if fence == "{" else line
                fence = ""
            if not INCLUDED.match(line):
                yield number, RAW.sub("", line)
            continue
        if unwrapped and _closes(unwrapped, line):
            unwrapped = ""
            yield number, ""
            continue
        if opened := FENCE.match(line):
            if directive := directive_lines(opened[2]):
                unwrapped = opened[1]
                yield from ((number, shown) for shown in directive)
            else:
                fence = opened[1]
                yield number, line
            continue
        if (begins := CODE_BEGINS.match(line)) and (begins[1] or begins[2]) in code_ends:
            fence = "{"
            yield number, OWN_FENCE
            continue
        if line.strip():
            in_list = bool(LIST_ITEM.match(line)) or (in_list and _indent(line) > 0)
        if skip_to := comments.end(at):
            continue
        if skip_to := _end_of_code(lines, at):
            continue
        below = lines[at + 1] if at + 1 < len(lines) else ""
        if admonition := admonition_lines(line, below, in_list=in_list):
            indents.append(indent)
            yield from ((number, shown) for shown in admonition)
        else:
            yield from ((number, shown) for shown in _shown_line(line, below))


def _shown_line(line: str, below: str) -> list[str]:
    if titled := callout_lines(line) or container_lines(line):
        return titled
    is_contents = CONTENTS.match(line) or CONTENTS_MARK.match(line)
    if is_contents or (CONTENTS_MARK.match(below) and CONTENTS_ITEM.match(line)):
        return [""]
    if "{{" in line or "{%" in line:
        return [TARGET.sub(_filled_in, line)]
    return [line]


def _filled_in(target: re.Match[str]) -> str:
    if "{" not in target[2]:
        return target[0]
    filled = TEMPLATE.sub(lambda found: link_target(found[0]), target[2])
    return target[1] + filled.replace(" ", "%20")


def _end_of_code(lines: list[str], at: int) -> int:
    """The end of the lines of a module that MDX imports or exports; 0 if none begin here."""
    if IMPORT.match(lines[at]):
        return at + 1
    if not EXPORT.match(lines[at]):
        return 0
    depth = 0
    for end in range(at, min(len(lines), at + LONGEST_EXPORT)):
        depth += sum(lines[end].count(c) for c in "{([") - sum(lines[end].count(c) for c in "})]")
        if depth <= 0 and (end + 1 == len(lines) or not lines[end + 1].strip()):
            return end + 1
    return at + 1


class _Comments:
    """Obsidian's comments that begin a line with ``%%`` and go on over several."""

    def __init__(self, lines: list[str]) -> None:
        self._lines = lines
        self._last = max((at for at, line in enumerate(lines) if "%%" in line), default=-1)

    def end(self, at: int) -> int:
        line = self._lines[at]
        if not line.startswith("%%") or "%%" in line[2:]:
            return 0
        for end in range(at + 1, self._last + 1):
            if "%%" in self._lines[end]:
                return end + 1
        return 0


def _closes(fence: str, line: str) -> bool:
    if fence == "{":
        return bool(CODE_ENDS.match(line))
    mark = line.strip(" \t>")
    return len(mark) >= len(fence) and not mark.strip(fence[0])


def _indent(line: str) -> int:
    space = line[: len(line) - len(line.lstrip())]
    return len(space.expandtabs(4))


def _dedented(line: str, columns: int) -> str:
    stripped = line.lstrip()
    return " " * max(0, _indent(line) - columns) + stripped
