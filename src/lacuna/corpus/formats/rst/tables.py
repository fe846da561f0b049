"""Tables of docutils as rows of cells."""

from __future__ import annotations

from docutils import nodes

from lacuna.corpus.formats.rst.inline import RstInline
from lacuna.corpus.pages.table import Cell


def table_cells(
    table: nodes.Element, inline: RstInline, line: int
) -> tuple[list[list[Cell]], list[int]]:
    """The rows, and the line that each of them stands on."""
    rows: list[list[Cell]] = []
    lines: list[int] = []
    stubs = [bool(column.get("stub")) for column in table.findall(nodes.colspec)]
    for row in table.findall(nodes.row):
        if _table_of(row) is not table:
            continue
        heading = isinstance(row.parent, nodes.thead)
        cells = []
        for at, entry in enumerate(row.children):
            if isinstance(entry, nodes.entry):
                cells.append(
                    Cell(
                        tuple(inline.cell(entry)),
                        heading or (at < len(stubs) and stubs[at]),
                        int(entry.get("morecols", 0)) + 1,
                        int(entry.get("morerows", 0)) + 1,
                    )
                )
        line = max(line, _first_line(row) or 0)
        rows.append(cells)
        lines.append(line)
    return rows, lines


def _table_of(row: nodes.Element) -> nodes.Element | None:
    """The table that a row belongs to: body, group, table."""
    node: nodes.Element | None = row
    for _ in range(3):
        node = node.parent if node is not None else None
    return node


def _first_line(node: nodes.Element) -> int | None:
    return next((one.line for one in node.findall(nodes.Element) if one.line), None)
