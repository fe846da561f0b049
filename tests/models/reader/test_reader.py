from __future__ import annotations

import json
import shutil
import subprocess
import sys
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import numpy as np
import pytest

from lacuna import (
    AnswerKind,
    Choice,
    Document,
    LacunaError,
    Link,
    Question,
    SupportingFact,
)
from lacuna.answers import AnswerMode
from lacuna.models.model_folder import FOUND_WEIGHTS, MODES_KEY, WEIGHTS, write_config
from lacuna.models.reader.decode import Columns, HeadKind
from lacuna.models.reader.encode import ModelInput, Tokenizer
from lacuna.models.reader.reader import ModelReader, Outputs, ScoredAnswer
from lacuna.types import Span


class FakeBackend:
    """Finds the word "ferry" wherever it stands, relevant, and names it as the answer."""

    at_once = 2
    has_verdict = True

    def __init__(self, wanted: int) -> None:
        self._wanted = wanted
        self.seen: list[ModelInput] = []

    def run(self, inputs: Sequence[ModelInput]) -> list[Outputs]:
        self.seen += inputs
        return [self._one(read) for read in inputs]

    def _one(self, read: ModelInput) -> Outputs:
        per_token = np.zeros((len(read.ids), Columns.PER_TOKEN), np.float32)
        row = np.zeros(Columns.PER_SEQUENCE, np.float32)
        at = np.flatnonzero(read.ids == self._wanted)
        per_token[at[:, None], [Columns.START, Columns.END, *Columns.LINK]] = 9.0
        row[Columns.KIND][HeadKind.SPAN if len(at) else HeadKind.NONE] = 9.0
        row[[Columns.RELEVANCE, Columns.CHOICE]] = 9.0 * len(at)
        return per_token, row


@pytest.fixture
def backend(tokenizer: Tokenizer) -> FakeBackend:
    return FakeBackend(int(tokenizer.encode("ferry").ids[0]))


@pytest.fixture
def fake(backend: FakeBackend, tokenizer: Tokenizer) -> ModelReader:
    return ModelReader(backend, tokenizer)


def asked(*documents: Document, text: str = "in", context: Document | None = None) -> Question:
    return Question("q", text, context, documents)


def test_an_answer_far_into_a_long_text_is_found(fake: ModelReader, backend: FakeBackend) -> None:
    long = Document("long", "word " * 3000 + "ferry" + " word" * 500)
    (found,) = fake.read([asked(long)])
    assert found.answer is not None
    assert found.answer.texts == ("ferry",)
    (place,) = found.evidence
    assert long.text[place.start : place.end] == "ferry"
    assert len(backend.seen) > 7


def test_among_many_documents_the_relevant_are_read(
    fake: ModelReader, backend: FakeBackend
) -> None:
    documents = [Document(f"t{number}", "word " * 200) for number in range(20)]
    documents[13] = Document("here", "word " * 700 + "the ferry")
    (found,) = fake.read([asked(*documents)])
    assert found.answer is not None
    assert found.answer.texts == ("ferry",)
    assert found.evidence[0].document == "here"
    assert len(backend.seen[-1].segments) > 1


def test_a_hundred_thousand_words(fake: ModelReader, backend: FakeBackend) -> None:
    text = " ".join("word 1901" if number % 9 else "bob word." for number in range(50_000))
    sentences = tuple(Span(at, at + 5) for at in range(0, len(text) - 5, 50))
    for mode in (AnswerMode.ASK, AnswerMode.HOP):
        fake.read([asked(Document("t", text, sentences))], mode=mode)
    assert len(backend.seen) < 1000
    fake.read([asked(Document("t", text), Document("u", "the ferry"))])


@pytest.mark.parametrize("mode", [mode for mode in AnswerMode if mode is not AnswerMode.CHOOSE])
def test_without_a_text_there_is_no_answer(fake: ModelReader, mode: AnswerMode) -> None:
    nothing = [asked(), asked(Document("t", "")), asked(context=Document("p", " \n"), text="")]
    for found in fake.read(nothing, mode=mode):
        assert found.answer is None or found.answer.kind is AnswerKind.NONE
        assert found.evidence == ()


def test_what_cannot_be_asked_is_named(fake: ModelReader) -> None:
    with pytest.raises(LacunaError, match="Ask it shorter"):
        fake.read([asked(Document("t", "ann"), text="word " * 400)])


