"""What is missing where nothing answers, in words that help."""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace

from lacuna.corpus.store import Store
from lacuna.english import (
    AUXILIARY,
    BE,
    DETERMINERS,
    DO,
    MODAL,
    PREPOSITIONS,
    SUBJECT_PRONOUNS,
    SUBORDINATORS,
    VERBS,
    WH,
    is_participle,
    past,
    third_person,
)
from lacuna.pipeline.state import QuestionState
from lacuna.places import Place
from lacuna.retrieve.bm25 import Bm25Retriever
from lacuna.retrieve.windows import Window
from lacuna.text import STOP_WORDS, words
from lacuna.types import Document, Evidence, Gap, Role, Span

LONGEST_QUOTE = 200
"""Characters of a question that is quoted."""
LONGEST_SUBJECT = 10
"""Words that "is" may be moved behind."""
LINKING = WH | SUBORDINATORS | {"that"}
PREPOSITIONS_OR_OF = PREPOSITIONS | {"of"}
NO_SUBJECT_END = DETERMINERS | PREPOSITIONS_OR_OF | {"and", "or", "not"}
IMPERATIVE = re.compile(
    r"(?:please )?(?:name|list|tell me|give|show me|describe|explain) (.+)", re.I
)
SHORT = re.compile(r"^(who|what|where|when|how)['’]s\b", re.I)
BETWEEN = 8
"""Words that may stand between "which" and the verb: "which of the many ships was"."""


def asked_for(question: str) -> str:
    """What is asked for, as a phrase that goes into a sentence; else the question in quotes.

    >>> asked_for("When was Ada Quill born?")
    'when Ada Quill was born'
    >>> asked_for("How long may a daily scrum go on?")
    'how long a daily scrum may go on'
    >>> asked_for("Who is the CTO?"), asked_for("What does GUC mean?")
    ('who the CTO is', 'what GUC means')
    >>> asked_for("Who first wrote the manual?"), asked_for("In which year did she die?")
    ('who first wrote the manual', 'in which year she died')
    >>> asked_for("Does it rain?")
    '“Does it rain?”'
    """
    line = " ".join(question.split())
    if command := IMPERATIVE.fullmatch(line.rstrip("?!. ")):
        line = command[1]
        if line.split()[0].lower() in DETERMINERS:
            return line
    words = SHORT.sub(r"\1 is", line).rstrip("?!. ").split()
    return _turned(words) or quoted(question)


def quoted(question: str) -> str:
    """A question in one line, cut where it is long.

    >>> quoted("Why  not?")
    '“Why not?”'
    """
    line = " ".join(question.split())
    return f"“{line if len(line) <= LONGEST_QUOTE else line[: LONGEST_QUOTE - 1] + '…'}”"


def _turned(words: Sequence[str]) -> str:
    """The words of a question in the order of a clause; nothing where that is not sure."""
    lower = [word.lower() for word in words]
    if len(" ".join(words)) > LONGEST_QUOTE or any(word[-1] in ",.;:?" for word in words[:-1]):
        return ""
    if len(words) > 2 and lower[0] in AUXILIARY:
        return f"whether {clause}" if (clause := _clause(lower[0], words[1:], sure=True)) else ""
    at_preposition = len(words) > 2 and lower[0] in PREPOSITIONS_OR_OF and lower[1] in WH
    wh = 1 if at_preposition else 0
    if len(words) < 2 or lower[wh] not in WH:
        return ""
    as_it_is = " ".join((lower[0], *words[1:]))
    verb = _first_auxiliary(lower, wh)
    if verb is None:
        return "" if at_preposition or {"does", "did"} & set(lower) else as_it_is
    start, rest = " ".join((lower[0], *words[1:verb])), words[verb + 1 :]
    if not rest or {"does", "did"}.intersection(lower[verb + 1 :]):
        return ""
    if lower[verb] in BE and not at_preposition and _asks_for_subject(lower[:verb], rest):
        return as_it_is
    clause = _clause(lower[verb], rest, last=lower[:verb] in (["who"], ["what"]))
    return f"{start} {clause}" if clause else ""


