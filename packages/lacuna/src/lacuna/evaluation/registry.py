"""Systems by name: what a name stands for, what it goes with, and how it is opened."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from contextlib import closing, contextmanager
from dataclasses import dataclass
from enum import StrEnum
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

from lacuna.datasets.base import Dataset, Setting
from lacuna.errors import LacunaError
from lacuna.evaluation import system as gapqa
from lacuna.evaluation.baselines import (
    check_baseline_needs,
    find_baseline,
    is_baseline,
    open_baseline,
)
from lacuna.evaluation.system import AbstainingSystem, System
from lacuna.models.model_folder import DEFAULTS, ModelSystem, find_model
from lacuna.models.registry import Reader
from lacuna.plugins import split_name
from lacuna.types import Question

if TYPE_CHECKING:
    from lacuna.corpus.open import Corpora
    from lacuna.evaluation.asking import AskingSystem


PAPERS = {
    ModelSystem.HOTPOTQA_PAPER: "hotpotqa",
    ModelSystem.QUAC_PAPER: "quac",
    ModelSystem.IIRC_PAPER: "iirc",
    ModelSystem.IIRC_LINKS: "iirc",
    ModelSystem.IIRC_UNANSWERABLE: "iirc",
    ModelSystem.BIDAF: "squad",
    ModelSystem.QUESTION_TO_CHOICE: "openbookqa",
    ModelSystem.ESIM: "openbookqa",
    ModelSystem.KER: "openbookqa",
}
"""The papers' own networks, and the dataset that each is made for."""
IIRC_READERS = (ModelSystem.IIRC_PAPER, ModelSystem.IIRC_UNANSWERABLE)
"""The readers of what IIRC's stages choose."""
RECIPES = {ModelSystem.IIRC_UNANSWERABLE: "iirc-table-6/question"}
"""The recipes that do not have their system's name."""
NO_KNOWLEDGE = "none"


class SystemKind(StrEnum):
    """The kinds of systems that have a name."""

    READER = "reader"
    GAPQA = "gapqa"
    ABSTAIN = "abstain"
    BASELINE = "baseline"
    SIMILARITY = "sentence-similarity"


@dataclass(frozen=True, slots=True)
class Resources:
    """Resources to open systems by name with."""

    corpus: Corpora = None
    knowledge: str | Path | None = None
    retriever: str | None = None
    threads: int | None = None


