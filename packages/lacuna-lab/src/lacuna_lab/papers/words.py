"""Texts over words: recipes, examples, batches, and the states that heads read."""

from __future__ import annotations

import re
from abc import ABC, abstractmethod
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, NamedTuple, Protocol

import numpy as np
import tokenizers
import torch
from numpy.typing import NDArray
from torch import Tensor, nn
from transformers import AutoConfig, AutoModel, AutoTokenizer

from lacuna.errors import LacunaError
from lacuna.files.writing import replace_text
from lacuna.models.model_folder import ENCODER, TOKENIZER
from lacuna.models.reader.encode import HALF_A_PAIR, TokenText
from lacuna.types import Prediction, Question
from lacuna_lab.gapqa.network import Vocabulary
from lacuna_lab.papers.layers import (
    BiAttention,
    BiGru,
    ResidualSelfAttention,
    TensorBatch,
    TextParts,
    WordEmbedding,
    character_numbers,
    rows_at,
)
from lacuna_lab.train.network import quicken
from lacuna_lab.train.recipe import check_positive

POSITIVE = ("longest", "epochs", "batch", "learning_rate", "patience")
SHARES = ("dropout", "held_out")


@dataclass(frozen=True, slots=True, kw_only=True)
class PaperRecipe:
    """Everything that decides what a run learns."""

    name: str
    system: str
    """The paper whose network it is; `lacuna evaluate` knows it by the same name."""
    dropout: float = 0.2
    longest: int = 1000
    """Words of a context in training; what is behind them is not learned from."""
    at_most: int = 0
    """So many questions, the first ones; 0 means all."""
    seeds: tuple[int, ...] = (1,)
    epochs: int = 12
    batch: int = 32
    learning_rate: float = 1e-3
    held_out: float = 0.05
    """The share of training texts whose loss chooses the best epoch; never a dev file. Without
    any, the last epoch counts."""
    patience: int = 3
    """Epochs without a better one before a run stops."""

    def check(self, where: str) -> None:
        """Refuse values that make no sense."""
        check_positive(self, POSITIVE, where)
        for name in SHARES:
            if not 0 <= getattr(self, name) < 1:
                raise LacunaError(f"{where}: {name!r} must be from 0 to below 1.")
        if self.at_most < 0:
            raise LacunaError(f"{where}: 'at_most' must not be less than 0.")
        if not self.seeds:
            raise LacunaError(f"{where}: 'seeds' names none. Give one or more whole numbers.")

    def learned(self, network: nn.Module) -> list[dict[str, Any]]:
        """The weights that are learned, in groups that may have a rate of their own."""
        return [{"params": [weight for weight in network.parameters() if weight.requires_grad]}]


@dataclass(frozen=True, slots=True, kw_only=True)
class WordRecipe(PaperRecipe):
    """A network that reads words, by their vectors and their letters."""

    vectors: str = ""
    """A file of word vectors in GloVe's format; without one, vectors are learned."""
    contextual: str = ""
    """A pretrained encoder, a folder or a name that the model hub knows, whose states stand beside
    the vectors and stay as they are: what ELMo is to BiDAF++."""
    begin: str = ""
    """The folder of a trained network of the same system to go on from; its words are kept."""
    vector_size: int = 100
    """Of vectors that are learned."""
    characters: bool = True
    """True if words are also read letter by letter."""
    self_attention: bool = True
    hidden: int = 80
    """The size of each direction of every RNN."""

    def check(self, where: str) -> None:
        PaperRecipe.check(self, where)
        check_positive(self, ("vector_size", "hidden"), where)


SPECIAL = {"begin": ("[CLS]", "<s>"), "separator": ("[SEP]", "</s>"), "pad": ("[PAD]", "<pad>")}
"""BERT's and RoBERTa's names of the pieces that inputs are built with."""


