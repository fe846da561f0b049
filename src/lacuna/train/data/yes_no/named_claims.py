"""Claims from questions for a thing with a name or an amount."""

from __future__ import annotations

import re
from random import Random

from lacuna.train.data.word_lists import TO_BASE, TRANSITIVE
from lacuna.train.data.yes_no.claim_rules import (
    CHOICE,
    OPEN_END,
    YesNoClaim,
    is_long,
    is_name,
    one_thing,
)
from lacuna.train.data.yes_no.number_claims import near_numbers, number_of
from lacuna.train.data.yes_no.other_values import AnsweredQuestion

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
    """Whether a question's answer has no name, or the question is no simple one."""
    return (
        not is_name(asked.answer)
        or asked.answer.casefold() in asked.question.casefold()
        or asked.answer.endswith(".")
        or is_long(asked)
        or bool(CHOICE.search(asked.question))
        or "{" in asked.question
    )
