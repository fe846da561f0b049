"""How often a triple that was found is read as the relation that it states, on dev questions.

Only triples count that can be read one way alone, and whose relation is one of the nine.
LACUNA_DATA must be set.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from pathlib import Path

from benchmarks.data import OPENBOOK_DEV, read_questions
from benchmarks.registry import command
from lacuna.models.gapqa.gapqa_reader import GapQAReader
from lacuna.models.gapqa.relations import DIRECTIONS
from lacuna.models.gapqa.rows import search_knowledge
from lacuna.retrieve.knowledge.knowledge_base import KnowledgeBase
from lacuna.types import Question
from lacuna_lab.gapqa.recipe import NONE_OF_THEM, UNKNOWN, line_labels


def main(arguments: Sequence[str]) -> None:
    """Print the share of each model, and of always naming the most frequent relation."""
    parser = command("gapqa-relations", __doc__)
    parser.add_argument("knowledge", type=Path, help="a knowledge base")
    parser.add_argument("models", nargs="+", help="GapQA models, by name or folder")
    parser.add_argument("--limit", type=int, help="the first so many questions")
    options = parser.parse_args(arguments)
    questions = read_questions("openbookqa", OPENBOOK_DEV, options.limit)
    facts = [question.fact for question in questions if question.fact]
    base = KnowledgeBase.open(options.knowledge).without(facts)
    for model in options.models:
        right, stated = read_triples(GapQAReader.load(model), base, questions)
        total = stated.total()
        always = max(stated.values()) / total
        print(
            f"{model}: {total} triples, {100 * right / total:.1f} % right, always one {always:.1%}"
        )


def read_triples(
    reader: GapQAReader, base: KnowledgeBase, questions: Sequence[Question]
) -> tuple[int, Counter[int]]:
    """How many triples are read rightly, and how often each relation is stated."""
    spans = reader.key_spans(questions)
    known = [search_knowledge(base, *pair) for pair in zip(questions, spans, strict=True)]
    stated: Counter[int] = Counter()
    right = 0
    for knowledge, choices in zip(known, reader.score(questions, known), strict=True):
        for lines, choice in zip(knowledge, choices, strict=True):
            for label, line in zip(line_labels(lines), choice.lines, strict=True):
                if label not in (UNKNOWN, NONE_OF_THEM):
                    stated[label] += 1
                    named = max(range(len(DIRECTIONS)), key=line.relations.__getitem__)
                    right += named == label
    return right, stated
