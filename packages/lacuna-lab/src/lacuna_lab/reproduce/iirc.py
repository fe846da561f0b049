"""IIRC's tables and figures (Ferguson et al. 2020)."""

from __future__ import annotations

from dataclasses import replace

from lacuna import demo
from lacuna_lab.data.sources import DEV, PARAGRAPHS, DataFile
from lacuna_lab.reproduce.combined import CombinedEntry, CombinedRow
from lacuna_lab.reproduce.entry import Paper, recorded
from lacuna_lab.reproduce.examples import (
    QUICK,
    CountedFiles,
    DescribedEntry,
    ExampleEntry,
    LabelledEntry,
    answer_types,
    linked_passage,
)
from lacuna_lab.reproduce.tables import (
    BreakdownEntry,
    ScoreEntry,
    ScoreRow,
    TracedErrorsEntry,
    abstained,
    official,
)
from lacuna_lab.reproduce.workbench import CorpusSource, MixedSource, Source, SystemRun, chosen

QUESTIONS = Source(DEV["iirc"], demo.QUESTIONS, quick_part=chosen(0, 58))
ARTICLES = CorpusSource((DataFile("iirc", ("iirc/context_articles.json",)),), demo.ARTICLES)
READER = "the shipped reader"
FULL = SystemRun(f"{READER}, its own search", QUESTIONS, "reader", "full", corpus=ARTICLES)
LINKS = SystemRun(
    f"{READER}, its own search behind gold links",
    QUESTIONS,
    "reader",
    "oracle-links",
    corpus=ARTICLES,
)
RETRIEVED = SystemRun(
    f"{READER}, what a published system retrieved", QUESTIONS, "reader", "retrieved-context"
)
GOLD = SystemRun(f"{READER}, gold links and context", QUESTIONS, "reader", "oracle-context")
SQUAD = Source(DEV["squad2"], QUICK / "squad.json")
DROP = Source(DEV["drop"], QUICK / "drop.json")
SAMPLE = DataFile("hotpotqa", ("hotpotqa/abstracts_sample.jsonl",), official=False)
TITLES = CorpusSource((SAMPLE, PARAGRAPHS), demo.ARTICLES)
"""The titles that the wikifier knows."""
MIXED = MixedSource(
    QUESTIONS.file,
    QUESTIONS.quick,
    quick_part=QUESTIONS.quick_part,
    added=(SQUAD, DROP),
    titles=TITLES,
)
NETWORK = "the paper's networks"
FULL_NETWORK = SystemRun(NETWORK, QUESTIONS, setting="full", trained="iirc-paper", corpus=ARTICLES)
GOLD_NETWORK = replace(FULL_NETWORK, setting="oracle-context", corpus=None)
RECORDS = recorded("iirc")
ANSWER = (("em", "EM"), ("f1", "F1"))


def _classifier(sees: str) -> SystemRun:
    setting = "full" if sees == "context" else "oracle-context"
    return SystemRun(
        f"a classifier that sees the {sees}",
        QUESTIONS,
        setting=setting,
        trained=f"iirc-unanswerable-{sees}",
        corpus=ARTICLES if setting == "full" else None,
    )


