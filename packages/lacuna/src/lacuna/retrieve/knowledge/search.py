"""GapQA's tuple and text search (Khot et al. 2019, section 4.2 and appendix D)."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Set
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from lacuna.errors import LacunaError
from lacuna.retrieve.knowledge.arrays import (
    NamedArrays,
    PairQuery,
    StemPostings,
    open_arrays,
    open_strings,
)
from lacuna.retrieve.knowledge.build import IN_HEAD, IN_TAIL, Triple, identity
from lacuna.retrieve.knowledge.build import SENTENCES_KIND as KIND
from lacuna.retrieve.knowledge.build import TRIPLES_KIND as TRIPLES

BACK_OFF = "BackOff"
"""The relation of a pair that no source relates: its words claim nothing."""

# relation: (words between head and tail, words between tail and head)
WORDS = {
    "Antonym": ("is the opposite of", "is the opposite of"),
    "AtLocation": ("is found at", "is where one finds"),
    BACK_OFF: ("and", "and"),
    "CapableOf": ("can", "is something done by"),
    "Causes": ("causes", "is caused by"),
    "CausesDesire": ("makes one want to", "is wanted because of"),
    "ConceptuallyRelatedTo": ("is related to", "is related to"),
    "CreatedBy": ("is created by", "creates"),
    "DefinedAs": ("is defined as", "is the definition of"),
    "DerivedFrom": ("is derived from", "is what gives"),
    "DesireOf": ("wants", "is wanted by"),
    "Desires": ("wants", "is wanted by"),
    "DistinctFrom": ("is distinct from", "is distinct from"),
    "Entails": ("entails", "is entailed by"),
    "EtymologicallyDerivedFrom": ("is a word derived from", "is the origin of the word"),
    "EtymologicallyRelatedTo": ("has the same origin as", "has the same origin as"),
    "ExternalURL": ("is described at", "describes"),
    "FormOf": ("is a form of", "has the form"),
    "HasA": ("has", "belongs to"),
    "HasContext": ("is a term used in", "uses the term"),
    "HasFirstSubevent": ("begins with", "is the first step of"),
    "HasLastSubevent": ("ends with", "is the last step of"),
    "HasPainCharacter": ("is a pain described as", "describes the pain of"),
    "HasPainIntensity": ("is a pain as strong as", "is how strong the pain is of"),
    "HasPrerequisite": ("requires", "is required for"),
    "HasProperty": ("is", "is a property of"),
    "HasSubevent": ("includes", "happens during"),
    "InheritsFrom": ("inherits from", "passes its properties on to"),
    "InstanceOf": ("is an instance of", "has the instance"),
    "IsA": ("is a kind of", "is a class that includes"),
    "LocatedNear": ("is located near", "is located near"),
    "LocationOfAction": ("takes place at", "is the place of"),
    "MadeOf": ("is made of", "is the material of"),
    "MannerOf": ("is a way to", "can be done by"),
    "MotivatedByGoal": ("is done in order to", "is a reason to"),
    "NotCapableOf": ("cannot", "is something not done by"),
    "NotDesires": ("does not want", "is not wanted by"),
    "NotHasA": ("does not have", "does not belong to"),
    "NotHasProperty": ("is not", "is not a property of"),
    "NotIsA": ("is not a kind of", "is a class that does not include"),
    "NotMadeOf": ("is not made of", "is not the material of"),
    "NotUsedFor": ("is not used for", "is not a use of"),
    "ObstructedBy": ("is obstructed by", "obstructs"),
    "PartOf": ("is part of", "contains"),
    "ReceivesAction": ("can be subject to", "is an action done to"),
    "RelatedTo": ("is related to", "is related to"),
    "SimilarSize": ("is similar in size to", "is similar in size to"),
    "SimilarTo": ("is similar to", "is similar to"),
    "SymbolOf": ("is a symbol of", "is symbolised by"),
    "Synonym": ("is a synonym of", "is a synonym of"),
    "UsedFor": ("is used for", "is a use of"),
    "capital": ("has the capital", "is the capital of"),
    "field": ("works in the field of", "is the field of"),
    "genre": ("has the genre", "is the genre of"),
    "genus": ("has the genus", "is the genus of"),
    "influencedBy": ("was influenced by", "influenced"),
    "knownFor": ("is known for", "is what brought fame to"),
    "language": ("is in the language", "is the language of"),
    "leader": ("has the leader", "is the leader of"),
    "occupation": ("has the occupation", "is the occupation of"),
    "product": ("makes the product", "is a product of"),
}

CAMEL = re.compile(r"(?<=[a-z])(?=[A-Z])")


def sentence_of(triple: Triple) -> str:
    """A triple in words, from its head.

    >>> sentence_of(Triple("MadeOf", "belt buckle", "metal"))
    'belt buckle is made of metal'
    """
    words = WORDS[triple.relation][0] if triple.relation in WORDS else _by_rule(triple.relation)
    return f"{triple.head} {words} {triple.tail}"


def inverse_sentence_of(triple: Triple) -> str:
    """The same from its tail.

    >>> inverse_sentence_of(Triple("MadeOf", "belt buckle", "metal"))
    'metal is the material of belt buckle'
    """
    if triple.relation in WORDS:
        return f"{triple.tail} {WORDS[triple.relation][1]} {triple.head}"
    return f"{triple.tail} is what {triple.head} {_by_rule(triple.relation)}"


def _by_rule(relation: str) -> str:
    return f"is {CAMEL.sub(' ', relation).lower()}"


# GapQA's text search (Khot et al. 2019, appendix D) over single sentences.
#
# A sentence is found when it holds both the span and the choice, by stems; BM25 over the stems of
# both ranks what is found, and ties go by the alphabet. The index is the same kind of plain arrays
# as that of the triples: with two or three stems a query and both sides required, intersecting
# arrays is fast, the ranking is the same on every run, and no search engine is needed.


class FoundSentence(NamedTuple):
    """A sentence, where it is from, and its score."""

    text: str
    source: str
    score: float


class Sentences:
    """An open index; safe to use from several threads."""

    def __init__(
        self, arrays: NamedArrays, meta: dict[str, Any], hidden: NDArray[np.bool_] | None = None
    ) -> None:
        self._arrays, self._meta = arrays, meta
        self._texts = open_strings("sentence", arrays)
        self._postings = StemPostings(arrays)
        self._hidden = np.zeros(len(self._texts), bool) if hidden is None else hidden

    @classmethod
    def open(cls, folder: Path) -> Sentences:
        """Open what ``build_sentences`` wrote."""
        return cls(*open_arrays(folder, KIND))

    def __len__(self) -> int:
        """The number of sentences that can be found."""
        return len(self._texts) - int(self._hidden.sum())

    @property
    def sources(self) -> frozenset[str]:
        """The names of all sources in the index."""
        return frozenset(self._meta["sources"])

    def without(self, texts: Iterable[str] = (), sources: Set[str] = frozenset()) -> Sentences:
        """The same index with sentences left out, such as core facts that must stay hidden.

        Case, punctuation, articles and word endings make no difference to what is left out.
        ``sources`` leaves out all that is from the named sources.
        """
        if unknown := sources - self.sources:
            raise LacunaError(
                f"No sentence comes from {', '.join(sorted(unknown))}. "
                f"This index has {', '.join(sorted(self.sources))}."
            )
        hidden = np.isin(
            self._arrays["sources"],
            [number for number, name in enumerate(self._meta["sources"]) if name in sources],
        )
        identities = self._arrays["identities"]
        for wanted in {np.uint64(identity(text)) for text in texts}:
            start = np.searchsorted(identities, wanted, "left")
            end = np.searchsorted(identities, wanted, "right")
            hidden[self._arrays["identity_numbers"][start:end]] = True
        return Sentences(self._arrays, self._meta, self._hidden | hidden)

    def search(
        self, span: str, choice: str, k: int = 5, *, every_word: bool = False
    ) -> list[FoundSentence]:
        """The k best sentences with a word of the span and a word of the choice, best first.

        ``every_word`` asks for all words of both. Stop words never count.
        """
        query = PairQuery.look_up(self._postings, span, choice)
        numbers = query.in_both(len(self._texts))
        numbers = numbers[~self._hidden[numbers]]
        scores = np.zeros(len(numbers))
        held = np.zeros(len(numbers), np.int32)
        for hit in query.hits.values():
            weights = hit.notes_on(numbers)
            scores += weights
            held += weights > 0
        if every_word:
            fit = held == len(query.span | query.choice)
            numbers, scores = numbers[fit], scores[fit]
        best = np.lexsort((numbers, -scores))[:k]
        return [self._scored(int(numbers[i]), float(scores[i])) for i in best]

    def _scored(self, number: int, score: float) -> FoundSentence:
        source = self._meta["sources"][self._arrays["sources"][number]]
        return FoundSentence(self._texts[number], source, score)


# GapQA's tuple search (Khot et al. 2019, section 4.2) over a store of triples.
#
# A triple is found when a stem of its head stands in the span and a stem of its tail in the
# choice, or the reverse. Its score is the Jaccard overlap between its stems (head and tail) and
# those of span and choice together. Ties go to the higher weight, then to head, relation and tail
# in alphabetical order.


WORDNET = frozenset({"oewn", "wordnet/3.1", "wordnet/3.0"})
OMCS = frozenset({"cn100k", "cn82k", "cn4_divisi2", "conceptnet/4/en"})
"""Source names of two subsets that the paper compares: WordNet, and Open Mind Common Sense."""


class FoundTriple(NamedTuple):
    """A triple and how well it fits."""

    triple: Triple
    score: float


class Triples:
    """An open store; safe to use from several threads.

    >>> from lacuna.retrieve.knowledge import open_knowledge
    >>> open_knowledge().triples.search("metal", "steel spoon")[0].triple
    Triple(relation='MadeOf', head='spoon', tail='metal', weight=1.0, sources=('demo',))
    """

    def __init__(self, arrays: NamedArrays, meta: dict[str, Any]) -> None:
        self._arrays = arrays
        self._phrases = open_strings("phrase", arrays)
        self._postings = StemPostings(arrays)
        self._stem_counts = arrays["stem_counts"]
        self._weights = arrays["weights"]
        self._relations: list[str] = meta["relations"]
        self._source_sets = [tuple(names) for names in meta["source_sets"]]

    @classmethod
    def open(cls, folder: Path) -> Triples:
        """Open what ``build_triples`` wrote."""
        return cls(*open_arrays(folder, TRIPLES))

    def __len__(self) -> int:
        return len(self._weights)

    def __getitem__(self, number: int) -> Triple:
        arrays = self._arrays
        return Triple(
            self._relations[arrays["relations"][number]],
            self._phrases[arrays["heads"][number]],
            self._phrases[arrays["tails"][number]],
            float(self._weights[number]),
            self._source_sets[arrays["sources"][number]],
        )

    def __iter__(self) -> Iterator[Triple]:
        return (self[number] for number in range(len(self)))

    @property
    def sources(self) -> frozenset[str]:
        """The names of all sources in the store."""
        return frozenset(name for names in self._source_sets for name in names)

    def search(
        self, span: str, choice: str, k: int = 5, sources: Set[str] | None = None
    ) -> list[FoundTriple]:
        """The k triples that best connect the two, best first.

        ``sources`` keeps to triples that at least one of the named sources has.
        """
        allowed = None if sources is None else self._allowed(sources)
        query = PairQuery.look_up(self._postings, span, choice)
        numbers = query.in_both(len(self))
        if allowed is not None:
            numbers = numbers[allowed[self._arrays["sources"][numbers]]]
        shared = np.zeros(len(numbers), np.int32)
        of_span, of_choice = np.zeros(len(numbers), np.uint8), np.zeros(len(numbers), np.uint8)
        for stem, hit in query.hits.items():
            sides = hit.notes_on(numbers)
            shared += sides > 0
            if stem in query.span:
                of_span |= sides
            if stem in query.choice:
                of_choice |= sides
        forward = ((of_span & IN_HEAD) > 0) & ((of_choice & IN_TAIL) > 0)
        backward = ((of_span & IN_TAIL) > 0) & ((of_choice & IN_HEAD) > 0)
        numbers, shared = numbers[forward | backward], shared[forward | backward]
        together = self._stem_counts[numbers] + len(query.span | query.choice) - shared
        scores = shared / together
        best = np.lexsort((numbers, -self._weights[numbers], -scores))[:k]
        return [FoundTriple(self[int(numbers[i])], float(scores[i])) for i in best]

    def _allowed(self, sources: Set[str]) -> NDArray[np.bool_]:
        if not sources & self.sources:
            raise LacunaError(
                f"No triple comes from {', '.join(sorted(sources))}. "
                f"This store has {', '.join(sorted(self.sources))}."
            )
        return np.array([not sources.isdisjoint(names) for names in self._source_sets])
