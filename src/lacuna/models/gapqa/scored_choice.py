"""What the model says of one choice: its scores, the knowledge it read, and the gap to the fact."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from typing import Any

from lacuna.models.gapqa.knowledge_lines import KnowledgeKind, KnowledgeLine
from lacuna.models.gapqa.statements import Statement, same_words
from lacuna.types import Choice, Evidence, Gap


@dataclass(frozen=True, slots=True)
class ScoredChoice:
    """One choice: how likely it is the answer, what speaks for it, and its gap.

    ``span`` is the key span in words. ``relations`` says how likely each relation is by all lines
    together: by this the model chose. Of ``lines``, the last is the back-off; a model that reads no
    knowledge has none.
    """

    choice: Choice
    span: str
    probability: float
    fact_score: float
    relation_score: float
    relations: tuple[float, ...]
    lines: tuple[KnowledgeLine, ...]

    @property
    def is_span(self) -> bool:
        """Whether the choice is the key span in the same words, so that nothing is missing."""
        return same_words(self.span, self.choice.text)

    @property
    def knowledge(self) -> tuple[KnowledgeLine, ...]:
        """All lines but the back-off, the clearest first."""
        lines = [line for line in self.lines if line.kind is not KnowledgeKind.BACK_OFF]
        return tuple(sorted(lines, key=_clarity, reverse=True))

    @property
    def filling(self) -> Statement | None:
        """What fills the gap: the clearest statement, which the first line of knowledge makes."""
        knowledge = self.knowledge
        return knowledge[0].statement if knowledge and not self.is_span else None

    @property
    def gap(self) -> Gap | None:
        """How the key span and the choice are related, filled or open.

        None where the choice is the key span itself, and where the model reads no knowledge.
        """
        if self.is_span or not self.lines:
            return None
        knowledge, filling = self.knowledge, self.filling
        nearest = None
        if knowledge:
            nearest = Evidence(knowledge[0].source, 0, len(knowledge[0].text))
        return Gap(
            missing_relation(self.span, self.choice.text),
            looked_in=tuple(dict.fromkeys(line.source for line in knowledge)),
            nearest=nearest,
            relation=filling.direction.name if filling else "",
            filled=filling.direction.sentence(self.span, self.choice.text) if filling else "",
        )

    def as_json(self) -> dict[str, Any]:
        """Plain values for JSON; of the lines, the clearest come first, and last the back-off."""
        return {
            **self.choice._asdict(),
            "probability": self.probability,
            "fact_score": self.fact_score,
            "relation_score": self.relation_score,
            "gap": asdict(self.gap) if self.gap else None,
            "about": self.filling.about if self.filling else None,
            "relations": self.relations,
            "lines": [line.as_json() for line in (*self.knowledge, *self.lines[-1:])],
        }


def missing_relation(span: str, choice: str) -> str:
    """What is missing between a key span and a choice, in words.

    >>> missing_relation("metals", "a quilt")
    'how “metals” and “a quilt” are related'
    """
    return f"how “{span}” and “{choice}” are related"


def _clarity(line: KnowledgeLine) -> tuple[bool, bool, float, float]:
    """Lines that state a relation come first: triples, which do so in as many words, before
    sentences. Then come all others, as they were found: how little each of them says differs from
    processor to processor by more than from line to line."""
    if line.statement is None:
        return False, False, 0.0, 0.0
    about, likely, _ = line.statement
    return True, line.kind is KnowledgeKind.TRIPLE, about, likely
