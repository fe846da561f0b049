"""HotpotQA's tables and figures (Yang et al. 2018)."""

from __future__ import annotations

from lacuna import demo
from lacuna_lab.data.sources import DEV, PARAGRAPHS, TRAIN, DataFile
from lacuna_lab.reproduce.entry import Paper, ReasonEntry, recorded
from lacuna_lab.reproduce.examples import HOTPOTQA as EXAMPLES
from lacuna_lab.reproduce.examples import (
    CountedFiles,
    DescribedEntry,
    ExampleEntry,
    LabelledEntry,
    supported_answer,
)
from lacuna_lab.reproduce.tables import (
    ScoreEntry,
    ScoreRow,
    SearchEntry,
    SearchRow,
    labelled,
    official,
)
from lacuna_lab.reproduce.workbench import (
    CorpusSource,
    FilePart,
    Search,
    Source,
    SystemRun,
    after,
    first,
)

MEDIUM = FilePart(
    "level medium",
    lambda number, item: any(each.extra.get("level") == "medium" for each in item.questions),
)
TRAINING = Source(TRAIN["hotpotqa"], EXAMPLES, quick_part=first(6))
MORE = Source(DEV["hotpotqa"], EXAMPLES, quick_part=after(6))
"""The same questions as ``QUESTIONS``; the demo's two files together have each of theirs once."""
QUESTIONS = Source(DEV["hotpotqa"], EXAMPLES)
TRAIN_MEDIUM = Source(TRAIN["hotpotqa"], EXAMPLES, MEDIUM, MEDIUM)
SAMPLE = DataFile("hotpotqa", ("hotpotqa/abstracts_sample.jsonl",), official=False)
WIKI = CorpusSource((SAMPLE, PARAGRAPHS), demo.ARTICLES)
CANDIDATES = 5000
"""The most paragraphs that the paper's retriever ranks."""
HIDDEN = "the answers of the test sets are hidden"

DISTRACTOR, FULL_WIKI = "distractor", "fullwiki"
NETWORK = "the paper's network, first trained on other questions"
ALONE = "the paper's network, from HotpotQA's questions alone"
READER = "the shipped reader"


def _trained(recipe: str, setting: str = DISTRACTOR) -> SystemRun:
    corpus = WIKI if setting == FULL_WIKI else None
    return SystemRun(
        NETWORK, QUESTIONS, setting=setting, trained=recipe, went_on=True, corpus=corpus
    )


def _alone(recipe: str, setting: str) -> SystemRun:
    return SystemRun(ALONE, QUESTIONS, setting=setting, trained=recipe, went_on=False)


def _reader(setting: str) -> SystemRun:
    corpus = WIKI if setting == FULL_WIKI else None
    what = f"{READER}, its own search" if corpus else READER
    return SystemRun(what, QUESTIONS, "reader", setting, corpus=corpus)


def _counted(*parts: str) -> tuple[CountedFiles, ...]:
    return (CountedFiles((TRAINING, MORE), parts),)


RECORDS = recorded("hotpotqa")
PAPER_NETWORK = "hotpotqa-paper"
ALL_SCORES = tuple(
    official(f"{what} {name}", f"{prefix}{measure}")
    for what, prefix in (("answer", ""), ("support", "sp_"), ("joint", "joint_"))
    for name, measure in (("EM", "em"), ("F1", "f1"))
)
ABLATIONS = {
    "our model": (PAPER_NETWORK, DISTRACTOR),
    "– sup fact": ("hotpotqa-no-support", DISTRACTOR),
    "– sup fact, self attention": ("hotpotqa-no-support-no-self-attention", DISTRACTOR),
    "– sup fact, char model": ("hotpotqa-no-support-no-characters", DISTRACTOR),
    "– sup fact, train-easy": ("hotpotqa-no-support-no-easy", DISTRACTOR),
    "– sup fact, train-easy, train-medium": ("hotpotqa-no-support-only-hard", DISTRACTOR),
    "gold only": ("hotpotqa-gold-only", "gold-only"),
    "sup fact only": ("hotpotqa-facts-only", "supporting-facts-only"),
}
"""The rows of table 7: a recipe each, and the setting that it is evaluated in."""

