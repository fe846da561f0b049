"""The demo corpus is whole: its links lead somewhere, and its gold follows from what it quotes."""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Iterator
from itertools import combinations, product
from pathlib import Path
from typing import Any

import pytest

import lacuna
from lacuna.corpus.formats.detect import open_source
from lacuna.corpus.store import Redirect
from lacuna.quantities.arithmetic import calculate
from lacuna.quantities.find_quantities import Quantity, QuantityKind, find_quantities
from lacuna.types import Answer, AnswerKind, Document, Question

DEMO = Path(lacuna.__file__).parent / "assets" / "demo"
ARTICLES = DEMO / "articles"
QUESTIONS = DEMO / "questions.json"
DIALOGS = DEMO / "dialogs.json"
DANGLING = {
    "Abel Merriden",
    "Hobwick Academy",
    "Idony Cress",
    "Kelp Act of 1796",
    "Nessa Rook",
    "Oskhaven Lifeboat",
}
MOST_TERMS = 3
CANNOT_ANSWER = "CANNOTANSWER"
AGE = ("How old", "At what age")

Raw = dict[str, Any]


@pytest.fixture(scope="module")
def articles() -> dict[str, Document]:
    found = list(open_source(ARTICLES))
    assert all(isinstance(one, Document | Redirect) for one in found), "something was skipped"
    documents = [one for one in found if isinstance(one, Document)]
    by_title = {document.title: document for document in documents}
    assert len(by_title) == len(documents)
    return by_title


@pytest.fixture(scope="module")
def passages() -> list[Raw]:
    raw: list[Raw] = json.loads(QUESTIONS.read_text(encoding="utf-8"))
    return raw


@pytest.fixture(scope="module")
def dialogs() -> list[Raw]:
    raw: list[Raw] = json.loads(DIALOGS.read_text(encoding="utf-8"))["data"]
    return raw


@pytest.fixture(scope="module")
def questions() -> list[Question]:
    with lacuna.get_dataset("iirc").open(QUESTIONS) as reader:
        return list(reader.questions())


def answer_of(question: Question) -> Answer:
    assert question.gold is not None
    (answer,) = question.gold.answers
    return answer


def of_passages(passages: list[Raw]) -> Iterator[tuple[Raw, Raw]]:
    for passage in passages:
        for question in passage["questions"]:
            yield passage, question


def quotes_of(question: Raw) -> str:
    return "\n".join(context["text"] for context in question["context"])


def lead_of(article: Document) -> str:
    first = min(section.start for section in article.sections if len(section.path) > 1)
    return article.text[:first].rstrip()


def words(text: str) -> int:
    return len(text.split())


def test_articles_have_the_size_and_shape_of_short_encyclopedia_articles(
    articles: dict[str, Document],
) -> None:
    assert len(articles) >= 60
    assert {path.stem for path in ARTICLES.iterdir()} == set(articles)
    for article in articles.values():
        assert article.title.isascii()
        assert 150 <= words(article.text) <= 400, article.title
        assert 1 <= sum(len(section.path) == 2 for section in article.sections) <= 4
        assert len(article.links) >= (10 if words(article.text) > 260 else 4), article.title


def test_links_lead_to_articles_except_those_that_are_meant_to_dangle(
    articles: dict[str, Document],
) -> None:
    targets = {link.target for article in articles.values() for link in article.links}
    assert targets - set(articles) == DANGLING
    assert set(articles) <= targets, "an article that nothing links to"
    assert not [
        article.title
        for article in articles.values()
        if any(link.target == article.title for link in article.links)
    ]


def test_a_life_is_given_once_and_in_order(articles: dict[str, Document]) -> None:
    lived = re.compile(r"\(((?:\d+ \w+ )?\d{4}) – ((?:\d+ \w+ )?\d{4})\)")
    lives = [match for article in articles.values() for match in lived.finditer(article.text)]
    assert len(lives) >= 15
    for life in lives:
        born, died = (find_quantities(part)[0].value for part in life.groups())
        assert 20 < died - born < 100


