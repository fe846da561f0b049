"""Losses against what a hand calculates."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest

torch = pytest.importorskip("torch")

from lacuna.models.reader.decode import Columns, HeadKind
from lacuna_lab.train.batches import Batch, collate
from lacuna_lab.train.instances import Instance, Instances
from lacuna_lab.train.network import losses

SIZE, READABLE, KINDS = 8, 6, 7


def instance(**labels: Any) -> Instance:
    ids = np.arange(1, SIZE + 1, dtype=np.int32)
    one = Instance(0, ids, np.zeros(SIZE, np.int32), [(2, SIZE - 1)])
    for name, value in labels.items():
        setattr(one, name, value)
    return one


def batch_of(*instances: Instance) -> Batch:
    return collate(Instances.of(instances), np.arange(len(instances)))


def scores(rows: int, *, random: bool = False) -> tuple[Any, Any]:
    made = torch.randn if random else torch.zeros
    torch.manual_seed(0)
    return (
        made(rows, SIZE, Columns.PER_TOKEN).requires_grad_(),
        made(rows, Columns.PER_SEQUENCE).requires_grad_(),
    )


def answer_loss(**labels: Any) -> float:
    """The answer's loss where the network knows nothing."""
    loss, count = losses(*scores(1), batch_of(instance(answered=True, **labels)))["answer"]
    assert count == 1
    return float(loss)


def test_a_span_at_two_places() -> None:
    assert answer_loss(spans=[(3, 3), (5, 6)]) == pytest.approx(
        -math.log(2 / (READABLE * READABLE * KINDS)), abs=1e-5
    )


def test_a_number_by_two_derivations() -> None:
    numbers = [(0, 0), (3, 3), (5, 5)]
    derivations = [((1, 1),), ((1, 1), (2, -1))]
    assert answer_loss(numbers=numbers, derivations=derivations) == pytest.approx(
        -math.log(2 / (3**3 * KINDS)), abs=1e-5
    )


def test_the_signs_of_a_derivation() -> None:
    per_token, per_sequence = scores(1)
    first, last = Columns.SIGN
    with torch.no_grad():
        per_token[0, 3, first.start + 1] = 1.5  # plus for the number at 3 … 4
        per_token[0, 4, last.start + 1] = 0.5
        per_token[0, 5, first.start + 2] = 1.0  # minus for the one at 5
    numbers, derivations = [(3, 4), (5, 5)], [((0, 1), (1, -1))]
    batch = batch_of(instance(answered=True, numbers=numbers, derivations=derivations))
    plus, minus = math.exp(2) / (math.exp(2) + 2), math.e / (math.e + 2)
    loss, _ = losses(per_token, per_sequence, batch)["answer"]
    assert float(loss) == pytest.approx(-math.log(plus * minus / KINDS), abs=1e-5)


def test_every_way_to_an_answer_is_added_up() -> None:
    ways = 1 / READABLE**2 + 1 / 3 + 1 / 10
    assert answer_loss(
        spans=[(3, 3)], numbers=[(3, 3)], derivations=[((0, 1),)], count=4
    ) == pytest.approx(-math.log(ways / KINDS), abs=1e-5)


def test_tags_and_fixed_kinds() -> None:
    assert answer_loss(tagged=[(3, 4), (6, 6)]) == pytest.approx(
        -math.log(1 / (3**READABLE * KINDS)), abs=1e-5
    )
    assert answer_loss(fixed=HeadKind.NO) == pytest.approx(math.log(KINDS), abs=1e-5)


def test_sentences_links_relevance_and_acts() -> None:
    per_token, per_sequence = scores(1)
    with torch.no_grad():
        per_token[0, 2, Columns.SENTENCE[0]] = 1.0
        per_token[0, 4, Columns.SENTENCE[1]] = 2.0
    one = instance(sentences=[(2, 4, 1), (5, 7, 0)], links=[(3, 3, 1)], relevance=0, yes_no_act=2)
    made = losses(per_token, per_sequence, batch_of(one))
    sentence = math.log(1 + math.exp(-3))
    assert float(made["sentences"][0]) == pytest.approx((sentence + math.log(2)) / 2)
    assert float(made["links"][0]) == pytest.approx(math.log(2))
    assert float(made["relevance"][0]) == pytest.approx(math.log(2))
    assert float(made["yes_no_act"][0]) == pytest.approx(math.log(3))
    assert made["follow_up_act"].tolist() == [0, 0]


