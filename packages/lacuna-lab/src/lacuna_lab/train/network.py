"""The network: a pretrained encoder under two thin layers of heads; its loss, its files."""

from __future__ import annotations

import shutil
from collections.abc import Sequence
from pathlib import Path
from types import MethodType
from typing import Any

import torch
from safetensors import SafetensorError
from safetensors.torch import load_file, save
from torch import Tensor, nn
from torch.nn import functional
from transformers import AutoConfig, AutoModel, AutoTokenizer

from lacuna.errors import LacunaError
from lacuna.files.checksums import remove_checksums
from lacuna.files.writing import replace_bytes
from lacuna.models.model_folder import (
    ENCODER,
    FORMATS,
    NETWORK,
    TOKENIZER,
    ModelFolder,
    ModelSystem,
    write_config,
)
from lacuna.models.reader.decode import SIGNS, TAGS, Columns, HeadKind
from lacuna.models.reader.encode import MARKED_TURNS, ModelInput
from lacuna.models.reader.reader import Outputs, by_length, padded
from lacuna_lab.train.batches import Batch
from lacuna_lab.train.checkpoint import best_device


def quicken(encoder: Any) -> None:
    """Replace MPNet's attention by torch's fused one; other encoders stay as they are.

    The table of relative positions stays fixed, since the fused kernel gives it no gradient.
    """
    if getattr(encoder.config, "model_type", "") != "mpnet":
        return
    bias = _Bias()
    for module in encoder.modules():
        if type(module).__name__ == "MPNetSelfAttention":
            module.shared_bias = bias
            module.forward = MethodType(_attend, module)
        if type(module).__name__ == "MPNetEncoder":
            module.relative_attention_bias.requires_grad_(False)


class _Bias:
    """Relative positions and padding as one tensor, added up once for all layers."""

    def __init__(self) -> None:
        self._of: tuple[Tensor | None, Tensor | None] = (None, None)
        self._sum: Tensor | None = None

    def of(self, position: Tensor | None, mask: Tensor | None, like: Tensor) -> Tensor | None:
        if torch.compiler.is_compiling() and position is not None and mask is not None:
            return (position + mask).to(like.dtype)  # the compiler keeps it for all layers itself
        if position is None or mask is None:
            only = mask if position is None else position
            return None if only is None else only.to(like.dtype)
        if self._of[0] is not position or self._of[1] is not mask or self._sum is None:
            self._of, self._sum = (position, mask), (position + mask).to(like.dtype)
        return self._sum


def _attend(
    self: Any,
    hidden_states: Tensor,
    attention_mask: Tensor | None = None,
    position_bias: Tensor | None = None,
    output_attentions: bool = False,
    **kwargs: Any,
) -> tuple[Tensor]:
    batch, tokens, size = hidden_states.shape
    shape = (batch, tokens, self.num_attention_heads, self.attention_head_size)
    q, k, v = (
        layer(hidden_states).view(shape).transpose(1, 2) for layer in (self.q, self.k, self.v)
    )  # [batch, heads, tokens, size of a head]
    mixed = torch.nn.functional.scaled_dot_product_attention(
        q,
        k,
        v,
        attn_mask=self.shared_bias.of(position_bias, attention_mask, q),
        dropout_p=self.dropout.p if self.training else 0.0,
    )
    return (self.o(mixed.transpose(1, 2).reshape(batch, tokens, size)),)


SURE_OF_OUTSIDE = 4.0
"""Most tokens are outside any span and most numbers in no calculation; a network that starts from
there need not learn it first."""


