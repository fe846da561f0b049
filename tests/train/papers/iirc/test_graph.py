"""NumNet's graph against a slow one, and what it may not depend on."""

from __future__ import annotations

from typing import Any

import pytest

torch = pytest.importorskip("torch")

from lacuna_lab.papers.numnet import RELATIONS, NumberGraph, comparisons


def test_every_pair_of_numbers_is_compared_once_and_by_its_relation() -> None:
    values = torch.tensor([[3.0, 1.0, 3.0, 9.0]])
    asked = torch.tensor([[False, False, True, False]])
    mask = torch.tensor([[True, True, True, False]])
    edges = comparisons(values, asked, mask)[0]
    assert edges.shape == (RELATIONS, 4, 4)
    assert edges.sum(0).tolist() == [[0, 1, 1, 0], [1, 0, 1, 0], [1, 1, 0, 0], [0, 0, 0, 0]]
    assert edges[0, 0, 1] == 1  # 3 > 1, both in texts
    assert edges[4, 1, 0] == 1  # 1 is not greater than 3
    assert edges[5, 0, 2] == 1  # nor is 3 than the question's 3
    assert edges[2, 2, 1] == 1  # the question's 3 is greater than 1


def test_messages_are_those_of_the_formula() -> None:
    torch.manual_seed(1)
    graph = NumberGraph(4, 2)
    nodes = torch.randn(1, 3, 4)
    values = torch.tensor([[5.0, 2.0, 7.0]])
    asked = torch.tensor([[False, True, False]])
    edges = comparisons(values, asked, torch.ones(1, 3, dtype=torch.bool))
    slow = nodes[0]
    weights = graph.messages.weight.view(RELATIONS, 4, 4)
    for _ in range(2):
        after = []
        for i in range(3):
            total = torch.zeros(4)
            for j in range(3):
                if i != j:
                    relation = 4 * int(values[0, i] <= values[0, j]) + 2 * int(asked[0, i])
                    relation += int(asked[0, j])
                    matters = graph.weight(slow[j]).sigmoid()
                    total = total + matters * (weights[relation] @ slow[j])
            after.append((graph.itself(slow[i]) + total / 2).relu())
        slow = torch.stack(after)
    assert torch.allclose(graph(nodes, edges)[0], slow, atol=1e-6)


def test_only_the_order_of_numbers_counts() -> None:
    torch.manual_seed(1)
    graph, nodes = NumberGraph(32, 3), torch.randn(1, 3, 32)
    none = torch.zeros(1, 3, dtype=torch.bool)

    def read(*values: float) -> Any:
        return graph(nodes, comparisons(torch.tensor([values]), none, ~none))

    assert torch.equal(read(1, 2, 3), read(10, 200, 1931))
    assert not torch.allclose(read(1, 2, 3), read(3, 2, 1))
