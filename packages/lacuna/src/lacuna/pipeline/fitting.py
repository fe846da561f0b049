"""What kind of thing a question asks for, and how well the text of an answer fits it."""

from __future__ import annotations

import re
from collections.abc import Callable
from enum import StrEnum
from functools import lru_cache
from statistics import fmean

from lacuna.english import AUXILIARY_PATTERN
from lacuna.models.reader.decode import asks_yes_or_no
from lacuna.quantities.find_quantities import MONTH, QuantityKind, find_quantities
from lacuna.quantities.measures import Dimension, find_measures
from lacuna.text import content_stems
from lacuna.types import Answer, AnswerKind


class ExpectedKind(StrEnum):
    """What an answer has to be, to be one."""

    PERSON = "person"
    PLACE = "place"
    DATE = "date"
    DURATION = "duration"
    FREQUENCY = "frequency"
    NUMBER = "number"
    """A count or a number that names something: a port, a version."""
    AMOUNT = "amount"
    """A number of a unit: a height, a price, a share."""
    YES_NO = "yes or no"
    LIST = "list"
    DEFINITION = "definition"
    REASON = "reason"
    METHOD = "method"
    OTHER = "other"


COUNT_WORD = (
    r"(?:[0-9]{1,3}|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|thirteen|fourteen"
    r"|fifteen)"
)
_NUMBER_NOUN = (
    r"(?:number|port|version|age|count|uid|gid|(?:exit |status |return |error |area |zip "
    r"|post)?code"
    r"|(?:exit|return) status|line number|rank|score)"
)
_AMOUNT_NOUN = (
    r"(?:percentage|percent|proportion|share|size|population|height|width|depth|length|weight|mass"
    r"|price|cost|salary|fee|fine|budget|revenue|income|temperature|speed|distance|altitude"
    r"|elevation|amount|rate|capacity|density|volume|diameter|radius|limit|stipend|allowance)"
)
_DURATION_NOUN = (
    r"(?:time ?out|duration|period|interval|delay|retention|time limit|lifetime|life span|lifespan"
    r"|waiting time|deadline|time span|term of office|notice period)"
)
_PLACE_NOUN = (
    r"(?:city|cities|country|countries|town|village|state|province|region|county|district|continent"
    r"|island|place|location|capital|river|mountain|ocean|sea|lake|street|address|directory|folder"
    r"|birthplace|headquarters|neighbou?rhood|borough|building|stadium|university|school)"
)
_DATE_NOUN = r"(?:year|date|day|month|decade|century|weekday|birthday|season)"
PERSON_NOUN = (
    r"(?:person|man|woman|author|king|queen|president|actor|actress|singer|player|scientist"
    r"|engineer|inventor|painter|writer|poet|composer|emperor|pope|governor|minister|ceo|cto|coach"
    r"|director|architect|explorer|philosopher|founder|general|mayor)"
)
_QUALITY = r"(?:(?:the|its|their|default|maximum|minimum|total|average|current|\w+est) )*"
_SOME = r"(?:(?!an?\b)[\w-]+ ){0,2}?"
_NAME_OF = rf"(?:what|which) (?:{AUXILIARY_PATTERN} {_QUALITY}{_SOME}|{_QUALITY}(?:[\w-]+ )?)"
_OF_WHAT = r"(?:of|in|on|at|to|from|by|for|with|during|under|since|until|into|through|as) "