class Network(nn.Module):
    """Scores per token and per sequence; ``lacuna.models.reader.decode`` names the columns.

    One tokenizer serves encoders that number the same tokens differently: ``numbers`` is the
    encoder's number of each token.
    """

    def __init__(self, encoder: Any, numbers: Tensor) -> None:
        super().__init__()
        self.encoder = encoder
        size = int(encoder.config.hidden_size)
        self.register_buffer("numbers", numbers, persistent=True)
        self.marks = nn.Embedding(MARKED_TURNS + 1, size)
        nn.init.zeros_(self.marks.weight)
        self.token_layer = nn.Linear(size, size)
        self.token_scores = nn.Linear(size, Columns.PER_TOKEN)
        self.sequence_layer = nn.Linear(size, size)
        self.sequence_scores = nn.Linear(size, Columns.PER_SEQUENCE)
        self.dropout = nn.Dropout(0.1)
        with torch.no_grad():
            for layer in (self.token_scores, self.sequence_scores):
                nn.init.normal_(layer.weight, std=0.02)
                nn.init.zeros_(layer.bias)
            tags = range(*Columns.TAG.indices(Columns.PER_TOKEN))
            self.token_scores.bias[tags[TAGS.index("outside")]] = SURE_OF_OUTSIDE
            self.token_scores.bias[Columns.SIGN[0].start] = SURE_OF_OUTSIDE
            self.sequence_scores.weight[Columns.VERDICT] = 0.0

    @property
    def has_verdict(self) -> bool:
        """Whether it has learned to judge answers; the weights of the verdict start at zero."""
        return bool(self.sequence_scores.weight[Columns.VERDICT].any())

    def forward(self, ids: Tensor, marks: Tensor, mask: Tensor) -> tuple[Tensor, Tensor]:
        """Inputs are [batch, tokens]."""
        states = self.dropout(self.states(ids, marks, mask))
        first = nn.functional.gelu(self.sequence_layer(states[:, 0]))
        return self.per_token(states), self.sequence_scores(first)

    def states(self, ids: Tensor, marks: Tensor, mask: Tensor) -> Tensor:
        """The encoder's state of each token: [batch, tokens, size]."""
        words = self.encoder.get_input_embeddings()(self.numbers[ids])
        encoded = self.encoder(inputs_embeds=words + self.marks(marks), attention_mask=mask)
        states: Tensor = encoded.last_hidden_state
        return states

    def per_token(self, states: Tensor) -> Tensor:
        """The scores of each token: [batch, tokens, columns]."""
        hidden = nn.functional.gelu(self.token_layer(states))
        scores: Tensor = self.token_scores(hidden)
        return scores


def build(encoder: str | Path, vocabulary: dict[str, int]) -> Network:
    """A network over a pretrained encoder, from a folder or from the model hub."""
    try:
        loaded = AutoModel.from_pretrained(
            str(encoder), add_pooling_layer=False, dtype=torch.float32
        )
        tokenizer = AutoTokenizer.from_pretrained(str(encoder))
    except (OSError, ValueError) as problem:
        raise LacunaError(
            f"{encoder} cannot be loaded as an encoder. Give a folder, or a name that the model "
            f"hub knows: --encoder DIR|NAME. (transformers says: {problem})"
        ) from problem
    network = Network(loaded, encoder_numbers(vocabulary, tokenizer.get_vocab()))
    quicken(loaded)
    return network


SPECIAL = {"[CLS]": "<s>", "[SEP]": "</s>", "[PAD]": "<pad>", "[MASK]": "<mask>"}


def encoder_numbers(ours: dict[str, int], theirs: dict[str, int]) -> Tensor:
    """The number that an encoder has for each of our tokens."""
    numbers = torch.zeros(max(ours.values()) + 1, dtype=torch.long)
    missing = []
    roberta_like = "<s>" in theirs
    for token, number in ours.items():
        wanted = SPECIAL.get(token, token) if roberta_like else token
        if (known := theirs.get(wanted, theirs.get(token))) is None:
            missing.append(token)
        else:
            numbers[number] = known
    if missing:
        raise LacunaError(
            f"the encoder lacks {len(missing)} of the tokenizer's tokens, {missing[0]!r} for one. "
            "Take its own tokenizer, or another encoder."
        )
    return numbers


