"""What the JSON interface takes and gives of questions with choices."""

from __future__ import annotations

from lacuna.models.gapqa.choice_gaps import GapStatus, KnowledgeKind
from lacuna.server.schemas import Schema


class ToChoose(Schema):
    """A question with choices, and the core fact that the answer rests on."""

    question: str
    fact: str
    """It says half of the answer; what relates it to a choice is looked up."""
    choices: list[str]
    """Two or more; they are labelled A, B, C and so on in this order."""


class KeySpanTold(Schema):
    """The part of the fact that hints at the answer: offsets in code points, half-open."""

    start: int
    end: int
    text: str


class LabelledTold(Schema):
    """A choice."""

    label: str
    text: str


class LineTold(Schema):
    """A line of knowledge that was read for a choice."""

    text: str
    kind: KnowledgeKind
    """The back-off is the key span and the choice side by side: no knowledge, only the words."""
    source: str
    relations: list[float]
    """How likely each relation is by this line alone."""


class ChoiceTold(LabelledTold):
    """A choice, how likely it is the answer, and its gap."""

    probability: float
    fact_score: float
    """What the fact alone says for it."""
    relation_score: float
    """What its relation to the key span says for it."""
    gap: GapStatus
    """Filled by the first line; open, where no line states a relation of the two; none, where the
    choice is the key span itself; unseen, where the model looks at no knowledge."""
    relation: str | None
    """What fills the gap between the key span and this choice."""
    filled_gap: str | None
    """That relation as a sentence."""
    about: float | None
    """How much of the words of span and choice the first line is about, where it fills the gap."""
    relations: list[float]
    """How likely each relation is by all lines together."""
    lines: list[LineTold]
    """The clearest first, and last the back-off."""


class Chosen(Schema):
    """The choice that is the answer, and the gap that it rests on."""

    question: str
    fact: str
    key_span: KeySpanTold
    answer: LabelledTold
    confidence: float | None
    gap: GapStatus
    """That of the answer."""
    relation: str | None
    filled_gap: str | None
    knowledge_found: bool
    """Whether there is more than the back-off behind the answer."""
    relations: list[str]
    """Names of the relations, in the order of every list of likelihoods."""
    choices: list[ChoiceTold]
    milliseconds: float
