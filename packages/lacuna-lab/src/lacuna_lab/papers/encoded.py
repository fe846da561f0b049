"""Networks of the papers that begin with a pretrained encoder."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import islice
from pathlib import Path
from typing import Any, NamedTuple, Protocol

import numpy as np
import torch
from safetensors import SafetensorError
from safetensors.torch import load_file
from torch import Tensor, nn

from lacuna.errors import LacunaError
from lacuna.models.model_folder import ModelFolder, write_config
from lacuna.models.reader.encode import TokenText
from lacuna_lab.data.sources import content_digest
from lacuna_lab.papers.layers import TensorBatch
from lacuna_lab.papers.trainer import PaperTrainingEnd, paper_config, save_weights
from lacuna_lab.papers.words import (
    Ints,
    PaperBatch,
    PaperExamples,
    PaperRecipe,
    PieceEncoder,
    PieceTokenizer,
    encoder_of_model,
    padded,
    pretrained_encoder,
)
from lacuna_lab.train.checkpoint import Progress, best_device
from lacuna_lab.train.recipe import check_positive


@dataclass(frozen=True, slots=True, kw_only=True)
class EncoderRecipe(PaperRecipe):
    """``learning_rate`` is the encoder's."""

    encoder: str = ""
    """A folder, or a name on the model hub; ``--encoder`` gives another."""
    head_rate: float = 5e-4
    """The learning rate of all that is not the encoder."""
    dropout: float = 0.1
    longest: int = 512
    """Word pieces of an input; what is behind them is not read."""
    epochs: int = 4
    batch: int = 16
    learning_rate: float = 5e-5

    def check(self, where: str) -> None:
        PaperRecipe.check(self, where)
        check_positive(self, ("head_rate",), where)

    def learned(self, network: nn.Module) -> list[dict[str, Any]]:
        """The encoder's weights, and those above it with a rate of their own."""
        encoder: list[Any] = []
        heads: list[Any] = []
        for name, weight in network.named_parameters():
            if not weight.requires_grad:
                continue
            (encoder if name.startswith("encoder.") else heads).append(weight)
        return [{"params": encoder}, {"params": heads, "lr": self.head_rate}]


LONGEST_QUESTION = 128
"""Word pieces of a question; hardly any is as long."""


@dataclass(frozen=True, slots=True, kw_only=True)
class PieceExample:
    """An input of an encoder."""

    ids: Ints
    group: str
    """The group that is held out together: questions about one text."""

    @property
    def length(self) -> int:
        """The number of pieces."""
        return len(self.ids)


@dataclass(frozen=True, slots=True, kw_only=True)
class PieceBatch(TensorBatch):
    """Inputs of an encoder, both [texts, pieces]."""

    ids: Tensor
    mask: Tensor


def piece_part(examples: Sequence[PieceExample], pad: int) -> dict[str, Tensor]:
    """The tensors that every batch has, by the names of ``PieceBatch``."""
    ids = padded([example.ids for example in examples], pad).astype(np.int64)
    lengths = np.array([len(example.ids) for example in examples])
    mask = np.arange(ids.shape[1])[None, :] < lengths[:, None]
    return {"ids": torch.from_numpy(ids), "mask": torch.from_numpy(mask)}


@dataclass(frozen=True, slots=True)
class PieceInput:
    """[CLS] question [SEP] text, text, … [SEP], cut to a length; texts follow without a mark.

    ``firsts`` is where each text begins, ``kept`` how many of its pieces there is room for.
    """

    ids: Ints
    question: TokenText
    texts: tuple[TokenText, ...]
    firsts: tuple[int, ...]
    kept: tuple[int, ...]

    def cover(self, text: int, start: int, end: int) -> tuple[int, int] | None:
        """The first and last piece of a stretch of a text; None where it does not fit in whole."""
        own = self.texts[text].cover(start, end)
        if own is None or own[1] >= self.kept[text]:
            return None
        return self.firsts[text] + own[0], self.firsts[text] + own[1]

    def cover_question(self, start: int, end: int) -> tuple[int, int] | None:
        """The same for a stretch of the question."""
        own = self.question.cover(start, end)
        return None if own is None else (1 + own[0], 1 + own[1])


