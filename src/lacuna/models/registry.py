"""Readers by name: the shipped model, a folder with one, ``llm``, or one of another package."""

from __future__ import annotations

from difflib import get_close_matches
from pathlib import Path
from typing import Any

from lacuna.errors import LacunaError
from lacuna.models.model_folder import DEFAULTS, ModelSystem, find_model, is_shipped
from lacuna.models.protocol import Reader
from lacuna.models.torch_backend import load_torch_backend
from lacuna.plugins import PluginGroup, load_plugin, plugin_names, split_name

LLM = "llm"


def open_reader(name: str | Path, *, threads: int | None = None) -> Reader:
    """What reads under a name: ``small``, a folder that training wrote, or a reader like ``llm``.

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
    if part == LLM:
        from lacuna.models.llm.llm_reader import open_llm_reader

        return open_llm_reader
    return load_plugin(PluginGroup.READERS, part)


def _no_reader(name: str, part: str) -> LacunaError:
    known = dict.fromkeys((DEFAULTS[ModelSystem.READER], LLM, *plugin_names(PluginGroup.READERS)))
    close = get_close_matches(part.casefold(), known, n=1)
    hint = f" Did you mean {close[0]}?" if close else ""
    return LacunaError(
        f"there is no model {name!r}.{hint} Give one of {', '.join(known)}, or a folder that "
        "`lacuna train` wrote."
    )
