"""What HotpotQA's authors labelled by hand: tables 2 and 3."""

from __future__ import annotations

from lacuna.datasets.describing.labelling import Category, LabellingTask, LabelTable, titled
from lacuna.types import Question


def _paragraphs(question: Question) -> dict[str, str]:
    """Whether one paragraph is enough, or none, is seen from their texts."""
    facts = (question.gold and question.gold.supporting_facts) or ()
    gold = {fact.title for fact in facts}
    return {
        "gold paragraphs": titled(each for each in question.documents if each.title in gold),
        "other paragraphs": titled(each for each in question.documents if each.title not in gold),
    }


TASKS = (
    LabellingTask(
        "questions",
        (
            LabelTable(
                "Types of answers (table 2)",
                "answer type",
                (
                    Category("person", "one person", 30),
                    Category("group / org", "a group or an organisation", 13),
                    Category("location", "a place", 10),
                    Category("date", "a date or a time", 9),
                    Category("number", "a number", 8),
                    Category("artwork", "a book, film, song …", 8),
                    Category("yes/no", "yes or no", 6),
                    Category("adjective", "a property in a word", 4),
                    Category("event", "an event", 1),
                    Category("other proper noun", "another name", 6),
                    Category("common noun", "no name", 5),
                ),
            ),
            LabelTable(
                "Types of reasoning (table 3)",
                "reasoning type",
                (
                    Category("type I", "find the bridge entity, then what is asked of it", 42),
                    Category("comparison", "compare two entities", 27),
                    Category("type II", "find what has several properties at once", 15),
                    Category("type III", "a property that holds through the bridge entity", 6),
                    Category("other", "needs more than two supporting facts", 2),
                    Category("single-hop", "one of the paragraphs is enough", 6),
                    Category("unanswerable", "the paragraphs do not answer it", 2),
                ),
                note="The paper's are of dev and test. Of 100 more, of train-medium and "
                "train-hard, 38 are type I, 29 type II, 20 comparison, 7 other, 2 type III, 2 "
                "single-hop and 2 unanswerable (section 4); of train-medium alone, 32.0 % are type "
                "II (section 3).",
            ),
        ),
        material=_paragraphs,
    ),
)
