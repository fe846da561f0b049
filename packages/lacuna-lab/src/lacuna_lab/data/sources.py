"""The sources of training questions that a recipe may name, and their files."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Collection, Iterable, Iterator
from dataclasses import dataclass, replace
from enum import StrEnum
from functools import lru_cache, partial
from hashlib import file_digest, sha256
from itertools import chain
from pathlib import Path
from typing import NamedTuple

from lacuna.answers import AnswerMode
from lacuna.datasets import get_dataset
from lacuna.datasets.fields import Fields
from lacuna.errors import BadField, LacunaError
from lacuna.files.json import JsonItems, Shape
from lacuna.files.opening import open_text
from lacuna.metrics.metric import normalise
from lacuna.types import Question, Role
from lacuna_lab.data import documents
from lacuna_lab.data import lines as boolq
from lacuna_lab.data import lines as qed
from lacuna_lab.data import lines as snli
from lacuna_lab.data import lines as squad_twins
from lacuna_lab.data import lines as strategyqa
from lacuna_lab.data import lines as synthetic
from lacuna_lab.data import lines as zre
from lacuna_lab.data.found import FILES as FOUND_FILES
from lacuna_lab.data.found import found_questions
from lacuna_lab.data.hotpotqa import GoldParagraphs
from lacuna_lab.data.iirc import iirc_questions, link_questions, openings_by_title, surrounded
from lacuna_lab.data.lines import (
    among_facts,
    among_sentences,
    opposite_claims,
    opposites,
    reworded,
    short_answers,
    twins,
)
from lacuna_lab.data.second_look import FILES as SECOND_LOOK_FILES
from lacuna_lab.data.second_look import second_looks
from lacuna_lab.data.strangers import (
    collection_files,
    strangers_questions,
    trained_collections,
)
from lacuna_lab.data.texts import WORD, as_found
from lacuna_lab.data.unanswerable import unanswerable_questions
from lacuna_lab.data.yes_no import balanced, yes_no_questions
from lacuna_lab.data.yes_no_both import both_questions

LineFormat = Callable[[Fields, int], Question]
"""From the object of a line, and the line's number, to its question."""

LINE_FORMATS: dict[str, LineFormat] = {
    "boolq": boolq.decode_boolq,
    "qed": qed.decode_qed,
    "snli": snli.decode_snli,
    "squad_twins": squad_twins.decode_squad_twins,
    "strategyqa": strategyqa.decode_strategyqa,
    "synthetic": synthetic.decode_synthetic,
    "zre": zre.decode_zre,
    "polarity": documents.decode_polarity,
    "flips": documents.decode_flip,
    "choices": documents.decode_choices,
    "timeqa": documents.decode_timeqa,
    "fairytaleqa": documents.decode_fairytale,
    "doqa": documents.decode_doqa,
    "qasper": documents.decode_qasper,
}
FILE_FORMATS = {
    "wtq": documents.read_tables,
    "tatqa": documents.read_reports,
    "covidqa": documents.read_covid,
}
"""The formats of files that are not a question a line."""


def read_lines(
    path: Path, decode: LineFormat, left_out: Counter[str], reason: str
) -> Iterator[Question]:
    """The questions of a file; broken lines are counted under the reason."""
    with open_text(path) as source:
        for raw in JsonItems(source, Shape.LINES):
            try:
                if raw.problem:
                    raise raw.problem
                question = decode(Fields(raw.value), raw.number)
            except BadField:
                left_out[reason] += 1
            else:
                yield question


# Which files of a data folder are trained on, and which are left for evaluation.
#
# A file may have its official name, as ``lacuna data fetch`` leaves it, or a shorter one, and may
# be gzipped under either.


BAD_ITEM = "a broken item"
ZIPPED = ".gz"


