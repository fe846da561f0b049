"""Docutils as it is used here, with Sphinx's directives and roles."""

from __future__ import annotations

import re
from collections.abc import Callable
from copy import copy
from functools import cache
from typing import Any, ClassVar

from docutils import frontend, nodes
from docutils.parsers import rst
from docutils.parsers.rst import Directive, states
from docutils.parsers.rst.directives.tables import CSVTable
from docutils.utils import new_document

from lacuna.corpus.page import LinkKind
from lacuna.corpus.titles import words_of
from lacuna.types import Document

DROPPED = [
    "index",
    "highlight",
    "highlightlang",
    "currentmodule",
    "tabularcolumns",
    "role",
    "default-role",
    "default-domain",
    "contents",
    "sectnum",
    "section-numbering",
    "header",
    "footer",
    "target-notes",
    "date",
    "module",
    "py:module",
    "py:currentmodule",
    "js:module",
    "moduleauthor",
    "sectionauthor",
    "codeauthor",
    "program",
    "testsetup",
    "testcleanup",
    "spelling",
    "spelling:word-list",
    "spelling:ignore",
    "restructuredtext-test-directive",
    "inheritance-diagram",
    "c:namespace",
    "c:namespace-push",
    "c:namespace-pop",
    "cpp:namespace",
    "cpp:namespace-push",
    "cpp:namespace-pop",
    "localtoc",
    "audit-event-table",
    "limited-api-list",
    "acks-list",
    "miscnews",
]
"""Settings, index entries and what another program would make."""

CODE = [
    "code",
    "code-block",
    "sourcecode",
    "prompt",
    "doctest",
    "testcode",
    "testoutput",
    "ipython",
    "console",
    "jupyter-execute",
]

DIAGRAMS = [
    "graphviz",
    "graph",
    "digraph",
    "uml",
    "mermaid",
    "plot",
    "blockdiag",
    "seqdiag",
    "actdiag",
    "nwdiag",
    "packetdiag",
    "rackdiag",
]
"""Readers see a picture of these; their content is the program that draws it."""

VERSION_NOTES = {
    "versionadded": "New in version",
    "version-added": "New in version",
    "versionchanged": "Changed in version",
    "version-changed": "Changed in version",
    "deprecated": "Deprecated since version",
    "version-deprecated": "Deprecated since version",
    "versionremoved": "Removed in version",
    "version-removed": "Removed in version",
    "deprecated-removed": "Deprecated since version",
}

PREFIXES = {
    **dict.fromkeys(
        [
            "function",
            "data",
            "method",
            "classmethod",
            "staticmethod",
            "attribute",
            "property",
            "decorator",
            "decoratormethod",
            "opcode",
            "pdbcommand",
            "describe",
            "object",
            "option",
            "cmdoption",
            "envvar",
            "confval",
            "setting",
            "automodule",
            "autofunction",
            "automethod",
            "autoattribute",
            "autodata",
            "cfunction",
            "cmember",
            "cmacro",
            "ctype",
            "cvar",
            "coroutinemethod",
            "coroutinefunction",
            "awaitablemethod",
            "awaitablefunction",
            "abstractmethod",
            "2to3fixer",
            "monitoring-event",
        ],
        "",
    ),
    "class": "class ",
    "autoclass": "class ",
    "exception": "exception ",
    "autoexception": "exception ",
}
"""Directives that describe something, and what goes before its name. All those with a domain, such
as ``cpp:struct``, describe something too."""

PAGE_SUFFIXES = (".rst", ".rest", ".inc", ".md", ".txt", ".adoc")


TITLED = re.compile(r"(.+?)\s*<([^<>]+)>", re.DOTALL)
SLOT = re.compile(r"(?<!\\)\{([^{}]*)\}")
CALLED = frozenset(("func", "meth", "function", "method"))
OBJECTS = CALLED | frozenset(
    [
        "mod",
        "class",
        "exc",
        "data",
        "const",
        "attr",
        "obj",
        "type",
        "macro",
        "member",
        "var",
        "struct",
        "union",
        "enum",
        "enumerator",
        "any",
        "concept",
        "dir",
        "expr",
        "cfunc",
        "cdata",
        "cmacro",
        "ctype",
        "module",
        "exception",
        "property",
        "deco",
    ]
)
NUMBERED = {
    "pep": ("PEP", "https://peps.python.org/pep-{:0>4}/"),
    "rfc": ("RFC", "https://datatracker.ietf.org/doc/html/rfc{}"),
    "cve": ("CVE", "https://www.cve.org/CVERecord?id=CVE-{}"),
    "cwe": ("CWE", "https://cwe.mitre.org/data/definitions/{}.html"),
}
"""Series of documents that are named by a number, and their addresses."""


