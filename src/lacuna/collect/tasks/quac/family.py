"""Both tasks together, and the dataset that their work becomes."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Mapping, Sequence
from datetime import UTC, datetime
from pathlib import Path

from lacuna.collect.tasks.iirc.paragraph_sets import SPLITS, TEST, TRAIN
from lacuna.collect.tasks.quac.agreement import answer_agreement, human_row
from lacuna.collect.tasks.quac.collected import CollectedDialog, collected_dialogs
from lacuna.collect.tasks.quac.dialog_task import TASK, VALIDATION, QuACDialogs
from lacuna.collect.tasks.quac.options import options_of
from lacuna.collect.tasks.quac.quac_files import write_dialogs
from lacuna.collect.tasks.quac.validation_task import QuACValidation
from lacuna.collect.tasks.task import CollectTask, FinishedWork, Json, TaskSettings
from lacuna.corpus.store import Store
from lacuna.files.writing import replace_text

SIMULATED_FILE = "simulated.json"
HIDDEN = "hidden/"
"""What is not for everybody: a cut-off tells a little of the answer."""


class QuACFamily:
    """QuAC."""

    name = "quac"
    tasks: Sequence[CollectTask] = (QuACDialogs(), QuACValidation())

    def agreement(self, finished: Mapping[str, Sequence[FinishedWork]]) -> Json:
        """Of answers: the teacher's and those of the validators."""
        return {VALIDATION: answer_agreement(collected_dialogs(finished))}

    def export(
        self,
        finished: Mapping[str, Sequence[FinishedWork]],
        corpus: Store,
        out: Path,
        settings: Mapping[str, TaskSettings] | None = None,
    ) -> Json:
        """Write train, dev and test, and how well people do on the latter two."""
        dialogs = collected_dialogs(finished)
        validators = options_of((settings or {}).get(TASK, QuACDialogs.settings))["validators"]
        reasons = {one.id: why for one in dialogs if (why := one.left_out(validators))}
        out.mkdir(parents=True, exist_ok=True)
        written: Json = {}
        human: Json = {}
        for split in SPLITS:
            name = f"{split}.json"
            some = [one for one in dialogs if one.split == split and one.id not in reasons]
            written[name] = write_dialogs(out / name, some)
            if split != TRAIN and some:
                human[name] = self._write_human(out, split, some)
        if simulated := [one for one in dialogs if one.is_simulated]:
            written[SIMULATED_FILE] = write_dialogs(out / SIMULATED_FILE, simulated)
        return {
            "written": written,
            "human": human,
            "left_out": {
                "dialogs": len(reasons),
                "reasons": dict(Counter(reasons.values()).most_common()),
                "by_dialog": reasons,
            },
        }

    def _write_human(self, out: Path, split: str, dialogs: Sequence[CollectedDialog]) -> Json:
        people = len({person for one in dialogs for person in one.answerers})
        today = datetime.now(UTC).date().isoformat()
        row, cut_offs = human_row(out / f"{split}.json", people, today)
        row.write(out / f"human-{split}.json")
        path = out / f"{HIDDEN if split == TEST else ''}heq-cut-offs-{split}.json"
        path.parent.mkdir(exist_ok=True)
        with replace_text(path) as file:
            json.dump(cut_offs, file, indent=1)
        return {"questions": row.questions, "counted": len(cut_offs), **row.measures}
