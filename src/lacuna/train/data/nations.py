"""Nationalities and the countries they mean."""

PAIRS = """
    American=United States, Argentine=Argentina, Australian=Australia, Austrian=Austria,
    Bangladeshi=Bangladesh, Belgian=Belgium, Brazilian=Brazil, British=United Kingdom,
    Bulgarian=Bulgaria, Canadian=Canada, Chilean=Chile, Chinese=China, Colombian=Colombia,
    Croatian=Croatia, Cuban=Cuba, Czech=Czech Republic, Danish=Denmark, Dutch=Netherlands,
    Egyptian=Egypt, English=England, Estonian=Estonia, Finnish=Finland, French=France,
    German=Germany, Ghanaian=Ghana, Greek=Greece, Hungarian=Hungary, Icelandic=Iceland,
    Indian=India, Indonesian=Indonesia, Iranian=Iran, Irish=Ireland, Israeli=Israel,
    Italian=Italy, Jamaican=Jamaica, Japanese=Japan, Kenyan=Kenya, Latvian=Latvia,
    Lithuanian=Lithuania, Malaysian=Malaysia, Mexican=Mexico, Nigerian=Nigeria,
    Norwegian=Norway, Pakistani=Pakistan, Peruvian=Peru, Filipino=Philippines, Polish=Poland,
    Portuguese=Portugal, Romanian=Romania, Russian=Russia, Scottish=Scotland, Serbian=Serbia,
    Slovak=Slovakia, Slovenian=Slovenia, South African=South Africa, South Korean=South Korea,
    Soviet=Soviet Union, Spanish=Spain, Sri Lankan=Sri Lanka, Swedish=Sweden, Swiss=Switzerland,
    Thai=Thailand, Turkish=Turkey, Ukrainian=Ukraine, Venezuelan=Venezuela, Vietnamese=Vietnam,
    Welsh=Wales, New Zealand=New Zealand
    """
NATIONS: dict[str, str] = {
    who: where
    for who, _, where in (" ".join(pair.split()).partition("=") for pair in PAIRS.split(","))
}
COUNTRIES = tuple(NATIONS.values())
MAY_BE_ONE = (
    frozenset({"British", "English", "Scottish", "Welsh", "Irish"}),
    frozenset({"Soviet", "Russian", "Ukrainian", "Latvian", "Lithuanian", "Estonian"}),
    frozenset({"United Kingdom", "England", "Scotland", "Wales", "Ireland"}),
    frozenset({"Soviet Union", "Russia", "Ukraine", "Latvia", "Lithuania", "Estonia"}),
)
"""Who belongs to one of these may belong to another of the same set."""


def surely_differ(one: str, other: str) -> bool:
    """Whether two nationalities, or two countries, are no part of one another.

    >>> surely_differ("Dutch", "Danish"), surely_differ("British", "Welsh")
    (True, False)
    """
    return one != other and not any({one, other} <= some for some in MAY_BE_ONE)
