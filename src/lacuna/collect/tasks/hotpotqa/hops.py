"""Review of a sample of questions: does one paragraph answer it, or does it take both?

The paper's authors looked at 3 to 10 questions of each top contributor. Whoever writes questions is
sampled here as the work goes on; only top contributors count when the splits are made.
"""

from __future__ import annotations

from collections.abc import Sequence
from hashlib import blake2b

from lacuna.collect.tasks.hotpotqa import qualification
from lacuna.collect.tasks.hotpotqa.more_settings import HOPS
from lacuna.collect.tasks.hotpotqa.written_question import WrittenQuestion
from lacuna.collect.tasks.knobs import check_more, defaults
from lacuna.collect.tasks.task import (
    CollectTask,
    FieldProblem,
    FinishedWork,
    Json,
    NewItem,
    TaskSettings,
)

FIELD = "needs"
ONE, BOTH = "one", "both"
SHOWN = ("paragraphs", "question", "answer")


def hop_items(finished: FinishedWork, more: Json) -> list[NewItem]:
    """The question as an item of the review, if it is drawn.

    A question falls into one of so many slots of its writer, by the number of its submission. Some
    slots are reviewed, and a slot's key is used once, so that no writer has more than
    ``sample_most`` in the sample, whatever order things are accepted in.
    """
    slots = more["sample_most"] * more["sample_one_in"]
    name = f"{more['seed']}\n{finished.submission}".encode()
    slot = int.from_bytes(blake2b(name, digest_size=8).digest(), "big") % slots
    if slot >= more["sample_most"]:
        return []
    written = WrittenQuestion.of(finished.payload, finished.work)
    payload = {
        "paragraphs": finished.payload["paragraphs"],
        "question": written.question,
        "answer": written.answer,
        "writer": finished.person,
        "submission": finished.submission,
    }
    key = f"writer {finished.person}, slot {slot}"
    return [NewItem(key, payload, not_for=(finished.person,))]


class HotpotHopsTask(CollectTask):
    """Tell whether a question takes both paragraphs or just one of them.

    Its items follow accepted questions.
    """

    name = "hotpotqa-hops"
    title = "One paragraph or both?"
    instructions = "hotpotqa-hops"
    form = "hotpotqa-hops"
    settings = TaskSettings(pay_cents=10, minutes=30, inspect_first=0, more=defaults(HOPS))

    def check_settings(self, settings: TaskSettings) -> Sequence[FieldProblem]:
        """Say what is wrong with a requester's settings."""
        return check_more(settings, HOPS)

    def qualification(self, settings: TaskSettings) -> Sequence[NewItem]:
        """Questions of ours that take one paragraph, and some that take both."""
        return qualification.hops()

    def shown(self, payload: Json, settings: TaskSettings) -> Json:
        """The question with its answer and paragraphs; not who wrote it."""
        return {name: payload[name] for name in SHOWN}

    def check(self, payload: Json, work: Json, settings: TaskSettings) -> Sequence[FieldProblem]:
        """One of the two has to be chosen."""
        given = work.get(FIELD) if isinstance(work, dict) else None
        if not isinstance(given, str) or given not in (ONE, BOTH) or set(work) != {FIELD}:
            return [FieldProblem(FIELD, "Say whether one paragraph is enough.")]
        return []

    def score(self, payload: Json, work: Json, gold: Json) -> float:
        """Right or wrong."""
        return float(not self.check(payload, work, self.settings) and work == gold)
