"""GapQA's tables and figures (Khot et al. 2019)."""

from __future__ import annotations

from collections.abc import Iterable

from lacuna import demo
from lacuna_lab.data.sources import DEV, TRAIN, DataFile
from lacuna_lab.reproduce.entry import BEFORE, Paper, ReasonEntry, recorded
from lacuna_lab.reproduce.examples import (
    QUICK,
    CountedFiles,
    DescribedEntry,
    GapExampleEntry,
    LabelledEntry,
    errors,
    filled_gap,
    gaps,
    relations,
)
from lacuna_lab.reproduce.tables import (
    RecordedScores,
    ScoreEntry,
    ScoreRow,
    TracedErrorsEntry,
    labelled,
    official,
)
from lacuna_lab.reproduce.workbench import Source, SystemRun, first

GAPS = tuple(
    Source(
        DataFile(
            "openbookqa", (f"kgd/{split}.jsonl", f"openbookqa/kgd_{split}.jsonl"), official=False
        ),
        QUICK / "kgd.jsonl",
    )
    for split in ("train", "dev")
)
"""KGD: OpenBookQA's questions with annotated gaps."""
TRAINING = Source(TRAIN["openbookqa"], demo.OPENBOOK)
QUESTIONS = Source(DEV["openbookqa"], demo.OPENBOOK, quick_part=first(8))
ENCODERS = {
    "bilstm": "a BiLSTM over word vectors, as the paper's",
    "small": "a small transformer",
    "base": "a large transformer",
}
RECORDS = recorded("gapqa")
SHIPPED = SystemRun("the shipped model, its own key spans", QUESTIONS, "gapqa", knowledge=True)
READER = SystemRun("the shipped reader: the fact, no knowledge", QUESTIONS, "reader", "core-fact")
SHORT, FULL = (
    labelled("OBQA-Short", "subset", "OBQA-Short", "accuracy"),
    official("OBQA-Full", "accuracy"),
)
RECORD_NOTE = (
    "Rows with an encoder were measured before, with one run for each seed, and are told in full "
    "in [the results](../../benchmarks/results/gapqa.md); ours is on dev, the paper's on test. "
    "KGD's labels were not at hand: relation labels are from triples, and key spans from a rule."
)
NO_SUCH_GAP = (
    "a drawn example; neither the paper's model nor ours fills such gaps: both are given the core "
    "fact, and look for what links it to an answer (figure 4)"
)


def _recorded(variant: str, encoders: Iterable[str] = ENCODERS) -> tuple[RecordedScores, ...]:
    rows = RECORDS["runs"].rows
    return tuple(
        RecordedScores(f"{ENCODERS[encoder]} ({BEFORE})", rows[f"{encoder}-{variant}"])
        for encoder in encoders
        if f"{encoder}-{variant}" in rows
    )


def _key_spans(row: str) -> tuple[RecordedScores, ...]:
    """BiDAF in a row of table 3; in the last one GapQA models, too."""
    bidaf = RECORDS["key-spans-bidaf"].rows
    models = RECORDS["key-spans"].rows if row == list(bidaf)[-1] else {}
    scores = {"BiDAF": bidaf[row], **models}
    return tuple(RecordedScores(f"{name} ({BEFORE})", cells) for name, cells in scores.items())


def _row(name: str, variant: str, *runs: SystemRun) -> ScoreRow:
    return ScoreRow(name, runs, recorded=_recorded(variant))


def _trained(what: str, recipe: str, *, knowledge: bool = False) -> SystemRun:
    return SystemRun(f"{what}", QUESTIONS, trained=recipe, knowledge=knowledge)


def _drawing(name: str, title: str, reason: str) -> ReasonEntry:
    return ReasonEntry(name, title, reason=reason)


