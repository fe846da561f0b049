"""The test before a human check: one question of our own, in the dataset's manner."""

from __future__ import annotations

from lacuna.collect.tasks.human.sheets import CHOICE, SHEETS
from lacuna.collect.tasks.task import Json, NewItem

LIGHT = {
    "title": "Marrow Light",
    "parts": [
        "Marrow Light is a lighthouse on the southern tip of Fenn.",
        "It was designed by Tilda Roke and first lit in 1871.",
    ],
}
ROKE = {
    "title": "Tilda Roke",
    "parts": [
        "Tilda Roke was an engineer of harbours and lighthouses.",
        "She was born in Grellby, the daughter of a rope-maker.",
    ],
}
LABELS = "ABCD"


def trial_item(dataset: str, setting: str) -> NewItem:
    """The test for a dataset, with how we answer it."""
    sheet = SHEETS[dataset]
    about: Json = {"dataset": dataset, "setting": setting, "id": "test", "fact": "", "choices": []}
    if CHOICE in sheet.kinds:
        choices = zip(LABELS, ("scarf", "steel nail", "glass bead", "oar"), strict=True)
        about |= {
            "question": "Which of these would a magnet pull?",
            "fact": "a magnet pulls iron",
            "choices": [{"label": label, "text": text} for label, text in choices],
            "texts": {},
        }
        return NewItem(f"test-{dataset}", about, gold={"kind": "choice", "choice": "B"})
    about |= {
        "question": "Where was the engineer born who designed Marrow Light?",
        "texts": {"0": LIGHT, "1": ROKE},
    }
    gold: Json = {"kind": "span", "texts": ["Grellby"]}
    if sheet.supporting:
        gold["supporting"] = [[0, 1], [1, 1]]
    return NewItem(f"test-{dataset}", about, gold=gold)
