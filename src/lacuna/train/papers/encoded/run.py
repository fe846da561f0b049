"""The plan of a run over a pretrained encoder."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from itertools import islice
from pathlib import Path

from torch import nn

from lacuna.errors import LacunaError
from lacuna.train.data.data_folder import content_digest
from lacuna.train.papers.encoded.dataset import PieceDataset
from lacuna.train.papers.encoded.encoder import pretrained_encoder
from lacuna.train.papers.encoded.example import PieceExample
from lacuna.train.papers.encoded.pieces import PieceTokenizer
from lacuna.train.papers.encoded.task import EncoderTask
from lacuna.train.papers.encoded.torch_model import save_encoded
from lacuna.train.papers.trainer import PaperTrainingEnd
from lacuna.train.schedule import Progress


@dataclass(frozen=True)
class EncoderPlan:
    """What a recipe is about, the data, and the run's own folder."""

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
