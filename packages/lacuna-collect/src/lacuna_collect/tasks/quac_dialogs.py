"""QuAC's two tasks: a dialog between a student and a teacher, and validating its answers."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import islice
from random import Random
from statistics import fmean
from typing import Any

from lacuna.corpus.store import Store
from lacuna.errors import LacunaError
from lacuna.metrics.metric import normalise, overlap
from lacuna.text import STOP_WORDS, WORD_RUN
from lacuna.types import FollowUp, YesNo
from lacuna_collect.mining import (
    FEWEST_IN_LINKS,
    TOKEN,
    ChosenSection,
    SectionBounds,
    SectionFilter,
    choose_sections,
)
from lacuna_collect.tasks.iirc_questions import (
    TRAIN,
    shares_problem,
    span_problem,
    split_of,
    text_problem,
)
from lacuna_collect.tasks.task import (
    PEOPLE_OF_A_DIALOG,
    Bounded,
    DeclaredTask,
    DialogRole,
    DialogRules,
    FieldProblem,
    FinishedWork,
    ItemsByTask,
    Json,
    Knobs,
    Names,
    NewItem,
    Range,
    Switch,
    TaskSettings,
    defaults,
    set_to,
)

BOUNDS = SectionBounds()
OPTIONS: Knobs = {
    "fewest_in_links": Bounded(FEWEST_IN_LINKS, 0, 10**6),
    "people_only": Switch(True),
    "keywords": Names(()),
    "paragraphs": Range(BOUNDS.paragraphs),
    "tokens": Range(BOUNDS.tokens),
    "words_a_sentence": Range(BOUNDS.words_a_sentence),
    "sections": Bounded(1_000, 0, 10**6),
    "percent_dev": Bounded(11, 0, 100),
    "percent_test": Bounded(11, 0, 100),
    "dialogs_train": Bounded(3, 1, 100),
    "validators": Bounded(4, 1, 20),
    "pay_growth_cents": Bounded(2, 0, 1_000),
    "most_pairs": Bounded(12, 1, 100),
    "most_no_answers": Bounded(2, 0, 100),
    "fewest_pairs": Bounded(3, 1, 100),
    "reconnect_seconds": Bounded(60, 1, 3_600),
    "idle_warning_seconds": Bounded(120, 1, 3_600),
    "idle_end_seconds": Bounded(300, 2, 7_200),
    "same_pair_again": Switch(False),
    "simulated_after_seconds": Bounded(0, 0, 3_600),
}
"""``sections`` is how many are taken of the corpus, 0 for all. What is in seconds is our own, and
so are the shares of the splits by article: about a ninth of the paper's sections are in each."""


def rules_of(settings: TaskSettings) -> DialogRules:
    """When dialogs begin and end."""
    options = set_to(settings, OPTIONS)
    names = DialogRules.__dataclass_fields__
    return DialogRules(**{name: options[name] for name in names})


SECTION = "section"
"""The kind of an item that a dialog is about."""


def section_items(corpus: Store, options: Json) -> Iterator[NewItem]:
    """An item for each section; its places are for the two people of each of its dialogs."""
    wanted = SectionFilter(
        fewest_in_links=options["fewest_in_links"],
        people_only=options["people_only"],
        keywords=tuple(options["keywords"]),
        bounds=SectionBounds(
            tuple(options["paragraphs"]),
            tuple(options["tokens"]),
            tuple(options["words_a_sentence"]),
        ),
    )
    found = choose_sections(corpus, corpus.graph(), wanted)
    made = 0
    for chosen in islice(found, options["sections"] or None):
        made += 1
        yield _item(chosen, options)
    if not made:
        raise LacunaError(
            "No section of the corpus passes the paper's filters. Loosen them, as in `lacuna "
            "collect init … --set fewest_in_links=0 --set people_only=false --set "
            "tokens=[50,2000]`, or give a larger corpus; `lacuna corpus sections` lists what "
            "passes such filters."
        )


