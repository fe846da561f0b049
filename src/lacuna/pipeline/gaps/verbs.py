"""The verbs that questions are made with, so far as turning a question round needs them.

Words that are as often nouns (use, start, run, work, name) are left out on purpose: a question that
cannot be turned round for sure is quoted as it is.
"""

from __future__ import annotations

from lacuna.pipeline.irregular_verbs import IRREGULAR

BE = frozenset({"am", "is", "are", "was", "were"})
HAVE = frozenset({"has", "have", "had"})
DO = frozenset({"do", "does", "did"})
MODAL = frozenset({"can", "could", "may", "might", "must", "shall", "should", "will", "would"})
AUXILIARY = BE | HAVE | DO | MODAL

VERBS = frozenset(
    """
    be have do go get give take make come become begin leave lose win write build mean know keep
    hold bring buy sell send pay say see think teach stand choose drive eat draw grow speak lead
    meet sing sink contain
    die live last marry happen exist occur appear belong require remember allow accept provide offer
    install create delete remove receive arrive found invent discover compose publish retire resign
    return serve replace consist depend expire ignore include describe recommend suggest prefer
    define produce contribute apply differ refer join specify assume prevent generate convert
    compile execute invoke
    """.split()  # noqa: SIM905 - a list of quoted words would fill a page
)
_ODD_PARTICIPLES = frozenset(IRREGULAR[verb].participle for verb in VERBS if verb in IRREGULAR) | {
    "born",
    "hidden",
    "shown",
    "laid",
    "fought",
}
_NO_PARTICIPLES = frozenset(("need", "speed", "feed", "seed", "breed", "bed", "shed", "hundred"))


def is_participle(word: str) -> bool:
    """Whether a word looks like the end of "was …".

    >>> [word for word in ("built", "named", "speed", "red") if is_participle(word)]
    ['built', 'named']
    """
    word = word.lower()
    regular = len(word) > 4 and word.endswith("ed") and word not in _NO_PARTICIPLES
    return regular or word in _ODD_PARTICIPLES


def past(verb: str) -> str:
    """What "did …" becomes.

    >>> past("leave"), past("die"), past("marry"), past("play")
    ('left', 'died', 'married', 'played')
    """
    if verb in IRREGULAR:
        return IRREGULAR[verb].past
    if verb.endswith("e"):
        return f"{verb}d"
    return f"{verb[:-1]}ied" if _ends_in_y(verb) else f"{verb}ed"


def third_person(verb: str) -> str:
    """What "does …" becomes.

    >>> third_person("have"), third_person("apply"), third_person("go"), third_person("mean")
    ('has', 'applies', 'goes', 'means')
    """
    if verb in ("have", "be"):
        return {"have": "has", "be": "is"}[verb]
    if _ends_in_y(verb):
        return f"{verb[:-1]}ies"
    return f"{verb}es" if verb.endswith(("s", "x", "ch", "sh", "o")) else f"{verb}s"


def _ends_in_y(verb: str) -> bool:
    return verb.endswith("y") and verb[-2] not in "aeiou"
