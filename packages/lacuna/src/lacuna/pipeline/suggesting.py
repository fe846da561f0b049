"""Questions that the documents answer: made from sentences, headings and instructions."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from itertools import islice

import numpy as np

from lacuna.corpus.store import Store
from lacuna.corpus.titles import folded
from lacuna.english import IRREGULAR, base_form, looks_participle
from lacuna.pipeline.result import Degree, Quote, Result
from lacuna.retrieve.bm25 import Bm25Retriever
from lacuna.text import content_stems
from lacuna.types import Document, Evidence, Span


@dataclass(frozen=True, slots=True)
class CandidateQuestion:
    """A question, and the part of a document that is to answer it."""

    question: str
    document: str
    place: Span
    says: str
    """What stands there, on one line: other documents may say it in the same words."""

    def is_in(self, other: Evidence | Quote) -> bool:
        """Tell if something stands where the question was made from."""
        here = other.start < self.place.end and other.end > self.place.start
        return other.document == self.document and here


def is_answered(candidate: CandidateQuestion, result: Result) -> bool:
    """Tell if a result gives a sure answer, taken from where the question was made from.

    An answer that only says again what was asked is none.
    """
    answer = result.answer
    says = set(content_stems(answer.text))
    again = bool(says) and says <= set(content_stems(candidate.question))
    if result.degree is not Degree.ANSWER or again:
        return False
    if any(map(candidate.is_in, answer.found_at or result.quotes)):
        return True
    return any(" ".join(quote.text.split()) == candidate.says for quote in result.quotes)


_ASKS = re.compile(
    r"(?:how|what|when|where|which|who|why|can|could|do|does|did|is|are|was|were|has|should|will)"
    r" \S+ .*\?$",
    re.IGNORECASE,
)


def from_headings(document: Document) -> Iterator[tuple[str, Span]]:
    """Questions that the sections of a document answer, each with its section."""
    for section in document.sections:
        heading = " ".join(section.path[-1].split()) if section.path else ""
        if _ASKS.match(heading):
            yield heading, Span(section.start, section.end)


MOST_CHARACTERS = 300
"""Of a sentence; what a longer one says first is seldom what it is about."""

ARTICLES = ("The", "A", "An")
_MONTH = "January|February|March|April|May|June|July|August|September|October|November|December"
_DATE = rf"(?:\d{{1,2}} )?(?:(?:{_MONTH}) )?(?:1[0-9]|20)\d\d\b"
_PAST_OF = {forms.participle: forms.past for forms in IRREGULAR.values()}
_PERSON = re.compile(r"\b(?:[Ss]?[Hh]e|[Hh]is|[Hh]er) ")
_NOUN = r"(?=(?:a|an|the|one|[A-Z]\S*|\d[\d,.]*) )"
_ROLE = re.compile(
    r"(?:chair|head|principal|founder|governor|captain|master|king|queen|mother|father"
    r"|(?<!numb)[a-z]{2,}(?:er|or|ent|ian|ist|tary|man|woman))$"
)
_ITS = re.compile(rf"(?:Its|His|Her) (?P<what>(?:[a-z-]+ ){{0,2}}[a-z-]+) (?P<verb>is|was) {_NOUN}")
_MEASURED = re.compile(
    r"(?!is |was |has |lies )(?P<verb>[a-z]+s) (?:about |some )?\d[\d,.]* "
    r"(?P<unit>(?:square )?[a-z]+s)\b"
)
_DEFINED = re.compile(
    r"(?P<subject>(?:(?:The|A|An) )?[\w`'’-]+(?: [\w`'’-]+){0,5}?)(?: \([^)]*\))? "
    r"(?P<verb>is|are|was|were) (?=(?:a|an|the|one|[A-Z`“\"]\S*|\d\S*)(?:\s|\.$))"
)
_VAGUE = re.compile(
    r"\b(?:this|that|these|those|there|here|it|he|she|they|we|you|one|what|which|who|if|when|while"
    r"|as|in|on|at|by|for|from|to|with|and|but|or|so|then|also|all|each|every|both|some|many|most"
    r"|another|other|others|such|although|however|usually|not|no|its|his|her|their|our|your|my|first|second|next|last|only|note"
    r"|example|following|above|below|reason|result|problem|thing|difference|way|same|rest|idea|value"
    r"|answer|option|command|file|output)\b",
    re.IGNORECASE,
)


def facts(document: Document) -> Iterator[tuple[str, Span]]:
    """Questions with a short, plain answer, each with the sentence that has it."""
    subject = subject_of(document)
    name = rf"(?:(?:The )?(?i:{re.escape(document.title)})|It|He|She)(?: \([^)]*\))? "
    for text, place in plain_sentences(document):
        for question in _facts(name, subject, text):
            yield question, place


def definitions(document: Document) -> Iterator[tuple[str, Span]]:
    """Questions for what something is, or who someone was."""
    own = {folded(title) for title in (document.title, f"the {document.title}")}
    for text, place in plain_sentences(document):
        match = _DEFINED.match(text)
        if match is None or _VAGUE.search(match["subject"]):
            continue
        subject = match["subject"]
        if folded(subject) in own:
            asks = "Who" if _PERSON.search(document.text[: 2 * MOST_CHARACTERS]) else "What"
            yield f"{asks} {match['verb']} {_inside(subject)}?", place
        elif match["verb"] in ("is", "are") and _is_term(subject, document):
            yield f"What {match['verb']} {_inside(subject)}?", place


def _is_term(subject: str, document: Document) -> bool:
    """Tell if it has a name, or is spoken of again; "Nobody", "The key" and "Doing so" are none."""
    first, _, rest = subject.partition(" ")
    if first in ARTICLES:
        return first != "The" or " " in rest
    return not first.endswith(("ing", "ly")) and document.text.count(subject) > 1


def subject_of(document: Document) -> str:
    """How a document's own text calls what it is about.

    >>> subject_of(Document("Marrow", "The Marrow is a ferry."))
    'the Marrow'
    """
    named = re.search(rf"\b(the )?({re.escape(document.title)})\b", document.text, re.IGNORECASE)
    if named is None:
        return document.title
    return f"the {named[2]}" if named[1] else named[2]


def plain_sentences(document: Document) -> Iterator[tuple[str, Span]]:
    """The sentences that are neither long nor lines of code, each on one line."""
    for place in document.sentences:
        text = " ".join(document.text[place.start : place.end].split())
        if len(text) <= MOST_CHARACTERS and text.endswith("."):
            yield text, place


def _facts(name: str, subject: str, text: str) -> Iterator[str]:
    if match := re.match(rf"{name}(?P<was>was|were) (?P<done>[a-z]+) (?P<rest>.*)", text):
        yield from _about_what_was_done(subject, match["was"], match["done"], match["rest"])
    if match := re.match(rf"{name}(has|had) (?:about |some )?\d[\d,.]* ([a-z]+s)\b", text):
        yield f"How many {match[2]} {'does' if match[1] == 'has' else 'did'} {subject} have?"
    if (match := re.match(name, text)) and (match := _MEASURED.match(text, match.end())):
        yield f"How many {match['unit']} does {subject} {base_form(match['verb'])}?"
    if match := _ITS.match(text):
        asks = "Who" if _ROLE.search(match["what"]) else "What"
        yield f"{asks} {match['verb']} the {match['what']} of {subject}?"


def _about_what_was_done(subject: str, was: str, done: str, rest: str) -> Iterator[str]:
    if not looks_participle(done):
        return
    clause = re.split(r"[,;]", rest)[0]
    if maker := re.match(r"by (?:the )?[A-Z]", clause):
        yield f"Who {_PAST_OF.get(done, done)} {subject}?"
    if re.match(rf"(?:by \S+(?: \S+){{0,3}} )?(?:in|on) {_DATE}", clause):
        yield f"When {was} {subject} {done}?"
    elif not maker and re.match(r"(?:in|at) (?:the )?[A-Z]", clause):
        yield f"Where {was} {subject} {done}?"


def _inside(subject: str) -> str:
    """A subject as it stands inside a sentence."""
    article, _, rest = subject.partition(" ")
    return f"{article.lower()} {rest}" if rest and article in ARTICLES else subject


_POINTING = re.compile(
    r"\b(?:this|that|these|those|them|their|its?|they|such|so|here|above|below|following)\b", re.I
)
_ME = re.compile(r"\byour\b")
_YOU = r"(?:you can |you need to |you must |you should |simply |please |just |we |then )?"
_DO = (
    r"(?:use|run|add|set|call|click|press|type|write|enter|contact|send|open|select|choose|specify"
    r"|pass|email|put|create|include)"
)
_TASK = r"(?:instead |also |sometimes |then )?(?P<task>(?!be |do )[a-z]+ [^,.;:()]{6,60}?)"
_GOALS = (
    re.compile(rf"To {_TASK}, {_YOU}{_DO}\b"),
    re.compile(rf"If you (?:want|need|wish|would like) to {_TASK}, {_YOU}{_DO}\b"),
)
_MEANS = (
    re.compile(rf"(?:You|We) can {_TASK} by [a-z]+ing\b"),
    re.compile(rf"(?:Use|Run|Call|Specify) (?P<with>[^.;:,]{{2,40}}?) to {_TASK}(?:[.,;:(]|$)"),
)
_NUMBER = r"(?:about |some |up to |at least |at most )?\d[\d,.]* (?P<unit>[a-z]+s)\b"
_SUBJECT = r"(?P<subject>[A-Z][\w’'-]*(?: [\w’'-]+){0,5}?)"
_WITHIN = re.compile(
    rf"{_SUBJECT} (?P<must>must|should|shall|will|may|can) (?P<act>[a-z]+[^,.;:()]{{0,60}}?) "
    rf"within {_NUMBER}"
)
_ENTITLED = re.compile(
    rf"{_SUBJECT} (?P<verb>are|is) (?P<how>[a-z]+ to) {_NUMBER} (?P<of>of [^,.;:()]{{4,40}}?)"
    r"(?: per\b| a\b| each\b|[.,;:(])"
)
_DEFAULT = re.compile(r"The default (?P<what>(?!is\b|for\b)[\w-]+(?: [\w-]+){0,4}?) is ")
_DEFAULTS_TO = re.compile(r"(?P<subject>(?:The )?[\w.-]*\w[\w.-]*(?: [\w.-]+){0,3}?) defaults to ")


def goals(document: Document) -> Iterator[tuple[str, Span]]:
    """Questions for how to do something, from sentences that begin with it."""
    return _tasks(document, _GOALS)


def means(document: Document) -> Iterator[tuple[str, Span]]:
    """The same, from sentences that begin with what to do it with."""
    return _tasks(document, _MEANS)


def _tasks(document: Document, patterns: Sequence[re.Pattern[str]]) -> Iterator[tuple[str, Span]]:
    for text, place in plain_sentences(document):
        for pattern in patterns:
            match = pattern.match(text)
            if match and not _POINTING.search(text[: match.end("task")]):
                yield f"How do I {_ME.sub('my', match['task'])}?", place
                break


def amounts(document: Document) -> Iterator[tuple[str, Span]]:
    """Questions for a number that a rule names."""
    for text, place in plain_sentences(document):
        inside = partial(_inside_task, document=document)
        if (match := _WITHIN.match(text)) and not _POINTING.search(match[0]):
            subject = inside(match["subject"])
            yield (
                f"Within how many {match['unit']} {match['must']} {subject} {match['act']}?",
                place,
            )
        elif (match := _ENTITLED.match(text)) and not _POINTING.search(match[0]):
            subject = inside(match["subject"])
            yield (
                f"How many {match['unit']} {match['of']} {match['verb']} {subject} {match['how']}?",
                place,
            )


def defaults(document: Document) -> Iterator[tuple[str, Span]]:
    """Questions for what is taken where nothing is said."""
    for text, place in plain_sentences(document):
        if (match := _DEFAULT.match(text)) and not _POINTING.search(match[0]):
            yield f"What is the default {match['what']}?", place
        elif (match := _DEFAULTS_TO.match(text)) and not _POINTING.search(match[0]):
            yield f"What does {_inside_task(match['subject'], document)} default to?", place


def _inside_task(subject: str, document: Document) -> str:
    """A subject as it stands inside a sentence: only what is a name keeps its capital."""
    first = subject.split()[0]
    is_name = re.search(rf"[a-z,] {re.escape(first)}\b", document.text)
    return subject if is_name else first.lower() + subject[len(first) :]


Makes = Callable[[Document], Iterator[tuple[str, Span]]]
"""Makes questions from a document, each with what is to answer it."""
MADE: tuple[tuple[Makes, ...], ...] = (
    (facts,),
    (amounts, defaults, goals),
    (means, from_headings, definitions),
)
"""Those that are likeliest answered surely first; of one row, the most promising of any kind."""
LONGEST = 90
"""Characters of a question."""
EACH = 2
"""Questions of one kind about one document, so that several documents are spoken of."""
DOCUMENTS_SEEN = 2_000
"""Of a larger corpus, the first so many are looked at for what others link to."""
DOCUMENTS_READ = 80
FOUND_AMONG = 3
"""Passages; where a question does not lead to one of them, reading would not help."""
SAID_BESIDE = 3
"""Words that a sentence has beside those of its question, and that weigh as much as one of those:
what asks for much in few words is seldom answered surely."""


def candidates_of_corpus(store: Store) -> Iterator[CandidateQuestion]:
    """Questions about the documents that most others link to."""
    graph = store.graph()
    # By node: to look titles up one by one would be as many requests at an address.
    counts = graph.links.in_counts()[:DOCUMENTS_SEEN]
    nodes = np.argsort(-counts, kind="stable")  # else in the order of the corpus
    yield from _candidates(store, (graph.title(int(node)) for node in nodes))


def candidates_after(
    store: Store, asked: Iterable[str], quoted: Sequence[Evidence]
) -> Iterator[CandidateQuestion]:
    """Questions about the documents that an answer quotes, and about those that they link to.

    ``asked`` are the questions of the dialog; what was quoted need not be asked for again.
    """
    graph = store.graph()
    near = [title for title in dict.fromkeys(place.document for place in quoted) if title in store]
    linked = (other for title in near for other in graph.out_links(title))
    known = {question.casefold() for question in asked}
    for candidate in _candidates(store, dict.fromkeys([*near, *linked])):
        if not any(map(candidate.is_in, quoted)) and candidate.question.casefold() not in known:
            yield candidate


def _candidates(store: Store, titles: Iterable[str]) -> Iterator[CandidateQuestion]:
    """Questions of each row about each document in turn; each leads to its place."""
    there = (title for title in titles if title in store)
    documents = [store.document(title) for title in islice(there, DOCUMENTS_READ)]
    retriever = Bm25Retriever(store)
    seen: set[str] = set()
    for kinds in MADE:
        made = list(_made(documents, kinds))
        if len(kinds) > 1:
            made.sort(key=_promise, reverse=True)
        for candidate in made:
            if candidate.question.casefold() not in seen:
                seen.add(candidate.question.casefold())
                if _leads_there(candidate, store, retriever):
                    yield candidate


def _leads_there(candidate: CandidateQuestion, store: Store, retriever: Bm25Retriever) -> bool:
    """Tell if the words of a question find its place, or another that says the same."""
    for hit in retriever.search(candidate.question, FOUND_AMONG):
        if candidate.is_in(Evidence(hit.title, hit.start, hit.end)):
            return True
        if candidate.says in " ".join(store.document(hit.title).text[hit.start : hit.end].split()):
            return True
    return False


def _made(documents: Sequence[Document], kinds: Sequence[Makes]) -> Iterator[CandidateQuestion]:
    for make in kinds:
        for document in documents:
            made = (one for one in make(document) if len(one[0]) <= LONGEST)
            for question, place in islice(made, EACH):
                says = " ".join(document.text[place.start : place.end].split())
                yield CandidateQuestion(question, document.title, place, says)


def _promise(candidate: CandidateQuestion) -> float:
    """How likely it is answered surely: it says much, and its place says little else."""
    asked = set(content_stems(candidate.question))
    beside = set(content_stems(candidate.says)) - asked
    return len(asked) - len(beside) / SAID_BESIDE