def _first_auxiliary(lower: Sequence[str], wh: int) -> int | None:
    """The place of the verb that stands before its subject; None where the subject is asked for."""
    for place in range(wh + 1, min(wh + 2 + BETWEEN, len(lower))):
        if lower[place] in AUXILIARY:
            return place
        if lower[place] in LINKING or lower[wh] in ("who", "when", "where", "why", "whom"):
            return None
    return None


def _asks_for_subject(start: Sequence[str], rest: Sequence[str]) -> bool:
    """ "Which ship was …" asks for the ship, or for something that was done with it."""
    first = rest[0].lower()
    if first in PREPOSITIONS_OR_OF or first == "not" or is_participle(first):
        return True
    if first in SUBJECT_PRONOUNS or start[0] not in ("who", "what", "which", "how"):
        return False
    if len(start) > 1:
        height = start[0] == "how" and start[1] not in ("many", "much")
        return not height and not _predicates(rest, is_participle)
    if first in DETERMINERS or _predicates(rest, is_participle):
        return False
    if start[0] == "what":
        return rest[0].islower() and len(rest) > 2
    return rest[0].islower() or any(word in PREPOSITIONS_OR_OF for word in rest)


def _clause(auxiliary: str, rest: Sequence[str], *, last: bool = False, sure: bool = False) -> str:
    """Subject, verb and the rest of the clause.

    With ``last``, "is" goes to the end unless what it belongs to stands there. With ``sure``, it
    needs something that it belongs to.
    """
    if auxiliary == "do":
        return " ".join(rest)
    if auxiliary in DO | MODAL:
        places = _predicates(rest, VERBS.__contains__)
        if rest[0].lower() in SUBJECT_PRONOUNS and auxiliary in MODAL and len(rest) > 1:
            places = [1]
        if len(places) != 1:
            return ""
        (place,) = places
        if auxiliary in MODAL:
            return " ".join((*rest[:place], auxiliary, *rest[place:]))
        verb = rest[place]
        turned = past(verb) if auxiliary == "did" else third_person(verb)
        return " ".join((*rest[:place], turned, *rest[place + 1 :]))
    places = [1] if rest[0].lower() in SUBJECT_PRONOUNS else _predicates(rest, is_participle)
    if last and places and 1 < places[0] < len(rest) - 2:
        places = []
    end = places[0] if places else None if sure else _end_of_subject(rest)
    return " ".join((*rest[:end], auxiliary, *rest[end:])) if end else ""


def _end_of_subject(rest: Sequence[str]) -> int | None:
    """Where a subject ends of which nothing more is said but "for" or "when …"."""
    lower = [word.lower() for word in rest]
    end = next((at for at, word in enumerate(lower) if word in SUBORDINATORS), len(rest))
    if end > LONGEST_SUBJECT or any(_links(lower, at) for at in range(end)):
        return None
    return end - 1 if lower[end - 1] in PREPOSITIONS_OR_OF else end


def _predicates(rest: Sequence[str], fits: Callable[[str], bool]) -> list[int]:
    """Where the words stand that fit, behind a subject and before any other clause."""
    lower = [word.lower() for word in rest]
    places = []
    for place, word in enumerate(rest):
        if _links(lower, place) or lower[place] in AUXILIARY - {"have", "do"}:
            break
        if place and fits(word) and lower[place - 1] not in NO_SUBJECT_END:
            places.append(place)
    return places


def _links(lower: Sequence[str], place: int) -> bool:
    """Whether a word begins a clause: "that" does not in "of that city"."""
    points = lower[place] == "that" and (not place or lower[place - 1] in PREPOSITIONS_OR_OF)
    return lower[place] in LINKING and not points


_QUOTED = re.compile(r'[“"]([^”"]+)[”"]')
_CODE = re.compile(r"(?<![\w/.-])(?:-{1,2}[A-Za-z][\w-]*|[\w-]+(?:[_/.][\w-]+)+)")
_WORD = r"[A-Z][\w&-]*(?:['’]s(?= [A-Z]))?"
_CAPITALS = re.compile(
    rf"(?<![\w/.'’-]){_WORD}(?: \d[\w.-]*|(?: (?:of|the|and|de|von|for|in)){{0,2}} {_WORD})*"
)
_NO_NAMES = (
    WH
    | AUXILIARY
    | DETERMINERS
    | PREPOSITIONS_OR_OF
    | SUBJECT_PRONOUNS
    | SUBORDINATORS
    | frozenset({"name", "list", "tell", "give", "show", "describe", "explain", "roughly", "my"})
)


