"""Questions with choices, and their answers."""

from __future__ import annotations

from lacuna.models.gapqa.knowledge_lines import KnowledgeKind
from lacuna.server.schemas.answers import GapSchema, ResultFields
from lacuna.server.schemas.base import RequestSchema, Schema


class ChoiceRequest(RequestSchema):
    """A question with choices, and the core fact that the answer rests on."""

    question: str
    """What is asked, on one line."""
    fact: str
    """It holds half of the answer; what relates it to a choice is looked up."""
    choices: list[str]
    """Two or more; they are labelled A, B, C and so on in this order."""


class KeySpanSchema(Schema):
    """The part of the fact that hints at the answer: offsets in code points, half-open."""

    start: int
    """Where it begins in the fact."""
    end: int
    """Where it ends, exclusive."""
    text: str
    """Its words."""


class KnowledgeLineSchema(Schema):
    """A line of knowledge that was read for a choice."""

    text: str
    """The line."""
    kind: KnowledgeKind
    """The back-off is the key span and the choice side by side: no knowledge, only the words."""
    source: str
    """Where it is from."""
    relations: list[float]
    """How likely each relation is by this line alone."""


class ChoiceGapSchema(GapSchema):
    """The gap between the key span of the fact and a choice; knowledge may fill it."""

    relation: str
    """What relates the two; empty where that stays open."""
    filled: str
    """The same as a sentence."""


class ScoredChoiceSchema(Schema):
    """A choice, how likely it is the answer, and its gap."""

    label: str
    """Its letter."""
    text: str
    """Its words."""
    probability: float
    """How likely it is the answer, from 0 to 1."""
    fact_score: float
    """How well the fact composes with the question and this choice."""
    relation_score: float
    """How well its relation to the key span fits."""
    gap: ChoiceGapSchema | None
    """Filled by the first line, or open, where no line states how the two are related. Null where
    the choice is the key span itself, and where the model reads no knowledge: then there are no
    lines either."""
    about: float | None
    """How much of the words of span and choice the first line is about, where it fills the gap."""
    relations: list[float]
    """How likely each relation is by all lines together."""
    lines: list[KnowledgeLineSchema]
    """The clearest first, and last the back-off."""


class ChoiceResultSchema(ResultFields):
    """The choice that is the answer, and the gap that it rests on."""

    gaps: list[ChoiceGapSchema]
    """That of the answer, if it has one."""
    fact: str
    """The core fact, as it was typed."""
    key_span: KeySpanSchema
    """The part of the fact that hints at the answer."""
    relations: list[str]
    """Names of the relations, in the order of every list of likelihoods."""
    choices: list[ScoredChoiceSchema]
    """All choices, in the order of the question."""