def role_node(role: str, raw: str, text: str) -> nodes.Node:
    """The node in the text for ``:role:`text```; of an unknown role, its words.

    Every role is handled here, so that one document's ``.. role::`` never changes another.
    """
    name = role.lower().rpartition(":")[2]
    if name in ("math", "code", "literal"):
        return nodes.literal(raw, nodes.unescape(text, restore_backslashes=True))
    text = nodes.unescape(text)
    if name in ("file", "samp"):
        return nodes.literal(raw, SLOT.sub(r"\1", text))
    if name == "guilabel":
        return nodes.inline(raw, re.sub(r"&(.)", r"\1", text))
    if name == "menuselection":
        return nodes.inline(raw, text.replace("-->", "›").replace("&", ""))
    if name in NUMBERED:
        return _numbered(name, raw, text)
    shown, target = _titled(text)
    if name in ("ref", "numref"):
        return _link(raw, shown, " ".join((target or text).lower().split()), LinkKind.LABEL, target)
    if name == "doc":
        return _link(raw, shown if target else words_of(text), target or text, LinkKind.PATH)
    if name == "term":
        term = " ".join((target or text).lower().split())
        return _link(raw, shown, f"term:{term}", LinkKind.LABEL)
    if name in OBJECTS:
        shown = shown if target else _object_name(text, name in CALLED)
    return nodes.inline(raw, text if name == "abbr" else shown)


def _titled(text: str) -> tuple[str, str]:
    """``shown <target>`` in its two parts; the target is empty where only one thing is written."""
    found = TITLED.fullmatch(text.strip())
    return (found[1].removeprefix("!"), found[2].strip()) if found else (text.lstrip("!"), "")


def _object_name(text: str, called: bool) -> str:
    """Write a name as Sphinx shows it: ``~package.name`` by its last part, functions with
    parentheses.

    >>> _object_name("~os.path.join", True)
    'join()'
    """
    name = text.strip().removeprefix("!")
    if name.startswith("~"):
        name = name[1:].rpartition(".")[2]
    name = name.lstrip(".")
    return f"{name}()" if called and not name.endswith(")") else name


def _numbered(name: str, raw: str, text: str) -> nodes.Node:
    series, address = NUMBERED[name]
    shown, target = _titled(text)
    number, _, part = (target or text).partition("#")
    shown = shown if target else f"{series} {number}"
    url = address.format(number.strip()) + (f"#{part}" if part else "")
    return _link(raw, shown, url, LinkKind.PATH)


def _link(
    raw: str, shown: str, target: str, kind: LinkKind, titled: str = "told"
) -> nodes.reference:
    """A reference that says how it is written; ``implied`` where the target's title is shown."""
    return nodes.reference(raw, shown, written=target, kind=kind.value, implied=not titled)


# Sphinx's directives, and those of docutils that read files, change other documents or are strict.
#
# What is not known is shown: its argument and its content.


STYLE = re.compile(r"[a-z][a-z0-9 -]*")
MOST_CELLS = 50_000


class described(nodes.Element):  # noqa: N801 - docutils names its nodes so
    """Something with a signature and a description."""


class prefixed(nodes.Element):  # noqa: N801
    """Blocks that begin with the words in ``prefix``: ``Note``, ``New in version 3.2``."""


class AnyOption(dict[str, Callable[[str], Any]]):
    """Takes every option as it is written."""

    def get(self, key: str, default: Any = None) -> Any:
        return lambda value: value or ""


