"""Words and what is asked for instead of them, so that a text no longer answers."""

PAIRS = """
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


def _both_ways() -> dict[str, tuple[str, ...]]:
    found: dict[str, list[str]] = {}
    for pair in PAIRS.split(","):
        one, other = pair.split()
        found.setdefault(one, []).append(other)
        found.setdefault(other, []).append(one)
    return {word: tuple(others) for word, others in found.items()}


OPPOSITES = _both_ways()
