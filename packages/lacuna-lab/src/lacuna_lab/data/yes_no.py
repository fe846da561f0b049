"""Questions for yes or no, from supported and contradicted claims about the same texts."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from itertools import groupby, islice
from random import Random

from lacuna.types import Answer, AnswerKind, Question
from lacuna_lab.data.iirc import bare_number
from lacuna_lab.data.texts import (
    LARGE_PLACES,
    MONTHS,
    NAME,
    NAME_WORD,
    NO_NAME,
    THINGS,
    TO_BASE,
    TRANSITIVE,
    answers_by_kind,
    kind_of,
    sentences_of,
    together,
)

PLACE_NAME = re.compile(rf"\b(?:in|at|from|near) ((?:{NAME_WORD})(?: {NAME_WORD}){{0,2}})")
STARTS_SENTENCE = re.compile(r"(?:The|He|She|It|In|On|At|His|Her|This|They|Its|After|As|A|An) ")


class DateFormat(StrEnum):
    """The form in which a date is written."""

    YEAR = r"(?:1[0-9]|20)\d\d"
    MONTH_YEAR = rf"(?:{MONTHS}),? \d{{4}}"
    DAY = rf"(?:(?:{MONTHS}) \d{{1,2}},? \d{{4}}|\d{{1,2}} (?:{MONTHS}),? \d{{4}})"

    @classmethod
    def of(cls, text: str) -> DateFormat | None:
        """The format of a text, if it is a date."""
        return next((form for form in cls if re.fullmatch(form, text)), None)


@dataclass(frozen=True, slots=True)
class AnsweredQuestion:
    """A question with one short answer, and the texts that it is about."""

    question: str
    answer: str
    answers: tuple[str, ...]
    value: float | None
    texts: tuple[str, ...]
    facts: tuple[tuple[str, str, str], ...]
    """Subject, relation and object, from 2WikiMultihopQA's evidence."""
    peers: tuple[str, ...] = ()
    """Answers to other questions for the same kind of thing."""

    @classmethod
    def of(cls, question: Question, peers: tuple[str, ...] = ()) -> AnsweredQuestion | None:
        """From a question whose first answer is a short text or a number."""
        answers = question.gold.answers if question.gold else ()
        if not answers or answers[0].kind not in (AnswerKind.SPAN, AnswerKind.NUMBER):
            return None
        documents = (*([question.context] if question.context else []), *question.documents)
        raw = question.extra.get("evidences") or ()
        return cls(
            " ".join(question.text.split()),
            " ".join(answers[0].text.split()),
            tuple(text for answer in answers for text in answer.texts),
            next((answer.value for answer in answers if answer.value is not None), None),
            tuple(document.text for document in documents),
            tuple((fact[0], fact[1], fact[2]) for fact in raw if len(fact) == 3),
            peers,
        )

    def other_date(self, form: DateFormat, random: Random) -> str | None:
        """Another date in that format."""
        pattern = re.compile(rf"\b{form.value}\b")
        return self._pick((m.group() for t in self.texts for m in pattern.finditer(t)), random)

    def other_place(self, random: Random) -> str | None:
        """Another place, from sentences that do not mention the answer: no part or whole of it."""
        places = (m[1] for part in self._elsewhere() for m in PLACE_NAME.finditer(part))
        large = self.answer in LARGE_PLACES
        fit = (place for place in self._alike(places) if (place in LARGE_PLACES) == large)
        return self._pick(fit, random)

    def other_name(self, random: Random, *, person: bool) -> str | None:
        """Another name, from sentences that do not mention the answer.

        It follows a word that the answer follows too, so it is likely to be of the same kind.
        """
        before = set(self._words_before())
        names = (
            m.group()
            for part in self._elsewhere()
            for m in NAME.finditer(part)
            if _word_before(part, m.start()) in before
        )
        fit = (
            name
            for name in self._alike(names)
            if (len(name.split()) > 1 and not THINGS.search(name) if person else True)
        )
        return self._pick(fit, random)

    def other_of_kind(self, random: Random) -> str | None:
        """The answer to another question for the same kind of thing, or another name.

        It is from sentences that do not mention the answer, or else from none of the texts.
        """
        elsewhere = " ".join(self._elsewhere())
        large = self.answer in LARGE_PLACES
        fit = [
            peer
            for peer in self.peers
            if NAME.fullmatch(peer) and not NO_NAME.match(peer) and (peer in LARGE_PLACES) == large
        ]
        near = (peer for peer in fit if re.search(rf"\b{re.escape(peer)}\b", elsewhere))
        return (
            self._pick(near, random)
            or self.other_name(random, person=self.question.startswith("Who"))
            or self._pick((peer for peer in fit if not self._mentions(peer)), random)
        )

    def _mentions(self, name: str) -> bool:
        return any(name in text for text in self.texts)

    def _words_before(self) -> Iterable[str]:
        for text in self.texts:
            for match in re.finditer(re.escape(self.answer), text):
                if word := _word_before(text, match.start()):
                    yield word

    def _elsewhere(self) -> Iterable[str]:
        words = {word for word in re.findall(r"\w+", self.answer) if len(word) > 3}
        for text in self.texts:
            for start, end in sentences_of(text):
                if not words & set(re.findall(r"\w+", text[start:end])):
                    yield text[start:end]

    def _alike(self, names: Iterable[str]) -> Iterable[str]:
        words = len(self.answer.split())
        for name in names:
            bare = STARTS_SENTENCE.sub("", name).rstrip(".,'’").removesuffix("'s")
            if len(bare) > 3 and not NO_NAME.match(bare) and abs(len(bare.split()) - words) <= 1:
                yield bare

    def _pick(self, values: Iterable[str], random: Random) -> str | None:
        asked = self.question.casefold()
        fit: Sequence[str] = [
            value
            for value in dict.fromkeys(values)
            if value.casefold() not in asked
            and not any(_nested(value, answer) for answer in self.answers)
        ]
        return random.choice(fit) if fit else None


