"""A trained link model: which links of a question's passage to follow."""

from __future__ import annotations

from collections.abc import Sequence

import torch

from lacuna.models.model_folder import ModelFolder
from lacuna.train.papers.encoded.dataset import PieceDataset
from lacuna.train.papers.encoded.torch_model import READ_TOGETHER, LoadedNetwork, load_encoded
from lacuna.train.papers.iirc.links.example import link_example
from lacuna.types import Question


class LinkChooser:
    """Reads questions with their passages, and chooses links."""

    def __init__(self, model: LoadedNetwork) -> None:
        self._model = model

    def chosen(self, questions: Sequence[Question]) -> list[tuple[str, ...]]:
        """The titles to follow, those of the likeliest mentions first."""
        threshold = self._model.task.recipe.threshold
        return [
            tuple(title for title, likely in scores.items() if likely > threshold)
            for scores in self.scores(questions)
        ]

    def scores(self, questions: Sequence[Question]) -> list[dict[str, float]]:
        """How likely each linked title is needed: its best mention counts; the likeliest first."""
        task, network, tokenizer, device = self._model
        likely: list[dict[str, float]] = [{} for _ in questions]
        made = [link_example(one, tokenizer, task.recipe.longest) for one in questions]
        inside = [number for number, example in enumerate(made) if example is not None]
        examples = [example for example in made if example is not None]
        data = PieceDataset(task, examples, tokenizer)
        for chosen, batch in data.read(device, READ_TOGETHER):
            with torch.no_grad():
                rows = network(batch).sigmoid().cpu().tolist()
            for number, row in zip(chosen, rows, strict=True):
                own = likely[inside[number]]
                context = questions[inside[number]].context
                assert context is not None
                for link, score in zip(examples[number].numbers, row, strict=False):
                    title = context.links[link].target
                    own[title] = max(score, own.get(title, 0.0))
        return [dict(sorted(own.items(), key=lambda item: -item[1])) for own in likely]


def load_link_chooser(folder: ModelFolder, threads: int | None) -> LinkChooser:
    """A trained link model."""
    return LinkChooser(load_encoded(folder, threads))
