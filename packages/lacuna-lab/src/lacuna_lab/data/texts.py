"""Parts of texts: names, first sentences, evidence, and texts that share rare words."""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from itertools import groupby
from random import Random

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import csr_matrix

from lacuna.corpus.page_builder import sentence_spans
from lacuna.datasets.hotpotqa import document_of
from lacuna.types import AnswerKind, Document, Question, Span, SupportingFact

MONTHS = "January|February|March|April|May|June|July|August|September|October|November|December"
NAME_WORD = r"[A-Z][\w'’.-]*[\w.]"
NAME = re.compile(rf"{NAME_WORD}(?: (?:(?:of|the|de|van|von) )?{NAME_WORD}){{0,4}}")
NO_NAME = re.compile(
    rf"(?:{MONTHS}|The|He|She|It|In|On|At|His|Her|This|They|Its|After|As|A|An|[A-Z])\b(?: \d+)?$"
)
"""Capitalised words that begin a sentence or a date."""
THINGS = re.compile(
    r"\b(?:University|Bank|Company|Party|Awards?|League|Channel|Mountain|Side|City|County|River|House"
    r"|Church|Island|School|College|Band|Records|Studios?|Group|Museum|Football|Cup|Army|War|Street"
    r"|Film|Films|Festival|Theatre|Series|Club|Association|Division|States|Kingdom|Sea|Lake)\b"
)
"""A name with one of these words is not a person's."""
LINKABLE = re.compile(r"[A-Z][\w'’-]*(?: (?:of|the|and|de|von) [A-Z][\w'’-]*| [A-Z][\w'’-]*)*")
"""A name that an encyclopedia might link."""
PERSON = re.compile(r"(?:Who|Whom|Whose)\b", re.IGNORECASE)
OF_KIND = re.compile(
    r"(?:(?:In|On|At|To|From|With|By|For|Of) )?(?:what|which) (?P<noun>[a-z]+)"
    r"(?: (?P<second>[a-z]+))? ",
    re.IGNORECASE,
)
THE_KIND = re.compile(
    r"what (?:is|was|are|were) the (?:name of (?:the )?)?(?P<noun>[a-z]+)(?: (?P<second>[a-z]+))?",
    re.IGNORECASE,
)
WHERE = re.compile(r"where\b", re.IGNORECASE)
VERBS = re.compile(
    r"(?:is|was|are|were|did|does|do|has|had|have|can|could|will|would|the|of|\w+ed)$"
)
VAGUE = frozenset(re.findall(r"\w+", "name names term word type kind thing where other first main"))
"""Words that may ask for anything."""


def other_names(text: str, taken: Collection[Span]) -> list[Span]:
    """All names that overlap none of the given spans: where a link might be.

    >>> [span for span in other_names("Ada met Ellen Voss.", [Span(0, 3)])]
    [Span(start=8, end=18)]
    """
    names = [Span(*match.span()) for match in LINKABLE.finditer(text)]
    return [n for n in names if not any(n.start < t.end and t.start < n.end for t in taken)]


def bare_name(match: re.Match[str]) -> str:
    """The name that was matched, without a possessive ending or closing punctuation."""
    return match.group().removesuffix("'s").rstrip(".'’")


def names_in(text: str) -> dict[str, None]:
    """The names in a text, in their order."""
    names = map(bare_name, NAME.finditer(text))
    return {name: None for name in names if len(name) > 3 and not NO_NAME.match(name)}


def kind_of(question: str) -> str:
    """One word for what is asked for; "" where the question does not say.

    >>> kind_of("In which small town was she born?"), kind_of("Who built it?"), kind_of("Why?")
    ('town', 'who', '')
    """
    if PERSON.match(question):
        return "who"
    if WHERE.match(question):
        return "where"
    match = THE_KIND.match(question) or OF_KIND.match(question)
    if not match or VERBS.match(match["noun"]):
        return ""
    second = match["second"]
    return (match["noun"] if not second or VERBS.match(second) else second).casefold()


def answers_by_kind(questions: Iterable[Question]) -> dict[str, tuple[str, ...]]:
    """The short answers of some questions, each once, by the kind of thing asked for."""
    answers_of: dict[str, dict[str, None]] = {}
    for question in questions:
        kind = kind_of(question.text)
        answers = question.gold.answers if question.gold else ()
        if kind and answers and answers[0].kind is AnswerKind.SPAN:
            text = " ".join(answers[0].text.split())
            if len(text.split()) <= 5:
                answers_of.setdefault(kind, {})[text] = None
    return {kind: tuple(texts) for kind, texts in answers_of.items()}


