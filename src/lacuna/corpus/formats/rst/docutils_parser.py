"""docutils as it is used here: nothing but the text is read, nothing outside it is changed.

Docutils keeps roles and directives in tables that all documents share. Instead of entering ours
there, the states of its parser ask for them; so one document cannot change how another is read.
"""

from __future__ import annotations

import re
from copy import copy
from functools import cache
from typing import Any

from docutils import frontend, nodes
from docutils.parsers import rst
from docutils.parsers.rst import Directive, states
from docutils.utils import new_document

from lacuna.corpus.formats.rst.closing_marks import ENDS, EndPattern
from lacuna.corpus.formats.rst.directives import Unknown, directive_class
from lacuna.corpus.formats.rst.roles import role_node

FIRST_LINE = re.compile(r"(?:\.\.[ ]+)?\S.*?[ ]?::(?:[ ]+|$)")
OPTION = re.compile(r":((?:[^:\\]|\\.)+):(?:[ ]+(.*)|$)")
LONGEST_INLINE = 20_000
"""Characters in which marks are looked for: that takes time with the square of their number."""
UNBROKEN = re.compile(r"\S{500}")
"""No words: in such a run docutils looks for marks with the square of its length."""
MOST_WORK = 60_000
"""Marks and nested blocks, each of which takes docutils some tenth of a millisecond."""
MOST_COPIED = 20_000_000
"""Lines: for each heading and each list, docutils copies all that follows."""
WIDE_TABLE = re.compile(r"^[ \t]*\+[-=+]{1500}", re.MULTILINE)
"""Docutils takes time with the square of such a table's width."""
MARKS = re.compile(r"[*`|]|_(?!\w)")
NEVER = 5


class UnreadableRstError(Exception):
    """Docutils cannot read the text."""


class TooMuchWorkError(UnreadableRstError):
    """It would take too long."""


def _count(document: Any, what: str, amount: int) -> None:
    document[what] -= amount
    if document[what] < 0:
        raise TooMuchWorkError


def parse_document(text: str) -> nodes.document:
    """The text as docutils' tree, without any of its transforms."""
    if WIDE_TABLE.search(text):
        raise TooMuchWorkError
    document = new_document("", copy(_settings()))
    document["work"] = MOST_WORK
    document["copied"] = MOST_COPIED
    parser = rst.Parser(inliner=_Inliner())
    parser.state_classes = STATES
    try:
        parser.parse(text, document)
    except Exception as error:  # docutils fails in many ways, such as by an assertion about a table
        raise UnreadableRstError from error
    return document


@cache
def _settings() -> Any:
    settings = frontend.get_default_settings(rst.Parser)
    settings.file_insertion_enabled = False
    settings.raw_enabled = False
    settings.report_level = settings.halt_level = NEVER
    settings.warning_stream = False
    settings.line_length_limit = 1 << 40
    settings.pep_references = settings.rfc_references = False
    settings.syntax_highlight = "none"
    return settings


class _Inliner(states.Inliner):
    def init_customizations(self, settings: Any) -> None:
        super().init_customizations(settings)
        self._ends = [EndPattern(getattr(self.patterns, name)) for name in ENDS]
        for name, end in zip(ENDS, self._ends, strict=True):
            setattr(self.patterns, name, end)

    def parse(self, text: str, lineno: int, memo: Any, parent: Any) -> Any:
        if len(text) > LONGEST_INLINE or UNBROKEN.search(text):
            return [nodes.Text(text)], []
        _count(memo.document, "work", 1 + len(MARKS.findall(text)))
        for end in self._ends:
            end.forget()
        return super().parse(text, lineno, memo, parent)

    def interpreted(self, rawsource: str, text: str, role: str, lineno: int) -> Any:
        return [role_node(role, rawsource, text)], []


for _name, _value in vars(states.Inliner).items():
    # Docutils looks for the parts of its patterns in the class itself, not in those it is made of.
    if isinstance(_value, str) and not _name.startswith("__"):
        setattr(_Inliner, _name, _value)


class _OurState:
    """Mixed into each state of the parser."""

    nested_sm_cache: list[Any] = []  # noqa: RUF012 - one for all states, as in docutils

    def __init__(self, state_machine: Any, debug: bool = False) -> None:
        super().__init__(state_machine, debug)  # type: ignore[call-arg]
        self.nested_sm_kwargs["state_classes"] = STATES  # type: ignore[attr-defined]

    def run_directive(self, directive: Any, match: Any, type_name: str, presets: Any) -> Any:
        known: type[Directive] | None = None if directive is Unknown else directive
        return super().run_directive(  # type: ignore[misc]
            directive_class(type_name, known), match, type_name, presets
        )

    def unknown_directive(self, type_name: str) -> Any:
        match = FIRST_LINE.match(self.state_machine.line)  # type: ignore[attr-defined]
        return self.run_directive(Unknown, match, type_name, {})

    def parse_extension_options(self, option_spec: Any, datalines: Any) -> Any:
        """Each option that can be understood; one that cannot does not spoil the directive."""
        written: dict[str, list[str]] = {}
        value: list[str] = []
        for line in datalines:
            if option := OPTION.match(line):
                value = written.setdefault(option[1].lower(), [])
                value.append(option[2] or "")
            else:
                value.append(line.strip())
        options = {}
        for name, lines in written.items():
            convert = option_spec.get(name)
            try:
                if convert is not None:
                    options[name] = convert("\n".join(lines).strip() or None)
            except (ValueError, TypeError):
                continue
        return True, options

    def nested_parse(
        self, block: Any, input_offset: int, node: Any, *args: Any, **more: Any
    ) -> Any:
        _count(self.document, "work", 1)  # type: ignore[attr-defined]
        if isinstance(node, nodes.section):
            _count(self.document, "copied", len(block))  # type: ignore[attr-defined]
        return super().nested_parse(  # type: ignore[misc]
            block, input_offset, node, *args, **more
        )

    def nested_list_parse(self, block: Any, *args: Any, **more: Any) -> Any:
        _count(self.document, "work", 1)  # type: ignore[attr-defined]
        _count(self.document, "copied", len(block))  # type: ignore[attr-defined]
        return super().nested_list_parse(block, *args, **more)  # type: ignore[misc]


STATES = [type(state.__name__, (_OurState, state), {}) for state in states.state_classes]
