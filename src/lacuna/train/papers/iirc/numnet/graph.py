"""NumNet's graph: numbers pass messages to those that are greater, and to those that are not."""

from __future__ import annotations

import torch
from torch import Tensor, nn

RELATIONS = 8
"""Greater or not, times whether each of the two numbers stands in the question or in a text."""


def comparisons(values: Tensor, asked: Tensor, mask: Tensor) -> Tensor:
    """Which number is compared with which, and how: [texts, relations, numbers, numbers].

    All given are [texts, numbers]; ``asked`` marks numbers of the question.
    """
    greater = values[:, :, None] > values[:, None, :]  # [texts, numbers, numbers]
    relation = 4 * (~greater).long() + 2 * asked[:, :, None].long() + asked[:, None, :].long()
    among = mask[:, :, None] & mask[:, None, :]
    among = among & ~torch.eye(values.shape[1], dtype=torch.bool, device=values.device)
    kinds = torch.arange(RELATIONS, device=values.device)
    return ((relation[:, None] == kinds[:, None, None]) & among[:, None]).float()


class NumberGraph(nn.Module):
    """So many steps of messages; each number is weighed by how much it matters to the question."""

    def __init__(self, size: int, steps: int) -> None:
        super().__init__()
        self.steps = steps
        self.weight = nn.Linear(size, 1)
        self.itself = nn.Linear(size, size)
        self.messages = nn.Linear(size, RELATIONS * size, bias=False)

    def forward(self, nodes: Tensor, edges: Tensor) -> Tensor:
        """Nodes [texts, numbers, size] and ``comparisons`` to nodes of the same shape."""
        texts, numbers, size = nodes.shape
        neighbours = edges.sum((1, 3)).clamp(min=1)[:, :, None]  # [texts, numbers, 1]
        for _ in range(self.steps):
            matters = self.weight(nodes).sigmoid()  # [texts, numbers, 1]
            sent = self.messages(nodes).view(texts, numbers, RELATIONS, size)
            sent = sent * matters[:, :, None]
            received = torch.einsum("trij,tjrs->tis", edges, sent) / neighbours
            nodes = (self.itself(nodes) + received).relu()
        return nodes