NEVER = -1e4
"""The score of the impossible, low enough and still a number in half precision."""


def losses(per_token: Tensor, per_sequence: Tensor, batch: Batch) -> dict[str, Tensor]:
    """The loss of each head: a sum over the batch, and how many labels it is over.

    Returns pairs stacked in one tensor, so that batches can be added up.
    """
    per_token, per_sequence = per_token.float(), per_sequence.float()
    kinds, ways = per_sequence[:, Columns.KIND], ways_to_answer(per_token, per_sequence, batch)
    answer = -(kinds.log_softmax(1) + ways).logsumexp(1)
    parts = {"answer": summed(answer, batch.answered), "windows": _windows_loss(kinds, ways, batch)}
    for name, places, columns in (
        ("sentences", batch.sentences, Columns.SENTENCE),
        ("links", batch.links, Columns.LINK),
    ):
        scores = at_places(per_token, places, columns)
        known = places[..., 2] >= 0
        target = places[..., 2].clamp(min=0).float()
        each = functional.binary_cross_entropy_with_logits(scores, target, reduction="none")
        per_instance = (each * known).sum(1) / known.sum(1).clamp(min=1)
        parts[name] = summed(per_instance, known.any(1))
    relevance = functional.binary_cross_entropy_with_logits(
        per_sequence[:, Columns.RELEVANCE], batch.relevance.clamp(min=0).float(), reduction="none"
    )
    parts["relevance"] = summed(relevance, batch.relevance >= 0)
    parts["choice"] = _choice_loss(per_sequence, batch)
    for name, act in (
        ("yes_no_act", Columns.YES_NO_ACT),
        ("follow_up_act", Columns.FOLLOW_UP_ACT),
    ):
        labels = getattr(batch, name)
        each = functional.cross_entropy(per_sequence[:, act], labels.clamp(min=0), reduction="none")
        parts[name] = summed(each, labels >= 0)
    verdict = functional.cross_entropy(
        per_sequence[:, Columns.VERDICT], batch.verdict.clamp(min=0), reduction="none"
    )
    parts["verdict"] = summed(verdict, batch.verdict >= 0)
    return parts


def summed(each: Tensor, known: Tensor) -> Tensor:
    """The sum of the known values, and how many they are."""
    return torch.stack([torch.where(known, each, 0.0).sum(), known.sum().to(each.dtype)])


def at_places(per_token: Tensor, places: Tensor, columns: tuple[int, int]) -> Tensor:
    """Scores that are read at a first and a last token: [batch, places]."""
    first, last = places[..., 0].clamp(min=0), places[..., 1].clamp(min=0)
    return per_token[..., columns[0]].gather(1, first) + per_token[..., columns[1]].gather(1, last)


def span_log_probabilities(per_token: Tensor, batch: Batch) -> tuple[Tensor, Tensor]:
    """Log-probabilities of every start and every end: [batch, tokens] each."""
    start = per_token[..., Columns.START].masked_fill(~batch.readable, NEVER).log_softmax(1)
    end = per_token[..., Columns.END].masked_fill(~batch.readable, NEVER).log_softmax(1)
    return start, end


def sign_log_probabilities(per_token: Tensor, batch: Batch) -> Tensor:
    """Log-probabilities of 0, + and − for every number: [batch, numbers, 3]."""
    columns = Columns.SIGN
    scores = []
    for sign in range(len(SIGNS)):
        pair = columns[0].start + sign, columns[1].start + sign
        scores.append(at_places(per_token, batch.numbers, pair))
    return torch.stack(scores, -1).log_softmax(-1)


