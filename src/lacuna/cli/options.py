"""The arguments and options that several verbs share; each has one name and one help text."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from lacuna.datasets import DATASETS, dataset_names

# Dataset files
DatasetName = Annotated[
    str,
    typer.Argument(
        metavar="DATASET",
        help=f"One of {', '.join(DATASETS)}, or one from another package.",
        autocompletion=lambda: list(dataset_names()),
        show_default=False,
    ),
]
File = Annotated[
    Path, typer.Argument(metavar="FILE", help="A file, plain or gzipped.", show_default=False)
]
OptionalFile = Annotated[
    Path | None,
    typer.Argument(
        metavar="[FILE]",
        help="A file, plain or gzipped. Without one, the demo's questions (iirc, openbookqa) or "
        "dialogs (quac).",
        show_default=False,
    ),
]
SettingName = Annotated[
    str | None,
    typer.Option(
        metavar="NAME",
        help="What the system gets to read: iirc oracle-context, retrieved-context, or over a "
        "corpus full or oracle-links; hotpotqa distractor, gold-only, supporting-facts-only, or "
        "over a corpus fullwiki; quac gold-history or predicted-history; openbookqa core-fact or "
        "no-fact; squad may-abstain or always-answer. The first is the default.",
        show_default=False,
    ),
]
SkipBad = Annotated[
    bool,
    typer.Option("--skip-bad", help="Leave broken items out, report them, and exit with 1."),
]
Resume = Annotated[
    bool,
    typer.Option("--resume", help="Go on where a run of the same command was stopped."),
]
PredictionsOutput = Annotated[
    Path | None,
    typer.Option("--output", "-o", metavar="PRED", help="Write the predictions there as well."),
]
HumanFile = Annotated[
    Path | None,
    typer.Option(
        "--human",
        metavar="FILE",
        help="What people reach, to stand beside: human.json of a project of `lacuna collect init "
        "--task human-check`.",
        show_default=False,
    ),
]

# What answers
Systems = Annotated[
    list[str] | None,
    typer.Option(
        "--system",
        metavar="NAME[:MODEL]",
        help="What answers: reader (the default); gapqa (openbookqa), which fills the gap between "
        "a fact and a choice from a knowledge base; abstain, which never answers; a simple "
        "baseline of the dataset's paper, with the file it learns from (transition-matrix:TRAIN) "
        "or its encoder (sentence-similarity:ENCODER); hotpotqa-paper, quac-paper, iirc-paper, "
        "iirc-links or iirc-unanswerable, the paper's own network, with a trained --model; or a "
        "reader from another package. Give it several times to compare systems: the first is the "
        "baseline.",
        show_default=False,
    ),
]
OneSystem = Annotated[
    str | None,
    typer.Option(
        "--system",
        metavar="NAME[:MODEL]",
        help="What answers: reader (the default); gapqa (openbookqa), which fills the gap between "
        "a fact and a choice from a knowledge base; a simple baseline of the dataset's paper; "
        "hotpotqa-paper, quac-paper or iirc-paper, the paper's own network; or a reader from "
        "another package.",
        show_default=False,
    ),
]
Model = Annotated[
    str, typer.Option(metavar="NAME|DIR", help="A shipped model, or a folder with one.")
]
SystemModel = Annotated[
    str | None,
    typer.Option(
        "--model",
        metavar="NAME|DIR",
        help="A shipped model, or a folder with one; without it that of `lacuna config`, or else "
        "small; gapqa for GapQA.",
        show_default=False,
    ),
]
ReaderName = Annotated[
    str | None,
    typer.Option(
        "--reader",
        metavar="NAME[:MODEL]",
        help="The reader: a shipped model, a folder with one, llm:NAME (a language model on a "
        "server), or a reader from another package.",
        show_default=False,
    ),
]
RetrieverName = Annotated[
    str | None,
    typer.Option(
        "--retriever",
        metavar="NAME",
        help="What searches the corpus: bm25 (the default), hybrid, hotpotqa, or one from another "
        "package.",
        show_default=False,
    ),
]
Threads = Annotated[
    int | None, typer.Option(min=1, help="How many processor cores to use.", show_default=False)
]
OnRay = Annotated[
    str | None,
    typer.Option(
        "--ray",
        metavar="ADDRESS",
        help="Work on all machines of a Ray cluster: HOST:PORT of its head, or auto for the one "
        "that this machine belongs to. --threads is then what each worker has, 1 unless given.",
        show_default=False,
    ),
]

# What is asked
Corpora = Annotated[
    list[Path] | None,
    typer.Option(
        "--corpus",
        metavar="PATH",
        help="A folder, archive or file of documents, or a corpus made by `lacuna index`; several "
        "are one corpus. Without it that of `lacuna config`, or else the demo.",
        show_default=False,
    ),
]
SettingCorpora = Annotated[
    list[Path] | None,
    typer.Option(
        "--corpus",
        metavar="PATH",
        help="What a setting over a corpus searches: a folder, archive or file of documents, or a "
        "corpus made by `lacuna index`; several are one corpus. For questions over several "
        "collections, the folder that holds them, or each of them. The demo's questions are asked "
        "of the demo corpus without it.",
        show_default=False,
    ),
]
Watch = Annotated[
    bool,
    typer.Option("--watch", help="Look for changed files every few seconds, and read them again."),
]
Knowledge = Annotated[
    Path | None,
    typer.Option(
        metavar="DIR",
        help="What GapQA fills gaps from, made by `lacuna knowledge`; without it the demo's.",
        show_default=False,
    ),
]
InTitle = Annotated[
    str | None,
    typer.Option("--in", metavar="TITLE", help="Ask about this document.", show_default=False),
]
Hops = Annotated[int, typer.Option(min=0, help="How often to search on from what was found.")]
Milliseconds = Annotated[
    float | None,
    typer.Option(help="Begin no new step after this time.", show_default=False),
]
MinConfidence = Annotated[
    float | None,
    typer.Option(
        metavar="X",
        help="How sure an answer is to be, from 0 to 1; one that is less sure, but likelier than "
        "not, is called probable. 0.7 unless `lacuna config` says otherwise.",
        show_default=False,
    ),
]
Alternatives = Annotated[
    int,
    typer.Option(min=0, max=5, help="How many of the other answers considered are shown, too."),
]
Trace = Annotated[bool, typer.Option("--trace", help="Show what was done, step by step.")]

# A corpus, and what is looked for in it: --corpus can be left out before the other arguments
OF_CORPUS = "CORPUS is the same as --corpus CORPUS."
JustCorpus = Annotated[
    list[str] | None, typer.Argument(metavar="[CORPUS]", help=OF_CORPUS, show_default=False)
]
CorpusAndTitle = Annotated[
    list[str] | None,
    typer.Argument(
        metavar="[CORPUS] TITLE",
        help=f"A document's title, in any case or spelling. {OF_CORPUS}",
        show_default=False,
    ),
]
RecordsOutput = Annotated[
    Path | None,
    typer.Option("--output", "-o", metavar="FILE", help="Write there instead of printing."),
]
Seed = Annotated[int, typer.Option(help="The same seed gives the same result.")]

Json = Annotated[bool, typer.Option("--json", help="Print one JSON object instead of tables.")]
