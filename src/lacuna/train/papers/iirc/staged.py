"""What reads the context of IIRC's first two stages: the reader, and the classifiers of table 6."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import torch

from lacuna.answer_mode import AnswerMode
from lacuna.models.model_folder import ModelFolder
from lacuna.models.protocol import Progress
from lacuna.train.papers.encoded.dataset import PieceDataset
from lacuna.train.papers.encoded.torch_model import READ_TOGETHER, LoadedNetwork, load_encoded
from lacuna.train.papers.iirc.stages import LINKS, ContextStages, load_stages
from lacuna.types import Prediction, Question


class StagedReader:
    """Reads questions with the texts that they come with, on the GPU if there is one.

    When a corpus is asked, the models of the two stages before it are loaded: those that stand
    beside its run, or else those that its recipe names.
    """

    at_once = 256

    def __init__(self, model: LoadedNetwork, folder: Path, threads: int | None) -> None:
        self._model, self._folder, self._threads = model, folder, threads

    @property
    def reads_context(self) -> bool:
        """Whether it looks at linked texts at all."""
        return getattr(self._model.task.recipe, "reads", "context") == "context"

    def stages(self) -> ContextStages:
        """The two stages that choose what is read."""
        beside, named = self._folder.parent.parent, self._model.task.recipe.stages
        elsewhere = named and not (beside / LINKS).is_dir()
        return load_stages(Path(named) if elsewhere else beside, self._threads)

    def read(
        self,
        questions: Sequence[Question],
        *,
        mode: AnswerMode = AnswerMode.ASK,
        progress: Progress | None = None,
    ) -> list[Prediction]:
        """One prediction for each question; the network answers in its paper's way alone."""
        task, network, tokenizer, device = self._model
        examples = [task.example(question, tokenizer) for question in questions]
        predictions: dict[int, Prediction] = {}
        for chosen, batch in PieceDataset(task, examples, tokenizer).read(device, READ_TOGETHER):
            with torch.no_grad():
                given = task.predictions(
                    network,
                    batch,
                    [questions[number] for number in chosen],
                    [examples[number] for number in chosen],
                )
            predictions |= zip(chosen, given, strict=True)
            if progress is not None:
                progress(len(chosen))
        return [predictions[number] for number in range(len(questions))]


def load_staged(folder: ModelFolder, threads: int | None) -> StagedReader:
    """A trained reader or classifier."""
    return StagedReader(load_encoded(folder, threads), folder.path.resolve(), threads)