def test_choices_are_compared_with_each_other() -> None:
    rows = [instance(choice=int(right), group=1) for right in (False, True, False, False)]
    per_token, per_sequence = scores(4)
    given = [0.3, 1.2, -0.5, 0.0]
    with torch.no_grad():
        per_sequence[:, Columns.CHOICE] = torch.tensor(given)
    loss, count = losses(per_token, per_sequence, batch_of(*rows))["choice"]
    assert count == 1
    assert float(loss) == pytest.approx(math.log(sum(map(math.exp, given))) - 1.2, abs=1e-5)


def test_windows_of_a_question_compete() -> None:
    """Against plain Python: one question with an answer in two of three windows, one without."""
    rows = [
        instance(answered=True, rival=0, group=1, spans=[(3, 3)]),
        instance(answered=True, rival=0, group=1, fixed=HeadKind.NONE),
        instance(answered=True, rival=0, group=1, fixed=HeadKind.YES),
        instance(answered=True, rival=1, group=1, fixed=HeadKind.NONE),
        instance(answered=True, fixed=HeadKind.NO),  # alone: it competes with nothing
    ]
    per_token, per_sequence = scores(len(rows), random=True)
    kinds = per_sequence[:, Columns.KIND].tolist()
    odds = [sum(math.exp(one - row[-1]) for one in row[:-1]) for row in kinds]
    start, end = (
        math.exp(per_token[0, 3, column]) / float(per_token[0, 2:, column].exp().sum())
        for column in (Columns.START, Columns.END)
    )
    span = math.exp(kinds[0][HeadKind.SPAN] - kinds[0][-1]) * start * end
    yes = math.exp(kinds[2][HeadKind.YES] - kinds[2][-1])
    first = -math.log((span + yes) / (1 + odds[0] + odds[1] + odds[2]))
    second = math.log(1 + odds[3])
    batch = batch_of(*rows)
    assert batch.rivals.tolist() == [[0, 1, 2], [3, -1, -1]]
    loss, count = losses(per_token, per_sequence, batch)["windows"]
    assert count == 2
    assert float(loss) == pytest.approx(first + second, abs=1e-4)


def test_windows_stay_numbers_where_scores_are_extreme() -> None:
    rows = [
        instance(answered=True, rival=0, group=1, spans=[(3, 3)]),
        instance(answered=True, rival=0, group=1, fixed=HeadKind.NONE),
    ]
    per_token, per_sequence = scores(2)
    with torch.no_grad():
        per_sequence[0, HeadKind.NONE] = 300.0
        per_sequence[1, HeadKind.YES] = 300.0
        per_token[0, 4, Columns.START] = 300.0
    coarse = per_token.to(torch.bfloat16), per_sequence.to(torch.bfloat16)
    loss, _ = losses(*coarse, batch_of(*rows))["windows"]
    loss.backward()
    assert 500 < float(loss) < 2000
    assert per_sequence.grad.isfinite().all()
    assert per_token.grad.isfinite().all()


def test_a_head_without_a_label_gets_no_gradient() -> None:
    per_token, per_sequence = scores(2, random=True)
    batch = batch_of(instance(answered=True, spans=[(3, 4)]), instance(relevance=1))
    sum(part[0] for part in losses(per_token, per_sequence, batch).values()).backward()
    taught = per_token.grad[..., [Columns.START, Columns.END]]
    assert taught[0, 2:].abs().min() > 0
    assert not taught[0, :2].any()
    others = torch.ones(Columns.PER_TOKEN, dtype=bool)
    others[[Columns.START, Columns.END]] = False
    assert not per_token.grad[..., others].any()
    assert not per_token.grad[1].any()
    others = torch.ones(Columns.PER_SEQUENCE, dtype=bool)
    others[Columns.KIND] = False
    assert not per_sequence.grad[0, others].any()
    assert per_sequence.grad[1].nonzero().flatten().tolist() == [Columns.RELEVANCE]


def test_without_any_label_all_is_zero() -> None:
    per_token, per_sequence = scores(1, random=True)
    made = losses(per_token, per_sequence, batch_of(instance()))
    assert all(part.tolist() == [0, 0] for part in made.values())
    sum(part[0] for part in made.values()).backward()
    assert not per_token.grad.any()
    assert not per_sequence.grad.any()