@dataclass(frozen=True, slots=True)
class DataFile:
    """A dataset's file by the names that it may have, relative to the data folder.

    ``dataset`` is a dataset of this project, or a format of ``line_files`` that is only trained on.
    ``distinctive`` is False where the same words are asked about many texts ("When was he born?"),
    so that equal words do not make two questions the same.
    """

    dataset: str
    names: tuple[str, ...]
    distinctive: bool = True
    official: bool = True
    """True if ``lacuna data fetch`` gets it."""

    def find(self, folder: Path) -> Path:
        """The file in a data folder; the first of its names counts."""
        if (path := self.find_optional(folder)) is not None:
            return path
        names = " or ".join(self.names)
        fetched = (
            f"`lacuna data fetch {self.dataset}` gets it, into the cache folder: give that as the "
            "data folder, or copy the file."
            if self.official
            else "It is not among the official files; leave out what needs it."
        )
        raise LacunaError(f"{folder} has no {names} (nor the same with {ZIPPED}). {fetched}")

    def find_optional(self, folder: Path) -> Path | None:
        """The file in a data folder, or None."""
        paths = (folder / f"{name}{end}" for name in self.names for end in ("", ZIPPED))
        return next((path for path in paths if path.is_file()), None)


TRAIN = {
    "squad1": DataFile("squad", ("squad/train-v1.1.json",)),
    "squad2": DataFile("squad", ("squad/train-v2.0.json",)),
    "hotpotqa": DataFile("hotpotqa", ("hotpotqa/train.json", "hotpotqa/hotpot_train_v1.1.json")),
    "hotpotqa_gold": DataFile("hotpotqa", ("hotpotqa/train_gold_only.jsonl",), official=False),
    "twowiki": DataFile("hotpotqa", ("2wikimultihopqa/train.json",), official=False),
    "iirc": DataFile("iirc", ("iirc/train_snippets.jsonl", "iirc/train.json")),
    "quac": DataFile("quac", ("quac/train.json", "quac/train_v0.2.json"), distinctive=False),
    "quac_acts": DataFile(
        "quac", ("quac/train_acts.json", "quac/train_v0.2.json"), distinctive=False
    ),
    "drop": DataFile("drop", ("drop/train.json", "drop/drop_dataset_train.json"), False),
    "openbookqa": DataFile("openbookqa", ("openbookqa/train_complete.jsonl",)),
    "boolq": DataFile("boolq", ("boolq/train.jsonl",), official=False),
    "qed": DataFile("qed", ("qed/train.jsonl",), official=False),
    "squad_twins": DataFile(
        "squad_twins", ("squad/train-v2.0-unanswerable.jsonl",), official=False
    ),
    "strategyqa": DataFile("strategyqa", ("strategyqa/train.jsonl",), official=False),
    "snli": DataFile("snli", ("nli/snli_train.jsonl",), official=False),
    "zre": DataFile("zre", ("zre/train.jsonl",), official=False),
    **{
        f"synthetic_{kind}": DataFile("synthetic", (f"synthetic/{kind}.jsonl",), official=False)
        for kind in ("fact", "list", "none", "yes", "no")
    },
    "polarity": DataFile("polarity", ("polarity/train.jsonl",), official=False),
    "flips": DataFile("flips", ("strands/flips.jsonl",), official=False),
    "tables": DataFile("wtq", ("tables/wtq_training.jsonl",), official=False),
    "tatqa_dev": DataFile("tatqa", ("tables/tatqa_dev.jsonl",), official=False),
    "tatqa_test": DataFile("tatqa", ("tables/tatqa_test_gold.jsonl",), official=False),
    **{
        name: DataFile("choices", (f"choices/{name}_train.jsonl",), official=False)
        for name in ("csqa", "arc_easy", "arc_challenge")
    },
    **{
        f"timeqa_{kind}": DataFile("timeqa", (f"timeqa/human_train_{kind}.jsonl",), official=False)
        for kind in ("easy", "hard")
    },
    "fairytaleqa": DataFile("fairytaleqa", ("documents/fairytaleqa.jsonl",), official=False),
    "covidqa": DataFile("covidqa", ("documents/covidqa_april2020.jsonl",), official=False),
    "qasper": DataFile(
        "qasper", ("documents/task460_qasper_answer_generation.jsonl",), official=False
    ),
    **{
        f"doqa_{number}": DataFile(
            "doqa", (f"documents/task{number}_doqa_{of}.jsonl",), False, False
        )
        for number, of in (
            (1439, "cooking_isanswerable"),
            (1442, "movies_isanswerable"),
        )
    },
}
DEV = {
    "squad1": DataFile("squad", ("squad/dev-v1.1.json",)),
    "squad2": DataFile("squad", ("squad/dev-v2.0.json",)),
    "hotpotqa": DataFile(
        "hotpotqa", ("hotpotqa/dev.json", "hotpotqa/hotpot_dev_distractor_v1.json")
    ),
    "iirc": DataFile("iirc", ("iirc/dev.json",)),
    "quac": DataFile("quac", ("quac/dev.json", "quac/val_v0.2.json"), distinctive=False),
    "quac_acts": DataFile("quac", ("quac/dev_acts.json", "quac/val_v0.2.json"), distinctive=False),
    "drop": DataFile("drop", ("drop/dev.json", "drop/drop_dataset_dev.json"), distinctive=False),
    "openbookqa": DataFile("openbookqa", ("openbookqa/dev_complete.jsonl",)),
    "boolq": DataFile("boolq", ("boolq/dev.jsonl",), official=False),
    "qed": DataFile("qed", ("qed/dev.jsonl",), official=False),
    "strategyqa": DataFile("strategyqa", ("strategyqa/dev.jsonl",), official=False),
    "quoref": DataFile("squad", ("quoref/dev.json",), official=False),
}
KGD = DataFile("openbookqa", ("kgd/train.jsonl", "openbookqa/kgd_train.jsonl"), official=False)
"""Knowledge gaps that people annotated, for some of OpenBookQA's training questions."""
GIVEN = DataFile("second_look", ("strangers/second_look.jsonl",), official=False)
"""What a reader answered over strangers' documents; `lacuna data second-look` makes it."""
PARAGRAPHS = DataFile("hotpotqa", ("hotpotqa/abstracts_pool.jsonl",), official=False)
"""First paragraphs of articles, from which distractors and hard negatives are taken."""


