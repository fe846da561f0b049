"""Training files about policies, tables and papers, one object a line."""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from html import unescape
from itertools import zip_longest
from pathlib import Path
from random import Random

from lacuna.corpus.page_builder import sentence_spans
from lacuna.datasets.fields import Fields
from lacuna.errors import BadField
from lacuna.files.json import JsonItems, Shape
from lacuna.files.opening import open_text
from lacuna.retrieve.windows import around
from lacuna.types import Answer, AnswerKind, Choice, Document, Evidence, Gold, Question, Span
from lacuna_lab.data.found import Sought, is_among, read_alone
from lacuna_lab.data.texts import LINE, RIVAL, TOGETHER, together
from lacuna_lab.train.instances import occurrences

FIXED = {"yes": Answer.yes, "no": Answer.no, "none": Answer.none}
SOURCE, PAIR = "source", "pair"


def with_lines(title: str, text: str) -> Document:
    """A text with its sentences, of which each line begins one."""
    lines = [Span(*match.span()) for match in LINE.finditer(text)]
    return Document(title, text, sentence_spans(text, lines), paragraphs=tuple(lines))


def _fixed(fields: Fields) -> Answer:
    answer = FIXED.get(fields.text("answer"))
    if answer is None:
        raise fields.bad("answer", "yes, no or none")
    return answer()


# Yes, no or none.

AT_MOST = {
    "condaqa": 7200,
    "tabfact": 4000,
    "mnli_part": 4000,
    "negation_nli": 2000,
    "creak": 1500,
}
"""Questions of one source, so that neither claims nor tables outweigh the rest."""
LONGEST_CONTEXT = 2000
SPACED = re.compile(r" (?=[.,;:!?)\]])|(?<=[(\[]) ")
"""A blank that a source has put before a mark."""


def decode_polarity(fields: Fields, number: int) -> Question:
    """A line: ``text`` is a question or a statement over ``context``."""
    text, source = fields.text("text").strip(), fields.text("source")
    if fields.text("form") == "statement":
        text = f"Is it true that {SPACED.sub('', text).rstrip('. ')}?"
    context = with_lines("", fields.text("context"))
    extra = {SOURCE: source, PAIR: fields.optional_text("pair") or ""}
    return Question(str(number), text, context, gold=Gold((_fixed(fields),)), extra=extra)


def polarity_questions(questions: Iterable[Question], seed: int) -> Iterator[Question]:
    """So many pairs of each source; what is asked twice with two answers stays together."""
    by_source: dict[str, dict[str, list[Question]]] = defaultdict(lambda: defaultdict(list))
    for question in questions:
        if question.context and len(question.context.text) <= LONGEST_CONTEXT:
            pair = question.extra[PAIR] or question.id
            by_source[question.extra[SOURCE]][pair].append(question)
    for source, pairs in by_source.items():
        left = AT_MOST.get(source, len(pairs) * 2)
        for pair in Random(seed).sample(list(pairs.values()), len(pairs)):
            if left <= 0:
                break
            left -= len(pair)
            yield from together(*pair)


def decode_flip(fields: Fields, number: int) -> Question:
    """A line: a ``case`` that a ``policy`` decides."""
    asked = f"{fields.text('case').strip()} {fields.text('question').strip()}"
    policy = with_lines("", fields.text("policy"))
    return Question(str(number), asked, policy, gold=Gold((_fixed(fields),)))


# Choices.


def decode_choices(fields: Fields, number: int) -> Question:
    """A line: ``choices``, of which the one with the number ``gold`` is right."""
    texts, gold = fields.texts("choices"), fields.integer("gold")
    if not 0 <= gold < len(texts):
        raise fields.bad("gold", "the number of a choice")
    choices = tuple(Choice(str(index), text) for index, text in enumerate(texts))
    right = Answer.choice(str(gold), texts[gold])
    return Question(str(number), fields.text("question"), choices=choices, gold=Gold((right,)))


# Tables, a line for each row and in it each cell behind the label of its column.

LONGEST_TABLE, MOST_PLACES = 2000, 3


def table_text(rows: Sequence[Sequence[str]]) -> str:
    """A table as the corpus has it.

    >>> table_text([["Year", "Title"], ["1969", "Renaissance"], ["1971", ""]])
    'Year: 1969 | Title: Renaissance\\nYear: 1971'
    """
    labels, *body = [[" ".join(cell.split()) for cell in row] for row in rows]
    lines = (
        " | ".join(
            f"{label}: {cell}" if label else cell
            for label, cell in zip_longest(labels, row, fillvalue="")
            if cell
        )
        for row in body
    )
    return "\n".join(line for line in lines if line)