def test_every_choice_is_read_to_its_end(fake: ModelReader) -> None:
    choices = (Choice("A", "bob"), Choice("B", "word " * 600 + "ferry"), Choice("C", ""))
    for fact in (None, "", "ann " * 2000):
        (found,) = fake.read([Question("q", "in", choices=choices, fact=fact)])
        assert found.answer is not None
        assert found.answer.label == "B"


def test_links_are_scored_wherever_they_stand(fake: ModelReader) -> None:
    text = "word " * 700 + "ferry word "
    at = text.index("ferry")
    links = (
        Link(at, at + 5, "F"),
        Link(0, 4, "W"),
        Link(3, 3, "x"),
        Link(len(text), len(text), ""),
    )
    question = asked(context=Document("p", text, links=links))
    (scored,) = fake.link_scores([question])
    scores = scored.links
    assert scores[0] == 18.0
    assert scores[1] == 0.0
    assert scores[3] == -np.inf
    without = [asked(context=Document("p", "ann")), asked(Document("t", "ann"))]
    assert [one.links for one in fake.link_scores(without)] == [[], []]


def test_relevance_is_that_of_the_best_window(fake: ModelReader) -> None:
    documents = [Document("a", "word " * 900 + "ferry"), Document("b", "ann"), Document("c", " ")]
    first, second = fake.read_alone([("in", documents), ("in", [])])
    assert [scored.relevance for scored in first] == [9.0, 0.0, -np.inf]
    assert second == []


def test_what_is_read_alone_is_as_if_it_were_all_there_is(reader: ModelReader) -> None:
    texts = ("Who built the Marrow?", "In which year was Ellen Voss born?")
    documents = (MARROW, VOSS, CORRIE)
    by_question = reader.read_alone([(text, documents) for text in texts])
    for text, of_one in zip(texts, by_question, strict=True):
        alone = [reader.score([asked(document, text=text)])[0] for document in documents]
        assert [one.prediction for one in of_one] == [one.prediction for one in alone]
        assert [one.margin for one in of_one] == pytest.approx([one.margin for one in alone])
    margins = [[one.margin for one in of_one] for of_one in by_question]
    assert [row.index(max(row)) for row in margins] == [0, 1]


def test_progress_counts_every_question(fake: ModelReader) -> None:
    told: list[int] = []
    fake.read([asked(Document("t", "ann"))] * 5, progress=told.append)
    assert sum(told) == 5
    assert fake.read([]) == []


def titled(title: str, *sentences: str) -> Document:
    text, spans = "", []
    for sentence in sentences:
        text += " " * bool(text)
        spans.append(Span(len(text), len(text) + len(sentence)))
        text += sentence
    return Document(title, text, tuple(spans))


MARROW = titled(
    "Marrow",
    "The Marrow was a ferry that ran between Port Ellery and Corrie.",
    "She was built by Ellen Voss in 1897.",
)
VOSS = titled("Ellen Voss", "Ellen Voss was born in 1861 and died in 1931.", "She built ferries.")
CORRIE = titled("Corrie", "Corrie is a village.", "It has a school.")


def test_the_shipped_model_quotes(reader: ModelReader) -> None:
    (found,) = reader.read([asked(MARROW, text="Who built the Marrow?")], mode=AnswerMode.EXTRACT)
    assert found.answer is not None
    assert found.answer.texts == ("Ellen Voss",)
    (place,) = found.evidence
    assert MARROW.text[place.start : place.end] == "Ellen Voss"


def test_the_shipped_model_calculates(reader: ModelReader) -> None:
    question = asked(VOSS, text="How old was Ellen Voss when she died?")
    (found,) = reader.read([question], mode=AnswerMode.CALCULATE)
    assert found.answer is not None
    assert (found.answer.value, found.answer.unit) == (70, "years")
    assert found.answer.expression == "1931 − 1861"
    assert {VOSS.text[place.start : place.end] for place in found.evidence} == {"1861", "1931"}


def test_the_shipped_model_hops(reader: ModelReader) -> None:
    text = "In which year was the builder of the Marrow born?"
    (found,) = reader.read([asked(CORRIE, MARROW, VOSS, text=text)], mode=AnswerMode.HOP)
    assert found.answer is not None
    assert found.answer.texts == ("1861",)
    assert found.supporting_facts is not None
    assert SupportingFact("Ellen Voss", 0) in found.supporting_facts


