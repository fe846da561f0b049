from __future__ import annotations

from typing import Any

import pytest

torch = pytest.importorskip("torch")

from lacuna_lab.gapqa.network import (
    NOTHING,
    Features,
    GapHeads,
    choice_features,
    compared,
    composable,
    fact_features,
    largest,
    line_features,
    mean,
    weighted,
)


def close(first: Any, second: Any) -> bool:
    return bool(torch.allclose(first, second, atol=1e-5))


def states(rows: int, tokens: int, seed: int) -> Any:
    return torch.randn(rows, tokens, 4, generator=torch.Generator().manual_seed(seed))


def mask(*rows: list[int]) -> Any:
    return torch.tensor(rows, dtype=torch.bool)


EYE = torch.eye(4)[None]


def test_the_token_that_is_seen_is_read() -> None:
    """Every token is closest to itself, so that with a high scale only the one seen counts."""
    everything = mask([1, 1, 1, 1])
    made = weighted(EYE, mask([0, 0, 1, 0]), EYE, everything, 100.0)
    assert close(made, EYE[:, 2])
    both = weighted(EYE, mask([1, 0, 1, 0]), EYE, everything, 100.0)
    assert close(both, (EYE[:, 0] + EYE[:, 2]) / 2)


def test_by_hand() -> None:
    read, seen = torch.tensor([[[1.0, 0.0], [0.0, 2.0]]]), torch.tensor([[[1.0, 0.0], [1.0, 1.0]]])
    likeness = torch.tensor([1.0, 2.0]) * 0.5  # the best of (1, 1), the best of (0, 2)
    share = likeness.softmax(0)
    made = weighted(seen, mask([1, 1]), read, mask([1, 1]), 0.5)
    assert close(made, torch.tensor([[share[0], 2 * share[1]]]))


def test_what_is_masked_makes_no_difference() -> None:
    seen, read = states(2, 5, 1), states(2, 6, 2)
    seen_mask = mask([1, 1, 0, 0, 1], [0, 1, 0, 0, 0])
    read_mask = mask([1, 0, 1, 1, 0, 0], [1, 1, 1, 1, 0, 1])
    before = weighted(seen, seen_mask, read, read_mask, 1.0)
    changed = weighted(
        torch.where(seen_mask[:, :, None], seen, states(2, 5, 3) * 9),
        seen_mask,
        torch.where(read_mask[:, :, None], read, states(2, 6, 4) * 9),
        read_mask,
        1.0,
    )
    assert close(before, changed)
    assert close(mean(read, read_mask)[0], read[0, [0, 2, 3]].mean(0))
    assert close(largest(read, read_mask)[0], read[0, [0, 2, 3]].max(0).values)


def test_a_row_without_such_a_part() -> None:
    read, none = states(1, 3, 1), mask([0, 0, 0])
    assert close(mean(read, none), torch.zeros(1, 4))
    assert (largest(read, none) == NOTHING).all()


def test_two_vectors_compared() -> None:
    made = compared(torch.tensor([3.0, 2.0]), torch.tensor([1.0, -1.0]))
    assert made.tolist() == [2, 3, 3, -2]


def test_features_as_the_paper_has_them() -> None:
    """Written out once more, from the parts that are tested above."""
    row = states(2, 9, 5)
    one, two, three = ((row, torch.arange(9).expand(2, 9) // 3 == part) for part in range(3))
    by_one, by_two = weighted(*one, *three, 0.7), weighted(*two, *three, 0.7)
    fact = fact_features(one, two, three, 0.7)
    assert close(fact, compared((by_one + by_two) / 2, mean(*three)))
    assert close(line_features(one, two, three, 0.7), compared(by_one, by_two))
    together = choice_features(one, two, 0.7)
    assert close(together, compared(weighted(*two, *one, 0.7), weighted(*one, *two, 0.7)))
    assert close(composable(one, three), compared(largest(*one), largest(*three)))


def features(lines: int, choice_of: list[int]) -> Features:
    random = torch.Generator().manual_seed(6)
    fact, asked, seen = (torch.randn(n, 8, generator=random) for n in (3, 2, lines))
    return Features(fact, asked, seen, torch.tensor([0, 0, 1]), torch.tensor(choice_of).long())


def test_a_choices_relations_are_the_mean_of_its_lines() -> None:
    torch.manual_seed(1)
    heads = GapHeads(4, 5).eval()
    seen = features(4, [2, 0, 2, 0])
    made = heads(seen, knowledge=True)
    assert made.lines.shape == (4, 5)
    assert close(made.relations[0], made.lines[[1, 3]].mean(0)), "the last layer is linear"
    assert close(made.relations[2], made.lines[[0, 2]].mean(0))
    assert close(made.choices, made.fact + made.relation)
    alone = heads(
        seen._replace(lines=seen.lines[[1, 3]], choice_of=torch.tensor([0, 0])), knowledge=True
    )
    assert close(alone.relation[0], made.relation[0]), "other choices' lines make no difference"
    assert not close(alone.relation[2], made.relation[2])


def test_without_knowledge_the_fact_alone_counts() -> None:
    torch.manual_seed(1)
    heads = GapHeads(4, 5).eval()
    with_it, without = (heads(features(2, [0, 1]), knowledge=one) for one in (True, False))
    assert close(without.choices, with_it.fact)
    assert with_it.relation.all()
    nothing = heads(features(0, []), knowledge=False)
    assert close(nothing.choices, without.choices)
    assert nothing.lines.shape == (0, 5)
