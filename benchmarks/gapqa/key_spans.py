"""How well key spans are found: GapQA's table 3, on dev questions. LACUNA_DATA must be set.

Against people's spans where KGD's dev file is given (``--kgd``), else against the rule's where it
is trusted: then the spans of the paper's section 5.3 stand in place of people's.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from benchmarks.data import OPENBOOK_DEV, read_questions
from benchmarks.registry import command
from lacuna.datasets import get_dataset
from lacuna.metrics.metric import normalise, overlap
from lacuna.models.gapqa.gapqa_reader import GapQAReader
from lacuna.models.model_folder import ModelSystem, is_of_a_paper
from lacuna.models.registry import open_paper_reader
from lacuna.types import Question, Span
from lacuna_lab.gapqa.data import annotated_spans, fact_key, rule_spans, trusted
from lacuna_lab.papers.bidaf import over_fact


def main(arguments: Sequence[str]) -> None:
    """Print F1 and exact match of each model."""
    parser = command("gapqa-key-spans", __doc__)
    parser.add_argument("models", nargs="+", help="GapQA or BiDAF models, by name or folder")
    parser.add_argument("--kgd", type=Path, help="KGD's dev file")
    options = parser.parse_args(arguments)
    questions, expected = wanted_spans(options.kgd)
    for model in options.models:
        f1 = exact = 0.0
        for question, span, right in zip(
            questions, found_spans(model, questions), expected, strict=True
        ):
            text, texts = _text(question.fact, span), [_text(question.fact, one) for one in right]
            f1 += max(overlap(text, one).f1 for one in texts)
            exact += text in texts
        of = len(questions)
        print(f"{model}: {of} questions, F1 {100 * f1 / of:.1f}, EM {100 * exact / of:.1f}")


def wanted_spans(kgd: Path | None) -> tuple[list[Question], list[list[Span]]]:
    """Questions with their right spans: people's, of which there may be several, or the rule's."""
    if kgd is None:
        dev = read_questions("openbookqa", OPENBOOK_DEV)
        questions = [question for question in dev if trusted(question)]
        rule = rule_spans(questions)
        return questions, [[rule[fact_key(question)]] for question in questions]
    with get_dataset("openbookqa").open(kgd) as reader:
        people = [(question, annotated_spans(question)) for question in reader.questions()]
    known = [(question, spans) for question, spans in people if spans]
    return [question for question, _ in known], [spans for _, spans in known]


def found_spans(model: str, questions: Sequence[Question]) -> list[Span]:
    """The key spans by a GapQA model, or by BiDAF over the fact."""
    if not is_of_a_paper(Path(model)):
        return GapQAReader.load(model).key_spans(questions)
    reader = open_paper_reader(model, ModelSystem.BIDAF)
    spans = []
    for prediction in reader.read([over_fact(question) for question in questions]):
        assert prediction.answer is not None
        place = prediction.answer.found_at[0]
        spans.append(Span(place.start, place.end))
    return spans


def _text(fact: str | None, span: Span) -> str:
    return normalise((fact or "")[span.start : span.end])
