"""A whole run of a paper's network: its plan, its examples, and one network a seed."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from itertools import islice
from pathlib import Path
from typing import Any, NamedTuple

import torch
from torch import Tensor, nn

from lacuna.errors import LacunaError
from lacuna.models.model_folder import CONFIG, ModelFolder, ModelSystem, find_model
from lacuna.train.checkpoint import tidy
from lacuna.train.data.data_folder import content_digest
from lacuna.train.gapqa.word_vectors import FIRST_WORD, Vocabulary, read_vectors
from lacuna.train.papers.dataset import PaperDataset
from lacuna.train.papers.encoded.encoder import pretrained_encoder
from lacuna.train.papers.encoded.pieces import PieceTokenizer
from lacuna.train.papers.encoded.recipe import EncoderRecipe
from lacuna.train.papers.encoded.run import EncoderPlan, plan_encoded
from lacuna.train.papers.examples import PaperExamples
from lacuna.train.papers.model_files import recipe_values
from lacuna.train.papers.openbookqa.task import ChoiceTask
from lacuna.train.papers.recipe import WordRecipe
from lacuna.train.papers.task import PaperTask
from lacuna.train.papers.tasks import load_paper_task, make_paper_task
from lacuna.train.papers.tokens import TokenTable
from lacuna.train.papers.torch_model import load_weights, load_words, save_paper
from lacuna.train.papers.trainer import PaperTraining, PaperTrainingEnd
from lacuna.train.schedule import Progress

SMALL = 0.1
"""How large the numbers of a vector are before it is learned."""


class PreparedWords(NamedTuple):
    """The examples, and the words that they are made of with their vectors."""

    data: PaperDataset
    vocabulary: Vocabulary
    vectors: Tensor
    tokenizer: PieceTokenizer | None = None


@dataclass(frozen=True)
class PaperPlan:
    """What a recipe is about, the data, and the run's own folder."""

    task: PaperTask
    data: Path
    out: Path
    knowledge: Path | None = None

    def described(self) -> list[tuple[str, str]]:
        """The steps of the run in words."""
        recipe = self.task.recipe
        return [
            ("questions", ", ".join(map(str, self.task.files(self.data)))),
            ("word vectors", recipe.vectors or f"learned, of size {recipe.vector_size}"),
            *((("contextual embeddings", recipe.contextual),) if recipe.contextual else ()),
            *((("goes on from", recipe.begin),) if recipe.begin else ()),
            ("training", f"{recipe.epochs} epochs, {recipe.batch} questions a batch"),
            ("seeds", ", ".join(map(str, recipe.seeds))),
        ]

    @cached_property
    def digest(self) -> str:
        """Changes with the files that are learned from, the word vectors and the knowledge."""
        named = self.begin.path if self.begin else self.task.recipe.vectors
        others = [Path(each) for each in (named, self.knowledge) if each]
        contextual = self.task.recipe.contextual
        if Path(contextual).is_dir():
            others += [Path(contextual)] if contextual else []
        digest = content_digest([*self.task.files(self.data), *others])
        return digest if Path(contextual).is_dir() else f"{digest} {contextual}"

    def prepare(self, progress: Progress | None = None) -> PreparedWords:
        """The examples, and the words that they are made of with their vectors."""
        recipe, table, examples = self.task.recipe, TokenTable(), []
        questions = islice(self.task.questions(self.data), recipe.at_most or None)
        for seen, question in enumerate(questions, 1):
            example = self.task.trainable(question, table)
            if example is not None:
                examples.append(example)
            if progress is not None:
                progress(seen)
        if not examples:
            raise LacunaError(
                f"{self.task.files(self.data)[0]} has no question to learn from: none whose "
                "labels the recipe can use."
            )
        vocabulary, starting = self._words(table)
        tokenizer = PieceTokenizer.of_encoder(recipe.contextual) if recipe.contextual else None
        data = PaperDataset(self.task, examples, table.arrays(vocabulary, tokenizer))
        return PreparedWords(data, vocabulary, starting, tokenizer)

    def network(self, prepared: PreparedWords) -> nn.Module:
        """The network before its first step."""
        contextual = self.task.recipe.contextual
        encoder = pretrained_encoder(contextual) if contextual else None
        network = self.task.network(prepared.vectors.clone(), encoder)
        if self.begin is not None:
            load_weights(self.begin, network)
        return network

    def save(
        self,
        network: nn.Module,
        prepared: PreparedWords,
        folder: Path,
        seed: int,
        end: PaperTrainingEnd,
    ) -> None:
        """Write the model's folder."""
        words = prepared.vocabulary, prepared.tokenizer
        save_paper(network, self.task.recipe, words, folder, seed, end)

    def _words(self, table: TokenTable) -> tuple[Vocabulary, Tensor]:
        recipe = self.task.recipe
        if self.begin is not None:
            return load_words(self.begin)
        if recipe.vectors:
            vocabulary, vectors = read_vectors(Path(recipe.vectors))
            return vocabulary, torch.from_numpy(vectors)
        vocabulary = table.vocabulary()
        shape = FIRST_WORD + len(vocabulary.known), recipe.vector_size
        starting = torch.randn(shape, generator=torch.Generator().manual_seed(0)) * SMALL
        starting[0] = 0
        return vocabulary, starting

    @cached_property
    def begin(self) -> ModelFolder | None:
        """The trained network to go on from, if the recipe names one."""
        return _begin_of(self.task.recipe)