HOTPOTQA = Paper(
    "hotpotqa",
    "At hand are 6,901 questions, 996 of the official training set and 5,905 of the dev set, where "
    "all are hard: 6,407 of them to learn from (the paper: 90,564) and 494 to measure with (the "
    "paper: 7,405). The full wiki is 103,217 first paragraphs that hold all gold ones; the paper "
    "searches more than 5,000,000.",
    (
        ExampleEntry("figure-1", "An example", rows=supported_answer),
        DescribedEntry(
            "table-1",
            "Questions by level",
            "With its dev set and its two test sets, 112,779 in all.",
            counted=_counted("levels", "types"),
        ),
        DescribedEntry("figure-2", "Types of questions", counted=_counted("question_types")),
        LabelledEntry("table-2", "Types of answers", dataset="hotpotqa", columns=("answer type",)),
        DescribedEntry("table-2-counted", "Answers as counted", counted=_counted("averages")),
        LabelledEntry(
            "table-3", "Types of reasoning", dataset="hotpotqa", columns=("reasoning type",)
        ),
        ReasonEntry(
            "figure-3",
            "The architecture",
            reason="a drawing; the network is `src/lacuna/train/papers/hotpotqa/network.py`, and "
            "`lacuna train recipes/hotpotqa-paper.toml` trains it",
        ),
        ScoreEntry(
            "table-4",
            "Main results",
            before=RECORDS["table-4"],
            measures=ALL_SCORES,
            rows=(
                ScoreRow(
                    "distractor, dev",
                    (
                        _trained(PAPER_NETWORK),
                        _reader(DISTRACTOR),
                        SystemRun("a guess by the type of answer", QUESTIONS, "answer-type"),
                        SystemRun(
                            "the sentence most like the question", QUESTIONS, "tfidf-sentence"
                        ),
                    ),
                ),
                ScoreRow("distractor, test", why_not=HIDDEN),
                ScoreRow(
                    "full wiki, dev", (_trained(PAPER_NETWORK, FULL_WIKI), _reader(FULL_WIKI))
                ),
                ScoreRow("full wiki, test", why_not=HIDDEN),
            ),
        ),
        SearchEntry(
            "table-5",
            "Retrieval in the full wiki",
            "The paper's retriever, with its counting: a gold paragraph that is not among a "
            "question's candidates comes right after them.",
            measures=(
                ("paper_map", "MAP"),
                ("paper_mean_rank", "mean rank"),
                ("hits@2", "hits@2"),
                ("hits@10", "hits@10"),
            ),
            rows=(
                SearchRow("dev", Search(QUESTIONS, WIKI, "hotpotqa", CANDIDATES)),
                SearchRow("test", why_not=HIDDEN),
            ),
        ),
        ScoreEntry(
            "table-6",
            "Scores by the type of question",
            before=RECORDS["table-6"],
            measures=tuple(
                labelled(f"{kind} {name}", "type", kind, measure)
                for kind in ("bridge", "comparison")
                for name, measure in (("EM", "em"), ("F1", "f1"))
            ),
            rows=(
                ScoreRow("distractor", (_trained(PAPER_NETWORK), _reader(DISTRACTOR))),
                ScoreRow("full wiki", (_trained(PAPER_NETWORK, FULL_WIKI), _reader(FULL_WIKI))),
            ),
        ),
        ScoreEntry(
            "table-7",
            "What is left out",
            before=RECORDS["table-7"],
            measures=(official("EM", "em"), official("F1", "f1")),
            rows=tuple(
                ScoreRow(name, (_trained(recipe, setting), _alone(recipe, setting)))
                for name, (recipe, setting) in ABLATIONS.items()
            ),
        ),
        ScoreEntry(
            "table-8",
            "Beside people",
            "The paper measures on 1,000 questions of dev and test.",
            before=RECORDS["table-8"],
            measures=ALL_SCORES,
            rows=(
                ScoreRow(
                    "gold only",
                    (_trained("hotpotqa-gold-only", "gold-only"), _reader("gold-only")),
                ),
                ScoreRow("distractor", (_trained(PAPER_NETWORK), _reader(DISTRACTOR))),
                ScoreRow("Human", why_not="people answered 1,000 questions anew"),
                ScoreRow("Human UB", why_not="people answered 1,000 questions anew"),
            ),
        ),
        ReasonEntry(
            "figure-4",
            "The workers' interface",
            reason="a screenshot of the task on Amazon Mechanical Turk",
        ),
        DescribedEntry("figure-5", "Lengths of questions", counted=_counted("question_lengths")),
        SearchEntry(
            "table-9",
            "Retrieval for other splits",
            "The paper takes 1,000 random questions of each. It does not say how it finds the "
            "paragraph with the answer; ours is a gold one in which the answer's text stands.",
            measures=(
                ("paper_map", "MAP"),
                ("paper_mean_rank", "mean rank"),
                ("answer_rank", "answer's rank"),
            ),
            rows=(
                SearchRow("train-medium", Search(TRAIN_MEDIUM, WIKI, "hotpotqa", CANDIDATES)),
                SearchRow("dev", Search(QUESTIONS, WIKI, "hotpotqa", CANDIDATES)),
                SearchRow("test", why_not=HIDDEN),
            ),
        ),
    ),
)