_PLURAL = (
    r"(?!(?:\w+(?:ss|us|is)|does|was|has|news|series|species|analysis|lens|status|this|gas|bus"
    r"|thousands|hundreds|millions)\b)"
    r"(?:[\w-]{2,}s|people|men|women|children|criteria|phenomena|media)"
)
_INSIDE = rf"(?!{AUXILIARY_PATTERN}\b|(?:the|a|an|of|in|on|at|to|for|and|or)\b|\w+ed\b)[\w./-]+"
_A_LIST = (
    rf"(?:what|which|who) (?:are|were) (?:all |some |each )?(?:of )?(?:the|its|their|some"
    rf"|[\w-]+['’]s?|{COUNT_WORD})\b(?: [\w./'’-]+){{0,5}}? {_PLURAL}\b",
    rf"(?:what|which|who) (?:are|were) (?:the )?{COUNT_WORD}\b",
    rf"(?:name|list|enumerate|give|tell me|mention|state)\b(?: me)?"
    rf" (?:the|all|some|every|[\w.-]+['’]s?|{COUNT_WORD})(?: [\w./'’-]+){{0,5}}? {_PLURAL}\b",
    rf"(?:{_OF_WHAT})?(?:what|which)(?: of the)? (?:other )?{COUNT_WORD}\b",
    rf"(?:{_OF_WHAT})?(?:what|which)(?: {_INSIDE}){{1,3}} {_PLURAL}\b(?!['’])"
    # "Which command deletes …" ends in an s as well: only a plural goes on so.
    rf"(?: {AUXILIARY_PATTERN}\b| of\b| [\w-]+ed\b)",
    # A plural name is mostly of the next word: "Which Giants player …".
    rf"(?:{_OF_WHAT})?which (?-i:(?=[a-z])){_PLURAL}\b(?!['’])",
    rf"(?:{_OF_WHAT})?what {_PLURAL}\b(?!['’])(?: {AUXILIARY_PATTERN}\b| of\b| [\w-]+ed\b)",
    r"what (?:kinds|types|sorts|forms|classes) of\b",
)
_DEFINED = (
    r"(?:define|explain|describe)\b",
    r"what (?:does|do|did) .+ (?:do|mean|stand for|refer to|represent)\W*$",
    r"what (?:is|are|was|were) .+ (?:for|used for|about|good for)\W*$",
    r"what (?:is|are|was) meant by\b",
    r"what (?:is|are|was|were) the (?:purpose|role|function|meaning|definition|idea|point|task"
    r"|goal|aim|job) of\b",
)
# "What is a sextant?": a thing alone, with nothing said about it.
_NOT_ALONE = (
    r"of|in|on|at|by|to|that|which|who|when|if|between|from|with|during|for|example|another|common"
    r"|name|title|default|called|named|known|\w+est|most|first|last|only|main|new|current"
)
_A_THING = (
    rf"what(?:['’]s| is| are| was| were) (?:an? |the )?"
    rf"(?:(?!(?:{_NOT_ALONE})\b)['\"‘“]?[^\s?'’]+['\"’”]?(?:\s|\W*$)){{1,4}}\W*$"
    r"|who (?:is|was) (?!the\b)(?-i:(?:[A-Z][\w.-]* ?){1,4})\W*$"
)

_RULES: tuple[tuple[ExpectedKind, str], ...] = (
    (ExpectedKind.FREQUENCY, r"how (?:often|frequently|regularly)\b"),
    (
        ExpectedKind.AMOUNT,
        r"how long (?:is|are|was|were) (?!.*\b(?:allowed|kept|stored|valid|supposed|retained|on"
        r"|expected|considered|needed|open)\b)",
    ),
    (ExpectedKind.DURATION, r"(?:for |since |in )?how long\b|how much time\b"),
    (ExpectedKind.NUMBER, r"(?:\w+ ){0,2}?how many\b"),
    (
        ExpectedKind.AMOUNT,
        r"(?:\w+ )?how (?:much|old|far|high|tall|large|big|deep|wide|heavy|fast|hot|cold|thick"
        r"|small|slow|steep|loud|strong|expensive|late|early)\b",
    ),
    (ExpectedKind.METHOD, r"how\b|(?:in )?(?:what|which) (?:way|manner)\b"),
    (
        ExpectedKind.REASON,
        r"why\b|for (?:what|which) reason\b|what (?:is|was|are) the (?:reason|cause)",
    ),
    (ExpectedKind.REASON, r"what (?:caused|causes|made|makes|led|leads)\b"),
    (ExpectedKind.LIST, "|".join(_A_LIST)),
    (ExpectedKind.DEFINITION, "|".join(_DEFINED)),
    (ExpectedKind.DURATION, rf"what (?:is|was|are|were) {_QUALITY}{_SOME}{_DURATION_NOUN}\b"),
    (
        ExpectedKind.DATE,
        rf"(?:since |until |till |by )?when\b|(?:{_OF_WHAT})?(?:what|which) (?:[\w-]+ )?"
        rf"{_DATE_NOUN}\b|(?:{_OF_WHAT})?what time\b|what (?:is|was) the (?:[\w-]+ )?date\b",
    ),
    (
        ExpectedKind.PLACE,
        rf"(?:from |to )?where\b|(?:{_OF_WHAT})(?:what|which) (?:\w+ )?{_PLACE_NOUN}\b",
    ),
    (ExpectedKind.PLACE, rf"(?:what|which) (?:is the |was the )?(?:[\w-]+ )?{_PLACE_NOUN}\b"),
    (ExpectedKind.NUMBER, rf"(?:{_OF_WHAT})?{_NAME_OF}{_NUMBER_NOUN}\b(?! of (?!\w+s\b|the\b))"),
    (ExpectedKind.AMOUNT, rf"(?:{_OF_WHAT})?{_NAME_OF}{_AMOUNT_NOUN}\b"),
    (ExpectedKind.DEFINITION, _A_THING),
    (ExpectedKind.PERSON, rf"(?:{_OF_WHAT})?(?:who|whom|whose)\b"),
    (ExpectedKind.PERSON, rf"(?:{_OF_WHAT})?(?:what|which) (?:[\w-]+ )?{PERSON_NOUN}\b"),
)
_BY_RULE = tuple((kind, re.compile(rf"(?:{rule})", re.IGNORECASE)) for kind, rule in _RULES)
_ASKING = re.compile(
    rf"(?:{_OF_WHAT})?(?:how many|how much|how|what|which|who|whom|whose|when|where|why)\b",
    re.IGNORECASE,
)


