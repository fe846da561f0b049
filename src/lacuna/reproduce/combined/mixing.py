"""Mix questions of SQuAD and DROP into a file of IIRC; their passages get links by a wikifier.

The wikifier is ours: a title that a passage names becomes a link. No question of theirs needs one.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import groupby
from pathlib import Path
from random import Random

from lacuna.datasets import get_dataset
from lacuna.datasets.item import Block, Item
from lacuna.errors import LacunaError
from lacuna.retrieve.mentions import Known, mentions
from lacuna.types import AnswerKind, Document, Gold, Question

SHARE = 0.2
"""The share of the questions that is mixed in (IIRC, section 5)."""
WEIGHTS = {"squad": 3, "drop": 1}
"""So many questions of SQuAD come to one of DROP: 2,520 to 840 in the paper."""
SOURCE = "source"
"""The field that says which dataset a question is from."""
KINDS = (AnswerKind.SPAN, AnswerKind.SPANS, AnswerKind.NUMBER, AnswerKind.NONE)


@dataclass(slots=True)
class MixedCounts:
    """How many questions of each dataset a mixed file has, and how many were wanted."""

    own: int
    wanted: dict[str, int]
    mixed_in: dict[str, int]
    links: int = 0
    without_passage: int = 0
    """Questions of the file that were left out: IIRC's form needs a passage."""

    @property
    def short(self) -> list[str]:
        """The datasets that have fewer questions than were wanted."""
        return [name for name, count in self.wanted.items() if self.mixed_in[name] < count]


def mix(
    file: Path, added: dict[str, Path], known: Known, out: Path, *, share: float = SHARE, seed: int
) -> MixedCounts:
    """Write a file of IIRC whose questions are partly of the files ``added``, by their datasets.

    ``known`` tells which names are titles.
    """
    iirc = get_dataset("iirc")
    with iirc.open(file) as reader:
        every = list(reader)
    items = [item for item in every if all(block.document for block in item.blocks)]
    own = _question_count(items)
    if not own:
        raise LacunaError(f"{file} holds no question of iirc with a passage to mix others into.")
    counts = MixedCounts(own, wanted_of(own, share, list(added)), {})
    counts.without_passage = _question_count(every) - own
    for name, path in added.items():
        chosen = _sample(_questions(name, path), counts.wanted[name], Random(f"{seed} {name}"))
        counts.mixed_in[name] = len(chosen)
        for item in _passages(name, chosen, known):
            counts.links += sum(
                len(block.document.links) for block in item.blocks if block.document
            )
            items.append(item)
    iirc.write(out, items)
    return counts


def _question_count(items: Iterable[Item]) -> int:
    return sum(1 for item in items for _ in item.questions)


def wanted_of(own: int, share: float, names: Sequence[str]) -> dict[str, int]:
    """How many questions of each dataset make that share of the whole.

    >>> wanted_of(13_440, 0.2, ["squad", "drop"])
    {'squad': 2520, 'drop': 840}
    """
    total = own * share / (1 - share)
    weight = sum(WEIGHTS[name] for name in names)
    return {name: max(1, round(total * WEIGHTS[name] / weight)) for name in names}


def _questions(name: str, path: Path) -> list[Question]:
    with get_dataset(name).open(path) as reader:
        return [
            question
            for question in reader.questions()
            if question.context is not None
            and question.gold is not None
            and question.gold.answers
            and question.gold.answers[0].kind in KINDS
        ]


def _sample(questions: Sequence[Question], size: int, random: Random) -> list[Question]:
    """Some questions at random, in the file's order, so that those of a passage stay together."""
    numbers = random.sample(range(len(questions)), min(size, len(questions)))
    return [questions[number] for number in sorted(numbers)]


def _passages(name: str, questions: Iterable[Question], known: Known) -> Iterator[Item]:
    groups = groupby(questions, key=lambda question: id(question.context))
    for number, (_, group) in enumerate(groups, 1):
        several = list(group)
        context = several[0].context
        assert context is not None
        document = _wikified(context, known)
        asked = tuple(_asked(name, question, document) for question in several)
        yield Item((Block(asked, document, f"{name}-{number}", extra={SOURCE: name}),))


def _wikified(context: Document, known: Known) -> Document:
    found = mentions(context.text, known)
    own = context.title.replace("_", " ").casefold()
    links = tuple(link for link in found if link.target.casefold() != own)
    return Document(context.title, context.text, links=links)


def _asked(name: str, question: Question, document: Document) -> Question:
    assert question.gold is not None
    gold = Gold((question.gold.answers[0],), links=())
    return Question(
        f"{name}-{question.id}", question.text, document, gold=gold, extra={SOURCE: name}
    )