def test_numbers_that_must_add_up_do(articles: dict[str, Document]) -> None:
    inhabited = ("Brannet", "Torrow", "Skelder", "Vellan", "Osk", "Orlet")
    counted = re.compile(r"([\d,]+) (?:inhabitants|people)")
    area = re.compile(r"(\d+) square kilometres")

    def first(pattern: re.Pattern[str], title: str) -> int:
        match = pattern.search(articles[title].text)
        assert match
        return int(match[1].replace(",", ""))

    assert sum(first(counted, title) for title in inhabited) == first(counted, "Selmory Islands")
    islands = (*inhabited, "Gannery")
    assert sum(first(area, title) for title in islands) == first(area, "Selmory Islands")


def test_files_are_read_without_a_complaint(questions: list[Question]) -> None:
    task = lacuna.get_dataset("iirc")
    assert not [(question.id, odd) for question in questions if (odd := task.oddities(question))]
    with lacuna.get_dataset("quac").open(DIALOGS) as reader:
        assert all(question.gold for question in reader.questions())


def test_ids_are_unique(passages: list[Raw], dialogs: list[Raw]) -> None:
    paragraphs = [paragraph for dialog in dialogs for paragraph in dialog["paragraphs"]]
    for ids in (
        [passage["pid"] for passage in passages],
        [passage["title"] for passage in passages],
        [question["qid"] for _, question in of_passages(passages)],
        [(passage["pid"], question["question"]) for passage, question in of_passages(passages)],
        [paragraph["id"] for paragraph in paragraphs],
        [turn["id"] for paragraph in paragraphs for turn in paragraph["qas"]],
    ):
        assert len(set(ids)) == len(ids)


def test_passages_are_the_leads_of_their_articles(
    passages: list[Raw], articles: dict[str, Document]
) -> None:
    for passage in passages:
        article = articles[passage["title"]]
        assert passage["text"] == lead_of(article)
        assert passage["links"] == [
            {"target": link.target, "indices": [link.start, link.end]}
            for link in article.links
            if link.end <= len(passage["text"])
        ]


def test_quotes_stand_where_they_say(passages: list[Raw], articles: dict[str, Document]) -> None:
    for passage, question in of_passages(passages):
        for context in question["context"]:
            if context["passage"] == "main":
                start, end = context["indices"]
                assert passage["text"][start:end] == context["text"]
            else:
                assert context["text"] in articles[context["passage"]].text
                assert context["passage"] != passage["title"]


def test_question_links_are_where_the_evidence_is(passages: list[Raw]) -> None:
    for passage, question in of_passages(passages):
        linked = {link["target"] for link in passage["links"]}
        assert set(question["question_links"]) <= linked
        quoted = {context["passage"] for context in question["context"]} - {"main"}
        assert quoted <= linked | two_steps_away(question)
        if question["answer"]["type"] != "none":
            assert set(question["question_links"]) <= quoted
        else:
            assert not question["context"]


def two_steps_away(question: Raw) -> set[str]:
    """What an article that the passage links to names in the very sentence that is quoted."""
    titles = {context["passage"] for context in question["context"]}
    return {title for title in titles if title in quotes_of(question)}


def test_kinds_of_questions(questions: list[Question], articles: dict[str, Document]) -> None:
    assert len(questions) >= 132
    assert len({question.context.title for question in questions if question.context}) >= 40
    kinds = Counter(answer_of(question).kind for question in questions)
    assert kinds[AnswerKind.NONE] >= 44
    assert 3 * kinds[AnswerKind.NONE] >= len(questions)
    yes, no = kinds[AnswerKind.YES], kinds[AnswerKind.NO]
    assert yes + no >= 14
    assert abs(yes - no) <= 3
    assert kinds[AnswerKind.SPANS] >= 6
    links = Counter(min(len((q.gold and q.gold.links) or ()), 2) for q in questions)
    assert min(links.values()) >= 20
    missing = Counter(
        why_missing((question.gold and question.gold.links) or (), articles)
        for question in questions
        if answer_of(question).kind is AnswerKind.NONE
    )
    assert missing["dangling"] >= 10
    assert missing["silent"] >= 10
    assert missing["unlinked"] >= 10


def why_missing(links: tuple[str, ...], articles: dict[str, Document]) -> str:
    if not links:
        return "unlinked"
    return "silent" if set(links) <= set(articles) else "dangling"


