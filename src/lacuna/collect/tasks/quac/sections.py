"""Sections that dialogs are about, chosen with the paper's filters, and the split of each."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice

from lacuna.collect.tasks.iirc.paragraph_sets import TRAIN, split_of
from lacuna.collect.tasks.live_task import PEOPLE_OF_A_DIALOG
from lacuna.collect.tasks.task import Json, NewItem
from lacuna.corpus.mining.sections import (
    ChosenSection,
    SectionBounds,
    SectionFilter,
    choose_sections,
)
from lacuna.corpus.store import Store
from lacuna.errors import LacunaError

SECTION = "section"
"""The kind of an item that a dialog is about."""


def section_items(corpus: Store, options: Json) -> Iterator[NewItem]:
    """An item for each section; its places are for the two people of each of its dialogs."""
    wanted = SectionFilter(
        fewest_in_links=options["fewest_in_links"],
        people_only=options["people_only"],
        keywords=tuple(options["keywords"]),
        bounds=SectionBounds(
            tuple(options["paragraphs"]),
            tuple(options["tokens"]),
            tuple(options["words_a_sentence"]),
        ),
    )
    found = choose_sections(corpus, corpus.graph(), wanted)
    made = 0
    for chosen in islice(found, options["sections"] or None):
        made += 1
        yield _item(chosen, options)
    if not made:
        raise LacunaError(
            "No section of the corpus passes the paper's filters. Loosen them, as in `lacuna "
            "collect init … --set fewest_in_links=0 --set people_only=false --set "
            "tokens=[50,2000]`, or give a larger corpus; `lacuna corpus sections` lists what "
            "passes such filters."
        )


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