class Lenient(Directive):
    """Takes any argument, option and content."""

    optional_arguments = 1
    final_argument_whitespace = True
    has_content = True
    option_spec: ClassVar[dict[str, Callable[[str], Any]] | None] = AnyOption(any=str)

    @property
    def argument(self) -> str:
        """The whole argument; empty where there is none."""
        return str(self.arguments[0]) if self.arguments else ""

    def inline(self, text: str) -> list[nodes.Node]:
        """A line of text with its markup."""
        return list(self.state.inline_text(text, self.lineno)[0])

    def parse_content(self, parent: nodes.Element) -> None:
        """The content as blocks under a node; headings may be among them."""
        self.state.nested_parse(self.content, self.content_offset, parent, match_titles=True)

    def placed(self, node: nodes.Element) -> nodes.Element:
        """The node with the line that it stands on."""
        node.source, node.line = self.state_machine.get_source_and_line(self.lineno)
        return node


class Dropped(Lenient):
    """A directive whose content readers never see."""

    def run(self) -> list[nodes.Node]:
        return []


class Code(Lenient):
    """Text to be shown as it is; its argument is a language."""

    def run(self) -> list[nodes.Node]:
        shown: list[nodes.Node] = []
        if caption := self.options.get("caption"):
            shown.append(self.placed(nodes.paragraph("", "", *self.inline(caption))))
        text = "\n".join(self.content)
        if text.strip():
            block = nodes.literal_block(text, text)
            block.line = self.content_offset + 1
            shown.append(block)
        return shown


class Formula(Lenient):
    """Mathematics, in its argument or content, as it is written."""

    def run(self) -> list[nodes.Node]:
        text = "\n".join([self.argument, *self.content]).strip("\n")
        return [self.placed(nodes.literal_block(text, text))] if text.strip() else []


class Grammar(Lenient):
    """Productions, which begin on the line of the directive."""

    optional_arguments = 0
    option_spec = None

    def run(self) -> list[nodes.Node]:
        text = "\n".join(self.content)
        return [self.placed(nodes.literal_block(text, text))]


class Contained(Lenient):
    """Content alone: the argument says when or how it is shown."""

    def run(self) -> list[nodes.Node]:
        node = nodes.container()
        self.parse_content(node)
        return [self.placed(node)]


OTHER_OUTPUTS = frozenset(("latex", "man", "texinfo", "text", "epub", "gettext", "xml"))


class Only(Contained):
    """What stands on some of the printed forms: read if it stands on the HTML page."""

    def run(self) -> list[nodes.Node]:
        return super().run() if _is_on_page(self.argument) else []


def _is_on_page(condition: str) -> bool:
    """Tell if such a condition holds for HTML; a name that nobody knows holds, so nothing is lost.

    >>> _is_on_page("html"), _is_on_page("latex or html"), _is_on_page("not html")
    (True, True, False)
    """
    if "(" in condition:
        return True
    ways = [way.split(" and ") for way in " ".join(condition.split()).split(" or ")]
    return any(
        all(
            (one.removeprefix("not ") not in OTHER_OUTPUTS) is not one.startswith("not ")
            for one in way
        )
        for way in ways
    )


class Diagram(Lenient):
    """A drawing: the words under it."""

    def run(self) -> list[nodes.Node]:
        words = self.options.get("caption") or self.options.get("alt")
        return [self.placed(nodes.paragraph("", "", *self.inline(words)))] if words else []


class RawText(Lenient):
    """Text in the language of the page: that in HTML is what readers see of it."""

    def run(self) -> list[nodes.Node]:
        if "html" not in self.argument.lower().split():
            return []
        from lacuna.corpus.formats.html import html_document  # most files have none

        shown = html_document("", "\n".join(self.content), lambda address: (address, ""))
        return [self.placed(_paragraph(shown, *span)) for span in shown.paragraphs]


def _paragraph(shown: Document, start: int, end: int) -> nodes.paragraph:
    node = nodes.paragraph()
    for link in shown.links:
        if start <= link.start < end:
            text = shown.text[link.start : link.end]
            node += nodes.Text(shown.text[start : link.start])
            node += nodes.reference("", text, written=link.target, kind=LinkKind.PATH.value)
            start = link.end
    node += nodes.Text(shown.text[start:end])
    return node


