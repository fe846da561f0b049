"""Both tasks together, and the dataset that their work becomes."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Mapping, Sequence
from datetime import UTC, datetime
from pathlib import Path

from lacuna.collect.tasks.iirc.paragraph_sets import DEV, SPLITS, TEST, TRAIN
from lacuna.collect.tasks.quac.agreement import answer_agreement
from lacuna.collect.tasks.quac.collected import collected_dialogs
from lacuna.collect.tasks.quac.dialog_task import TASK, VALIDATION, QuACDialogs
from lacuna.collect.tasks.quac.human_rows import human_row
from lacuna.collect.tasks.quac.options import options_of
from lacuna.collect.tasks.quac.quac_files import write_dialogs
from lacuna.collect.tasks.quac.validation_task import QuACValidation
from lacuna.collect.tasks.task import CollectTask, FinishedWork, Json, TaskSettings
from lacuna.corpus.store import Store
from lacuna.files.writing import replace_text

HUMAN_DEV, HUMAN_TEST = "human-dev.json", "human-test.json"
SIMULATED_FILE = "simulated.json"
CUT_OFFS = {DEV: "heq-cut-offs-dev.json", TEST: "hidden/heq-cut-offs-test.json"}
"""Those of test tell how far the hidden answers of single questions agree."""


class QuACFamily:
    """QuAC."""

    name = "quac"
    dataset = "quac"
    companions = (HUMAN_DEV, HUMAN_TEST, CUT_OFFS[DEV])
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
        today = datetime.now(UTC).date().isoformat()
        for split in SPLITS:
            name = f"{split}.json"
            some = [one for one in dialogs if one.split == split and one.id not in reasons]
            written[name] = write_dialogs(out / name, some)
            if split != TRAIN and some:
                row, cut_offs = human_row(out / name, some, today)
                row.write(out / f"human-{split}.json")
                human[name] = row.as_json()
                with replace_text(out / CUT_OFFS[split]) as file:
                    json.dump(cut_offs, file, indent=1)
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