def names(question: str) -> list[str]:
    """What is quoted, written like code, or begins with capitals; in the order of the question.

    >>> names("How many pupils does Hobwick Academy have, says “the book”?")
    ['Hobwick Academy', 'the book']
    >>> names("May I read The Salt Road?")
    ['The Salt Road']
    >>> names("Is wal_log_hints on with -x in the Bank of Selmory?")
    ['wal_log_hints', '-x', 'Bank of Selmory']
    """
    found: list[tuple[int, int, str]] = []
    for pattern in (_QUOTED, _CODE, _CAPITALS):
        for match in pattern.finditer(question):
            start, name = match.start(match.re.groups), match[match.re.groups]
            if pattern is _CAPITALS:
                name = _without_ordinary(name, begins=not start or question[start - 2] in ".:;")
            start = match.end(match.re.groups) - len(name)
            name = name.rstrip(".-")
            if name and all(start >= end or start + len(name) <= begin for begin, end, _ in found):
                found.append((start, start + len(name), name))
    return [name for _, _, name in sorted(found)]


def _without_ordinary(name: str, *, begins: bool) -> str:
    """A name without the words before it that are capitals only by chance."""
    first, _, others = name.partition(" ")
    while first == "I" or first.islower() or (begins and _is_ordinary(first, others)):
        name, begins = others, False
        first, _, others = name.partition(" ")
    return name


def _is_ordinary(first: str, others: str) -> bool:
    """Whether a sentence may begin so that is not about a name."""
    return first.lower() in _NO_NAMES or (not others and first[1:].islower())


def content_words(text: str) -> frozenset[str]:
    """The words that carry meaning.

    >>> sorted(content_words("the city where Ada was born"))
    ['ada', 'born', 'city']
    """
    return frozenset(words(text)) - STOP_WORDS


def says(text: str, name: str) -> bool:
    """Whether a text has the name, whatever its case and signs.

    >>> says("The Bank-of Selmory.", "bank of Selmory"), says("Oscar", "Osc")
    (True, False)
    """
    wanted = words(name)
    return bool(wanted) and f" {' '.join(wanted)} " in f" {' '.join(words(text))} "


# fmt: off
ROLES = (
    "author", "writer", "founder", "co-founder", "inventor", "director", "composer", "architect",
    "builder", "owner", "maker", "designer", "creator", "discoverer", "editor", "painter",
    "captain", "mayor", "capital", "wife", "husband", "mother", "father", "son", "daughter",
    "brother", "sister", "successor", "predecessor", "king", "queen", "governor", "president",
    "leader", "birthplace", "hometown",
)
# fmt: on
_ROLE = "|".join(ROLES)
_NAME = r"[A-Z][\w.&/-]*(?: (?:(?:of|the|and|de|von|for|in) ){0,2}[A-Z\d][\w.&/-]*)*"
_RELATIVE = re.compile(
    r"\b(?:the|an?) (?P<noun>(?:(?!the |an? |of )[\w.'’/-]+ ){1,4}?)"
    r"(?P<clause>(?:(?:in|on|at|to|from|of|by|for|with) )?"
    r"(?:that|who|whom|whose|which|where) .+)$"
)
_ROLE_OF = re.compile(rf"\bthe (?:[a-z]+ )?(?P<noun>{_ROLE}) of (?:the )?{_NAME}")
_CHAIN = re.compile(rf"{_NAME}['’]s (?P<noun>[a-z]\w*)(?=['’]s )")
_ROLE_FOR = re.compile(rf"{_NAME}['’]s (?P<noun>{_ROLE})\b(?!['’])")
_TWO_CLAUSES = re.compile(r"^(?P<first>.{12,}?)(?:[.;:!]) (?P<rest>[^.;]+\?)$")
_WHAT_IS = re.compile(r"(?:who|what|which|where)(?:['’]s| is| are| was| were) ", re.I)


