"""IIRC's own system (section 3.2 of its paper): links, context, and the classifiers of table 6."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import islice
from pathlib import Path
from random import Random

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor, nn

from lacuna.answers import AnswerMode
from lacuna.corpus.formats.dumps import read_iirc_articles
from lacuna.errors import LacunaError
from lacuna.models.model_folder import CONFIG, ModelFolder, ModelSystem, find_model
from lacuna.models.reader.encode import TokenText
from lacuna.models.registry import Progress
from lacuna.types import Answer, AnswerKind, Document, Prediction, Question, Span
from lacuna_lab.data.iirc import (
    QuotedQuestion,
    Shares,
    iirc_questions,
    link_questions,
    openings_by_title,
    quoted_question,
    surrounded,
)
from lacuna_lab.data.sources import PARAGRAPHS, TRAIN, DataFile, read
from lacuna_lab.data.texts import NO_NAME, SimilarTexts
from lacuna_lab.papers.encoded import (
    READ_TOGETHER,
    EncoderRecipe,
    LoadedNetwork,
    PieceBatch,
    PieceDataset,
    PieceExample,
    load_encoded,
    piece_input,
    piece_part,
)
from lacuna_lab.papers.words import Ints, PieceEncoder, PieceTokenizer, padded
from lacuna_lab.train.recipe import check_positive

ARTICLES = DataFile("iirc", ("iirc/context_articles.json",))
FindsArticle = Callable[[str], Document | None]
"""Gives the article of a title; None where there is none."""


class ArticleTexts:
    """Some articles by their titles, which the file has in lower case."""

    def __init__(self, path: Path, titles: Collection[str]) -> None:
        wanted = {title.casefold() for title in titles}
        self._articles = {
            item.title.casefold(): item
            for item in read_iirc_articles(path)
            if isinstance(item, Document) and item.title.casefold() in wanted
        }

    def __call__(self, title: str) -> Document | None:
        return self._articles.get(title.casefold())


READS = ("question", "passage", "context")


@dataclass(frozen=True, slots=True, kw_only=True)
class LinkRecipe(EncoderRecipe):
    """The first stage: which links to follow."""

    threshold: float = 0.5
    """The least probability of a link that is followed."""

    def check(self, where: str) -> None:
        EncoderRecipe.check(self, where)
        if not 0 <= self.threshold <= 1:
            raise LacunaError(f"{where}: 'threshold' must be from 0 to 1.")


@dataclass(frozen=True, slots=True, kw_only=True)
class ContextRecipe(EncoderRecipe):
    """The second stage: which window of each linked article to read."""

    wrong_windows: int = 4
    """Windows without the annotation that are learned from, for each one with it; 0 means all."""

    def check(self, where: str) -> None:
        EncoderRecipe.check(self, where)
        if self.wrong_windows < 0:
            raise LacunaError(f"{where}: 'wrong_windows' must not be less than 0.")


@dataclass(frozen=True, slots=True, kw_only=True)
class StagedRecipe(EncoderRecipe):
    """A recipe for the reader of the context that the first two stages predict."""

    stages: str = ""
    """A folder with trained models of these, ``links`` and ``context``; they predict what
    unanswerable questions are read with. Without one, hard negatives stand in for that."""


@dataclass(frozen=True, slots=True, kw_only=True)
class NumNetRecipe(StagedRecipe):
    """The third stage: NumNet+."""

    steps: int = 3
    """The number of times that numbers pass messages to each other."""

    def check(self, where: str) -> None:
        StagedRecipe.check(self, where)
        check_positive(self, ("steps",), where)


@dataclass(frozen=True, slots=True, kw_only=True)
class UnanswerableRecipe(StagedRecipe):
    """Table 6: whether a question has an answer, from the first token's state."""

    reads: str = "question"
    """The texts that are read: the question, the passage with it, or the predicted context with
    it."""

    def check(self, where: str) -> None:
        StagedRecipe.check(self, where)
        if self.reads not in READS:
            raise LacunaError(f"{where}: 'reads' must be {' or '.join(READS)}.")


