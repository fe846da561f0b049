"""How a scripted person works on each task, and what everybody knows of the tests."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from random import Random

from lacuna.collect.simulate.hotpotqa_scripts import judge_hops, judge_pairs, write_question
from lacuna.collect.simulate.human_scripts import answer_question
from lacuna.collect.simulate.iirc_scripts import answer_questions, write_questions
from lacuna.collect.simulate.kgd_scripts import describe_gap, judge_facts
from lacuna.collect.simulate.quac_scripts import validate
from lacuna.collect.tasks.task import Json
from lacuna.collect.work.results import TaskInUse

Script = Callable[[Json, Random, float], Json]
"""What is shown, chance, and the share of errors, to a piece of work."""
SCRIPTS: Mapping[str, Script] = {
    "iirc-questions": write_questions,
    "iirc-answers": answer_questions,
    "hotpotqa-categories": judge_pairs,
    "hotpotqa-lists": judge_pairs,
    "hotpotqa-questions": write_question,
    "hotpotqa-hops": judge_hops,
    "kgd-facts": judge_facts,
    "kgd-gaps": describe_gap,
    "human-check": answer_question,
    "quac-validation": validate,
}


class LearnedWork:
    """The right answers of the tests, by what is shown: scripted people have learned them."""

    def __init__(self, tasks: Mapping[str, TaskInUse], scripts: Mapping[str, Script] = SCRIPTS):
        self._scripts = scripts
        self._gold = {
            _shown(task.name, task.task.shown(item.payload, task.settings)): item.gold
            for task in tasks.values()
            for item in task.task.qualification(task.settings)
        }

    def work(self, task: str, shown: Json, random: Random, errors: float) -> Json:
        """What a person hands in."""
        gold = self._gold.get(_shown(task, shown))
        return gold if gold is not None else self._scripts[task](shown, random, errors)


def _shown(task: str, shown: Json) -> str:
    return f"{task}\n{json.dumps(shown, sort_keys=True)}"