def dev_paths(folder: Path) -> dict[str, Path]:
    """The dev files; official ones must be there, of the others those that are count."""
    found = {
        name: file.find(folder) if file.official else file.find_optional(folder)
        for name, file in DEV.items()
    }
    return {name: path for name, path in found.items() if path is not None}


def named(files: dict[str, DataFile], name: str) -> DataFile:
    """The file of that name."""
    if name not in files:
        raise LacunaError(f"There is no {name!r}. Take one of {', '.join(files)}.")
    return files[name]


def read(file: DataFile, folder: Path, left_out: Counter[str] | None = None) -> Iterator[Question]:
    """The questions of a file; broken items are skipped and counted."""
    if file.dataset in LINE_FORMATS:
        reasons = Counter[str]() if left_out is None else left_out
        yield from read_lines(file.find(folder), LINE_FORMATS[file.dataset], reasons, BAD_ITEM)
        return
    if file.dataset in FILE_FORMATS:
        reasons = Counter[str]() if left_out is None else left_out
        yield from FILE_FORMATS[file.dataset](file.find(folder), reasons, BAD_ITEM)
        return
    with get_dataset(file.dataset).open(file.find(folder), skip_bad=True) as reader:
        yield from reader.questions()
        if left_out is not None and reader.bad:
            left_out[BAD_ITEM] += len(reader.bad)


def read_to_train(file: DataFile, folder: Path, left_out: Counter[str]) -> Iterator[Question]:
    """The questions of a file, unless its dataset only measures."""
    only_trained_on = file.dataset in LINE_FORMATS or file.dataset in FILE_FORMATS
    if not only_trained_on and not get_dataset(file.dataset).for_training:
        raise LacunaError(f"{file.dataset} is for measuring alone; nothing may be trained on it.")
    yield from read(file, folder, left_out)


def content_digest(paths: Iterable[Path]) -> str:
    """A digest of the names and contents of files, and of all files in folders."""
    whole = sha256()
    for path in paths:
        files = sorted(path.rglob("*")) if path.is_dir() else [path]
        for file in files:
            if file.is_file():
                with file.open("rb") as raw:
                    content = file_digest(raw, "sha256").hexdigest()
                whole.update(f"{file.name}\0{content}\n".encode())
    return whole.hexdigest()