def ways_to_answer(per_token: Tensor, per_sequence: Tensor, batch: Batch) -> Tensor:
    """The log-likelihood of the gold answer by each kind, over all ways to give it so: [batch, 7].

    What it is worth as a whole depends on what a kind competes with: the others of its own input,
    or also those of other windows.
    """
    ways = torch.full_like(per_sequence[:, Columns.KIND], NEVER)

    start, end = span_log_probabilities(per_token, batch)
    at = batch.spans.clamp(min=0)
    span = start.gather(1, at[..., 0]) + end.gather(1, at[..., 1])  # [batch, spans]
    span = span.masked_fill(batch.spans[..., 0] < 0, NEVER)
    ways[:, HeadKind.SPAN] = span.logsumexp(1)

    tags = per_token[..., Columns.TAG].log_softmax(2)
    tag = tags.gather(2, batch.tags.unsqueeze(2)).squeeze(2) * batch.readable
    ways[:, HeadKind.SPANS] = torch.where(batch.tagged, tag.sum(1), NEVER)

    ways[:, HeadKind.NUMBER] = _derivations(sign_log_probabilities(per_token, batch), batch)

    count = per_sequence[:, Columns.COUNT].log_softmax(1)
    count = count.gather(1, batch.count.clamp(min=0).unsqueeze(1)).squeeze(1)
    ways[:, HeadKind.COUNT] = torch.where(batch.count >= 0, count, NEVER)

    for fixed in (HeadKind.YES, HeadKind.NO, HeadKind.NONE):
        ways[:, fixed] = torch.where(batch.fixed == fixed, 0.0, NEVER)
    return ways.clamp(min=NEVER)


def _windows_loss(kinds: Tensor, ways: Tensor, batch: Batch) -> Tensor:
    """The windows of a question compete: one answer of one window, or none of any, is right.

    An answer's odds against its window's none are comparable across windows, and so add up.
    """
    answers, none = slice(0, HeadKind.NONE), kinds[:, HeadKind.NONE]
    missing, rows = batch.rivals < 0, batch.rivals.clamp(min=0)
    anything = (kinds[:, answers].logsumexp(1) - none)[rows].masked_fill(missing, NEVER)
    gold = ((kinds + ways)[:, answers].logsumexp(1) - none)[rows]
    holds = (batch.answered & (batch.fixed != HeadKind.NONE))[rows] & ~missing
    nothing = torch.zeros_like(anything[:, :1])
    right = gold.masked_fill(~holds, NEVER).logsumexp(1)
    right = torch.where(holds.any(1), right, 0.0)
    each = torch.cat([nothing, anything], 1).logsumexp(1) - right
    return torch.stack([each.sum(), each.new_tensor(float(len(each)))])


def _derivations(signs: Tensor, batch: Batch) -> Tensor:
    """Each derivation gives signs to its terms and 0 to all other numbers."""
    zero = signs[..., 0]
    nothing = (zero * (batch.numbers[..., 0] >= 0)).sum(1)  # [batch]
    number, sign = batch.terms[..., 0], batch.terms[..., 1]  # [batch, derivations, terms]
    rows = torch.arange(len(signs), device=signs.device).view(-1, 1, 1)
    column = torch.where(sign == -1, SIGNS.index(-1), SIGNS.index(1))
    at = number.clamp(min=0)
    gain = signs[rows, at, column] - zero[rows, at]
    gain = (gain * (number >= 0)).sum(2)  # [batch, derivations]
    each = nothing.unsqueeze(1) + gain
    return each.masked_fill(number[..., 0] < 0, NEVER).logsumexp(1)


def choice_scores(per_sequence: Tensor, batch: Batch) -> Tensor:
    """Scores of the choices of each question, the right one first: [questions, choices]."""
    scores = per_sequence[:, Columns.CHOICE][batch.choices.clamp(min=0)]
    return scores.masked_fill(batch.choices < 0, NEVER)


def _choice_loss(per_sequence: Tensor, batch: Batch) -> Tensor:
    each = -choice_scores(per_sequence, batch).log_softmax(1)[:, 0]
    return torch.stack([each.sum(), each.new_tensor(float(len(each)))])