def piece_input(
    question: str, texts: Sequence[str], tokenizer: PieceTokenizer, longest: int
) -> PieceInput:
    """A question and texts as one input of at most ``longest`` pieces."""
    whole = tokenizer.encode(question)
    asked = TokenText(*(part[: min(LONGEST_QUESTION, longest // 2)] for part in whole))
    ids = [tokenizer.begin, *asked.ids.tolist(), tokenizer.separator]
    encoded = tuple(map(tokenizer.encode, texts))
    firsts, kept = [], []
    for text in encoded:
        room = max(0, longest - len(ids) - 1)
        firsts.append(len(ids))
        kept.append(min(room, len(text.ids)))
        ids += text.ids[:room].tolist()
    if texts:
        ids.append(tokenizer.separator)
    return PieceInput(np.array(ids, np.int32), asked, encoded, tuple(firsts), tuple(kept))


class EncoderTask(Protocol):
    """Made with a recipe; examples and batches are those of its own network."""

    @property
    def recipe(self) -> EncoderRecipe:
        """The settings that decide the run."""
        ...

    def files(self, data: Path) -> list[Path]:
        """The files and folders that it learns from; an error names what is missing."""
        ...

    def trainable(self, data: Path, tokenizer: PieceTokenizer) -> Iterator[Sequence[PieceExample]]:
        """The examples to learn from, those of one question after the other; some have none."""
        ...

    def network(self, encoder: PieceEncoder) -> nn.Module:
        """A network before its first step; its ``loss`` takes a batch."""
        ...

    def batch(self, examples: Sequence[Any], pad: int) -> PaperBatch:
        """Several examples as tensors."""
        ...


@dataclass(frozen=True, slots=True)
class PieceDataset(PaperExamples):
    """Examples with the tokenizer that they were made with."""

    task: EncoderTask
    examples: Sequence[PieceExample]
    tokenizer: PieceTokenizer

    @property
    def recipe(self) -> PaperRecipe:
        return self.task.recipe

    def batch(self, numbers: Sequence[int]) -> PaperBatch:
        return self.task.batch([self.examples[number] for number in numbers], self.tokenizer.pad)

    def read(self, device: torch.device, size: int) -> Iterator[tuple[list[int], Any]]:
        """All examples in batches of similar length, and which of them are in each."""
        order = self.by_length(range(len(self.examples)))
        for at in range(0, len(order), size):
            chosen = order[at : at + size]
            yield chosen, self.batch(chosen).to(device)


READ_TOGETHER = 32
"""Inputs that are read in one batch."""


class LoadedNetwork(NamedTuple):
    """A trained network, ready to read, with what it is made of."""

    task: Any
    network: Any
    tokenizer: PieceTokenizer
    device: torch.device


def save_encoded(
    network: Any,
    recipe: EncoderRecipe,
    tokenizer: PieceTokenizer,
    folder: Path,
    seed: int,
    end: PaperTrainingEnd,
) -> None:
    """Write a folder that ``load_encoded`` understands."""
    save_weights(network, folder)
    network.encoder.save(folder)
    tokenizer.save(folder)
    write_config(folder, paper_config(recipe, seed, end))


def load_encoded(folder: ModelFolder, threads: int | None) -> LoadedNetwork:
    """A trained network, on the GPU if there is one."""
    from lacuna_lab.papers.run import make_paper_task

    if threads is not None:
        torch.set_num_threads(threads)
    try:
        task = make_paper_task(folder.config["recipe"], str(folder.path))
        network: nn.Module = task.network(encoder_of_model(folder.path))
        network.load_state_dict(load_file(folder.network))
        tokenizer = PieceTokenizer.load(folder.path)
    except LacunaError:
        raise
    except Exception as problem:  # tokenizers raises nothing more special
        known = (KeyError, OSError, RuntimeError, SafetensorError, ValueError, TypeError)
        if not isinstance(problem, known) and type(problem) is not Exception:
            raise
        raise LacunaError(
            f"the network in {folder.path} cannot be read ({problem}). It may be cut short or of "
            "another version; train it again."
        ) from problem
    device = best_device()
    return LoadedNetwork(task, network.to(device).eval(), tokenizer, device)


@dataclass(frozen=True)
class EncoderPlan:
    """The task of a recipe, the data, and the run's own folder."""

    task: EncoderTask
    data: Path
    out: Path

    def described(self) -> list[tuple[str, str]]:
        """The steps of the run in words."""
        recipe = self.task.recipe
        return [
            ("questions", ", ".join(map(str, self.task.files(self.data)))),
            ("encoder", recipe.encoder),
            ("training", f"{recipe.epochs} epochs, {recipe.batch} inputs a batch"),
            ("seeds", ", ".join(map(str, recipe.seeds))),
        ]

    @cached_property
    def digest(self) -> str:
        """Changes with the files that are learned from, and with the encoder."""
        encoder, files = self.task.recipe.encoder, self.task.files(self.data)
        if Path(encoder).is_dir():
            return content_digest([*files, Path(encoder)])
        return f"{content_digest(files)} {encoder}"

    def prepare(self, progress: Progress | None = None) -> PieceDataset:
        """The examples, with the encoder's tokenizer."""
        tokenizer = PieceTokenizer.of_encoder(self.task.recipe.encoder)
        examples: list[PieceExample] = []
        questions = self.task.trainable(self.data, tokenizer)
        for seen, own in enumerate(islice(questions, self.task.recipe.at_most or None), 1):
            examples += own
            if progress is not None:
                progress(seen)
        if not examples:
            raise LacunaError(
                f"{self.task.files(self.data)[0]} has no question to learn from: none whose "
                "labels the recipe can use."
            )
        return PieceDataset(self.task, examples, tokenizer)

    def network(self, prepared: PieceDataset) -> nn.Module:
        """The network before its first step."""
        return self.task.network(pretrained_encoder(self.task.recipe.encoder))

    def save(
        self,
        network: nn.Module,
        prepared: PieceDataset,
        folder: Path,
        seed: int,
        end: PaperTrainingEnd,
    ) -> None:
        """Write the model's folder."""
        save_encoded(network, self.task.recipe, prepared.tokenizer, folder, seed, end)


def plan_encoded(task: EncoderTask, data: Path, out: Path) -> EncoderPlan:
    """Check everything that can be checked before any work is done."""
    recipe = task.recipe
    if not recipe.encoder:
        raise LacunaError(
            f"the recipe {recipe.name} names no encoder. Give a folder with one, or a name that "
            "the model hub knows: --encoder DIR|NAME."
        )
    task.files(data)
    return EncoderPlan(task, data, out)