class PieceTokenizer:
    """A tokenizer with the numbers of its special pieces."""

    def __init__(self, tokenizer: tokenizers.Tokenizer, where: str) -> None:
        tokenizer.no_truncation()
        tokenizer.no_padding()
        tokenizer.encode_special_tokens = True  # "[SEP]" in a user's text is only text
        self._tokenizer = tokenizer
        self.begin, self.separator, self.pad = (
            self._special(names, where) for names in SPECIAL.values()
        )

    @classmethod
    def of_encoder(cls, encoder: str) -> PieceTokenizer:
        """The tokenizer that an encoder was trained with."""
        try:
            fast = AutoTokenizer.from_pretrained(encoder, use_fast=True).backend_tokenizer
        except (OSError, ValueError, AttributeError) as problem:
            raise LacunaError(
                f"{encoder} has no tokenizer that can be loaded. Give a folder with an encoder, or "
                f"a name that the model hub knows: --encoder DIR|NAME. (transformers says: "
                f"{problem})"
            ) from problem
        return cls(tokenizers.Tokenizer.from_str(fast.to_str()), encoder)

    @classmethod
    def load(cls, folder: Path) -> PieceTokenizer:
        """The tokenizer that ``save`` wrote."""
        return cls(tokenizers.Tokenizer.from_file(str(folder / TOKENIZER)), str(folder))

    def save(self, folder: Path) -> None:
        """Write it into the folder of a model."""
        with replace_text(folder / TOKENIZER) as out:
            out.write(self._tokenizer.to_str())

    def _special(self, names: tuple[str, ...], where: str) -> int:
        numbers = (self._tokenizer.token_to_id(name) for name in names)
        number = next((number for number in numbers if number is not None), None)
        if number is None:
            raise LacunaError(
                f"the tokenizer of {where} has no piece {' or '.join(names)}. Take an encoder like "
                "BERT, MPNet or RoBERTa."
            )
        return int(number)

    def encode(self, text: str) -> TokenText:
        """The pieces of a text with their places, without special ones."""
        whole = HALF_A_PAIR.sub("\N{REPLACEMENT CHARACTER}", text)
        encoding = self._tokenizer.encode(whole, add_special_tokens=False)
        offsets = np.array(encoding.offsets, np.int32).reshape(-1, 2)
        return TokenText(
            np.array(encoding.ids, np.int32), offsets[:, 0].copy(), offsets[:, 1].copy()
        )


class PieceEncoder(nn.Module):
    """Reads word pieces; on a GPU in half precision."""

    def __init__(self, body: Any) -> None:
        super().__init__()
        self.body = body
        self.size = int(body.config.hidden_size)

    def forward(self, ids: Tensor, mask: Tensor) -> Tensor:
        """[texts, pieces] to the last layer's states, [texts, pieces, size]."""
        return self.layers(ids, mask, 1)[0]

    def layers(self, ids: Tensor, mask: Tensor, count: int) -> list[Tensor]:
        """The states of the last layers, the very last one at the end of the list.

        An encoder with fewer layers repeats its first.
        """
        with torch.autocast("cuda", torch.bfloat16, enabled=ids.is_cuda):
            encoded = self.body(
                input_ids=ids, attention_mask=mask.long(), output_hidden_states=count > 1
            )
        if count == 1:
            return [encoded.last_hidden_state.float()]
        states = [layer.float() for layer in encoded.hidden_states[-count:]]
        return [states[0]] * (count - len(states)) + states

    def save(self, folder: Path) -> None:
        """Write its shape into the folder of a model."""
        self.body.config.save_pretrained(folder / ENCODER)


def pretrained_encoder(name: str) -> PieceEncoder:
    """A pretrained encoder, from a folder or from the model hub."""
    try:
        body = AutoModel.from_pretrained(name, add_pooling_layer=False, dtype=torch.float32)
    except (OSError, ValueError) as problem:
        raise LacunaError(
            f"{name} cannot be loaded as an encoder. Give a folder, or a name that the model hub "
            f"knows: --encoder DIR|NAME. (transformers says: {problem})"
        ) from problem
    quicken(body)
    return PieceEncoder(body)


def encoder_of_model(folder: Path) -> PieceEncoder:
    """An encoder of the shape that ``save`` wrote, before its weights are loaded."""
    config = AutoConfig.from_pretrained(folder / ENCODER)
    body = AutoModel.from_config(config, add_pooling_layer=False).float()
    quicken(body)
    return PieceEncoder(body)


MOST_PIECES = 8
"""Of a word; longer ones are cut."""
NO_PIECE = -1


class PieceTable(NamedTuple):
    """The pieces of each word of a table, [words, pieces], and the special ones."""

    pieces: NDArray[np.int32]
    begin: int
    separator: int
    pad: int


def piece_table(words: Sequence[str], tokenizer: PieceTokenizer) -> PieceTable:
    """The pieces of words, each taken by itself."""
    table = np.full((len(words), MOST_PIECES), NO_PIECE, np.int32)
    for row, word in enumerate(words):
        own = tokenizer.encode(word).ids[:MOST_PIECES]
        table[row, : len(own)] = own
    # What a tokenizer drops, such as a control character, still takes a place.
    table[table[:, 0] == NO_PIECE, 0] = tokenizer.separator
    return PieceTable(table, tokenizer.begin, tokenizer.separator, tokenizer.pad)


