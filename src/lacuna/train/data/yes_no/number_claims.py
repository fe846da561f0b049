"""Claims from questions for a number."""

from __future__ import annotations

import re
from random import Random

from lacuna.train.data.iirc.answers import bare_number
from lacuna.train.data.yes_no.claim_rules import WORDS, YesNoClaim
from lacuna.train.data.yes_no.other_values import AnsweredQuestion

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
COMPARATIVE = {
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
        start = f"{match['aux'].capitalize()} {match['subject']} {COMPARATIVE[match['how']]} than"
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