RealQuestions = Callable[[str], Iterator[Question]]
"""The questions of a training file by its name."""
LineSource = Callable[[RealQuestions, int, Counter[str]], Iterator[Question]]


def _boolq(real: RealQuestions, seed: int, left_out: Counter[str]) -> Iterator[Question]:
    return as_found(reworded(balanced(real("boolq")), seed))


def _qed(real: RealQuestions, seed: int, left_out: Counter[str]) -> Iterator[Question]:
    return as_found(reworded(short_answers(real("qed"), left_out), seed))


def _twins(real: RealQuestions, seed: int, left_out: Counter[str]) -> Iterator[Question]:
    return reworded(twins(real("squad_twins"), real("squad1"), left_out), seed)


def _strategyqa(real: RealQuestions, seed: int, left_out: Counter[str]) -> Iterator[Question]:
    return balanced(among_facts(real("strategyqa"), seed))


def _snli(real: RealQuestions, seed: int, left_out: Counter[str]) -> Iterator[Question]:
    return opposite_claims(real("snli"), left_out)


def _zre(real: RealQuestions, seed: int, left_out: Counter[str]) -> Iterator[Question]:
    return among_sentences(real("zre"), seed)


def _synthetic(real: RealQuestions, seed: int, left_out: Counter[str]) -> Iterator[Question]:
    kinds = ("fact", "list", "none")
    return as_found(chain.from_iterable(real(f"synthetic_{kind}") for kind in kinds))


def _synthetic_yes_no(real: RealQuestions, seed: int, left_out: Counter[str]) -> Iterator[Question]:
    return as_found(opposites(real("synthetic_yes"), real("synthetic_no"), left_out))


def _polarity(real: RealQuestions, seed: int, left_out: Counter[str]) -> Iterator[Question]:
    yield from documents.polarity_questions(real("polarity"), seed)
    yield from real("flips")


def _tables(real: RealQuestions, seed: int, left_out: Counter[str]) -> Iterator[Question]:
    reports = chain(real("tatqa_dev"), real("tatqa_test"))
    return as_found(chain(real("tables"), reports))


def _choices(real: RealQuestions, seed: int, left_out: Counter[str]) -> Iterator[Question]:
    return chain.from_iterable(real(name) for name in CHOICES)


def _documents(real: RealQuestions, seed: int, left_out: Counter[str]) -> Iterator[Question]:
    return documents.in_windows(chain.from_iterable(real(name) for name in DOCUMENTS), seed)


CHOICES = ("csqa", "arc_easy", "arc_challenge")
DOCUMENTS = (
    *("timeqa_easy", "timeqa_hard", "fairytaleqa", "covidqa", "qasper"),
    *("doqa_1439", "doqa_1442"),
)
LINE_SOURCES: dict[str, LineSource] = {
    "boolq": _boolq,
    "qed": _qed,
    "unanswerable_twins": _twins,
    "strategyqa": _strategyqa,
    "snli": _snli,
    "zre": _zre,
    "synthetic": _synthetic,
    "synthetic_yes_no": _synthetic_yes_no,
}


DOCUMENT_SOURCES: dict[str, LineSource] = {
    "polarity": _polarity,
    "tables": _tables,
    "choices": _choices,
    "documents": _documents,
}


class SharedText(StrEnum):
    """A text that a training question has in common with the dev questions."""

    QUESTION = "question"
    PASSAGE = "passage"
    BOTH = "question and passage"


class TrainDevOverlap(NamedTuple):
    """A training question that would reveal something about a dev question."""

    id: str
    dev_id: str
    shared: SharedText