@lru_cache(maxsize=64)
def expected_kind(question: str) -> ExpectedKind:
    """What the form of a question asks for; OTHER where the form does not tell.

    >>> expected_kind("How long may a visitor stay?").value
    'duration'
    >>> expected_kind("In 1950, who led the guild?").value
    'person'
    >>> expected_kind("Which three rivers meet at Osk?").value
    'list'
    """
    asked = question.strip(" \t\n\"'“”")
    if asks_yes_or_no(asked):
        return ExpectedKind.YES_NO
    for start in _starts(asked):
        for kind, rule in _BY_RULE:
            if rule.match(asked, start):
                return kind
    return ExpectedKind.OTHER


def _starts(question: str) -> list[int]:
    """Where the asking may begin: at the front, else at the question word further inside."""
    inside = _ASKING.search(question)
    return [0] if inside is None or not inside.start() else [0, inside.start()]


UNDECIDED = 0.5
"""Of an answer to a question whose form asks for nothing in particular."""
_SHORT = 7
"""Words up to which a name, a date or a number is as short as it should be."""

_WORDS = re.compile(r"[^\s|]+")
_CAPITAL = re.compile(r"\b[A-Z][\w'’.-]*")
_DIGIT = re.compile(r"[0-9]")
_PRONOUN = re.compile(r"(?:he|she|it|they|him|her|them|this|that|you|we|i)$", re.IGNORECASE)
_PEOPLE = re.compile(
    r"\b(?:\w{2,}(?:ers?|ors?|ists?|ants?|ees?|ians?)|men|women|man|woman|people|team|members?"
    r"|users?"
    r"|chief|head|king|queen|president|staff|company|group|committee|government)\b",
    re.IGNORECASE,
)
_PATH = re.compile(r"(?:^|\s)(?:~|\.{0,2})/[\w.~$-]|https?://|\b[\w-]+\.[a-z]{2,5}\b|\w/\w|\w\\\w")
_WHERE = re.compile(
    r"(?:in|at|on|near|under|over|behind|inside|outside|along|within|around|from|between|north"
    r"|south"
    r"|east|west|above|below|next)\b",
    re.IGNORECASE,
)
_CALENDAR = re.compile(
    rf"\b{MONTH}\b|(?i:\b(?:mon|tues|wednes|thurs|fri|satur|sun)day\b|\b(?:centur(?:y|ies)"
    rf"|millennium|BP)\b"
    r"|\b(?:spring|summer|autumn|winter|today|yesterday|tomorrow|midnight|noon|easter|christmas)\b"
    r"|\b[0-9]{1,2}(?::[0-9]{2})? ?[ap]\.?m\b|\b[0-9]{1,2}:[0-9]{2}\b|\b[0-9]{3,4}0s\b)"
)
_AN_EVENT = re.compile(
    r"(?:when|after|before|during|until|since|once|as soon as|at the (?:end|beginning|start)"
    r"|upon)\b",
    re.IGNORECASE,
)
_TIME_WORD = re.compile(
    r"\b(?:seconds?|minutes?|hours?|days?|weeks?|months?|years?|decades?|centur(?:y|ies)"
    r"|nights?)\b",
    re.IGNORECASE,
)
_ENDLESS = re.compile(
    r"\b(?:forever|indefinitely|permanently|until|always|never|life)\b", re.IGNORECASE
)
_EVERY = re.compile(
    r"\b(?:every|each|per|once|twice|times|hourly|daily|weekly|monthly|quarterly|annually|yearly"
    r"|bi-?weekly|biannually|always|never|rarely|often|continuously|regularly|annual|biennial)\b",
    re.IGNORECASE,
)
_ANY_NUMBER = re.compile(
    r"\b(?:no|none|zero|several|many|few|both|single|dozens|hundreds|half"
    r"|twice|double|\w+fold)\b",
    re.IGNORECASE,
)
_OFFICE = re.compile(
    r"\b(?:officer|director|manager|president|chair(?:man|woman|person)?|secretary|engineer"
    r"|administrator|owner|maintainer|leader|team|department|committee)s?\W*$",
    re.IGNORECASE,
)
_BECAUSE = re.compile(
    r"\b(?:because|due to|since|so that|in order to|as a result|owing|caused|for fear)\b|^(?:to"
    r"|for)\b",
    re.IGNORECASE,
)
_BY = re.compile(r"(?:by|using|with|via|through|use|run|call|add|set|click|you)\b", re.IGNORECASE)
_JOINED = re.compile(r",|;| and | or |\n|\|")


