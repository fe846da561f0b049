"""Forms of questions that compare two subjects by what their openings say, with their answers."""

from __future__ import annotations

from collections.abc import Callable
from random import Random

from lacuna.train.data.openings import ArticleOpening
from lacuna.train.data.word_lists import NATIONS, surely_differ

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
    before, younger = random.choice(
        (("Was {a} born before {b}?", False), ("Was {a} born after {b}?", True),
         ("{one} {a} older than {b}?", False), ("{one} {a} younger than {b}?", True))
    )  # fmt: skip

    def asked(b: ArticleOpening, turned: bool) -> tuple[str, bool] | None:
        if a.born is None or b.born is None or a.born == b.born:
            return None
        return _filled(before, a, b, turned), (a.born < b.born) ^ turned ^ younger

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
    form, later = random.choice(
        (("Was {a} released before {b}?", False), ("Was {a} released after {b}?", True),
         ("Did {a} come out before {b}?", False), ("Did {a} come out earlier than {b}?", False))
    )  # fmt: skip

    def asked(b: ArticleOpening, turned: bool) -> tuple[str, bool] | None:
        if a.released is None or b.released is None or a.released == b.released:
            return None
        return _filled(form, a, b, turned), (a.released < b.released) ^ turned ^ later

    return asked


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
