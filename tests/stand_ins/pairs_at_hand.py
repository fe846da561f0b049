"""A small corpus, a pair of each kind, and good work on it."""

from __future__ import annotations

from pathlib import Path
from random import Random
from typing import Any

from lacuna.corpus.open import open_store
from lacuna.corpus.store import Store
from lacuna_collect.mining import Pair, PairKind
from lacuna_collect.tasks.hotpotqa_pairs import pair_payload
from lacuna_collect.tasks.task import FinishedWork, Json

PAGES = {
    "Marrow Light": "Marrow Light is a lighthouse on [Fenn](Fenn.md). It was designed by "
    "[Tilda Roke](Tilda%20Roke.md) in 1871. It is 31 metres high.",
    "Holm Beacon": "Holm Beacon is a lighthouse in the strait off [Fenn](Fenn.md). It was built "
    "in 1,884 days and is 24 metres high.",
    "Sell Light": "Sell Light is a lighthouse at Sell. It was designed by "
    "[Tilda Roke](Tilda%20Roke.md).",
    "Tilda Roke": "Tilda Roke (1829 – 1903) was an engineer. She was born in Grellby.",
    "Oswin Pell": "Oswin Pell (1850 – 1911) was a painter. He painted [Fenn](Fenn.md).",
    "Fenn": "Fenn is an island in the north. It has 2,300 inhabitants.",
    "Grellby": "Grellby is a town. It has a market.",
    "Empty": "",
}
BRIDGE = Pair(PairKind.BRIDGE, "Marrow Light", "Tilda Roke")
COMPARISON = Pair(PairKind.COMPARISON, "Marrow Light", "Holm Beacon", group="lighthouse")
YES_NO = Pair(PairKind.COMPARISON, "Marrow Light", "Holm Beacon", True, "lighthouse")
GOOD: dict[str, Json] = {
    "bridge": {
        "question": "Where was the engineer born who designed Marrow Light?",
        "answer": "Grellby",
        "supporting": [[0, 1], [1, 1]],
    },
    "comparison": {
        "question": "Which is higher, Marrow Light or Holm Beacon?",
        "answer": "Marrow Light",
        "supporting": [[0, 2], [1, 1]],
    },
    "yes/no": {
        "question": "Are both Marrow Light and Holm Beacon higher than 30 metres?",
        "answer": "no",
        "supporting": [[0, 2], [1, 1]],
    },
}
PAIRS = {"bridge": BRIDGE, "comparison": COMPARISON, "yes/no": YES_NO}


def small_store(folder: Path) -> Store:
    """The pages as a corpus."""
    pages = folder / "pages"
    pages.mkdir()
    for title, text in PAGES.items():
        (pages / f"{title}.md").write_text(f"# {title}\n\n{text}\n", "utf-8")
    return open_store(pages)


def payload_of(corpus: Store, kind: str) -> Json:
    """The item of one of the pairs."""
    return pair_payload(corpus, PAIRS[kind])


def finished(
    corpus: Store, kind: str, submission: int, person: int = 1, seconds: float = 60, **work: Any
) -> FinishedWork:
    """Accepted work on one of the pairs."""
    payload = payload_of(corpus, kind)
    given = {**GOOD[kind], **work}
    return FinishedWork(f"key-{submission}", payload, "", given, person, submission, seconds)


def seeded() -> Random:
    """The same numbers in every run."""
    return Random(7)