Ints = NDArray[np.int32]
TOKEN = re.compile(r"[^\W_]+|[^\s]")
SEEN_OFTEN = 2
"""Words that are seen less often get no vector of their own."""
RECENT = 20_000
"""Texts that are remembered: many questions are about the same ones."""


class Tokens(NamedTuple):
    """The words of a text: their numbers in a table [words], and their places [words, 2]."""

    numbers: Ints
    places: Ints


class TokenArrays(NamedTuple):
    """Each word of a table by its number in a vocabulary [words], and its characters."""

    words: NDArray[np.int64]
    characters: NDArray[np.int64]
    pieces: PieceTable | None = None
    """The pieces that a pretrained encoder takes each for."""


class TokenTable:
    """The different words of some texts, as they are written, numbered as they come."""

    def __init__(self) -> None:
        self._numbers: dict[str, int] = {}
        self._counts: list[int] = []
        self._recent: dict[str, Tokens] = {}

    def number(self, word: str) -> int:
        """The number of a word."""
        number = self._numbers.setdefault(word, len(self._numbers))
        if number == len(self._counts):
            self._counts.append(0)
        self._counts[number] += 1
        return number

    def tokens(self, text: str) -> Tokens:
        """The words and marks of a text.

        >>> TokenTable().tokens("It is, is it?").numbers.tolist()
        [0, 1, 2, 1, 3, 4]
        """
        if (known := self._recent.get(text)) is not None:
            for number in known.numbers.tolist():
                self._counts[number] += 1
            return known
        matches = list(TOKEN.finditer(text))
        numbers = [self.number(match.group()) for match in matches]
        places = [match.span() for match in matches]
        if len(self._recent) == RECENT:
            self._recent.clear()
        tokens = Tokens(np.array(numbers, np.int32), np.array(places, np.int32).reshape(-1, 2))
        self._recent[text] = tokens
        return tokens

    def vocabulary(self) -> Vocabulary:
        """The words that were seen often enough to learn a vector for each, in lower case."""
        counts: dict[str, int] = {}
        for word, number in self._numbers.items():
            lower = word.lower()
            counts[lower] = counts.get(lower, 0) + self._counts[number]
        return Vocabulary([word for word, count in counts.items() if count >= SEEN_OFTEN])

    def arrays(
        self, vocabulary: Vocabulary, tokenizer: PieceTokenizer | None = None
    ) -> TokenArrays:
        """All words of the table, ready to be embedded."""
        words = [vocabulary.number(word.lower()) for word in self._numbers]
        characters = [character_numbers(word) for word in self._numbers]
        pieces = piece_table(list(self._numbers), tokenizer) if tokenizer else None
        return TokenArrays(np.array(words, np.int64), np.array(characters, np.int64), pieces)


def words_within(places: Ints, start: int, end: int) -> tuple[int, int] | None:
    """The first and last of the words at ``places`` [words, 2] that a stretch of text touches."""
    first = int(np.searchsorted(places[:, 1], start, side="right"))
    last = int(np.searchsorted(places[:, 0], end, side="left")) - 1
    return (first, last) if first <= last else None


def padded(rows: Sequence[NDArray[Any]], filling: int) -> NDArray[Any]:
    """Rows of different lengths as one array; each row may have further dimensions.

    >>> padded([np.array([1, 2]), np.array([3])], 0).tolist()
    [[1, 2], [3, 0]]
    """
    longest = max(len(row) for row in rows)
    whole = np.full((len(rows), longest, *rows[0].shape[1:]), filling, rows[0].dtype)
    for number, row in enumerate(rows):
        whole[number, : len(row)] = row
    return whole


WINDOW = 510
"""Pieces that are read at once, without the first and the last; nothing is seen across windows."""


@dataclass(frozen=True, slots=True, kw_only=True)
class EncoderInputs(TensorBatch):
    """Texts as windows of pieces; a window that several texts share stands there once."""

    ids: Tensor
    """[windows, pieces]"""
    mask: Tensor
    places: Tensor
    """[texts, words]: where the first piece of each word is, counted through all windows."""