def fits(answer: Answer, expected: ExpectedKind) -> float:
    """From 0 (cannot be what was asked for) to 1 (looks like it).

    >>> round(fits(Answer.span("15 minutes"), ExpectedKind.DURATION), 2)
    1.0
    >>> fits(Answer.span("Ellen Voss"), ExpectedKind.DURATION) < 0.2
    True
    """
    if answer.kind is AnswerKind.NONE:
        return 0.0
    says_yes_or_no = answer.kind in (AnswerKind.YES, AnswerKind.NO)
    if expected is ExpectedKind.YES_NO or says_yes_or_no:
        return 1.0 if (expected is ExpectedKind.YES_NO) is says_yes_or_no else 0.05
    if expected is ExpectedKind.OTHER or answer.kind is AnswerKind.CHOICE:
        return UNDECIDED
    if answer.kind is AnswerKind.SPANS and len(answer.texts) > 1:
        if expected is ExpectedKind.LIST:
            return 1.0
        return 0.8 * fmean(_FITTING[expected](text.strip()) for text in answer.texts)
    text = answer.text.strip()
    return _FITTING[expected](text) if text else 0.0


_PHONE = re.compile(r"(?<![\w.,-])\+?\(?\d[\d()]*(?:[ /()-]+\d+){2,}(?![\w,-])")
_ABOUT_PHONES = re.compile(
    r"\b(?:phone|telephone|call|ring|dial|number|hotline|fax|contact|reach)\w*", re.IGNORECASE
)
_AGE = re.compile(r"\bhow old\b|\b(?:what|which) age\b|\bat what age\b", re.IGNORECASE)
_HOW_MANY_OF = re.compile(r"\bhow many (?P<unit>[\w/]+(?: (?:per|an|a) \w+)?)", re.IGNORECASE)
_LENGTHS = frozenset({Dimension.LENGTH})
_DEGREES = frozenset({Dimension.CELSIUS, Dimension.FAHRENHEIT})
_MEASURED_IN: tuple[tuple[re.Pattern[str], frozenset[Dimension]], ...] = tuple(
    (re.compile(rf"\b(?:{words})\b", re.IGNORECASE), frozenset(dimensions))
    for words, dimensions in (
        (
            r"how much (?:\w+ ){0,3}?(?:cost|costs|pay|paid|earn|earns|charge)|(?:price|cost|salary"
            r"|fee|fine|budget|stipend|allowance|wage|rent)",
            {Dimension.MONEY, Dimension.PERCENT},
        ),
        (r"how (?:high|tall|deep|wide|thick)", _LENGTHS),
        (r"how far", {Dimension.LENGTH, Dimension.TIME}),
        (r"how (?:heavy|much .* weigh)", {Dimension.MASS}),
        (r"how (?:hot|cold)", _DEGREES),
        (r"(?:what|which) (?:percentage|percent|proportion)", {Dimension.PERCENT}),
    )
)
_LABEL = re.compile(r"(?P<label>[A-Za-z][\w /()-]{1,40}?) ?(?::|\|) ?\W*$")
_LABELLED = re.compile(r"(?P<label>[A-Za-z][\w /()-]{1,40}?) ?(?::|\|) ?\W{0,3}\d")
_SAME_LETTERS = 4
_AMOUNTS = (ExpectedKind.NUMBER, ExpectedKind.AMOUNT, ExpectedKind.DURATION)


