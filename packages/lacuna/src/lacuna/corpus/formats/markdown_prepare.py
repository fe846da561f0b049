"""Habits of note-taking programs and site generators, made CommonMark line by line."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping

from lacuna.corpus.formats.front_matter import name_in_words
from lacuna.corpus.formats.markdown_templates import (
    ADMONITIONS,
    NO_VARIABLES,
    RAW,
    TEMPLATE,
    attributes,
    link_target,
    value_of,
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
SLASHED = re.compile(r"\s*+/{3,}+(?:\s+([a-z][\w-]*)(?:\s*\|\s*(.*))?)?\s*+$")
CLASS = re.compile(r"\.(?:callout-)?([\w-]+)")
DIRECTIVE = re.compile(
    rf"(?:mdx-code-block|\{{({'|'.join(sorted(ADMONITIONS))}|glossary|figure|image)\}})(.*)$"
)
NAMELESS = ("admonition", "glossary", "figure", "image")
"""Directives whose kind their reader does not see."""
OPTION = re.compile(r"\s*+:([a-z-]+):(?:\s+(.*))?$")
SHOWN_OPTIONS = ("alt", "caption", "title")
DIAGRAM = re.compile(
    r"\s*\{?(?:mermaid|plantuml|puml|uml|graphviz|dot|d2|ditaa|kroki|vega(?:-lite)?|nomnoml|svgbob|"
    r"(?:block|seq|act|nw)diag|flowchart|sequence|wavedrom|geojson|topojson|toctree|contents|"
    r"tableofcontents)\b"
)
"""Fences around the source of a drawing, or around what only makes a menu."""


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


def slashed_lines(line: str) -> list[str]:
    """PyMdown's ``/// note | Title``, and what ends it."""
    found = SLASHED.match(line)
    if not found:
        return []
    name, title = found[1] or "", (found[2] or "").strip()
    return ["", *_titled("", name if name.lower() in ADMONITIONS else "", title)]