class NamesByKind:
    """Names that answer some questions, by the kind of thing asked for."""

    def __init__(self, questions: Iterable[Question]) -> None:
        self._by_kind = {
            kind: [name for name in names if NAME.fullmatch(name) and not name.endswith(".")]
            for kind, names in answers_by_kind(questions).items()
            if kind not in VAGUE
        }
        self._kinds: dict[str, set[str]] = {}
        for kind, names in self._by_kind.items():
            for name in names:
                self._kinds.setdefault(name, set()).add(kind)

    def like(self, name: str) -> list[str]:
        """Other names of the same kind; none where a name has several kinds."""
        kinds = self._kinds.get(name, set())
        if len(kinds) != 1:
            return []
        return [
            other for kind in kinds for other in self._by_kind[kind] if self._kinds[other] == kinds
        ]


LINE = re.compile(r"[^\n]+")


def with_sentences(title: str, text: str) -> Document:
    """A text and its sentences; none goes over the end of a line."""
    lines = (Span(*match.span()) for match in LINE.finditer(text))
    return Document(title, text, sentence_spans(text, lines))


def sentences_at(document: Document, places: Iterable[Span]) -> tuple[SupportingFact, ...]:
    """The sentences that touch one of some places."""
    wanted = list(places)
    return tuple(
        SupportingFact(document.title, number)
        for number, (start, end) in enumerate(document.sentences)
        if any(start < place.end and place.start < end for place in wanted)
    )


def hidden_among(
    title: str, own: Sequence[str], others: Iterable[str], random: Random
) -> tuple[Document, tuple[SupportingFact, ...]]:
    """Sentences among others in any order, as one text, and which of it they are."""
    mixed = [(sentence, True) for sentence in own] + [(sentence, False) for sentence in others]
    random.shuffle(mixed)
    facts = (SupportingFact(title, number) for number, (_, is_own) in enumerate(mixed) if is_own)
    return document_of(title, (sentence for sentence, _ in mixed)), tuple(facts)


WORD = re.compile(r"\w+")
BATCH = 256
COMMON = 0.1
"""Words in a larger share of the texts distinguish nothing, and cost most of the time."""


def find_text(text: str, where: str) -> str | None:
    """The text as it is written there, between word boundaries, or None.

    >>> find_text("the guardian", "It was The\\nGuardian.")
    'The\\nGuardian'
    """
    if not text:
        return None
    words = r"\s+".join(re.escape(word) for word in text.split())
    match = re.search(rf"(?<!\w){words}(?!\w)", where, re.IGNORECASE)
    return match and match.group()


@lru_cache(maxsize=256)
def sentences_of(text: str) -> tuple[Span, ...]:
    """The sentences of a text; cached, since many questions are about the same text."""
    return tuple(sentence_spans(text, [Span(0, len(text))]))


class SimilarTexts:
    """Cosine of TF-IDF between queries and a fixed list of texts.

    >>> SimilarTexts(["a ferry to Marrow", "the school in Ellery"]).best(["Which ferry?"], 1)[0]
    [0]
    """

    def __init__(self, texts: Sequence[str]) -> None:
        words = [_words(text) for text in texts]
        self._column: dict[str, int] = {}
        for text in words:
            for word in text:
                self._column.setdefault(word, len(self._column))
        frequency = np.zeros(len(self._column))
        for text in words:
            for word in text:
                frequency[self._column[word]] += 1
        self._weight = np.log((1 + len(texts)) / (1 + frequency)) + 1
        self._weight[frequency > max(COMMON * len(texts), 10)] = 0
        # Columns are texts, so that a product walks only the texts that share a word.
        self._texts = self._rows(words).T.tocsr()

    def best(self, queries: Iterable[str], k: int) -> list[list[int]]:
        """The numbers of the k most similar texts for each query, best first.

        Texts that share no word with it are left out.
        """
        words = [_words(query) for query in queries]
        closest: list[list[int]] = []
        for start in range(0, len(words), BATCH):
            scores = (self._rows(words[start : start + BATCH]) @ self._texts).tocsr()
            closest.extend(_top(scores, k))
        return closest

    def _rows(self, words: Sequence[Counter[str]]) -> csr_matrix:
        rows: list[int] = []
        columns: list[int] = []
        values: list[float] = []
        for row, text in enumerate(words):
            counts = ((self._column.get(word, -1), n) for word, n in text.items())
            known = [(column, n) for column, n in counts if column >= 0 and self._weight[column]]
            weights = [(1 + math.log(n)) * self._weight[column] for column, n in known]
            length = math.sqrt(sum(weight**2 for weight in weights)) or 1.0
            rows.extend([row] * len(known))
            columns.extend(column for column, _ in known)
            values.extend(weight / length for weight in weights)
        shape = (len(words), len(self._column))
        return csr_matrix((np.array(values, np.float32), (rows, columns)), shape)