def is_of_kind(answer: Answer, question: str, around: str = "", start: int = 0) -> bool:
    """Whether an answer can be what was asked for at all, by its unit, its form and its label.

    ``around`` is the text that it stands in, from ``start`` on.

    >>> is_of_kind(Answer.span("555 010 2233"), "What is the salary?")
    False
    >>> is_of_kind(Answer.span("1931"), "How old is the ferry?")
    False
    >>> is_of_kind(Answer.span("30 minutes"), "How many metres long is it?")
    False
    >>> is_of_kind(Answer.span("40 metres"), "How many metres long is it?")
    True
    >>> recipe = "Preparation time: 10 minutes. Storage time: 3 days."
    >>> stored = "How long can it be stored?"
    >>> is_of_kind(Answer.span("10 minutes"), stored, recipe, recipe.index("10"))
    False
    """
    if answer.kind not in (AnswerKind.SPAN, AnswerKind.NUMBER) or answer.expression:
        return True
    expected = expected_kind(question)
    if expected in _AMOUNTS and around and _is_of_another_label(question, around, start):
        return False
    text = f"{' '.join(answer.texts)} {answer.unit}".strip()
    if _PHONE.fullmatch(text.strip()) and not _ABOUT_PHONES.search(question):
        dated = any(quantity.date for quantity in find_quantities(text))
        return dated or expected not in _AMOUNTS
    dimensions = {measure.dimension for measure in find_measures(text)}
    if _AGE.search(question):
        return dimensions != {Dimension.DATE}
    if expected not in _AMOUNTS:
        return True
    dimensions -= {Dimension.COUNT, Dimension.DATE}
    wanted = _dimensions_wanted(question, expected)
    if wanted and dimensions and not dimensions & wanted:
        return False
    return bool(
        find_quantities(text)
        or _DIGIT.search(text)
        or _ANY_NUMBER.search(text)
        or _TIME_WORD.search(text)
        or _ENDLESS.search(text)
        or len(text.split()) > _SHORT  # a clause may say it in other words
    )


def _dimensions_wanted(question: str, expected: ExpectedKind) -> frozenset[Dimension]:
    """What the amount may be measured in; empty where the question does not tell."""
    if unit := _HOW_MANY_OF.search(question):
        named = {measure.dimension for measure in find_measures(f"1 {unit['unit']}")}
        return frozenset(named - {Dimension.COUNT})
    if expected is ExpectedKind.DURATION:
        return frozenset({Dimension.TIME})
    matching = (dimensions for words, dimensions in _MEASURED_IN if words.search(question))
    return next(matching, frozenset())


def _is_of_another_label(question: str, text: str, start: int) -> bool:
    """Whether an amount stands behind a label that the question does not name, while the amount
    of another label that it names stands in the same text."""
    own = _LABEL.search(text[max(0, start - 60) : start])
    if own is None:
        return False
    asked = _beginnings(question)
    if asked & _beginnings(own["label"]):
        return False
    return any(asked & _beginnings(other["label"]) for other in _LABELLED.finditer(text))


def _beginnings(text: str) -> set[str]:
    """The first letters of the content words: "stored" and "storage" are the same here."""
    return {stem[:_SAME_LETTERS] for stem in content_stems(text)}


def _brevity(text: str, short: int = _SHORT) -> float:
    """1 for a text of a few words, less and less for a longer one."""
    return min(1.0, short / max(1, len(_WORDS.findall(text))))


