"""Questions as the pipeline meets them: with the windows that the real retriever finds for them.

The windows of one question compete for its answer. They are neighbours, each a question of its own;
questions that stay together anyway have all their windows together.
"""

from __future__ import annotations

import tempfile
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import replace
from itertools import chain
from pathlib import Path
from random import Random

from lacuna.corpus.store import Store
from lacuna.retrieve.around import around
from lacuna.retrieve.bm25 import Bm25Retriever
from lacuna.train.data.found.labelled_windows import Found, labelled_windows
from lacuna.train.data.found.pool import Pool
from lacuna.train.data.found.sought import sought
from lacuna.train.data.lines.qed import short_answers
from lacuna.train.data.lines.synthetic import SOURCE, opposites
from lacuna.train.data.together import RIVAL, TOGETHER, units
from lacuna.train.data.wording import reworded
from lacuna.train.data.yes_no.balance import balanced
from lacuna.train.data.yes_no.yes_no_questions import yes_no_questions
from lacuna.types import Document, Question

FILES = (
    *("squad1", "qed", "boolq"),
    *("synthetic_fact", "synthetic_list", "synthetic_none", "synthetic_yes", "synthetic_no"),
)
OF_SQUAD = 14_000
"""Questions of SQuAD 1.1, so that it does not outweigh the others."""
CLAIMS = 8_000
"""Questions for yes or no that are made of claims, from each of two files."""
CLAIMS_OF_ONE_RULE = 0.25
HITS = 8
NOT_HELD = "an answer that no single window holds"


def found_questions(
    real: Callable[[str], Iterator[Question]], seed: int, left_out: Counter[str]
) -> Iterator[Question]:
    """All windows of all questions; ``real`` gives the questions of a file by its name."""
    read = {name: list(real(name)) for name in FILES}
    pool = Pool()
    for question in chain.from_iterable(read.values()):
        assert question.context
        pool.add(question.context, question.extra.get(SOURCE, ""))
    documents = pool.documents()
    questions = _asked(read, seed, left_out)
    with tempfile.TemporaryDirectory() as folder, Store.create(Path(folder) / "pool") as store:
        with store.writer() as writer:
            writer.add(documents.values())
        retriever = Bm25Retriever(store)
        for unit in units(questions):
            for number, question in enumerate(unit):
                assert question.context
                title, start = pool.place(question.context)
                gold = sought(question, documents[title], start)
                found = _found(retriever, documents, question.text)
                windows = labelled_windows(question, gold, found)
                if not windows:
                    left_out[NOT_HELD] += 1
                for window in windows:
                    yield replace(window, extra={TOGETHER: unit[0].id, RIVAL: number})


def _asked(
    read: dict[str, list[Question]], seed: int, left_out: Counter[str]
) -> Iterator[Question]:
    squad = read["squad1"]
    yield from Random(seed).sample(squad, min(OF_SQUAD, len(squad)))
    yield from reworded(short_answers(read["qed"], left_out), seed)
    yield from reworded(balanced(read["boolq"]), seed)
    for kind in ("fact", "list", "none"):
        yield from read[f"synthetic_{kind}"]
    yield from opposites(read["synthetic_yes"], read["synthetic_no"], left_out)
    for name in ("squad1", "synthetic_fact"):
        yield from yes_no_questions(
            read[name], seed=seed, at_most=CLAIMS, of_one_rule=CLAIMS_OF_ONE_RULE
        )


def _found(
    retriever: Bm25Retriever, documents: dict[str, Document], question: str
) -> Iterator[Found]:
    for hit in retriever.search(question, HITS):
        document = documents[hit.title]
        yield document, around(document, hit.start, hit.end)