def _begin_of(recipe: WordRecipe) -> ModelFolder | None:
    if not recipe.begin:
        return None
    return find_model(recipe.begin, system=ModelSystem(recipe.system))


def plan_paper(
    recipe: Path,
    data: Path,
    out: Path,
    *,
    encoder: str | None = None,
    knowledge: Path | None = None,
) -> PaperPlan | EncoderPlan:
    """Check everything that can be checked before any work is done.

    ``encoder`` is what a network begins with: a pretrained one, a file of word vectors, or a
    finished run.
    """
    task = load_paper_task(recipe)
    if encoder is not None:
        if isinstance(task.recipe, EncoderRecipe):
            name = "encoder"
        else:
            name = "begin" if Path(encoder).is_dir() else "vectors"
        task = make_paper_task({**recipe_values(task.recipe), name: encoder}, str(recipe))
    if isinstance(task.recipe, WordRecipe) and (begin := _begin_of(task.recipe)) is not None:
        # Vectors that were given there stay as they are here, too.
        given = {"vectors": begin.config["recipe"]["vectors"]}
        task = make_paper_task({**recipe_values(task.recipe), **given}, str(recipe))
    if isinstance(task, ChoiceTask):
        task = task.with_knowledge(knowledge)
    elif knowledge is not None:
        raise LacunaError("The recipe reads no knowledge. Leave out --knowledge.")
    if not data.is_dir():
        raise LacunaError(f"{data} is no folder. Give the one with the datasets as --data.")
    if isinstance(task.recipe, EncoderRecipe):
        return plan_encoded(task, data, out)
    task.files(data)
    plan = PaperPlan(task, data, out, knowledge)
    if not plan.begin and task.recipe.vectors and not Path(task.recipe.vectors).is_file():
        raise LacunaError(
            f"there is no file {task.recipe.vectors}. Give word vectors in GloVe's format with "
            '--encoder FILE, or vectors = "" in the recipe to learn them.'
        )
    return plan


def learn_paper(
    plan: PaperPlan | EncoderPlan,
    prepared: Any,
    progress: Progress | None = None,
    *,
    until: float = math.inf,
) -> Iterator[tuple[int, PaperTrainingEnd]]:
    """Train with each seed that is not done yet; stops after ``until``, to go on in another run.

    ``progress`` counts the steps of all seeds.
    """
    data: PaperExamples = prepared if isinstance(prepared, PaperExamples) else prepared.data
    done = 0

    def count(steps: int) -> None:
        if progress is not None:
            progress(done + steps)

    for seed in plan.task.recipe.seeds:
        folder = plan.out / f"seed-{seed}"
        if (folder / CONFIG).is_file():
            continue
        torch.manual_seed(seed)
        network = plan.network(prepared)
        training = PaperTraining(seed, network, data, plan.digest, folder)
        end = training.run(count, until=until)
        done += training.steps
        if not end.stopped:
            plan.save(training.network, prepared, folder, seed, end)
            tidy(folder)
        yield seed, end
        if end.stopped:
            return
