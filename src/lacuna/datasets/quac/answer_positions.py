"""Where in the section answers stand, turn by turn: what figure 5 of QuAC's paper shows."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence

from lacuna.datasets.describing.counting import Mean, percent
from lacuna.datasets.describing.description import DescribedPart
from lacuna.datasets.quac.chunks import CHUNKS, chunk_at, given_answer
from lacuna.figures.charts import BarChart, HeatMap
from lacuna.metrics.score_tables import ScoreTable
from lacuna.types import Answer, Question

NO_ANSWER = CHUNKS
"""The number of the chunk that stands for no answer."""
CHUNK_NAMES = (*(str(number) for number in range(1, CHUNKS + 1)), "none")
ACROSS = "chunk of the answer"
LAST_TURN = 12
"""Dialogs end after twelve questions; what a file has beyond is counted there."""
TURN_NAMES = tuple(str(number) for number in range(1, LAST_TURN + 1))


def chunk_of(answer: Answer, section: int) -> int | None:
    """Which of the section's 12 equal chunks the answer begins in; None where that is not known.

    >>> from lacuna.types import Evidence
    >>> chunk_of(Answer.span("in 1931", Evidence("Marrow", 60, 67)), 120)
    6
    """
    if not answer.texts:
        return NO_ANSWER
    if not answer.found_at or not section:
        return None
    return chunk_at(answer.found_at[0].start, section)


class AnswerPositions:
    """Counts of chunks by turn, of steps from chunk to chunk, and of the chunks of a dialog."""

    def __init__(self) -> None:
        self.by_turn = [[0] * (CHUNKS + 1) for _ in range(LAST_TURN)]
        self.steps = [[0] * (CHUNKS + 1) for _ in range(CHUNKS + 1)]
        self.covered: Counter[int] = Counter()
        self.mean_covered = Mean()

    def add_dialog(self, questions: Sequence[Question], section: int) -> None:
        """Count one dialog."""
        before: int | None = None
        seen: set[int] = set()
        for turn, question in enumerate(questions):
            answer = given_answer(question)
            chunk = None if answer is None else chunk_of(answer, section)
            if chunk is not None:
                self.by_turn[min(turn, LAST_TURN - 1)][chunk] += 1
                if chunk != NO_ANSWER:
                    seen.add(chunk)
                if before is not None:
                    self.steps[before][chunk] += 1
            before = chunk
        if seen:
            self.covered[len(seen)] += 1
            self.mean_covered.add(len(seen))

    def parts(self) -> Iterator[DescribedPart]:
        """Figure 5, a to d."""
        tables = {
            "positions": (
                "Where answers stand, by turn (figure 5a), %",
                "turn",
                TURN_NAMES,
                _row_shares(self.by_turn),
            ),
            "transitions": (
                "From answer to answer (figure 5b), %",
                "chunk of the answer before",
                CHUNK_NAMES,
                _row_shares(self.steps),
            ),
        }
        known = (share for *_, shares in tables.values() for row in shares for share in row)
        darkest = max((share for share in known if share is not None), default=None)
        for name, (title, down, labels, shares) in tables.items():
            rows = tuple((label, *row) for label, row in zip(labels, shares, strict=True))
            yield DescribedPart(
                name,
                ScoreTable(title, (f"{down} \\ {ACROSS}", *CHUNK_NAMES), rows),
                HeatMap(title, ACROSS, down, CHUNK_NAMES, labels, shares, darkest),
                note="A section is 12 chunks of equal length; an answer is where it begins. Rows "
                "sum to 100; both figures have one scale.",
            )
        yield self._coverage()
        yield self._chunks_of_dialogs()

    def _coverage(self) -> DescribedPart:
        counts = [sum(row[chunk] for row in self.by_turn) for chunk in range(CHUNKS)]
        shares = [percent(count, sum(counts)) or 0.0 for count in counts]
        title = "Answers in each chunk of the section (figure 5c)"
        rows = tuple(zip(CHUNK_NAMES, counts, shares, strict=False))
        return DescribedPart(
            "coverage",
            ScoreTable(title, ("chunk", "answers", "%"), rows),
            BarChart(title, "chunk", "% of answers", CHUNK_NAMES[:CHUNKS], shares),
        )

    def _chunks_of_dialogs(self) -> DescribedPart:
        labels = [str(many) for many in range(1, CHUNKS + 1)]
        counts = [self.covered[many] for many in range(1, CHUNKS + 1)]
        shares = [percent(count, sum(counts)) or 0.0 for count in counts]
        title = "Different chunks that a dialog covers (figure 5d)"
        mean = self.mean_covered.value
        return DescribedPart(
            "chunks_of_dialogs",
            ScoreTable(
                title, ("chunks", "dialogs", "%"), tuple(zip(labels, counts, shares, strict=True))
            ),
            BarChart(title, "different chunks", "% of dialogs", labels, shares),
            note=""
            if mean is None
            else f"{mean:.1f} on average; the paper says around five, mostly three to six.",
        )


def _row_shares(counts: Sequence[Sequence[int]]) -> list[list[float | None]]:
    return [[percent(count, sum(row)) for count in row] for row in counts]
