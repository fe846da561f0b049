"""Every number that the pipeline goes by, in one place.

The tuned ones were chosen on IIRC's and the demo's questions (``benchmarks/results/asking.md``,
``python -m benchmarks asking``), those of passages that are read alone on questions over other
people's documents (``benchmarks/results/real.md``, ``python -m benchmarks real-errors``).
"""

from __future__ import annotations

from dataclasses import dataclass, replace

from lacuna.answers import AnswerMode
from lacuna.errors import LacunaError

MIN_CONFIDENCE = 0.7
"""How sure an answer is to be where nobody says otherwise."""


@dataclass(frozen=True, slots=True)
class PipelineConfig:
    """Limits that the caller sets, each kept whatever the question; then what was tuned.

    >>> PipelineConfig(hops=1, milliseconds=500).windows
    6
    """

    hops: int = 2
    """How often the search goes on from what it found."""
    windows: int = 6
    """Windows of documents that the reader ranks in each hop."""
    milliseconds: float | None = None
    """After this time no new step begins; the best answer by then is given."""

    min_confidence: float = MIN_CONFIDENCE
    """The certainty that is asked for; a less likely answer is given as a probable one."""

    start_hits: int = 10
    """Passages that the retriever gives to begin with."""
    passages: int = 8
    """Passages that are read alone to begin with, where the reader's answers are chosen from."""
    passages_first: int = 3
    """So many of them first; the others only where none of these gives a sure answer."""
    passage_characters: int = 600
    """What is read of each, around the place that was found."""
    sure_enough: float = 0.6
    """With an answer so likely right, the passages that are left are not read."""
    stop_from: float = 0.6
    """With an answer so likely right, the search does not go on to other documents."""
    second_looks: int = 2
    """Answers that are read again with their passages, where a model has learned to judge them;
    eight gave no more right answers."""
    probable_from: float = 0.45
    """The likeliest answer is given if it is so likely right; below that, none is."""
    context_characters: int = 1500
    """How much of the context is read; more would leave no room for what it lacks."""

    sure_alone: float = 8.0
    """Log-odds over "none" above which the context alone is taken to answer."""
    fewest_links: int = 3
    """So many of the best links are always followed."""
    most_links: int = 6
    """No more links are followed, however likely."""
    likely_link: float = 0.0
    """A link with a score above this is followed."""
    named_link: float = 2.0
    """Added to a link's score if the question has all its words; a part adds its share."""
    bridge_relevance: float = 4.0
    """A window that the reader finds so relevant is worth going on from if it does not answer."""
    bridge_documents: int = 2
    """Documents whose links are considered when the search goes on."""
    bridge_hits: int = 5
    """Passages that the retriever gives for each of them."""

    link_pull: float = 0.5
    """How much the score of the link that led to a document counts for its windows."""
    lead_bonus: float = 4.0
    """Added for the beginning of a document: it tells what everything else in it is about."""

    repeat_penalty: float = 1.0
    """By how much each further window of one document must be better: several say more."""
    most_read: int = 3
    """Windows that are read together; more distract the reader more often than they help."""
    most_read_hop: int = 4
    """The same in the mode "hop", whose questions rest on more paragraphs."""
    surer_later: float = 3.0
    """How much surer a later reading must be: who looks long enough finds something."""

    dialog_characters: int = 8000
    """Of a longer document a follow-up is read in its section alone, or in how it begins."""

    def __post_init__(self) -> None:
        if self.hops < 0 or self.windows < 1:
            raise LacunaError("The pipeline needs 0 hops or more, and 1 window or more.")
        if not 0 <= self.min_confidence <= 1:
            raise LacunaError(
                "The confidence that is asked for must be from 0 to 1: 0.7 asks for 70 %."
            )
        if self.milliseconds is not None and not self.milliseconds > 0:
            raise LacunaError("A limit of milliseconds must be more than 0.")

    def limited(self, *, hops: int | None, windows: int | None) -> PipelineConfig:
        """The same numbers but for these limits, where they are given.

        >>> PipelineConfig().limited(hops=0, windows=None).hops
        0
        """
        return replace(
            self,
            hops=self.hops if hops is None else hops,
            windows=self.windows if windows is None else windows,
        )

    def windows_read(self, mode: AnswerMode) -> int:
        """How many windows are read together."""
        return self.most_read_hop if mode is AnswerMode.HOP else self.most_read
