"""Mail files: a message is a page with its subject as the title."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import PurePosixPath

from lacuna.corpus.formats.entries import Entry
from lacuna.corpus.formats.mail.message import Attachment, MailText, read_letter
from lacuna.corpus.pages.page import LinkKind, Page
from lacuna.corpus.pages.page_builder import PageBuilder
from lacuna.corpus.source_item import Skipped

ENVELOPE = re.compile(rb"(?:\A|(?<=\n\n)|(?<=\n\r\n))From [^\n]*\n(?=[!-9;-~]+:)")
"""The line above each message of an mbox: it follows an empty line, a header follows it."""
QUOTED_ENVELOPE = re.compile(rb"^>(>*From )", re.MULTILINE)
QUOTE = re.compile(r"(?:[ \t]?>)+ ?")
SIGNATURE = "--"
LONGEST_SIGNATURE = 15


def parse_mail(entry: Entry) -> Iterator[Page | Skipped]:
    """The messages of a mailbox, or the one that the file is."""
    starts = [(found.start(), found.end()) for found in ENVELOPE.finditer(entry.data)]
    if not starts or starts[0][0]:
        if entry.name.lower().endswith(".mbox"):
            yield Skipped(entry.name, 'it is no mailbox: it does not begin with "From "')
        else:
            yield _page(entry.name, entry.data, 1, "")
        return
    ends = [start for start, _ in starts[1:]] + [len(entry.data)]
    line, counted = 1, 0
    for number, ((_, start), end) in enumerate(zip(starts, ends, strict=True), 1):
        line += entry.data.count(b"\n", counted, start)
        counted = start
        data = QUOTED_ENVELOPE.sub(rb"\1", entry.data[start:end])
        yield _page(entry.name, data, line, str(number) if len(starts) > 1 else "")


def _page(name: str, data: bytes, line: int, part: str) -> Page | Skipped:
    letter = read_letter(data)
    where = f"{name}, message {part}" if part else name
    if letter is None:
        return Skipped(where, "it is no mail: it has no headers that can be read")
    stem = PurePosixPath(name).stem
    builder = PageBuilder(letter.subject or (f"{stem}, message {part}" if part else stem))
    builder.mark(line)
    for key, value in letter.facts:
        builder.add(f"{key}: ")
        if key == "Subject" and letter.answers:
            builder.open_written(letter.answers, LinkKind.LABEL)
        builder.add(value)
        builder.close_link()
        builder.end_item()
    builder.end_list()
    for text in letter.body:
        _add_body(builder, text, line)
    _add_attachments(builder, letter.attachments)
    if not builder.has_paragraph:
        return Skipped(where, "it has no text")
    labels = ((letter.identifier, ""),) if letter.identifier else ()
    return builder.page(name, part=part, labels=labels)


def _add_body(builder: PageBuilder, text: MailText, first: int) -> None:
    """The lines as they stand; what is quoted becomes paragraphs that begin with their marks."""
    lines = _without_signature(text.text.splitlines())
    depth = ""
    for number, line in enumerate(lines):
        found = QUOTE.match(line)
        marks = "".join(found[0].split()) if found else ""
        words = line[found.end() :] if found else line
        if not words.strip() or marks != depth:
            builder.end_block()
        if not words.strip():
            depth = "–"  # whatever comes next begins a paragraph
            continue
        if marks and marks != depth:
            words = f"{marks} {words.lstrip()}"
        depth = marks
        if text.line:
            builder.mark(first + text.line - 1 + (number if text.as_written else 0))
        builder.add_verbatim(words.rstrip() + "\n")
    builder.end_block()


def _without_signature(lines: list[str]) -> list[str]:
    for at in range(max(0, len(lines) - LONGEST_SIGNATURE - 1), len(lines)):
        if lines[at].rstrip() == SIGNATURE:
            return lines[:at]
    return lines


def _add_attachments(builder: PageBuilder, attachments: tuple[Attachment, ...]) -> None:
    for attachment in attachments:
        builder.add(f"attachment: {attachment.name or attachment.kind}")
        builder.end_item()
    builder.end_list()
