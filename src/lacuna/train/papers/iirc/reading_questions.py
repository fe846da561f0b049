"""What the reader and the classifiers of table 6 learn from: questions with a context to read."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from dataclasses import replace
from itertools import islice
from pathlib import Path

from lacuna.train.data.data_folder import PARAGRAPHS, TRAIN, read
from lacuna.train.data.iirc.hard_negatives import openings_by_title
from lacuna.train.data.iirc.questions import Shares, iirc_questions
from lacuna.train.data.iirc.quoted_question import quoted_question
from lacuna.train.data.iirc.surroundings import surrounded
from lacuna.train.papers.iirc.articles import ARTICLES, ArticleTexts
from lacuna.train.papers.iirc.stages import every_title, load_stages, stage_folders
from lacuna.types import AnswerKind, Question

FILE = TRAIN["iirc"]
SEED = 1
SHARES = Shares(contrast=0.0, changed=0.0)
"""The paper asks each question once, as it is."""
TOGETHER = 64


def reading_files(data: Path, stages: str) -> list[Path]:
    """All that decides what these questions are; an error names what is missing."""
    if stages:
        return [FILE.find(data), ARTICLES.find(data), *stage_folders(Path(stages)).values()]
    paragraphs = PARAGRAPHS.find_optional(data)
    return [FILE.find(data), *([paragraphs] if paragraphs else [])]


def passage_questions(data: Path) -> Iterator[Question]:
    """Questions with their passage, and nothing else to read.

    Of some, the file has only some sentences of the passage: those of another stand around them.
    """
    asked = (quoted_question(question) for question in _answered(data))
    yield from surrounded(
        (replace(quoted.question, context=quoted.context, documents=()) for quoted in asked), SEED
    )


def context_questions(data: Path, stages: str, *, gold: bool) -> Iterator[Question]:
    """Questions with linked texts to read, as the two stages predict them.

    ``gold`` takes the annotated context where there is an answer. Without ``stages`` it always
    does; then unanswerable questions are read with quotes that look as if they answered them.
    """
    if stages:
        yield from _predicted(data, stages, lambda q: gold and _answerable(q))
        return
    paragraphs = PARAGRAPHS.find_optional(data)
    openings = openings_by_title(paragraphs) if paragraphs else {}
    quoted = iirc_questions(
        _answered(data), seed=SEED, left_out=Counter(), shares=SHARES, openings=openings
    )
    yield from surrounded(quoted, SEED)


def _predicted(data: Path, stages: str, stays: Callable[[Question], bool]) -> Iterator[Question]:
    titles = {title for question in _answered(data) for title in every_title(question)}
    articles = ArticleTexts(ARTICLES.find(data), titles)
    predictor = load_stages(Path(stages))
    questions = _answered(data)
    while chunk := list(islice(questions, TOGETHER)):
        searched = [question for question in chunk if not stays(question)]
        made = iter(predictor.predicted(searched, articles))
        for question in chunk:
            yield question if stays(question) else next(made)


def _answered(data: Path) -> Iterator[Question]:
    questions: Iterable[Question] = read(FILE, data)
    return (question for question in questions if question.gold and question.gold.answers)


def _answerable(question: Question) -> bool:
    gold = question.gold
    return gold is not None and gold.answers[0].kind is not AnswerKind.NONE
