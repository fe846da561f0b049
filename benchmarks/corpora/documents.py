"""Reading collections of documents: what is read, what its links lead to, how fast, how large.

The collections are those of LACUNA_REAL, and any folders or archives named behind the options. Each
is read into a new corpus in a process of its own, and again after one of its files was changed (a
folder is copied for that). Times are processor times of the whole process, start-up included.
"""

from __future__ import annotations

import json
import shutil
import tempfile
from collections import Counter
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

from benchmarks.corpora.collections import real_folder, unpacked
from benchmarks.measure import run_python
from benchmarks.registry import command

READ = """
import json, sys
from dataclasses import asdict
from pathlib import Path
from lacuna.corpus.refresh import refresh_source
from lacuna.corpus.store import Store
with Store.create(Path({corpus!r})) as store:
    with store.writer() as writer:
        added = refresh_source(writer, Path({source!r}))
    (told,) = store.sources()
    reasons = [item.reason for item in store.skipped()]
    print(json.dumps([asdict(added), asdict(told), reasons]))
"""


def main(arguments: Sequence[str]) -> None:
    """Print two tables."""
    parser = command("documents", __doc__)
    parser.add_argument("sources", nargs="*", type=Path, help="further folders or archives")
    options = parser.parse_args(arguments)
    rows, reasons = [], []
    with tempfile.TemporaryDirectory() as scratch:
        folder = Path(scratch)
        for name, source in sources(folder, options.sources):
            row, why = measured(name, source, folder / "corpora" / name)
            rows.append(row)
            reasons += [f"| {name} | {count} | {reason} |" for reason, count in why.most_common(6)]
    print(
        "| collection | files read | skipped | documents | links to documents of the set | of them "
        "found | out of the set | s | documents / s | one file changed: s | peak MB |"
    )
    print("|---|" + "---:|" * 10)
    print("\n".join(rows))
    print("\n| collection | files | not read, because |\n|---|---:|---|")
    print("\n".join(reasons))


def sources(folder: Path, more: Sequence[Path]) -> Iterator[tuple[str, Path]]:
    """The collections, as copies that may be changed."""
    yield from unpacked(real_folder(), folder)
    for path in more:
        copy = folder / "more" / path.name
        copy.parent.mkdir(exist_ok=True)
        if path.is_dir():
            shutil.copytree(path, copy, ignore_dangling_symlinks=True)
        else:
            shutil.copy2(path, copy)
        yield path.name, copy


def measured(name: str, source: Path, corpus: Path) -> tuple[str, Counter[str]]:
    """One row of the table, and why files were not read."""
    corpus.parent.mkdir(parents=True, exist_ok=True)
    added, told, reasons, seconds, peak = read(source, corpus)
    again = "–"
    if (changed := one_text_file(source)) is not None:
        with changed.open("ab") as file:
            file.write(b"\n")
        again = f"{read(source, corpus)[3]:.2f}"
    inside = told["resolved"] + told["missing"]
    cells = (
        name,
        f"{told['files']:,}",
        f"{told['skipped']:,}",
        f"{told['documents']:,}",
        f"{inside:,}",
        f"{100 * told['resolved'] / inside:.1f} %" if inside else "–",
        f"{told['outside']:,}",
        f"{seconds:.1f}",
        f"{added['documents'] / seconds:.0f}",
        again,
        f"{peak:.0f}",
    )
    return f"| {' | '.join(cells)} |", Counter(reasons)


def read(source: Path, corpus: Path) -> tuple[Any, Any, list[str], float, float]:
    """Read a source into a corpus: what came of it, processor seconds, peak memory in MB."""
    done, peak = run_python(READ.format(corpus=str(corpus), source=str(source)))
    added, told, reasons = json.loads(done.output.splitlines()[0])
    return added, told, reasons, done.cpu, peak


def one_text_file(source: Path) -> Path | None:
    """A file in the middle of a folder that may grow by an empty line."""
    kinds = (".md", ".html", ".rst", ".txt", ".adoc", ".org")
    files = (
        sorted(path for path in source.rglob("*") if path.suffix in kinds)
        if source.is_dir()
        else []
    )
    return files[len(files) // 2] if files else None
