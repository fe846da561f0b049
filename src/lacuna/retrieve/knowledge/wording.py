"""Triples as sentences, so that a model that reads text can read them (GapQA, appendix C).

The paper writes "head is <relation in words> tail". The table below says it in better English
where that rule does not ("cat is has a tail"), and from the tail's side as well; relations that
it does not have go by the paper's rule.
"""

from __future__ import annotations

import re

from lacuna.retrieve.knowledge.triple_rows import Triple

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