class Described(Contained):
    """A function, class, option …: each line of its argument is a signature."""

    def run(self) -> list[nodes.Node]:
        if self.name == "class" and STYLE.fullmatch(self.argument):
            # docutils' own directive of this name: a style for what follows.
            return super().run()
        prefix = PREFIXES.get(self.name.lower().rpartition(":")[2], "")
        joined = self.argument.replace("\\\n", " ")
        node = described(signatures=[prefix + line.strip() for line in joined.splitlines()])
        if node["signatures"]:
            kind, value = self.options.get("type"), self.options.get("value")
            node["signatures"][-1] += f": {kind}" * bool(kind) + f" = {value}" * bool(value)
        self.parse_content(node)
        return [self.placed(node)]


class Unknown(Lenient):
    """A directive of which nothing is known: its argument, then its content."""

    def run(self) -> list[nodes.Node]:
        node = described(signatures=[], unknown=self.name)
        if self.argument:
            node += self.placed(nodes.paragraph("", "", *self.inline(self.argument)))
        self.parse_content(node)
        return [self.placed(node)]


class VersionNote(Lenient):
    """``versionadded`` and its like: a version, then what changed, on its line or below."""

    def run(self) -> list[nodes.Node]:
        version, told = _first_word(self.argument)
        if self.name == "deprecated-removed":
            removal, told = _first_word(told)
            version += f", removed in version {removal}"
        label = VERSION_NOTES[self.name.lower()]
        node = prefixed(prefix=f"{label} {version}".strip())
        if told:
            node += self.placed(nodes.paragraph("", "", *self.inline(told)))
        self.parse_content(node)
        return [self.placed(node)]


class SeeAlso(Lenient):
    """Related things, on its line or below."""

    def run(self) -> list[nodes.Node]:
        node = prefixed(prefix="See also")
        if self.argument:
            node += self.placed(nodes.paragraph("", "", *self.inline(self.argument)))
        self.parse_content(node)
        return [self.placed(node)]


class Heading(Lenient):
    """A line that heads something without being a section."""

    def run(self) -> list[nodes.Node]:
        return [self.placed(nodes.paragraph("", "", *self.inline(self.argument)))]


class Glossary(Lenient):
    """Terms, one or several in a row, each with the definition that is indented below."""

    optional_arguments = 0

    def run(self) -> list[nodes.Node]:
        listed = nodes.definition_list()
        terms: list[tuple[str, int]] = []
        at = 0
        while at < len(self.content):
            line = self.content[at]
            if line.strip() and not line[0].isspace():
                if not line.startswith(".. "):
                    terms.append((line.partition(" : ")[0].strip(), at))
                at += 1
                continue
            end = at
            while end < len(self.content) and not (
                self.content[end].strip() and not self.content[end][0].isspace()
            ):
                end += 1
            body = self.content[at:end]
            if any(line.strip() for line in body) and terms:
                listed += self._entry(terms, body, at)
                terms = []
            at = end
        return [listed]

    def _entry(self, terms: list[tuple[str, int]], body: Any, at: int) -> nodes.Element:
        while not body[0].strip():
            body.trim_start()
            at += 1
        indent = min(len(line) - len(line.lstrip()) for line in body if line.strip())
        body.trim_left(indent)
        names = [nodes.unescape(term, restore_backslashes=True) for term, _ in terms]
        node = prefixed(prefix=", ".join(names), terms=[name.lower() for name in names])
        node.line = self.content_offset + terms[0][1] + 1
        self.state.nested_parse(body, self.content_offset + at, node)
        return node


class Toctree(Lenient):
    """The pages below this one, by the words of their names: their titles stand in other files."""

    optional_arguments = 0

    def run(self) -> list[nodes.Node]:
        if "hidden" in self.options:
            return []
        listed = nodes.bullet_list()
        for at, line in enumerate(self.content):
            entry = line.strip()
            if not entry or ("glob" in self.options and re.search(r"[*?\[]", entry)):
                continue
            titled = re.fullmatch(r"(.+?)\s*<([^<>]+)>", entry)
            shown, target = (titled[1], titled[2]) if titled else (words_of(entry), entry)
            if target == "self":
                continue
            link = nodes.reference("", shown, written=target, kind=LinkKind.PATH.value)
            paragraph = nodes.paragraph("", "", link)
            paragraph.line = self.content_offset + at + 1
            listed += nodes.list_item("", paragraph)
        if not len(listed):
            return []
        caption = self.options.get("caption")
        above = [self.placed(nodes.paragraph("", "", *self.inline(caption)))] if caption else []
        return [*above, listed]


