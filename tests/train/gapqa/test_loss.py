from __future__ import annotations

from typing import Any

import pytest

torch = pytest.importorskip("torch")

from torch.nn.functional import binary_cross_entropy_with_logits, cross_entropy

from lacuna.models.gapqa.relations import DIRECTIONS
from lacuna.models.gapqa.rows import Part
from lacuna_lab.gapqa.network import (
    GapScores,
    Rows,
    Targets,
    answer_loss,
    choice_loss,
    line_loss,
    relation_loss,
    span_loss,
)
from lacuna_lab.gapqa.recipe import NONE_OF_THEM, UNKNOWN, GapRecipe

SIZES = (2, 4, 3)
ASKED = torch.repeat_interleave(torch.arange(3), torch.tensor(SIZES))
RIGHT = torch.tensor([1, 2 + 3, 6 + 0])
KNOWN = (3, 9)
"""The relations of the second question's right choice; of the others none is known."""


def random(*shape: int, seed: int = 1) -> Any:
    return torch.randn(*shape, generator=torch.Generator().manual_seed(seed))


def scores(**changes: Any) -> GapScores:
    made = GapScores(
        random(9), random(9, seed=2), random(9, len(DIRECTIONS)), random(5, len(DIRECTIONS))
    )
    return made._replace(**changes)


def targets(**changes: Any) -> Targets:
    relations = torch.zeros(3, len(DIRECTIONS))
    relations[1, list(KNOWN)] = 1
    made = Targets(RIGHT, relations, torch.full((3, 2), -1), torch.full((5,), UNKNOWN))
    return made._replace(**changes)


def test_each_question_has_its_own_choices() -> None:
    made = scores()
    each = [
        cross_entropy(made.choices[number == ASKED][None], torch.tensor([right]))
        for number, right in enumerate((1, 3, 0))
    ]
    assert choice_loss(made, ASKED, targets()) == pytest.approx(float(sum(each)) / 3, abs=1e-6)


def test_relations_of_the_right_choice_and_of_the_wrong_ones() -> None:
    made = scores()
    right = binary_cross_entropy_with_logits(made.relations[5], targets().relations[1])
    wrong = [
        binary_cross_entropy_with_logits(made.relations[at, list(KNOWN)], torch.zeros(2))
        for at in (2, 3, 4)
    ]
    expected = float(right) + float(sum(wrong))
    assert relation_loss(made, ASKED, targets()) == pytest.approx(expected, abs=1e-5)


@pytest.mark.parametrize(
    ("choice", "relation", "counts"),
    [
        (5, 3, True),  # the right choice has it
        (5, 4, True),  # the right choice has no other
        (2, 3, True),  # a wrong choice does not have what the right one has
        (2, 4, False),  # of what else a wrong choice has, nothing is known
        (4, 16, False),
        (0, 3, False),  # a question of which no relation is known
        (6, 3, False),
    ],
)
def test_only_what_is_known_of_relations_counts(choice: int, relation: int, counts: bool) -> None:
    made = scores()
    changed = made.relations.clone()
    changed[choice, relation] += 2
    before, after = (
        relation_loss(one, ASKED, targets()) for one in (made, made._replace(relations=changed))
    )
    assert (float(before) != float(after)) == counts


def test_without_any_label_only_choices_are_learned() -> None:
    nothing = targets(relations=torch.zeros(3, len(DIRECTIONS)))
    assert relation_loss(scores(), ASKED, nothing) == 0
    assert line_loss(scores(), nothing) == 0
    whole = answer_loss(GapRecipe("a", "b"), scores(), ASKED, nothing)
    assert whole == choice_loss(scores(), ASKED, nothing)


def test_lines_whose_triple_tells() -> None:
    made, labels = scores(), torch.tensor([UNKNOWN, 2, NONE_OF_THEM, UNKNOWN, 16])
    wanted = torch.zeros(3, len(DIRECTIONS))
    wanted[0, 2] = wanted[2, 16] = 1  # the second says none of them
    expected = binary_cross_entropy_with_logits(made.lines[[1, 2, 4]], wanted)
    assert line_loss(made, targets(lines=labels)) == pytest.approx(float(expected), abs=1e-6)
    other = made.lines.clone()
    other[[0, 3]] += 5
    assert line_loss(made._replace(lines=other), targets(lines=labels)) == pytest.approx(
        float(expected), abs=1e-6
    )


def test_the_parts_are_weighed() -> None:
    labelled = targets(lines=torch.tensor([1, 2, 3, 4, 5]))
    recipe = GapRecipe("a", "b", relation_weight=0.5, line_weight=3.0)
    parts = choice_loss(scores(), ASKED, labelled)
    parts = (
        parts + 0.5 * relation_loss(scores(), ASKED, labelled) + 3 * line_loss(scores(), labelled)
    )
    assert answer_loss(recipe, scores(), ASKED, labelled) == pytest.approx(float(parts))


PARTS = torch.tensor([[Part.QUESTION, Part.GLUE, Part.FACT, Part.FACT, Part.FACT, Part.GLUE]] * 3)
ROWS = Rows(torch.zeros_like(PARTS), PARTS)
SPANS = torch.tensor([[2, 3], [-1, -1], [4, 4]])


def test_spans_are_in_the_fact() -> None:
    found = random(3, 6, 2)
    each = [
        cross_entropy(found[row, 2:5, end][None], SPANS[row, end][None] - 2)
        for row in (0, 2)
        for end in (0, 1)
    ]
    made = span_loss(found, ROWS, targets(spans=SPANS))
    assert made == pytest.approx(float(sum(each)) / 4, abs=1e-5)
    other = found.clone()
    other[:, [0, 1, 5]] += 3  # what is said of other parts
    other[1] += random(6, 2, seed=5)  # and of a question without a span
    assert span_loss(other, ROWS, targets(spans=SPANS)) == pytest.approx(float(made), abs=1e-5)


def test_nothing_to_learn_of_spans() -> None:
    assert span_loss(None, ROWS, targets(spans=SPANS)) == 0
    assert span_loss(random(3, 6, 2), ROWS, targets()) == 0
