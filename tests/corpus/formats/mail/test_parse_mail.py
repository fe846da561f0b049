"""Mail: messages and mailboxes, their texts in all encodings, and headers that are wrong."""

from __future__ import annotations

from email.message import EmailMessage

from hypothesis import given, settings
from hypothesis import strategies as st
from page_checks import check_any, mutations, page_of, pages_of, reason_of

from lacuna.corpus.formats.mail import parse_mail
from lacuna.corpus.page import LinkKind

LETTER = b"""From: Ada <ada@example.org>
To: Bob <bob@example.org>
Date: Mon, 5 Jan 2015 10:00:00 +0000
Subject: =?utf-8?q?Die_F=C3=A4hre?=
Message-ID: <one@example.org>

The ferry sails
at nine.

> When does it sail?
> I must know.
Come early.

--\x20
Ada Penhale
"""


def text_of(data: bytes) -> str:
    return page_of(parse_mail, "letter.eml", data).document.text


def test_a_message_is_a_page_with_its_subject_as_title() -> None:
    page = page_of(parse_mail, "letter.eml", LETTER)
    assert page.document.title == "Die Fähre"
    assert page.labels == (("one@example.org", ""),)
    assert page.document.text == (
        "From: Ada <ada@example.org>\nTo: Bob <bob@example.org>\n"
        "Date: Mon, 5 Jan 2015 10:00:00 +0000\nSubject: Die Fähre\n\n"
        "The ferry sails\nat nine.\n\n"
        "> When does it sail?\nI must know.\n\n"
        "Come early."
    )


def test_lines_are_the_places() -> None:
    page = page_of(parse_mail, "letter.eml", LETTER)
    assert page.document.origin is not None
    at = page.document.text.index("I must know")
    assert str(page.document.origin.at(at)) == "letter.eml:11"


def test_messages_of_a_mailbox_are_pages() -> None:
    box = (
        b"From ada Mon Jan  5 10:00:00 2015\nSubject: One\nMessage-ID: <one@x.org>\n\nFirst.\n"
        b">From here on it rains.\n\nFrom now on\nit does not.\n\n"
        b"From bob Mon Jan  5 11:00:00 2015\nSubject: Re: One\nIn-Reply-To: <one@x.org>\n\n"
        b"Second.\n"
    )
    one, two = pages_of(parse_mail, "box.mbox", box)
    assert (one.part, two.part) == ("1", "2")
    assert one.document.text.endswith("First.\nFrom here on it rains.\n\nFrom now on\nit does not.")
    (link,) = two.links
    assert (link.target, link.kind) == (one.labels[0][0], LinkKind.LABEL)
    assert two.document.text[link.start : link.end] == "Re: One"
    assert two.document.origin is not None
    assert str(two.document.origin.at(len(two.document.text) - 1)) == "box.mbox:15"


def test_plain_text_goes_before_html_and_attachments_are_named() -> None:
    message = EmailMessage()
    message["Subject"] = "Times"
    message.set_content("It sails at nine.")
    message.add_alternative("<p>It sails at <b>ten</b>.</p>", subtype="html")
    message.add_attachment(b"%PDF", maintype="application", subtype="pdf", filename="report.pdf")
    text = text_of(bytes(message))
    assert text == "Subject: Times\n\nIt sails at nine.\n\nattachment: report.pdf"


def test_html_alone_is_read_without_its_tags() -> None:
    message = EmailMessage()
    message["Subject"] = "Times"
    html = "<style>p {}</style><p>It sails at <b>te</b>n.</p><p>Come <br>early &amp; dry.</p>"
    message.set_content(html, subtype="html")
    assert text_of(bytes(message)).endswith("It sails at ten.\n\nCome\n\nearly & dry.")


def test_a_message_in_a_message_keeps_its_headers() -> None:
    inner = EmailMessage()
    inner["Subject"] = "The old plan"
    inner.set_content("It sails at eight.")
    outer = EmailMessage()
    outer["Subject"] = "Fwd: The old plan"
    outer.set_content("See below.")
    outer.add_attachment(inner)
    text = text_of(bytes(outer))
    assert text.endswith("See below.\n\nSubject: The old plan\n\nIt sails at eight.")


def test_flowed_lines_are_joined() -> None:
    head = b"Subject: Times\nContent-Type: text/plain; format=flowed\n\n"
    assert text_of(head + b"The ferry \nsails.\nEnd.\n").endswith("The ferry sails.\nEnd.")


def test_headers_that_are_not_encoded() -> None:
    assert "Subject: Formação" in text_of("Subject: Formação\n\nTest.\n".encode("cp1252"))
    assert "Subject: =?none?B?VEVTVA=?=" in text_of(b"Subject: =?none?B?VEVTVA=?=\n\nTest.\n")


def test_unknown_encodings() -> None:
    head = b"Subject: A\nContent-Type: text/plain; charset=klingon\n\n"
    assert text_of(head + "Zoë sails.\n".encode()).endswith("Zoë sails.")


def test_what_is_no_mail_is_told() -> None:
    assert "no headers" in reason_of(parse_mail, "a.eml", b"")
    assert "no mailbox" in reason_of(parse_mail, "a.mbox", LETTER)
    assert reason_of(parse_mail, "a.eml", b"X-Nothing: 1\n\n") == "it has no text"
    assert reason_of(parse_mail, "a.eml", b"X-Nothing: 1\n\n--\nAda\n") == "it has no text"


def test_parts_in_parts_without_end() -> None:
    parts = b"".join(
        b"Content-Type: multipart/mixed; boundary=b%d\n\n--b%d\n" % (number, number)
        for number in range(3000)
    )
    check_any(parse_mail, "a.eml", b"Subject: Deep\n" + parts + b"\nText.\n")


@settings(deadline=None)
@given(st.binary(max_size=300))
def test_any_bytes_are_read_or_told(data: bytes) -> None:
    check_any(parse_mail, "a.eml", data)
    check_any(parse_mail, "a.mbox", b"From x\nSubject: " + data)


def test_changed_files_are_read_or_told() -> None:
    message = EmailMessage()
    message["Subject"] = "Die Fähre"
    message["From"] = "Zoë <zoe@example.org>"
    message.set_content("Sie fährt um neun.\n" * 5)
    message.add_attachment("Zahlen", filename="zahlen ä.csv")
    data = b"From x Mon Jan  5 10:00:00 2015\n" + bytes(message) + b"\n\nFrom y\n" + LETTER
    for changed in mutations(data, 200, seed=3):
        check_any(parse_mail, "a.mbox", changed)
        check_any(parse_mail, "a.eml", changed)