@dataclass(frozen=True, slots=True)
class QuestionParts:
    """``first`` names or tells what has to be found, ``rest`` is the question about it."""

    first: str
    rest: str
    told: bool = False


def split_question(question: str) -> QuestionParts | None:
    """The two parts of a question; None where it has but one.

    >>> split_question("When was Osk's founder born?")
    QuestionParts(first="Osk's founder", rest='When was that founder born?', told=False)
    >>> split_question("When was the author of The Salt Road born?").first
    'the author of The Salt Road'
    >>> split_question("What are the people of the city where Ada was born called?").rest
    'What are the people of that city called?'
    >>> split_question("Where was Osk's founder's wife born?").first
    "Osk's founder"
    >>> split_question("A ship is named there; who built it?")
    QuestionParts(first='A ship is named there', rest='who built it?', told=True)
    >>> split_question("Who is the author of The Salt Road?")
    """
    line = " ".join(question.split())
    if (two := _TWO_CLAUSES.match(line)) and _asks(two["rest"]):
        return QuestionParts(two["first"], two["rest"], told=True)
    body = line.rstrip("?!. ")
    for pattern in (_CHAIN, _RELATIVE, _ROLE_OF, _ROLE_FOR):
        if found := pattern.search(body):
            start, end = found.span()
            noun = found["noun"].strip()
            if pattern is _RELATIVE:
                length = _clause_length(body[:start], noun, found["clause"])
                if length is None:
                    continue
                end = found.start("clause") + length
            rest = f"{body[:start]}that {noun}{body[end:]}"
            if _WHAT_IS.sub("", rest) != f"that {noun}":
                return QuestionParts(body[start:end], f"{rest}?")
    return None


def _asks(text: str) -> bool:
    first, *others = text.lower().split()
    return first in WH or (first in PREPOSITIONS_OR_OF and bool(others) and others[0] in WH)


def _clause_length(before: str, noun: str, clause: str) -> int | None:
    """Characters of a clause, without what belongs to the verb before it: was the man who … *born*.

    None where that cannot be told.
    """
    if any(word in VERBS | AUXILIARY for word in noun.lower().split()):
        return None
    verb = next((word for word in before.lower().split() if word in AUXILIARY), None)
    words = clause.split()
    last = words[-1]
    own = [place for place, word in enumerate(words[:-1]) if word.lower() in AUXILIARY]
    behind = words[own[-1] + 1 : -1] if own else []
    taken = own and not any(is_participle(word) or word in VERBS for word in behind)
    fits = (verb in BE and is_participle(last)) or (verb in DO | MODAL and last in VERBS)
    if fits and len(words) > 2 and not taken:
        return len(clause) - len(last) - 1
    directly = before.lower().split()[-1:] == [verb]
    return None if directly and verb in DO | MODAL else len(clause)


TEXTS = 6
"""Texts that are looked at again, the best first."""
ENOUGH = 0.7
"""Share of the words of a part that a sentence and its title must have to speak of it."""
LONGEST_SENTENCE = 160
"""Characters of a sentence that is quoted."""


@dataclass(frozen=True, slots=True)
class Finding:
    """What was found: the first part of a question in two, or one of its names.

    ``title`` is where the name stands, or the nearest text; ``how`` it is there. ``unknown`` is a
    name that no document has.
    """

    first_part: str = ""
    name: str = ""
    title: str = ""
    how: str = ""
    unknown: str = ""


@dataclass(frozen=True, slots=True)
class _Text:
    """A stretch of a document that was looked at."""

    document: Document
    span: Span

    @property
    def title(self) -> str:
        return self.document.title

    @property
    def text(self) -> str:
        return self.document.text[self.span.start : self.span.end]

    def is_about(self, name: str) -> bool:
        """Whether the title is hardly more than the name."""
        title = content_words(self.title)
        return says(self.title, name) and 2 * len(content_words(name)) >= len(title)

    def sentences(self) -> Iterator[Span]:
        """Those that stand in it as a whole."""
        begin = bisect_left(self.document.sentences, Span(self.span.start, 0))
        for sentence in self.document.sentences[begin:]:
            if sentence.end > self.span.end:
                return
            yield sentence