def decode_table(fields: Fields, rows: Sequence[Sequence[str]]) -> Question:
    """A line of WikiTableQuestions, over the rows of its table."""
    if len(rows) < 2:
        raise fields.bad("table", "labels and rows")
    document = with_lines("", table_text(rows))
    answers = fields.texts("answers")
    question = unescape(fields.text("question")).strip()
    places = [list(occurrences(document.text, answer)) for answer in answers]
    if len(document.text) > LONGEST_TABLE or not all(len(each) <= MOST_PLACES for each in places):
        raise fields.bad("table", "a short table that says the answer seldom")
    if all(places) and len(answers) == 1:
        at = (Evidence("", *span) for span in places[0])
        found = tuple(Answer.span(answers[0], place) for place in at)
    elif all(places):
        found = (Answer.spans(answers),)
    elif len(answers) == 1 and re.fullmatch(r"\d{1,4}", answers[0]):
        found = (Answer.number(float(answers[0])),)
    else:
        raise fields.bad("answers", "what the table says or a number")
    return Question(
        fields.text("id"), f"{question[:1].upper()}{question[1:]}", document, gold=Gold(found)
    )


def read_tables(path: Path, left_out: Counter[str], reason: str) -> Iterator[Question]:
    """The questions of WikiTableQuestions over the tables that lie beside them."""
    tables = path.with_name(path.name.replace("wtq_training", "wtq_tables"))
    rows = {}
    for fields in _lines(tables, left_out, reason):
        rows[fields.text("table")] = fields.items("rows")
    for fields in _lines(path, left_out, reason):
        try:
            yield decode_table(fields, rows.get(fields.text("table"), []))
        except BadField:
            left_out[reason] += 1


SUM = re.compile(r"[$€£]?[\d.,]+(?: ?[+-] ?[$€£]?[\d.,]+)+")
"""A calculation that adds and subtracts alone."""


def read_reports(path: Path, left_out: Counter[str], reason: str) -> Iterator[Question]:
    """The questions of TAT-QA: a line is a table of a company's report with the text around it."""
    for report in _lines(path, left_out, reason):
        table = report.object("table").items("table")
        paragraphs = {
            str(each.integer("order")): each.text("text") for each in report.objects("paragraphs")
        }
        for asked in report.objects("questions"):
            texts = [paragraphs[one] for one in asked.texts("rel_paragraphs") if one in paragraphs]
            document = with_lines("", "\n".join((*texts, table_text(one_header(table)))))
            question = _over_report(asked, document)
            if question is None:
                left_out[reason] += 1
            else:
                yield question


def one_header(rows: Sequence[Sequence[str]]) -> list[list[str]]:
    """A table whose rows without a label of their own, at its top, are one header.

    >>> one_header([["", "2019"], ["", "$"], ["Sales", "7"]])
    [['', '2019 $'], ['Sales', '7']]
    """
    first = next((number for number, row in enumerate(rows) if row and row[0].strip()), len(rows))
    above = zip_longest(*rows[: max(first, 1)], fillvalue="")
    header = [" ".join(cell.strip() for cell in column if cell.strip()) for column in above]
    return [header, *(list(row) for row in rows[max(first, 1) :])]


def _over_report(asked: Fields, document: Document) -> Question | None:
    """A question whose answer the report says, or that adds and subtracts; None for others."""
    kind, raw = asked.text("answer_type"), asked.peek("answer")
    texts = tuple(map(str, raw if isinstance(raw, list) else (raw,)))
    if len(document.text) > LONGEST_TABLE:
        return None
    if kind == "arithmetic":
        if not SUM.fullmatch(asked.text("derivation").strip()) or not isinstance(raw, int | float):
            return None
        answer = Answer.number(abs(float(raw)))
    elif kind in ("span", "multi-span") and texts:
        places = [list(occurrences(document.text, text)) for text in texts]
        if not all(0 < len(each) <= MOST_PLACES for each in places):
            return None
        found = tuple(Evidence("", *each[0]) for each in places)
        answer = Answer.spans(texts, *found) if len(texts) > 1 else Answer.span(texts[0], found[0])
    else:
        return None
    return Question(asked.text("uid"), asked.text("question"), document, gold=Gold((answer,)))


def _lines(path: Path, left_out: Counter[str], reason: str) -> Iterator[Fields]:
    with open_text(path) as source:
        for raw in JsonItems(source, Shape.LINES):
            if raw.problem or not isinstance(raw.value, dict):
                left_out[reason] += 1
            else:
                yield Fields(raw.value)


# One document and the words of it that answer.

UNSPACED = re.compile(r"(?<=[.!?])(?=[A-Z])")
"""A place where a source has lost the blank between two sentences."""


def _words(text: str) -> re.Pattern[str]:
    return re.compile(r"\s+".join(map(re.escape, text.split())))


def spoken(number: str, question: str, document: Document, texts: Iterable[str]) -> Question:
    """A question whose answers stand in a document word for word; without gold if none does."""
    places: dict[Span, None] = {}
    for text in texts:
        if text.strip() and (match := _words(text.strip(" .")).search(document.text)):
            places.setdefault(Span(*match.span()))
    return Question(number, question, document, gold=_said(document, places) if places else None)


