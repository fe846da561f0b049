"""KGD's two rounds: which facts bear on a question, and what gap they leave."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import islice
from pathlib import Path
from random import Random
from statistics import fmean
from typing import Any

from lacuna.corpus.store import Store
from lacuna.datasets import get_dataset
from lacuna.datasets.base import Item, official_id, under_id
from lacuna.datasets.openbookqa import (
    FACT,
    FACT_NAME,
    KGD_FACT,
    id_with_fact,
    is_short,
    right_choice,
)
from lacuna.errors import LacunaError
from lacuna.metrics.statistics import nominal_alpha
from lacuna.models.gapqa.relations import DIRECTIONS, PLACES, WORDS, Direction
from lacuna.retrieve.bm25 import Bm25Weights, idf, term_weight
from lacuna.text import content_stems, sameness_key
from lacuna.types import Answer, Choice, Evidence, Gold, Question, Role, Span
from lacuna_collect.tasks.iirc_questions import span_problem, text_problem
from lacuna_collect.tasks.task import (
    Bounded,
    CollectTask,
    DeclaredTask,
    FieldProblem,
    FinishedWork,
    Json,
    Knobs,
    NewItem,
    OneOf,
    SettingsByTask,
    TaskSettings,
    Text,
    WorksByTask,
    by_item,
    defaults,
    key_of,
    pairs,
    set_to,
)


def label_of(direction: Direction) -> str:
    """A relation as KGD's files write it.

    >>> from lacuna.models.gapqa.relations import Relation
    >>> label_of(Direction(Relation.MADE_OF, inverse=True))
    'madeof-1'
    """
    return f"{direction.relation.replace(' ', '')}{'-1' if direction.inverse else ''}"


BY_LABEL = {label_of(direction): direction for direction in DIRECTIONS}
"""All seventeen: nine relations, and the inverse of each but the last."""
STATEMENTS: list[Json] = [
    {"name": label, "words": WORDS[direction.relation], "inverse": direction.inverse}
    for label, direction in BY_LABEL.items()
]
"""A statement runs from the key term to the choice, an inverse one from the choice to the term."""
PLACE_WORDS = sorted(PLACES)
"""Words before which "is found in" becomes "is found": the place says how itself."""


# What a requester can set of KGD's two rounds.
#
# The defaults are the paper's where it has one, but for ``agree``: the paper keeps what two people
# ``found``, and here they must have found the same.


SAME, FOUND = "same", "found"
"""When two people agree about a gap: they mark words in common and tick a relation in common, or
each of them has found some words and some relation."""

FACTS: Knobs = {
    "train_file": Text(),
    "dev_file": Text(),
    "test_file": Text(),
    "facts_file": Text(),
    "only_short": OneOf(("yes", "no")),
    "facts_per_question": Bounded(5, 1, 50),
    "questions": Bounded(0, 0, 10**6),
    "people": Bounded(3, 1, 9),
    "enough": Bounded(2, 1, 9),
}
"""``questions`` of each file are taken, 0 for all; ``enough`` of the ``people`` must agree."""
GAPS: Knobs = {
    "people": Bounded(3, 1, 9),
    "enough": Bounded(2, 1, 9),
    "agree": OneOf((SAME, FOUND)),
}
FILES = {"train": "train_file", "dev": "dev_file", "test": "test_file"}
"""The settings that name the questions of each split."""


class KGDTask(DeclaredTask):
    """What both rounds have in common: of so many people, enough must agree."""

    def together(self, more: Json) -> Iterable[tuple[str, str]]:
        """No more can agree than there are."""
        if more["enough"] > more["people"]:
            yield "enough", "There are not that many people."


WEIGHTS = Bm25Weights()


class FactSearch:
    """A book of facts, searched by the stems of their words.

    >>> book = FactSearch(["iron rusts", "bees carry pollen"])
    >>> book.search("What rusts in the rain?", 5)
    ['iron rusts']
    """

    def __init__(self, facts: Iterable[str]) -> None:
        self._facts = list({sameness_key(fact): fact for fact in facts}.values())
        stems = [Counter(content_stems(fact)) for fact in self._facts]
        self._lengths = [counts.total() for counts in stems]
        self._average = sum(self._lengths) / len(stems) if stems else 1.0
        self._holding: dict[str, list[tuple[int, int]]] = defaultdict(list)
        for number, counts in enumerate(stems):
            for stem, count in counts.items():
                self._holding[stem].append((number, count))

    def search(self, query: str, k: int) -> list[str]:
        """The best facts by BM25, the best first; none that shares nothing with the query."""
        scores: dict[int, float] = defaultdict(float)
        for stem in dict.fromkeys(content_stems(query)):
            holding = self._holding.get(stem, ())
            rarity = idf(len(self._facts), len(holding))
            for number, count in holding:
                length = self._lengths[number]
                scores[number] += term_weight(count, length, self._average, WEIGHTS, idf=rarity)
        ranked = sorted(scores, key=lambda number: (-scores[number], number))
        return [self._facts[number] for number in ranked[:k]]


def candidate_facts(question: Question, book: FactSearch, k: int) -> list[str]:
    """The core fact and what the book has beside it, as far as they leave a gap."""
    found = ([question.fact] if question.fact else []) + book.search(question.text, 4 * k)
    different = {sameness_key(fact): fact for fact in reversed(found)}
    facts = sorted(different.values(), key=found.index)
    return [fact for fact in facts if leaves_gap(fact, question)][:k]


def leaves_gap(fact: str, question: Question) -> bool:
    """Whether a fact does not give the answer away (appendix A).

    It shares no word with the right choice, or words with several of the choices.
    """
    said = set(content_stems(fact))
    sharing = [
        number
        for number, choice in enumerate(question.choices)
        if not said.isdisjoint(content_stems(choice.text))
    ]
    return sharing != [right_choice(question)]


def fact_items(more: Json) -> Iterator[NewItem]:
    """An item for each question that has facts which leave a gap; the splits are the files'."""
    files = {split: Path(more[name]) for split, name in FILES.items() if more[name]}
    if not files:
        raise LacunaError(
            "KGD's questions are OpenBookQA's. Name at least one file of them, such as "
            "--set train_file=train_complete.jsonl, and the facts with --set facts_file=FILE."
        )
    questions = {split: _chosen(file, more) for split, file in files.items()}
    given = Path(more["facts_file"]) if more["facts_file"] else None
    if given is None:
        core = [one.fact for some in questions.values() for one in some if one.fact]
    else:
        core = _facts(given)
    book = FactSearch(core)
    for split, some in questions.items():
        for question in islice(some, more["questions"] or None):
            facts = candidate_facts(question, book, more["facts_per_question"])
            if facts:
                key = key_of(split, official_id(question))
                yield NewItem(key, _payload(question, facts), more["people"], split)