def _nested(one: str, other: str) -> bool:
    """Tell if one is a part of the other, or all its words are words of the other."""
    a, b = set(one.casefold().split()), set(other.casefold().split())
    return a <= b or b <= a or one.casefold() in other.casefold()


def _word_before(text: str, start: int) -> str:
    """The word before a place; "" where a sentence begins."""
    match = re.search(r"([a-z]+) (?:the )?[\"“]?$", text[max(0, start - 30) : start])
    return match[1] if match else ""


WORDS = 22
"""Longer questions are left alone: the rules often misread them."""
LATEST = 2021
"""A later year is after anything in the texts, which gives the answer away."""
AUXILIARY = r"did|was|were|is|are|does|do|has|had"
TIME = re.compile(
    r"(?:When|(?:In )?(?:what|which) (?:year|month)|(?:On )?(?:what|which) (?:date|day)) "
    rf"(?P<aux>{AUXILIARY}) (?P<rest>.+?)\s*\?",
    re.IGNORECASE,
)
PLACE = re.compile(
    r"(?:Where|In (?:what|which) (?:city|town|village|country|state|county|region"
    r"|province|borough|district|continent)) "
    rf"(?P<aux>{AUXILIARY}) (?P<rest>.+?)\s*\?",
    re.IGNORECASE,
)
ENDS_IN = re.compile(r" (?:from|to|in|at|for)$")
AT = re.compile(
    r"(?:University|College|School|Stadium|Park|Airport|Hall|Church|Arena|Museum|Hotel)$"
)
DATED = re.compile(
    r"(?:ed|built|born|made) (?:that|who|which|where|by which|in which)\b"
    r"|\b(?:\d{4}|when|while|during|after|before|born in)\b"
)
"""After these, a time would be read as that of something else."""
SUBJECT = re.compile(
    r"Who (?P<verb>wrote|won|founded|directed|created|invented|discovered|designed|composed|painted"
    r"|defeated|killed|succeeded|replaced|produced|led|built|coached|scored|owns|owned|married"
    r"|established|developed|recorded|published|commanded|became|took|beat|threw|caught|kicked)"
    r" (?P<rest>.+?)\s*\?"
)
THE_ONE = re.compile(
    r"(?:Who|What) (?P<aux>is|was) "
    r"(?P<rest>(?:the|his|her|its)\b.+?|[A-Z]\S*(?: [A-Z]\S*)*'s? .+?)\s*\?"
)
NO_SUBJECT = r"(?= (?:\w+ed|known|born|built|written|made|held|once|also|the first) )"
ONE_THAT = re.compile(
    rf"(?:Which|What) (?P<noun>[a-z]+(?: [a-z]+)?) (?P<verb>(?:was|is){NO_SUBJECT}|won|has|had"
    r"|became|wrote|founded|directed|created|hosted|owns|owned|produced|released|led|published"
    r"|defeated) (?P<rest>.+?)\s*\?"
)
OPEN_END = re.compile(
    r" (?:for|in|from|by|of|to|with|on|at|as|about|called|\w+ed|known|born|like)$"
)
CHOICE = re.compile(r"[,:].* or ")
PLURAL = re.compile(r"(?:[^s]s|people|members|men|women|two|three)\b")


