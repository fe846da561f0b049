"""All items of a list of which one was found."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from lacuna.corpus.page_builder import PageBuilder
from lacuna.corpus.tables import Cell, Run
from lacuna.pipeline.shaping import asked_count, whole_list
from lacuna.types import Answer, Document, Evidence, Span


def found(document: Document, text: str) -> Answer:
    start = document.text.index(text)
    return Answer.span(text, Evidence(document.title, start, start + len(text)))


def page(*blocks: str | list[str] | list[list[str]]) -> Document:
    """Paragraphs, lists of items, and tables whose first row has the headings."""
    builder = PageBuilder("Page")
    for block in blocks:
        if isinstance(block, str):
            builder.add(block)
            builder.end_block()
            continue
        if block and isinstance(block[0], list):
            cells = [
                [Cell((Run(cell),), heading=not number) for cell in row]
                for number, row in enumerate(block)
            ]
            builder.add_table(cells)
            continue
        for item in block:
            builder.add(str(item))
            builder.end_item()
        builder.end_list()
    return builder.document()


def items(question: str, document: Document, text: str) -> tuple[str, ...]:
    whole = whole_list(question, found(document, text), document)
    if whole is None:
        return ()
    for item, place in zip(whole.texts, whole.found_at, strict=True):
        assert document.text[place.start : place.end] == item
    return whole.texts


@pytest.mark.parametrize(
    ("question", "sentence", "one", "all_"),
    [
        (
            "Which ingredients does the soup need?",
            "The soup needs salt, black pepper, and oil.",
            "black pepper",
            ("salt", "black pepper", "oil"),
        ),
        (
            "What file formats are accepted?",
            "Accepted formats are mbox, maildir and mh.",
            "maildir",
            ("mbox", "maildir", "mh"),
        ),
        (
            "Which cities did the railway connect?",
            "The railway connected Osk, Brannet, and Port Selmory in 1902.",
            "Osk",
            ("Osk", "Brannet", "Port Selmory"),
        ),
        (
            "Who founded the guild?",
            "The guild was founded by Ada Quill, Ellen Voss and Tom Reed in a barn.",
            "Ellen Voss",
            ("Ada Quill", "Ellen Voss", "Tom Reed"),
        ),
        (
            "What are the states of a valve?",
            "A valve has four states: open, closed, throttled, and failed.",
            "open, closed, throttled, and failed",
            ("open", "closed", "throttled", "failed"),
        ),
        (
            "Who wrote the cookbook?",
            "The cookbook by Ada Quill, Ellen Voss, and Tom Reed (Osk Press, 1994), is a classic.",
            "Tom Reed",
            ("Ada Quill", "Ellen Voss", "Tom Reed"),
        ),
        (
            "Which words are forbidden?",
            "The words “damn,” “hell,” and “blast” are forbidden.",
            "hell",
            ("damn", "hell", "blast"),
        ),
        (
            "Name the minerals of granite.",
            "Granite has three minerals (quartz, feldspar and mica) and is hard.",
            "feldspar",
            ("quartz", "feldspar", "mica"),
        ),
    ],
)
def test_an_enumeration_is_given_whole(
    question: str, sentence: str, one: str, all_: tuple[str, ...]
) -> None:
    document = Document("D", f"Before it. {sentence}", (Span(0, 10), Span(11, 11 + len(sentence))))
    assert items(question, document, one) == all_


def test_items_of_a_bullet_list() -> None:
    document = page("You need:", ["A drill.", "Four screws.", "Two brackets."], "Then begin.")
    assert items("Which tools are needed?", document, "Four screws") == (
        "A drill",
        "Four screws",
        "Two brackets",
    )


def test_the_sentence_before_a_list_leads_to_it() -> None:
    document = page("The keepers of the light are:", ["Ada Quill", "Tom Reed"], "They are paid.")
    keepers = "The keepers of the light"
    assert items("Who are the keepers of the light?", document, keepers) == (
        "Ada Quill",
        "Tom Reed",
    )


def test_the_terms_of_items_with_explanations() -> None:
    document = page(
        "Modes:",
        [
            "fast: Skips the checks, so it is quick.",
            "safe: Checks all of it, twice.",
            "dry run: Does nothing at all.",
        ],
    )
    assert items("What modes are there?", document, "safe") == ("fast", "safe", "dry run")


def test_a_word_of_an_explanation_is_no_item() -> None:
    document = page("Modes:", ["fast: Skips the checks.", "safe: Checks everything."])
    assert items("What modes are there?", document, "everything") == ()


def test_numbers_of_a_numbered_list_are_no_part_of_its_items() -> None:
    document = page("Steps:", ["1. Breathe", "2. Write it down", "3. Call for help"])
    assert items("What are the three steps?", document, "Breathe") == (
        "Breathe",
        "Write it down",
        "Call for help",
    )


def test_a_column_of_a_table() -> None:
    document = page([["Tree", "Leaf"], ["Oak", "lobed"], ["Beech", "oval"], ["Fir", "needle"]])
    assert items("Which trees are listed?", document, "Beech") == ("Oak", "Beech", "Fir")


def test_words_of_the_question_choose_the_rows() -> None:
    document = page(
        [["Tree", "Family"], ["Oak", "hardwood"], ["Fir", "softwood"], ["Beech", "hardwood"]]
    )
    assert items("Which hardwood trees are listed?", document, "Oak") == ("Oak", "Beech")


def test_people_of_a_table_where_all_rows_are_about_it() -> None:
    rows = [["Name", "Post"], ["Ada Quill", "Council member"], ["Tom Reed", "Council member"]]
    assert items("Who sits on the council?", page(rows), "Ada Quill") == ("Ada Quill", "Tom Reed")
    mixed = [["Name", "Post"], ["Ada Quill", "Treasurer"], ["Tom Reed", "Cook"]]
    assert items("Who won the race?", page(mixed), "Ada Quill") == ()
    assert items("Who keeps the money as treasurer?", page(mixed), "Ada Quill") == ()


def test_what_was_found_over_several_lines_counts_by_its_first() -> None:
    document = page("You need:", ["A drill.", "Four screws.", "Two brackets."], "Then begin.")
    assert len(items("Which tools are needed?", document, "drill.\nFour")) == 3


def test_a_number_in_the_question_must_be_met() -> None:
    document = Document("D", "The soup needs salt, pepper, and oil.", (Span(0, 37),))
    assert items("Which four spices does it need?", document, "pepper") == ()
    assert len(items("Which three spices does it need?", document, "pepper")) == 3


@pytest.mark.parametrize(
    "question",
    ["Who is the keeper?", "When did they meet?", "Which spice does the soup need?"],
)
def test_where_no_list_is_asked_for_nothing_is_added(question: str) -> None:
    document = Document("D", "They are Ada Quill, Ellen Voss, and Tom Reed.", (Span(0, 45),))
    assert items(question, document, "Ada Quill") == ()


@pytest.mark.parametrize(
    ("question", "sentence", "one"),
    [
        # something else is said before the "and"
        ("Who sang?", "Ada Quill sang on the old stage, and Tom Reed danced.", "Ada Quill"),
        ("Who designed the cup?", "It was designed by Reed & Co. of Osk.", "Reed & Co."),
        # one of them is named
        ("Who played with Tom Reed?", "The players were Ada Quill and Tom Reed.", "Ada Quill"),
        # clauses, not items
        (
            "What metals were the chains made of?",
            "He gave up, and was bound for seven years in chains of silver.",
            "silver",
        ),
    ],
)
def test_a_sentence_with_and_is_no_list_by_itself(question: str, sentence: str, one: str) -> None:
    document = Document("D", sentence, (Span(0, len(sentence)),))
    assert items(question, document, one) == ()


def test_prose_is_no_list() -> None:
    long = "a long tale that goes on and on without any end in sight " * 3
    document = page("Notes:", [f"It is {long}.", f"And there is {long}."])
    assert items("Which notes are there?", document, "It is") == ()


def test_how_many_are_asked_for() -> None:
    assert asked_count("What are the six parts of a clock?") == 6
    assert asked_count("What are the parts of a clock?") is None


@given(st.text(alphabet="ab,; \n|:.()and", max_size=80), st.integers(0, 79), st.integers(1, 20))
def test_items_stand_where_they_are_said_to(text: str, start: int, size: int) -> None:
    end = min(len(text), start + size)
    if start >= end:
        return
    document = Document("D", text)
    answer = Answer.span(text[start:end], Evidence("D", start, end))
    whole = whole_list("Which parts are there?", answer, document)
    if whole:
        places = whole.found_at
        assert whole.texts == tuple(text[place.start : place.end] for place in places)
