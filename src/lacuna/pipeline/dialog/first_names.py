"""Given names that are common enough to tell a person from a thing, and "he" from "she"."""

from __future__ import annotations

from lacuna.pipeline.dialog.kinds import NameKind
from lacuna.pipeline.dialog.words import head_of

_MEN = """
Adam Alan Albert Alex Alexander Alfred Andrew Anthony Arthur Ben Benjamin Bill Bob Brian Carl
Carlos Charles Christopher Daniel David Dennis Donald Edward Edwin Eric Ernest Francis Frank
Fred Frederick Gary George Gerald Harold Harry Henry Howard Hugh Ian Isaac Jack Jacob James Jan
Jason Jeff Jeremy Jerry Jim Jimmy Joe John Jonathan Joseph Juan Karl Keith Kenneth Kevin Larry
Leonard Linus Louis Luke Mark Martin Matthew Michael Mike Mohammed Nicholas Oliver Oscar Otto
Patrick Paul Peter Philip Ralph Ray Raymond Richard Rob Robert Roger Ronald Ryan Sam Samuel
Scott Simon Stephen Steve Steven Stuart Ted Theodore Thomas Tim Timothy Tom Tony Victor Vincent
Walter William Mr Sir King Prince Father
"""
_WOMEN = """
Ada Alice Amanda Amy Ana Andrea Angela Ann Anna Anne Barbara Betty Carol Caroline Catherine
Charlotte Christina Christine Clara Claire Deborah Diana Diane Donna Dorothy Edith Elizabeth
Ella Emily Emma Eva Eve Evelyn Fanny Florence Frances Grace Hannah Harriet Helen Ida Irene
Isabel Jane Janet Jennifer Jessica Joan Joanna Judith Julia Julie Karen Kate Katherine Laura
Linda Lisa Louise Lucy Margaret Maria Marie Martha Mary Michelle Nancy Nora Olivia Pamela
Patricia Rachel Rebecca Rosa Ruth Sandra Sarah Sharon Sophia Sophie Susan Sylvia Teresa Victoria
Virginia Wendy Mrs Ms Miss Lady Queen Princess Mother
"""
GIVEN = dict.fromkeys(_MEN.split(), NameKind.MAN) | dict.fromkeys(_WOMEN.split(), NameKind.WOMAN)
ROLES = {
    **dict.fromkeys(("son", "brother", "husband", "father", "uncle", "king"), NameKind.MAN),
    **dict.fromkeys(("daughter", "sister", "wife", "mother", "aunt", "queen"), NameKind.WOMAN),
    **dict.fromkeys(
        ("author", "boss", "captain", "chairman", "child", "coach", "director", "editor", "founder",
         "governor", "inventor", "leader", "maintainer", "manager", "mayor", "minister", "owner",
         "parent", "president", "secretary", "teacher", "winner"),
        NameKind.PERSON,
    ),
}  # fmt: skip
TITLES = frozenset(("Dr", "Professor", "Prof", "President", "Captain", "General", "Judge", "Saint"))


def kind_by_name(name: str) -> NameKind | None:
    """What the first word of a name tells, or that of a role; None where they tell nothing.

    >>> kind_by_name("Ian Jackson"), kind_by_name("Dr. Quill").value, kind_by_name("Caddo")
    (<NameKind.MAN: 'man'>, 'person', None)
    >>> kind_by_name("Ian Jackson's sister").value, kind_by_name("Ian Jackson's death")
    ('woman', None)
    """
    role = ROLES.get(head_of(name))
    if role is not None or "'s " in name:
        return role  # a person's death is no person
    words = name.split()
    first = words[0].rstrip(".") if words else ""
    return NameKind.PERSON if first in TITLES else GIVEN.get(first)
