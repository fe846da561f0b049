"""Claims from comparisons of two things ("Who is older, A or B?")."""

from __future__ import annotations

import re
from random import Random

from lacuna.train.data.yes_no.claim_rules import YesNoClaim
from lacuna.train.data.yes_no.other_values import AnsweredQuestion

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