@dataclass(frozen=True, slots=True)
class YesNoClaim:
    """A question that the texts answer with yes, and one that they answer with no."""

    yes: str
    no: str


ClaimRule = Callable[[AnsweredQuestion, Random], YesNoClaim | None]


def when(asked: AnsweredQuestion, random: Random) -> YesNoClaim | None:
    """When did REST? → Did REST in 1958? and, for years, Did REST before 1960?"""
    match, written = TIME.fullmatch(asked.question), DateFormat.of(asked.answer)
    if not match or not written or DATED.search(match["rest"]) or is_long(asked):
        return None
    start = f"{match['aux'].capitalize()} {match['rest']}"
    preposition = "on" if written is DateFormat.DAY else "in"
    if ENDS_IN.search(start):
        return None
    if written is DateFormat.YEAR and random.random() < 0.5:
        year, steps = int(asked.answer), (1, 2, 3, 5, 8, 10, 15, 20)
        step = random.choice([step for step in steps if year + step <= LATEST] or steps[:1])
        before, after = f"{start} before {{}}?", f"{start} after {{}}?"
        form, sign = random.choice(((before, 1), (after, -1)))
        return YesNoClaim(form.format(year + sign * step), form.format(year - sign * step))
    other = asked.other_date(written, random)
    if not other:
        return None
    return YesNoClaim(f"{start} {preposition} {asked.answer}?", f"{start} {preposition} {other}?")


def where(asked: AnsweredQuestion, random: Random) -> YesNoClaim | None:
    """Where was REST? → Was REST in Paris?"""
    match = PLACE.fullmatch(asked.question)
    if not match or not is_name(asked.answer) or is_long(asked):
        return None
    other = asked.other_place(random)
    if not other:
        return None
    start = f"{match['aux'].capitalize()} {match['rest']}"
    if ENDS_IN.search(start):
        return YesNoClaim(f"{start} {asked.answer}?", f"{start} {other}?")
    return YesNoClaim(
        f"{start} {_at(asked.answer)} {asked.answer}?", f"{start} {_at(other)} {other}?"
    )


def who(asked: AnsweredQuestion, random: Random) -> YesNoClaim | None:
    """Who wrote REST? → Was it Ada Quill who wrote REST?"""
    if not is_name(asked.answer) or is_long(asked) or CHOICE.search(asked.question):
        return None
    form = None
    if match := SUBJECT.fullmatch(asked.question):
        form = f"Was it {{}} who {match['verb']} {match['rest']}?"
    elif (match := THE_ONE.fullmatch(asked.question)) and one_thing(match["rest"]):
        form = f"{match['aux'].capitalize()} {{}} {match['rest']}?"
    elif (match := ONE_THAT.fullmatch(asked.question)) and not PLURAL.search(match["noun"]):
        form = f"Was {{}} the {match['noun']} that {match['verb']} {match['rest']}?"
    person = asked.question.startswith("Who ")
    other = asked.other_name(random, person=person) if form else None
    if not form or not other or "{" in asked.question:
        return None
    return YesNoClaim(form.format(asked.answer), form.format(other))


def one_thing(rest: str) -> bool:
    """Tell if these words name one thing, with nothing missing at the end."""
    return not PLURAL.search(rest[:40]) and not OPEN_END.search(rest)


def _at(place: str) -> str:
    return "at" if AT.search(place) else "in"


def is_name(text: str) -> bool:
    """Tell if an answer is a short name."""
    return bool(NAME.fullmatch(text)) and len(text.split()) <= 5


def is_long(asked: AnsweredQuestion) -> bool:
    """Tell if a question is too long, or more than one."""
    return len(asked.question.split()) > WORDS or asked.question.count("?") != 1


