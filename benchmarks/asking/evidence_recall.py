"""How much of the gold evidence a search ranks, and how much of it is read."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping

import numpy as np

from lacuna.corpus.store import Store
from lacuna.pipeline.result import Result, Stage
from lacuna.types import AnswerKind, Question


def sentence_recalls(
    questions: Iterable[Question], results: Mapping[str, Result], store: Store
) -> dict[str, float]:
    """Of the quoted gold sentences of answerable questions, how many are ranked, and how many read.

    Sentences of the context itself do not count. Where a corpus has other versions of the
    documents than the quotes were taken from, few are found at all: ``in the corpus``.
    """
    totals: dict[str, list[float]] = defaultdict(list)
    for question in questions:
        gold = question.gold
        if gold is None or gold.answers[0].kind is AnswerKind.NONE:
            continue
        for wanted, text in gold_sentences(question):
            title = store.resolve(wanted)
            start = store.document(title).text.find(text) if title is not None else -1
            totals["gold sentences in the corpus"].append(start >= 0)
            if title is None or start < 0:
                continue
            middle = start + len(text) // 2
            for name, only_chosen in (("ranked", False), ("read", True)):
                held = any(
                    candidate.title == title
                    and (candidate.start or 0) <= middle < (candidate.end or 0)
                    for step in results[question.id].steps
                    if step.stage in (Stage.START, Stage.FIND)
                    for candidate in step.candidates
                    if candidate.chosen or not only_chosen
                )
                totals[f"gold sentences {name}"].append(held)
    return {name: float(np.mean(values)) for name, values in totals.items()}


def gold_sentences(question: Question) -> Iterator[tuple[str, str]]:
    """Title and text of the evidence that is not in the context."""
    facts = question.gold.supporting_facts if question.gold else None
    context = question.context.text if question.context else ""
    for document in question.documents:
        for number, sentence in enumerate(document.sentences):
            wanted = facts is None or (document.title, number) in facts
            text = document.text[sentence.start : sentence.end].strip()
            if wanted and text not in context:
                yield document.title, text
