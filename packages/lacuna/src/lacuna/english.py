"""English grammar for questions: verbs, closed classes of words, given names."""

from __future__ import annotations

import re
from typing import NamedTuple


class VerbForms(NamedTuple):
    """The forms of a verb after "she" and after "was"."""

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


# The verbs that questions are made with, so far as turning a question round needs them.
#
# Words that are as often nouns (use, start, run, work, name) are left out on purpose: a question
# that cannot be turned round for sure is quoted as it is.


WH = frozenset(("who", "whom", "whose", "what", "which", "when", "where", "why", "how"))
BE = frozenset(("am", "is", "are", "was", "were"))
HAVE = frozenset(("has", "have", "had"))
DO = frozenset(("do", "does", "did"))
MODAL = frozenset(("can", "could", "may", "might", "must", "shall", "should", "will", "would"))
AUXILIARY = BE | HAVE | DO | MODAL
"""The first words of a question for yes or no."""
AUXILIARY_PATTERN = rf"(?:{'|'.join(sorted(AUXILIARY))})"
FORMS_OF_BE = BE | {"be", "been"}
NEGATED = frozenset(
    ("don't", "doesn't", "didn't", "isn't", "aren't", "wasn't", "weren't", "hasn't", "haven't",
     "hadn't", "mustn't", "can't", "couldn't", "shouldn't", "wouldn't", "won't")
)  # fmt: skip
AUXILIARIES = AUXILIARY | FORMS_OF_BE | NEGATED
"""Every form of them, wherever it stands in a sentence."""

VERBS = frozenset(
    """
    be have do go get give take make come become begin leave lose win write build mean know keep
    hold bring buy sell send pay say see think teach stand choose drive eat draw grow speak lead
    meet sing sink contain
    die live last marry happen exist occur appear belong require remember allow accept provide offer
    install create delete remove receive arrive found invent discover compose publish retire resign
    return serve replace consist depend expire ignore include describe recommend suggest prefer
    define produce contribute apply differ refer join specify assume prevent generate convert
    compile execute invoke
    """.split()  # noqa: SIM905 - a list of quoted words would fill a page
)
_ODD_PARTICIPLES = frozenset(IRREGULAR[verb].participle for verb in VERBS if verb in IRREGULAR) | {
    "born",
    "hidden",
    "shown",
    "laid",
    "fought",
}
_NO_PARTICIPLES = frozenset(("need", "speed", "feed", "seed", "breed", "bed", "shed", "hundred"))


def is_participle(word: str) -> bool:
    """Tell if a word looks like the end of "was …".

    >>> [word for word in ("built", "named", "speed", "red") if is_participle(word)]
    ['built', 'named']
    """
    word = word.lower()
    regular = len(word) > 4 and word.endswith("ed") and word not in _NO_PARTICIPLES
    return regular or word in _ODD_PARTICIPLES


def past(verb: str) -> str:
    """The past of a verb: what "did …" becomes.

    >>> past("leave"), past("die"), past("marry"), past("play")
    ('left', 'died', 'married', 'played')
    """
    if verb in IRREGULAR:
        return IRREGULAR[verb].past
    if verb.endswith("e"):
        return f"{verb}d"
    return f"{verb[:-1]}ied" if _ends_in_y(verb) else f"{verb}ed"


