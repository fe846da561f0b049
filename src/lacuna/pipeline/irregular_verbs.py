"""The irregular verbs of English, for whoever turns a question round."""

from __future__ import annotations

from typing import NamedTuple


class VerbForms(NamedTuple):
    """What follows "she" and what follows "was"."""

    past: str
    participle: str


# The base, its past, and its participle where that is another.
_TABLE = """
be was been|become became become|begin began begun|bite bit bitten|blow blew blown|
break broke broken|
bring brought|build built|burn burnt|buy bought|catch caught|choose chose chosen|come came come|
cut cut|deal dealt|dig dug|do did done|draw drew drawn|drink drank drunk|drive drove driven|
eat ate eaten|fall fell fallen|feed fed|feel felt|fight fought|find found|fly flew flown|
forbid forbade forbidden|forget forgot forgotten|freeze froze frozen|get got|give gave given|
go went gone|grow grew grown|have had|hear heard|hide hid hidden|hit hit|hold held|keep kept|
know knew known|lay laid|lead led|learn learnt|leave left|lend lent|let let|lose lost|make made|
mean meant|meet met|pay paid|put put|read read|ride rode ridden|ring rang rung|rise rose risen|
run ran run|say said|see saw seen|seek sought|sell sold|send sent|set set|shake shook shaken|
shoot shot|show showed shown|shut shut|sing sang sung|sink sank sunk|sit sat|sleep slept|
speak spoke spoken|spend spent|split split|spread spread|stand stood|steal stole stolen|
strike struck|swear swore sworn|swim swam swum|take took taken|teach taught|tell told|
think thought|throw threw thrown|understand understood|wake woke woken|wear wore worn|win won|
write wrote written|withdraw withdrew withdrawn
"""
IRREGULAR = {
    base: VerbForms(others[0], others[-1])
    for base, *others in (entry.split() for entry in _TABLE.split("|"))
}
"""By the base, which follows "did"."""