GAPQA = Paper(
    "gapqa",
    "OpenBookQA's training and dev sets are whole; the test set and KGD, the annotated gaps, are "
    "not at hand. So ours is on the 500 dev questions (271 of OBQA-Short), the paper's on the 500 "
    "of test (290). Knowledge: 1,145,547 triples and 336,194 sentences; the paper has 14 million "
    "sentences.",
    (
        GapExampleEntry("figure-1", "A gap, and what fills it", show=filled_gap),
        _drawing(
            "figure-2",
            "The kinds of gaps",
            "a drawing of the three kinds that section 3.1 names; `lacuna describe openbookqa FILE "
            "--sheet CSV` labels questions with them",
        ),
        _drawing("figure-3", "A gap between question and fact", NO_SUCH_GAP),
        _drawing(
            "figure-4",
            "A gap between fact and answer",
            "a drawn example; figure 1 and table 1 show such gaps of the demo",
        ),
        _drawing("figure-5", "A gap between question and answer, given the fact", NO_SUCH_GAP),
        LabelledEntry("section-3.1", "Kinds of gaps", dataset="openbookqa", columns=("gap",)),
        GapExampleEntry("table-1", "Examples of gaps", show=gaps),
        DescribedEntry(
            "table-2",
            "Annotated gaps",
            counted=tuple(CountedFiles((source,), ("kgd", "relations")) for source in GAPS),
        ),
        DescribedEntry(
            "section-5",
            "Questions with short choices",
            counted=(
                CountedFiles((TRAINING,), ("short", "averages")),
                CountedFiles((QUESTIONS,), ("short", "averages")),
            ),
        ),
        _drawing(
            "figure-6",
            "The architecture",
            "a drawing; the network is `src/lacuna/train/gapqa/network.py`, and `lacuna train "
            "recipes/gapqa-bilstm.toml` trains it",
        ),
        ScoreEntry(
            "table-3",
            "Key spans",
            of_recorded="KGD is not at hand. Ours is against a rule's spans on the 92 dev "
            "questions where that rule is trusted, and where the row says KGD, it learned from "
            "the rule's spans of 853 training questions; the paper's is from and against people's. "
            "BiDAF was trained on a GPU with five seeds, on SQuAD alone with one; a GapQA model "
            "finds spans with its encoder. `python -m benchmarks gapqa-key-spans RUN` measures "
            "them.",
            measures=(official("F1", "f1"), official("EM", "em")),
            rows=tuple(
                ScoreRow(name, recorded=_key_spans(name))
                for name in RECORDS["key-spans-bidaf"].rows
            ),
        ),
        ScoreEntry(
            "table-4",
            "Accuracy with the core fact",
            of_recorded=RECORD_NOTE,
            before=RECORDS["table-4"],
            measures=(SHORT, FULL),
            rows=(
                _row("Q2Choice", "question-to-choice", _trained("Q2Choice", "question-to-choice")),
                ScoreRow("ESIM + ELMo", (_trained("ESIM over GloVe, no ELMo", "esim"),)),
                _row("KER (only f)", "fact-only", _trained("KER", "ker"), READER),
                ScoreRow("KER (f + WordNet)", (_trained("KER", "ker-wordnet", knowledge=True),)),
                ScoreRow("KER (f + OMCS)", (_trained("KER", "ker-omcs", knowledge=True),)),
                ScoreRow(
                    "GapQA (f + KB)",
                    (SHIPPED, _trained(ENCODERS["bilstm"], "gapqa-bilstm", knowledge=True)),
                    recorded=_recorded("gapqa", ("small", "base")),
                ),
            ),
        ),
        ScoreEntry(
            "table-5",
            "Sources of knowledge",
            of_recorded=RECORD_NOTE,
            before=RECORDS["table-5"],
            measures=(SHORT, FULL),
            rows=(
                ScoreRow("f + WordNet, KER", (_trained("KER", "ker-wordnet", knowledge=True),)),
                _row("f + WordNet, GapQA", "wordnet"),
                ScoreRow("f + OMCS, KER", (_trained("KER", "ker-omcs", knowledge=True),)),
                _row("f + OMCS, GapQA", "omcs"),
                _row("f + ConceptNet, GapQA", "triples"),
                _row("f + CN + ARC, GapQA", "gapqa", SHIPPED),
            ),
        ),
        ScoreEntry(
            "table-6",
            "What is left out",
            of_recorded=RECORD_NOTE,
            measures=(SHORT, FULL),
            rows=(
                _row("GapQA", "gapqa", SHIPPED),
                _row("No Annotations", "no-annotations"),
                _row("Heuristic Span Anns.", "no-relation-labels"),
                _row("No Relation Score", "fact-only"),
                _row("No Spans (Model)", "no-spans-model"),
                _row("No Spans (IR)", "no-spans-ir"),
            ),
        ),
        GapExampleEntry("table-7", "Examples of errors", show=errors),
        LabelledEntry("section-5.4", "Errors", dataset="openbookqa", columns=("error",)),
        TracedErrorsEntry(
            "section-5.4-rule",
            "Errors, told by a rule",
            "Which of the two scores preferred the wrong choice, and whether anything was found "
            "for the right one; the paper's own classes take KGD's annotations.",
            runs=(SHIPPED,),
        ),
        *(
            _drawing(
                f"figure-{number}",
                title,
                "a screenshot of the task on Amazon Mechanical Turk",
            )
            for number, title in (
                (7, "The workers' interface"),
                (8, "The workers' instructions"),
                (9, "Instructions for complex examples"),
            )
        ),
        GapExampleEntry("figure-10", "What the model saw", show=relations),
    ),
)