def _item(chosen: ChosenSection, options: Json) -> NewItem:
    context, heading = chosen.context, chosen.section.path[-1]
    # The heading belongs to what the student sees, and is no part of the text.
    cut = len(heading) if context.text.startswith(f"{heading}\n") else 0
    text = context.text[cut:].lstrip()
    cut = len(context.text) - len(text)
    # By the article and not by the section: what is read in one fold is in no other.
    split = split_of(context.title, options)
    dialogs = options["dialogs_train"] if split == TRAIN else 1
    payload = {
        "kind": SECTION,
        "title": context.title,
        "section": heading,
        "background": chosen.background,
        "text": text,
        "sentences": [[start - cut, end - cut] for start, end in context.sentences if start >= cut],
    }
    key = f"{context.title}#{chosen.section.start}"[-400:]
    return NewItem(key, payload, copies=PEOPLE_OF_A_DIALOG * dialogs, split=split)


SPAN, NONE = "span", "none"
MOST_TOKENS = 30
"""So that nobody reveals the whole section at once."""


def answer_problems(
    text: str, answer: Any, *, follow_up: bool, field: str = ""
) -> Iterator[FieldProblem]:
    """What is wrong with an answer; ``follow_up`` is whether it has to guide the student."""
    kind = answer.get("kind") if isinstance(answer, dict) else None
    at = f"{field}." if field else ""
    if kind not in (SPAN, NONE):
        yield FieldProblem(f"{at}kind", "Mark the answer in the section, or say that it has none.")
        return
    if kind == SPAN:
        problem = span_problem(answer.get("start"), answer.get("end"), text)
        if problem is None:
            tokens = len(TOKEN.findall(text[answer["start"] : answer["end"]]))
            if tokens > MOST_TOKENS:
                problem = f"This has {tokens} words and signs; at most {MOST_TOKENS} are allowed."
        if problem:
            yield FieldProblem(f"{at}span", problem)
    if answer.get("yesno") not in list(YesNo):
        yield FieldProblem(f"{at}yesno", "Say whether the answer is yes, no, or neither.")
    if follow_up and answer.get("followup") not in list(FollowUp):
        yield FieldProblem(f"{at}followup", "Say whether to ask further about this.")


def plain_answer(answer: Json, *, follow_up: bool) -> Json:
    """An answer that was checked, with its own fields and no others."""
    fields = ["kind", "yesno"]
    fields += ["followup"] if follow_up else []
    fields += ["start", "end"] if answer["kind"] == SPAN else []
    return {name: answer[name] for name in fields}


def shown_answer(text: str, answer: Json) -> Json:
    """What a student sees of an answer: its words and acts, and not where it stands."""
    acts: Json = {name: answer[name] for name in ("yesno", "followup") if name in answer}
    return {"kind": answer["kind"], "text": quoted(text, answer), **acts}


def quoted(text: str, answer: Json) -> str:
    """The words of an answer; empty where there is none."""
    return "" if answer["kind"] == NONE else text[answer["start"] : answer["end"]]


def answers_agree(text: str, one: Json, other: Json) -> float:
    """How far two answers say the same: F1 of their words; none agrees with none alone."""
    if NONE in (one["kind"], other["kind"]):
        return float(one["kind"] == other["kind"])
    return overlap(normalise(quoted(text, one)), normalise(quoted(text, other))).f1


QUESTIONS = (
    "What is the section about?",
    "What happened first?",
    "When was that?",
    "Who else took part in it?",
    "What happened after that?",
    "Where did it take place?",
    "Was it a success?",
    "What did others think of it?",
    "Did anything go wrong?",
    "How did it end?",
    "What is it remembered for?",
    "Are there any other interesting aspects?",
)


def simulated_question(payload: Json, asked: int) -> str:
    """The next of a few questions that can be asked of any section."""
    return QUESTIONS[asked % len(QUESTIONS)]


def simulated_answer(payload: Json, question: str) -> Json:
    """The sentence that shares most words with the question, or none where none shares any."""
    text = payload["text"]
    wanted = _words(question)
    best, most = None, 0
    for start, end in payload["sentences"]:
        shared = len(wanted & _words(text[start:end]))
        if shared > most:
            best, most = (start, end), shared
    if best is None:
        return {"kind": NONE, "yesno": "x", "followup": "m"}
    start, end = _cut(text, *best)
    return {"kind": SPAN, "start": start, "end": end, "yesno": "x", "followup": "m"}