PARTICIPLE = (
    "founded|established|formed|created|published|released|built|launched|started|opened|introduced"
    "|made|directed|produced|written|recorded|completed|incorporated|discovered|constructed"
)
PAST = {
    "launched": "launch",
    "debuted": "debut",
    "premiered": "premiere",
    "started": "start",
    "opened": "open",
    "began": "begin",
    "came out": "come out",
    "died": "die",
    "formed": "form",
    "aired": "air",
}
COMPARATIVE = (
    "older|younger|larger|bigger|smaller|taller|longer|shorter|higher|deeper|wider|heavier|faster"
    "|(?:further|farther) (?:north|south|east|west)|more (?:populous|common|recent)"
)
FIRST, LAST = "first|earlier", "later|last|more recently"
PREDICATES = tuple(
    (re.compile(pattern), template)
    for pattern, template in (
        (rf"(?:was|is|were) born (?:{FIRST})", "Was {a} born before {b}?"),
        (rf"(?:was|is|were) born (?:{LAST})", "Was {a} born after {b}?"),
        (r"(?:has )?lived longer", "Did {a} live longer than {b}?"),
        (
            rf"(?:was|is) (?:first )?(?P<verb>{PARTICIPLE}) (?:{FIRST})",
            "Was {a} {verb} before {b}?",
        ),
        (rf"(?:was|is) (?:first )?(?P<verb>{PARTICIPLE}) (?:{LAST})", "Was {a} {verb} after {b}?"),
        (rf"(?P<past>{'|'.join(PAST)}) (?:{FIRST})", "Did {a} {past} before {b}?"),
        (rf"(?P<past>{'|'.join(PAST)}) (?:{LAST})", "Did {a} {past} after {b}?"),
        (rf"(?P<is>is|was) (?P<verb>{COMPARATIVE})", "{is} {a} {verb} than {b}?"),
        (r"(?:has|have) more (?P<verb>\w+(?: \w+)?)", "Does {a} have more {verb} than {b}?"),
        (r"had more (?P<verb>\w+(?: \w+)?)", "Did {a} have more {verb} than {b}?"),
        (
            rf"has the director (?:who )?(?:was |is )?born (?:{FIRST})",
            "Was the director of {a} born before the director of {b}?",
        ),
        (
            rf"has the director (?:who )?(?:was |is )?born (?:{LAST})",
            "Was the director of {a} born after the director of {b}?",
        ),
        (
            rf"has the director (?:who )?died (?:{FIRST})",
            "Did the director of {a} die before the director of {b}?",
        ),
        (
            rf"has the director (?:who )?died (?:{LAST})",
            "Did the director of {a} die after the director of {b}?",
        ),
        (
            r"has the director who is (?P<verb>older|younger)(?: than the other)?",
            "Is the director of {a} {verb} than the director of {b}?",
        ),
    )
)
ASKED = re.compile(
    r"(?:Which|Who|What)(?: \w+){0,3}? (?P<rest>(?:is|was|were|has|had|have|"
    rf"lived|{'|'.join(PAST)})\b.*)"
)
TWO = re.compile(r"\s*[,:]?\s*(?:out of |between )?(?P<a>\S.*?),? (?:or|and) (?P<b>\S.*?)\s*\?*\s*")
EITHER = re.compile(
    r"(?P<is>Is|Was|Are|Were) (?P<a>[A-Z].*?) or (?P<b>.*?) (?P<how>born .*|\w+.*?)\s*\?"
)
PROPERTY = re.compile(
    r"(?:Which|Who)(?: [a-z]+){0,2} (?P<is>is|was) (?P<what>[^,]+), "
    r"(?P<a>[^,]+),? or (?P<b>[^,]+?)\s*\?"
)
UNFIT = re.compile(
    rf"\b(?:or|and|other|both|following|two|first|last|earlier|later|more|most|closer|{COMPARATIVE})\b"
    r"|\b\w+er$|\b\w+est\b"
)
BORN = "date of birth"
YEAR = re.compile(r"\b\d{4}\b")


def compared(asked: AnsweredQuestion, random: Random) -> YesNoClaim | None:
    """Who is older, A or B? → Is A older than B?"""
    return _known(asked) or _either(asked) or _property(asked)


def both(asked: AnsweredQuestion, random: Random) -> YesNoClaim | None:
    """Two people's dates of birth → Were both A and B born before 1900?"""
    years = {
        who: int(year.group())
        for who, what, which in asked.facts
        if what == BORN and (year := YEAR.search(which))
    }
    if len(years) != 2:
        return None
    (a, first), (b, second) = sorted(years.items(), key=lambda item: item[1])
    if second - first < 8:
        return None
    middle = random.randint(first + 2, second - 2)
    if random.random() < 0.5:
        return YesNoClaim(
            f"Were both {a} and {b} born before {second + random.randint(2, 15)}?",
            f"Were both {a} and {b} born before {middle}?",
        )
    return YesNoClaim(
        f"Were both {a} and {b} born after {first - random.randint(2, 15)}?",
        f"Were both {a} and {b} born after {middle}?",
    )


def _known(asked: AnsweredQuestion) -> YesNoClaim | None:
    text = asked.question.replace("whose director", "has the director who")
    whole = ASKED.fullmatch(text)
    if not whole:
        return None
    for predicate, template in PREDICATES:
        match = predicate.match(whole["rest"])
        two = match and TWO.fullmatch(whole["rest"], match.end())
        if match and two:
            return _claim(asked, two["a"], two["b"], template, match.groupdict())
    return None