def _chosen(path: Path, more: Json) -> list[Question]:
    """The questions that can be annotated, each once."""
    with get_dataset("openbookqa").open(path) as reader:
        known = [question for question in reader.questions() if right_choice(question) >= 0]
    if more["only_short"] == "yes":
        known = [question for question in known if is_short(question)]
    if not known:
        raise LacunaError(
            f"{path} has no question that can be annotated: it takes a right choice and, unless "
            "you --set only_short=no, choices of two words at most."
        )
    return list({official_id(question): question for question in known}.values())


def _facts(path: Path) -> list[str]:
    with get_dataset("openbookqa").open(path) as reader:
        blocks = [block for item in reader for block in item.blocks]
    facts = [block.document.text for block in blocks if block.document is not None]
    facts += [each.fact for block in blocks for each in block.questions if each.fact]
    if not facts:
        raise LacunaError(f"{path} has no facts. Give a text file with a fact on each line.")
    return facts


def _payload(question: Question, facts: list[str]) -> Json:
    assert question.gold is not None
    return {
        "id": official_id(question),
        "question": question.text,
        "choices": [choice._asdict() for choice in question.choices],
        "answer": question.gold.answers[0].label,
        "facts": facts,
    }


FIELD = "judgements"


def verdict_problems(payload: Json, work: Any) -> Iterator[FieldProblem]:
    """What is missing or wrong; the work may be anything that JSON can say."""
    given = work.get(FIELD, []) if isinstance(work, dict) else None
    if not isinstance(given, list) or len(given) > len(payload["facts"]):
        yield FieldProblem(FIELD, "Say of every fact whether it helps.")
        return
    for number in range(len(payload["facts"])):
        verdict = given[number] if number < len(given) else {}
        relevant = verdict.get("relevant") if isinstance(verdict, dict) else None
        if type(relevant) is not bool:
            yield FieldProblem(f"{FIELD}.{number}.relevant", "Say whether this fact helps.")
        elif relevant and type(verdict.get("unique")) is not bool:
            told = "Say whether it points to one answer alone."
            yield FieldProblem(f"{FIELD}.{number}.unique", told)


