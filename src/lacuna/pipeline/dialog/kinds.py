"""What a name is the name of: a man, a woman, a person, or something else."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterable
from enum import StrEnum
from itertools import islice

from lacuna.corpus.store import Store
from lacuna.pipeline.dialog.words import is_capital, is_code


class NameKind(StrEnum):
    """The kinds that a pronoun can tell apart."""

    MAN = "man"
    WOMAN = "woman"
    PERSON = "person"
    OTHER = "other"


KindOf = Callable[[str], NameKind | None]
"""The kind of a name, as far as it is known from elsewhere."""

LIFETIME = re.compile(r"\([^()]*\b\d{3,4}\b[^()]*\)|\bborn\b")
BEGINNING = 160
"""Characters in which a person's lifetime stands, if anywhere."""
OPENING = 1500
"""Characters in which a text about a person says "he" or "she"."""
HE = re.compile(r"\b(?:he|his|him)\b", re.IGNORECASE)
SHE = re.compile(r"\b(?:she|her|hers)\b", re.IGNORECASE)
IT = re.compile(r"\b(?:it|its)\b", re.IGNORECASE)
PRONOUNS = {
    **dict.fromkeys(("he", "his", "him"), NameKind.MAN),
    **dict.fromkeys(("she", "her", "hers"), NameKind.WOMAN),
    **dict.fromkeys(("it", "its", "which"), NameKind.OTHER),
}
PRONOUN = re.compile(rf"\b(?:{'|'.join(PRONOUNS)})\b", re.IGNORECASE)
NEAR, MOST_USES, FEWEST_USES = 150, 30, 2
"""Characters after a name in which its pronoun stands, and how many such places are counted."""
NO_PEOPLE = frozenset(
    """
    academy act agency airport archive army association authority award bank bay board book bridge
    bureau cape castle centre center church city club code college commission committee company
    conference corporation council county courier court department desert district editor
    engine fell festival foundation fund game gazette group guide guild harbour harbor herald hill
    house hotel institute island islands journal lab laboratory lake language law library limited
    line list magazine manual mount mountain museum network office opera palace park party policy
    port press prize program programme project protocol railway review river road rock school
    sea server service ship society software south north east west standard station street studio
    summit system tarn team temple theatre times tower treaty trust union university valley village
    war works zoo inc ltd llc gmbh
    """.split()  # noqa: SIM905 - a list of quoted words would fill a page
)
NAME = re.compile(r"[A-Z][\w'’.-]*(?: (?:de|da|di|van|von|der|la|le|bin|al|[A-Z][\w'’.-]*))*")


def kind_in(store: Store, name: str, *, read: Iterable[str] = ()) -> NameKind | None:
    """The kind of what a document is about; None where nothing is known of the name.

    People begin with a lifetime, and are "he" or "she" more often than "it" in what follows. A name
    that has no document may stand in one of those that were ``read``.
    """
    resolved = store.resolve(name) if name else None
    if resolved is None:
        texts = [store.document(title).text for title in read if title in store]
        return kind_by_use(name, "\n".join(texts)) if is_capital(name) else None
    text = store.document(resolved).text[:OPENING]
    if not LIFETIME.search(text[:BEGINNING]):
        return NameKind.OTHER
    he, she, it = (len(pattern.findall(text)) for pattern in (HE, SHE, IT))
    if it > he + she:
        return NameKind.OTHER
    if he == she:
        return NameKind.PERSON
    return NameKind.MAN if he > she else NameKind.WOMAN


def kind_by_use(name: str, text: str) -> NameKind | None:
    """What a name is by the pronouns that follow it; None where they are few, or of all kinds.

    >>> kind_by_use("Oland", "Oland came late, as he said. Then Oland lost his ship.").value
    'man'
    """
    counts: Counter[NameKind] = Counter()
    for found in islice(re.finditer(rf"\b{re.escape(name)}\b", text), MOST_USES):
        after = PRONOUN.search(text, found.end(), found.end() + NEAR)
        if after is not None:
            counts[PRONOUNS[after[0].lower()]] += 1
    for kind, count in counts.most_common(1):
        if count >= FEWEST_USES and 3 * count >= 2 * counts.total():
            return kind
    return None


def may_be_person(text: str) -> bool:
    """Whether it is written as a person's name or role may be; no organisation, no acronym.

    >>> [may_be_person(text) for text in ("Ada Quill", "DARPA", "Orm Project", "the finance lead")]
    [True, False, False, True]
    """
    words = text.split()
    if not words or is_code(text) or any(word.lower().strip(".,") in NO_PEOPLE for word in words):
        return False
    acronym = len(words) == 1 and len(text) > 1 and text.isupper()
    return not acronym and not any(char.isdigit() for char in text)


def looks_like_full_name(text: str) -> bool:
    """Whether two or more words are written as the name of a person is.

    >>> looks_like_full_name("Ada Quill"), looks_like_full_name("the Marrow")
    (True, False)
    """
    words = text.split()
    plain = NAME.fullmatch(text) and all(is_capital(word) for word in (words[0], words[-1]))
    return bool(plain) and 2 <= len(words) <= 4 and may_be_person(text)