def _either(asked: AnsweredQuestion) -> YesNoClaim | None:
    match = EITHER.fullmatch(asked.question)
    if not match:
        return None
    how = match["how"]
    if re.fullmatch(COMPARATIVE, how):
        return _claim(asked, match["a"], match["b"], f"{match['is']} {{a}} {how} than {{b}}?", {})
    if born := re.fullmatch(rf"(born|{PARTICIPLE}) (?:{FIRST})", how):
        return _claim(asked, match["a"], match["b"], f"Was {{a}} {born[1]} before {{b}}?", {})
    return None


def _property(asked: AnsweredQuestion) -> YesNoClaim | None:
    match = PROPERTY.fullmatch(asked.question)
    if not match or UNFIT.search(match["what"]):
        return None
    return _claim(
        asked, match["a"], match["b"], f"{match['is'].title()} {{a}} {match['what'].strip()}?", {}
    )


def _claim(
    asked: AnsweredQuestion, a: str, b: str, template: str, parts: dict[str, str | None]
) -> YesNoClaim | None:
    if not (_is_thing(a) and _is_thing(b)):
        return None
    chosen = [_names(asked.answer, name) for name in (a, b)]
    if chosen[0] == chosen[1]:
        return None
    right, wrong = (a, b) if chosen[0] else (b, a)
    words = {name: part or "" for name, part in parts.items()}
    if "past" in words:
        words["past"] = PAST[words["past"]]
    if "is" in words:
        words["is"] = words["is"].title()
    yes, no = (template.format(a=x, b=y, **words) for x, y in ((right, wrong), (wrong, right)))
    return YesNoClaim(yes.replace("??", "?"), no.replace("??", "?"))


def _is_thing(text: str) -> bool:
    """One thing with a name; several ("Indians") would need another verb."""
    if len(text.split()) > 8 or " or " in text or re.fullmatch(r"\w+[^s]s", text):
        return False
    if re.search(r"\d+ to \d+|\bolds\b", text):
        return False
    return text[0].isupper() or not text[0].isalpha() or text.startswith(("the ", "his ", "her "))


def _names(answer: str, name: str) -> bool:
    a, b = set(re.findall(r"\w+", answer.casefold())), set(re.findall(r"\w+", name.casefold()))
    return bool(a) and bool(b) and (a <= b or b <= a)


NO_UNIT = r"(?!(?:more|fewer|less|percent|total|of|in)\b)"
MANY = rf"How many (?P<what>{NO_UNIT}[\w'-]+(?: [\w'-]+){{0,3}}?)"
VERB = (
    "have|score|win|kick|throw|make|catch|gain|lose|play|run|complete|receive|release|sell|record"
    "|serve|spend|write|publish|own|last|produce|hold|contain|include|cover|kill|employ|cost|earn"
    "|sign|build|operate|visit|start|appear|take|finish|rule|reign|live|work|stay|attend|get|give|combine"
)
ANY_VERB = re.compile(rf"\b(?:{VERB})\b")
OBJECT = re.compile(
    rf"{MANY} (?P<aux>did|does|do) (?P<subject>.+?) (?P<verb>{VERB})(?P<rest>(?: .+?)?)\s*\?"
)
PASSIVE = re.compile(rf"{MANY} (?P<aux>were|are) (?P<rest>(?!there\b)[^?]+?)\s*\?")
THERE = re.compile(rf"{MANY} (?P<aux>were|are) there(?P<rest>(?: .+?)?)\s*\?")
INHABITED = re.compile(
    rf"{MANY} (?P<verb>live|lived|died|attended|voted|work|worked) (?P<rest>.+?)\s*\?"
)
BASE = {"lived": "live", "died": "die", "attended": "attend", "voted": "vote", "worked": "work"}
ENDS_OPEN = re.compile(r"\b(?:by|for|of|in|on|from|with|than|to|as|at)$|^ and\b|^ \w+ed\b")
OLD = re.compile(
    r"How old (?P<aux>was|is) (?P<subject>.+?)"
    r"(?P<rest> (?:when|the year|in the year|at the time|in (?=\d{4})) ?.+?|)\s*\?"
)
LONG = re.compile(
    r"How (?P<how>long|tall|high|deep|wide|large) (?P<aux>is|was) (?P<subject>[^,]+?)\s*\?"
)
NUMBER_COMPARATIVE = {
    "long": "longer", "tall": "taller", "high": "higher",
    "deep": "deeper", "wide": "wider", "large": "larger",
}  # fmt: skip