def test_company_order_and_threads_change_nothing(reader: ModelReader, small: Path) -> None:
    texts = ("Who built the Marrow?", "How old was Ellen Voss?", "", "[SEP] où? 👩‍👧 \ud800")
    long = titled("Long", *("Ann built 3 boats in 1931 for Corrie." for _ in range(55)))
    contexts = ((MARROW, VOSS), (long,), (long, CORRIE, MARROW), ())
    questions = [asked(*some, text=text) for some, text in zip(contexts, texts, strict=True)]
    first = reader.read(questions)
    assert reader.read(questions) == first
    assert reader.read(questions[::-1])[::-1] == first
    assert ModelReader.load(small, threads=2).read(questions) == first
    with ThreadPoolExecutor(3) as pool:
        assert list(pool.map(lambda one: reader.read([one])[0], questions)) == first


@pytest.mark.parametrize(
    ("module", "absent"),
    [("lacuna", "onnxruntime"), ("lacuna", "tokenizers"), ("lacuna.models.reader.reader", "torch")],
)
def test_what_is_not_needed_is_not_loaded(module: str, absent: str) -> None:
    code = f"import {module}, sys; sys.exit({absent!r} in sys.modules)"
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0


def test_the_shipped_model_reads_without_torch(small: Path) -> None:
    code = (
        "import sys; sys.modules['torch'] = sys.modules['transformers'] = None\n"
        "from lacuna import Document, Question\n"
        "from lacuna.models.reader.reader import ModelReader\n"
        "document = Document('t', 'The Marrow was built by Ellen Voss.')\n"
        "question = Question('q', 'Who built the Marrow?', document)\n"
        "print(ModelReader.load(threads=1).read([question])[0].answer.text)\n"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "Ellen Voss"


def test_a_model_that_never_saw_found_passages_reads_them_as_asked(
    small: Path, tmp_path: Path
) -> None:
    folder = tmp_path / "model"
    shutil.copytree(small, folder, ignore=shutil.ignore_patterns(FOUND_WEIGHTS))
    config = json.loads((folder / "config.json").read_text("utf-8"))
    asked = [("When was the ferry built?", [FERRY])]
    for modes in ([], [str(mode) for mode in AnswerMode]):
        write_config(folder, {**config, MODES_KEY: modes})
        reader = ModelReader.load(folder, threads=1)
        ((found,),) = reader.read_alone(asked, mode=AnswerMode.FOUND)
        ((plain,),) = reader.read_alone(asked, mode=AnswerMode.ASK)
        assert (found == plain) is not bool(modes)


FERRY = Document("Ferry", "The ferry was built at Osk in 1897, of oak.")


def test_found_passages_are_read_with_weights_of_their_own(small: Path, tmp_path: Path) -> None:
    folder = tmp_path / "model"
    shutil.copytree(small, folder, ignore=shutil.ignore_patterns(FOUND_WEIGHTS, "checksums.json"))
    asked = [("When was the ferry built?", [FERRY])]
    modes = (AnswerMode.FOUND, AnswerMode.ASK)

    def read(model: Path) -> list[ScoredAnswer]:
        reader = ModelReader.load(model, threads=1)
        return [reader.read_alone(asked, mode=mode)[0][0] for mode in modes]

    one, both = read(folder), read(small)
    assert one[0] == one[1] == both[1]
    shutil.copy(small / FOUND_WEIGHTS, folder / WEIGHTS)
    others = read(folder)
    assert both[0] == others[0] != one[0]


def test_of_two_networks_one_that_is_not_needed_is_not_opened(small: Path, tmp_path: Path) -> None:
    folder = tmp_path / "model"
    shutil.copytree(small, folder, ignore=shutil.ignore_patterns("checksums.json"))
    (folder / WEIGHTS).write_bytes(b"damaged")
    reader = ModelReader.load(folder, threads=1)
    asked = [("When was the ferry built?", [FERRY])]
    ((found,),) = reader.read_alone(asked, mode=AnswerMode.FOUND)
    assert found.kind is not AnswerKind.NONE
    with pytest.raises(LacunaError, match="cannot be loaded"):
        reader.read_alone(asked)
