"""Lists of words by which questions are changed: nations, large places, opposites, verbs."""

from __future__ import annotations

NATION_PAIRS = """
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
    for who, _, where in (" ".join(pair.split()).partition("=") for pair in NATION_PAIRS.split(","))
}
COUNTRIES = tuple(NATIONS.values())
OVERLAPPING_NATIONS = (
    frozenset({"British", "English", "Scottish", "Welsh", "Irish"}),
    frozenset({"Soviet", "Russian", "Ukrainian", "Latvian", "Lithuanian", "Estonian"}),
    frozenset({"United Kingdom", "England", "Scotland", "Wales", "Ireland"}),
    frozenset({"Soviet Union", "Russia", "Ukraine", "Latvia", "Lithuania", "Estonia"}),
)
"""Someone of one of these nations may well be of another in the same set."""
LARGE_PLACES = frozenset(
    place.strip()
    for place in """
    Africa, America, Asia, Europe, North America, South America, Latin America, Oceania,
    Scandinavia, Afghanistan, Albania, Algeria, Angola, Argentina, Armenia, Australia, Austria,
    Azerbaijan, Bangladesh, Belarus, Belgium, Bolivia, Bosnia, Brazil, Britain, Great Britain,
    Bulgaria, Burma, Cambodia, Cameroon, Canada, Chile, China, Colombia, Congo, Croatia, Cuba,
    Cyprus, Czechoslovakia, Czech Republic, Denmark, Ecuador, Egypt, England, Estonia, Ethiopia,
    Finland, France, Georgia, Germany, East Germany, West Germany, Ghana, Greece, Hungary,
    Iceland, India, Indonesia, Iran, Iraq, Ireland, Northern Ireland, Israel, Italy, Jamaica,
    Japan, Jordan, Kazakhstan, Kenya, Korea, North Korea, South Korea, Kuwait, Latvia, Lebanon,
    Libya, Lithuania, Luxembourg, Malaysia, Mexico, Mongolia, Morocco, Myanmar, Nepal,
    Netherlands, New Zealand, Nigeria, Norway, Pakistan, Panama, Peru, Philippines, Poland,
    Portugal, Prussia, Romania, Russia, Saudi Arabia, Scotland, Serbia, Singapore, Slovakia,
    Slovenia, South Africa, Soviet Union, Spain, Sri Lanka, Sudan, Sweden, Switzerland, Syria,
    Taiwan, Tanzania, Thailand, Tunisia, Turkey, Uganda, Ukraine, United Kingdom, UK, United
    States, US, U.S., USA, United States of America, Uruguay, USSR, Venezuela, Vietnam, Wales,
    Yemen, Yugoslavia, Zambia, Zimbabwe, Alabama, Alaska, Arizona, Arkansas, California,
    Colorado, Connecticut, Delaware, Florida, Hawaii, Idaho, Illinois, Indiana, Iowa, Kansas,
    Kentucky, Louisiana, Maine, Maryland, Massachusetts, Michigan, Minnesota, Mississippi,
    Missouri, Montana, Nebraska, Nevada, New Hampshire, New Jersey, New Mexico, New York, North
    Carolina, North Dakota, Ohio, Oklahoma, Oregon, Pennsylvania, Rhode Island, South Carolina,
    South Dakota, Tennessee, Texas, Utah, Vermont, Virginia, Washington, West Virginia,
    Wisconsin, Wyoming, British Columbia, Ontario, Quebec, Alberta, Manitoba, New South Wales,
    Victoria, Queensland, Bavaria, Saxony, Catalonia, Lombardy, Tuscany, Sicily, Punjab, Bengal
    """.replace("\n", " ").split(",")
)
"""Places that contain others: what is in one of their towns is in them as well."""
OPPOSITE_PAIRS = """
    first last, largest smallest, biggest smallest, highest lowest, oldest youngest, oldest
    newest, longest shortest, tallest shortest, earliest latest, most least, best worst, major
    minor, before after, won lost, win lose, winning losing, increase decrease, increased
    decreased, increasing decreasing, rise fall, rose fell, gained lost, began ended, begin end,
    started stopped, start stop, opened closed, open close, built destroyed, founded dissolved,
    established abolished, born buried, north south, northern southern, east west, eastern
    western, male female, men women, father mother, son daughter, brother sister, husband wife,
    king queen, import export, imports exports, buy sell, bought sold, accepted rejected, accept
    reject, allowed forbidden, allow forbid, supported opposed, support oppose, maximum minimum,
    above below, inside outside, early late, public private, rural urban, upper lower, internal
    external, positive negative, success failure, successful unsuccessful, legal illegal,
    strongest weakest, richest poorest, fastest slowest, common rare, permanent temporary,
    majority minority, attack defend, attacked defended, joined left, arrived departed, hired
    fired, added removed, add remove, appointed dismissed, modern ancient, summer winter, hot
    cold, warmest coldest, hottest coldest, wet dry, old new, indoor outdoor, offensive defensive,
    friend enemy, ally enemy, allies enemies, victory defeat, advantage disadvantage, advantages
    disadvantages, strength weakness, cause prevent, caused prevented, causes prevents, encouraged
    discouraged, praised criticized, agreed refused, agree disagree, approved rejected, created
    destroyed, heavier lighter, wealthy poor, domestic foreign, military civilian, primary
    secondary, vertical horizontal, maternal paternal, entered left, expand shrink, expanded
    shrank, gain lose, promoted demoted, love hate, loved hated, similar different, similarity
    difference, safe dangerous, liberal conservative, Democratic Republican, Catholic Protestant,
    premiered ended, launched cancelled, debut final, debuted ended, spring autumn, day night
    """
"""Words, each with one that makes a question say something else."""
TRANSITIVE = (
    "write|win|found|direct|create|invent|discover|design|compose|paint|defeat|kill|succeed|replace"
    "|produce|lead|build|coach|own|marry|establish|develop|record|publish|command|beat|join|attend"
    "|release|sign|meet|visit|buy|purchase|acquire|sell|leave|enter|support|study|teach|capture"
    "|conquer|invade|attack|choose|appoint|play|use|introduce|host|perform|receive|adopt|call|blame"
    "|oppose|represent|rule|govern|speak|worship|export|import|border|cross|contain|include|employ"
    "|hire|fight|elect|endorse|reject|sponsor|promote|portray|ask|see|want|like|influence|occupy"
)
TO_BASE = {
    "wrote": "write", "won": "win", "founded": "found", "directed": "direct", "created": "create",
    "invented": "invent", "discovered": "discover", "designed": "design", "composed": "compose",
    "painted": "paint", "defeated": "defeat", "killed": "kill", "succeeded": "succeed",
    "replaced": "replace", "produced": "produce", "led": "lead", "built": "build",
    "coached": "coach", "owned": "own", "married": "marry", "established": "establish",
    "developed": "develop", "recorded": "record", "published": "publish", "took": "take",
    "commanded": "command", "became": "become", "beat": "beat", "threw": "throw",
    "caught": "catch", "kicked": "kick", "scored": "score", "introduced": "introduce",
    "proposed": "propose", "argued": "argue", "claimed": "claim", "wanted": "want",
    "signed": "sign", "ordered": "order", "hosted": "host", "sang": "sing", "gave": "give",
    "made": "make", "said": "say", "described": "describe", "captured": "capture",
    "conquered": "conquer", "opposed": "oppose", "purchased": "purchase", "bought": "buy",
    "sold": "sell", "called": "call", "performed": "perform", "received": "receive",
    "started": "start", "began": "begin", "helped": "help", "ruled": "rule", "wished": "wish",
    "played": "play", "sent": "send", "left": "leave", "died": "die", "lost": "lose",
    "invaded": "invade", "attacked": "attack", "taught": "teach", "supported": "support",
    "controlled": "control", "used": "use", "announced": "announce", "appointed": "appoint",
    "held": "hold", "ran": "run", "worked": "work", "declared": "declare", "formed": "form",
    "released": "release", "joined": "join", "translated": "translate", "suggested": "suggest",
    "moved": "move", "believed": "believe", "paid": "pay", "acquired": "acquire",
}  # fmt: skip
"""The base forms of past tenses."""


def surely_differ(one: str, other: str) -> bool:
    """Whether two nationalities, or two countries, certainly exclude each other.

    >>> surely_differ("Dutch", "Danish"), surely_differ("British", "Welsh")
    (True, False)
    """
    return one != other and not any({one, other} <= some for some in OVERLAPPING_NATIONS)


def _both_ways() -> dict[str, tuple[str, ...]]:
    opposites: dict[str, list[str]] = {}
    for pair in OPPOSITE_PAIRS.split(","):
        word, other = pair.split()
        opposites.setdefault(word, []).append(other)
        opposites.setdefault(other, []).append(word)
    return {word: tuple(others) for word, others in opposites.items()}


OPPOSITES = _both_ways()
