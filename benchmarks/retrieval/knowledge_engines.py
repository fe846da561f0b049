"""The sentence search beside the same search by tantivy, a search engine in Rust.

Both get the same stems of the same sentences, and the same pairs as knowledge-search.
"""

from __future__ import annotations

import gzip
import tempfile
from collections.abc import Sequence
from pathlib import Path

import tantivy

from benchmarks.data import OPENBOOK_DEV, data_folder, read_questions
from benchmarks.measure import timed
from benchmarks.registry import command
from benchmarks.retrieval.knowledge_search import pairs_of
from lacuna.retrieve.knowledge.build import build_sentences, unfit
from lacuna.retrieve.knowledge.search import Sentences
from lacuna.text import content_stems


def main(arguments: Sequence[str]) -> None:
    """Measure and print."""
    command("knowledge-engines", __doc__).parse_args(arguments)
    source = data_folder() / "science" / "sentences.tsv.gz"
    with gzip.open(source, "rt", encoding="utf-8") as rows:
        texts = [text for row in rows if not unfit(text := row.rstrip("\n").split("\t")[1])]
    questions = read_questions("openbookqa", OPENBOOK_DEV)
    pairs = [pair for question in questions for pair in pairs_of(question)]
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        (folder / "tantivy").mkdir()
        index = timed("tantivy: build", lambda: build_index(folder / "tantivy", texts))
        timed("arrays: build", lambda: build_sentences([source], folder / "arrays"))
        sentences = Sentences.open(folder / "arrays")
        for _ in range(2):
            theirs = timed("tantivy: search", lambda: [search(index, *pair) for pair in pairs])
            ours = timed("arrays: search", lambda: [sentences.search(*pair) for pair in pairs])
    both = [
        ({texts[number] for number in numbers}, {hit.text for hit in hits})
        for numbers, hits in zip(theirs, ours, strict=True)
    ]
    print(f"the same five sentences for {sum(a == b for a, b in both)} of {len(both)} pairs")
    print(f"found something or not alike for {sum(bool(a) == bool(b) for a, b in both)}")


def build_index(folder: Path, texts: list[str]) -> tantivy.Index:
    """An index of the stems, with the number of each sentence."""
    builder = tantivy.SchemaBuilder()
    builder.add_text_field("stems", stored=False, tokenizer_name="whitespace")
    builder.add_unsigned_field("number", stored=True)
    index = tantivy.Index(builder.build(), path=str(folder))
    writer = index.writer(heap_size=200_000_000, num_threads=1)
    for number, text in enumerate(texts):
        writer.add_document(tantivy.Document(stems=" ".join(content_stems(text)), number=number))
    writer.commit()
    writer.wait_merging_threads()
    index.reload()
    return index


def search(index: tantivy.Index, span: str, choice: str) -> list[int]:
    """The five best sentences that hold a stem of each."""
    sides = content_stems(span), content_stems(choice)
    if not all(sides):
        return []
    query = index.parse_query(" ".join(f"+({' '.join(side)})" for side in sides), ["stems"])
    searcher = index.searcher()
    return [searcher.doc(place)["number"][0] for _, place in searcher.search(query, 5).hits]
