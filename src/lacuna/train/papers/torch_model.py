"""A paper's network: saved in a folder, loaded again, and run as a reader."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from threading import Lock
from typing import Any

import torch
from safetensors import SafetensorError
from safetensors.torch import load_file
from torch import Tensor, nn

from lacuna.answer_mode import AnswerMode
from lacuna.errors import LacunaError
from lacuna.files.writing import replace_text
from lacuna.models.model_folder import WORDS, ModelFolder, write_config
from lacuna.models.protocol import Progress
from lacuna.train.devices import best_device
from lacuna.train.gapqa.word_vectors import Vocabulary
from lacuna.train.papers.dataset import PaperDataset
from lacuna.train.papers.encoded.encoder import encoder_of_model
from lacuna.train.papers.encoded.pieces import PieceTokenizer
from lacuna.train.papers.model_files import paper_config, save_weights
from lacuna.train.papers.recipe import PaperRecipe
from lacuna.train.papers.task import PaperTask
from lacuna.train.papers.tasks import make_paper_task
from lacuna.train.papers.tokens import TokenTable
from lacuna.train.papers.trainer import PaperTrainingEnd
from lacuna.types import Prediction, Question

READ_TOGETHER = 16
LONGEST_READ = 2500
"""Words of a context that are read; attention to itself takes the square of that in memory."""
VECTORS = "body.embedding.vectors.weight"


def save_paper(
    network: Any,
    recipe: PaperRecipe,
    words: tuple[Vocabulary, PieceTokenizer | None],
    folder: Path,
    seed: int,
    end: PaperTrainingEnd,
) -> None:
    """Write a folder that ``load_paper_reader`` understands."""
    save_weights(network, folder)
    vocabulary, tokenizer = words
    with replace_text(folder / WORDS) as text:
        text.writelines(f"{word}\n" for word in vocabulary.known)
    if tokenizer is not None:
        network.body.contextual.encoder.save(folder)
        tokenizer.save(folder)
    write_config(folder, paper_config(recipe, seed, end))


class PaperReader:
    """Answers with a paper's own network, on the GPU if there is one."""

    at_once = 256

    def __init__(
        self,
        task: PaperTask,
        network: nn.Module,
        vocabulary: Vocabulary,
        tokenizer: PieceTokenizer | None = None,
    ) -> None:
        self._task, self._vocabulary, self._tokenizer = task, vocabulary, tokenizer
        self._device = best_device()
        self._network = network.to(self._device).eval()
        self._lock = Lock()

    def read(
        self,
        questions: Sequence[Question],
        *,
        mode: AnswerMode = AnswerMode.ASK,
        progress: Progress | None = None,
    ) -> list[Prediction]:
        """One prediction for each question; the network answers in its paper's way alone."""
        with self._lock:  # a task keeps the section that it read last
            return self._read(questions, progress)

    def _read(self, questions: Sequence[Question], progress: Progress | None) -> list[Prediction]:
        table = TokenTable()
        examples = [self._task.example(one, table, LONGEST_READ) for one in questions]
        if not examples:
            return []
        data = PaperDataset(self._task, examples, table.arrays(self._vocabulary, self._tokenizer))
        order = data.by_length(range(len(examples)))
        predictions: dict[int, Prediction] = {}
        for at, (batch, size) in enumerate(data.batches(order, READ_TOGETHER)):
            chosen = order[at * READ_TOGETHER : at * READ_TOGETHER + size]
            with torch.no_grad():
                given = self._task.predictions(
                    self._network,
                    batch.to(self._device),
                    [questions[number] for number in chosen],
                    [examples[number] for number in chosen],
                )
            predictions |= zip(chosen, given, strict=True)
            if progress is not None:
                progress(size)
        return [predictions[number] for number in range(len(questions))]


def load_paper_reader(folder: ModelFolder, threads: int | None) -> PaperReader:
    """A trained network to read with."""
    if threads is not None:
        torch.set_num_threads(threads)
    vocabulary, vectors = load_words(folder)
    task = make_paper_task(folder.config["recipe"], str(folder.path))
    with _reading(folder):
        contextual = bool(task.recipe.contextual)
        encoder = encoder_of_model(folder.path) if contextual else None
        tokenizer = PieceTokenizer.load(folder.path) if contextual else None
    network = task.network(torch.zeros_like(vectors), encoder)
    load_weights(folder, network)
    return PaperReader(task, network, vocabulary, tokenizer)


def load_words(folder: ModelFolder) -> tuple[Vocabulary, Tensor]:
    """The words of a trained network, and their vectors."""
    with _reading(folder):
        # splitlines would also split at some of GloVe's words.
        vocabulary = Vocabulary((folder.path / WORDS).read_text("utf-8").split("\n")[:-1])
        return vocabulary, load_file(folder.network)[VECTORS]


def load_weights(folder: ModelFolder, network: nn.Module) -> None:
    """Put what was trained into a network of the same shape."""
    with _reading(folder):
        network.load_state_dict(load_file(folder.network))


@contextmanager
def _reading(folder: ModelFolder) -> Iterator[None]:
    try:
        yield
    except (KeyError, OSError, RuntimeError, SafetensorError, ValueError, TypeError) as problem:
        raise LacunaError(
            f"the network in {folder.path} cannot be read ({problem}). It may be cut short, of "
            "another version or another shape; train it again."
        ) from problem
