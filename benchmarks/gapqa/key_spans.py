"""How well key spans are found: against the rule's, on dev questions where it is trusted.

KGD's own spans are not at hand, so this is the paper's table 3 with the spans of its section 5.3 in
place of people's. LACUNA_DATA must be set.
"""

from __future__ import annotations

from collections.abc import Sequence

from benchmarks.data import OPENBOOK_DEV, read_questions
from benchmarks.registry import command
from lacuna.metrics.normalise import normalise, overlap
from lacuna.models.gapqa.gapqa_reader import GapQAReader
from lacuna.train.gapqa.prepare import fact_key, rule_spans, trusted
from lacuna.types import Span


def main(arguments: Sequence[str]) -> None:
    """Print F1 and exact match of each model."""
    parser = command("gapqa-key-spans", __doc__)
    parser.add_argument("models", nargs="+", help="GapQA models, by name or folder")
    models = parser.parse_args(arguments).models
    dev = read_questions("openbookqa", OPENBOOK_DEV)
    questions = [question for question in dev if trusted(question)]
    rule = rule_spans(questions)
    for model in models:
        spans = GapQAReader.load(model).key_spans(questions)
        pairs = [
            (_text(question.fact, span), _text(question.fact, rule[fact_key(question)]))
            for question, span in zip(questions, spans, strict=True)
        ]
        f1 = sum(overlap(*pair).f1 for pair in pairs) / len(pairs)
        exact = sum(text == expected for text, expected in pairs) / len(pairs)
        print(f"{model}: {len(pairs)} questions, F1 {100 * f1:.1f}, EM {100 * exact:.1f}")


def _text(fact: str | None, span: Span) -> str:
    return normalise((fact or "")[span.start : span.end])