def finding_of(store: Store, state: QuestionState, ranked: Sequence[Window]) -> Finding:
    """What the best texts, and the context if one was given, say of the question."""
    question = state.query.question
    texts = list(_texts(store, state, ranked))
    parts = split_question(question)
    if parts and (first := _first_part(store, parts, texts)):
        return Finding(first_part=first)
    asked = names(question)
    mentioned = [
        (name, text)
        for name in asked
        for text in texts
        if says(text.text, name) or says(text.title, name)
    ]
    seen = {name for name, _ in mentioned}
    for name in asked:
        if name not in seen and not Bm25Retriever(store).search(name, 1, phrases=(name,)):
            return Finding(unknown=name)
    for name, text in mentioned:
        if text.is_about(name):
            return Finding(name=name, title=text.title, how="described")
    for name, text in mentioned:
        return Finding(name=name, title=text.title, how="mentioned")
    return Finding(title=texts[0].title if texts else "")


def _texts(store: Store, state: QuestionState, ranked: Sequence[Window]) -> Iterator[_Text]:
    documents: dict[str, Document] = {}
    if state.focus is not None:
        own = state.focus.original
        documents[own.title] = own
        yield _Text(own, Span(0, len(own.text)))
    for window in ranked[:TEXTS]:
        document = documents.get(window.title) or _document(store, window.title)
        if document is not None:
            documents[window.title] = document
            yield _Text(document, Span(window.start, window.end))


def _document(store: Store, title: str) -> Document | None:
    return store.document(title) if title in store else None


def _first_part(store: Store, parts: QuestionParts, texts: Sequence[_Text]) -> str:
    """What a sentence says of it: the one document that it links to, or the sentence."""
    wanted = content_words(parts.first)
    best: tuple[float, Document, Span] | None = None
    for text in texts:
        document, title = text.document, content_words(text.title)
        for sentence in text.sentences():
            said = content_words(document.text[sentence.start : sentence.end])
            # A title alone says nothing: a word must stand in the sentence itself.
            share = len(wanted & (said | title)) / len(wanted) if wanted & said else 0.0
            if share >= ENOUGH and (best is None or share > best[0]):
                best = share, document, sentence
    if best is None:
        return ""
    _, document, sentence = best
    linked = {
        target
        for link in document.links
        if sentence.start <= link.start and link.end <= sentence.end
        if (target := store.resolve(link.target)) is not None and not says(parts.first, target)
    }
    if len(linked) == 1 and not parts.told:
        return f"{parts.first}, {linked.pop()} ({document.title})"
    line = " ".join(document.text[sentence.start : sentence.end].split())
    short = line if len(line) <= LONGEST_SENTENCE else line[: LONGEST_SENTENCE - 1] + "…"
    return f"“{short}” ({document.title})"


LINKS_NAMED = 3
"""Links that lead nowhere, as far as the sentence names them; the gap lists them all."""

LIKELY_LINK = 0.0
"""Log-odds above which the reader takes a link to lead to what is missing."""


def remaining_gap(store: Store, state: QuestionState, perhaps: Evidence | None = None) -> Gap:
    """The gap that remains when nothing answers.

    ``perhaps`` is the sentence of the likeliest answer that was considered: it is what came
    nearest, and its document is not said to lack the answer.
    """
    ranked = [window for window, _ in state.best_windows()]
    places = dict.fromkeys(" › ".join(window.section or (window.title,)) for window in ranked)
    if state.focus is not None:
        places = {state.focus.original.title: None} | places
    nearest = perhaps
    if nearest is None and ranked:
        best = (_most_relevant(state) if state.rated else None) or ranked[0]
        nearest = Evidence(best.title, best.start, best.end, Role.SUPPORT, state.ranked[best])
    place = _place(store, nearest) if nearest else None
    finding = finding_of(store, state, ranked)
    if perhaps is not None and finding.title != perhaps.document and not finding.name:
        finding = replace(finding, title=perhaps.document)
    may_be_there = perhaps is not None and finding.title == perhaps.document
    found, not_found, sentence = _halves(state.query.question, finding, may_be_there)
    dangling = _that_matter(state)
    unread = store.skipped_count()
    return Gap(
        sentence + _of_links(dangling) + _of_unread(unread),
        tuple(places),
        dangling,
        nearest,
        place,
        unread,
        found=found,
        not_found=not_found,
    )


