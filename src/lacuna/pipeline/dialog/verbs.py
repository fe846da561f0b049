"""Forms of English verbs, as far as turning a question round needs them."""

from __future__ import annotations

import re

from lacuna.pipeline.irregular_verbs import IRREGULAR

BASE_OF_PAST = {forms.past: base for base, forms in IRREGULAR.items()}
PARTICIPLES = frozenset(forms.participle for forms in IRREGULAR.values()) | {"born"}
# What follows "does it" most often, in questions that people ask about people and programs.
COMMON = frozenset(IRREGULAR) | frozenset(
    """
    accept achieve act add affect allow announce answer appear apply approve arrive ask attend bake
    believe belong call carry change check claim climb close command compete complete comply connect
    consider consist contain continue control convert cook copy cost cover create decide define
    delete deliver describe design destroy detect develop die differ direct disagree discover
    divorce earn edit elect employ enable end endorse enter escape establish exist expect expire
    explain export face fail file finish fix follow form gain graduate handle happen help hire
    ignore implement import improve include influence install introduce invent invoke join kill
    knead last launch limit list live look love manage marry migrate move name need offer open
    operate own paint perform pick place plan play prevent print process produce prove provide prune
    publish push raise reach receive recommend record reduce refer refuse reject release
    reload rely remain remove rename repair replace report represent require resign resolve respond
    restart restore retire return reuse save score search serve settle share sign skip spell
    start state stay stop
    store study succeed suffer suggest support survive switch talk test tour trade train travel try
    turn update upload use visit vote wait want wash watch weigh wipe wish work yield
    """.split()  # noqa: SIM905 - a list of quoted words would fill a page
)
E_AGAIN = re.compile(r"(?:[cgsuvz]|[aiou]t|i[rdnl]|[aou]r|o[kps]|[^aeiou]l|a[kmpgz])$")


def base_form(verb: str) -> str:
    """What follows "did" or "does".

    >>> [base_form(verb) for verb in ("founded", "wrote", "invokes", "created", "stopped", "tries")]
    ['found', 'write', 'invoke', 'create', 'stop', 'try']
    """
    low = verb.lower()
    if low in BASE_OF_PAST:
        return BASE_OF_PAST[low]
    if low.endswith("ied"):
        return low[:-3] + "y"
    if low.endswith("ed"):
        return _without_ed(low)
    if low.endswith("ies"):
        return low[:-3] + "y"
    if low.endswith(("sses", "ches", "shes", "xes", "zzes", "oes")):
        return low[:-2]
    if low.endswith("s") and not low.endswith("ss"):
        return low[:-1]
    return low


def _without_ed(verb: str) -> str:
    stem = verb[:-2]
    for known in (stem, stem + "e"):
        if known in COMMON:
            return known
    if len(stem) > 2 and stem[-1] == stem[-2] and stem[-1] not in "lsz":
        return stem[:-1]
    return stem + "e" if E_AGAIN.search(stem) else stem


def participle(verb: str) -> str:
    """What follows "was", from any form.

    >>> participle("wrote"), participle("invents"), participle("led")
    ('written', 'invented', 'led')
    """
    base = base_form(verb)
    if base in IRREGULAR:
        return IRREGULAR[base].participle
    if verb.lower().endswith("ed"):
        return verb
    return base + ("d" if base.endswith("e") else "ed")


def helper_of(verb: str) -> str:
    """The auxiliary that a form of a verb hides.

    >>> helper_of("wrote"), helper_of("leads"), helper_of("lead")
    ('did', 'does', 'do')
    """
    low = verb.lower()
    if low in BASE_OF_PAST or low.endswith("ed"):
        return "did"
    return "does" if low.endswith("s") and not low.endswith("ss") else "do"


def looks_finite(word: str) -> bool:
    """Whether a word can be the verb after "Which command".

    >>> [looks_finite(word) for word in ("invokes", "wrote", "live", "sugar")]
    [True, True, True, False]
    """
    low = word.lower()
    return low in BASE_OF_PAST or low in COMMON or low.endswith("ed") or base_form(low) in COMMON


def looks_past(word: str) -> bool:
    """Whether a word says what someone did.

    >>> looks_past("came"), looks_past("asked"), looks_past("Wasted")
    (True, True, False)
    """
    return word in BASE_OF_PAST or (len(word) > 4 and word.islower() and word.endswith("ed"))


def looks_participle(word: str) -> bool:
    """Whether a word can follow "was" as what was done.

    >>> looks_participle("written"), looks_participle("opened"), looks_participle("red")
    (True, True, False)
    """
    low = word.lower()
    return low in PARTICIPLES or (len(low) > 4 and low.endswith("ed"))
