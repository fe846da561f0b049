"""The verbs that questions are made with, so far as turning a question round needs them.

Words that are as often nouns (use, start, run, work, name) are left out on purpose: a question that
cannot be turned round for sure is quoted as it is.
"""

from __future__ import annotations

BE = frozenset({"am", "is", "are", "was", "were"})
HAVE = frozenset({"has", "have", "had"})
DO = frozenset({"do", "does", "did"})
MODAL = frozenset({"can", "could", "may", "might", "must", "shall", "should", "will", "would"})
AUXILIARY = BE | HAVE | DO | MODAL

# base, past, participle
_IRREGULAR = """
be was been · have had had · do did done · go went gone · get got got · give gave given ·
take took taken · make made made · come came come · become became become · begin began begun ·
leave left left · lose lost lost · win won won · write wrote written · build built built ·
mean meant meant · know knew known · keep kept kept · hold held held · bring brought brought ·
buy bought bought · sell sold sold · send sent sent · pay paid paid · say said said ·
see saw seen · think thought thought · teach taught taught · stand stood stood ·
choose chose chosen · drive drove driven · eat ate eaten · draw drew drawn · grow grew grown ·
speak spoke spoken · lead led led · meet met met · sing sang sung · sink sank sunk ·
contain contained contained
"""
_REGULAR = """
die live last marry happen exist occur appear belong require remember allow accept provide offer
install create delete remove receive arrive found invent discover compose publish retire resign
return serve replace consist depend expire ignore include describe recommend suggest prefer define
produce contribute apply differ refer join specify assume prevent generate convert compile execute
invoke
"""
_FORMS = {
    base: (past, participle)
    for base, past, participle in (verb.split() for verb in _IRREGULAR.split("·"))
}
VERBS = frozenset(_FORMS) | frozenset(_REGULAR.split())
_ODD_PARTICIPLES = frozenset({participle for _, participle in _FORMS.values()}) | frozenset(
    ("born", "hidden", "shown", "laid", "fought")
)
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
    if verb in _FORMS:
        return _FORMS[verb][0]
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