@dataclass(frozen=True, slots=True, kw_only=True)
class LabelledInput(PieceExample):
    """An input, and whether it is what is looked for."""

    label: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class LabelledBatch(PieceBatch):
    """Several such inputs."""

    labels: Tensor
    """[texts]"""


class FirstTokenClassifier(nn.Module):
    """A linear layer over the first token's state; scores before the sigmoid."""

    def __init__(self, recipe: EncoderRecipe, encoder: PieceEncoder) -> None:
        super().__init__()
        self.encoder = encoder
        self.dropout = nn.Dropout(recipe.dropout)
        self.score = nn.Linear(encoder.size, 1)

    def forward(self, batch: LabelledBatch) -> Tensor:
        """[texts]"""
        first = self.encoder(batch.ids, batch.mask)[:, 0]  # [texts, size]
        scores: Tensor = self.score(self.dropout(first)).squeeze(1)
        return scores

    def loss(self, batch: LabelledBatch) -> Tensor:
        """Cross-entropy, the mean over inputs."""
        return nn.functional.binary_cross_entropy_with_logits(self(batch), batch.labels.float())


def labelled_batch(examples: Sequence[LabelledInput], pad: int) -> LabelledBatch:
    """Several examples as tensors."""
    labels = torch.tensor([example.label for example in examples])
    return LabelledBatch(**piece_part(examples, pad), labels=labels)


STRIDES = 4
"""A window begins a quarter of its length behind the one before it."""
WINDOW_START = "window_start"
"""The key of a window's beginning in its article, among what a document has besides."""