def _words(text: str) -> set[str]:
    return {word.lower() for word in WORD_RUN.findall(text)} - STOP_WORDS


def _cut(text: str, start: int, end: int) -> tuple[int, int]:
    """As much of a sentence as an answer may have."""
    tokens = list(TOKEN.finditer(text, start, end))[:MOST_TOKENS]
    return tokens[0].start(), tokens[-1].end()


# Questions of a dialog to be answered one by one: validation, and the test of both tasks.
#
# An answer that was given is final; then the next question is shown and, of a real dialog, before
# it the teacher's own answer, so that it makes sense.


ANSWERING = "answering"
"""The kind of an item whose questions are answered."""
NO_DIALOG = 0
"""What stands for the number of a dialog in the test, which nobody has held."""


class AnsweringSteps:
    """What both tasks have in common; a ``SteppedTask``."""

    def steps(self, payload: Json) -> int:
        """One for each question."""
        return len(payload.get("questions", ()))

    def step(self, payload: Json, number: int) -> Json:
        """The question."""
        return {"question": payload["questions"][number]["text"]}

    def step_problems(self, payload: Json, number: int, answer: Any) -> Sequence[FieldProblem]:
        """A span or none, and whether that affirms."""
        return list(answer_problems(payload["text"], answer, follow_up=False))

    def plain_step(self, answer: Json) -> Json:
        """Its own fields."""
        return plain_answer(answer, follow_up=False)

    def after_step(self, payload: Json, number: int) -> Json:
        """The teacher's answer; of the test nothing: both tasks have the same, and it is retold."""
        if payload["dialog"] == NO_DIALOG:
            return {}
        return {"given": shown_answer(payload["text"], payload["questions"][number]["given"])}

    def stepped_work(self, answers: Sequence[Json]) -> Json:
        """All answers."""
        return {"answers": list(answers)}


def shown_section(payload: Json) -> Json:
    """The section; the questions come one by one."""
    names = ("kind", "title", "section", "background", "text", "sentences")
    return {**{name: payload[name] for name in names}, "questions": len(payload["questions"])}


def set_problems(payload: Json, work: Any) -> list[FieldProblem]:
    """What is wrong with a whole set of answers."""
    answers = work.get("answers") if isinstance(work, dict) else None
    wanted = len(payload["questions"])
    if not isinstance(answers, list) or len(answers) != wanted:
        return [FieldProblem("answers", f"Answer all {wanted} questions, one after another.")]
    return [
        problem
        for number, answer in enumerate(answers)
        for problem in answer_problems(
            payload["text"], answer, follow_up=False, field=f"answers.{number}"
        )
    ]


def sets_agree(payload: Json, work: Json, other: Json) -> float:
    """How far two sets of answers agree."""
    pairs = zip(work["answers"], other["answers"], strict=True)
    return fmean(answers_agree(payload["text"], *pair) for pair in pairs)


BACKGROUND = (
    "Ada Fenn (1851–1929) was an engineer of bridges and lighthouses. She built Marl Point Light."
)
TEXT = (
    "Fenn was born in Lowick as the daughter of a mason. She was not allowed to study, and learned "
    "her trade in the drawing office of Holm Bridge. Her first own work was a breakwater at Sell, "
    "which a storm destroyed within a year. She moved to Tarrick in 1884, where the quarries gave "
    "her work. There she drew the plans of Marl Point Light. The light was lit in 1887 and stands "
    "to this day."
)
ASKED: tuple[tuple[str, str, str, str], ...] = (
    ("Where was she born?", "Lowick", "x", "m"),
    ("Did she study?", "She was not allowed to study", "n", "y"),
    ("Whom did she marry?", "", "x", "n"),
    ("What was her first work?", "a breakwater at Sell", "x", "y"),
    ("What became of it?", "a storm destroyed within a year", "x", "n"),
    ("Is her lighthouse still there?", "stands to this day", "y", "n"),
)
"""Question, answer, whether it affirms, and whether to go on about it."""