def test_spans_are_in_the_evidence(passages: list[Raw]) -> None:
    for _, question in of_passages(passages):
        titles = {context["passage"] for context in question["context"]}
        for span in question["answer"].get("answer_spans", ()):
            assert span["text"] in quotes_of(question) or span["text"] in titles


def test_values_follow_from_numbers_in_the_quotes(passages: list[Raw]) -> None:
    for _, question in of_passages(passages):
        if question["answer"]["type"] == "value":
            value = float(question["answer"]["answer_value"])
            assert value in results(quotes_of(question), question["question"]), question["qid"]
            assert question["answer"]["answer_unit"]


def results(quotes: str, question: str) -> set[float]:
    """The numbers of a text, what few of them add up to, and the times between two dates."""
    found: set[float] = set()
    quantities = [one for one in find_quantities(quotes) if one.kind is not QuantityKind.ORDINAL]
    numbers = [quantity.value for quantity in quantities if not quantity.date]
    for count in range(1, MOST_TERMS + 1):
        for chosen in combinations(numbers, count):
            for signs in product((1, -1), repeat=count):
                found.add(sum(sign * number for sign, number in zip(signs, chosen, strict=True)))
    for one, other in combinations([quantity for quantity in quantities if quantity.date], 2):
        if question.startswith(AGE) and (age := completed_years(one, other)) is not None:
            found.add(age)
        else:
            found.add(calculate([(1, one), (-1, other)], question).value)
    return found


def completed_years(one: Quantity, other: Quantity) -> int | None:
    """How many birthdays lie between two full dates; annotators often count one too many."""
    assert one.date
    assert other.date
    first, last = sorted([one.date, other.date], key=lambda date: date.moment)
    if not (first.day and last.day):
        return None
    before_birthday = last.moment[1:] < first.moment[1:]
    return last.year - first.year - before_birthday


def test_both_ways_to_count_years_agree_unless_an_age_is_asked(passages: list[Raw]) -> None:
    for _, question in of_passages(passages):
        answer = question["answer"]
        if answer.get("answer_unit") != "years" or question["question"].startswith(AGE):
            continue
        dates = [one for one in find_quantities(quotes_of(question)) if one.date]
        ways = {completed_years(one, other) for one, other in combinations(dates, 2)}
        assert int(answer["answer_value"]) in ways or None in ways


def test_nothing_is_longer_than_it_should_be(passages: list[Raw]) -> None:
    for passage, question in of_passages(passages):
        assert 60 <= words(passage["text"]) <= 150
        assert 4 <= words(question["question"]) <= 25
        assert question["question"].endswith("?")
        assert all(words(context["text"]) <= 25 for context in question["context"])
        assert all(words(span["text"]) <= 6 for span in question["answer"].get("answer_spans", ()))


def test_dialogs_are_about_sections_and_answers_stand_in_them(
    dialogs: list[Raw], articles: dict[str, Document]
) -> None:
    assert len({dialog["title"] for dialog in dialogs}) == len(dialogs) == 10
    turns: list[Raw] = []
    for dialog in dialogs:
        article = articles[dialog["title"]]
        (paragraph,) = dialog["paragraphs"]
        context = paragraph["context"]
        section = context.removesuffix(f" {CANNOT_ANSWER}")
        assert f"\n\n{dialog['section_title']}\n\n{section}" in article.text
        assert dialog["background"] == lead_of(article)
        assert 6 <= len(paragraph["qas"]) <= 8
        for turn in paragraph["qas"]:
            assert turn["answers"] == [turn["orig_answer"]]
            answer, start = turn["orig_answer"]["text"], turn["orig_answer"]["answer_start"]
            assert context[start : start + len(answer)] == answer
            assert words(answer) <= 30
        turns += paragraph["qas"]
    unanswered = [turn for turn in turns if turn["orig_answer"]["text"] == CANNOT_ANSWER]
    assert 0.15 <= len(unanswered) / len(turns) <= 0.25
    assert all(turn["yesno"] == "x" for turn in unanswered)
    assert {turn["yesno"] for turn in turns} == {"x", "y", "n"}
    assert {turn["followup"] for turn in turns} == {"y", "m", "n"}