@dataclass(frozen=True, slots=True)
class NamedSystem:
    """A system that is opened when it is needed: ``reader``, ``gapqa``, ``abstain``, a baseline of
    a dataset, whose ``model`` is the file that it learns from, ``sentence-similarity``, whose
    ``model`` is an encoder, or a reader of another package.

    >>> NamedSystem.parse("reader:models/mine").model
    'models/mine'
    >>> NamedSystem.parse("llm:qwen2.5").kind
    <SystemKind.READER: 'reader'>
    """

    name: str
    kind: SystemKind
    model: str | None

    @classmethod
    def parse(cls, name: str, model: str | None = None) -> NamedSystem:
        """The system of that name; ``model`` is used where the name does not carry one."""
        part, argument = split_name(name)
        with_model = (SystemKind.READER, SystemKind.GAPQA, *PAPERS)
        if model is not None and (argument or part not in with_model):
            raise LacunaError(
                f"The system {name} has no use for another model. Leave it out, or name it with "
                "reader or gapqa."
            )
        if part in PAPERS and not (argument or model):
            recipe = RECIPES.get(ModelSystem(part), part)
            raise LacunaError(
                f"No model comes along for the system {part}. Train one with `lacuna train "
                f"recipes/{recipe}.toml --data DIR --out DIR`, and give its folder: "
                f"--system {part}:DIR"
            )
        match part:
            case SystemKind.READER | SystemKind.GAPQA:
                chosen = argument or model or DEFAULTS[ModelSystem(part)]
                return cls(name, SystemKind(part), chosen)
            case paper if paper in PAPERS:
                return cls(name, SystemKind.READER, argument or model)
            case SystemKind.ABSTAIN:
                return cls(name, SystemKind.ABSTAIN, None)
            case SystemKind.SIMILARITY:
                return cls(name, SystemKind.SIMILARITY, argument or None)
            case _ if is_baseline(part):
                return cls(name, SystemKind.BASELINE, argument or None)
            case _:
                return cls(name, SystemKind.READER, name)

    @property
    def paper(self) -> ModelSystem | None:
        """The paper whose own network it is, if it is one."""
        part = split_name(self.name)[0]
        return ModelSystem(part) if part in PAPERS else None

    def check(self, dataset: Dataset, setting: str | None) -> None:
        """Refuse a dataset or a setting that the system is not made for."""
        if self.paper is not None and dataset.name != PAPERS[self.paper]:
            raise LacunaError(
                f"The system {self.paper} is a network for {PAPERS[self.paper]} alone. Give that "
                f"as the dataset, or another --system for {dataset.name}."
            )
        if self.kind is SystemKind.SIMILARITY:
            from lacuna.evaluation.baselines import check_similarity

            check_similarity(dataset)
        if self.kind is SystemKind.BASELINE:
            baseline = find_baseline(split_name(self.name)[0], dataset)
            check_baseline_needs(baseline, self.model, dataset, dataset.setting(setting))
        if self.kind is not SystemKind.GAPQA:
            return
        if dataset.name != gapqa.DATASET:
            raise LacunaError(
                f"GapQA answers questions with choices and a core fact, and those of "
                f"{dataset.name} have none. Give {gapqa.DATASET} as the dataset, or leave out "
                "--system gapqa."
            )
        if setting not in (None, gapqa.SETTING):
            raise LacunaError(
                f"GapQA begins at the core fact, so its only setting is {gapqa.SETTING}. Leave out "
                f"--setting {setting}, or --system gapqa."
            )

    @contextmanager
    def open(
        self, dataset: Dataset, setting: Setting, questions: Iterable[Question], with_: Resources
    ) -> Iterator[System]:
        """Load the models, and close what was opened in the end."""
        match self.kind:
            case SystemKind.ABSTAIN:
                yield AbstainingSystem(dataset.metric(), self.name)
            case SystemKind.GAPQA:
                from lacuna.pipeline.gapqa import open_gapqa

                # No fact of the file may be found: that of one question may answer another.
                hidden = gapqa.core_facts(questions)
                assert self.model is not None
                pipeline = open_gapqa(
                    with_.knowledge, model=self.model, threads=with_.threads, hidden=hidden
                )
                yield gapqa.GapQASystem(pipeline, self.name)
            case SystemKind.BASELINE:
                from lacuna.evaluation.system import ReaderSystem

                baseline = find_baseline(split_name(self.name)[0], dataset)
                reader = open_baseline(baseline, self.model, dataset, questions)
                yield ReaderSystem(reader, self.name)
            case _ if self.paper is ModelSystem.IIRC_LINKS:
                from lacuna.evaluation.baselines import LinkSystem

                links: Any = self.open_reader(with_.threads)
                yield LinkSystem(links, self.name)
            case _ if setting.over_corpus and self.paper in IIRC_READERS:
                with self._over_linked_articles(with_) as system:
                    yield system
            case SystemKind.SIMILARITY:
                from lacuna.evaluation.baselines import SentenceSimilarityReader
                from lacuna.evaluation.system import ReaderSystem
                from lacuna.models.sentence_vectors import TERMS, open_sentence_encoder

                encoder = open_sentence_encoder(self.model or TERMS, with_.threads)
                yield ReaderSystem(SentenceSimilarityReader(encoder), self.name)
            case _ if self.paper is ModelSystem.KER and self.looks_up:
                yield self._over_knowledge(questions, with_)
            case _ if setting.over_corpus and self.paper is not None:
                with self._over_found_paragraphs(with_) as system:
                    yield system
            case _ if setting.over_corpus:
                with self._over_corpus(setting, questions, with_) as system:
                    yield system
            case _:
                from lacuna.evaluation.system import ReaderSystem

                yield ReaderSystem(self.open_reader(with_.threads), self.name)

    def looks_at_questions(self, setting: Setting) -> bool:
        """Tell if it must know all questions to be opened."""
        kinds = (SystemKind.GAPQA, SystemKind.BASELINE)
        return self.kind in kinds or bool(self.looks_up) or setting.collection is not None

    @property
    def looks_up(self) -> str:
        """The part of a knowledge base that its network reads; empty where it reads none."""
        if self.paper is not ModelSystem.KER:
            return ""
        assert self.model is not None
        part = find_model(self.model, system=ModelSystem.KER).looked_up
        return "" if part == NO_KNOWLEDGE else part

    def _over_knowledge(self, questions: Iterable[Question], with_: Resources) -> System:
        from lacuna.evaluation.system import KnownChoicesSystem
        from lacuna.retrieve.knowledge.knowledge_base import KnowledgeBase

        assert with_.knowledge is not None
        # No fact of the file may be found: that of one question may answer another.
        facts = {question.fact for question in questions if question.fact}
        base = KnowledgeBase.open(Path(with_.knowledge)).narrowed(self.looks_up).without(facts)
        return KnownChoicesSystem(base, self.open_reader(with_.threads), self.name)

    @contextmanager
    def _over_found_paragraphs(self, with_: Resources) -> Iterator[System]:
        """A paper's network over what its paper's retriever finds, or another that was named."""
        from lacuna.corpus.open import open_store
        from lacuna.evaluation.baselines import FoundParagraphsSystem
        from lacuna.retrieve.registry import HOTPOTQA, open_retriever

        with open_store(with_.corpus) as store:
            retriever = open_retriever(with_.retriever or HOTPOTQA, store)
            reader = self.open_reader(with_.threads)
            yield FoundParagraphsSystem(store, retriever, reader, self.name)

    @contextmanager
    def _over_linked_articles(self, with_: Resources) -> Iterator[System]:
        """IIRC's stages over the articles of a corpus."""
        from lacuna.corpus.open import open_store
        from lacuna.evaluation.baselines import LinkedArticlesSystem
        from lacuna.evaluation.system import ReaderSystem

        reader: Any = self.open_reader(with_.threads)
        if not reader.reads_context:
            yield ReaderSystem(reader, self.name)
            return
        with open_store(with_.corpus) as store:
            yield LinkedArticlesSystem(store, reader, self.name)

    @contextmanager
    def _over_corpus(
        self, setting: Setting, questions: Iterable[Question], with_: Resources
    ) -> Iterator[System]:
        reader = self.open_reader(with_.threads)
        if setting.collection is None:
            with self._asking(reader, setting, with_, with_.corpus) as system:
                yield system
            return
        from lacuna.evaluation.asking import Collections, CollectionsSystem

        collections = Collections(with_.corpus)
        found = {each.id: collections.find(setting.collection(each)) for each in questions}
        place_of = {id_: place for id_, place in found.items() if place is not None}
        asking = partial(self._asking, reader, setting, with_)
        with closing(CollectionsSystem(place_of, asking, self.name)) as system:
            yield system

    @contextmanager
    def _asking(
        self, reader: Reader, setting: Setting, with_: Resources, corpus: Corpora
    ) -> Iterator[AskingSystem]:
        """A system that asks one corpus."""
        from lacuna.corpus.open import open_store
        from lacuna.evaluation.asking import ConversingSystem, PipelineSystem
        from lacuna.pipeline.pipeline import Pipeline
        from lacuna.retrieve.registry import open_retriever

        with open_store(corpus) as store:
            retriever = open_retriever(with_.retriever, store) if with_.retriever else None
            pipeline = Pipeline(store, reader, retriever=retriever, mode=setting.mode)
            asking = ConversingSystem if setting.predicted_history else PipelineSystem
            yield asking(pipeline, self.name)

    def open_reader(self, threads: int | None) -> Reader:
        """The reader of that name, loaded."""
        from lacuna.models.registry import open_paper_reader, open_reader

        assert self.model is not None
        if self.paper is not None:
            return open_paper_reader(self.model, self.paper, threads=threads)
        return open_reader(self.model, threads=threads)
