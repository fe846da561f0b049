"""``lacuna evaluate-retrieval``: how well retrievers find the documents that questions need."""

from __future__ import annotations

from typing import Annotated

import typer

from lacuna.cli.options import DatasetName, Json, OptionalFile, SettingCorpora, SkipBad


def evaluate_retrieval(
    dataset: DatasetName,
    file: OptionalFile = None,
    corpus: SettingCorpora = None,
    retriever: Annotated[
        list[str] | None,
        typer.Option(
            "--retriever",
            metavar="NAME",
            help="bm25 (the default), hybrid, hotpotqa, or one from another package. Give it "
            "several times to compare: the first is the baseline.",
            show_default=False,
        ),
    ] = None,
    k: Annotated[int, typer.Option("-k", min=1, help="How many passages to search for.")] = 1000,
    skip_bad: SkipBad = False,
    as_json: Json = False,
) -> None:
    """Search a corpus for each question of a file, and score where its gold documents are found.

    A verb of its own, because no answer is given: `lacuna evaluate` scores what a system says,
    this scores the search before anything is read, by hits@2, hits@10, MAP, mean rank and nDCG.
    Gold documents are those of HotpotQA's supporting facts, or those that IIRC's gold links lead
    to. paper_map, paper_mean_rank and answer_rank are counted as HotpotQA's tables 5 and 9 are: a
    gold document that was not found comes right after those that were.
    """
    from lacuna.assets import demo
    from lacuna.cli.console import notify, print_json, print_tables
    from lacuna.cli.evaluation.answering import exit_if_left_out, show_progress
    from lacuna.systems.retrieval import evaluate_retrieval as run

    comparison = run(
        retriever or ["bm25"],
        dataset,
        file,
        corpus=corpus or None,
        k=k,
        skip_bad=skip_bad,
        progress=show_progress,
    )
    if not corpus:
        notify(demo.ASKS_CORPUS)
    if as_json:
        print_json({"task": dataset, "k": k, **comparison.to_json()})
    else:
        print_tables([comparison.table()])
    exit_if_left_out(comparison.left_out)
