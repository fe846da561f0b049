"""How often a triple that was found is read as the relation that it states, on dev questions.

    LACUNA_DATA=… python benchmarks/gapqa_lines.py KB MODEL…

Only triples count that can be read one way alone, and whose relation is one of the nine.
"""

from __future__ import annotations

import os
import sys
from collections import Counter
from pathlib import Path

from lacuna.models.gapqa.gapqa_reader import GapQAReader
from lacuna.models.gapqa.knowledge_lines import search_knowledge
from lacuna.models.gapqa.relations import DIRECTIONS
from lacuna.retrieve.knowledge import KnowledgeBase
from lacuna.train.data.data_folder import DEV, read
from lacuna.train.gapqa.labels import NONE_OF_THEM, UNKNOWN, line_labels


def main() -> None:
    """Print the share of each model, and of always saying the most frequent relation."""
    questions = list(read(DEV["openbookqa"], Path(os.environ["LACUNA_DATA"])))
    facts = [one.fact for one in questions if one.fact]
    base = KnowledgeBase.open(Path(sys.argv[1])).without(facts)
    for model in sys.argv[2:]:
        reader = GapQAReader.load(model)
        spans = reader.key_spans(questions)
        known = [search_knowledge(base, *pair) for pair in zip(questions, spans, strict=True)]
        stated: Counter[int] = Counter()
        right = 0
        for found, choices in zip(known, reader.score(questions, known), strict=True):
            for one, choice in zip(found, choices, strict=True):
                for label, line in zip(line_labels(one), choice.lines, strict=True):
                    if label not in (UNKNOWN, NONE_OF_THEM):
                        stated[label] += 1
                        right += (
                            max(range(len(DIRECTIONS)), key=line.relations.__getitem__) == label
                        )
        total = stated.total()
        often = max(stated.values()) / total
        print(
            f"{model}: {total} triples, {100 * right / total:.1f} % right, always one {often:.1%}"
        )


if __name__ == "__main__":
    main()
