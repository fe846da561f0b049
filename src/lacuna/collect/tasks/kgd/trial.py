"""The tests before both rounds: questions and facts of our own."""

from __future__ import annotations

from collections.abc import Sequence

from lacuna.collect.tasks.task import Json, NewItem

MAGNET = ("Which of these would a magnet pull?", ("scarf", "steel nail", "glass bead", "oar"), "B")
SEAL = (
    "What keeps a seal warm in icy water?",
    ("whiskers", "flippers", "claws", "blubber"),
    "D",
)
FISHING = ("Where could you catch a fish?", ("a lake", "a desert", "a barn", "an attic"), "A")
PUDDLE = ("What can make a puddle vanish?", ("moonlight", "music", "sunshine", "a shadow"), "C")
Asked = tuple[str, tuple[str, ...], str]

JUDGED: tuple[tuple[Asked, tuple[tuple[str, str], ...]], ...] = (
    (
        MAGNET,
        (
            ("a magnet pulls iron", "unique"),
            ("a magnet pulls some materials and leaves others where they are", "relevant"),
            ("wool keeps the warmth of a body in", "no"),
            ("only things with iron in them stick to a magnet", "unique"),
        ),
    ),
    (
        SEAL,
        (
            ("fat keeps the heat inside the body of an animal", "unique"),
            ("the bodies of animals are made for where they live", "relevant"),
            ("a fish breathes through its gills", "no"),
        ),
    ),
)
MARKED: tuple[tuple[Asked, str, str, tuple[str, ...]], ...] = (
    (MAGNET, "a magnet pulls iron", "iron", ("madeof-1",)),
    (SEAL, "fat keeps the heat inside the body of an animal", "fat", ("isa-1",)),
    (FISHING, "fish live in water", "water", ("locatedin",)),
    (PUDDLE, "evaporation makes a liquid vanish", "evaporation", ("causes-1",)),
)


def fact_trial() -> Sequence[NewItem]:
    """Round 1's: facts that help, that help only a little, and that do not."""
    return [
        NewItem(
            f"test-facts-{number}",
            {**_asked(asked), "facts": [fact for fact, _ in facts]},
            gold={"judgements": [_verdict(verdict) for _, verdict in facts]},
        )
        for number, (asked, facts) in enumerate(JUDGED, 1)
    ]


def gap_trial() -> Sequence[NewItem]:
    """Round 2's: a key term and a relation each."""
    return [
        NewItem(
            f"test-gaps-{number}",
            {**_asked(asked), "fact": fact},
            gold={
                "span": [fact.index(term), fact.index(term) + len(term)],
                "relations": list(relations),
            },
        )
        for number, (asked, fact, term, relations) in enumerate(MARKED, 1)
    ]


def _asked(asked: Asked) -> Json:
    question, choices, answer = asked
    labelled = zip("ABCD", choices, strict=True)
    return {
        "question": question,
        "choices": [{"label": label, "text": text} for label, text in labelled],
        "answer": answer,
    }


def _verdict(verdict: str) -> Json:
    return {"relevant": verdict != "no", "unique": verdict == "unique"}