def encoder_inputs(texts: Sequence[Ints], table: PieceTable) -> EncoderInputs:
    """Texts, given as numbers of words, as an encoder reads them."""
    rows: dict[bytes, int] = {}
    windows: list[Ints] = []
    found: list[tuple[Ints, Ints]] = []
    for text in texts:
        own = table.pieces[text]  # [words, pieces]
        real = own != NO_PIECE
        flat, counts = own[real], real.sum(1)
        numbers = []
        for at in range(0, len(flat), WINDOW):
            window = flat[at : at + WINDOW]
            number = rows.setdefault(window.tobytes(), len(windows))
            if number == len(windows):
                windows.append(np.array([table.begin, *window, table.separator], np.int32))
            numbers.append(number)
        found.append((np.array(numbers, np.int32), np.cumsum(counts) - counts))
    ids = padded(windows, table.pad)
    width = ids.shape[1]
    places = [numbers[at // WINDOW] * width + 1 + at % WINDOW for numbers, at in found]
    mask = np.arange(width)[None] < np.array([len(window) for window in windows])[:, None]
    return EncoderInputs(
        ids=torch.from_numpy(ids).long(),
        mask=torch.from_numpy(mask),
        places=torch.from_numpy(padded(places, 0)).long(),
    )


class ContextualWords(nn.Module):
    """A learned mix of an encoder's layers at the first piece of each word, as ELMo's is."""

    def __init__(self, encoder: PieceEncoder) -> None:
        super().__init__()
        self.encoder = encoder.requires_grad_(False)
        self.size = encoder.size
        self._layers = int(encoder.body.config.num_hidden_layers) + 1
        self.mix = nn.Parameter(torch.zeros(self._layers))
        self.scale = nn.Parameter(torch.ones(()))

    def train(self, mode: bool = True) -> ContextualWords:
        """Train what is above it; the encoder itself reads as it always does."""
        super().train(mode)
        self.encoder.eval()
        return self

    def forward(self, inputs: EncoderInputs) -> Tensor:
        """[texts, words, size]"""
        with torch.no_grad():
            layers = self.encoder.layers(inputs.ids, inputs.mask, self._layers)
        shares = self.mix.softmax(0)
        mixed = torch.stack([share * layer for share, layer in zip(shares, layers, strict=True)])
        words: Tensor = mixed.sum(0).flatten(0, 1)[inputs.places]
        return self.scale * words


NOWHERE = -1
"""The paragraph of a word that no answer may contain, and of what pads a text."""
LONGEST_PART = 256
"""Words; one long paragraph would keep all others of a batch waiting."""


class PaperExample(Protocol):
    """The properties of an example that training needs."""

    @property
    def length(self) -> int:
        """The length of the text to read; examples are sorted by it."""
        ...

    @property
    def group(self) -> str:
        """The group that is held out together."""
        ...


class PaperBatch(Protocol):
    """Several examples as tensors."""

    def to(self, device: torch.device) -> PaperBatch:
        """The same on a device."""
        ...


@dataclass(frozen=True, slots=True, kw_only=True)
class TextExample:
    """A question over a context. Words are numbers in a table of tokens."""

    context: Ints
    places: Ints
    """Of each word of the context: its paragraph, and where it begins and ends there."""
    question: Ints
    starts: Ints
    """The first words of the answer, wherever it stands; empty where that is not known."""
    ends: Ints
    group: str
    """The group that is held out together: questions about one text."""

    @property
    def length(self) -> int:
        """The number of words of the context."""
        return len(self.context)


@dataclass(frozen=True, slots=True, kw_only=True)
class TextBatch(TensorBatch):
    """Questions over contexts."""

    words: Tensor
    """[different words], numbers of a vocabulary."""
    characters: Tensor
    """[different words, characters]"""
    context: Tensor
    """[texts, words], each a place in ``words``."""
    question: Tensor
    context_lengths: Tensor
    """[texts]"""
    question_lengths: Tensor
    context_mask: Tensor
    """[texts, words], True where there is a word."""
    question_mask: Tensor
    paragraphs: Tensor
    """[texts, words]; an answer stays within one."""
    starts: Tensor
    """[texts, words], True at the first words of an answer."""
    ends: Tensor
    parts: TextParts | None = None
    """The parts that the RNNs read alone; without any, they read each context as a whole."""
    context_pieces: EncoderInputs | None = None
    """For a pretrained encoder whose states stand beside the words."""
    question_pieces: EncoderInputs | None = None

    @property
    def read_lengths(self) -> Tensor | TextParts:
        """The lengths that the RNNs read."""
        return self.context_lengths if self.parts is None else self.parts


def text_part(examples: Sequence[TextExample], tokens: TokenArrays) -> dict[str, Any]:
    """The tensors that every batch has, by the names of ``TextBatch``."""
    context = padded([example.context for example in examples], NOWHERE)
    question = padded([example.question for example in examples], NOWHERE)
    distinct, places = np.unique(
        np.concatenate([context.ravel(), question.ravel()]), return_inverse=True
    )
    places = places.ravel()
    # Padding is "word -1": it takes the last word's row, which the masks hide.
    size = context.size
    paragraphs = padded([example.places[:, 0] for example in examples], NOWHERE)
    arrays: dict[str, NDArray[Any]] = {
        "words": tokens.words[distinct],
        "characters": tokens.characters[distinct],
        "context": places[:size].reshape(context.shape),
        "question": places[size:].reshape(question.shape),
        "context_lengths": np.array([len(example.context) for example in examples]),
        "question_lengths": np.array([len(example.question) for example in examples]),
        "context_mask": context != NOWHERE,
        "question_mask": question != NOWHERE,
        "paragraphs": paragraphs,
        "starts": _marked(context.shape, [example.starts for example in examples]),
        "ends": _marked(context.shape, [example.ends for example in examples]),
    }
    batch: dict[str, Any] = {name: torch.from_numpy(array) for name, array in arrays.items()}
    if tokens.pieces is not None:
        asked = [example.question for example in examples]
        batch["context_pieces"] = encoder_inputs([e.context for e in examples], tokens.pieces)
        batch["question_pieces"] = encoder_inputs(asked, tokens.pieces)
    return batch


def text_parts(examples: Sequence[TextExample], starts: Sequence[Ints]) -> TextParts:
    """The contexts in parts, each from one of its ``starts`` to the next, or ``LONGEST_PART``."""
    width = max(len(example.context) for example in examples)
    words = []
    for row, (example, own) in enumerate(zip(examples, starts, strict=True)):
        through = row * width + np.arange(len(example.context))
        for part in np.split(through, own[1:]):
            words += [part[at : at + LONGEST_PART] for at in range(0, len(part), LONGEST_PART)]
    longest = max(len(part) for part in words)
    places = np.zeros(len(examples) * width, np.int64)
    for number, part in enumerate(words):
        places[part] = number * longest + np.arange(len(part))
    return TextParts(
        words=torch.from_numpy(padded(words, 0)),
        places=torch.from_numpy(places.reshape(len(examples), width)),
        part_lengths=torch.tensor([len(part) for part in words]),
    )


def _marked(shape: tuple[int, ...], places: Sequence[Ints]) -> NDArray[np.bool_]:
    marks = np.zeros(shape, np.bool_)
    for row, own in zip(marks, places, strict=True):
        row[own] = True
    return marks


POOL = 40
"""Batches that are sorted by length together: more pad less, and are less mixed."""


class PaperExamples(ABC):
    """Examples that are trained on in batches."""

    examples: Sequence[PaperExample]

    @property
    @abstractmethod
    def recipe(self) -> PaperRecipe:
        """The settings that decide the run."""

    @abstractmethod
    def batch(self, numbers: Sequence[int]) -> Any:
        """Some examples as tensors."""

    def split(self, share: float) -> tuple[list[int], list[int]]:
        """The examples to learn from, and those held out: all questions about one text together."""
        groups = list(dict.fromkeys(example.group for example in self.examples))
        order = np.random.default_rng(0).permutation(len(groups))  # the same for each seed
        aside = {groups[number] for number in order[: round(share * len(groups))]}
        trained_on = [n for n, example in enumerate(self.examples) if example.group not in aside]
        held_out = [n for n, example in enumerate(self.examples) if example.group in aside]
        return trained_on, held_out

    def batches(self, numbers: Sequence[int], size: int) -> Iterator[tuple[Any, int]]:
        """Batches of those examples, and how many are in each."""
        for at in range(0, len(numbers), size):
            chosen = numbers[at : at + size]
            yield self.batch(chosen), len(chosen)

    def by_length(self, numbers: Sequence[int]) -> list[int]:
        """From the shortest to the longest."""
        return sorted(numbers, key=lambda number: self.examples[number].length)

    def shuffled(self, numbers: Sequence[int], size: int, random: np.random.Generator) -> list[int]:
        """Another order, in which the examples of a batch are of similar length."""
        order = random.permutation(numbers).tolist()
        batches = []
        for at in range(0, len(order), size * POOL):
            pool = self.by_length(order[at : at + size * POOL])
            batches += [pool[start : start + size] for start in range(0, len(pool), size)]
        short = [batch for batch in batches if len(batch) < size]
        whole = [batch for batch in batches if len(batch) == size]
        mixed = [whole[number] for number in random.permutation(len(whole))]
        return [number for batch in (*mixed, *short) for number in batch]


class PaperTask(Protocol):
    """Made with a recipe; examples and batches are those of its own network."""

    @property
    def recipe(self) -> WordRecipe:
        """The settings that decide the run."""
        ...

    def files(self, data: Path) -> list[Path]:
        """The files of a data folder that it learns from."""
        ...

    def questions(self, data: Path) -> Iterator[Question]:
        """The questions to learn from, in the order of the files."""
        ...

    def example(self, question: Question, table: TokenTable, longest: int) -> Any:
        """A question, with its labels if it has any; at most ``longest`` words of its context."""
        ...

    def trainable(self, question: Question, table: TokenTable) -> PaperExample | None:
        """An example to learn from; None where there is nothing to learn."""
        ...

    def network(self, vectors: Tensor, encoder: PieceEncoder | None = None) -> nn.Module:
        """A network before its first step; its ``loss`` takes a batch.

        ``encoder`` gives contextual embeddings, if the recipe names one.
        """
        ...

    def batch(self, examples: Sequence[Any], tokens: TokenArrays) -> PaperBatch:
        """Several examples as tensors."""
        ...

    def predictions(
        self, network: Any, batch: Any, questions: Sequence[Question], examples: Sequence[Any]
    ) -> list[Prediction]:
        """The predictions of a network for the questions of a batch."""
        ...


@dataclass(frozen=True, slots=True)
class PaperDataset(PaperExamples):
    """Examples with the words that they are made of."""

    task: PaperTask
    examples: Sequence[PaperExample]
    tokens: TokenArrays

    @property
    def recipe(self) -> PaperRecipe:
        return self.task.recipe

    def batch(self, numbers: Sequence[int]) -> PaperBatch:
        return self.task.batch([self.examples[number] for number in numbers], self.tokens)


SPELLED_SIZE = 100
"""The size of the vector of a word's characters."""


class ReadingBody(nn.Module):
    """Embed, read, let context and question attend to each other, read, attend to itself.

    ``extra`` is the size of what a network puts beside each word; ``encoder`` gives contextual
    embeddings.
    """

    def __init__(
        self,
        recipe: WordRecipe,
        vectors: Tensor,
        encoder: PieceEncoder | None = None,
        extra: int = 0,
    ) -> None:
        super().__init__()
        dropout, hidden = recipe.dropout, recipe.hidden
        spelled = SPELLED_SIZE if recipe.characters else 0
        self.embedding = WordEmbedding(vectors, spelled, learned=not recipe.vectors)
        self.contextual = ContextualWords(encoder) if encoder else None
        within = self.contextual.size if self.contextual else 0
        self.first_rnn = BiGru(self.embedding.size + within + extra, hidden, dropout)
        self.size = self.first_rnn.size
        self.both = BiAttention(self.size, dropout)
        self.narrow = nn.Linear(self.both.size, self.size)
        self.second_rnn = BiGru(self.size, hidden, dropout)
        attends = recipe.self_attention
        self.itself = ResidualSelfAttention(self.size, dropout) if attends else None

    def forward(
        self,
        batch: TextBatch,
        beside_context: Tensor | None = None,
        beside_question: Tensor | None = None,
    ) -> Tensor:
        """The states of the context, [texts, words, size]."""
        words = self.embedding(batch.words, batch.characters)  # [different words, embedding]
        context = self._beside(rows_at(words, batch.context), batch.context_pieces)
        question = self._beside(rows_at(words, batch.question), batch.question_pieces)
        if beside_context is not None and beside_question is not None:
            context = torch.cat([context, beside_context], 2)
            question = torch.cat([question, beside_question], 2)
        context = self.first_rnn(context, batch.read_lengths)  # [texts, words, size]
        question = self.first_rnn(question, batch.question_lengths)
        aware = self.both(context, question, batch.context_mask, batch.question_mask)
        states = self.narrow(aware).relu()  # [texts, words, size]
        read = self.second_rnn(states, batch.read_lengths)
        if self.itself is None:
            return states + read
        return self.itself(states, read, batch.context_mask)

    def _beside(self, words: Tensor, pieces: EncoderInputs | None) -> Tensor:
        if self.contextual is None or pieces is None:
            return words
        return torch.cat([words, self.contextual(pieces)], 2)
