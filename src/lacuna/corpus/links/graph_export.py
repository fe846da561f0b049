"""Write a link graph for other tools: GraphML, or Parquet."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from xml.sax.saxutils import escape

import numpy as np

from lacuna.corpus.graph import Graph
from lacuna.errors import LacunaError
from lacuna.files.writing import replace_text

HEAD = """<?xml version="1.0" encoding="UTF-8"?>
<graphml xmlns="http://graphml.graphdrawing.org/xmlns">
<key id="title" for="node" attr.name="title" attr.type="string"/>
<graph id="links" edgedefault="directed">
"""
TAIL = "</graph>\n</graphml>\n"
CHUNK = 100_000

# What XML 1.0 cannot hold even escaped.
NOT_XML = dict.fromkeys([*range(9), 11, 12, *range(14, 32), 0xFFFE, 0xFFFF], "\ufffd")


def export_graph(graph: Graph, path: Path, *, lead: bool = False) -> None:
    """Write the graph in the format that the file's name asks for.

    ``lead`` takes the links of first paragraphs alone.
    """
    match path.suffix:
        case ".graphml":
            _write_graphml(graph, path, lead)
        case ".parquet":
            _write_parquet(graph, path, lead)
        case other:
            raise LacunaError(
                f"a graph cannot be written as {other or path.name!r}: "
                "give a name that ends in .graphml or .parquet."
            )


def _write_graphml(graph: Graph, path: Path, lead: bool) -> None:
    with replace_text(path) as out:
        out.write(HEAD)
        for node, title in enumerate(graph.titles()):
            shown = escape(title.translate(NOT_XML))
            out.write(f'<node id="n{node}"><data key="title">{shown}</data></node>\n')
        for sources, targets in _chunks(graph, lead):
            out.writelines(
                f'<edge source="n{source}" target="n{target}"/>\n'
                for source, target in zip(sources, targets, strict=True)
            )
        out.write(TAIL)


def _chunks(graph: Graph, lead: bool) -> Iterator[tuple[list[int], list[int]]]:
    sources, targets = graph.links.edges(lead=lead)
    for start in range(0, len(sources), CHUNK):
        part = slice(start, start + CHUNK)
        yield sources[part].tolist(), np.asarray(targets[part]).tolist()


def _write_parquet(graph: Graph, path: Path, lead: bool) -> None:
    try:
        import pyarrow  # type: ignore[import-untyped,unused-ignore]
        import pyarrow.parquet  # type: ignore[import-untyped,unused-ignore]
    except ImportError as error:
        raise LacunaError(
            "Parquet needs pyarrow. Install it with: pip install 'lacuna-qa[parquet]'"
        ) from error
    titles = pyarrow.array(list(graph.titles()), pyarrow.string())
    sources, targets = graph.links.edges(lead=lead)
    # Dictionary columns: each title is written once, however many links it has.
    columns = [
        pyarrow.DictionaryArray.from_arrays(pyarrow.array(np.asarray(nodes)), titles)
        for nodes in (sources, targets)
    ]
    table = pyarrow.table(columns, names=["source", "target"])
    part = path.with_name(f".{path.name}.part")
    try:
        pyarrow.parquet.write_table(table, part)
        part.replace(path)
    except OSError as error:
        raise LacunaError(f"{path} was not written: {error}.") from error
    finally:
        part.unlink(missing_ok=True)
