"""What the dialog says at each step, about the pair at hand."""

from __future__ import annotations

from lacuna.collect.tasks.task import Json
from lacuna.corpus.mining.pairs import Pair, PairKind


def hints_for(pair: Pair) -> Json:
    """A hint for each step: reading, the question, the answer, the supporting sentences."""
    if pair.kind is PairKind.BRIDGE:
        return _bridge(pair)
    return _yes_no(pair) if pair.yes_no else _comparison(pair)


def _bridge(pair: Pair) -> Json:
    return {
        "read": (
            f"The first paragraph is about {pair.first} and mentions {pair.second}, which the "
            f"second paragraph is about. {pair.second} is the bridge between them."
        ),
        "question": (
            f"Ask something that takes both paragraphs. One good way: do not name {pair.second}, "
            "say what the first paragraph tells instead, and ask for something that only the "
            f"second one tells. Or ask about {pair.first} by way of {pair.second}."
        ),
        "answer": "The answer stands in one of the paragraphs, word for word.",
        "supporting": (
            "Mark every sentence that is needed to get there: the one that leads to "
            f"{pair.second}, and the one with the answer."
        ),
    }


def _comparison(pair: Pair) -> Json:
    return {
        "read": (
            f"{pair.first} and {pair.second} are of one kind ({pair.group}). Look for something "
            "that both paragraphs tell: a date, a size, a place, a number of something."
        ),
        "question": (
            f"Compare {pair.first} and {pair.second}, and name both: which is older, which is "
            "larger, which was first … Nobody should be able to tell from one paragraph alone."
        ),
        "answer": "The answer is a piece of one of the paragraphs, or one of the two names.",
        "supporting": "Mark the sentence of each paragraph that the comparison rests on.",
    }


def _yes_no(pair: Pair) -> Json:
    return {
        "read": (
            f"{pair.first} and {pair.second} are of one kind ({pair.group}). Look for something "
            "that they share, or in which they differ."
        ),
        "question": (
            f"Ask a question about {pair.first} and {pair.second} that is answered with yes or "
            "no, and name both: are they from the same place, are both older than … One "
            "paragraph alone should not settle it."
        ),
        "answer": "Yes or no.",
        "supporting": "Mark the sentence of each paragraph that shows it.",
    }
