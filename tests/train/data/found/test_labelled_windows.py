"""Which windows answer a question, which do not, and which nobody can tell of."""

from __future__ import annotations

from lacuna.types import (
    Answer,
    AnswerKind,
    Document,
    Evidence,
    Gold,
    Question,
    Span,
    SupportingFact,
)
from lacuna_lab.data.found import Found, Pool, labelled_windows, sought

FILLER = "Gulls sit on the long grey wall and look out over the harbour all day. " * 12
LIGHT = "Gannery Light was built in 1871. Ellen Voss kept it."
OTHER = "Marrow Light was lit by Ellen Voss and by nobody else."
FERRY = "The ferry Marrow sails at noon. It is old."
TIDE = "The tide is high at noon. It is low at six."
TEXTS = {
    "Gannery Light": (FILLER, LIGHT, FILLER),
    "Marrow Light": (OTHER,),
    "Ferry": (FERRY,),
    "Tide": (TIDE,),
}
POOL = Pool()
for name, paragraphs in TEXTS.items():
    for paragraph in paragraphs:
        POOL.add(Document(name, paragraph))
PAGES = POOL.documents()
WALL = PAGES["Gannery Light"], Span(0, 700)
LAMP = PAGES["Gannery Light"], Span(len(FILLER) + 2, len(FILLER) + 2 + len(LIGHT))


def page(title: str) -> Found:
    return PAGES[title], Span(0, len(PAGES[title].text))


def asked(answer: Answer, *facts: int, known: bool = True) -> Question:
    document = Document("Gannery Light", LIGHT, (Span(0, 32), Span(33, len(LIGHT))))
    supporting = tuple(SupportingFact("Gannery Light", number) for number in facts)
    gold = Gold((answer,), supporting_facts=supporting if known else None)
    return Question("q", "Who kept Gannery Light?", document, gold=gold)


def windows(question: Question, *found: Found) -> list[Question]:
    assert question.context
    title, start = POOL.place(question.context)
    return labelled_windows(question, sought(question, PAGES[title], start), found)


def kept_by(known: bool = True) -> Question:
    at = LIGHT.index("Ellen Voss")
    place = Evidence("Gannery Light", at, at + 10)
    return asked(Answer.span("Ellen Voss", place), 1, known=known)


def titles(made: list[Question]) -> list[str]:
    return [question.documents[0].title for question in made]


def test_the_window_with_the_gold_place_answers_and_others_do_not() -> None:
    made = windows(kept_by(), page("Ferry"), page("Marrow Light"), LAMP, WALL, page("Tide"))
    assert titles(made) == ["Gannery Light", "Ferry", "Gannery Light", "Tide"]
    answering, *others = made
    document = answering.documents[0]
    assert document.text == LIGHT
    assert answering.context is None
    assert answering.gold is not None
    (answer,) = answering.gold.answers
    (place,) = answer.found_at
    assert document.text[place.start : place.end] == "Ellen Voss"
    assert answering.gold.supporting_facts == (SupportingFact("Gannery Light", 1),)
    for other in others:
        assert other.gold == Gold((Answer.none(),), supporting_facts=())
    assert len({question.id for question in made}) == 4


def test_the_sentence_of_an_answer_supports_it_where_nothing_else_is_said() -> None:
    (only,) = windows(kept_by(known=False), LAMP)
    assert only.gold is not None
    assert only.gold.supporting_facts == (SupportingFact("Gannery Light", 1),)


def test_an_answer_that_was_not_found_is_read_around_its_place() -> None:
    made = windows(kept_by(), page("Ferry"))
    assert titles(made) == ["Gannery Light", "Ferry"]
    document, gold = made[0].documents[0], made[0].gold
    assert LIGHT in document.text
    assert len(document.text) > 600
    assert gold is not None
    (place,) = gold.answers[0].found_at
    assert document.text[place.start : place.end] == "Ellen Voss"


def test_the_same_stretch_is_not_taken_twice_and_three_are_enough() -> None:
    again = PAGES["Gannery Light"], Span(71, 760)
    late = PAGES["Gannery Light"], Span(LAMP[1].end + 2, LAMP[1].end + 200)
    made = windows(kept_by(), LAMP, WALL, again, page("Ferry"), page("Tide"), late)
    assert [len(question.documents[0].text) for question in made] == [
        *(len(LIGHT), 700, len(FERRY), len(TIDE))
    ]


def test_yes_needs_the_sentence_that_decides() -> None:
    made = windows(asked(Answer.yes(), 1), WALL, page("Marrow Light"), LAMP)
    assert titles(made) == ["Gannery Light", "Gannery Light", "Marrow Light"]
    yes, elsewhere, none = (question.gold for question in made)
    assert yes == Gold((Answer.yes(),), supporting_facts=(SupportingFact("Gannery Light", 1),))
    assert elsewhere == none == Gold((Answer.none(),), supporting_facts=())


def test_without_a_known_sentence_most_of_the_passage_decides() -> None:
    half = PAGES["Gannery Light"], Span(LAMP[1].start, LAMP[1].start + 32)
    made = windows(asked(Answer.no(), known=False), half, LAMP)
    assert [question.documents[0].text for question in made] == [LIGHT]
    assert made[0].gold == Gold((Answer.no(),))


def test_an_unanswerable_question_has_its_own_passage_and_two_others() -> None:
    found = (WALL, LAMP, page("Marrow Light"), page("Ferry"), page("Tide"))
    made = windows(asked(Answer.none()), *found)
    assert titles(made) == ["Gannery Light", "Marrow Light", "Ferry"]
    assert LIGHT in made[0].documents[0].text
    for question in made:
        assert question.gold is not None
        assert question.gold.answers[0].kind is AnswerKind.NONE