def trial_items() -> tuple[NewItem, ...]:
    """The test."""
    answers = [_answer(*rest) for _, *rest in ASKED]
    sentences, start = [], 0
    for part in TEXT.split(". "):
        sentences.append([start, min(start + len(part) + 1, len(TEXT))])
        start += len(part) + 2
    payload: Json = {
        "kind": ANSWERING,
        "dialog": NO_DIALOG,
        "title": "Ada Fenn",
        "section": "Life and work",
        "background": BACKGROUND,
        "text": TEXT,
        "sentences": sentences,
        "questions": [
            {"id": f"trial-{number}", "text": text} for number, (text, *_) in enumerate(ASKED)
        ],
    }
    return (NewItem("trial", payload, gold={"answers": answers}),)


def _answer(words: str, yes_no: str, follow_up: str) -> Json:
    acts = {"yesno": yes_no, "followup": follow_up}
    if not words:
        return {"kind": NONE, **acts}
    start = TEXT.index(words)
    return {"kind": SPAN, "start": start, "end": start + len(words), **acts}


TASK, VALIDATION = "quac-dialogs", "quac-validation"
LONGEST_QUESTION = 300
SEEN_BY_STUDENT = ("title", "section", "background")
SEEN_BY_TEACHER = (*SEEN_BY_STUDENT, "text", "sentences")