def third_person(verb: str) -> str:
    """The third person of a verb: what "does …" becomes.

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
    """The base form of a verb: what follows "did" or "does".

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
    """The participle of a verb, from any form.

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
    """Tell if a word can be the verb after "Which command".

    >>> [looks_finite(word) for word in ("invokes", "wrote", "live", "sugar")]
    [True, True, True, False]
    """
    low = word.lower()
    return low in BASE_OF_PAST or low in COMMON or low.endswith("ed") or base_form(low) in COMMON


def looks_past(word: str) -> bool:
    """Tell if a word says what someone did.

    >>> looks_past("came"), looks_past("asked"), looks_past("Wasted")
    (True, True, False)
    """
    return word in BASE_OF_PAST or (len(word) > 4 and word.islower() and word.endswith("ed"))


def looks_participle(word: str) -> bool:
    """Tell if a word can follow "was" as what was done.

    >>> looks_participle("written"), looks_participle("opened"), looks_participle("red")
    (True, True, False)
    """
    low = word.lower()
    return low in PARTICIPLES or (len(low) > 4 and low.endswith("ed"))


PREPOSITIONS = frozenset(
    ("about", "above", "across", "after", "against", "along", "among", "around", "as", "at",
     "before", "behind", "below", "beside", "between", "beyond", "by", "during", "except", "for",
     "from", "in", "inside", "into", "like", "near", "off", "on", "onto", "out", "outside", "over",
     "per", "since", "than", "through", "to", "toward", "towards", "under", "until", "up", "upon",
     "via", "with", "within", "without")
)  # fmt: skip
ARTICLES = frozenset(("a", "an", "the"))
POSSESSIVES = frozenset(("my", "your", "our", "his", "her", "its", "their"))
DETERMINERS = ARTICLES | POSSESSIVES | frozenset(
    ("this", "that", "these", "those", "each", "every", "any", "some", "all", "both", "no",
     "another")
)  # fmt: skip
SUBJECT_PRONOUNS = frozenset(("i", "you", "we", "he", "she", "it", "they", "there"))
"""Pronouns that are a whole subject: "one" may be followed by its noun."""
PRONOUNS = SUBJECT_PRONOUNS | frozenset(
    ("me", "us", "him", "them", "hers", "theirs", "himself", "herself", "itself", "themselves",
     "one", "someone", "anyone", "else", "anything", "something", "nothing", "everything",
     "everyone", "nobody")
)  # fmt: skip
CONJUNCTIONS = frozenset(("and", "or", "but", "if", "because", "while", "whether", "though"))
SUBORDINATORS = frozenset(("when", "if", "because", "while", "unless", "until", "than"))
"""Words that begin a clause of time or reason."""
ADVERBS = frozenset(
    ("also", "always", "ever", "exactly", "first", "last", "never", "not", "now", "often", "once",
     "only", "really", "still", "then", "today", "usually", "again", "already", "back", "down",
     "so", "together", "further", "afterwards", "later", "next", "well", "anymore", "too", "just")
)  # fmt: skip
PEOPLE = frozenset(
    ("people", "men", "women", "children", "mice", "feet", "teeth", "staff", "police")
)
"""Plurals that do not end in s."""
YEAR = re.compile(r"\b(?:1\d{3}|20\d\d)\b")
MONTH = re.compile(
    r"\b(?:January|February|March|April|June|July|August|September|October|November|December)\b"
    r"|\bMay(?= \d| of )"
)
CODE = re.compile(r"_|^-{1,2}\w|\w[./:]\w|[a-z]\d|\d[a-z]|[()=$]")
TRIMMED = '?!,;:"“”«»()`'


class PlacedWord(NamedTuple):
    """A word of a text, and where it stands."""

    text: str
    start: int
    end: int

    @property
    def lower(self) -> str:
        """Write a text as it would be in the middle of a sentence."""
        return self.text.lower()


def words_of(text: str) -> list[PlacedWord]:
    """The words between spaces, without the punctuation around them.

    >>> [word.text for word in words_of("Is --quick safe, or slow?")]
    ['Is', '--quick', 'safe', 'or', 'slow']
    """
    found = []
    for match in re.finditer(r"\S+", text):
        left = match[0].lstrip(TRIMMED + "'‘")
        bare = left.rstrip(TRIMMED + "'’").rstrip(".") if left else ""
        if bare:
            start = match.start() + len(match[0]) - len(left)
            found.append(PlacedWord(bare, start, start + len(bare)))
    return found


def is_capital(word: str) -> bool:
    """Tell if a word is written like a name.

    >>> is_capital("Orm"), is_capital("i32")
    (True, False)
    """
    return word[:1].isupper()


def is_code(text: str) -> bool:
    """Tell if it is something that one types: an option, a setting, a path.

    >>> [is_code(text) for text in ("cache_size", "--quick", "f64", "lake")]
    [True, True, True, False]
    """
    return any(CODE.search(word) for word in text.split())


def is_time(text: str) -> bool:
    """Tell if a year or a month is in it.

    >>> is_time("the summer of 1931"), is_time("the lake")
    (True, False)
    """
    return bool(YEAR.search(text) or MONTH.search(text))


def head_of(phrase: str) -> str:
    """The word that says what a phrase names: its last one, before "of" and the like.

    >>> head_of("the default value of cache_size")
    'value'
    """
    before = re.split(r" (?:of|in|on|for|at|from|with) ", phrase, maxsplit=1)[0].split()
    return before[-1] if before else ""


def is_plural(phrase: str) -> bool:
    """Tell if it names several things, as its spelling goes.

    >>> is_plural("reed otters"), is_plural("the bus of a class"), is_plural("Mr Watts")
    (True, False, False)
    """
    head = head_of(phrase)
    if " and " in phrase and not is_capital(phrase):
        return True
    if is_code(head) or (is_capital(head) and not phrase.startswith(("the ", "The "))):
        return False
    low = head.lower()
    return low in PEOPLE or (
        len(low) > 3 and low.endswith("s") and not low.endswith(("ss", "us", "is"))
    )


def plural_of(phrase: str) -> str:
    """Several of them.

    >>> plural_of("male giraffe"), plural_of("daily entry")
    ('male giraffes', 'daily entries')
    """
    if phrase.endswith("y") and phrase[-2:-1] not in "aeiou":
        return phrase[:-1] + "ies"
    return phrase + ("es" if phrase.endswith(("s", "x", "ch", "sh")) else "s")


def sentence_case(text: str) -> str:
    """With a capital letter to begin with, and a question mark at the end.

    >>> sentence_case("when did he leave")
    'When did he leave?'
    """
    bare = text.strip().rstrip("?. ")
    return f"{bare[:1].upper()}{bare[1:]}?"
