"""What a claim is, and claims from questions for a time, a place or a person."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from random import Random

from lacuna.train.data.names import NAME
from lacuna.train.data.yes_no.other_values import AnsweredQuestion, DateFormat

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
    """Whether these words name one thing, with nothing missing at the end."""
    return not PLURAL.search(rest[:40]) and not OPEN_END.search(rest)


def _at(place: str) -> str:
    return "at" if AT.search(place) else "in"


def is_name(text: str) -> bool:
    """Whether an answer is a short name."""
    return bool(NAME.fullmatch(text)) and len(text.split()) <= 5


def is_long(asked: AnsweredQuestion) -> bool:
    """Whether a question is too long, or more than one."""
    return len(asked.question.split()) > WORDS or asked.question.count("?") != 1