IIRC = Paper(
    "iirc",
    "The dev set at hand is whole: 1,301 questions over 430 passages. Its linked articles are not "
    "at hand, nor is the training set with its passages, and the test set's answers are hidden. "
    "The file lists only those links of a passage that some question or system used.",
    (
        ExampleEntry("figure-1", "An example", rows=linked_passage),
        ExampleEntry(
            "figure-2",
            "Examples by what they ask for",
            columns=("type of answer", "question", "links", "answer"),
            rows=answer_types,
        ),
        LabelledEntry(
            "table-1",
            "Types of retrieval and reasoning",
            dataset="iirc",
            columns=("link prediction", "retrieval", "reasoning"),
        ),
        DescribedEntry(
            "table-1-answers",
            "Types of answers",
            counted=(CountedFiles((QUESTIONS,), ("answer_types",)),),
        ),
        DescribedEntry(
            "table-2", "Statistics", counted=(CountedFiles((QUESTIONS,), ("averages",)),)
        ),
        DescribedEntry(
            "section-2.4",
            "Beginnings of questions",
            "The paper does not say which questions are about time. Ages and durations alone come "
            "near its 15 %, and were chosen for that and for its examples.",
            counted=(CountedFiles((QUESTIONS,), ("trigrams", "time")),),
        ),
        ScoreEntry(
            "table-3",
            "Baseline and oracle results",
            "The paper's model is three BERT-size networks of its own; ours is one small reader "
            "that was trained for several datasets at once.",
            before=RECORDS["table-3"],
            measures=(official("EM", "em"), official("F1", "f1")),
            rows=(
                ScoreRow("Full model", (FULL_NETWORK, FULL, RETRIEVED)),
                ScoreRow("Oracle L", (replace(FULL_NETWORK, setting="oracle-links"), LINKS)),
                ScoreRow("Oracle L+C", (GOLD_NETWORK, GOLD)),
                ScoreRow(
                    "Human", why_not="people answered 200 test questions; nobody did so for ours"
                ),
            ),
        ),
        BreakdownEntry(
            "table-4",
            "Scores by the number of links",
            labels=("number of links",),
            measures=ANSWER,
            runs=(FULL_NETWORK, FULL, RETRIEVED, GOLD),
        ),
        DescribedEntry(
            "table-4-shares",
            "Links that questions need",
            counted=(CountedFiles((QUESTIONS,), ("links",)),),
        ),
        BreakdownEntry(
            "table-5",
            "Scores by the type of answer",
            labels=("type",),
            measures=ANSWER,
            runs=(FULL_NETWORK, FULL, RETRIEVED, GOLD),
        ),
        ScoreEntry(
            "table-6",
            "Recognising questions without an answer",
            before=RECORDS["table-6"],
            measures=(
                abstained("P", "precision"),
                abstained("R", "recall"),
                abstained("F1", "f1"),
            ),
            rows=(
                ScoreRow(
                    "Constant baseline", (SystemRun("always none", QUESTIONS, "always-none"),)
                ),
                ScoreRow("Question only", (_classifier("question"),)),
                ScoreRow("Question + Passage", (_classifier("passage"),)),
                ScoreRow("Question + Pred Context", (_classifier("context"), RETRIEVED, FULL)),
            ),
        ),
        LabelledEntry("section-4.4", "Errors", dataset="iirc", columns=("error",)),
        TracedErrorsEntry(
            "section-4.4-rule",
            "Errors, told by a rule",
            "A link counts as chosen if a document of its title was looked into, and a gold "
            "sentence as found if it stands in what was read; the paper's shares are of the full "
            "model's errors, labelled by hand.",
            runs=(RETRIEVED, FULL),
        ),
        CombinedEntry(
            "table-7",
            "Combined evaluation",
            "One in five questions of the mixed dev is of SQuAD 2.0 (three in four) or DROP; their "
            "links are titles of HotpotQA's paragraphs that a passage names, found by our own "
            "wikifier, and none of them is needed. Links are counted over all questions by their "
            "titles; the files name only links that someone used, so that precision is easier "
            "than in the paper. The paper's scores are on dev as it is; of the mixed one it says "
            "that precision falls by 28 points for the first row, and by 8 for the second. "
            "`lacuna data mix` writes such a file, to learn from as well.",
            before=RECORDS["table-7"],
            files=(("as it is", QUESTIONS), ("mixed", MIXED)),
            rows=(
                CombinedRow("IIRC", NETWORK, "iirc-links", FULL_NETWORK),
                CombinedRow(
                    "IIRC + S + D",
                    NETWORK,
                    "iirc-links-combined",
                    replace(FULL_NETWORK, trained="iirc-paper-combined"),
                ),
                CombinedRow(
                    "IIRC, S, D and others",
                    RETRIEVED.what,
                    "",
                    RETRIEVED,
                ),
                CombinedRow("IIRC, S, D and others", FULL.what, "", FULL),
            ),
        ),
    ),
)
