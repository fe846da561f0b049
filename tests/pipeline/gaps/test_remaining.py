"""What is missing, in words."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from lacuna.corpus.passages import Excerpt
from lacuna.corpus.store import Skipped, Store
from lacuna.models.reader.reader import ScoredAnswer
from lacuna.pipeline.gaps import LONGEST_QUOTE, dialog_gap, remaining_gap
from lacuna.pipeline.query import Query
from lacuna.pipeline.rating import RatedAnswer
from lacuna.pipeline.state import LinkTarget, QuestionState, Reading, Selection
from lacuna.places import Origin
from lacuna.retrieve.windows import Window, with_sentences
from lacuna.types import Answer, Document, Evidence, Gap, Link, Prediction, Question

ROAD = "The Salt Road is a novel. Its author is Ada Quill, and it has been read in Osk."
AUTHOR = Link(ROAD.index("Ada"), ROAD.index("Ada") + len("Ada Quill"), "Ada Quill")
PAGES = (
    Document("The Salt Road", ROAD, links=(AUTHOR,)),
    Document("Ada Quill", "Ada Quill is a novelist. She writes in the mornings."),
    Document("Ferries of Osk", "The ferry Ellen sails from Osk."),
)


@pytest.fixture
def store(tmp_path: Path) -> Iterator[Store]:
    with Store.create(tmp_path / "corpus") as made:
        with made.writer() as writer:
            writer.add(map(with_sentences, PAGES))
        yield made


def asked(question: str, *titles: str, dangling: tuple[str, ...] = ()) -> QuestionState:
    """A question for which the documents of these titles were found, the best first."""
    state = QuestionState(Query(question))
    sizes = {page.title: len(page.text) for page in PAGES}
    state.ranked = {
        Window(title, 0, sizes.get(title, 9)): -float(rank) for rank, title in enumerate(titles)
    }
    state.links = [LinkTarget(title, 0.0, (), True, False) for title in dangling]
    return state


def halves(gap: Gap) -> tuple[str, str]:
    return gap.found, gap.not_found


def test_the_first_of_two_parts_was_found(store: Store) -> None:
    gap = remaining_gap(
        store, asked("When was the author of The Salt Road born?", "The Salt Road", "Ada Quill")
    )
    found, missing = (
        "the author of The Salt Road, Ada Quill (The Salt Road)",
        "when that author was born",
    )
    assert halves(gap) == (found, missing)
    assert gap.missing == f"Found: {found}; not found: {missing}."


def test_where_no_one_document_is_linked_the_sentence_is_quoted(store: Store) -> None:
    question = "How old is the port that the ferry Ellen sails from?"
    gap = remaining_gap(store, asked(question, "Ferries of Osk"))
    assert halves(gap) == (
        "“The ferry Ellen sails from Osk.” (Ferries of Osk)",
        "how old that port is",
    )


def test_the_first_part_was_not_found_either(store: Store) -> None:
    question = "When was the author of The Salt Road born?"
    gap = remaining_gap(store, asked(question, "Ferries of Osk"))
    assert gap.found == ""
    assert gap.missing == (
        "Nearest is Ferries of Osk; not found there: when the author of The Salt Road was born."
    )


@pytest.mark.parametrize(
    ("question", "titles", "said"),
    [
        (
            "When was Ada Quill born?",
            ["The Salt Road", "Ada Quill"],
            "Not found in Ada Quill: when Ada Quill was born.",
        ),
        (
            "How fast is the Ellen?",
            ["Ferries of Osk"],
            "Ellen is mentioned in Ferries of Osk; not found there: how fast the Ellen is.",
        ),
        (
            "Who is the mayor of Osk?",
            ["Ferries of Osk"],
            "Osk is described in Ferries of Osk; not found there: who the mayor of Osk is.",
        ),
        (
            "Who is the mayor of Brannet?",
            ["Ferries of Osk"],
            "No document mentions Brannet; not found: who the mayor of Brannet is.",
        ),
        (
            "Do sheep swim?",
            ["Ferries of Osk"],
            "Nearest is Ferries of Osk; not found there: whether sheep swim.",
        ),
        (
            "Do sheep swim?",
            [],
            "No text has the words of the question; not found: whether sheep swim.",
        ),
        (
            "Does the ship rust?",
            ["Ferries of Osk"],
            "Nearest is Ferries of Osk; not found there: “Does the ship rust?”",
        ),
    ],
)
def test_one_part(store: Store, question: str, titles: list[str], said: str) -> None:
    assert remaining_gap(store, asked(question, *titles)).missing == said


def test_a_name_in_a_text_that_was_not_looked_at_is_not_unknown(store: Store) -> None:
    gap = remaining_gap(store, asked("How fast is the Ellen?", "Ada Quill"))
    assert gap.missing == "Nearest is Ada Quill; not found there: how fast the Ellen is."


def test_a_context_that_came_along_counts(store: Store) -> None:
    state = asked("When was Bram Orde born?")
    note = Document("Note", "Bram Orde built it.")
    state.focus = Excerpt.of(note, [(0, 5)])
    gap = remaining_gap(store, state)
    assert gap.found == "Bram Orde is mentioned in Note"
    assert gap.looked_in == ("Note",)


@pytest.mark.parametrize(
    ("links", "said"),
    [
        (1, "in Osk 0, which is linked"),
        (2, "in Osk 0 or Osk 1, which are"),
        (4, "in Osk 0, Osk 1, Osk 2 or Osk 3, which are"),
        (9, "in Osk 0, Osk 1, Osk 2 or others, which are"),
    ],
)
def test_few_of_the_links_that_lead_nowhere_are_named(store: Store, links: int, said: str) -> None:
    dangling = tuple(f"Osk {number}" for number in range(links))
    gap = remaining_gap(store, asked("Who rules Osk?", "Ferries of Osk", dangling=dangling))
    assert said in gap.missing
    assert gap.dangling == dangling


def test_links_that_share_nothing_with_the_question_do_not_matter(store: Store) -> None:
    links = ("Osk Harbour", "Harbours of the North", "History of the old harbour of Osk")
    gap = remaining_gap(store, asked("Who rules Osk?", "Ferries of Osk", dangling=links))
    assert gap.dangling == ("Osk Harbour",)
    gap = remaining_gap(store, asked("Who rules Osk?", "Ferries of Osk", dangling=links[1:]))
    assert (gap.dangling, "linked" in gap.missing) == ((), False)


def test_a_link_that_the_reader_takes_to_be_likely_matters(store: Store) -> None:
    state = asked("Who rules Osk?", "Ferries of Osk")
    state.links = [LinkTarget("Tor Hale", 0.5, (), True, False)]
    assert remaining_gap(store, state).dangling == ("Tor Hale",)


def test_a_long_question_is_not_said_again_in_full(store: Store) -> None:
    missing = remaining_gap(store, asked("why " * 5000, "Ada Quill")).missing
    assert len(missing) < LONGEST_QUOTE + 100
    assert missing.endswith("…”")


def test_files_that_could_not_be_read_are_counted(store: Store) -> None:
    state = asked("Who?", "Ada Quill")
    assert remaining_gap(store, state).unread == 0
    with store.writer() as writer:
        writer.add([Skipped("a.xyz", "unknown kind")])
    gap = remaining_gap(store, state)
    assert (gap.unread, gap.missing.endswith(" 1 file here could not be read.")) == (1, True)
    with store.writer() as writer:
        writer.add([Skipped("b.xyz", "unknown kind")])
    gap = dialog_gap(store, "Who?", ("Ada Quill",))
    assert (gap.unread, gap.missing.endswith(" 2 files here could not be read.")) == (2, True)


def test_a_dialog_names_its_document(store: Store) -> None:
    gap = dialog_gap(store, "When was she born?", ("Ada Quill",))
    assert gap.missing == "Not found in Ada Quill: when she was born."
    gap = dialog_gap(store, "When was she born?", ("Ada Quill", "The Salt Road"))
    assert gap.missing == "Not found in what the dialog was about: when she was born."


def test_the_nearest_evidence_has_its_place(store: Store) -> None:
    marks = ((0, 1), (5, 3))
    with store.writer() as writer:
        writer.add([Document("Page", "Some text.", origin=Origin("a.md", marks=marks))])
    state = asked("Who?", "Page")
    assert str(remaining_gap(store, state).nearest_place) == "a.md:1"
    state.ranked = {Window("Page", 6, 9): 1.0, Window("Gone", 0, 2): 0.5}
    assert str(remaining_gap(store, state).nearest_place) == "a.md:3"
    state.ranked = {Window("Gone", 0, 2): 0.5}
    assert remaining_gap(store, state).nearest_place is None


@pytest.mark.parametrize(
    ("question", "titles", "page", "said"),
    [
        (
            "How fast is the Ellen?",
            ["Ferries of Osk"],
            "Ferries of Osk",
            "Ellen is mentioned in Ferries of Osk; no sure answer there: how fast the Ellen is.",
        ),
        (
            "When was Ada Quill born?",
            ["Ada Quill"],
            "Ada Quill",
            "No sure answer in Ada Quill: when Ada Quill was born.",
        ),
        (
            "Do sheep swim?",
            ["Ferries of Osk", "Ada Quill"],
            "Ada Quill",
            "Nearest is Ada Quill; no sure answer there: whether sheep swim.",
        ),
        (
            "How fast is the Ellen?",
            ["Ferries of Osk", "Ada Quill"],
            "Ada Quill",
            "Ellen is mentioned in Ferries of Osk; not found there: how fast the Ellen is.",
        ),
    ],
)
def test_the_page_of_a_likely_answer_is_not_said_to_lack_it(
    store: Store, question: str, titles: list[str], page: str, said: str
) -> None:
    sentence = Evidence(page, 4, 12)
    gap = remaining_gap(store, asked(question, *titles), sentence)
    assert gap.missing == said
    assert gap.nearest is sentence


def test_the_nearest_window_is_the_most_relevant_and_no_opening(store: Store) -> None:
    state = asked("Do sheep swim?", "The Salt Road", "Ada Quill")
    for window, relevance in zip(state.ranked, (1.0, 3.0), strict=True):
        scored = ScoredAnswer(Prediction(), 0.0, 0.0, relevance=relevance)
        selection = Selection(Question("", "Do sheep swim?"), {}, (window,))
        reading = Reading(selection, scored)
        state.readings.append(reading)
        state.rated = (RatedAnswer(Prediction(Answer.span("?")), reading, 0.01),)
    nearest = remaining_gap(store, state).nearest
    assert nearest is not None
    assert nearest.document == "Ada Quill"
