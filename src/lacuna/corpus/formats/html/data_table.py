"""Tables of an HTML page: those that hold data, and those that only lay the page out."""

from __future__ import annotations

from collections.abc import Iterator

from selectolax.lexbor import LexborNode

from lacuna.corpus.formats.html.furniture import NOT_READ, Furniture, is_sign, names
from lacuna.corpus.formats.html.inline import alt_text, formula, is_link, raised
from lacuna.corpus.pages.table import Cell, Run

BREAKS = names("p div br li dt dd pre ul ol dl blockquote h4 h5 h6")
BOLD = frozenset(("b", "strong"))
LONGEST_CELL = 1500
"""Characters; what is longer is a text, and reads better as one."""


def is_data(table: LexborNode) -> bool:
    """Whether the cells of a table belong to rows and columns that mean something."""
    if (table.attributes.get("role") or "") in ("presentation", "none"):
        return False
    if any(inner.mem_id != table.mem_id for inner in table.css("table, h1, h2, h3")):
        return False
    cells = table.css("td, th")
    if len(cells) < 2 or any(len(cell.text()) > LONGEST_CELL for cell in cells):
        return False
    if table.css_first("th, thead") is not None:
        return True
    return not any(_is_prose(cell) for cell in cells)


def _is_prose(cell: LexborNode) -> bool:
    return cell.css_first("ul, ol, dl, pre, blockquote, p + p, div + div") is not None


def caption_of(table: LexborNode) -> LexborNode | None:
    """The caption, if the table has one."""
    return next((node for node in table.iter() if node.tag == "caption"), None)


def rows_of(table: LexborNode, furniture: Furniture) -> list[list[Cell]]:
    """The cells as they are written."""
    rows = [list(_cells(row, furniture)) for row in table.css("tr")]
    if any(cell.heading for row in rows for cell, _ in row):
        return [[cell for cell, _ in row] for row in rows]
    return _with_bold_headings(rows)


def _with_bold_headings(rows: list[list[tuple[Cell, bool]]]) -> list[list[Cell]]:
    """Where nothing is marked as a heading, a bold first row or first column is one."""
    first = len(rows) > 1 and len(rows[0]) > 1 and _all_bold(rows[0])
    labelled = [row[0] for row in rows[first:] if len(row) > 1]
    side = bool(labelled) and (_all_bold(labelled) or _is_note(rows))
    return [
        [
            Cell(cell.runs, (first and number == 0) or (side and at == 0), cell.across, cell.down)
            for at, (cell, _) in enumerate(row)
        ]
        for number, row in enumerate(rows)
    ]


def _is_note(rows: list[list[tuple[Cell, bool]]]) -> bool:
    """Whether a table is a box that says "Note" on its left side."""
    return len(rows) == 1 and len(rows[0]) == 2 and len(rows[0][0][0].text.split()) <= 2


def _all_bold(cells: list[tuple[Cell, bool]]) -> bool:
    return all(bold or not cell.text for cell, bold in cells) and any(bold for _, bold in cells)


def _cells(row: LexborNode, furniture: Furniture) -> Iterator[tuple[Cell, bool]]:
    """The cells of a row, each with whether all of it is bold."""
    parent = row.parent
    in_head = parent is not None and parent.tag == "thead"
    for node in row.iter():
        if node.tag not in ("td", "th"):
            continue
        attributes = node.attributes
        runs = tuple(_runs(node, furniture))
        yield (
            Cell(
                runs,
                in_head or node.tag == "th",
                _span(attributes.get("colspan")),
                _span(attributes.get("rowspan")),
            ),
            _is_bold(node),
        )


def _span(written: str | None) -> int:
    digits = (written or "").strip()[:6]
    return max(1, int(digits)) if digits.isascii() and digits.isdigit() else 1


def _is_bold(cell: LexborNode) -> bool:
    inside = [
        node
        for node in cell.iter(include_text=True)
        if node.tag != "-text" or (node.text_content or "").strip()
    ]
    return len(inside) > 0 and all(node.tag in BOLD for node in inside)


def _runs(cell: LexborNode, furniture: Furniture) -> Iterator[Run]:
    """What a cell says in one line; a text on the stack is the end of a link."""
    target = last = ""
    stack: list[LexborNode | str] = [cell]
    while stack:
        node = stack.pop()
        if isinstance(node, str):
            target = ""
            continue
        tag = node.tag or ""
        if node is not cell and (following := node.next) is not None:
            stack.append(following)
        if tag == "-text":
            text = node.text_content or ""
            last = text[-1:]
            yield Run(text, target)
            continue
        attributes = node.attributes
        if node is not cell and (
            tag in NOT_READ
            or furniture.holds(tag, node, attributes)
            or (tag == "a" and is_sign(node))
        ):
            continue
        if tag == "img":
            yield Run(f" {alt_text(attributes)} ", target, picture=attributes.get("src") or "")
        elif tag == "math":
            yield Run(f" {formula(node, attributes)} ", target)
            continue
        elif tag == "sup" and last.isdigit() and (power := raised(node.text())):
            yield Run(power, target)
            continue
        elif tag in BREAKS:
            yield Run(" ")
        elif tag == "a" and is_link(attributes):
            target = (attributes.get("href") or "").strip()
            stack.append("")
        if (child := node.first_child) is not None:
            stack.append(child)
