"""More questions for a thing with a name or an amount, turned into questions for yes or no."""

from __future__ import annotations

import re
from random import Random

from lacuna.train.data.yes_no.numbers import near_numbers, number_of
from lacuna.train.data.yes_no.other_values import Source
from lacuna.train.data.yes_no.rules import CHOICE, OPEN_END, Claim, is_long, is_name, one_thing

TRANSITIVE = (
    "write|win|found|direct|create|invent|discover|design|compose|paint|defeat|kill|succeed|replace"
    "|produce|lead|build|coach|own|marry|establish|develop|record|publish|command|beat|join|attend"
    "|release|sign|meet|visit|buy|purchase|acquire|sell|leave|enter|support|study|teach|capture"
    "|conquer|invade|attack|choose|appoint|play|use|introduce|host|perform|receive|adopt|call|blame"
    "|oppose|represent|rule|govern|speak|worship|export|import|border|cross|contain|include|employ"
    "|hire|fight|elect|endorse|reject|sponsor|promote|portray|ask|see|want|like|influence|occupy"
)
TO_BASE = {
    "wrote": "write", "won": "win", "founded": "found", "directed": "direct", "created": "create",
    "invented": "invent", "discovered": "discover", "designed": "design", "composed": "compose",
    "painted": "paint", "defeated": "defeat", "killed": "kill", "succeeded": "succeed",
    "replaced": "replace", "produced": "produce", "led": "lead", "built": "build",
    "coached": "coach", "owned": "own", "married": "marry", "established": "establish",
    "developed": "develop", "recorded": "record", "published": "publish", "took": "take",
    "commanded": "command", "became": "become", "beat": "beat", "threw": "throw",
    "caught": "catch", "kicked": "kick", "scored": "score", "introduced": "introduce",
    "proposed": "propose", "argued": "argue", "claimed": "claim", "wanted": "want",
    "signed": "sign", "ordered": "order", "hosted": "host", "sang": "sing", "gave": "give",
    "made": "make", "said": "say", "described": "describe", "captured": "capture",
    "conquered": "conquer", "opposed": "oppose", "purchased": "purchase", "bought": "buy",
    "sold": "sell", "called": "call", "performed": "perform", "received": "receive",
    "started": "start", "began": "begin", "helped": "help", "ruled": "rule", "wished": "wish",
    "played": "play", "sent": "send", "left": "leave", "died": "die", "lost": "lose",
    "invaded": "invade", "attacked": "attack", "taught": "teach", "supported": "support",
    "controlled": "control", "used": "use", "announced": "announce", "appointed": "appoint",
    "held": "hold", "ran": "run", "worked": "work", "declared": "declare", "formed": "form",
    "released": "release", "joined": "join", "translated": "translate", "suggested": "suggest",
    "moved": "move", "believed": "believe", "paid": "pay", "acquired": "acquire",
}  # fmt: skip
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


def did_it(source: Source, random: Random) -> Claim | None:
    """Who wrote REST? → Did Ada Quill write REST? Who did REST meet? → Did REST meet Ada Quill?"""
    if unfit(source) or NAME_OF.search(source.question):
        return None
    text, form = source.question, None
    if found := DOER.fullmatch(text):
        form = f"Did {{}} {TO_BASE[found['verb']]} {found['rest']}?"
    elif (found := DONE.fullmatch(text)) and not OPEN_END.search(found["rest"]):
        aux, subject, verb = found["aux"].capitalize(), found["subject"], found["verb"]
        form = f"{aux} {subject} {verb} {{}}{found['rest']}?"
    elif (found := LED_BY.fullmatch(text)) and not TIMES.search(text[: found.start("aux")]):
        form = f"{found['aux'].capitalize()} {found['rest']} {found['prep'].lower()} {{}}?"
    elif (found := ENDING.fullmatch(text)) and not TIMES.search(text[: found.start("aux")]):
        form = f"{found['aux'].capitalize()} {found['rest']} {{}}?"
    return named_claim(form, source, random)


def is_the(source: Source, random: Random) -> Claim | None:
    """What is the name of REST? → Is REST called Marrow? Who was the REST? → Was Ada the REST?"""
    if unfit(source):
        return None
    form = None
    if found := NAMED.fullmatch(source.question):
        form = f"{found['aux'].capitalize()} {found['what']} called {{}}?"
    elif (found := IS_THE.fullmatch(source.question)) and one_thing(found["rest"]):
        form = f"{found['aux'].capitalize()} {{}} {found['rest']}?"
    return named_claim(form, source, random)


def amounts(source: Source, random: Random) -> Claim | None:
    """What is the population of REST? → Is the population of REST larger than 3,000?"""
    value = number_of(source)
    if value is None or value <= 0 or is_long(source) or re.fullmatch(r"\d{4}", source.answer):
        return None
    text, form = source.question, None
    low, high = near_numbers(value, random)
    before, _, unit = re.sub(r"\d[\d,.]*\d|\d", "\0", source.answer, count=1).partition("\0")
    if unit == "%" or "percent" in unit:
        if found := SHARE.fullmatch(text):
            aux = found["aux"].capitalize()
            form = f"{aux} {{}} than {{}} of {found['who']} {found['rest']}?"
            pairs = ("more", "less")
        else:
            return None
    elif found := COST.fullmatch(text):
        form = f"{found['aux'].capitalize()} {found['rest']} {{}} than {{}}{found['more']}?"
        pairs = ("more", "less")
    elif (found := AMOUNT.fullmatch(text)) and not OPEN_END.search(found["what"]):
        form = f"{found['aux'].capitalize()} {found['what']} {{}} than {{}}?"
        pairs = ("higher", "lower") if random.random() < 0.5 else ("more", "less")
    if not form or low == "0" or len(unit) > 12 or len(before) > 2:
        return None
    less, more = f"{before}{low}{unit}", f"{before}{high}{unit}"
    if random.random() < 0.5:
        return Claim(form.format(pairs[0], less), form.format(pairs[0], more))
    return Claim(form.format(pairs[1], more), form.format(pairs[1], less))


def named_claim(form: str | None, source: Source, random: Random) -> Claim | None:
    """The form with the answer, and with another of its kind."""
    if form is None or form.count("{}") != 1:
        return None
    other = source.other_of_kind(random)
    return Claim(form.format(source.answer), form.format(other)) if other else None


def unfit(source: Source) -> bool:
    """Whether a question's answer has no name, or the question is no simple one."""
    return (
        not is_name(source.answer)
        or source.answer.casefold() in source.question.casefold()
        or source.answer.endswith(".")
        or is_long(source)
        or bool(CHOICE.search(source.question))
        or "{" in source.question
    )
