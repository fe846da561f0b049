"""Sections that dialogs are about, chosen with the paper's filters, and the split of each."""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import islice

from lacuna.collect.tasks.iirc.paragraph_sets import TRAIN, split_of
from lacuna.collect.tasks.live_task import PEOPLE_OF_A_DIALOG
from lacuna.collect.tasks.task import Json, NewItem
from lacuna.corpus.mining.paragraphs import first_paragraph
from lacuna.corpus.mining.sections import ChosenSection, SectionBounds, choose_sections
from lacuna.corpus.store import Store
from lacuna.errors import LacunaError
from lacuna.text import WORD_RUN
from lacuna.types import Document

SECTION = "section"
"""The kind of an item that a dialog is about."""
LIVED = re.compile(r"\([^()]*(?:\bborn\b|\b1\d{3}\b|\b20\d{2}\b|\bBC\b)[^()]*\)")
"""What stands behind a name where an article is about a person: the years of a life."""
IS_SOMEBODY = re.compile(r"\b(?:is|was) (?:an?|the|one of)\b")


def section_items(corpus: Store, options: Json) -> Iterator[NewItem]:
    """An item for each section; its places are for the two people of each of its dialogs."""
    found = choose_sections(
        (document for document in corpus if _is_wanted(document, options)),
        corpus.graph(),
        SectionBounds(
            tuple(options["paragraphs"]),
            tuple(options["tokens"]),
            tuple(options["words_a_sentence"]),
        ),
        options["fewest_in_links"],
    )
    made = 0
    for chosen in islice(found, options["sections"] or None):
        made += 1
        yield _item(chosen, options)
    if not made:
        raise LacunaError(
            "No section of the corpus passes the paper's filters. Loosen them, as in `lacuna "
            "collect init … --set fewest_in_links=0 --set people_only=false --set "
            "tokens=[50,2000]`, or give a larger corpus; `lacuna corpus sections --in-links N` "
            "lists such sections."
        )


def is_person(document: Document) -> bool:
    """Whether an article's first sentence speaks of a person, by the years of a life.

    >>> is_person(Document("Ada Fenn", "Ada Fenn (1851–1929) was an engineer. She was tall."))
    True
    >>> is_person(Document("Orne", "The Orne is a river of 212 kilometres."))
    False
    """
    begun = first_paragraph(document).text[:600]
    lived = LIVED.search(begun)
    return bool(lived and lived.start() < 200 and IS_SOMEBODY.search(begun, lived.end()))


def _is_wanted(document: Document, options: Json) -> bool:
    if options["people_only"] and not is_person(document):
        return False
    wanted = {word.lower() for word in options["keywords"]}
    if not wanted:
        return True
    words = {word.lower() for word in WORD_RUN.findall(first_paragraph(document).text)}
    return not wanted.isdisjoint(words)


def _item(chosen: ChosenSection, options: Json) -> NewItem:
    context, heading = chosen.context, chosen.section.path[-1]
    # The heading belongs to what the student sees, and is no part of the text.
    cut = len(heading) if context.text.startswith(f"{heading}\n") else 0
    text = context.text[cut:].lstrip()
    cut = len(context.text) - len(text)
    # By the article and not by the section: what is read in one fold is in no other.
    split = split_of(context.title, options)
    dialogs = options["dialogs_train"] if split == TRAIN else 1
    payload = {
        "kind": SECTION,
        "title": context.title,
        "section": heading,
        "background": chosen.background,
        "text": text,
        "sentences": [[start - cut, end - cut] for start, end in context.sentences if start >= cut],
    }
    key = f"{context.title}#{chosen.section.start}"[-400:]
    return NewItem(key, payload, copies=PEOPLE_OF_A_DIALOG * dialogs, split=split)
