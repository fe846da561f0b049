"""What a requester can set for HotpotQA's tasks beyond what every task has."""

from __future__ import annotations

from lacuna.collect.tasks.knobs import Bounded, FileName, Knobs, Names
from lacuna.collect.tasks.task import MOST_BONUS_CENTS

MANY = 10**6

CURATION: Knobs = {
    "groups_file": FileName(),
    "pairs_per_group": Bounded(10, 1, 100),
    "copies": Bounded(1, 1, 9),
    "least_rate": Bounded(0.5),
    "seed": Bounded(13, 0, 2**31),
}
QUESTIONS: Knobs = {
    "bridge_ratio": Bounded(0.75),
    "yes_no_ratio": Bounded(0.5),
    "categories_file": FileName(),
    "lists_file": FileName(),
    "chosen_categories": Names(),
    "chosen_lists": Names(),
    "longest_question": Bounded(130, 5, 500),
    "sample_one_in": Bounded(4, 1, 1000),
    "sample_most": Bounded(10, 1, 1000),
    "best_every": Bounded(200, 1, MANY),
    "best_workers": Bounded(3, 0, 1000),
    "best_cents": Bounded(500, 0, MOST_BONUS_CENTS),
    "pace_every": Bounded(50, 1, MANY),
    "pace_least_per_hour": Bounded(20.0, 0, MANY),
    "pace_cents": Bounded(200, 0, MOST_BONUS_CENTS),
    "top_share": Bounded(0.7),
    "sample_least": Bounded(3, 1, 1000),
    "single_hop_share": Bounded(0.8),
    "split_models": Names(("small",), (0, 1, 3)),
    "medium_loss": Bounded(0.7, 0, 100),
    "seed": Bounded(13, 0, 2**31),
}
HOPS: Knobs = {}