def verdicts(work: Json) -> list[str]:
    """Each fact's verdict in a word: ``no``, ``relevant``, or ``unique``, which is both."""
    return [
        ("unique" if verdict["unique"] else "relevant") if verdict["relevant"] else "no"
        for verdict in work[FIELD]
    ]


def same_verdicts(one: Json, other: Json) -> float:
    """The share of facts of which two people say the same."""
    pairs = list(zip(verdicts(one), verdicts(other), strict=True))
    return sum(first == second for first, second in pairs) / len(pairs)


def judged_facts(works: Sequence[FinishedWork]) -> Iterator[tuple[str, list[str]]]:
    """Each fact of an item with what everybody says of it."""
    for number, fact in enumerate(works[0].payload["facts"]):
        yield fact, [verdicts(work.work)[number] for work in works]


def kept_pairs(finished: Iterable[FinishedWork], enough: int) -> list[Json]:
    """A question with each fact that enough people found both relevant and unique."""
    pairs = []
    for works in by_item(finished).values():
        asked = {name: value for name, value in works[0].payload.items() if name != "facts"}
        for fact, said in judged_facts(works):
            if said.count("unique") >= enough:
                pairs.append({**asked, "fact": fact, "split": works[0].split})
    return pairs


FIELDS = frozenset({"span", "term", "relations", "other"})
LONGEST = 200


def gap_problems(payload: Json, work: Any) -> Iterator[FieldProblem]:
    """What is missing or wrong; the work may be anything that JSON can say.

    ``span`` are the words of the fact, as ``[start, end]``; where no words of it that stand
    together will do, ``term`` has others. ``relations`` are those of the list that were ticked,
    ``other`` is a relation in words, for where none of them holds.
    """
    if not isinstance(work, dict) or not work.keys() <= FIELDS:
        yield FieldProblem("", "This is not a key term with its relations.")
        return
    span, term = work.get("span"), work.get("term")
    if span is None and not term:
        yield FieldProblem("span", "Mark the words of the fact that could answer the question.")
    elif span is not None and term:
        yield FieldProblem("span", "Mark words of the fact, or write others; not both.")
    elif span is None:
        if problem := text_problem(term, "the key term", LONGEST):
            yield FieldProblem("term", problem)
    elif problem := _span_problem(span, payload["fact"]):
        yield FieldProblem("span", problem)
    yield from _relation_problems(work.get("relations", []), work.get("other", ""))


def _span_problem(span: Any, fact: str) -> str | None:
    if not isinstance(span, list) or len(span) != 2:
        return "A marked place has a beginning and an end. Mark it again."
    return span_problem(span[0], span[1], fact)


def _relation_problems(relations: Any, other: Any) -> Iterator[FieldProblem]:
    if not isinstance(relations, list) or not all(
        isinstance(name, str) and name in BY_LABEL for name in relations
    ):
        yield FieldProblem("relations", "Tick statements of the list.")
    elif len(set(relations)) < len(relations):
        yield FieldProblem("relations", "Tick each statement once.")
    elif not relations and not other:
        yield FieldProblem("relations", "Tick what is true, or write a relation of your own.")
    elif relations and other:
        yield FieldProblem("other", "This is only for where nothing on the list is true.")
    elif not relations and (problem := text_problem(other, "the relation", LONGEST)):
        yield FieldProblem("other", problem)


def marked(work: Json) -> Span | None:
    """The words of the fact that a person marked, if they stand together."""
    return Span(*work["span"]) if work.get("span") is not None else None


def listed(work: Json) -> list[str]:
    """The relations of the list that a person ticked."""
    return list(work.get("relations", []))


