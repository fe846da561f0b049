"""A whole run of a paper's network: its plan, its examples, and one network a seed."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cached_property
from itertools import islice
from pathlib import Path
from threading import Lock
from typing import Any, NamedTuple

import torch
from safetensors import SafetensorError
from safetensors.torch import load_file
from torch import Tensor, nn

from lacuna.answers import AnswerMode
from lacuna.errors import LacunaError
from lacuna.files.writing import replace_text
from lacuna.models.model_folder import (
    CONFIG,
    WORDS,
    ModelFolder,
    ModelSystem,
    find_model,
    write_config,
)
from lacuna.models.registry import Progress
from lacuna.types import Prediction, Question
from lacuna_lab.data.sources import content_digest
from lacuna_lab.gapqa.network import FIRST_WORD, Vocabulary, read_vectors
from lacuna_lab.papers.bidaf import SpanRecipe, SpanTask
from lacuna_lab.papers.encoded import EncoderPlan, EncoderRecipe, plan_encoded
from lacuna_lab.papers.hotpotqa import HotpotRecipe, HotpotTask
from lacuna_lab.papers.iirc import (
    ContextRecipe,
    ContextTask,
    LinkRecipe,
    LinkTask,
    NumNetRecipe,
    UnanswerableRecipe,
    UnanswerableTask,
)
from lacuna_lab.papers.numnet import NumNetTask
from lacuna_lab.papers.openbookqa import ChoiceRecipe, ChoiceTask
from lacuna_lab.papers.quac import DialogRecipe, DialogTask
from lacuna_lab.papers.trainer import (
    PaperTraining,
    PaperTrainingEnd,
    paper_config,
    recipe_values,
    save_weights,
)
from lacuna_lab.papers.words import (
    PaperDataset,
    PaperExamples,
    PaperRecipe,
    PaperTask,
    PieceTokenizer,
    TokenTable,
    WordRecipe,
    encoder_of_model,
    pretrained_encoder,
)
from lacuna_lab.train.checkpoint import Progress as RunProgress
from lacuna_lab.train.checkpoint import best_device, tidy
from lacuna_lab.train.recipe import checked_settings, read_toml


@dataclass(frozen=True, slots=True)
class PaperKind:
    """A kind of paper's recipe: its form, and its task."""

    recipe: type[PaperRecipe]
    task: Callable[[Any], Any]


KINDS: Mapping[str, PaperKind] = {
    ModelSystem.HOTPOTQA_PAPER: PaperKind(HotpotRecipe, HotpotTask),
    ModelSystem.QUAC_PAPER: PaperKind(DialogRecipe, DialogTask),
    ModelSystem.IIRC_LINKS: PaperKind(LinkRecipe, LinkTask),
    ModelSystem.IIRC_CONTEXT: PaperKind(ContextRecipe, ContextTask),
    ModelSystem.IIRC_PAPER: PaperKind(NumNetRecipe, NumNetTask),
    ModelSystem.IIRC_UNANSWERABLE: PaperKind(UnanswerableRecipe, UnanswerableTask),
    ModelSystem.BIDAF: PaperKind(SpanRecipe, SpanTask),
    ModelSystem.QUESTION_TO_CHOICE: PaperKind(ChoiceRecipe, ChoiceTask),
    ModelSystem.ESIM: PaperKind(ChoiceRecipe, ChoiceTask),
    ModelSystem.KER: PaperKind(ChoiceRecipe, ChoiceTask),
}


def is_paper_recipe(path: Path) -> bool:
    """Tell if a recipe is one for a paper's own network."""
    return read_toml(path).get("system") in KINDS


def load_paper_task(path: Path) -> Any:
    """Read a recipe; unknown settings and wrong types are errors."""
    return make_paper_task(read_toml(path), str(path))


def make_paper_task(raw: dict[str, Any], where: str) -> Any:
    """Make the task of a recipe of plain values: a ``PaperTask``, or an ``EncoderTask``."""
    if raw.get("system") not in KINDS:
        raise LacunaError(f"{where}: 'system' must be {' or '.join(KINDS)}.")
    kind = KINDS[raw["system"]]
    recipe = kind.recipe(**checked_settings(raw, kind.recipe, ("name", "system"), where))
    recipe.check(where)
    return kind.task(recipe)


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


SMALL = 0.1
"""The size of a vector's numbers before it is learned."""


class PreparedWords(NamedTuple):
    """The examples, and the words that they are made of with their vectors."""

    data: PaperDataset
    vocabulary: Vocabulary
    vectors: Tensor
    tokenizer: PieceTokenizer | None = None


@dataclass(frozen=True)
class PaperPlan:
    """The task of a recipe, the data, and the run's own folder."""

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

    def prepare(self, progress: RunProgress | None = None) -> PreparedWords:
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
    progress: RunProgress | None = None,
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
