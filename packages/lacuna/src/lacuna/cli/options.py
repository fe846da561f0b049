"""The arguments and options that several commands share, and what they open."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from lacuna.cli.console import counting_bar, notify
from lacuna.cli.settings import (
    PROJECT_FILE,
    Setting,
    SettingName,
    from_environment,
    read_settings,
    user_file,
)
from lacuna.datasets import DATASETS, dataset_names
from lacuna.errors import LacunaError
from lacuna.files.writing import check_writable, where_written
from lacuna.pipeline.config import MIN_CONFIDENCE

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from lacuna.corpus.store import Store
    from lacuna.pipeline.config import PipelineConfig
    from lacuna.pipeline.gapqa import FillsGaps
    from lacuna.pipeline.pipeline import Pipeline


DEFAULTS: dict[SettingName, Setting] = {
    SettingName.CORPUS: [],
    SettingName.MODEL: "small",
    SettingName.MIN_CONFIDENCE: MIN_CONFIDENCE,
    SettingName.THREADS: None,
}
"""What counts where nobody has chosen; no corpus stands for the demo."""


@dataclass(frozen=True, slots=True)
class ChosenSetting:
    """A value, and who says so: a variable, a file, or "default"."""

    value: Setting
    source: str


def chosen(name: SettingName) -> ChosenSetting:
    """What counts where no option says otherwise."""
    if (value := from_environment(name)) is not None:
        return ChosenSetting(value, name.variable)
    for path in (PROJECT_FILE, user_file()):
        if (value := read_settings(path).get(name)) is not None:
            return ChosenSetting(value, str(path))
    return ChosenSetting(DEFAULTS[name], "default")


def chosen_corpora(given: Sequence[Path] | None) -> list[Path]:
    """What is asked; nothing stands for the demo.

    A note says it where a project's file chose it: someone else may have written that.
    """
    from lacuna.cli.console import notify

    if given:
        return list(given)
    setting = chosen(SettingName.CORPUS)
    assert isinstance(setting.value, list)
    if setting.source == str(PROJECT_FILE):
        notify(f"This asks {' and '.join(setting.value)}, as {PROJECT_FILE} says.")
    return [Path(path) for path in setting.value]


def chosen_model(given: str | None = None) -> str:
    """The model that reads."""
    return given or str(chosen(SettingName.MODEL).value)


def chosen_confidence(given: float | None = None) -> float:
    """How sure an answer is to be."""
    value = chosen(SettingName.MIN_CONFIDENCE).value if given is None else given
    assert isinstance(value, float | int)
    return float(value)


def chosen_threads() -> int | None:
    """How many processor cores are used; None for all of them."""
    value = chosen(SettingName.THREADS).value
    assert isinstance(value, int | None)
    return value


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
        help="A file, plain or gzipped. Without one, Lacuna takes the demo's questions (iirc, "
        "openbookqa) or dialogs (quac).",
        show_default=False,
    ),
]
SettingOption = Annotated[
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
Resume = Annotated[
    bool,
    typer.Option("--resume", help="Go on where the same command stopped."),
]
PredictionsOutput = Annotated[
    Path | None,
    typer.Option("--out", "-o", metavar="PRED", help="Also write the predictions there."),
]
HumanFile = Annotated[
    Path | None,
    typer.Option(
        "--human",
        metavar="FILE",
        help="Show what people reach beside the systems: human.json of a project that `lacuna "
        "collect init --task human-check` made.",
        show_default=False,
    ),
]

# What answers
SYSTEMS = (
    "What answers: reader (the default), or a model as --model of `lacuna ask` takes it; "
    "gapqa[:MODEL] (openbookqa), which fills the gap between a fact and a choice from a knowledge "
    "base; abstain, which never answers; a simple baseline of the dataset's paper, with the file "
    "it learns from (transition-matrix:TRAIN) or its encoder (sentence-similarity:ENCODER); or "
    "the paper's own network, trained (hotpotqa-paper:DIR, quac-paper:DIR, iirc-paper:DIR, "
    "iirc-links:DIR, iirc-unanswerable:DIR)."
)
Systems = Annotated[
    list[str] | None,
    typer.Option(
        "--system",
        metavar="NAME[:MODEL]",
        help=f"{SYSTEMS} Give it several times to compare systems: the first is the baseline.",
        show_default=False,
    ),
]
OneSystem = Annotated[
    str | None,
    typer.Option("--system", metavar="NAME[:MODEL]", help=SYSTEMS, show_default=False),
]
ModelName = Annotated[
    str | None,
    typer.Option(
        "--model",
        metavar="NAME|DIR",
        help="A shipped model, a folder with one, llm:NAME (a language model on a server), or a "
        "reader from another package. Without it, Lacuna takes the model of `lacuna config`, or "
        "else small.",
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
# What is asked
Corpora = Annotated[
    list[Path] | None,
    typer.Option(
        "--corpus",
        metavar="PATH",
        help="A folder, archive or file of documents, or a corpus made by `lacuna index`; several "
        "are one corpus. Without --corpus, Lacuna takes that of `lacuna config`, or else the demo.",
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
        "collections, the folder that holds them, or each of them. Without --corpus, the demo's "
        "questions go to the demo corpus.",
        show_default=False,
    ),
]

# Servers
Host = Annotated[str, typer.Option(help="Listen on this address; 0.0.0.0 lets other machines in.")]
Port = Annotated[
    int, typer.Option(min=0, max=65535, help="Listen on this port; 0 takes any free one.")
]
HostNames = Annotated[
    list[str] | None,
    typer.Option(
        "--allow-host",
        metavar="NAME",
        help="Let people reach the server under this name, such as notes.example.org. Give it "
        "several times for several names; numeric addresses and localhost always work.",
        show_default=False,
    ),
]
TokenFile = Annotated[
    Path | None,
    typer.Option(
        metavar="FILE",
        help="Keep the token in this file, so that it stays the same; Lacuna makes the file, for "
        "you alone, where there is none. For several people, write a line for each: nobody sees "
        "what another asks and uploads.",
        show_default=False,
    ),
]
NoToken = Annotated[
    bool,
    typer.Option(
        "--no-token",
        help="Ask for no token. Everybody who can reach the address, every user of this machine "
        "too, can read what is open, ask, and upload.",
    ),
]

Watch = Annotated[
    bool,
    typer.Option("--watch", help="Look for changed files every few seconds and read them again."),
]
Knowledge = Annotated[
    Path | None,
    typer.Option(
        metavar="DIR",
        help="Fill gaps from this base, made by `lacuna knowledge`; without it, from the demo's.",
        show_default=False,
    ),
]
InTitle = Annotated[
    str | None,
    typer.Option("--in", metavar="TITLE", help="Ask about this document.", show_default=False),
]
MinConfidence = Annotated[
    float | None,
    typer.Option(
        metavar="X",
        help="Call an answer probable where it is less sure than this, from 0 to 1; 0.7 unless "
        "`lacuna config` says otherwise.",
        show_default=False,
    ),
]
Alternatives = Annotated[
    int,
    typer.Option(min=0, max=5, help="Show so many of the other answers it considered."),
]
Trace = Annotated[bool, typer.Option("--trace", help="Show every step.")]

# A corpus, and what is looked for in it
OF_CORPUS = (
    "A corpus made by `lacuna index`, or a folder, archive or file of documents; several are one "
    "corpus. Without one, Lacuna takes that of `lacuna config`, or else the demo."
)
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
    typer.Option("--out", "-o", metavar="FILE", help="Write there instead of printing."),
]
Json = Annotated[bool, typer.Option("--json", help="Print one JSON object instead of tables.")]


def one_text(words: Sequence[str], what: str) -> str:
    """The one text that was typed; several words are one that lacks its quotes.

    >>> one_text(["Who was first?"], "question")
    'Who was first?'
    """
    if len(words) > 1:
        raise LacunaError(
            f"The {what} came as {len(words)} arguments. Put quotes around it: "
            f'"{" ".join(words)}". Name the documents with --corpus.'
        )
    (text,) = words
    if not text.strip():
        raise LacunaError(f"The {what} is empty. Write one, in quotes.")
    return text


def split_corpus(given: Sequence[str] | None, *names: str) -> tuple[list[Path], list[str]]:
    """The corpus to open, and the arguments of those names, which stand last.

    Where nothing stands before them, the corpus is that of `lacuna config`, or else the demo.

    >>> split_corpus(["Tern"], "TITLE")
    ([], ['Tern'])
    """
    from lacuna.corpus.address import is_address

    arguments = list(given or ())
    if len(arguments) < len(names):
        missing = " and ".join(names[len(arguments) :])
        raise LacunaError(f"{missing} is missing. Give it after the options.")
    first = len(arguments) - len(names)
    corpora = [Path(path) for path in arguments[:first]]
    if names and len(corpora) > 1:
        for path in corpora:
            if not is_address(path) and not path.exists():
                raise LacunaError(
                    f"There is no file or folder {path}. All but the last "
                    f"{'argument' if len(names) == 1 else f'{len(names)} arguments'} name the "
                    f"corpus; put quotes around a {names[-1]} that holds spaces."
                )
    return chosen_corpora(corpora), arguments[first:]


def made_by_index(corpora: Sequence[Path]) -> Path:
    """The one corpus that a verb is to change; documents of other sources are changed there."""
    from lacuna.corpus.address import is_address
    from lacuna.corpus.store import is_corpus

    if len(corpora) != 1:
        raise LacunaError("Name the one corpus that is to be changed, made by `lacuna index`.")
    (folder,) = corpora
    if not is_address(folder) and not folder.exists():
        raise LacunaError(f"There is no folder {folder}.")
    if not is_corpus(folder):
        raise LacunaError(
            f"{folder} is not a corpus made by `lacuna index`, so nothing can be removed from it "
            "here: remove or change its files, and the next question sees that."
        )
    return folder


def check_outputs(
    outputs: Iterable[Path | None], *, reads: Iterable[str | Path | None] = ()
) -> None:
    """Refuse files that must not or cannot be written; None stands for an option not given.

    ``reads`` is all that the verb reads. An output is refused where it is one of these by any name
    (a link, a hard link), lies in a folder among them, lies in a corpus, or is named twice.
    """
    read = [Path(path) for path in reads if path is not None]
    taken: list[Path] = []
    for output in filter(None, outputs):
        place = where_written(output)
        if any(_same(place, other) for other in taken):
            raise LacunaError(f"{output} is named twice. Give each file that is written its own.")
        taken.append(place)
        _check_place(output, place, read)
        _check_outside_stores(output, place.parent)
        check_writable(output)


def check_output_folder(
    folder: Path, *, reads: Iterable[Path | None] = (), may_be_corpus: bool = False
) -> None:
    """The same for a folder that is written as a whole; an address lies in no folder."""
    from lacuna.corpus.address import address_of, place_text

    if (address := address_of(folder)) is not None:
        if address in map(place_text, filter(None, reads)):
            raise LacunaError(f"{address} is read by this command. Choose another address.")
        return
    place = where_written(folder)
    _check_place(folder, place, [path for path in reads if path is not None])
    _check_outside_stores(folder, place.parent if may_be_corpus else place)


def _check_place(output: Path, place: Path, reads: list[Path]) -> None:
    for path in reads:
        if _same(place, path):
            raise LacunaError(
                f"{output} is read by this command, so it cannot be written. Give another name."
            )
        if path.is_dir() and place.is_relative_to(path.resolve()):
            raise LacunaError(
                f"{output} lies in {path}, which is read by this command. Choose a place outside "
                "of it."
            )


def _check_outside_stores(output: Path, place: Path) -> None:
    from lacuna.corpus.store import is_store

    for folder in (place, *place.parents):
        if is_store(folder):
            raise LacunaError(
                f"{output} lies in the corpus {folder}, whose files only `lacuna index` and "
                "`lacuna corpus` write. Choose a place outside of it."
            )


def _same(place: Path, other: Path) -> bool:
    """Whether two paths lead to one file; devices and pipes may be read and written at once."""
    if place.exists() and other.exists():
        return place.samefile(other) and (place.is_file() or place.is_dir())
    return place == where_written(other)


def open_with_bar(corpora: Sequence[Path], *, as_json: bool = False) -> Store:
    """A corpus for any verb: of one source, of several, or the demo without one.

    A bar shows how far the indexing is, and a line says what could not be read, unless the output
    is for a program.
    """
    from lacuna import demo
    from lacuna.cli.console import skipped_line
    from lacuna.corpus.open import open_store

    if not corpora:
        notify(demo.ASKS_CORPUS)
    name = " and ".join(corpus.name for corpus in corpora) or "the demo corpus"
    bars: list[Callable[[int], None]] = []
    with ExitStack() as stack:

        def show_indexing(done: int, total: int | None) -> None:
            if not bars:  # most often it is indexed already, and there is nothing to show
                bars.append(stack.enter_context(counting_bar(f"Indexing {name}", total)))
            bars[0](done)

        store = open_store(corpora, progress=show_indexing)
    # Only when it is read: what does not change is not said before every answer.
    if bars and not as_json and (line := skipped_line(store, corpora)):
        notify(line)
    return store


@contextmanager
def opened_store(corpora: Sequence[Path], *, as_json: bool = False) -> Iterator[Store]:
    """The same, closed at the end."""
    with open_with_bar(corpora, as_json=as_json) as store:
        yield store


@contextmanager
def opened_pipeline(
    corpora: Sequence[Path],
    *,
    model: str,
    retriever: str | None,
    config: PipelineConfig,
    as_json: bool = False,
) -> Iterator[Pipeline]:
    """The corpus, ready for questions."""
    from lacuna.cli.console import spinner
    from lacuna.pipeline.open_corpus import pipeline_over
    from lacuna.retrieve.registry import open_retriever

    with opened_store(corpora, as_json=as_json) as store:
        with spinner("loading the model"):
            pipeline = pipeline_over(
                store,
                model=model,
                retriever=None if retriever is None else partial(open_retriever, retriever),
                threads=chosen_threads(),
                config=config,
            )
        yield pipeline


def opened_gapqa(knowledge: Path | None, *, model: str | None, hidden: Iterable[str]) -> FillsGaps:
    """GapQA, ready for questions."""
    from lacuna import demo
    from lacuna.models.model_folder import DEFAULTS, ModelSystem
    from lacuna.pipeline.gapqa import open_gapqa

    if knowledge is None:
        notify(demo.ASKS_KNOWLEDGE)
    return open_gapqa(
        knowledge,
        model=model or DEFAULTS[ModelSystem.GAPQA],
        threads=chosen_threads(),
        hidden=hidden,
    )
