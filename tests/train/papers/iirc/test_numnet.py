"""NumNet+: labels of every way, likelihoods that add up, padding that changes nothing."""

from __future__ import annotations

import math
from pathlib import Path
from typing import Any

import pytest

torch = pytest.importorskip("torch")

from lacuna.types import Answer, AnswerKind, Document, Gold, Question
from lacuna_lab.papers.iirc import WINDOW_START, NumNetRecipe
from lacuna_lab.papers.numnet import (
    SIGNS,
    AnswerWay,
    Decoder,
    NumNetTask,
    answer_likelihood,
    numnet_example,
)
from lacuna_lab.papers.words import PieceTokenizer, pretrained_encoder

PASSAGE = Document("passage", "The ferry was launched in 1931 at Port Ellery.")
ACT = Document("act", "The Harbour Act was passed in 1958.", extra={WINDOW_START: 100})
TASK = NumNetTask(NumNetRecipe(name="x", system="iirc-paper", longest=128, dropout=0.0))


@pytest.fixture(scope="module")
def pieces(encoder: Path) -> PieceTokenizer:
    return PieceTokenizer.of_encoder(str(encoder))


@pytest.fixture(scope="module")
def network(encoder: Path) -> Any:
    torch.manual_seed(1)
    return TASK.network(pretrained_encoder(str(encoder))).eval()


def asked(*answers: Answer, text: str = "How old was the ferry, or the act, in 1958?") -> Question:
    return Question("1", text, PASSAGE, (ACT,), gold=Gold(answers))


def test_every_way_to_an_answer_is_labelled(pieces: PieceTokenizer) -> None:
    span = numnet_example(asked(Answer.span("the ferry")), pieces, 128)
    written = [span.read.span(*place)[0] for place in span.spans.tolist()]
    assert written == ["The ferry", "the ferry"]  # in the passage, and in the question
    number = numnet_example(asked(Answer.number(27)), pieces, 128)
    values = [quantity.value for quantity in number.read.quantities]
    assert values == [100, 1958, 1931]
    sums = [sum(SIGNS[sign] * value for sign, value in zip(row, values, strict=True))
            for row in number.signs.tolist()]  # fmt: skip
    assert sums == [27]
    assert number.count == -1
    assert numnet_example(asked(Answer.number(3)), pieces, 128).count == 3
    several = Answer.spans(("Harbour Act", "Port Ellery"))
    tagged = numnet_example(asked(several), pieces, 128)
    assert sorted(tagged.tags.tolist())[-2:] != [0, 0]
    assert not len(numnet_example(asked(Answer.spans(("Act", "Lost"))), pieces, 128).tags)
    assert numnet_example(asked(Answer.no()), pieces, 128).binary == 1
    assert numnet_example(asked(Answer.none()), pieces, 128).none
    assert not numnet_example(asked(Answer.span("nowhere")), pieces, 128).is_labelled


def test_places_are_those_of_the_whole_article(pieces: PieceTokenizer) -> None:
    example = numnet_example(asked(Answer.span("Harbour Act")), pieces, 128)
    text, where = example.read.span(*example.spans[0].tolist())
    assert text == "Harbour Act"
    assert where is not None
    assert (where.document, where.start) == ("act", 104)


def test_what_is_cut_off_is_neither_a_span_nor_a_number(pieces: PieceTokenizer) -> None:
    example = numnet_example(asked(Answer.span("Port Ellery")), pieces, 40)
    assert len(example.ids) == 40
    assert not len(example.spans)
    assert (example.read.number_places < 40).all()


def test_what_a_text_is_read_beside_makes_no_difference(
    pieces: PieceTokenizer, network: Any
) -> None:
    examples = [
        numnet_example(asked(Answer.number(27)), pieces, 128),
        numnet_example(asked(Answer.none(), text="Why?"), pieces, 128),
        numnet_example(Question("2", "Is it so?"), pieces, 128),
    ]
    with torch.no_grad():
        together = network(TASK.batch(examples, pieces.pad))
        for row, example in enumerate(examples):
            alone = network(TASK.batch([example], pieces.pad))
            length, numbers = example.length, len(example.read.number_places)
            sizes = {"signs": numbers, "ways": None, "counts": None, "binary": None}
            for name in alone._fields:
                own, other = getattr(alone, name)[0], getattr(together, name)[row]
                size = sizes.get(name, length)
                assert torch.allclose(own[:size], other[:size], atol=1e-4), name


