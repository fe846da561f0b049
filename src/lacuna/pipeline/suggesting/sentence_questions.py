"""Questions from sentences: of *Marrow*, "It was built in 1931." answers "When was it built?"."""

from __future__ import annotations

import re
from collections.abc import Iterator

from lacuna.corpus.titles import folded
from lacuna.pipeline.dialog.verbs import base_form, looks_participle
from lacuna.pipeline.irregular_verbs import IRREGULAR
from lacuna.types import Document, Span

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
    """Whether it has a name, or is spoken of again; "Nobody", "The key" and "Doing so" are none."""
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
