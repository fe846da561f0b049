"""Lists as they stand in documents: enumerations in a sentence, items, and columns of tables."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterator, Sequence
from itertools import pairwise
from statistics import median

from lacuna.text import content_stems
from lacuna.types import Document, Span


def holder(spans: Sequence[Span], place: int) -> int | None:
    """The number of the span that a place lies in; spans ascend."""
    at = bisect_right(spans, place, key=lambda span: span.start) - 1
    return at if at >= 0 and place < spans[at].end else None


def sentence_at(document: Document, place: int) -> Span:
    """The sentence that a place lies in; the line where sentences are not known."""
    at = holder(document.sentences, place)
    if at is not None:
        return document.sentences[at]
    lines = lines_of(document)
    line = holder(lines, place)
    return lines[line] if line is not None else Span(place, place)


def lines_of(document: Document) -> Sequence[Span]:
    """Paragraphs, items and rows; the written lines where the document does not know them."""
    if document.paragraphs:
        return document.paragraphs
    lines, start = [], 0
    for line in document.text.split("\n"):
        if line.strip():
            lines.append(Span(start, start + len(line)))
        start += len(line) + 1
    return lines


def items_around(document: Document, lines: Sequence[Span], line: int) -> range:
    """The numbers of the lines that follow each other without an empty line, and this one with
    them: items of a list or rows of a table stand so."""
    text = document.text
    first = last = line
    while first and text[lines[first - 1].end : lines[first].start].count("\n") == 1:
        first -= 1
    while last + 1 < len(lines) and text[lines[last].end : lines[last + 1].start].count("\n") == 1:
        last += 1
    return range(first, last + 1)


def trimmed(text: str, span: Span, signs: str) -> Span:
    """A span without the signs at its ends."""
    start, end = span
    while start < end and text[start] in signs:
        start += 1
    while end > start and text[end - 1] in signs:
        end -= 1
    return Span(start, end)


# Enumerations inside a sentence: "salt, pepper, and oil".
#
# A stretch that was found says where one item stands; the others are looked for to its left and
# right, as far as commas and one "and" reach. What leads in to the first item and goes on after
# the last is cut off, so that they look like the items between them.


_AND = r"(?:and also|and|or|as well as)"
_COMMA = rf"[,;] (?:{_AND} )?(?!(?:1[0-9]|20)[0-9]{{2}}\b)"  # "May 3, 1950" is one date
_COMMAS = re.compile(_COMMA)
_COMMAS_AND_WORDS = re.compile(rf"{_COMMA}|\s{_AND} (?!so\b|then\b)")
_CLOSES = re.compile(rf"\b{_AND}\b")
_BRACKETED = re.compile(r"\([^()]*\)|\[[^\[\]]*\]|“[^”]*”|\"[^\"]*\"|‘[^’]*’(?!\w)")
# Before a first item, for sure …
_LEADS_IN = re.compile(
    r"(?:[:–—]|\b(?:is|are|was|were|be|been|being|includ(?:e|es|ed|ing)|such as|like|namely|called"
    r"|named|has|have|had|us(?:e|es|ed|ing)|supports?|provid(?:e|es|ed|ing)|contains?|containing"
    r"|compris(?:e|es|ed|ing)|both|either|e\.g\.|i\.e\.|stars?|starring|offers?|allows?|requires?"
    r"|needs?|accepts?|means|following|consists? of)\b),? "
)
_ANNOUNCES = re.compile(r"(?:: |\b(?:such as|including|includes?|namely|e\.g\.|i\.e\.),? )")
# … and only where the other items have no such words themselves.
_MAY_LEAD_IN = re.compile(
    r"\b(?:of|by|with|from|between|to|for|in|on|into|than|as|via|not|only|at|through|against|about"
    r"|over|under|after|before|among|within|without|during|that|which|who|can|will|may|must) "
)
_ARTICLE = re.compile(r"\b(?:the|an|a|its|their|his|her|our|your) (?=\S)", re.IGNORECASE)
_CLAUSE = re.compile(
    r"(?:which|who|whose|where|when|while|but|although|because|if|so|then|he|she|it"
    r"|they|this|there)\b",
    re.IGNORECASE,
)
_LEADS_OUT = re.compile(
    r"[,;:.]? (?:is|are|was|were|can|could|may|might|must|will|would|should|has|have|had|to|in"
    r"|on|at"
    r"|for|with|by|that|which|who|where|when|while|from|as|all|each|respectively|until|if|because"
    r"|after|before|during|into|do|does|did|than|through|but|so|work|using|via|under|over|made|used"
    r"|found|based|given|between|among|instead|etc)\b| [—–-] |: "
)
_NO_ITEM = re.compile(
    r"(?:including|such as|with|even|that|thus|leaving|in which)\b", re.IGNORECASE
)
_NAME = r"[\"'“‘`/<-]{0,2}[A-Z0-9][^\s,;]*"
_SMALL = r"(?:of|the|de|la|von|van|del|and|for|&|al|du|di)"
_NAME_AT_END = re.compile(rf"{_NAME}(?:(?: {_SMALL}){{0,2}} {_NAME})*(?: \([^()]*\))?$")
_NAME_AT_FRONT = re.compile(
    rf"(?:[Tt]he )?{_NAME}(?:(?: {_SMALL}){{0,2}} {_NAME})*(?: \([^()]*\))?"
)
_A_NAME = re.compile(r"(?:the |The |a |an )?[\"'“‘`/<-]{0,2}[A-Z0-9]")
_MOST_BEFORE, _MOST_AFTER = 1, 2
"""Words that an item may have before and after what was found of it."""
_LONGEST_OF_TWO = 6
"""Words of an item where there are but two."""
_GLOSS = re.compile(r"\s\([^()]*\)")
_TRIM = ' \t\n.,;:!?“”"'


def enumeration_at(text: str, sentence: Span, found: Span) -> tuple[Span, ...]:
    """The items of the enumeration that a found stretch is a part of (or holds); () if of none.

    >>> line = "The soup needs salt, black pepper, and oil."
    >>> items = enumeration_at(line, Span(0, len(line)), Span(15, 19))
    >>> [line[item.start : item.end] for item in items]
    ['salt', 'black pepper', 'oil']
    """
    sentence = _inside_brackets(text, sentence, found)
    whole = text[sentence.start : sentence.end]
    inside = Span(found.start - sentence.start, min(len(whole), found.end - sentence.start))
    masked = _masked(whole)
    # With a comma before its last "and", the other "and"s of a sentence stand inside its items.
    for between, fewest in ((_COMMAS, 3), (_COMMAS_AND_WORDS, 2)):
        items = _grown(whole, masked, inside, between)
        if len(items) >= fewest and any(_share(item, inside) for item in items):
            return tuple(Span(sentence.start + start, sentence.start + end) for start, end in items)
    return ()


def _inside_brackets(text: str, sentence: Span, found: Span) -> Span:
    """What was found in brackets is enumerated in them."""
    for match in _BRACKETED.finditer(text, sentence.start, sentence.end):
        inner = Span(match.start() + 1, match.end() - 1)
        if inner.start <= found.start and found.end <= inner.end:
            return inner if _COMMAS_AND_WORDS.search(text, *inner) else sentence
    return sentence


def _masked(sentence: str) -> str:
    """The sentence with what stands in brackets or quotes blotted out, of the same length."""
    return _BRACKETED.sub(lambda match: _blotted(match[0]), sentence)


def _blotted(part: str) -> str:
    last = "," if part.endswith((",”", ',"')) else part[-1]  # the comma may stand in the quotes
    return part[0] + "x" * (len(part) - 2) + last


def _grown(whole: str, masked: str, found: Span, between: re.Pattern[str]) -> list[Span]:
    """All items, from the one that was found to both sides."""
    breaks = [match.span() for match in between.finditer(masked)]
    starts = [0, *(end for _, end in breaks)]
    ends = [*(start for start, _ in breaks), len(masked)]
    pieces = [Span(start, end) for start, end in zip(starts, ends, strict=True)]
    closing = [bool(_CLOSES.search(masked[start:end])) for start, end in breaks]
    held = [at for at, piece in enumerate(pieces) if _share(piece, found)]
    if not held:
        return []
    known = whole[slice(*found)]
    begins = _words(masked[pieces[held[0]].start : found.start]) > _MOST_BEFORE
    after = masked[found.end : pieces[held[-1]].end]
    goes_on = _words(after) > _MOST_AFTER and not _GLOSS.match(after)
    grown: list[Span] = []
    for last in _last_pieces(masked, pieces, closing, held):
        if goes_on and last != held[-1]:
            continue  # something else is said before the row goes on
        first = held[0]
        if not begins:
            first = _first_piece(masked, pieces, closing, known, last, held[0])
        if first < last:
            items = _cut_to_size(whole, masked, pieces[first : last + 1], found)
            grown = max(grown, items, key=len)
    return grown if _is_row(whole, grown, len(held)) else []


def _is_row(whole: str, items: Sequence[Span], found: int) -> bool:
    """Tell if items look like a row of things, and not like parts of clauses."""
    texts = [whole[slice(*item)] for item in items]
    if any(_NO_ITEM.match(text) for text in texts):
        return False
    if len(items) != 2 or found == 2:
        return True
    # "He fell and broke a leg": two alone are a row if they are names.
    return all(_A_NAME.match(text) and _words(text) <= _LONGEST_OF_TWO for text in texts)


def _last_pieces(
    masked: str, pieces: Sequence[Span], closing: Sequence[bool], held: Sequence[int]
) -> Iterator[int]:
    """Where a row may end: with the item after an "and"; without one, a row after a colon ends
    with the sentence."""
    at = held[0]
    if len(held) == 1 and at and closing[at - 1]:
        yield at
    while at < len(closing):
        if _CLAUSE.match(masked, pieces[at + 1].start):
            return
        at += 1
        if closing[at - 1] and at >= held[-1]:
            yield at
            return
    if ": " in masked[: pieces[at].start] and not _CLOSES.search(masked, *pieces[at]):
        yield at


def _first_piece(
    masked: str, pieces: Sequence[Span], closing: Sequence[bool], known: str, last: int, at: int
) -> int:
    """As far to the left as commas go, up to what leads in to a row."""
    usual = median(_words(masked[piece.start : piece.end]) for piece in pieces[at : last + 1])
    named, plain = _A_NAME.match(known), not _MAY_LEAD_IN.search(known)
    while at:
        if closing[at - 1] and at != last:
            break
        piece = masked[pieces[at].start : pieces[at].end]
        leads = _LEADS_IN.search(piece) or (plain and _MAY_LEAD_IN.search(piece))
        if at != last and (leads or _words(piece) > 2 * usual + 3):
            break
        if at != last and named and not _A_NAME.match(piece):
            break
        if _CLAUSE.match(piece):
            break
        at -= 1
    return at


def _cut_to_size(whole: str, masked: str, group: Sequence[Span], found: Span) -> list[Span]:
    """The items alone: without what leads in to the first and goes on after the last."""
    first, last = group[0], group[-1]
    known = [whole[found.start : found.end]] if not _CLOSES.search(whole[slice(*found)]) else []
    others = [whole[piece.start : piece.end] for piece in group[1:-1]] or known
    if not others:
        others = [whole[last.start : last.end]]
    if first.start < found.start < first.end:
        first = Span(found.start, first.end)
    else:
        begin = _item_begins(masked[first.start : first.end], others)
        first = Span(first.start + begin, first.end)
    if last.start < found.end <= last.end:
        last = Span(last.start, found.end)
    else:
        last = Span(last.start, last.start + _item_ends(masked[last.start : last.end], others))
    items = [_trimmed(whole, span) for span in (first, *group[1:-1], last)]
    if _GLOSS.match(whole, found.end):  # "m" of "m (minutes)" was found: so are the others
        items = [_without_gloss(whole, item) for item in items]
    ordered = all(one.end <= other.start for one, other in pairwise(items))
    return items if ordered and all(item.end > item.start for item in items) else []


def _item_begins(front: str, others: Sequence[str]) -> int:
    """Where the first item begins in what stands before the first comma."""
    if all(_A_NAME.match(other) for other in others) and (name := _NAME_AT_END.search(front)):
        start = name.start()
        article = front[:start].endswith("the ") and others[0].startswith("the ")
        return start - 4 if article else start
    announced = [match.end() for match in _ANNOUNCES.finditer(front)]
    if announced:
        return announced[-1]
    leads = [match.end() for match in _LEADS_IN.finditer(front)]
    if not any(_MAY_LEAD_IN.search(other) for other in others):
        leads += [match.end() for match in _MAY_LEAD_IN.finditer(front)]
    articles = [match.start() for match in _ARTICLE.finditer(front)]
    begin = max(leads, default=0)
    if articles and articles[-1] > begin:
        begin = articles[-1]
    # A verb that is not known as one still leads in: the item is about as long as the others.
    lengths = [_words(other) for other in others]
    words = [match.start() for match in re.finditer(r"\S+", front)]
    inside = [start for start in words if start >= begin]
    if not leads and len(inside) > max(lengths) + 1:
        begin = inside[-max(1, round(median(lengths)))]
    return begin


def _item_ends(back: str, others: Sequence[str]) -> int:
    """Where the last item ends in what stands after the last "and"."""
    if all(_A_NAME.match(other) for other in others) and (name := _NAME_AT_FRONT.match(back)):
        return name.end()
    if any(_LEADS_OUT.search(other, 1) for other in others):
        return len(back)
    out = _LEADS_OUT.search(back, 1)
    return out.start() if out else len(back)


def _without_gloss(text: str, item: Span) -> Span:
    gloss = re.search(r"\s\([^()]*\)$", text[slice(*item)])
    return Span(item.start, item.start + gloss.start()) if gloss and gloss.start() else item


def _words(text: str) -> int:
    return len(text.split())


def _trimmed(text: str, span: Span) -> Span:
    return trimmed(text, span, _TRIM)


def _share(first: Span, second: Span) -> bool:
    return first.start < second.end and second.start < first.end


LONGEST_ITEM = 25
"""Words; what is longer is prose, of which only the term before it is an item."""
LONGEST_TERM = 7
BETWEEN_CELLS = " | "

_MARK = re.compile(r"(?:[-*•‣◦–]|\(?[0-9]{1,2}[.):]|\(?[a-z][.)])\s+")
_AFTER_TERM = re.compile(r": |\s[–—-]\s")
_FIRST_SENTENCE = re.compile(r"[^.!?]+[.!?](?=\s)")
_LABEL = re.compile(r"([^|:]{1,80}): ")
_ITEM_TRIM = " \t\n.,;:"


def list_around(document: Document, found: Span) -> tuple[Span, ...]:
    """The items of the list that a found stretch begins an item of; () if of none."""
    rows, here = _rows_around(document, found)
    if not rows or _is_table(document.text, rows):
        return ()
    # An item that ends in a colon begins a list of its own; where that ends is not written.
    first = max((i + 1 for i in range(here) if _leads_in(document.text, rows[i])), default=0)
    last = next((i for i in range(here, len(rows)) if _leads_in(document.text, rows[i])), len(rows))
    if not first <= here < last:
        return ()
    items = _items(document.text, rows[first:last])
    if not items or found.start > items[here - first].end:
        return ()  # it was found in the explanation of an item
    return items


def column_around(
    document: Document, found: Span, question: str, *, all_about_it: bool = False
) -> tuple[Span, ...]:
    """The cells of the column that was found a cell of, in the rows that the question is about.

    With ``all_about_it`` only where every such row has a word of the question.
    """
    rows, here = _rows_around(document, found)
    text = document.text
    if not rows or not _is_table(text, rows):
        return ()
    column = text.count(BETWEEN_CELLS, rows[here].start, found.start)
    about = _rows_about(text, rows, rows[here], question)
    if all_about_it and not _in_all([_shared(text, row, question) for row in about]):
        return ()
    return _column(text, about, column)


def list_after(document: Document, found: Span, question: str) -> tuple[Span, ...]:
    """The items that follow the line that something was found in, if that line leads in to them."""
    lines = lines_of(document)
    at = _line_of(lines, found)
    if at is None or at + 1 >= len(lines):
        return ()
    text = document.text
    between = text[lines[at].end : lines[at + 1].start]
    if between.strip() or between.count("\n") < 2 or not _leads_in(text, lines[at], titles=True):
        return ()
    rows = [lines[number] for number in items_around(document, lines, at + 1)]
    if len(rows) < 2:
        return ()
    if _is_table(text, rows):
        asked = set(content_stems(question))
        labels = [_label(cell) for cell in text[slice(*rows[0])].split(BETWEEN_CELLS)]
        named = (i for i, label in enumerate(labels) if asked & set(content_stems(label)))
        return _column(text, rows, next(named, 0))
    if any(_leads_in(text, row) for row in rows):
        return ()
    return _items(text, rows)


def _rows_around(document: Document, found: Span) -> tuple[list[Span], int]:
    """The lines that stand together with that of a found stretch, and which one that is."""
    lines = lines_of(document)
    at = _line_of(lines, found)
    if at is None:
        return [], 0
    numbers = items_around(document, lines, at)
    return [lines[number] for number in numbers], numbers.index(at)


def _line_of(lines: Sequence[Span], found: Span) -> int | None:
    return next(
        (
            at
            for at, line in enumerate(lines)
            if line.start <= found.start and found.end <= line.end
        ),
        None,
    )


def _leads_in(text: str, line: Span, *, titles: bool = False) -> bool:
    ending = text[line.start : line.end].rstrip()
    return ending.endswith(":") or (titles and bool(re.match(r"Table [0-9]", ending)))


def _is_table(text: str, rows: Sequence[Span]) -> bool:
    with_cells = sum(BETWEEN_CELLS in text[row.start : row.end] for row in rows)
    return with_cells * 2 > len(rows)


def _items(text: str, rows: Sequence[Span]) -> tuple[Span, ...]:
    """The terms of the items where most have one, else the items; () if they are prose."""
    if len(rows) < 2:
        return ()
    bare = [_unmarked(text, row) for row in rows]
    terms = [_term(text, item) for item in bare]
    if sum(term is not None for term in terms) * 3 >= len(rows) * 2:
        return tuple(term or _trimmed(text, item) for term, item in zip(terms, bare, strict=True))
    items = []
    for item in bare:
        if len(text[slice(*item)].split()) > LONGEST_ITEM:
            sentence = _FIRST_SENTENCE.match(text, item.start, item.end)
            if sentence is None or len(sentence[0].split()) > LONGEST_TERM:
                return ()
            item = Span(item.start, sentence.end())
        items.append(_trimmed(text, item))
    return tuple(items)


def _unmarked(text: str, line: Span) -> Span:
    mark = _MARK.match(text, line.start, line.end)
    return Span(mark.end(), line.end) if mark else line


def _term(text: str, item: Span) -> Span | None:
    """What stands before the colon or the dash of "term: explanation"."""
    after = _AFTER_TERM.search(text, item.start, item.end)
    if after is None or len(text[item.start : after.start()].split()) > LONGEST_TERM:
        return None
    term = _trimmed(text, Span(item.start, after.start()))
    return term if term.end > term.start else None


def _rows_about(text: str, rows: Sequence[Span], found: Span, question: str) -> Sequence[Span]:
    """Words of the question that only some rows have choose among the rows."""
    shared = {row: _shared(text, row, question) for row in rows}
    needed = shared[found] - _in_all(list(shared.values()))
    return [row for row in rows if needed <= shared[row]]


def _shared(text: str, row: Span, question: str) -> set[str]:
    return set(content_stems(question)) & set(content_stems(text[slice(*row)]))


def _in_all(groups: Sequence[set[str]]) -> set[str]:
    return set.intersection(*groups)


def _column(text: str, rows: Sequence[Span], column: int) -> tuple[Span, ...]:
    cells = [cell for row in rows if (cell := _cell(text, row, column)) is not None]
    return tuple(cells) if len(cells) > 1 else ()


def _cell(text: str, row: Span, column: int) -> Span | None:
    """A cell of a row without its label."""
    start = row.start
    for _ in range(column):
        at = text.find(BETWEEN_CELLS, start, row.end)
        if at < 0:
            return None
        start = at + len(BETWEEN_CELLS)
    end = text.find(BETWEEN_CELLS, start, row.end)
    cell = text[start : end if end >= 0 else row.end]
    label = _LABEL.match(cell)
    begin = start + (label.end() if label else 0)
    span = _trimmed(text, Span(begin, start + len(cell)))
    return span if span.end > span.start and text[slice(*span)] != "–" else None


def _label(cell: str) -> str:
    label = _LABEL.match(cell)
    return label[1] if label else ""