def how_many(asked: AnsweredQuestion, random: Random) -> YesNoClaim | None:
    """How many goals did REST? → Did REST more than 3 goals?"""
    value = number_of(asked)
    if value is None or len(asked.question.split()) > WORDS or asked.question.count("?") != 1:
        return None
    if " and " in asked.answer or "{" in asked.question:
        return None
    text, form = asked.question, None
    match = OBJECT.fullmatch(text)
    if match and not ENDS_OPEN.search(match["rest"]) and not ANY_VERB.search(match["rest"]):
        aux, subject, verb = match["aux"].capitalize(), match["subject"], match["verb"]
        form = f"{aux} {subject} {verb} {{}} {match['what']}{match['rest']}?"
    elif match := THERE.fullmatch(text):
        form = f"{match['aux'].capitalize()} there {{}} {match['what']}{match['rest']}?"
    elif match := PASSIVE.fullmatch(text):
        form = f"{match['aux'].capitalize()} {{}} {match['what']} {match['rest']}?"
    elif match := INHABITED.fullmatch(text):
        past = match["verb"] in BASE
        verb = BASE.get(match["verb"], match["verb"])
        form = f"{'Did' if past else 'Do'} {{}} {match['what']} {verb} {match['rest']}?"
    if not form or (match and match["what"].endswith(" apart")):
        return None
    return _amounts(form, value, random)


def how_old(asked: AnsweredQuestion, random: Random) -> YesNoClaim | None:
    """How old was REST when …? → Was REST older than 30 when …?"""
    value = number_of(asked)
    if value is None or len(asked.question.split()) > WORDS:
        return None
    if match := OLD.fullmatch(asked.question):
        start, end = f"{match['aux'].capitalize()} {match['subject']}", match["rest"]
        step = random.randint(2, 9)
        low, high = max(value - step, 1), value + step
        older = YesNoClaim(
            f"{start} older than {low:g}{end}?", f"{start} older than {high:g}{end}?"
        )
        young = YesNoClaim(
            f"{start} younger than {high:g}{end}?", f"{start} younger than {low:g}{end}?"
        )
        return random.choice((older, young)) if low < value else None
    match = LONG.fullmatch(asked.question)
    unit = asked.answer.split(" ", 1)[1:]
    if match and unit:
        than = NUMBER_COMPARATIVE[match["how"]]
        start = f"{match['aux'].capitalize()} {match['subject']} {than} than"
        less, more = near_numbers(value, random)
        return YesNoClaim(f"{start} {less} {unit[0]}?", f"{start} {more} {unit[0]}?")
    return None


def _amounts(form: str, value: float, random: Random) -> YesNoClaim | None:
    low, high = near_numbers(value, random)
    if value < 2:  # "1 goals"
        return None
    wrong = high if low in ("0", "1") else random.choice((low, high))
    forms = [YesNoClaim(form.format(_shown(value)), form.format(wrong))]
    if low not in ("0", "1"):
        more, fewer = form.replace("{}", "more than {}"), form.replace("{}", "fewer than {}")
        forms.append(YesNoClaim(more.format(low), more.format(high)))
        forms.append(YesNoClaim(fewer.format(high), fewer.format(low)))
    return random.choice(forms)


def near_numbers(value: float, random: Random) -> tuple[str, str]:
    """A smaller and a larger number that are as round as this one."""
    if not float(value).is_integer():
        step = max(round(value * random.uniform(0.1, 0.5), 1), 0.1)
        return _shown(round(value - step, 1)), _shown(round(value + step, 1))
    whole = int(value)
    zeros = len(str(whole)) - len(str(whole).rstrip("0")) if whole else 0
    unit = 10 ** max(zeros, len(str(whole)) - 2)
    step = unit * random.randint(1, 4 if whole > 4 * unit else 1)
    return _shown(max(whole - step, 0)), _shown(whole + step)


def _shown(value: float) -> str:
    return f"{int(value):,}" if float(value).is_integer() else f"{value:g}"


def number_of(asked: AnsweredQuestion) -> float | None:
    """The value of an answer that is a number."""
    return asked.value if asked.value is not None else bare_number(asked.answer)


