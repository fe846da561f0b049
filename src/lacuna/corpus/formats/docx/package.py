"""The parts of a DOCX file: a zip archive of XML, read within bounds."""

from __future__ import annotations

import posixpath
import zipfile
import zlib
from collections.abc import Callable, Mapping
from io import BytesIO
from xml.parsers import expat

from lacuna.corpus.formats.entries import BOUNDED

LARGEST_PART = 64 << 20
"""Bytes of one part; a larger one is no text, and may be made to fill the memory."""
OLD_FORMAT = b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1"
ENCRYPTED = "EncryptedPackage".encode("utf-16-le")

StartElement = Callable[[str, Mapping[str, str]], None]
EndElement = Callable[[str], None]
Characters = Callable[[str], None]


class UnreadableDocxError(Exception):
    """Why a file gives no text; continues "it was skipped: "."""


class Package:
    """One file; parts are asked for by their names inside it."""

    def __init__(self, data: bytes) -> None:
        if data.startswith(OLD_FORMAT):
            if ENCRYPTED in data:
                raise UnreadableDocxError(
                    "it is encrypted with a password; remove the password first"
                )
            raise UnreadableDocxError("it is in Word's old format; save it as .docx")
        try:
            self._archive = zipfile.ZipFile(BytesIO(data))
            self._names = {name.lower(): name for name in self._archive.namelist()}
        except (zipfile.BadZipFile, ValueError, OSError, NotImplementedError, EOFError) as error:
            raise UnreadableDocxError("it is damaged, or no DOCX file; save it again") from error

    def part(self, name: str) -> bytes | None:
        """The bytes of a part; None where there is none."""
        known = self._names.get(name.lstrip("/").lower())
        if known is None:
            return None
        try:
            member = self._archive.getinfo(known)
            if member.compress_type not in BOUNDED or member.flag_bits & 1:
                raise UnreadableDocxError("it is packed in an unusual way; save it again")
            with self._archive.open(member) as file:
                # What an archive says of a size may be false: one byte more than allowed tells.
                content = file.read(LARGEST_PART + 1)
        except (zipfile.BadZipFile, zlib.error, RuntimeError, OSError, EOFError) as error:
            raise UnreadableDocxError("it is damaged; save it again, or get it again") from error
        except (NotImplementedError, ValueError) as error:
            raise UnreadableDocxError("it is packed in an unusual way; save it again") from error
        if len(content) > LARGEST_PART:
            raise UnreadableDocxError(
                f"a part of it is larger than {LARGEST_PART >> 20} MB; split it"
            )
        return content

    def relations(self, part: str) -> dict[str, tuple[str, str]]:
        """What a part refers to: by its identifier the kind, and an address or a part's name."""
        folder, name = posixpath.split(part)
        content = self.part(posixpath.join(folder, "_rels", f"{name}.rels"))
        found: dict[str, tuple[str, str]] = {}

        def start(element: str, attributes: Mapping[str, str]) -> None:
            if element == "Relationship" and "Id" in attributes:
                target = attributes.get("Target", "")
                if attributes.get("TargetMode") != "External":
                    target = posixpath.normpath(posixpath.join("/", folder, target)).lstrip("/")
                kind = attributes.get("Type", "").rpartition("/")[2]
                found[attributes["Id"]] = (kind, target)

        parse_xml(content or b"<none/>", start)
        return found


def parse_xml(
    content: bytes,
    start: StartElement,
    end: EndElement | None = None,
    characters: Characters | None = None,
) -> None:
    """Go through a part; names of elements and attributes come without their namespaces."""

    def refuse(*_: object) -> None:
        raise UnreadableDocxError("it declares a document type, which Word never does")

    def start_local(name: str, attributes: dict[str, str]) -> None:
        start(_local(name), {_local(key): value for key, value in attributes.items()})

    parser = expat.ParserCreate(namespace_separator="}")
    parser.buffer_text = True
    parser.StartDoctypeDeclHandler = refuse
    parser.EntityDeclHandler = refuse
    parser.StartElementHandler = start_local
    if end is not None:
        parser.EndElementHandler = lambda name: end(_local(name))
    if characters is not None:
        parser.CharacterDataHandler = characters
    try:
        parser.Parse(content, True)
    except (expat.ExpatError, ValueError, LookupError) as error:
        raise UnreadableDocxError(f"its text is damaged ({error}); save it again") from error


def _local(name: str) -> str:
    return name.rpartition("}")[2]