class QuACDialogs(AnsweringSteps, DeclaredTask):
    """A ``LiveTask``; its test is answered alone, step by step."""

    name = TASK
    title = "Talk about a section"
    instructions = "quac-dialogs"
    form = "quac-dialogs"
    knobs = OPTIONS
    settings = TaskSettings(pay_cents=33, minutes=120, inspect_first=0, more=defaults(OPTIONS))

    def together(self, more: Json) -> Iterable[tuple[str, str]]:
        """A dialog must be able to end as it has to."""
        yield from shares_problem(more)
        if more["fewest_pairs"] > more["most_pairs"]:
            yield "fewest_pairs", "No dialog has that many pairs."
        if more["idle_end_seconds"] <= more["idle_warning_seconds"]:
            yield "idle_end_seconds", "The end has to come after the warning."

    def make_items(
        self, corpus: Store, settings: TaskSettings, random: Random
    ) -> Iterable[NewItem]:
        """Sections with the paper's filters."""
        return section_items(corpus, set_to(settings, OPTIONS))

    def qualification(self, settings: TaskSettings) -> Sequence[NewItem]:
        """Questions to be answered as a teacher does."""
        return trial_items()

    def follow_up(self, finished: FinishedWork, settings: TaskSettings) -> ItemsByTask:
        """Evaluation dialogs are answered by others again, never by who held them."""
        work = finished.work
        is_ours = work.get("role") == DialogRole.TEACHER and not work.get("simulated")
        if finished.split in ("", TRAIN) or not is_ours:
            return {}
        payload = {
            **finished.payload,
            "kind": ANSWERING,
            "dialog": work["dialog"],
            "questions": [
                {
                    "id": f"{work['dialog']}-{number}",
                    "text": turn["question"],
                    "given": turn["answer"],
                }
                for number, turn in enumerate(work["turns"])
            ],
        }
        item = NewItem(
            f"dialog-{work['dialog']}",
            payload,
            copies=set_to(settings, OPTIONS)["validators"],
            split=finished.split,
            not_for=tuple(work["people"]),
        )
        return {VALIDATION: [item]}

    def shown(self, payload: Json, settings: TaskSettings) -> Json:
        """Of a section, what both may see; of the test, the section without its questions."""
        if payload["kind"] == ANSWERING:
            return shown_section(payload)
        return {"kind": SECTION, **self.seen_by(payload, DialogRole.STUDENT)}

    def check(self, payload: Json, work: Json, settings: TaskSettings) -> Sequence[FieldProblem]:
        """The test alone is handed in; a dialog is written down while it is held."""
        if payload["kind"] == ANSWERING:
            return set_problems(payload, work)
        return [FieldProblem("dialog", "A dialog stays as its two people have held it.")]

    def score(self, payload: Json, work: Json, gold: Json) -> float:
        """How far the answers of the test agree with ours; no two dialogs compare."""
        if payload["kind"] != ANSWERING:
            return float(work == gold)
        return sets_agree(payload, work, gold)

    def pay_for(self, work: Json, settings: TaskSettings) -> int:
        """For what was said."""
        return self.pay_for_pairs(len(work["turns"]), settings)

    def rules(self, settings: TaskSettings) -> DialogRules:
        """When dialogs begin and end."""
        return rules_of(settings)

    def seen_by(self, payload: Json, role: DialogRole) -> Json:
        """The section's text is for the teacher alone."""
        names = SEEN_BY_TEACHER if role is DialogRole.TEACHER else SEEN_BY_STUDENT
        return {name: payload[name] for name in names}

    def question_problems(self, question: Any) -> Sequence[FieldProblem]:
        """A line of text."""
        problem = text_problem(question, "a question", LONGEST_QUESTION)
        return [FieldProblem("question", problem)] if problem else []

    def answer_problems(self, payload: Json, answer: Any) -> Sequence[FieldProblem]:
        """A span of the section or none, and both acts."""
        return list(answer_problems(payload["text"], answer, follow_up=True))

    def plain_answer(self, answer: Json) -> Json:
        """Its own fields."""
        return plain_answer(answer, follow_up=True)

    def answer_seen_by(self, payload: Json, answer: Json, role: DialogRole) -> Json:
        """Words and acts; the teacher sees where it stands, too."""
        shown = shown_answer(payload["text"], answer)
        if role is DialogRole.TEACHER and "start" in answer:
            shown |= {"start": answer["start"], "end": answer["end"]}
        return shown

    def is_no_answer(self, answer: Json) -> bool:
        """Whether the section does not tell."""
        return bool(answer["kind"] == NONE)

    def pay_for_pairs(self, pairs: int, settings: TaskSettings) -> int:
        """Each pair brings more than the one before; over a whole dialog ``pay_cents`` on average.

        >>> QuACDialogs().pay_for_pairs(12, QuACDialogs.settings)
        396
        >>> [QuACDialogs().pay_for_pairs(pairs, QuACDialogs.settings) for pairs in (1, 2, 3)]
        [22, 46, 72]
        """
        options = set_to(settings, OPTIONS)
        middle: float = (options["most_pairs"] + 1) / 2
        growth: int = options["pay_growth_cents"]
        each = (settings.pay_cents + growth * (number - middle) for number in range(1, pairs + 1))
        return max(0, round(sum(each)))

    def simulated_question(self, payload: Json, pairs: Sequence[tuple[str, Json]]) -> str:
        """Ask without having read anything but what a student sees."""
        return simulated_question(payload, len(pairs))

    def simulated_answer(self, payload: Json, question: str) -> Json:
        """Answer by the words of the question."""
        return simulated_answer(payload, question)


class QuACValidation(AnsweringSteps, DeclaredTask):
    """Its items are the dialogs of dev and test."""

    name = VALIDATION
    title = "Answer the questions of a dialog"
    instructions = "quac-validation"
    form = "quac-answers"
    look_at = TASK
    settings = TaskSettings(pay_cents=150, minutes=120, inspect_first=0)

    def qualification(self, settings: TaskSettings) -> Sequence[NewItem]:
        """The same as for the dialog."""
        return trial_items()

    def shown(self, payload: Json, settings: TaskSettings) -> Json:
        """The section; questions and the teacher's answers come one by one."""
        return shown_section(payload)

    def check(self, payload: Json, work: Json, settings: TaskSettings) -> Sequence[FieldProblem]:
        """Every question is answered."""
        return set_problems(payload, work)

    def alike(self, payload: Json, work: Json, other: Json) -> float:
        """How far two people's answers agree."""
        return sets_agree(payload, work, other)
