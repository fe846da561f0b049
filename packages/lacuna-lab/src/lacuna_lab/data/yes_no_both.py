"""Questions for yes or no about two articles, from what their first sentences say."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from random import Random

from lacuna.types import Answer, Document, Gold, Question, SupportingFact
from lacuna_lab.data.texts import NATIONS, ArticleOpening, read_opening, surely_differ

PLURALS = {
    "city": "cities", "company": "companies", "university": "universities", "genus": "genera",
    "businessman": "businessmen", "television series": "television series",
}  # fmt: skip
TRADES = tuple(
    frozenset(group.split("|"))
    for group in (
        "singer|songwriter|musician|guitarist|drummer|bassist|pianist|rapper|composer|conductor"
        "|producer",
        "novelist|poet|playwright|writer|author|journalist|screenwriter|historian|philosopher",
        "director|filmmaker|producer|screenwriter|cinematographer|actor|comedian|model|dancer"
        "|choreographer|singer",
        "physicist|chemist|mathematician|astronomer|engineer|biologist|economist|philosopher",
        "painter|sculptor|photographer|architect|filmmaker",
        "businessman|entrepreneur|politician|lawyer|diplomat|engineer|producer",
        "company|airline|record label|restaurant chain|football club|newspaper|magazine",
    )
)
"""Someone of one of these trades may well have another, though the first sentence omits it."""
AskPair = Callable[[ArticleOpening, bool], tuple[str, bool] | None]
"""Another subject, and whether it is named first → the question and its answer."""
PairForm = Callable[[ArticleOpening, Random], AskPair | None]


def both_are(a: ArticleOpening, random: Random) -> AskPair | None:
    """Are A and B both poets?"""
    kind = random.choice(sorted(a.kinds))
    start = random.choice(("{is} {a} and {b} both {what}?", "{is} both {a} and {b} {what}?"))

    def asked(b: ArticleOpening, turned: bool) -> tuple[str, bool] | None:
        if kind not in b.kinds and _may_be(kind, b):
            return None
        return _filled(start, a, b, turned, plural(kind)), kind in b.kinds

    return asked


def both_of_nation(a: ArticleOpening, random: Random) -> AskPair | None:
    """Are both A and B American? Are A and B both American films?"""
    kind = random.choice(sorted(a.kinds))
    if not a.nation:
        return None
    whole = random.random() < 0.5
    form = "{is} {a} and {b} both {what}?" if whole else "{is} both {a} and {b} {what}?"
    what = f"{a.nation} {plural(kind)}" if whole else a.nation
    if not whole and a.person and random.random() < 0.5:
        what = f"from {_the(NATIONS[a.nation])}"

    def asked(b: ArticleOpening, turned: bool) -> tuple[str, bool] | None:
        if not b.nation or not (a.nation == b.nation or surely_differ(a.nation, b.nation)):
            return None
        if whole and kind not in b.kinds and (_may_be(kind, b) or a.nation != b.nation):
            return None
        true = a.nation == b.nation and (kind in b.kinds or not whole)
        return _filled(form, a, b, turned, what), true

    return asked


def same_nation(a: ArticleOpening, random: Random) -> AskPair | None:
    """Are A and B of the same nationality? Are A and B from the same country?"""
    same = [
        "{is} {a} and {b} of the same nationality?",
        "{do} {a} and {b} have the same nationality?",
    ]
    form = random.choice([*(same if a.person else []), "{is} {a} and {b} from the same country?"])

    def asked(b: ArticleOpening, turned: bool) -> tuple[str, bool] | None:
        known = a.nation and b.nation and a.person == b.person
        if not known or not (a.nation == b.nation or surely_differ(a.nation, b.nation)):
            return None
        return _filled(form, a, b, turned), a.nation == b.nation

    return asked


def same_country(a: ArticleOpening, random: Random) -> AskPair | None:
    """Are A and B located in the same country? Are both A and B located in Peru?"""
    forms = (
        "{is} {a} and {b} located in the same country?",
        "{is} both {a} and {b} located in {what}?",
        "{is} {a} and {b} both in {what}?",
    )
    form = random.choice(forms)

    def asked(b: ArticleOpening, turned: bool) -> tuple[str, bool] | None:
        known = a.country and b.country
        if not known or not (a.country == b.country or surely_differ(a.country, b.country)):
            return None
        return _filled(form, a, b, turned, _the(a.country)), a.country == b.country

    return asked


def born_before(a: ArticleOpening, random: Random) -> AskPair | None:
    """Was A born before B? Is A older than B?"""
    forms = (
        ("Was {a} born before {b}?", False),
        ("Was {a} born after {b}?", True),
        ("{one} {a} older than {b}?", False),
        ("{one} {a} younger than {b}?", True),
    )
    return _earlier(a, random.choice(forms), lambda article: article.born)


def _earlier(
    a: ArticleOpening, form: tuple[str, bool], when: Callable[[ArticleOpening], int | None]
) -> AskPair:
    """Was something of A before that of B? The form says whether it asks for the later one."""
    text, later = form

    def asked(b: ArticleOpening, turned: bool) -> tuple[str, bool] | None:
        one, other = when(a), when(b)
        if one is None or other is None or one == other:
            return None
        return _filled(text, a, b, turned), (one < other) ^ turned ^ later

    return asked


def same_year(a: ArticleOpening, random: Random) -> AskPair | None:
    """Were A and B born in the same year? Were A and B released in the same year?"""
    done = "born" if a.person else "released"

    def asked(b: ArticleOpening, turned: bool) -> tuple[str, bool] | None:
        one, other = (a.born, b.born) if a.person else (a.released, b.released)
        if one is None or other is None:
            return None
        return _filled(f"Were {{a}} and {{b}} {done} in the same year?", a, b, turned), one == other

    return asked


def released_before(a: ArticleOpening, random: Random) -> AskPair | None:
    """Was A released before B? Did A come out after B?"""
    forms = (
        ("Was {a} released before {b}?", False),
        ("Was {a} released after {b}?", True),
        ("Did {a} come out before {b}?", False),
        ("Did {a} come out earlier than {b}?", False),
    )
    return _earlier(a, random.choice(forms), lambda article: article.released)


FORMS: tuple[PairForm, ...] = (
    both_are, both_are, both_of_nation, both_of_nation, same_nation, same_country, born_before,
    same_year, released_before,
)  # fmt: skip


def plural(kind: str) -> str:
    """The plural of a kind.

    >>> plural("racing driver"), plural("city")
    ('racing drivers', 'cities')
    """
    return PLURALS.get(kind, f"{kind}s")


def _may_be(kind: str, other: ArticleOpening) -> bool:
    return any(kind in group and group & other.kinds for group in TRADES)


def _the(country: str) -> str:
    return (
        f"the {country}" if country.startswith(("United", "Soviet", "Nether", "Czech")) else country
    )


def _filled(form: str, a: ArticleOpening, b: ArticleOpening, turned: bool, what: str = "") -> str:
    first, second = (b, a) if turned else (a, b)
    now = a.alive and b.alive
    return form.format(
        a=first.name,
        b=second.name,
        what=what,
        one="Is" if now else "Was",
        **{"is": "Are" if now else "Were", "do": "Do" if now else "Did"},
    )


# Questions for yes or no about two articles, from what their first sentences say.
#
# They come in pairs about the same paragraphs, in the same words except for one name; one is
# answered with yes, the other with no.


FEWEST, MOST = 1, 4
"""Paragraphs besides the three that the two questions are about."""
ANCHORS = 3
"""Articles of a question with which others are compared."""
TRIED = 60
"""Articles of other questions that are tried."""


@dataclass(frozen=True, slots=True)
class Subject:
    """An article whose opening is understood."""

    paragraph: Document
    opening: ArticleOpening


@dataclass(frozen=True, slots=True)
class ArticleSet:
    """The paragraphs of a question, and those whose opening is understood."""

    id: str
    paragraphs: tuple[Document, ...]
    subjects: tuple[Subject, ...]


def both_questions(questions: Iterable[Question], *, seed: int, at_most: int) -> Iterator[Question]:
    """Pairs of questions made from the paragraphs of other questions."""
    random = Random(seed)
    article_sets = [_articles(question) for question in questions]
    known = {s.paragraph.title: s for articles in article_sets for s in articles.subjects}
    everywhere = list(known.values())
    count = 0
    random.shuffle(article_sets)
    for articles in article_sets:
        anchors = random.sample(articles.subjects, min(ANCHORS, len(articles.subjects)))
        for number, anchor in enumerate(anchors):
            if count + 2 > at_most:
                return
            pair = _pair(f"{articles.id}/both-{number}", anchor, articles, everywhere, random)
            count += len(pair)
            yield from pair


def _articles(question: Question) -> ArticleSet:
    subjects = tuple(
        Subject(paragraph, opening)
        for paragraph in question.documents
        if paragraph.sentences and (opening := read_opening(paragraph))
    )
    return ArticleSet(question.id, question.documents, subjects)


def _pair(
    id_: str, anchor: Subject, articles: ArticleSet, everywhere: list[Subject], random: Random
) -> list[Question]:
    near = [subject for subject in articles.subjects if subject is not anchor]
    far = random.sample(everywhere, min(TRIED, len(everywhere)))
    random.shuffle(near)
    for form in random.sample(FORMS, len(FORMS)):
        others = _yes_and_no(form, anchor, [*near, *far], random)
        if others:
            return _questions(id_, anchor, others, articles, random)
    return []


def _yes_and_no(
    form: PairForm, anchor: Subject, others: Iterable[Subject], random: Random
) -> dict[bool, tuple[Subject, str]] | None:
    """Another article that makes the answer yes and one that makes it no."""
    ask = form(anchor.opening, random)
    if ask is None:
        return None
    turned = random.random() < 0.5
    by_answer: dict[bool, tuple[Subject, str]] = {}
    names = {anchor.opening.name}
    for other in others:
        if other.opening.name in names or other.opening.person != anchor.opening.person:
            continue
        asked = ask(other.opening, turned)
        if asked and asked[1] not in by_answer:
            by_answer[asked[1]] = (other, asked[0])
            names.add(other.opening.name)
    return by_answer if len(by_answer) == 2 else None


def _questions(
    id_: str,
    anchor: Subject,
    others: dict[bool, tuple[Subject, str]],
    articles: ArticleSet,
    random: Random,
) -> list[Question]:
    about = {s.paragraph.title: s.paragraph for s in (anchor, others[True][0], others[False][0])}
    beside = [p for p in articles.paragraphs if p.title not in about and p.sentences]
    distractors = random.sample(beside, min(random.randint(FEWEST, MOST), len(beside)))
    documents = [*about.values(), *distractors]
    random.shuffle(documents)
    pair = []
    for true, answer in ((True, Answer.yes()), (False, Answer.no())):
        other, text = others[true]
        facts = tuple(SupportingFact(s.paragraph.title, 0) for s in (anchor, other))
        gold = Gold((answer,), supporting_facts=facts)
        pair.append(Question(f"{id_}/{answer.kind}", text, documents=tuple(documents), gold=gold))
    return pair
