"""The words of a text, and which of them say little by themselves."""

from __future__ import annotations

import re
import unicodedata

WORD = re.compile(r"[^\W_]+")
APOSTROPHES = str.maketrans({"'": None, "’": None})

ARTICLES = frozenset({"a", "an", "the"})

# Closed-class English words. They are told apart before stemming, without their apostrophes.
STOPWORDS = ARTICLES | frozenset(
    """
    i me my mine myself we us our ours ourselves you your yours yourself yourselves he him his
    himself she her hers herself it its itself they them their theirs themselves
    this that these those here there who whom whose which what when where why how
    am is are was were be been being do does did doing done have has had having
    can could may might must shall should will would ought
    isnt arent wasnt werent dont doesnt didnt havent hasnt hadnt cant cannot couldnt mustnt
    shouldnt wont wouldnt im youre theyre ive youve weve theyve youll theyll
    and or but nor if then else than so because as while until though although whether
    of at by for with about against between into through during before after above below to from
    up down in out on off over under onto upon within without across along toward towards
    again further once only same such too very just also not no yes
    some any each every both all most more few other another several much many
    s t etc
    """.split()  # noqa: SIM905 - a list of quoted words would fill a page
)


def words(text: str) -> list[str]:
    """The words of a text in lower case, without punctuation.

    >>> words("The dog's well-fed.")
    ['the', 'dogs', 'well', 'fed']
    """
    plain = text if text.isascii() else unicodedata.normalize("NFKC", text)
    return WORD.findall(plain.lower().translate(APOSTROPHES))
