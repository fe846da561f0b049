"""How well key spans are found: against the rule's, on dev questions where it is trusted.

    LACUNA_DATA=… python benchmarks/gapqa_spans.py MODEL…

with GapQA models, by name or folder. KGD's own spans are not at hand, so this is the paper's
table 3 with the spans of its section 5.3 in place of people's.
"""

from __future__ import annotations

import os
import sys
from pathlib import Path

from lacuna.metrics.normalise import normalise, overlap
from lacuna.models.gapqa.gapqa_reader import GapQAReader
from lacuna.train.data.data_folder import DEV, read
from lacuna.train.gapqa.prepare import fact_key, rule_spans, trusted


def main() -> None:
    """Print F1 and exact match of each model."""
    dev = read(DEV["openbookqa"], Path(os.environ["LACUNA_DATA"]))
    questions = [one for one in dev if trusted(one)]
    rule = rule_spans(questions)
    for model in sys.argv[1:]:
        found = GapQAReader.load(model).key_spans(questions)
        pairs = [
            (_text(one.fact, span), _text(one.fact, rule[fact_key(one)]))
            for one, span in zip(questions, found, strict=True)
        ]
        f1 = sum(overlap(*pair).f1 for pair in pairs) / len(pairs)
        same = sum(found == wanted for found, wanted in pairs) / len(pairs)
        print(f"{model}: {len(pairs)} questions, F1 {100 * f1:.1f}, EM {100 * same:.1f}")


def _text(fact: str | None, span: tuple[int, int]) -> str:
    return normalise((fact or "")[slice(*span)])


if __name__ == "__main__":
    main()