def _capitals(text: str) -> float:
    """The share of words that begin with a capital; small words inside a name do not count."""
    words: list[str] = [
        word for word in _WORDS.findall(text) if word[:1].isupper() or len(word) > 3
    ]
    capital = sum(word.strip("(\"'“‘[")[:1].isupper() for word in words)
    return capital / max(1, len(words))


def _person(text: str) -> float:
    if _PRONOUN.match(text) or (_DIGIT.search(text) and not _CAPITAL.search(text)):
        return 0.05
    score = 0.35 + 0.6 * _capitals(text)
    if not _CAPITAL.search(text):
        score = 0.5 if _PEOPLE.search(text) else 0.2
    if len(_WORDS.findall(text)) == 1 and _CAPITAL.match(text):
        score -= 0.15
    if _DIGIT.search(text):
        score *= 0.4
    if _OFFICE.search(text):  # who it is was asked, not what the post is called
        score = min(score, 0.4)
    return score * _brevity(text)


def _place(text: str) -> float:
    if _PATH.search(text):
        return 0.9 * _brevity(text)
    dated = any(quantity.date for quantity in find_quantities(text))
    score = 0.35 + 0.55 * _capitals(text)
    if _WHERE.match(text):
        score = max(score, 0.8)
    return score * _brevity(text, 10) * (0.3 if dated and not _WHERE.match(text) else 1.0)


def _date(text: str) -> float:
    if any(quantity.date for quantity in find_quantities(text)):
        return _brevity(text, 9)
    if _CALENDAR.search(text):
        return 0.9 * _brevity(text, 9)
    if _AN_EVENT.match(text):
        return 0.7
    return 0.3 if _DIGIT.search(text) else 0.15


def _duration(text: str) -> float:
    if any(measure.dimension is Dimension.TIME for measure in find_measures(text)):
        return _brevity(text, 9)
    if _TIME_WORD.search(text):
        return 0.7 * _brevity(text, 9)
    if _ENDLESS.search(text):
        return 0.6 * _brevity(text, 12)
    quantities = find_quantities(text)
    if any(quantity.date for quantity in quantities):
        return 0.4 * _brevity(text)
    return 0.4 * _brevity(text) if quantities else 0.08


def _frequency(text: str) -> float:
    if _EVERY.search(text):
        return _brevity(text, 9)
    return 0.6 * _duration(text)


def _number(text: str) -> float:
    quantities = find_quantities(text)
    if any(quantity.kind is not QuantityKind.DATE for quantity in quantities):
        return _brevity(text, 6)
    if quantities or _DIGIT.search(text):
        return 0.7 * _brevity(text, 6)
    return 0.4 * _brevity(text, 4) if _ANY_NUMBER.search(text) else 0.08


def _amount(text: str) -> float:
    measured = find_measures(text)
    if any(measure.dimension is not Dimension.COUNT for measure in measured):
        return _brevity(text, 8)
    return 0.85 * _number(text)


def _list(text: str) -> float:
    return 0.8 if _JOINED.search(text) else 0.35


def _definition(text: str) -> float:
    words = _WORDS.findall(text)
    if sum(map(str.isalpha, text)) < len(text) / 2:
        return 0.15
    return min(1.0, 0.25 * max(1, len(words))) * min(1.0, 40 / max(1, len(words)))


def _reason(text: str) -> float:
    words = len(_WORDS.findall(text))
    return 1.0 if _BECAUSE.search(text) and words > 2 else min(0.8, 0.1 + 0.15 * max(0, words - 1))


def _method(text: str) -> float:
    words = len(_WORDS.findall(text))
    return 1.0 if _BY.match(text) and words > 1 else min(0.85, 0.35 + 0.15 * max(0, words - 1))


_FITTING: dict[ExpectedKind, Callable[[str], float]] = {
    ExpectedKind.PERSON: _person,
    ExpectedKind.PLACE: _place,
    ExpectedKind.DATE: _date,
    ExpectedKind.DURATION: _duration,
    ExpectedKind.FREQUENCY: _frequency,
    ExpectedKind.NUMBER: _number,
    ExpectedKind.AMOUNT: _amount,
    ExpectedKind.LIST: _list,
    ExpectedKind.DEFINITION: _definition,
    ExpectedKind.REASON: _reason,
    ExpectedKind.METHOD: _method,
}