def _said(document: Document, places: Iterable[Span]) -> Gold:
    return Gold(
        tuple(
            Answer.span(document.text[span.start : span.end], Evidence(document.title, *span))
            for span in places
        )
    )


def decode_timeqa(fields: Fields, number: int) -> Question:
    """A line: ``targets`` stand in a long ``context``; an empty one says that nothing does."""
    text = SPACED.sub("", fields.text("context"))
    targets = [SPACED.sub("", target) for target in fields.texts("targets")]
    document = with_lines("", text)
    if not any(targets):
        return Question(str(number), fields.text("question"), document, gold=Gold((Answer.none(),)))
    return spoken(str(number), fields.text("question"), document, targets)


def decode_fairytale(fields: Fields, number: int) -> Question:
    """A line: what a part of a tale says; only explicit answers stand in it."""
    if fields.text("split") != "train" or fields.text("ex_or_im") != "explicit":
        raise fields.bad("split", "train, and an explicit answer")
    text = " ".join(fields.text("context").split())
    return spoken(
        str(number), fields.text("question"), with_lines("", text), fields.texts("answers")
    )


def _only(fields: Fields, key: str) -> str:
    texts = fields.texts(key)
    if len(texts) != 1:
        raise fields.bad(key, "one text")
    return texts[0]


DOQA = re.compile(r"CONTEXT: (?P<text>.*?) *<sep>\s+Q: (?P<question>[^#]*)$", re.DOTALL)
"""The first turn of a dialog."""


def decode_doqa(fields: Fields, number: int) -> Question:
    """A line: the first question of a dialog, with its answer, or No where it has none."""
    match = DOQA.fullmatch(fields.text("input").strip())
    output = _only(fields, "output")
    if match is None or " A: " in match["question"] or output == "Yes":
        raise fields.bad("input", "a first turn")
    document = with_lines("", UNSPACED.sub(" ", match["text"]))
    if output == "No":
        return Question(str(number), match["question"], document, gold=Gold((Answer.none(),)))
    return spoken(str(number), match["question"], document, [UNSPACED.sub(" ", output)])


def decode_qasper(fields: Fields, number: int) -> Question:
    """A line: evidence from a paper, then a question."""
    text, _, question = fields.text("input").rpartition("\n Question: ")
    output = _only(fields, "output")
    document = with_lines("", text.strip())
    if output in ("Yes", "No"):
        return Question(str(number), question, document, gold=Gold((FIXED[output.lower()](),)))
    return spoken(str(number), question, document, [output])


def read_covid(path: Path, left_out: Counter[str], reason: str) -> Iterator[Question]:
    """The questions of COVID-QA; a line is an article with several."""
    for article in _lines(path, left_out, reason):
        document = with_lines("", article.text("context"))
        for each in article.objects("qas"):
            places = [
                Span(start, start + len(answer.text("text")))
                for answer in each.objects("answers")
                if document.text.startswith(
                    answer.text("text"), start := answer.integer("answer_start")
                )
            ]
            if places:
                number, asked = str(each.integer("id")), each.text("question").strip()
                yield Question(number, asked, document, gold=_said(document, places))
            else:
                left_out[reason] += 1


LONG = 2000
"""Characters of a document that is read in windows."""
SIZES = (300, 1500)
RIVALS = 3


def in_windows(questions: Iterable[Question], seed: int) -> Iterator[Question]:
    """Long documents in windows that compete: one with the answer, and some others.

    A long document is left out where nobody says which part of it answers (a bare yes).
    """
    random = Random(seed)
    for question in questions:
        context, gold = question.context, question.gold
        if context is None or gold is None or len(context.text) <= LONG:
            yield question
            continue
        answered = [answer for answer in gold.answers if answer.kind is not AnswerKind.NONE]
        if answered and not any(answer.found_at for answer in answered):
            continue
        whole = Span(0, len(context.text))
        sought = Sought(context, whole, tuple(answered) or (Answer.none(),), None)
        windows = [(context, _around_answer(context, sought, random))] if answered else []
        for _ in range(4 * RIVALS):
            start = random.randrange(len(context.text))
            window = around(context, start, start + 1, random.randint(*SIZES))
            unsaid = not answered or not sought.may_answer(context, window)
            if unsaid and len(windows) <= RIVALS and not is_among(windows, context, window):
                windows.append((context, window))
        for number, found in enumerate(windows):
            alone = read_alone(question, number, sought, found)
            yield replace(alone, extra={TOGETHER: question.id, RIVAL: 0})


def _around_answer(document: Document, sought: Sought, random: Random) -> Span:
    at = random.choice([answer for answer in sought.answers if answer.found_at]).found_at[0]
    room = max(0, random.randint(*SIZES) - (at.end - at.start))
    before = random.randint(0, room)
    start, end = max(0, at.start - before), min(len(document.text), at.end + room - before)
    return around(document, start, end, max(1, end - start))
