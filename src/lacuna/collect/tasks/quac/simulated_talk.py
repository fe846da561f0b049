"""What a simulated partner says: plain enough for practice, and marked as simulated everywhere."""

from __future__ import annotations

from lacuna.collect.tasks.quac.span_answers import MOST_TOKENS, NONE, SPAN
from lacuna.collect.tasks.task import Json
from lacuna.corpus.mining.sections import TOKEN
from lacuna.text import STOP_WORDS, WORD_RUN

QUESTIONS = (
    "What is the section about?",
    "What happened first?",
    "When was that?",
    "Who else took part in it?",
    "What happened after that?",
    "Where did it take place?",
    "Was it a success?",
    "What did others think of it?",
    "Did anything go wrong?",
    "How did it end?",
    "What is it remembered for?",
    "Are there any other interesting aspects?",
)


def simulated_question(payload: Json, asked: int) -> str:
    """The next of a few questions that can be asked of any section."""
    return QUESTIONS[asked % len(QUESTIONS)]


def simulated_answer(payload: Json, question: str) -> Json:
    """The sentence that shares most words with the question, or none where none shares any."""
    text = payload["text"]
    wanted = _words(question)
    best, most = None, 0
    for start, end in payload["sentences"]:
        shared = len(wanted & _words(text[start:end]))
        if shared > most:
            best, most = (start, end), shared
    if best is None:
        return {"kind": NONE, "yesno": "x", "followup": "m"}
    start, end = _cut(text, *best)
    return {"kind": SPAN, "start": start, "end": end, "yesno": "x", "followup": "m"}


def _words(text: str) -> set[str]:
    return {word.lower() for word in WORD_RUN.findall(text)} - STOP_WORDS


def _cut(text: str, start: int, end: int) -> tuple[int, int]:
    """As much of a sentence as an answer may have."""
    tokens = list(TOKEN.finditer(text, start, end))[:MOST_TOKENS]
    return tokens[0].start(), tokens[-1].end()