def window_length(longest: int, question: int, links: int) -> int:
    """So many pieces that a window of each link, one of the passage and the question fit.

    >>> window_length(512, 12, 1)
    250
    """
    return max(1, (longest - question) // (links + 1))


def window_places(pieces: int, length: int) -> Iterator[tuple[int, int]]:
    """The first piece of each window, and the one behind its last.

    >>> list(window_places(10, 8))
    [(0, 8), (2, 10)]
    """
    stride = max(1, length // STRIDES)
    first = 0
    while True:
        yield first, min(first + length, pieces)
        if first + length >= pieces:
            return
        first += stride


def window_spans(tokens: TokenText, length: int) -> list[Span]:
    """The windows of a text by their characters; a text without pieces has none."""
    if not len(tokens.ids):
        return []
    return [
        Span(int(tokens.starts[first]), int(tokens.ends[last - 1]))
        for first, last in window_places(len(tokens.ids), length)
    ]


def located(quote: str, text: str) -> Span | None:
    """The place of a quote in a text, whatever the blanks between its words."""
    words = r"\s+".join(map(re.escape, quote.split()))
    match = re.search(words, text) if words else None
    return Span(*match.span()) if match else None


def holds(window: Span, annotations: Iterable[Span]) -> bool:
    """Tell if a window has the whole of an annotation."""
    return any(window.start <= piece.start and piece.end <= window.end for piece in annotations)


def window_document(document: Document, window: Span) -> Document:
    """A window as a document that knows where it begins in its own."""
    return Document(
        document.title,
        document.text[window.start : window.end],
        extra={WINDOW_START: window.start + document.extra.get(WINDOW_START, 0)},
    )


# The texts of IIRC's answerable questions, with what annotators marked in them.
#
# With the official articles, these are the articles that evidence was taken from, and the passage.
# Without them, quotes of other articles stand around the gold quote, and make up a text to look
# in.


FILE = TRAIN["iirc"]
AROUND = 40
"""Quotes that stand around the gold one where there is no article."""


@dataclass(frozen=True, slots=True)
class AnnotatedText:
    """A text with the places that a question's answer rests on."""

    document: Document
    annotations: tuple[Span, ...]
    is_linked: bool
    """An article, and not the passage itself."""


def annotated_texts(data: Path) -> Iterator[tuple[Question, list[AnnotatedText]]]:
    """Each question with its texts; unanswerable ones have none."""
    path = ARTICLES.find_optional(data)
    if path is None:
        yield from _among_quotes(data)
        return
    titles = {document.title for question in read(FILE, data) for document in question.documents}
    articles = ArticleTexts(path, titles)
    for question in read(FILE, data):
        yield question, in_articles(question, articles)


def in_articles(question: Question, article_of: FindsArticle) -> list[AnnotatedText]:
    """The articles that evidence was taken from, and the passage if some stands in it."""
    evidence = (question.gold and question.gold.evidence) or ()
    texts = []
    for quoted in question.documents:
        article = article_of(quoted.title)
        pieces = [piece for piece in evidence if piece.document == quoted.title]
        places = (
            located(quoted.text[piece.start : piece.end], article.text) if article else None
            for piece in pieces
        )
        if article is not None and (marked := tuple(place for place in places if place)):
            texts.append(AnnotatedText(article, marked, True))
    passage = question.context
    if passage is not None:
        own = [Span(p.start, p.end) for p in evidence if p.document == passage.title]
        if own:
            texts.append(AnnotatedText(passage, tuple(own), False))
    return texts


def _among_quotes(data: Path) -> Iterator[tuple[Question, list[AnnotatedText]]]:
    asked = [
        quoted_question(question)
        for question in read(FILE, data)
        if question.gold and question.gold.answers
    ]
    quotes = [quoted.quote.text for quoted in asked if quoted.quote]
    similar = SimilarTexts(quotes)
    best = similar.best((quoted.question.text for quoted in asked), AROUND)
    for quoted, numbers in zip(asked, best, strict=True):
        around = [quotes[number] for number in numbers]
        yield quoted.question, [_stand_in(quoted, around)] if quoted.quote else []


def _stand_in(quoted: QuotedQuestion, around: list[str]) -> AnnotatedText:
    assert quoted.quote is not None
    gold = quoted.quote.text
    others = [text for text in around if text != gold]
    at = Random(quoted.question.id).randint(0, len(others))
    before = "".join(f"{text}\n" for text in others[:at])
    whole = "\n".join([gold, *others[at:]])
    place = Span(len(before), len(before) + len(gold))
    return AnnotatedText(Document(quoted.quote.title, before + whole), (place,), True)


@dataclass(frozen=True, slots=True)
class ContextTask:
    """Windows by a recipe."""

    recipe: ContextRecipe

    def files(self, data: Path) -> list[Path]:
        articles = ARTICLES.find_optional(data)
        return [FILE.find(data), *([articles] if articles else [])]

    def trainable(self, data: Path, tokenizer: PieceTokenizer) -> Iterator[list[LabelledInput]]:
        for question, texts in annotated_texts(data):
            yield self.inputs(question, texts, tokenizer)

    def inputs(
        self, question: Question, texts: Sequence[AnnotatedText], tokenizer: PieceTokenizer
    ) -> list[LabelledInput]:
        """The windows of the texts of a question: all that hold an annotation, some of the rest."""
        asked = len(tokenizer.encode(question.text).ids)
        links = sum(text.is_linked for text in texts)
        length = window_length(self.recipe.longest, asked, links)
        made = []
        for text in texts:
            windows = window_spans(tokenizer.encode(text.document.text), length)
            right = [window for window in windows if holds(window, text.annotations)]
            wrong = [window for window in windows if not holds(window, text.annotations)]
            if not right:
                continue
            most = len(right) * self.recipe.wrong_windows or len(wrong)
            some = Random(question.id).sample(wrong, min(most, len(wrong)))
            for window in (*right, *some):
                written = text.document.text[window.start : window.end]
                ids = piece_input(question.text, [written], tokenizer, self.recipe.longest).ids
                made.append(LabelledInput(ids=ids, group=question.id, label=window in right))
        return made

    def network(self, encoder: PieceEncoder) -> FirstTokenClassifier:
        return FirstTokenClassifier(self.recipe, encoder)

    def batch(self, examples: Sequence[LabelledInput], pad: int) -> LabelledBatch:
        return labelled_batch(examples, pad)


class WindowChooser:
    """Reads the windows of texts beside a question, and keeps the best of each."""

    def __init__(self, model: LoadedNetwork) -> None:
        self._model = model

    def best(self, question: str, texts: Sequence[Document], links: int) -> list[Document]:
        """The best window of each text, as a document; ``links`` is how many are followed."""
        tokenizer, longest = self._model.tokenizer, self._model.task.recipe.longest
        length = window_length(longest, len(tokenizer.encode(question).ids), links)
        windows = [
            [
                window_document(text, span)
                for span in window_spans(tokenizer.encode(text.text), length)
            ]
            for text in texts
        ]
        scores = iter(self._scores(question, [each for own in windows for each in own]))
        best = []
        for own in windows:
            rated = [(next(scores), -number) for number in range(len(own))]
            if rated:
                best.append(own[-max(rated)[1]])
        return best

    def _scores(self, question: str, windows: Sequence[Document]) -> Iterator[float]:
        task, network, tokenizer, device = self._model
        inputs = [
            LabelledInput(
                ids=piece_input(question, [window.text], tokenizer, task.recipe.longest).ids,
                group="",
                label=False,
            )
            for window in windows
        ]
        scores: dict[int, float] = {}
        for chosen, batch in PieceDataset(task, inputs, tokenizer).read(device, READ_TOGETHER):
            with torch.no_grad():
                scores |= zip(chosen, network(batch).cpu().tolist(), strict=True)
        return (scores[number] for number in range(len(windows)))


def load_window_chooser(folder: ModelFolder, threads: int | None) -> WindowChooser:
    """A trained context model."""
    return WindowChooser(load_encoded(folder, threads))


LINKS = 14
"""The number of links that a passage of IIRC has on average (table 2)."""


@dataclass(frozen=True, slots=True, kw_only=True)
class LinkExample(PieceExample):
    """A question with a passage, and the links that are within the length."""

    numbers: tuple[int, ...]
    """Of each such link, its number in the passage."""
    bounds: Ints
    """[links, 2]: the first and last piece of each mention."""
    needed: NDArray[np.bool_]
    """[links]"""


@dataclass(frozen=True, slots=True, kw_only=True)
class LinkBatch(PieceBatch):
    """Passages with their links."""

    bounds: Tensor
    """[texts, links, 2]"""
    link_mask: Tensor
    """[texts, links]"""
    needed: Tensor
    """[texts, links]"""


def gold_titles(question: Question) -> frozenset[str]:
    """The articles that annotators took evidence from, in lower case.

    A question without an answer has no such evidence; then the links that its writer named count.
    """
    gold = question.gold
    if gold is None:
        return frozenset()
    own = question.context.title if question.context else ""
    linked = {document.title for document in question.documents} - {own}
    cited = [piece.document for piece in gold.evidence or () if piece.document in linked]
    known = {link.target.casefold() for link in question.context.links} if question.context else {}
    titles = frozenset(title.casefold() for title in cited if title.casefold() in known)
    return titles or frozenset(title.casefold() for title in gold.links or ())


def link_example(question: Question, tokenizer: PieceTokenizer, longest: int) -> LinkExample | None:
    """A question over its passage; None where there is no link to choose from."""
    context = question.context
    if context is None:
        return None
    made = piece_input(question.text, [context.text], tokenizer, longest)
    covers = [(n, made.cover(0, link.start, link.end)) for n, link in enumerate(context.links)]
    inside = [(number, cover) for number, cover in covers if cover is not None]
    if not inside:
        return None
    wanted = gold_titles(question)
    return LinkExample(
        ids=made.ids,
        group=context.text,
        numbers=tuple(number for number, _ in inside),
        bounds=np.array([cover for _, cover in inside], np.int32),
        needed=np.array([context.links[n].target.casefold() in wanted for n, _ in inside]),
    )


def with_links(questions: Iterable[Question]) -> Iterator[Question | None]:
    """Questions whose passage says where its links are, None for those without.

    A file of snippets names the gold link alone: it competes with other names of the passage, so
    many that there are as many links as IIRC's passages have.
    """
    for question in questions:
        if question.context is not None and question.context.links:
            yield question
        else:
            made = next(link_questions([question], Counter()), None)
            yield made and _with_fewer_names(made)


def _with_fewer_names(question: Question) -> Question:
    context, wanted = question.context, gold_titles(question)
    assert context is not None
    right = [link for link in context.links if link.target.casefold() in wanted]
    names = [link for link in context.links if link.target.casefold() not in wanted]
    names = [link for link in names if not NO_NAME.match(context.text[link.start : link.end])]
    some = Random(question.id).sample(names, min(len(names), max(0, LINKS - len(right))))
    links = sorted((*right, *some), key=lambda link: link.start)
    return replace(question, context=replace(context, links=tuple(links)))


def link_batch(examples: Sequence[LinkExample], pad: int) -> LinkBatch:
    """Several examples as tensors."""
    counts = np.array([len(example.numbers) for example in examples])
    mask = np.arange(counts.max())[None, :] < counts[:, None]
    bounds = padded([example.bounds for example in examples], 0).astype(np.int64)
    needed = padded([example.needed for example in examples], 0)
    return LinkBatch(
        **piece_part(examples, pad),
        bounds=torch.from_numpy(bounds),
        link_mask=torch.from_numpy(mask),
        needed=torch.from_numpy(needed),
    )


class LinkNetwork(nn.Module):
    """Scores links before the sigmoid."""

    def __init__(self, recipe: LinkRecipe, encoder: PieceEncoder) -> None:
        super().__init__()
        self.encoder = encoder
        self.dropout = nn.Dropout(recipe.dropout)
        self.score = nn.Linear(2 * encoder.size, 1)

    def forward(self, batch: LinkBatch) -> Tensor:
        """[texts, links]"""
        states = self.dropout(self.encoder(batch.ids, batch.mask))  # [texts, pieces, size]
        return self.score(states_at(states, batch.bounds)).squeeze(2)

    def loss(self, batch: LinkBatch) -> Tensor:
        """Cross-entropy, the mean over links."""
        scores, real = self(batch), batch.link_mask
        return nn.functional.binary_cross_entropy_with_logits(
            scores[real], batch.needed[real].float()
        )


def states_at(states: Tensor, bounds: Tensor) -> Tensor:
    """States at the first and last piece of each mention: [texts, mentions, 2 size]."""
    texts, mentions, _ = bounds.shape
    places = bounds.reshape(texts, -1, 1).expand(-1, -1, states.shape[2])
    return torch.gather(states, 1, places).reshape(texts, mentions, -1)


@dataclass(frozen=True, slots=True)
class LinkTask:
    """Links by a recipe."""

    recipe: LinkRecipe

    def files(self, data: Path) -> list[Path]:
        return [FILE.find(data)]

    def trainable(self, data: Path, tokenizer: PieceTokenizer) -> Iterator[list[LinkExample]]:
        for question in with_links(read(FILE, data)):
            made = question and link_example(question, tokenizer, self.recipe.longest)
            yield [made] if made else []

    def network(self, encoder: PieceEncoder) -> LinkNetwork:
        return LinkNetwork(self.recipe, encoder)

    def batch(self, examples: Sequence[LinkExample], pad: int) -> LinkBatch:
        return link_batch(examples, pad)


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
        """The probability that each linked title is needed: its best mention counts; the likeliest
        first."""
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


LINKS_FOLDER, CONTEXT = "links", "context"
"""The folders of the two models."""


@dataclass(frozen=True, slots=True)
class ContextStages:
    """Chooses links, follows them, and keeps one window of each article and of the passage."""

    links: LinkChooser
    windows: WindowChooser

    def predicted(
        self, questions: Sequence[Question], article_of: FindsArticle, *, all_links: bool = False
    ) -> list[Question]:
        """The questions with the windows as their documents; the passage is one itself then.

        ``all_links`` follows every link, where others than the gold ones were taken away.
        """
        chosen = [every_title(q) for q in questions] if all_links else self.links.chosen(questions)
        return [
            self._with_windows(question, titles, article_of)
            for question, titles in zip(questions, chosen, strict=True)
        ]

    def _with_windows(
        self, question: Question, titles: Sequence[str], article_of: FindsArticle
    ) -> Question:
        found = (article_of(title) for title in titles)
        by_title = {article.title: article for article in found if article is not None}
        articles = list(by_title.values())  # two links may lead to one article
        windows = self.windows.best(question.text, articles, len(articles))
        passage = [question.context] if question.context else []
        own = self.windows.best(question.text, passage, len(articles)) or passage
        return replace(question, context=next(iter(own), None), documents=tuple(windows))


def every_title(question: Question) -> tuple[str, ...]:
    """The titles that a passage links to, each once."""
    links = question.context.links if question.context else ()
    return tuple(dict.fromkeys(link.target for link in links))


def stage_folders(folder: Path) -> dict[str, Path]:
    """The folders of the two models, by their names; one that is a run with seeds gives its
    first."""
    found = {}
    for name in (LINKS_FOLDER, CONTEXT):
        places = [folder / name, *sorted((folder / name).glob("seed-*"))]
        whole = [place for place in places if (place / CONFIG).is_file()]
        if not whole:
            raise LacunaError(
                f"{folder} has no trained model in {name}. Train one with `lacuna train "
                f"recipes/iirc-{name}.toml --data DIR --encoder DIR|NAME --out "
                f"{folder / name}`."
            )
        found[name] = whole[0]
    return found


def load_stages(folder: Path, threads: int | None = None) -> ContextStages:
    """The two models of a folder."""
    places = stage_folders(folder)
    links = find_model(str(places[LINKS_FOLDER].resolve()), system=ModelSystem.IIRC_LINKS)
    context = find_model(str(places[CONTEXT].resolve()), system=ModelSystem.IIRC_CONTEXT)
    return ContextStages(load_link_chooser(links, threads), load_window_chooser(context, threads))


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
        """True if it looks at linked texts at all."""
        return getattr(self._model.task.recipe, "reads", "context") == "context"

    def stages(self) -> ContextStages:
        """The two stages that choose what is read."""
        beside, named = self._folder.parent.parent, self._model.task.recipe.stages
        elsewhere = named and not (beside / LINKS_FOLDER).is_dir()
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


SEED = 1
SHARES = Shares(contrast=0.0, changed=0.0)
"""The paper asks each question once, as it is."""
TOGETHER = 64


def reading_files(data: Path, stages: str) -> list[Path]:
    """All that decides what these questions are; an error names what is missing."""
    if stages:
        return [FILE.find(data), ARTICLES.find(data), *stage_folders(Path(stages)).values()]
    paragraphs = PARAGRAPHS.find_optional(data)
    return [FILE.find(data), *([paragraphs] if paragraphs else [])]


def passage_questions(data: Path) -> Iterator[Question]:
    """Questions with their passage, and nothing else to read.

    Of some, the file has only some sentences of the passage: those of another stand around them.
    """
    asked = (quoted_question(question) for question in _answered(data))
    yield from surrounded(
        (replace(quoted.question, context=quoted.context, documents=()) for quoted in asked), SEED
    )


def context_questions(data: Path, stages: str, *, gold: bool) -> Iterator[Question]:
    """Questions with linked texts to read, as the two stages predict them.

    ``gold`` takes the annotated context where there is an answer. Without ``stages`` it always
    does; then unanswerable questions are read with quotes that look as if they answered them.
    """
    if stages:
        yield from _predicted(data, stages, lambda q: gold and _answerable(q))
        return
    paragraphs = PARAGRAPHS.find_optional(data)
    openings = openings_by_title(paragraphs) if paragraphs else {}
    quoted = iirc_questions(
        _answered(data), seed=SEED, left_out=Counter(), shares=SHARES, openings=openings
    )
    yield from surrounded(quoted, SEED)


def _predicted(data: Path, stages: str, stays: Callable[[Question], bool]) -> Iterator[Question]:
    titles = {title for question in _answered(data) for title in every_title(question)}
    articles = ArticleTexts(ARTICLES.find(data), titles)
    predictor = load_stages(Path(stages))
    questions = _answered(data)
    while chunk := list(islice(questions, TOGETHER)):
        searched = [question for question in chunk if not stays(question)]
        made = iter(predictor.predicted(searched, articles))
        for question in chunk:
            yield question if stays(question) else next(made)


def _answered(data: Path) -> Iterator[Question]:
    questions: Iterable[Question] = read(FILE, data)
    return (question for question in questions if question.gold and question.gold.answers)


def _answerable(question: Question) -> bool:
    gold = question.gold
    return gold is not None and gold.answers[0].kind is not AnswerKind.NONE


ANSWERABLE = Answer.span("(answerable)")
"""The prediction for a question that has an answer, by a network that does not look for it."""
LIKELY = 0.5


@dataclass(frozen=True, slots=True)
class UnanswerableTask:
    """Table 6 by a recipe."""

    recipe: UnanswerableRecipe

    def files(self, data: Path) -> list[Path]:
        return reading_files(data, self.recipe.stages if self.recipe.reads == "context" else "")

    def trainable(self, data: Path, tokenizer: PieceTokenizer) -> Iterator[list[LabelledInput]]:
        if self.recipe.reads == "context":
            questions = context_questions(data, self.recipe.stages, gold=False)
        else:
            questions = passage_questions(data)
        for question in questions:
            yield [self.example(question, tokenizer)]

    def example(self, question: Question, tokenizer: PieceTokenizer) -> LabelledInput:
        """A question with what the recipe reads; True says that there is no answer."""
        passage = [question.context.text] if question.context else []
        texts = {
            "question": [],
            "passage": passage,
            # The passage comes last: if anything is cut off, it is cut off there.
            "context": [*(document.text for document in question.documents), *passage],
        }[self.recipe.reads]
        answers = question.gold.answers if question.gold else ()
        return LabelledInput(
            ids=piece_input(question.text, texts, tokenizer, self.recipe.longest).ids,
            group=question.context.text if question.context else question.id,
            label=bool(answers) and answers[0].kind is AnswerKind.NONE,
        )

    def network(self, encoder: PieceEncoder) -> FirstTokenClassifier:
        return FirstTokenClassifier(self.recipe, encoder)

    def batch(self, examples: Sequence[LabelledInput], pad: int) -> LabelledBatch:
        return labelled_batch(examples, pad)

    def predictions(
        self,
        network: FirstTokenClassifier,
        batch: LabelledBatch,
        questions: Sequence[Question],
        examples: Sequence[LabelledInput],
    ) -> list[Prediction]:
        """No answer, or that there is one."""
        likely = network(batch).sigmoid().cpu().tolist()
        return [
            Prediction(
                Answer.none() if none > LIKELY else ANSWERABLE, confidence=max(none, 1 - none)
            )
            for none in likely
        ]