def test_likelihoods_of_all_answers_of_a_way_add_up(pieces: PieceTokenizer, network: Any) -> None:
    with torch.no_grad():
        ways = {}
        for answer in (Answer.yes(), Answer.no(), Answer.none()):
            batch = TASK.batch([numnet_example(asked(answer), pieces, 128)], pieces.pad)
            scores = network(batch)
            ways[answer.kind] = math.exp(float(answer_likelihood(scores, batch)))
        chances = scores.ways.softmax(1)[0]
    assert ways[AnswerKind.YES] + ways[AnswerKind.NO] == pytest.approx(
        float(chances[AnswerWay.BINARY]), rel=1e-4
    )
    assert ways[AnswerKind.NONE] == pytest.approx(float(chances[AnswerWay.NONE]), rel=1e-4)


def test_every_weight_learns(pieces: PieceTokenizer, encoder: Path) -> None:
    answers = (
        *(Answer.number(27), Answer.number(3), Answer.yes(), Answer.none()),
        *(Answer.span("the ferry"), Answer.spans(("Harbour Act", "Port Ellery"))),
    )
    network = TASK.network(pretrained_encoder(str(encoder)))
    examples = [numnet_example(asked(answer), pieces, 128) for answer in answers]
    network.loss(TASK.batch(examples, pieces.pad)).backward()
    still = [
        name
        for name, weight in network.named_parameters()
        if weight.grad is None or not bool(weight.grad.abs().sum() > 0)
    ]
    # What is added to all scores of a softmax changes nothing, and a toy encoder has idle parts.
    assert [n for n in still if n.endswith("weight") and not n.startswith("encoder.")] == []


@pytest.mark.parametrize("way", list(AnswerWay))
def test_each_way_says_something(way: AnswerWay, pieces: PieceTokenizer, network: Any) -> None:
    example = numnet_example(asked(), pieces, 128)
    batch = TASK.batch([example], pieces.pad)
    with torch.no_grad():
        scores = network(batch)
    wanted = torch.full_like(scores.ways, -9.0)
    wanted[:, way] = 9.0
    prediction = Decoder(scores._replace(ways=wanted), batch).prediction(0, example.read)
    assert prediction.answer is not None
    kinds = {
        AnswerWay.COUNT: {AnswerKind.NUMBER},
        AnswerWay.ARITHMETIC: {AnswerKind.NUMBER},
        AnswerWay.BINARY: {AnswerKind.YES, AnswerKind.NO},
        AnswerWay.NONE: {AnswerKind.NONE},
    }.get(way, {AnswerKind.SPAN, AnswerKind.SPANS})
    assert prediction.answer.kind in kinds


def test_a_question_without_texts_or_numbers_is_answered_some_other_way(
    pieces: PieceTokenizer, network: Any
) -> None:
    example = numnet_example(Question("1", "Why?"), pieces, 128)
    batch = TASK.batch([example], pieces.pad)
    with torch.no_grad():
        ways = network(batch).ways.softmax(1)[0]
    for impossible in (AnswerWay.SPAN, AnswerWay.SPANS, AnswerWay.ARITHMETIC):
        assert float(ways[impossible]) == 0.0


@pytest.mark.skipif(not torch.cuda.is_available(), reason="there is no GPU")
def test_a_gpu_calculates_the_same(pieces: PieceTokenizer, encoder: Path) -> None:
    answers = (Answer.number(27), Answer.span("the ferry"), Answer.none())
    examples = [numnet_example(asked(answer), pieces, 128) for answer in answers]
    batch = TASK.batch(examples, pieces.pad)
    network = TASK.network(pretrained_encoder(str(encoder))).eval()
    with torch.no_grad():
        loss = float(network.loss(batch))
        device = torch.device("cuda")
        moved = float(network.to(device).loss(batch.to(device)))
    assert moved == pytest.approx(loss, rel=0.02)  # the encoder reads in half precision there