def is_usable(work: Json) -> bool:
    """Whether it has words of the fact, and a relation of the list."""
    return marked(work) is not None and bool(listed(work))


def overlap(one: Json, other: Json) -> bool:
    """Whether two people mark words in common."""
    first, second = marked(one), marked(other)
    if first is None or second is None:
        return False
    return first.start < second.end and second.start < first.end


def gap_score(one: Json, other: Json) -> float:
    """How far two people describe the same gap, from 0 to 1."""
    mine, theirs = set(listed(one)), set(listed(other))
    common = len(mine & theirs)
    relations = 2 * common / (len(mine) + len(theirs)) if common else 0.0
    return (float(overlap(one, other)) + relations) / 2


MAGNET = ("Which of these would a magnet pull?", ("scarf", "steel nail", "glass bead", "oar"), "B")
SEAL = ("What keeps a seal warm in icy water?", ("whiskers", "flippers", "claws", "blubber"), "D")
FISHING = ("Where could you catch a fish?", ("a lake", "a desert", "a barn", "an attic"), "A")
PUDDLE = ("What can make a puddle vanish?", ("moonlight", "music", "sunshine", "a shadow"), "C")
Asked = tuple[str, tuple[str, ...], str]

JUDGED: tuple[tuple[Asked, tuple[tuple[str, str], ...]], ...] = (
    (
        MAGNET,
        (
            ("a magnet pulls iron", "unique"),
            ("a magnet pulls some materials and leaves others where they are", "relevant"),
            ("wool keeps the warmth of a body in", "no"),
            ("only things with iron in them stick to a magnet", "unique"),
        ),
    ),
    (
        SEAL,
        (
            ("fat keeps the heat inside the body of an animal", "unique"),
            ("the bodies of animals are made for where they live", "relevant"),
            ("a fish breathes through its gills", "no"),
        ),
    ),
)
MARKED: tuple[tuple[Asked, str, str, tuple[str, ...]], ...] = (
    (MAGNET, "a magnet pulls iron", "iron", ("madeof-1",)),
    (SEAL, "fat keeps the heat inside the body of an animal", "fat", ("isa-1",)),
    (FISHING, "fish live in water", "water", ("locatedin",)),
    (PUDDLE, "evaporation makes a liquid vanish", "evaporation", ("causes-1",)),
)


def fact_trial() -> Sequence[NewItem]:
    """Round 1's: facts that help, that help only a little, and that do not."""
    return [
        NewItem(
            f"test-facts-{number}",
            {**_asked(asked), "facts": [fact for fact, _ in facts]},
            gold={"judgements": [_verdict(verdict) for _, verdict in facts]},
        )
        for number, (asked, facts) in enumerate(JUDGED, 1)
    ]


def gap_trial() -> Sequence[NewItem]:
    """Round 2's: a key term and a relation each."""
    return [
        NewItem(
            f"test-gaps-{number}",
            {**_asked(asked), "fact": fact},
            gold={
                "span": [fact.index(term), fact.index(term) + len(term)],
                "relations": list(relations),
            },
        )
        for number, (asked, fact, term, relations) in enumerate(MARKED, 1)
    ]


def _asked(asked: Asked) -> Json:
    question, choices, answer = asked
    labelled = zip("ABCD", choices, strict=True)
    return {
        "question": question,
        "choices": [{"label": label, "text": text} for label, text in labelled],
        "answer": answer,
    }


def _verdict(verdict: str) -> Json:
    return {"relevant": verdict != "no", "unique": verdict == "unique"}