VERBS = "is|was|are|were|did|does|do|has|had|have|been|can|could|will|would|never|not"
NOUN = rf"(?!(?:{VERBS})\b)[a-z]+(?: (?!(?:{VERBS})\b)[a-z]+)?"
DOER = re.compile(
    rf"(?:Who|(?:What|Which) {NOUN}) (?P<verb>{'|'.join(TO_BASE)}) (?P<rest>.+?)\s*\?"
)
DONE = re.compile(
    rf"(?:Who|Whom|(?:What|Which)(?: {NOUN})?) (?P<aux>did|does|do) (?P<subject>.+?) "
    rf"(?P<verb>{TRANSITIVE})(?P<rest>(?: (?:in|on|at|for|with|during|after|before|as|to|from|by"
    r"|against|when|until|over) .+?)?)\s*\?"
)
ENDING = re.compile(
    rf"(?:Who|Whom|What|(?:What|Which) {NOUN}) (?P<aux>did|does|do|was|is) (?P<rest>.+ "
    r"(?:to|from|with|by|for|against|of|on|at|in|near|into))\s*\?"
)
LED_BY = re.compile(
    rf"(?P<prep>In|On|At|To|From|With|By|For|Of) (?:what|which) {NOUN} "
    r"(?P<aux>did|does|do|was|is|were|are) (?P<rest>.+?)\s*\?"
)
TIMES = re.compile(
    r"\b(?:year|decade|century|month|day|date|season|age|time|way|type|kind|sort|name)\b"
)
NAME_OF = re.compile(r"\bthe (?:name|title)s?\b")
NAMED = re.compile(r"What (?P<aux>is|was) the (?:name|title) of (?P<what>[^,]+?)\s*\?")
IS_THE = re.compile(
    r"(?:Who|What|Which \w+) (?P<aux>is|was) (?P<rest>(?:the|his|her|its)\b.+?)\s*\?"
)
SHARE = re.compile(
    r"What (?:percentage|percent) of (?P<who>.+?) (?P<aux>is|are|was|were) (?P<rest>.+?)\s*\?"
)
AMOUNT = re.compile(
    r"(?:What|How (?:large|high|big|great)) (?P<aux>is|was) "
    r"(?P<what>(?:the|its|his|her)\b[^,]+?)\s*\?"
)
COST = re.compile(
    r"How much (?:money )?(?P<aux>did|does|do) (?P<rest>.+ (?:cost|pay|spend|earn|make|weigh|raise"
    r"|gross|receive|sell for|donate))(?P<more>(?: (?:in|on|for|to|during|by) .+?)?)\s*\?"
)


def did_it(asked: AnsweredQuestion, random: Random) -> YesNoClaim | None:
    """Who wrote REST? → Did Ada Quill write REST? Who did REST meet? → Did REST meet Ada Quill?"""
    if unfit(asked) or NAME_OF.search(asked.question):
        return None
    text, form = asked.question, None
    if match := DOER.fullmatch(text):
        form = f"Did {{}} {TO_BASE[match['verb']]} {match['rest']}?"
    elif (match := DONE.fullmatch(text)) and not OPEN_END.search(match["rest"]):
        aux, subject, verb = match["aux"].capitalize(), match["subject"], match["verb"]
        form = f"{aux} {subject} {verb} {{}}{match['rest']}?"
    elif (match := LED_BY.fullmatch(text)) and not TIMES.search(text[: match.start("aux")]):
        form = f"{match['aux'].capitalize()} {match['rest']} {match['prep'].lower()} {{}}?"
    elif (match := ENDING.fullmatch(text)) and not TIMES.search(text[: match.start("aux")]):
        form = f"{match['aux'].capitalize()} {match['rest']} {{}}?"
    return named_claim(form, asked, random)


def is_the(asked: AnsweredQuestion, random: Random) -> YesNoClaim | None:
    """What is the name of REST? → Is REST called Marrow? Who was the REST? → Was Ada the REST?"""
    if unfit(asked):
        return None
    form = None
    if match := NAMED.fullmatch(asked.question):
        form = f"{match['aux'].capitalize()} {match['what']} called {{}}?"
    elif (match := IS_THE.fullmatch(asked.question)) and one_thing(match["rest"]):
        form = f"{match['aux'].capitalize()} {{}} {match['rest']}?"
    return named_claim(form, asked, random)