def _top(scores: csr_matrix, k: int) -> Iterator[list[int]]:
    for row in range(scores.shape[0]):
        part = slice(scores.indptr[row], scores.indptr[row + 1])
        columns: NDArray[np.int32] = scores.indices[part]
        values: NDArray[np.float32] = scores.data[part]
        if len(values) > k:
            chosen = np.argpartition(-values, k - 1)[:k]
            columns, values = columns[chosen], values[chosen]
        yield columns[np.lexsort((columns, -values))].tolist()


def _words(text: str) -> Counter[str]:
    return Counter(WORD.findall(text.casefold()))


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
    """Tell if two nationalities, or two countries, certainly exclude each other.

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


PEOPLE = (
    "actor|actress|singer|songwriter|musician|guitarist|drummer|bassist|pianist|composer|rapper"
    "|politician|lawyer|journalist|novelist|poet|playwright|writer|author|director|screenwriter"
    "|producer|filmmaker|cinematographer|comedian|model|dancer|choreographer|painter|sculptor"
    "|photographer|architect|engineer|physicist|chemist|mathematician|economist|historian"
    "|philosopher|astronomer|biologist|psychologist|footballer|cricketer|golfer|boxer|wrestler"
    "|swimmer|cyclist|racing driver|tennis player|basketball player|ice hockey player"
    "|baseball player|chess player|businessman|entrepreneur|diplomat|astronaut|conductor|bishop"
)
THING_NOUNS = (
    "film|song|album|novel|band|magazine|newspaper|television series|video game|opera|play"
    "|village|town|city|lake|river|mountain|university|airline|company|museum|school|airport"
    "|genus|breed|record label|football club|restaurant chain|castle|bridge|island"
)
BORN = re.compile(
    rf"\((?:[^()]*?; )?(?:born |b\. )?(?:(?:{MONTHS}) \d{{1,2}}, |\d{{1,2}} (?:{MONTHS}) |)"
    r"(?P<born>1[5-9]\d\d|20[01]\d)(?P<dead> ?[–-] ?[^()]*)?\)"
)
SAYS = re.compile(r"\b(?P<verb>is|was) (?:an?|the) (?P<rest>[^.;]*)")
STOP = re.compile(
    r"\b(?:who|that|which|based|by|from|in|of|for|with|known|released|directed|best|at|on|to|as"
    r"|formed|written|recorded|published|played|currently|located|born|when|where|since|produced"
    r"|starring|about|featuring|serial)\b"
)
RELEASED = re.compile(r"^(?:\w+ )?(?P<year>1[89]\d\d|20[01]\d)\b")
PLACES = frozenset({"village", "town", "city", "lake", "river", "mountain", "university",
    "museum", "school", "airport", "castle", "bridge", "island"})  # fmt: skip
DATED = frozenset({"film", "song", "album", "novel"})
UNCERTAIN = re.compile(
    r"\b(?:former|fictional|retired|extended|or|not|born|-born|descent)\b|-born\b"
)
AMBIGUOUS = frozenset({"Georgia", "Ireland", "Congo", "Korea"})
SUBJECT = re.compile(
    r"(?P<title>[^(,;]{2,60}?)"
    r"(?:\s*\(.{0,300}?\))?(?:,.{0,80}?)?,?\s+(?:is|was|are|were|refers)\s",
)
PRONOUN = re.compile(
    r"(?:he|she|it|its|they|their|his|her|this|these|in|on|at|after|the (?:film|album|song|band|"
    r"series|show|book|novel|game|team|company|city|town|school|group|single))\b",
    re.IGNORECASE,
)


def opening_title(text: str) -> str:
    """The subject of an article's first sentence; "" where it names none.

    >>> opening_title("Arthur's Magazine (1844–1846) was an American periodical.")
    "Arthur's Magazine"
    >>> opening_title("It was sold in 1846.")
    ''
    """
    match = SUBJECT.match(text)
    if not match or PRONOUN.match(text):
        return ""
    title = match["title"].strip(' "')
    return title.removeprefix("The ") if len(title.split()) > 1 else title


@dataclass(frozen=True, slots=True)
class ArticleOpening:
    """A subject and what its article's first sentence says about it; empty where unsaid."""

    name: str
    alive: bool
    person: bool
    kinds: frozenset[str]
    nation: str
    country: str
    born: int | None
    released: int | None


