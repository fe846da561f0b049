"""The reader that asks a language model, and believes only what it can find in the texts."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor

from lacuna.answers import AnswerMode
from lacuna.errors import LacunaError
from lacuna.models.llm.chat_server import ChatServer, ReplyProblem, ServerTrouble
from lacuna.models.llm.check_reply import check_reply, none_because
from lacuna.models.llm.llm_prompt import (
    numbered_passages,
    parse_reply,
    prompt,
    reply_schema,
    retry_prompt,
)
from lacuna.models.registry import Progress
from lacuna.types import Prediction, Question

TROUBLE_IN_A_ROW = 2
"""So often the server may fail before it counts as away."""
HOPELESS = 8
"""After so many first replies without a usable one, the rest is not waited for."""


class LLMReader:
    """Asks a server one question at a time, or as many as it has threads.

    >>> reader = open_llm_reader("qwen2.5")  # doctest: +SKIP
    >>> reader.read([question])[0].answer.text  # doctest: +SKIP
    '34 years'
    """

    def __init__(self, server: ChatServer, *, threads: int = 1) -> None:
        self._server = server
        self._threads = threads
        self._has_replied = False
        self._trouble = 0

    def read(
        self,
        questions: Sequence[Question],
        *,
        mode: AnswerMode = AnswerMode.ASK,
        progress: Progress | None = None,
    ) -> list[Prediction]:
        """One prediction for each question.

        A reply that cannot be used becomes "none" with the reason in its gap. Where the server has
        not given a single usable one, or fails twice in a row, that is an error.
        """
        predictions: list[Prediction] = []
        problems: list[ReplyProblem] = []
        for outcome in self._outcomes(questions, mode):
            if isinstance(outcome, ReplyProblem):
                problems.append(outcome)
                outcome = none_because(str(outcome), ())
            predictions.append(outcome)
            if not self._has_replied and len(problems) in (len(questions), HOPELESS):
                raise LacunaError(str(problems[0])) from problems[0]
            if progress is not None:
                progress(1)
        return predictions

    def _outcomes(
        self, questions: Sequence[Question], mode: AnswerMode
    ) -> Iterator[Prediction | ReplyProblem]:
        """In the order of the questions; whoever stops listening stops the asking."""
        if self._threads == 1:
            yield from (self._ask(question, mode) for question in questions)
            return
        with ThreadPoolExecutor(self._threads) as pool:
            try:
                yield from pool.map(lambda question: self._ask(question, mode), questions)
            finally:
                pool.shutdown(cancel_futures=True)

    def _ask(self, question: Question, mode: AnswerMode) -> Prediction | ReplyProblem:
        try:
            prediction = self._prediction(question, mode)
        except ServerTrouble as trouble:
            self._trouble += 1
            if self._trouble >= TROUBLE_IN_A_ROW:
                raise LacunaError(str(trouble)) from trouble
            return trouble
        except ReplyProblem as problem:
            self._trouble = 0
            return problem
        self._trouble = 0
        self._has_replied = True
        return prediction

    def _prediction(self, question: Question, mode: AnswerMode) -> Prediction:
        """Ask, and ask once more where the reply is not in the form."""
        passages = numbered_passages(question)
        messages = prompt(question, passages, mode)
        schema = reply_schema(question)
        content = self._server.complete(messages, schema)
        try:
            reply = parse_reply(content)
        except ReplyProblem as problem:
            content = self._server.complete(retry_prompt(messages, content, str(problem)), schema)
            try:
                reply = parse_reply(content)
            except ReplyProblem as again:
                raise ReplyProblem(
                    f"The model {self._server.model} did not reply in the form asked for, twice. "
                    f"{again} Try a model that is better at following instructions."
                ) from again
        return check_reply(reply, question, passages, mode)


def open_llm_reader(model: str = "", *, threads: int | None = None) -> LLMReader:
    """The model of that name behind the server that ``LACUNA_LLM_URL`` names."""
    return LLMReader(ChatServer.from_environment(model), threads=threads or 1)
