"""Evaluate how well retrievers find the documents that a question's answer rests on."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from html import unescape
from pathlib import Path

from lacuna.corpus.open import Corpora, open_store
from lacuna.corpus.store import Store
from lacuna.datasets import get_dataset
from lacuna.datasets.convert import QuestionFile
from lacuna.errors import LacunaError
from lacuna.evaluation.assignment import check_demo, demo_file
from lacuna.evaluation.system import Progress, ShowProgress, as_list, chunks, silent
from lacuna.metrics.comparison import ComparedSystem, ComparisonTable, check_baseline
from lacuna.metrics.retrieval import paper_scores, ranking_scores
from lacuna.metrics.statistics import intervals
from lacuna.retrieve.registry import Retriever, open_retriever, search_many
from lacuna.types import Question

CHUNK = 50
"""Questions after which progress is shown."""
AS_THE_PAPER = ("paper_map", "paper_mean_rank", "answer_rank")
MAIN = ("hits@2", "hits@10", "map", "mean_rank", "ndcg@10", *AS_THE_PAPER)
RANKS = frozenset({"mean_rank", "paper_mean_rank", "answer_rank"})


def evaluate_retrieval(
    retrievers: Retriever | str | Sequence[Retriever | str],
    dataset: str,
    file: str | Path | None = None,
    *,
    corpus: Corpora = None,
    k: int = 1000,
    baseline: int | None = 0,
    skip_bad: bool = False,
    progress: ShowProgress = silent,
) -> ComparisonTable:
    """Evaluate how well retrievers find the gold documents of a file's questions in a corpus.

    A retriever is a name (``bm25``, ``hotpotqa``, or one from another package), or an object as
    ``lacuna.retrieve.registry.Retriever`` describes it. The gold documents are those of the
    supporting facts (HotpotQA), or those that the gold links lead to (IIRC). Each retriever gives
    ``k`` passages; a gold document that is not among them counts as if it came right after them.
    What begins with "paper" is counted as HotpotQA's paper does: a gold document that was not found
    comes right after those that were. ``answer_rank`` is that of the one that has the answer.
    Without a file, the demo's questions are searched for in the demo corpus.

    >>> import lacuna
    >>> table = lacuna.evaluate_retrieval(["bm25", "hotpotqa"], "iirc", k=50)
    >>> [system.name for system in table.systems]
    ['bm25', 'hotpotqa']
    """
    source = get_dataset(dataset)
    path = demo_file(source) if file is None else Path(file)
    if corpus is None:
        check_demo(source, path, "Retrievers search a corpus")
    questions = QuestionFile(source, path, source.setting(), skip_bad=skip_bad)
    with open_store(corpus) as store:
        wanted = gold_documents(questions, store.resolve, lambda title: store.document(title).text)
        if not wanted:
            raise LacunaError(
                f"No question of {path} says which documents answer it. Give a file with "
                "supporting facts (hotpotqa) or gold links (iirc)."
            )
        opened = _opened(retrievers, store)
        check_baseline(baseline, len(opened))
        compared = []
        for name, retriever in opened.items():
            with progress(f"{name}: {path.name}", len(wanted)) as done:
                texts = [each.question for each in wanted]
                ranked = rankings(retriever, texts, k, progress=done)
            compared.append(_compared(name, wanted, ranked, k))
    return ComparisonTable(
        f"{len(wanted):,} questions, {k:,} passages each; scores in %, ranks as they are",
        tuple(compared[0].scores),
        MAIN,
        [each.group for each in wanted],
        tuple(compared),
        baseline,
        ranks=RANKS,
        left_out=tuple(questions.bad),
    )


def _opened(
    retrievers: Retriever | str | Sequence[Retriever | str], store: Store
) -> dict[str, Retriever]:
    opened: dict[str, Retriever] = {}
    for given in as_list(retrievers):
        if isinstance(given, str):
            name, retriever = given, open_retriever(given, store)
        else:
            name, retriever = getattr(given, "name", type(given).__name__), given
        if name in opened:
            raise LacunaError(f"Two retrievers are called {name!r}. Give each its own name.")
        opened[name] = retriever
    if not opened:
        raise LacunaError("There is no retriever to evaluate. Give at least one.")
    return opened


def _compared(
    name: str, wanted: Sequence[GoldDocuments], ranked: Sequence[Sequence[str]], k: int
) -> ComparedSystem:
    scores: list[dict[str, float | None]] = [
        {
            **ranking_scores(titles, each.titles, candidates=k),
            **paper_scores(titles, each.titles, each.with_answer),
        }
        for titles, each in zip(ranked, wanted, strict=True)
    ]
    measures = tuple(scores[0])
    rows = [tuple(each.values()) for each in scores]
    groups = [each.group for each in wanted]
    return ComparedSystem(
        name,
        {measure: _mean(each[measure] for each in scores) for measure in measures},
        intervals(groups, rows, measures, 1.0),
        rows,
    )


def _mean(values: Iterable[float | None]) -> float | None:
    counted = [value for value in values if value is not None]
    return sum(counted) / len(counted) if counted else None


@dataclass(frozen=True, slots=True)
class GoldDocuments:
    """A question, the titles of its gold documents, and the number of its group.

    Questions about one passage are one group: they are not independent of each other.
    ``with_answer`` are those of the documents in which the answer's text stands.
    """

    question: str
    titles: frozenset[str]
    group: int
    with_answer: frozenset[str] = frozenset()


def gold_documents(
    questions: Iterable[Question],
    resolve: Callable[[str], str | None],
    text_of: Callable[[str], str],
) -> list[GoldDocuments]:
    """The questions whose gold documents are known: their supporting facts', or their links'.

    ``resolve`` gives a title as the corpus has it; a document that is not there stays wanted.
    ``text_of`` gives the text of one that is there.
    HotpotQA's files have titles as HTML ("Ant &amp; Dec"), a corpus has them as text.
    """
    wanted = []
    group, context = 0, None
    for question in questions:
        if question.context is None or question.context is not context:
            group, context = group + 1, question.context
        if titles := _gold_titles(question):
            there = {title: resolve(title) or resolve(unescape(title)) for title in titles}
            with_answer = {
                known
                for known in there.values()
                if known is not None and _has_answer(text_of(known), question)
            }
            resolved = frozenset(known or title for title, known in there.items())
            wanted.append(GoldDocuments(question.text, resolved, group, frozenset(with_answer)))
    return wanted


def _has_answer(text: str, question: Question) -> bool:
    """Tell if the answer stands in a text; yes, no and none stand nowhere."""
    answers = question.gold.answers if question.gold else ()
    folded = text.casefold()
    return any(piece.casefold() in folded for answer in answers for piece in answer.texts if piece)


def _gold_titles(question: Question) -> set[str]:
    if question.gold is None:
        return set()
    if question.gold.supporting_facts:
        return {fact.title for fact in question.gold.supporting_facts}
    return set(question.gold.links or ())


def rankings(
    retriever: Retriever,
    questions: Sequence[str],
    k: int,
    *,
    progress: Progress | None = None,
) -> list[list[str]]:
    """The documents that are found for each question, best first, each at its best passage."""
    ranked: list[list[str]] = []
    for chunk in chunks(questions, CHUNK):
        found = search_many(retriever, chunk, k)
        ranked += [list(dict.fromkeys(hit.title for hit in hits)) for hits in found]
        if progress is not None:
            progress(len(ranked))
    return ranked