def _most_relevant(state: QuestionState) -> Window | None:
    """The window that the reader found most relevant for its text alone; openings of documents
    have no bonus here."""
    alone = [one for one in state.readings if len(one.selection.windows) == 1]
    best = max(alone, key=lambda one: one.scored.relevance, default=None)
    return None if best is None else best.selection.windows[0]


def dialog_gap(store: Store, question: str, titles: tuple[str, ...]) -> Gap:
    """The gap that remains when the documents of a dialog do not answer a follow-up."""
    unread = store.skipped_count()
    phrase = asked_for(question)
    where = titles[0] if len(titles) == 1 else "what the dialog was about"
    missing = f"Not found in {where}: {_ended(phrase)}" + _of_unread(unread)
    return Gap(missing, titles, unread=unread, not_found=phrase)


def _halves(question: str, finding: Finding, may_be_there: bool) -> tuple[str, str, str]:
    """What was found, what was not, and both in a sentence.

    What was not found may stand there all the same: it says what was looked at, not what is.
    """
    parts = split_question(question)
    if parts is not None and finding.first_part:
        found, phrase = finding.first_part, asked_for(parts.rest)
        return found, phrase, f"Found: {found}; not found: {_ended(phrase)}"
    phrase = asked_for(question)
    if finding.unknown:
        return "", phrase, f"No document mentions {finding.unknown}; not found: {_ended(phrase)}"
    not_there = "no sure answer there" if may_be_there else "not found there"
    if finding.name.casefold() == finding.title.casefold() != "":
        not_in = "No sure answer in" if may_be_there else "Not found in"
        return finding.title, phrase, f"{not_in} {finding.title}: {_ended(phrase)}"
    if finding.name:
        found = f"{finding.name} is {finding.how} in {finding.title}"
        return found, phrase, f"{found}; {not_there}: {_ended(phrase)}"
    if finding.title:
        return "", phrase, f"Nearest is {finding.title}; {not_there}: {_ended(phrase)}"
    return "", phrase, f"No text has the words of the question; not found: {_ended(phrase)}"


def _ended(phrase: str) -> str:
    """A phrase as the end of a sentence."""
    return phrase if phrase.endswith(("?”", ".”", "!”", "…”")) else f"{phrase}."


def _that_matter(state: QuestionState) -> tuple[str, ...]:
    """Links out of the corpus that may lead to what is missing: by the question's words, which are
    half of theirs, or because the reader takes it to be likely."""
    asked = content_words(state.search_text)
    mattering = (
        target.title
        for target in state.links
        if target.dangling
        and (target.score > LIKELY_LINK or _is_half_in(content_words(target.title), asked))
    )
    return tuple(dict.fromkeys(mattering))


def _is_half_in(title: frozenset[str], asked: frozenset[str]) -> bool:
    return bool(title & asked) and 2 * len(title & asked) >= len(title)


def _place(store: Store, nearest: Evidence) -> Place | None:
    document = _document(store, nearest.document)
    return document.origin.at(nearest.start) if document and document.origin else None


def _of_unread(files: int) -> str:
    if not files:
        return ""
    return f" {files:,} {'file' if files == 1 else 'files'} here could not be read."


def _of_links(dangling: tuple[str, ...]) -> str:
    if not dangling:
        return ""
    if len(dangling) == 1:
        return f" It may stand in {dangling[0]}, which is linked but not in the corpus."
    few = len(dangling) <= LINKS_NAMED + 1
    named = dangling if few else (*dangling[:LINKS_NAMED], "others")
    listed = f"{', '.join(named[:-1])} or {named[-1]}"
    return f" It may stand in {listed}, which are linked but not in the corpus."
