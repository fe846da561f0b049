"""What kind of thing a question asks for, by its form alone."""

from __future__ import annotations

import re
from enum import StrEnum

from lacuna.models.reader.question_form import asks_yes_or_no


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


AUXILIARY = (
    r"(?:is|are|was|were|do|does|did|has|have|had|can|could|will|would|should|shall|may|might|must)"
)
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
_PERSON_NOUN = (
    r"(?:person|man|woman|author|king|queen|president|actor|actress|singer|player|scientist"
    r"|engineer|inventor|painter|writer|poet|composer|emperor|pope|governor|minister|ceo|cto|coach"
    r"|director|architect|explorer|philosopher|founder|general|mayor)"
)
_QUALITY = r"(?:(?:the|its|their|default|maximum|minimum|total|average|current|\w+est) )*"
_SOME = r"(?:(?!an?\b)[\w-]+ ){0,2}?"
_NAME_OF = rf"(?:what|which) (?:{AUXILIARY} {_QUALITY}{_SOME}|{_QUALITY}(?:[\w-]+ )?)"
_OF_WHAT = r"(?:of|in|on|at|to|from|by|for|with|during|under|since|until|into|through|as) "

_PLURAL = (
    r"(?!(?:\w+(?:ss|us|is)|does|was|has|news|series|species|analysis|lens|status|this|gas|bus"
    r"|thousands|hundreds|millions)\b)"
    r"(?:[\w-]{2,}s|people|men|women|children|criteria|phenomena|media)"
)
_INSIDE = rf"(?!{AUXILIARY}\b|(?:the|a|an|of|in|on|at|to|for|and|or)\b|\w+ed\b)[\w./-]+"
_A_LIST = (
    rf"(?:what|which|who) (?:are|were) (?:all |some |each )?(?:of )?(?:the|its|their|some"
    rf"|[\w-]+['’]s?|{COUNT_WORD})\b(?: [\w./'’-]+){{0,5}}? {_PLURAL}\b",
    rf"(?:what|which|who) (?:are|were) (?:the )?{COUNT_WORD}\b",
    rf"(?:name|list|enumerate|give|tell me|mention|state)\b(?: me)?"
    rf" (?:the|all|some|every|[\w.-]+['’]s?|{COUNT_WORD})(?: [\w./'’-]+){{0,5}}? {_PLURAL}\b",
    rf"(?:{_OF_WHAT})?(?:what|which)(?: of the)? (?:other )?{COUNT_WORD}\b",
    rf"(?:{_OF_WHAT})?(?:what|which)(?: {_INSIDE}){{1,3}} {_PLURAL}\b(?!['’])"
    # "Which command deletes …" ends in an s as well: only a plural goes on so.
    rf"(?: {AUXILIARY}\b| of\b| [\w-]+ed\b)",
    # A plural name is mostly of the next word: "Which Giants player …".
    rf"(?:{_OF_WHAT})?which (?-i:(?=[a-z])){_PLURAL}\b(?!['’])",
    rf"(?:{_OF_WHAT})?what {_PLURAL}\b(?!['’])(?: {AUXILIARY}\b| of\b| [\w-]+ed\b)",
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
    (ExpectedKind.PERSON, rf"(?:{_OF_WHAT})?(?:what|which) (?:[\w-]+ )?{_PERSON_NOUN}\b"),
)
_BY_RULE = tuple((kind, re.compile(rf"(?:{rule})", re.IGNORECASE)) for kind, rule in _RULES)
_ASKING = re.compile(
    rf"(?:{_OF_WHAT})?(?:how many|how much|how|what|which|who|whom|whose|when|where|why)\b",
    re.IGNORECASE,
)


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