def directive_lines(info: str) -> list[str]:
    """MyST's fence with ``{note} Title``, and other fences around what is no code."""
    found = DIRECTIVE.match(info)
    if not found:
        return []
    name = found[1] or ""
    if name in ("figure", "image"):
        return [""]
    return ["", *_titled("", "" if name in NAMELESS else name, found[2].strip())]


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
    r"\s*+(?:\{%-?\s*(highlight)\b[^{}]*%\}|\{\{[<%]\s*(highlight|(?:[\w-]+-)?(?:code|example)[\w-]*)\b[^{}]*[^{}/][>%]\}\})\s*$"
)
CODE_ENDS = re.compile(
    r"\s*+(?:\{%-?\s*end(highlight)\s*-?%\}|\{\{[<%]\s*/\s*(highlight|(?:[\w-]+-)?(?:code|example)[\w-]*)\s*[>%]\}\})\s*$"
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

TIGHT_HEADING = re.compile(r"( {0,3}#{2,6})([^#\s].*)$")
AROUND_MARKDOWN = re.compile(
    r"(\s*+(?:<[^<>]*>\s*+)*?<[a-z][\w-]*\b[^<>]*\smarkdown(?:=[\"']?\w+[\"']?)?(?:\s[^<>]*)?>)(.*)$"
)
"""A line with a tag whose inside is Markdown all the same."""
DETAILS = re.compile(r"\s*+(?:<details\b[^<>]*>\s*)?(?:<summary\b[^<>]*>[^<>]*</summary>\s*)?$")
CLOSING = re.compile(r"\s*+(?:</(?:div|details|summary|section|figure|aside|article)>\s*)+$")
ROW = re.compile(r"\s{0,3}\|.*\|\s*$")
DELIMITERS = re.compile(r"\s{0,3}\|?\s*:?-+:?\s*(?:\|\s*:?-+:?\s*)*\|?\s*$")
PIPE = re.compile(r"(?<!\\)\|")
CODE_WITH_PIPE = re.compile(r"(?<!`)(`++)(?!`)([^`|]*+\|[^`]*+)\1(?!`)")

SPACED_TARGET = re.compile(r"(\]\()(?!<)([^()<>\"'\s]*+[ <][^()\"'\n]*+)\)")
PICTURE_SIZE = re.compile(r" +=\d*%?x\d*%?$")
BRACKETED_ICON = re.compile(r" ?\(<\w*Icon\b[^<>]*/>\)")
COMPONENT_BEGINS = re.compile(r"\s*+<([A-Z][\w.]*)(?:\s[^<>]*)?(?<!/)>\s*+$")
COMPONENT_ENDS = re.compile(r"\s*+</([A-Z][\w.]*)>\s*+$")
INCLUDE = re.compile(r"import\s+(\w+)\s+from\s+['\"][^'\"]+\.mdx?['\"]")
COMPONENT_ALONE = re.compile(r"\s*+<([A-Z]\w*)\s*/>\s*+$")
HTML_ELEMENT = re.compile(r"<(/?)(?:table|div|center|section|details|figure)\b", re.IGNORECASE)

LONGEST_LINE = 20_000
"""Characters; nobody wrote a longer line by hand, and so none that needs to be mended."""

Line = tuple[int, str]


def prepare(
    text: str, first: int = 1, variables: Mapping[str, str] = NO_VARIABLES
) -> tuple[str, list[int]]:
    """The text as CommonMark, and the number of each of its lines in the file."""
    lines = _flattened(text.replace(KIND_ALONE, " ").split("\n"))
    whole = list(_with_tables(_joined(_prepared(lines, first, variables))))
    return "\n".join(line for _, line in whole), [number for number, _ in whole]


def _flattened(lines: list[str]) -> list[str]:
    """The lines without the indentation that tells what stands in a component, or in a table of
    HTML: none of it is code, and what is included from another file is called by its name."""
    ended = {ends[1] for line in lines if "</" in line and (ends := COMPONENT_ENDS.match(line))}
    included = {found[1] for line in lines if line[0:1] == "i" and (found := INCLUDE.match(line))}
    around: list[tuple[str, int]] = []  # components, and the columns that their lines begin with
    elements = 0
    fence = ""
    flat = []
    for line in lines:
        whole = line
        if around and line.strip():
            name, columns = around[-1]
            if columns < 0:
                around[-1] = name, columns = name, _indent(line)
            line = _dedented(line, min(columns, _indent(line)))
        if fence:
            fence = "" if _closes(fence, line) else fence
        elif opened := _fence(line):
            fence = opened[1]
        elif "<" not in line:
            elements *= not line.startswith("#")
        elif (begins := COMPONENT_BEGINS.match(line)) and begins[1] in ended:
            around.append((begins[1], -1))
            line = line.strip()
        elif around and (ends := COMPONENT_ENDS.match(whole)) and ends[1] == around[-1][0]:
            around.pop()
            line = whole.strip()
        elif (alone := COMPONENT_ALONE.match(line)) and alone[1] in included:
            line = name_in_words(alone[1]).capitalize()
        else:
            if elements and line.lstrip().startswith("<"):
                line = line.lstrip()
            if elements or _indent(line) < 4:
                tags = [found[1] for found in HTML_ELEMENT.finditer(line)]
                elements = max(0, elements + len(tags) - 2 * tags.count("/"))
        flat.append(line)
    return flat


def _fence(line: str) -> re.Match[str] | None:
    return FENCE.match(line) if "```" in line or "~~~" in line else None


def _joined(lines: Iterator[Line]) -> Iterator[Line]:
    """The kind of a note without a title, ``Tip:``, stands with the text below it."""
    begins = False
    for number, line in lines:
        if begins and not line.strip():
            continue
        begins = line.endswith(KIND_ALONE)
        yield number, line.removesuffix(KIND_ALONE) + ":" * begins


def _prepared(lines: list[str], first: int, variables: Mapping[str, str]) -> Iterator[Line]:
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
        if unwrapped and (option := OPTION.match(line)):
            yield number, option[2] or "" if option[1] in SHOWN_OPTIONS else ""
            continue
        if opened := _fence(line):
            is_diagram = DIAGRAM.match(opened[2])
            if is_diagram and (skip_to := _end_of_fence(lines, at, opened[1])):
                yield number, ""
            elif directive := directive_lines(opened[2]):
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
            yield from ((number, shown) for shown in _shown_line(line, below, variables))


def _shown_line(line: str, below: str, variables: Mapping[str, str]) -> list[str]:
    if titled := callout_lines(line) or container_lines(line) or slashed_lines(line):
        return titled
    is_contents = CONTENTS.match(line) or CONTENTS_MARK.match(line)
    if is_contents or (CONTENTS_MARK.match(below) and CONTENTS_ITEM.match(line)):
        return [""]
    if "{{" in line or "{%" in line:
        line = TEMPLATE.sub(lambda found: value_of(found[0], variables) or found[0], line)
        line = TARGET.sub(_filled_in, line)
    if len(line) > LONGEST_LINE:
        return [line]
    if heading := TIGHT_HEADING.match(line):
        return [f"{heading[1]} {heading[2]}"]
    if "](" in line:
        line = SPACED_TARGET.sub(_without_space, SPACED_TARGET.sub(_without_space, line))
    if "** " in line or " **" in line:
        line = _tight_strong(line)
    return _around_html(BRACKETED_ICON.sub("", line)) if "<" in line else [line]


def _tight_strong(line: str) -> str:
    """``**Note: **Text`` as it was meant: Markdown takes no space inside of the marks."""
    parts = line.split("**")
    if (
        len(parts) % 2 == 0
        or "***" in line
        or "<code" in line
        or any(part.count("`") % 2 for part in parts)
    ):
        return line
    for at in range(1, len(parts), 2):
        if words := parts[at].strip():
            parts[at - 1] += " " * (parts[at][0] == " ")
            parts[at + 1] = " " * (parts[at][-1] == " ") + parts[at + 1]
            parts[at] = words
    return "**".join(parts)


def _without_space(link: re.Match[str]) -> str:
    """A target as a browser reads it: Markdown takes none with a blank."""
    target = PICTURE_SIZE.sub("", link[2].strip())
    return f"{link[1]}{target.replace(' ', '%20').replace('<', '%3C').replace('>', '%3E')})"


def _around_html(line: str) -> list[str]:
    """Tags with Markdown inside stand alone, as the parser wants them."""
    if inside := AROUND_MARKDOWN.match(line):
        return ["", inside[1].lstrip(), "", *([inside[2]] if inside[2].strip() else [])]
    is_component = COMPONENT_BEGINS.match(line) or COMPONENT_ENDS.match(line)
    if is_component or CLOSING.match(line) or (line.strip() and DETAILS.match(line)):
        return ["", line, ""]
    return [line]


def _end_of_fence(lines: list[str], at: int, fence: str) -> int:
    for end in range(at + 1, len(lines)):
        if _closes(fence, lines[end]):
            return end + 1
    return 0


def _with_tables(lines: Iterator[Line]) -> Iterator[Line]:
    """Tables as GitHub wants them: with a line below the headings, as many cells in every row."""
    whole = list(lines)
    columns = 0
    fence = ""
    for at, (number, line) in enumerate(whole):
        opened = None if fence else _fence(line)
        if fence or opened:
            fence = opened[1] if opened else "" if _closes(fence, line) else fence
            columns = 0
            yield number, line
            continue
        below = whole[at + 1][1] if at + 1 < len(whole) else ""
        if "|" not in line:
            columns = 0
        elif columns and DELIMITERS.match(line):
            line = _delimiters(line, columns)
        elif columns:
            line = _fitted(line, columns)
        elif "|" in below and DELIMITERS.match(below):
            columns = _cells(line)
        elif ROW.match(line) and ROW.match(below) and not DELIMITERS.match(line):
            columns = _cells(line)
            yield number, line
            line = _delimiters(line, columns)
        yield number, line


def _delimiters(line: str, columns: int) -> str:
    """The line below the headings, indented as this one is."""
    return line[: len(line) - len(line.lstrip())] + "|" + "---|" * columns


def _cells(row: str) -> int:
    return len(PIPE.findall(row.strip().removeprefix("|").removesuffix("|"))) + 1


def _fitted(row: str, columns: int) -> str:
    """A row with too many cells, with the bars inside of its code escaped."""
    if _cells(row) <= columns:
        return row
    return CODE_WITH_PIPE.sub(lambda code: PIPE.sub(r"\\|", code[0]), row)


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
    """Comments that begin a line and go on over several: Obsidian's ``%%`` and MDX's ``{/*``."""

    def __init__(self, lines: list[str]) -> None:
        self._lines = lines
        self._last = {
            mark: max((at for at, line in enumerate(lines) if mark in line), default=-1)
            for mark in ("%%", "*/}")
        }

    def end(self, at: int) -> int:
        line = self._lines[at].lstrip()
        mark = "%%" if line.startswith("%%") else "*/}" if line.startswith("{/*") else ""
        if not mark or mark in line[2:]:
            return 0
        for end in range(at + 1, self._last[mark] + 1):
            if mark in self._lines[end]:
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
