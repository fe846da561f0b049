"""Plans cover everything once, and batches hold each label where it belongs."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

pytest.importorskip("torch")

from lacuna_lab.train.batches import (
    Collated,
    collate,
    epoch_batches,
    held_out,
    plan_batches,
    prefetched,
)
from lacuna_lab.train.instances import UNKNOWN, Instance, Instances
from lacuna_lab.train.recipe import make_recipe


def blank(
    size: int, *, source: int = 0, group: int = 0, choice: int = UNKNOWN, rival: int = UNKNOWN
) -> Instance:
    ids = np.arange(1, size + 1, dtype=np.int32)
    one = Instance(source, ids, np.zeros(size, np.int32), [(0, size - 1)])
    one.group, one.choice, one.rival = group, choice, rival
    return one


sizes = st.lists(st.integers(1, 60), min_size=1, max_size=4)


@given(
    st.lists(st.tuples(sizes, st.sampled_from(["alone", "choices", "rivals"])), max_size=12),
    st.integers(1, 200),
    st.integers(0, 9),
)
def test_a_plan_has_every_instance_once(
    groups: list[tuple[list[int], str]], tokens: int, epoch: int
) -> None:
    made = [
        blank(
            size,
            group=number,
            choice=int(index == 0) if what == "choices" else UNKNOWN,
            rival=index % 2 if what == "rivals" else UNKNOWN,
        )
        for number, (some, what) in enumerate(groups)
        for index, size in enumerate(some)
    ]
    data = Instances.of(made)
    batches = plan_batches(data, np.arange(len(data)), tokens=tokens, seed=1, epoch=epoch)
    assert sorted(index for batch in batches for index in batch.tolist()) == list(range(len(made)))
    for batch in batches:
        inside = [made[index] for index in batch]
        together = {one.group for one in inside if groups[one.group][1] != "alone"}
        for group in together:
            assert sum(one.group == group for one in inside) == len(groups[group][0])
        alone = [one for one in inside if groups[one.group][1] == "alone"]
        if len(alone) + len(together) > 1:
            assert max(len(one.ids) for one in inside) * len(inside) <= tokens
    again = plan_batches(data, np.arange(len(data)), tokens=tokens, seed=1, epoch=epoch)
    assert all((one == two).all() for one, two in zip(batches, again, strict=True))


def test_shares_of_sources() -> None:
    made = [blank(5, source=number % 3, group=number) for number in range(60)]
    data = Instances.of(made)
    sources = {"whole": 1, "half": 0.5, "often": 2.5}
    recipe = make_recipe({"name": "", "encoder": "", "sources": sources, "batch_tokens": 20}, "")
    kept, aside = held_out(data, 0.1)
    assert len(aside) == 6
    assert sorted([*kept.tolist(), *aside.tolist()]) == list(range(60))
    batches = epoch_batches(data, kept, recipe, list(sources), 0)
    seen = np.bincount(np.concatenate(batches), minlength=60)
    assert not seen[aside].any()
    assert all(len(set(batch.tolist())) == len(batch) for batch in batches)
    for number, share in enumerate(sources.values()):
        own = kept[kept % 3 == number]
        assert seen[own].sum() == int(share) * len(own) + round(share % 1 * len(own))
        assert set(seen[own].tolist()) <= {int(share), int(share) + 1}


def test_labels_are_where_they_belong() -> None:
    one = blank(10, group=1)
    one.regions, one.spans, one.tagged = [(2, 4), (7, 8)], [(2, 3), (7, 7)], [(2, 4)]
    one.numbers, one.derivations = [(0, 0), (3, 4)], [((1, 1),), ((0, 1), (1, -1))]
    one.sentences, one.links = [(2, 4, 1), (7, 8, 0)], [(3, 3, 1)]
    one.answered, one.count, one.marks = True, 4, np.array([0] * 9 + [2], np.int32)
    two, three = blank(3, group=2, choice=0), blank(4, group=2, choice=1)
    batch = collate(Instances.of([one, two, three]), np.array([1, 0, 2]))
    assert batch.ids.shape == (3, 16)
    assert batch.ids[1, :10].tolist() == list(range(1, 11))
    assert batch.mask.sum(1).tolist() == [3, 10, 4]
    assert batch.marks[1].nonzero().flatten().tolist() == [9]
    assert batch.readable[1].nonzero().flatten().tolist() == [2, 3, 4, 7, 8]
    assert batch.spans[1, :3].tolist() == [[2, 3], [7, 7], [-1, -1]]
    assert batch.tags[1, :10].tolist() == [0, 0, 1, 2, 2, 0, 0, 0, 0, 0]
    assert batch.tagged.tolist() == [False, True, False]
    assert batch.numbers[1].tolist() == [[0, 0], [3, 4]]
    assert batch.terms[1, 0].tolist() == [[1, 1], [-1, -1], [-1, -1]]
    assert batch.terms[1, 1].tolist() == [[0, 1], [1, -1], [-1, -1]]
    assert batch.sentences[1].tolist() == [[2, 4, 1], [7, 8, 0]]
    assert batch.links[0].tolist() == [[-1, -1, -1]]
    assert batch.count.tolist() == [-1, 4, -1]
    assert batch.choices.tolist() == [[2, 0]]
    assert batch.rivals.tolist() == []
    assert batch.answered.tolist() == [False, True, False]


def test_a_loader_leaves_the_random_numbers_alone() -> None:
    import torch

    data = Instances.of([blank(4)])
    before = torch.get_rng_state()
    (batch,) = prefetched(Collated(data, [np.array([0])]))
    assert batch.ids[0, :4].tolist() == [1, 2, 3, 4]
    assert torch.equal(torch.get_rng_state(), before)