class DevQuestions:
    """The questions and passages of a dev file.

    Another question about the same passage counts as well: a model that has seen a passage in
    training knows its way around it; so do the paragraphs that come with a dev question.
    ``distinctive`` is False where equal words alone mean nothing.
    """

    def __init__(self, questions: Iterable[Question], *, distinctive: bool = True) -> None:
        self._by_text: dict[str, str] = {}
        self._by_passage: dict[str, str] = {}
        self._by_both: dict[tuple[str, str], str] = {}
        for question in questions:
            text, passage = _words(question)
            if distinctive:
                self._by_text.setdefault(text, question.id)
            if passage:
                self._by_passage.setdefault(passage, question.id)
                self._by_both.setdefault((text, passage), question.id)
            for document in question.documents:
                if passage := _folded(document.text):
                    self._by_passage.setdefault(passage, question.id)

    def overlap(self, question: Question) -> TrainDevOverlap | None:
        """The text that a training question shares with the dev questions, if any."""
        text, passage = _words(question)
        if dev_id := self._by_both.get((text, passage)):
            return TrainDevOverlap(question.id, dev_id, SharedText.BOTH)
        if dev_id := self._by_passage.get(passage):
            return TrainDevOverlap(question.id, dev_id, SharedText.PASSAGE)
        if dev_id := self._by_text.get(text):
            return TrainDevOverlap(question.id, dev_id, SharedText.QUESTION)
        return None


def _words(question: Question) -> tuple[str, str]:
    return normalise(question.text), _folded(question.context.text if question.context else "")


@lru_cache(maxsize=1024)
def _folded(passage: str) -> str:
    """The words alone: the same paragraph has other spaces and marks in another dataset."""
    return " ".join(WORD.findall(passage.casefold()))


def asked_in_dev(folder: Path, names: Collection[str] = tuple(DEV)) -> dict[str, DevQuestions]:
    """The questions of each dev file; one that is not official may be missing."""
    files = {name: named(DEV, name) for name in names}
    return {
        name: DevQuestions(read(file, folder), distinctive=file.distinctive)
        for name, file in files.items()
        if file.official or file.find_optional(folder)
    }


def train_dev_overlap(folder: Path) -> dict[str, int]:
    """Count the questions of each training file that overlap with each dev file, and in what."""
    asked = asked_in_dev(folder)
    counts: Counter[str] = Counter()
    for name, file in TRAIN.items():
        for question in read(file, folder):
            for dev, index in asked.items():
                if overlap := index.overlap(question):
                    counts[f"{name} in {dev} dev: {overlap.shared}"] += 1
    return dict(counts)


NO_GOLD = "no answer given"


@dataclass(frozen=True, slots=True)
class TrainingSource:
    """A source of training questions, the files it reads and the answer modes that it teaches."""

    mode: AnswerMode
    files: tuple[str, ...]
    asked: float = 0.0
    """The share that is shown in the mode of Ask, so that what one dataset teaches (arithmetic,
    abstaining, hops) is also learned for questions that may have any kind of answer."""
    found: float = 0.0
    """The share that is shown as if a search had found it, for the same reason."""
    ranked: bool = True
    """True if its documents are also ranked one by one."""

    def mode_of(self, index: int) -> AnswerMode:
        """The mode in which its question of that number is shown; evenly mixed."""
        turn = (index * 0.61803399) % 1
        if turn < self.asked:
            return AnswerMode.ASK
        return AnswerMode.FOUND if turn < self.asked + self.found else self.mode

    @property
    def modes(self) -> set[AnswerMode]:
        """All modes that it teaches."""
        modes = {self.mode}
        modes |= {AnswerMode.ASK} if self.asked else set()
        return modes | ({AnswerMode.FOUND} if self.found else set())


