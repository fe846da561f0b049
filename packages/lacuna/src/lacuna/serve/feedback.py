"""Take feedback in: an answer that people call right or correct becomes a question with gold."""

from __future__ import annotations

import json
import os
import re
import tempfile
import threading
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, BinaryIO

from lacuna.errors import LacunaError
from lacuna.files.cache import lock_alone
from lacuna.serve.corpora import OpenCorpora
from lacuna.serve.schemas import FeedbackRequest, FeedbackSchema, Verdict
from lacuna.serve.shared import AnswerKeeper, FeedbackKeeper
from lacuna.web.limits import Limits, clean_line
from lacuna.web.refusals import Refusal, feedback_full

EXACT = ("yes", "no", "none")
"""Answers of a kind of their own: nothing else may stand beside them."""


def patterns_for(texts: Sequence[str]) -> str | list[str]:
    """What must be found in an answer that is right, given the parts of one.

    >>> patterns_for(["Yes"]), patterns_for(["Ellen  Voss."])
    ('^yes$', '(?<!\\\\w)Ellen\\\\s+Voss(?!\\\\w)')
    """
    patterns = [_pattern(text) for text in texts]
    return patterns[0] if len(patterns) == 1 else patterns


def _pattern(text: str) -> str:
    bare = text.strip().rstrip(".").strip() or text.strip()
    if bare.lower() in EXACT:
        return f"^{bare.lower()}$"
    words = r"\s+".join(map(re.escape, bare.split()))
    return f"{_before(bare[0])}{words}{_after(bare[-1])}"


def _before(first: str) -> str:
    """A number must not be the end of another one, nor a word that of another word."""
    return r"(?<![\d.,])" if first.isdigit() else r"(?<!\w)" if first.isalpha() else ""


def _after(last: str) -> str:
    return r"(?!\d|[.,]\d)" if last.isdigit() else r"(?!\w)" if last.isalpha() else ""


# The file of feedback: a JSON object on each line, as ``lacuna data check real`` reads them.
#
# Only its owner can read it. A line is there whole or not at all, also where several servers keep
# theirs in one file, and where one of them is killed.


LOCK_TIMEOUT_SECONDS = 5.0
"""Seconds to wait for another server that writes."""


class FeedbackFile:
    """Appends to a file; what is said of the same answer again takes the place of the first."""

    def __init__(self, path: Path, limit: int) -> None:
        self._path = path
        self._limit = limit
        self._lock = threading.Lock()
        with self._opened():  # so that an error comes now, not with the first feedback
            pass

    def put(self, line: Mapping[str, Any]) -> None:
        """Keep what was said of one answer, by its ``id``."""
        written = json.dumps(line).encode() + b"\n"
        with self._lock, self._opened() as file:
            file.seek(0)
            kept = file.read(self._limit + 1)
            if len(kept) + len(written) > self._limit:
                raise feedback_full()
            lines = kept.splitlines(keepends=True)
            others = [other for other in lines if _id(other) != line["id"]]
            is_whole = not kept or kept.endswith(b"\n")  # else a writer was killed in a line
            if len(others) < len(lines) or not is_whole:
                self._replace(b"".join(_whole(other) for other in others) + written)
            else:
                file.write(written)
                file.flush()
                os.fsync(file.fileno())

    @contextmanager
    def _opened(self) -> Iterator[BinaryIO]:
        """The file, while no other process writes to it."""
        end = time.monotonic() + LOCK_TIMEOUT_SECONDS
        while True:
            try:
                handle = os.open(self._path, os.O_RDWR | os.O_CREAT | os.O_APPEND, 0o600)
            except OSError as error:
                raise LacunaError(
                    f"Feedback cannot be written to {self._path}: {error.strerror}. Give "
                    "--feedback a path in a folder that you can write to."
                ) from error
            with os.fdopen(handle, "r+b") as file:
                # Another one may have put a new file in its place before this was locked.
                if lock_alone(file) and os.path.samestat(os.fstat(handle), self._path.stat()):
                    yield file
                    return
            if time.monotonic() > end:
                raise Refusal(
                    503, "busy", "Other feedback is being written. Try again.", {"Retry-After": "5"}
                )
            time.sleep(0.05)

    def _replace(self, content: bytes) -> None:
        handle, name = tempfile.mkstemp(dir=self._path.parent, prefix=f".{self._path.name}.")
        try:
            with os.fdopen(handle, "wb") as out:
                out.write(content)
                out.flush()
                os.fsync(out.fileno())
            Path(name).replace(self._path)
        except BaseException:
            Path(name).unlink(missing_ok=True)
            raise


def _id(line: bytes) -> object:
    try:
        return json.loads(line)["id"]
    except (ValueError, TypeError, LookupError):  # a line of another hand; it stays as it is
        return None


def _whole(line: bytes) -> bytes:
    return line if line.endswith(b"\n") else line + b"\n"


class FeedbackService:
    """Keeps what people say of their own answers."""

    def __init__(
        self,
        file: FeedbackKeeper | None,
        answers: AnswerKeeper,
        corpora: OpenCorpora,
        limits: Limits,
    ) -> None:
        self._file = file
        self._answers = answers
        self._corpora = corpora
        self._limits = limits

    @property
    def is_taken(self) -> bool:
        """Whether there is something to keep it in."""
        return self._file is not None

    def take(self, request: FeedbackRequest, person: str) -> FeedbackSchema:
        """Keep what a person says of an answer that they got."""
        if self._file is None:
            raise Refusal(
                403,
                "no-feedback",
                "This server keeps no feedback. Start it with --feedback and a file to keep it in.",
            )
        correction = self._correction(request)
        result = self._answers.dialog(request.answer, person, most=1)[-1].result
        corpus = self._corpora.get(result["corpus"], person).name
        self._file.put(_line(result, request.verdict, correction, corpus, person))
        return FeedbackSchema(
            answer=result["id"], verdict=request.verdict, correction=correction or None
        )

    def _correction(self, request: FeedbackRequest) -> str:
        if request.correction is None or not request.correction.strip():
            return ""
        if request.verdict is Verdict.RIGHT:
            raise Refusal(
                422, "right-and-corrected", "A right answer needs no correction. Leave one out."
            )
        return clean_line(request.correction, self._limits.question, "correction")


def _line(
    result: dict[str, Any], verdict: Verdict, correction: str, corpus: str, person: str
) -> dict[str, Any]:
    """A question as the files of real questions have them; without a right answer, no ``match``."""
    answer = result["answer"]
    right = [correction] if correction else []
    evidence = []
    if verdict is Verdict.RIGHT:
        right = answer["texts"] if len(answer["texts"]) > 1 else [answer["text"]]
        evidence = [
            {"file": quote["place"]["file"] if quote["place"] else "", "sentence": quote["text"]}
            for quote in result["quotes"]
        ]
    line: dict[str, Any] = {
        "id": result["id"],
        "corpus": corpus.replace("/", "-").replace("\\", "-").lstrip(". ") or "corpus",
        "kind": "feedback",
        "question": result["read_as"] or result["question"],
    }
    if right:
        line |= {"gold": "; ".join(right), "match": patterns_for(right), "evidence": evidence}
    return {
        **line,
        "verdict": verdict.value,
        "answer": answer["text"],
        "confidence": result["confidence"],
        "person": person,
        "time": datetime.now(UTC).isoformat(timespec="seconds"),
    }