class KGDFacts(KGDTask):
    """Fact relevance (appendix A). The paper does not say what it paid; the default is ours."""

    name = "kgd-facts"
    title = "Which facts help?"
    instructions = "kgd-facts"
    form = "kgd-facts"
    knobs = FACTS
    shown_fields = ("question", "choices", "facts")  # not which choice is right
    settings = TaskSettings(pay_cents=15, minutes=30, inspect_first=0, more=defaults(FACTS))

    def make_items(
        self, corpus: Store, settings: TaskSettings, random: Random
    ) -> Iterable[NewItem]:
        """A question with the facts that were found for it; the corpus has no part in it."""
        return fact_items(set_to(settings, FACTS))

    def qualification(self, settings: TaskSettings) -> Sequence[NewItem]:
        """Two questions of ours."""
        return fact_trial()

    def check(self, payload: Json, work: Json, settings: TaskSettings) -> Sequence[FieldProblem]:
        """Every fact needs a verdict."""
        return list(verdict_problems(payload, work))

    def alike(self, payload: Json, work: Json, other: Json) -> float:
        """The share of facts that are judged alike."""
        return same_verdicts(work, other)

    def settle(
        self, finished: Sequence[FinishedWork], settings: TaskSettings
    ) -> Mapping[str, Json]:
        """The pairs of a question and a fact that enough people found relevant and unique."""
        enough = set_to(settings, FACTS)["enough"]
        return {"kgd-gaps": {"pairs": kept_pairs(finished, enough)}}


class KGDGaps(KGDTask):
    """The knowledge gap (appendix A).

    Its items are the pairs that round 1 has settled on, drawn when somebody asks for one.
    """

    name = "kgd-gaps"
    title = "What is missing between fact and answer?"
    instructions = "kgd-gaps"
    form = "kgd-gaps"
    knobs = GAPS
    shown_fields = ("question", "choices", "answer", "fact")
    settings = TaskSettings(pay_cents=20, minutes=30, inspect_first=1, more=defaults(GAPS))

    def draw_item(
        self, corpus: Store, settings: TaskSettings, random: Random, taken: frozenset[str]
    ) -> NewItem | None:
        """The first pair that is not there yet; None where round 1 has settled on no more."""
        people = set_to(settings, GAPS)["people"]
        for pair in settings.more.get("pairs", ()):
            key = key_of(pair["split"], pair["id"], pair["fact"])
            if key not in taken:
                return NewItem(key, pair, people, pair["split"])
        return None

    def qualification(self, settings: TaskSettings) -> Sequence[NewItem]:
        """Gaps of ours."""
        return gap_trial()

    def shown(self, payload: Json, settings: TaskSettings) -> Json:
        """The question, the right choice, the fact, and what the statements are made of."""
        shown = super().shown(payload, settings)
        return {**shown, "statements": STATEMENTS, "place_words": PLACE_WORDS}

    def check(self, payload: Json, work: Json, settings: TaskSettings) -> Sequence[FieldProblem]:
        """There is a key term, and a relation."""
        return list(gap_problems(payload, work))

    def alike(self, payload: Json, work: Json, other: Json) -> float:
        """Half for words in common, half for relations in common."""
        return gap_score(work, other)


@dataclass(frozen=True, slots=True)
class CollectedGap:
    """A question with a fact, and the descriptions of the gap between them that count."""

    split: str
    payload: Json
    works: tuple[Json, ...]
    left_out: str | None
    """Why it is not kept, or None."""

    def question(self) -> Question:
        """As KGD has it: everybody's spans once, the relations as often as they were ticked."""
        fact = self.payload["fact"]
        choices = tuple(Choice(one["label"], one["text"]) for one in self.payload["choices"])
        right = next(choice for choice in choices if choice.label == self.payload["answer"])
        spans = dict.fromkeys(span for work in self.works if (span := marked(work)))
        question = Question(
            self.payload["id"],
            self.payload["question"],
            choices=choices,
            fact=fact,
            gold=Gold(
                (Answer.choice(right.label, right.text),),
                evidence=tuple(Evidence(FACT, *span, Role.KEY_SPAN) for span in spans),
                relations=tuple(name for work in self.works for name in listed(work)),
            ),
            extra={FACT_NAME: KGD_FACT, "answer_starts": [span.start for span in spans]},
        )
        return under_id(question, id_with_fact(question))


def collected_gaps(finished: Iterable[FinishedWork], more: Json) -> list[CollectedGap]:
    """All pairs of a question and a fact that somebody described the gap of."""
    return [_gap(works, more) for works in by_item(finished).values()]