SOURCES = {
    "squad1": TrainingSource(AnswerMode.EXTRACT, ("squad1",), found=0.3),
    "unanswerable": TrainingSource(AnswerMode.ABSTAIN, ("squad2", "squad1"), 0.1, 0.25),
    "hotpotqa": TrainingSource(AnswerMode.HOP, ("hotpotqa",), found=0.1),
    "hotpotqa_gold": TrainingSource(AnswerMode.HOP, ("hotpotqa_gold",), 0.1, 0.2),
    "twowiki": TrainingSource(AnswerMode.HOP, ("twowiki",), 0.1, 0.2),
    "iirc": TrainingSource(AnswerMode.ASK, ("iirc",)),
    "links": TrainingSource(AnswerMode.ASK, ("iirc",), found=0.4),
    "quac": TrainingSource(AnswerMode.DIALOG, ("quac",)),
    "quac_acts": TrainingSource(AnswerMode.DIALOG, ("quac_acts",)),
    "drop": TrainingSource(AnswerMode.CALCULATE, ("drop",), 0.25, 0.35),
    "openbookqa": TrainingSource(AnswerMode.CHOOSE, ("openbookqa",)),
    "yes_no": TrainingSource(AnswerMode.ASK, ("squad1", "iirc", "drop"), found=0.4, ranked=False),
    "yes_no_hop": TrainingSource(
        AnswerMode.HOP, ("hotpotqa", "hotpotqa_gold", "twowiki"), 0.15, 0.2, ranked=False
    ),
    "yes_no_both": TrainingSource(AnswerMode.HOP, ("hotpotqa",), 0.15, 0.2, ranked=False),
    "boolq": TrainingSource(AnswerMode.ASK, ("boolq",), found=0.7),
    "qed": TrainingSource(AnswerMode.ASK, ("qed",), found=0.7),
    "unanswerable_twins": TrainingSource(AnswerMode.ABSTAIN, ("squad_twins", "squad1"), 0.2, 0.35),
    "strategyqa": TrainingSource(AnswerMode.ASK, ("strategyqa",), found=0.5),
    "snli": TrainingSource(AnswerMode.ASK, ("snli",), found=0.6),
    "zre": TrainingSource(AnswerMode.ASK, ("zre",), found=0.7),
    "synthetic": TrainingSource(
        AnswerMode.ASK, ("synthetic_fact", "synthetic_list", "synthetic_none"), found=0.7
    ),
    "synthetic_yes_no": TrainingSource(
        AnswerMode.ASK, ("synthetic_yes", "synthetic_no"), found=0.7
    ),
    "found": TrainingSource(AnswerMode.FOUND, FOUND_FILES, asked=0.15, ranked=False),
    "strangers": TrainingSource(AnswerMode.FOUND, (), ranked=False),
    "polarity": TrainingSource(AnswerMode.FOUND, ("polarity", "flips"), asked=0.2),
    "tables": TrainingSource(AnswerMode.FOUND, ("tables", "tatqa_dev", "tatqa_test")),
    "choices": TrainingSource(AnswerMode.CHOOSE, CHOICES),
    "documents": TrainingSource(AnswerMode.FOUND, DOCUMENTS, ranked=False),
    "second_look": TrainingSource(AnswerMode.FOUND, SECOND_LOOK_FILES, ranked=False),
}
NAMES = list(SOURCES)
YES_NO_AT_MOST = 30000
"""Questions made from each file, so that they stay fewer than real ones."""
YES_NO_OF_ONE_RULE = 0.25
"""The share of these that one rule may make: dates alone would give a third."""
BOTH_AT_MOST = 10000


def source_files(names: Collection[str], folder: Path) -> list[Path]:
    """All files that decide what the questions of some sources are; each must be there."""
    wanted = {name: TRAIN[name] for source in names for name in SOURCES[source].files}
    paths = [*(file.find(folder) for file in wanted.values()), *dev_paths(folder).values()]
    if "strangers" in names:
        paths += collection_files(folder, trained_collections(folder))
    if "second_look" in names:
        paths.append(GIVEN.find(folder))
    if "hotpotqa_gold" in wanted:
        paths.append(PARAGRAPHS.find(folder))
    elif "iirc" in wanted and (paragraphs := PARAGRAPHS.find_optional(folder)) is not None:
        paths.append(paragraphs)
    return sorted(set(paths))


