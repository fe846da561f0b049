"""The tests before the work: paragraphs and gold of our own, about an island that is not there."""

from __future__ import annotations

from collections.abc import Sequence

from lacuna.collect.tasks.hotpotqa.hints import hints_for
from lacuna.collect.tasks.task import Json, NewItem
from lacuna.corpus.mining.pairs import Pair, PairKind

LIGHT = {
    "title": "Marrow Light",
    "sentences": [
        "Marrow Light is a lighthouse on the southern tip of Fenn.",
        "It was designed by Tilda Roke and first lit in 1871.",
        "The tower is 31 metres high.",
    ],
}
ROKE = {
    "title": "Tilda Roke",
    "sentences": [
        "Tilda Roke (1829–1903) was an engineer of harbours and lighthouses.",
        "She was born in Grellby, the daughter of a rope-maker.",
        "Her first work was the breakwater of Sell.",
    ],
}
HOLM = {
    "title": "Holm Beacon",
    "sentences": [
        "Holm Beacon is a lighthouse in the strait between Fenn and Arrel.",
        "It was built of iron in 1884 and is 24 metres high.",
    ],
}
FERRY = {
    "title": "Wide Water",
    "sentences": [
        "The Wide Water was a ferry between Fenn and Arrel.",
        "She was launched in 1910 and broken up in 1952.",
    ],
}
SECOND_FERRY = {
    "title": "Queen of Fenn",
    "sentences": [
        "The Queen of Fenn is a ferry, now a restaurant in Grellby.",
        "She was launched in 1931 and carried 300 passengers.",
    ],
}
UNIT = {
    "title": "Cubic metre",
    "sentences": ["The cubic metre is a unit of volume."],
}
FENN = {
    "title": "Fenn",
    "sentences": ["Fenn is an island in the north.", "It has 2,300 inhabitants."],
}


def questions() -> Sequence[NewItem]:
    """A bridge question and two comparisons; answers and supporting sentences are wanted."""
    return (
        _question(
            Pair(PairKind.BRIDGE, "Marrow Light", "Tilda Roke"),
            (LIGHT, ROKE),
            "Where was the engineer born who designed Marrow Light?",
            "Grellby",
            [[0, 1], [1, 1]],
        ),
        _question(
            Pair(PairKind.COMPARISON, "Marrow Light", "Holm Beacon", group="lighthouse"),
            (LIGHT, HOLM),
            "Which lighthouse is higher, Marrow Light or Holm Beacon?",
            "Marrow Light",
            [[0, 2], [1, 1]],
        ),
        _question(
            Pair(PairKind.COMPARISON, "Wide Water", "Queen of Fenn", True, "ferry"),
            (FERRY, SECOND_FERRY),
            "Were both the Wide Water and the Queen of Fenn launched before 1920?",
            "no",
            [[0, 1], [1, 1]],
        ),
    )


def categories() -> Sequence[NewItem]:
    """A category with pairs that give a question, and pairs that do not."""
    pairs = [
        (_pair("bridge", LIGHT, ROKE, (1, 19, 29)), True),
        (_pair("bridge", LIGHT, FENN, (0, 52, 56)), True),
        (_pair("bridge", FERRY, UNIT), False),
        (_pair("bridge", FENN, UNIT), False),
    ]
    return (_group("engineers and units", pairs),)


def lists() -> Sequence[NewItem]:
    """A list with pairs that can be compared, and pairs that cannot."""
    pairs = [
        (_pair("comparison", LIGHT, HOLM), True),
        (_pair("comparison", FERRY, SECOND_FERRY), True),
        (_pair("comparison", ROKE, UNIT), False),
        (_pair("comparison", UNIT, HOLM), False),
    ]
    return (_group("things of Fenn", pairs),)


def hops() -> Sequence[NewItem]:
    """Questions that take one paragraph, and some that take both."""
    asked = (
        (LIGHT, ROKE, "Where was the engineer born who designed Marrow Light?", "Grellby", "both"),
        (LIGHT, ROKE, "Where was Tilda Roke, an engineer, born?", "Grellby", "one"),
        (LIGHT, HOLM, "Is Marrow Light or Holm Beacon built of iron?", "Holm Beacon", "one"),
        (LIGHT, HOLM, "Was Marrow Light lit before Holm Beacon was built?", "yes", "both"),
    )
    return tuple(
        NewItem(
            f"test-{number}",
            {"paragraphs": [first, second], "question": question, "answer": answer},
            gold={"needs": needs},
        )
        for number, (first, second, question, answer, needs) in enumerate(asked, 1)
    )


def _question(
    pair: Pair,
    paragraphs: tuple[Json, Json],
    question: str,
    answer: str,
    supporting: list[list[int]],
) -> NewItem:
    payload: Json = {
        "kind": str(pair.kind),
        "yes_no": pair.yes_no,
        "group": pair.group,
        "paragraphs": list(paragraphs),
        "anchors": [],
        "short_names": [[], []],
        "hints": hints_for(pair),
        "given_question": question,
    }
    gold = {"answer": answer, "supporting": supporting}
    return NewItem(f"test-{pair.first}-{pair.second}", payload, gold=gold)


def _pair(kind: str, first: Json, second: Json, anchor: tuple[int, int, int] | None = None) -> Json:
    anchors = []
    if anchor:
        anchors = [dict(zip(("sentence", "start", "end"), anchor, strict=True))]
    return {"kind": kind, "paragraphs": [first, second], "anchors": anchors}


def _group(name: str, pairs: Sequence[tuple[Json, bool]]) -> NewItem:
    payload = {"group": name, "size": 2 * len(pairs), "pairs": [pair for pair, _ in pairs]}
    return NewItem("test", payload, gold={"askable": [askable for _, askable in pairs]})
