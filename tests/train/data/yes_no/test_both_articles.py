"""Questions about two articles for yes or no."""

from __future__ import annotations

from collections import Counter
from itertools import islice
from pathlib import Path
from random import Random

from opening_pages import OPENINGS, page

from lacuna.types import Document, Gold, Question
from lacuna_lab.data.sources import training_questions
from lacuna_lab.data.texts import read_opening
from lacuna_lab.data.yes_no_both import FORMS, born_before, both_are, both_questions


def test_answers_follow_the_openings() -> None:
    ada, ben, cy = (read_opening(page(title)) for title in ("Ada Quill", "Ben Hollow", "Cy Tarn"))
    assert ada is not None
    assert ben is not None
    assert cy is not None
    painters = both_are(ben, Random(1))
    assert painters is not None
    asked = [painters(other, False) for other in (ada, cy)]
    assert [one and one[1] for one in asked] == [True, False]
    for seed in range(9):
        older = born_before(ben, Random(seed))
        assert older is not None
        for turned in (False, True):
            text, true = older(ada, turned) or ("", None)
            first = text.index("Ben") < text.index("Ada")
            assert true == (first == ("before" in text or "older" in text))


def test_nothing_is_said_of_trades_that_go_together() -> None:
    singer = read_opening(Document("Ada Quill", "Ada Quill is a Dutch singer."))
    player = read_opening(Document("Ben Hollow", "Ben Hollow is a Dutch guitarist."))
    assert singer is not None
    assert player is not None
    asked = both_are(singer, Random(1))
    assert asked is not None
    assert asked(player, False) is None


def test_pairs_differ_in_one_name_and_stand_over_the_same_texts() -> None:
    people = tuple(page(title) for title in ("Ada Quill", "Ben Hollow", "Cy Tarn"))
    context = [Question("q", "Who?", documents=people, gold=Gold())]
    for seed in range(30):
        yes, no = islice(both_questions(context, seed=seed, at_most=2), 2)
        assert yes.documents == no.documents
        assert yes.id.removesuffix("yes") == no.id.removesuffix("no")
        assert yes.gold is not None
        assert no.gold is not None
        for made in (yes, no):
            named = {title for title in OPENINGS if title in made.text}
            assert made.gold is not None
            facts = made.gold.supporting_facts or ()
            assert {fact.title for fact in facts} == named
        assert len({*(yes.gold.supporting_facts or ()), *(no.gold.supporting_facts or ())}) == 3


def test_every_form_says_what_it_makes() -> None:
    assert all(form.__doc__ for form in FORMS)


def test_real_paragraphs(data_folder: Path) -> None:
    real = list(islice(training_questions("hotpotqa", data_folder, seed=1, evaluated=()), 300))
    made = list(both_questions(real, seed=1, at_most=300))
    assert made == list(both_questions(real, seed=1, at_most=300))
    assert len({question.id for question in made}) == len(made) == 300
    counts = Counter(question.gold.answers[0].text for question in made if question.gold)
    assert counts == {"yes": 150, "no": 150}