def questions_of(name: str, folder: Path, seed: int, left_out: Counter[str]) -> Iterator[Question]:
    """The questions of a source, real or made from real ones."""
    if name in ("yes_no", "yes_no_hop"):
        for origin in SOURCES[name].files:
            real = training_questions(origin, folder, seed=seed, left_out=Counter())
            real = surrounded(real, seed) if origin == "iirc" else real
            yield from yes_no_questions(
                real, seed=seed, at_most=YES_NO_AT_MOST, of_one_rule=YES_NO_OF_ONE_RULE
            )
    elif name == "yes_no_both":
        real = training_questions("hotpotqa", folder, seed=seed, left_out=left_out)
        yield from both_questions(real, seed=seed, at_most=BOTH_AT_MOST)
    elif name == "links":
        yield from link_questions(unlike_dev("iirc", folder, left_out), left_out)
    elif name == "unanswerable":
        # The passages of its answerable questions may be in SQuAD 1.1's dev file; these are not
        # used.
        evaluated = [dev for dev in DEV if dev != "squad1"]
        squad2 = training_questions(
            "squad2", folder, seed=seed, left_out=left_out, evaluated=evaluated
        )
        squad1 = training_questions("squad1", folder, seed=seed)
        yield from unanswerable_questions(squad2, squad1, seed, left_out)
    elif name == "iirc":
        yield from surrounded(training_questions(name, folder, seed=seed, left_out=left_out), seed)
    elif name == "strangers":
        yield from strangers_questions(folder, seed, left_out)
    elif name == "second_look":
        real_of = partial(training_questions, folder=folder, seed=seed, left_out=left_out)
        yield from second_looks(real_of, GIVEN.find(folder), seed, left_out)
    elif name == "found" or name in LINE_SOURCES or name in DOCUMENT_SOURCES:
        made = {"found": found_questions, **LINE_SOURCES, **DOCUMENT_SOURCES}
        make = made[name]
        real_of = partial(training_questions, folder=folder, seed=seed, left_out=left_out)
        yield from make(real_of, seed, left_out)
    else:
        yield from training_questions(name, folder, seed=seed, left_out=left_out)


def training_questions(
    name: str,
    folder: Path,
    *,
    seed: int,
    left_out: Counter[str] | None = None,
    evaluated: Collection[str] = tuple(DEV),
) -> Iterator[Question]:
    """The questions of one training file, with unique ids and gold, in the file's order.

    What is left out is counted by its reason in ``left_out``: broken items, and whatever would
    reveal something about a dev file in ``evaluated``.
    """
    reasons = Counter[str]() if left_out is None else left_out
    questions = _answered(unlike_dev(name, folder, reasons, evaluated), reasons)
    if name == "iirc":
        paragraphs = PARAGRAPHS.find_optional(folder)
        openings = openings_by_title(paragraphs) if paragraphs else {}
        questions = iirc_questions(questions, seed=seed, left_out=reasons, openings=openings)
    elif name == "hotpotqa_gold":
        paragraphs = PARAGRAPHS.find(folder)
        questions = GoldParagraphs.open(paragraphs).questions(questions, seed=seed)
    for question in questions:
        yield replace(question, id=f"{name}/{question.id}")


def unlike_dev(
    name: str, folder: Path, left_out: Counter[str], evaluated: Collection[str] = tuple(DEV)
) -> Iterator[Question]:
    """The questions of a training file that reveal nothing about a dev file."""
    asked = asked_in_dev(folder, evaluated)
    for question in read_to_train(named(TRAIN, name), folder, left_out):
        overlaps = ((dev, index.overlap(question)) for dev, index in asked.items())
        dev, overlap = next(((dev, shared) for dev, shared in overlaps if shared), ("", None))
        if overlap:
            left_out[f"{overlap.shared} in {dev} dev"] += 1
        else:
            yield question


def _answered(questions: Iterable[Question], left_out: Counter[str]) -> Iterator[Question]:
    for question in questions:
        if question.gold is None or not question.gold.answers:
            left_out[NO_GOLD] += 1
        else:
            yield _only_true_evidence(question)


def _only_true_evidence(question: Question) -> Question:
    """Without SQuAD's plausible answers, which show where no answer is."""
    gold = question.gold
    if not gold or not gold.evidence:
        return question
    true = tuple(piece for piece in gold.evidence if piece.role is not Role.PLAUSIBLE)
    return replace(question, gold=replace(gold, evidence=true or None))
