"""What a requester can set of IIRC's tasks alone; the defaults are the paper's."""

from __future__ import annotations

from collections.abc import Iterator

from lacuna.collect.tasks.task import FieldProblem, Json, TaskSettings

QUESTION_OPTIONS: Json = {
    "fewest_links": 10,
    "paragraphs": 10,
    "questions": 10,
    "fewest_multi_link": 2,
    "sets": 100,
    "percent_dev": 10,
    "percent_test": 10,
    "annotators_train": 1,
    "annotators_evaluation": 3,
}
"""``sets`` is how many are made of the corpus, 0 for as many as it gives: every set carries the
texts of the articles that its paragraphs link to, and all of a large corpus would be huge."""
LEAST = {"fewest_multi_link": 0, "sets": 0, "percent_dev": 0, "percent_test": 0}


def options_of(settings: TaskSettings) -> Json:
    """All of the question task's options, with the defaults for those that are not set."""
    return {**QUESTION_OPTIONS, **settings.more}


def option_problems(settings: TaskSettings) -> Iterator[FieldProblem]:
    """What is wrong with the question task's options."""
    for name in settings.more.keys() - QUESTION_OPTIONS.keys():
        known = ", ".join(QUESTION_OPTIONS)
        yield FieldProblem(f"more.{name}", f"There is no such setting. There are: {known}.")
    options = options_of(settings)
    bad = {
        name
        for name in QUESTION_OPTIONS
        if type(options[name]) is not int or not LEAST.get(name, 1) <= options[name] <= 10_000
    }
    for name in sorted(bad):
        least = LEAST.get(name, 1)
        yield FieldProblem(f"more.{name}", f"This is a whole number from {least} to 10000.")
    if bad:
        return
    if options["fewest_multi_link"] > options["questions"]:
        yield FieldProblem("more.fewest_multi_link", "There are not that many questions in a set.")
    if options["fewest_multi_link"] and options["fewest_links"] < 2:
        yield FieldProblem(
            "more.fewest_links", "A question that needs two links needs a paragraph with two."
        )
    if options["percent_dev"] + options["percent_test"] > 100:
        yield FieldProblem("more.percent_test", "Both shares together are more than 100 percent.")