def read_opening(paragraph: Document) -> ArticleOpening | None:
    """Read the first sentence, where its form is the usual one.

    >>> ada = read_opening(Document("Ada Quill", "Ada Quill (born 4 May 1950) is a Dutch poet."))
    >>> ada.kinds, ada.nation, ada.born
    (frozenset({'poet'}), 'Dutch', 1950)
    """
    end = paragraph.sentences[0].end if paragraph.sentences else len(paragraph.text)
    text = paragraph.text[:end].strip()
    name = re.sub(r"(?: \([^)]*\)|, .*)$", "", paragraph.title)
    if (
        not name
        or not re.match(rf"(?:The |[\"“])?{re.escape(name.split()[0])}", text)
        or "&" in name
    ):
        return None
    born = BORN.search(text)
    without = re.sub(r"\([^()]*\)", "", text)
    says = SAYS.search(without)
    if not says:
        return None
    before = without[: says.start()].strip(" ,")
    if "," in before.removeprefix(name) or name.split()[-1] not in before:
        return None
    rest = says["rest"]
    head = STOP.split(rest)[0].strip(" ,")
    if UNCERTAIN.search(head):
        return None
    people = _kinds(PEOPLE, head)
    things = frozenset() if people else _last(THING_NOUNS, head)
    if not people and not things:
        return None
    person = bool(people)
    nation = _only(NATIONS, head)
    country = _only(COUNTRIES, rest) if things & PLACES else ""
    released = None if person else RELEASED.match(head)
    return ArticleOpening(
        name,
        says["verb"] == "is",
        person,
        frozenset("actor" if kind == "actress" else kind for kind in people or things),
        nation,
        "" if country in AMBIGUOUS else country,
        int(born["born"]) if person and born else None,
        int(released["year"]) if released and things & DATED else None,
    )


def _only(names: Iterable[str], text: str) -> str:
    """The one name of a list that a text has, if it has just one; a language does not count."""
    present = [n for n in names if re.search(rf"(?<![\w-]){n}(?![\w-]| language)", text)]
    return present[0] if len(present) == 1 else ""


def _kinds(names: str, head: str) -> frozenset[str]:
    return frozenset(re.findall(rf"(?<!\w)({names})(?=$|[ ,-])", head))


def _last(names: str, head: str) -> frozenset[str]:
    """The noun that a phrase ends with: a "film score" is no film."""
    match = re.search(rf"(?:^| )({names})$", head.split(",")[0])
    return frozenset({match[1]}) if match else frozenset()


# Questions that stay together: opposite ones, or one that a text answers and one that it does not.
#
# They are neighbours, are shown in the same way, and form one group of a training run, so that
# none of them is held out while another is learned.


TOGETHER = "together"
"""The extra that neighbours share."""
RIVAL = "rival"
"""The extra of a window that competes with others for the answer: its question's number among the
neighbours."""


VERDICT = "verdict"
"""The extra of a question whose gold is an answer that is to be judged: how."""


def together(*questions: Question) -> Iterator[Question]:
    """Make neighbours of some questions."""
    for question in questions:
        yield replace(question, extra={TOGETHER: questions[0].id})


def units(questions: Iterable[Question]) -> Iterator[list[Question]]:
    """The questions that stay together, each list whole; most stand alone."""
    for _, unit in groupby(questions, key=lambda q: q.extra.get(TOGETHER, q.id)):
        yield list(unit)


def as_found(questions: Iterable[Question]) -> Iterator[Question]:
    """Every second text as one that was found, with its title; a context is read without one."""
    for number, unit in enumerate(units(questions)):
        for question in unit:
            if number % 2 and question.context and question.context.title:
                yield replace(question, context=None, documents=(question.context,))
            else:
                yield question
