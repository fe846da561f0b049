"""The interface of readers, and readers by name."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from difflib import get_close_matches
from importlib import import_module
from pathlib import Path
from typing import Any, Protocol, runtime_checkable

from lacuna.answers import AnswerMode
from lacuna.errors import LacunaError, needs
from lacuna.models.model_folder import (
    DEFAULTS,
    WEIGHTS,
    ModelFolder,
    ModelSystem,
    find_model,
    is_shipped,
)
from lacuna.plugins import PluginGroup, load_plugin, plugin_names, split_name
from lacuna.types import Prediction, Question

Progress = Callable[[int], None]
"""Told how many more questions are done."""


class Reader(Protocol):
    """Answers questions from the texts that they come with; several threads may share one."""

    def read(
        self,
        questions: Sequence[Question],
        *,
        mode: AnswerMode = AnswerMode.ASK,
        progress: Progress | None = None,
    ) -> list[Prediction]:
        """One prediction for each question, of the kind "none" where its texts do not answer it."""
        ...


@runtime_checkable
class ShortensQuestions(Protocol):
    """A reader that reads no more than so much of a question."""

    def readable(self, question: str) -> str:
        """The question, or the part of it that is read where it is too long."""
        ...


def part_read_by(reader: Reader) -> Callable[[str], str]:
    """What gives the part of a question that a reader reads: all, unless it says otherwise."""
    return reader.readable if isinstance(reader, ShortensQuestions) else str


def readable(reader: Reader, question: str) -> str:
    """That part of one question."""
    return part_read_by(reader)(question)


def is_measured(reader: Reader) -> bool:
    """Tell if a reader's confidence was measured on questions whose answers are known."""
    return bool(getattr(reader, "measured", False))


LOADERS = {
    ModelSystem.READER: "lacuna_lab.train.network:load_backend",
    ModelSystem.GAPQA: "lacuna_lab.gapqa.run:load_gap_backend",
    ModelSystem.HOTPOTQA_PAPER: "lacuna_lab.papers.run:load_paper_reader",
    ModelSystem.QUAC_PAPER: "lacuna_lab.papers.run:load_paper_reader",
    ModelSystem.IIRC_LINKS: "lacuna_lab.papers.iirc:load_link_chooser",
    ModelSystem.IIRC_CONTEXT: "lacuna_lab.papers.iirc:load_window_chooser",
    ModelSystem.IIRC_PAPER: "lacuna_lab.papers.iirc:load_staged",
    ModelSystem.IIRC_UNANSWERABLE: "lacuna_lab.papers.iirc:load_staged",
    ModelSystem.BIDAF: "lacuna_lab.papers.run:load_paper_reader",
    ModelSystem.QUESTION_TO_CHOICE: "lacuna_lab.papers.run:load_paper_reader",
    ModelSystem.ESIM: "lacuna_lab.papers.run:load_paper_reader",
    ModelSystem.KER: "lacuna_lab.papers.run:load_paper_reader",
}
"""The loader of each system's trained network, as MODULE:FUNCTION."""
SENTENCES = "lacuna_lab.train.sentence_encoder:open_encoder"
"""The loader of a pretrained encoder of sentences."""


def load_torch_backend(folder: ModelFolder, *arguments: Any) -> Any:
    """The backend of a model that was not exported; ``arguments`` are those of its loader."""
    if not folder.network.is_file():
        raise LacunaError(
            f"the model in {folder.path} has no weights: {WEIGHTS} is missing. Get the model "
            "again, or train it anew."
        )
    system = ModelSystem(folder.config.get("system", ModelSystem.READER))
    can_be = system in (ModelSystem.READER, ModelSystem.GAPQA)
    instead = " (or export it with `lacuna export`)" if can_be else ""
    with needs("lab", f"The model in {folder.path} is not exported; to run it as trained{instead}"):
        loader = _loader(LOADERS[system])
    return loader(folder, *arguments)


def load_sentence_encoder(name: str, threads: int | None) -> Any:
    """A pretrained encoder that was neither trained nor exported here."""
    with needs("lab", f"The pretrained encoder {name}"):
        loader = _loader(SENTENCES)
    return loader(name, threads)


def _loader(where: str) -> Any:
    module, _, function = where.partition(":")
    return getattr(import_module(module), function)


LLM = "llm"
READERS = {LLM: "lacuna.models.llm.llm_reader:open_llm_reader"}
"""Readers that are no model of a folder, by name, and what opens each."""


def open_reader(name: str | Path, *, threads: int | None = None) -> Reader:
    """Open the reader of a name: ``small``, a folder that training wrote, or a reader like ``llm``.

    Such a reader may take an argument behind a colon (``llm:qwen2.5``). A name means what comes
    with Lacuna first, then a plugin; a folder of the same name is given as ``./NAME``.
    """
    text = str(name)
    if not is_shipped(text) and isinstance(name, str):
        part, argument = split_name(text)
        opens = _opener(part)
        if opens is not None:
            reader: Reader = opens(argument, threads=threads)
            if not callable(getattr(reader, "read", None)):
                raise LacunaError(
                    f"the reader {part!r} cannot read: what its package gives has no method "
                    "`read`. Mend or remove the package that offers it."
                )
            return reader
        if not Path(name).is_dir():
            raise _no_reader(text, part)

    from lacuna.models.reader.reader import ModelReader

    return ModelReader.load(name, threads=threads)


def open_paper_reader(
    name: str | Path, system: ModelSystem, *, threads: int | None = None
) -> Reader:
    """A paper's own network, from a folder that training wrote."""
    reader: Reader = load_torch_backend(find_model(name, system=system), threads)
    return reader


def _opener(part: str) -> Any | None:
    if part in READERS:
        return _loader(READERS[part])
    return load_plugin(PluginGroup.READERS, part)


def _no_reader(name: str, part: str) -> LacunaError:
    known = dict.fromkeys(
        (DEFAULTS[ModelSystem.READER], *READERS, *plugin_names(PluginGroup.READERS))
    )
    close = get_close_matches(part.casefold(), known, n=1)
    hint = f" Did you mean {close[0]}?" if close else ""
    return LacunaError(
        f"there is no model {name!r}.{hint} Give one of {', '.join(known)}, or a folder that "
        "`lacuna train` wrote."
    )