def amounts(asked: AnsweredQuestion, random: Random) -> YesNoClaim | None:
    """What is the population of REST? → Is the population of REST larger than 3,000?"""
    value = number_of(asked)
    if value is None or value <= 0 or is_long(asked) or re.fullmatch(r"\d{4}", asked.answer):
        return None
    text, form = asked.question, None
    low, high = near_numbers(value, random)
    before, _, unit = re.sub(r"\d[\d,.]*\d|\d", "\0", asked.answer, count=1).partition("\0")
    if unit == "%" or "percent" in unit:
        if match := SHARE.fullmatch(text):
            aux = match["aux"].capitalize()
            form = f"{aux} {{}} than {{}} of {match['who']} {match['rest']}?"
            pairs = ("more", "less")
        else:
            return None
    elif match := COST.fullmatch(text):
        form = f"{match['aux'].capitalize()} {match['rest']} {{}} than {{}}{match['more']}?"
        pairs = ("more", "less")
    elif (match := AMOUNT.fullmatch(text)) and not OPEN_END.search(match["what"]):
        form = f"{match['aux'].capitalize()} {match['what']} {{}} than {{}}?"
        pairs = ("higher", "lower") if random.random() < 0.5 else ("more", "less")
    if not form or low == "0" or len(unit) > 12 or len(before) > 2:
        return None
    less, more = f"{before}{low}{unit}", f"{before}{high}{unit}"
    if random.random() < 0.5:
        return YesNoClaim(form.format(pairs[0], less), form.format(pairs[0], more))
    return YesNoClaim(form.format(pairs[1], more), form.format(pairs[1], less))


def named_claim(form: str | None, asked: AnsweredQuestion, random: Random) -> YesNoClaim | None:
    """The form with the answer, and with another of its kind."""
    if form is None or form.count("{}") != 1:
        return None
    other = asked.other_of_kind(random)
    return YesNoClaim(form.format(asked.answer), form.format(other)) if other else None


def unfit(asked: AnsweredQuestion) -> bool:
    """Tell if a question's answer has no name, or the question is no simple one."""
    return (
        not is_name(asked.answer)
        or asked.answer.casefold() in asked.question.casefold()
        or asked.answer.endswith(".")
        or is_long(asked)
        or bool(CHOICE.search(asked.question))
        or "{" in asked.question
    )


RULES: tuple[ClaimRule, ...] = (
    both, compared, when, where, how_many, how_old, amounts, did_it, is_the, who,
)  # fmt: skip
TOGETHER = 1000
"""At most so many questions give each other's other values."""


def yes_no_questions(
    questions: Iterable[Question], *, seed: int, at_most: int, of_one_rule: float = 1.0
) -> Iterator[Question]:
    """Pairs of questions about the same texts, one to be answered with yes and one with no.

    Questions that no rule fits, and those of a dialog, give none. No rule makes more than its
    share of ``at_most``.
    """
    random = Random(seed)
    pairs: Counter[ClaimRule] = Counter()
    for article in _together(questions):
        kinds = answers_by_kind(article)
        for question in article:
            if 2 * pairs.total() + 2 > at_most:
                return
            claimed = _any_claim(question, kinds, random)
            if claimed is None or 2 * pairs[claimed[0]] >= of_one_rule * at_most:
                continue
            rule, claim = claimed
            pairs[rule] += 1
            yield _with_answer(question, claim.yes, Answer.yes())
            yield _with_answer(question, claim.no, Answer.no())


def _together(questions: Iterable[Question]) -> Iterator[list[Question]]:
    for _, group in groupby(questions, key=lambda q: q.context.title if q.context else ""):
        while part := list(islice(group, TOGETHER)):
            yield part


def _any_claim(
    question: Question, kinds: dict[str, tuple[str, ...]], random: Random
) -> tuple[ClaimRule, YesNoClaim] | None:
    if question.history or question.choices:
        return None
    asked = AnsweredQuestion.of(question, kinds.get(kind_of(question.text), ()))
    if asked is None:
        return None
    for rule in RULES:
        if rule is both and random.random() < 0.5:
            continue
        claim = rule(asked, random)
        if claim and claim.yes != claim.no:
            return rule, claim
    return None


def _with_answer(question: Question, text: str, answer: Answer) -> Question:
    assert question.gold is not None
    gold = replace(question.gold, answers=(answer,), given=None, acts=None)
    id_ = f"{question.id}/{answer.kind}"
    return replace(question, id=id_, text=text, gold=gold, extra={})


AHEAD = 20
"""So many more are left as they are, or chance alone would double questions of both kinds."""


def balanced(questions: Iterable[Question]) -> Iterator[Question]:
    """The questions; one is asked twice while the other answer is ahead."""
    more_yes = 0
    for question in questions:
        assert question.gold is not None
        step = 1 if question.gold.answers[0].kind is AnswerKind.YES else -1
        more_yes += step
        if more_yes * step >= -AHEAD:
            yield question
        else:
            more_yes += step
            yield from together(question, replace(question, id=f"{question.id}/again"))
