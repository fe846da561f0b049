"""Questions that their passage does not answer."""

from __future__ import annotations

from collections import Counter
from itertools import islice
from pathlib import Path

from lacuna.types import Answer, AnswerKind, Document, Evidence, Gold, Question
from lacuna_lab.data.sources import training_questions
from lacuna_lab.data.unanswerable import ask_elsewhere, contrasted

TEXT = (
    "The largest ferry, Marrow, was built in 1919 by Ada Quill in Norway. Prices rose. "
    "In 1931 a storm hit Sweden. The critic Ben Hollow wept."
)


def asked(text: str, answer: str, id_: str = "q") -> Question:
    start = TEXT.index(answer)
    place = Evidence("p", start, start + len(answer))
    gold = Gold((Answer.span(answer, place),))
    return Question(id_, text, Document("p", TEXT), gold=gold)


def test_a_wrong_passage_does_not_hold_the_answer() -> None:
    question = asked("Who built the largest ferry?", "Ada Quill")
    holds = Document("p", "Ada Quill built the largest ferry.")
    near, far = Document("p", "The largest ferry sank."), Document("p", "It rained.")
    wrong = ask_elsewhere(question, [holds, far, near])
    assert wrong is not None
    assert wrong.context == near
    assert ask_elsewhere(question, [holds]) is None


def test_real_questions_stand_beside_their_changed_form(data_folder: Path) -> None:
    real = list(islice(training_questions("squad1", data_folder, seed=1, evaluated=()), 3000))
    made = list(contrasted(real, 1))
    assert made == list(contrasted(real, 1))
    assert len({question.id for question in made}) == len(made)
    kinds = Counter(question.gold.answers[0].kind for question in made if question.gold)
    assert 0.25 < kinds[AnswerKind.NONE] / len(made) < 0.6
    by_id = {question.id: question for question in made}
    for question in made:
        base, _, change = question.id.rpartition("/")
        if change.startswith(("other", "opposite", "wrong_time", "negated")):
            assert by_id[base].context == question.context
            assert by_id[base].text != question.text
