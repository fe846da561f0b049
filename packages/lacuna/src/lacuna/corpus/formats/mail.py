"""Mail files: a message is a page with its subject as the title."""

from __future__ import annotations

import email
import re
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass
from email.errors import MessageError
from email.header import decode_header, make_header
from email.message import Message
from pathlib import PurePosixPath

from selectolax.lexbor import LexborHTMLParser

from lacuna.corpus.formats.entries import Entry
from lacuna.corpus.formats.opening import decoded_by_name
from lacuna.corpus.page import LinkKind, Page
from lacuna.corpus.page_builder import PageBuilder
from lacuna.corpus.store import Skipped

UNSEEN = ("head", "script", "style", "title")
INLINE = re.compile(
    r"a|abbr|acronym|b|big|cite|code|del|em|font|i|img|ins|kbd|label|mark|o:p|q|s|small|span|"
    r"strike|strong|sub|sup|tt|u|wbr"
)
"""Elements inside a line; all others begin a new one."""


def html_text(html: str) -> str:
    """The text between the tags."""
    tree = LexborHTMLParser(html)
    tree.strip_tags(list(UNSEEN))
    if tree.body is None:
        return ""
    pieces: list[str] = []
    for node in tree.body.traverse(include_text=True):
        if node.tag == "-text":
            pieces.append((node.text_content or "").replace("\n", " "))
        elif not INLINE.fullmatch(node.tag or ""):
            pieces.append("\n")
    lines = [" ".join(line.split()) for line in "".join(pieces).split("\n")]
    return "\n\n".join(line for line in lines if line)


# One message: its headers, its text and what is attached, whatever state it is in.
#
# The standard library's parser takes anything; asking it for a header or a text may still raise.


ODD = (MessageError, LookupError, ValueError, TypeError, AttributeError, AssertionError)
"""Errors that the standard library raises on headers and encodings that are wrong."""
SHOWN = ("From", "To", "Cc", "Date", "Subject")
LONGEST_HEADER = 2000
MOST_PARTS = 1000
IDENTIFIER = re.compile(r"<([^<>\s]{3,250})>")
AS_WRITTEN = ("", "7bit", "8bit", "binary")


@dataclass(frozen=True, slots=True)
class MailText:
    """A text in a message; ``line`` is where it begins in the message, 0 where that is not known.

    ``as_written``: its lines are the lines of the file.
    """

    text: str
    line: int = 0
    as_written: bool = False


@dataclass(frozen=True, slots=True)
class Attachment:
    """A file that came along: its name, which may be empty, and its media type."""

    name: str
    kind: str


@dataclass(frozen=True, slots=True)
class Letter:
    """The content of a message."""

    subject: str
    facts: tuple[tuple[str, str], ...]
    body: tuple[MailText, ...]
    attachments: tuple[Attachment, ...]
    identifier: str = ""
    answers: str = ""


def read_letter(data: bytes) -> Letter | None:
    """The message in these bytes; None where they are none."""
    try:
        message = email.message_from_bytes(data)
        parts = list(_parts(message, 0))
    except (*ODD, RecursionError):
        return None
    if not message.keys():
        return None
    texts: list[MailText] = []
    attachments: list[Attachment] = []
    position = 0
    for part in parts[:MOST_PARTS]:
        if isinstance(part, MailText):
            texts.append(part)
            continue
        name, kind = _file_name(part), part.get_content_type()
        attached = str(part.get("Content-Disposition", "")).strip().lower().startswith("attachment")
        if kind.startswith("multipart/"):
            continue  # it says that it has parts, and has none
        if attached or not kind.startswith("text/") or (name and kind != "text/plain"):
            attachments.append(Attachment(name, kind))
            continue
        text, position = _text(part, data, position)
        if text.text.strip():
            texts.append(text)
    return Letter(
        _header(message, "Subject"),
        _facts(message),
        tuple(texts),
        tuple(attachments),
        _identifier(_header(message, "Message-ID")),
        _identifier(_header(message, "In-Reply-To")),
    )


def _parts(message: Message, depth: int) -> Iterator[Message | MailText]:
    """The parts that are to be read: of several forms of one text the plainest, and of a message
    in the message its headers too."""
    payload = message.get_payload()
    if not isinstance(payload, list):
        yield message
        return
    below = [part for part in payload if isinstance(part, Message)]
    if depth > 100:
        return
    if message.get_content_type() == "multipart/alternative":
        plain = [part for part in below if part.get_content_type() == "text/plain"]
        below = [part for part in plain if str(part.get_payload()).strip()][:1] or below[-1:]
    for part in below:
        if message.get_content_type() == "message/rfc822" and (facts := _facts(part)):
            yield MailText("\n".join(f"{key}: {value}" for key, value in facts))
        yield from _parts(part, depth + 1)


def _text(part: Message, data: bytes, after: int) -> tuple[MailText, int]:
    encoding = str(part.get("Content-Transfer-Encoding", "")).strip().lower()
    raw = part.get_payload()
    written = raw.encode("utf-8", "surrogateescape") if isinstance(raw, str) else b""
    at = data.find(written, after) if written else -1
    line = data.count(b"\n", 0, at) + 1 if at >= 0 else 0
    try:
        content = part.get_payload(decode=True)
        text = _decoded(content if isinstance(content, bytes) else b"", part.get_content_charset())
    except ODD:
        text = written.decode("utf-8", "replace")
    if part.get_content_type() == "text/html":
        return MailText(html_text(text), line), max(at, after)
    if str(part.get_param("format", "")).lower() == "flowed":
        return MailText(_unflowed(text), line), max(at, after)
    return MailText(text, line, encoding in AS_WRITTEN), max(at, after)


def _decoded(content: bytes, charset: str | None) -> str:
    for encoding in (charset, "utf-8"):
        if encoding and (text := decoded_by_name(content, encoding)) is not None:
            return text
    return content.decode("cp1252", "replace")


def _unflowed(text: str) -> str:
    """Lines that end in a space go on in the next one (RFC 3676)."""
    joined: list[str] = []
    for line in text.splitlines():
        line = line[1:] if line.startswith(" ") else line
        goes_on = bool(joined) and joined[-1].endswith(" ") and joined[-1] != "-- "
        if goes_on and not line.startswith(">") and not joined[-1].startswith(">"):
            joined[-1] += line
        else:
            joined.append(line)
    return "\n".join(joined)


def _facts(message: Message) -> tuple[tuple[str, str], ...]:
    return tuple((key, value) for key in SHOWN if (value := _header(message, key)))


def _header(message: Message, key: str) -> str:
    """A header in plain words, or nothing."""
    wanted = key.lower()
    written = next((str(text) for name, text in message.raw_items() if name.lower() == wanted), "")
    # Letters beyond ASCII should be encoded, and often are not.
    value = _decoded(written[:LONGEST_HEADER].encode("utf-8", "surrogateescape"), None)
    with suppress(*ODD):  # where it is encoded wrongly it stays as it is written
        value = str(make_header(decode_header(value)))
    return " ".join(value.encode("utf-8", "replace").decode("utf-8").split())


def _identifier(value: str) -> str:
    found = IDENTIFIER.search(value)
    return found[1] if found else ""


def _file_name(part: Message) -> str:
    try:
        name = part.get_filename() or ""
        return " ".join(str(make_header(decode_header(name))).split())[:255]
    except ODD:
        return ""


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