def _gap(works: Sequence[FinishedWork], more: Json) -> CollectedGap:
    payload = works[0].payload
    sound = [work.work for work in works if not list(gap_problems(payload, work.work))]
    usable = [work for work in sound if is_usable(work)]
    agreeing = usable if more["agree"] == FOUND else _agreeing(usable, more["enough"])
    why = None
    if len(agreeing) < more["enough"]:
        why = _why(len(works), len(usable), more)
    return CollectedGap(works[0].split, payload, tuple(agreeing), why)


def _agreeing(usable: Sequence[Json], enough: int) -> list[Json]:
    """The descriptions that share words and a relation with so many, themselves included."""
    return [
        one
        for one in usable
        if sum(
            overlap(one, other) and not set(listed(one)).isdisjoint(listed(other))
            for other in usable
        )
        >= enough
    ]


def _why(works: int, usable: int, more: Json) -> str:
    if works < more["people"]:
        return "not described by enough people yet"
    if usable < more["enough"]:
        return "too few found words of the fact and a relation of the list"
    return "no two people agree on words and a relation"


def write_gaps(gaps: Sequence[CollectedGap], out: Path) -> Mapping[str, Json]:
    """Write a file for each split that has any, and say how much is in it."""
    written = {}
    for split in FILES:
        kept = [gap.question() for gap in gaps if gap.split == split and gap.left_out is None]
        if kept:
            kept.sort(key=lambda question: question.id)
            get_dataset("openbookqa").write(out / f"{split}.jsonl", map(Item.of, kept))
            questions = len({question.id.split("#")[0] for question in kept})
            written[f"{split}.jsonl"] = {"questions": questions, "pairs": len(kept)}
    return written


def reasons(gaps: Sequence[CollectedGap]) -> dict[str, int]:
    """Why pairs were left out, and how many."""
    return dict(Counter(gap.left_out for gap in gaps if gap.left_out).most_common())


class KGDFamily:
    """KGD."""

    name = "kgd"
    dataset = "openbookqa"
    companions: tuple[str, ...] = ()
    tasks: Sequence[CollectTask] = (KGDFacts(), KGDGaps())

    def agreement(self, finished: WorksByTask) -> Json:
        """Of verdicts on facts, and of what is marked and ticked."""
        facts, gaps = finished.get(KGDFacts.name, ()), finished.get(KGDGaps.name, ())
        judged = [said for works in by_item(facts).values() for _, said in judged_facts(works)]
        return {
            KGDFacts.name: {
                "agreement": _mean(facts, same_verdicts),
                "alpha": nominal_alpha(judged),
            },
            KGDGaps.name: {
                "words_in_common": _mean(gaps, overlap),
                "a_relation_in_common": _mean(gaps, _shared),
            },
        }

    def export(
        self,
        finished: WorksByTask,
        corpus: Store,
        out: Path,
        settings: SettingsByTask | None = None,
    ) -> Json:
        """Write a file for each split in KGD's format; say what was left out, and why."""
        given = settings or {}
        more = set_to(given.get(KGDGaps.name, KGDGaps.settings), GAPS)
        enough = set_to(given.get(KGDFacts.name, KGDFacts.settings), FACTS)["enough"]
        facts = finished.get(KGDFacts.name, ())
        gaps = collected_gaps(finished.get(KGDGaps.name, ()), more)
        kept = {_name(pair) for pair in kept_pairs(facts, enough)}
        judged = sum(len(works[0].payload["facts"]) for works in by_item(facts).values())
        return {
            "written": write_gaps(gaps, out),
            "facts": {"judged": judged, "relevant_and_unique": len(kept)},
            "left_out": {
                "pairs": sum(gap.left_out is not None for gap in gaps),
                "reasons": reasons(gaps),
                "not_described_yet": len(kept - {_name(gap.payload) for gap in gaps}),
            },
        }


def _name(pair: Json) -> tuple[str, str]:
    """What tells a question with its fact from others."""
    return pair["id"], pair["fact"]


def _shared(one: Json, other: Json) -> bool:
    return not set(listed(one)).isdisjoint(listed(other))


def _mean(works: Sequence[FinishedWork], alike: Callable[[Json, Json], float]) -> float | None:
    """The mean over all two people who did the same item."""
    values = [alike(one.work, other.work) for one, other in pairs(works)]
    return fmean(values) if values else None


FAMILY = KGDFamily()