class Include(Lenient):
    """Another file: a link to it if it is one that can be read as a page.

    A parser is given one file and nothing else, so that no document can make it open another. What
    would be put in here is a document of its own, and is found and quoted where it is written.
    """

    def run(self) -> list[nodes.Node]:
        path = self.argument.strip()
        if not path.lower().endswith(PAGE_SUFFIXES) or "\n" in path:
            return []
        link = nodes.reference("", words_of(path), written=path, kind=LinkKind.PATH.value)
        return [self.placed(nodes.paragraph("", "", link, included=path))]


class BoundedCsv(CSVTable):
    """A table of comma-separated values; one that lies in another file is a link to it."""

    def run(self) -> list[Any]:
        if path := self.options.get("file") or self.options.get("url"):
            link = nodes.reference("", path, written=path, kind=LinkKind.PATH.value)
            caption = f"{self.arguments[0]}: " if self.arguments else ""
            return [nodes.paragraph("", "", nodes.Text(caption), link)]
        delimiter = str(self.options.get("delim") or ",")
        widest = max((line.count(delimiter) for line in self.content), default=0) + 1
        if widest * len(self.content) > MOST_CELLS:
            text = "\n".join(self.content)
            return [nodes.literal_block(text, text)]
        return list(super().run())


def _first_word(text: str) -> tuple[str, str]:
    word, *rest = text.split(None, 1) or [""]
    return word, " ".join(rest).strip()


OURS: dict[str, type[Directive]] = {
    **dict.fromkeys(DROPPED, Dropped),
    **dict.fromkeys(CODE, Code),
    **dict.fromkeys(VERSION_NOTES, VersionNote),
    **dict.fromkeys(("rubric", "centered"), Heading),
    **dict.fromkeys(("ifconfig", "hlist", "cssclass", "rst-class"), Contained),
    **dict.fromkeys(DIAGRAMS, Diagram),
    "only": Only,
    "raw": RawText,
    **dict.fromkeys(("include", "literalinclude", "mdinclude"), Include),
    "math": Formula,
    "productionlist": Grammar,
    "seealso": SeeAlso,
    "glossary": Glossary,
    "toctree": Toctree,
    "csv-table": BoundedCsv,
}


def directive_class(name: str, known: type[Directive] | None) -> type[Directive]:
    """The class that reads a directive; ``known`` is docutils' own class for it, if it has one."""
    name = name.lower()
    domain, _, kind = name.rpartition(":")
    if own := OURS.get(name) or (OURS.get(kind) if domain == "std" else None):
        return own
    if domain or kind in PREFIXES:
        return Described
    return known or Unknown


# The mark that ends what a mark begins, not looked for again where there is none.
#
# For every mark that begins something, docutils looks for its end in all that follows. Where most
# of them have none, such as the stars of a formula, that takes time with the square of the text.


ENDS = ("emphasis", "strong", "interpreted_or_phrase_ref", "literal", "target", "substitution_ref")
"""The names of docutils' patterns for ends."""


class EndPattern:
    """A pattern for an end, in the place of docutils' own: as much of it as docutils uses.

    All texts that are searched until ``forget`` are ends of one text. What is not found in one of
    them is not in a shorter one either; or at its very beginning, where docutils has no use for it.
    """

    def __init__(self, pattern: re.Pattern[str]) -> None:
        self._pattern = pattern
        self._nothing_in = 0

    def search(self, text: str) -> re.Match[str] | None:
        """The first end in a text."""
        if len(text) <= self._nothing_in:
            return None
        found = self._pattern.search(text)
        if found is None:
            self._nothing_in = len(text)
        return found

    def forget(self) -> None:
        """Another text comes."""
        self._nothing_in = 0


# docutils as it is used here: nothing but the text is read, nothing outside it is changed.
#
# Docutils keeps roles and directives in tables that all documents share. Instead of entering ours
# there, the states of its parser ask for them; so one document cannot change how another is read.


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