def save_network(network: Network, tokenizer: Path, folder: Path, about: dict[str, Any]) -> None:
    """Write a folder that ``load_network`` and the reader understand."""
    folder.mkdir(parents=True, exist_ok=True)
    remove_checksums(folder)
    with replace_bytes(folder / NETWORK) as out:
        out.write(save({name: value.contiguous() for name, value in network.state_dict().items()}))
    network.encoder.config.save_pretrained(folder / ENCODER)
    describe(tokenizer, folder, about)


def describe(tokenizer: Path, folder: Path, about: dict[str, Any]) -> None:
    """Write what every model has besides its weights: the tokenizer and the config."""
    if tokenizer.resolve() != (folder / TOKENIZER).resolve():
        shutil.copyfile(tokenizer, folder / TOKENIZER)
    write_config(folder, {**about, "format": FORMATS[ModelSystem.READER]})


def is_trained(folder: Path) -> bool:
    """Tell if a folder holds a network that was trained here, and not an encoder alone."""
    return (folder / NETWORK).is_file()


def load_network(folder: Path) -> Network:
    """Load a network that ``save_network`` wrote."""
    if not is_trained(folder):
        raise LacunaError(
            f"{folder} holds no trained network: {NETWORK} is missing. Give a folder in which "
            "`lacuna train` has finished."
        )
    try:
        config = AutoConfig.from_pretrained(folder / ENCODER)
        encoder = AutoModel.from_config(config, add_pooling_layer=False)
        weights = load_file(folder / NETWORK)
        network = Network(encoder, weights["numbers"])
        network.float()  # the encoder's config may name half precision, in which nothing is learned
        network.load_state_dict(
            {
                name: value.float() if value.is_floating_point() else value
                for name, value in with_all_columns(weights).items()
            }
        )
    except (KeyError, OSError, RuntimeError, SafetensorError, ValueError) as problem:
        raise LacunaError(
            f"the network in {folder} cannot be read ({problem}). It may be cut short or of "
            "another version; train it again."
        ) from problem
    quicken(encoder)
    return network


def with_all_columns(weights: dict[str, Tensor]) -> dict[str, Tensor]:
    """Weights whose scores of a sequence have the columns that came later; these start at zero."""
    widened = dict(weights)
    for name in ("sequence_scores.weight", "sequence_scores.bias"):
        scores = weights[name]
        if len(scores) == Columns.WITHOUT_VERDICT:
            missing = Columns.PER_SEQUENCE - Columns.WITHOUT_VERDICT
            widened[name] = torch.cat([scores, scores.new_zeros(missing, *scores.shape[1:])])
    return widened


class TorchBackend:
    """Runs a network as it was trained: for scores on a GPU, and to compare exported files with."""

    at_once = 2048

    def __init__(
        self, network: Network, device: torch.device | str = "cpu", *, batch_tokens: int = 65_536
    ) -> None:
        self.has_verdict = network.has_verdict
        self._network = network.to(device).eval()
        self._device = torch.device(device)
        self._batch_tokens = batch_tokens

    def run(self, inputs: Sequence[ModelInput]) -> list[Outputs]:
        """The scores of every input, in the order given."""
        outputs: dict[int, Outputs] = {}
        for batch in by_length(inputs, self._batch_tokens):
            feed = {
                name: torch.from_numpy(array).to(self._device)
                for name, array in padded([inputs[index] for index in batch]).items()
            }
            with torch.no_grad():
                per_token, per_sequence = self._network(**feed)
            rows = per_token.float().cpu().numpy(), per_sequence.float().cpu().numpy()
            for row, index in enumerate(batch):
                outputs[index] = rows[0][row, : len(inputs[index].ids)], rows[1][row]
        return [outputs[index] for index in range(len(inputs))]


def load_backend(folder: ModelFolder, threads: int | None) -> TorchBackend:
    """A network to read with, on the GPU if there is one."""
    if threads is not None:
        torch.set_num_threads(threads)
    return TorchBackend(load_network(folder.path), best_device())
