"""Names of directives that are read alike."""

from __future__ import annotations

DROPPED = ["index", "highlight", "highlightlang", "currentmodule", "tabularcolumns", "role", "default-role", "default-domain", "contents", "sectnum", "section-numbering", "header", "footer", "target-notes", "date", "module", "py:module", "py:currentmodule", "js:module", "moduleauthor", "sectionauthor", "codeauthor", "program", "testsetup", "testcleanup", "raw", "restructuredtext-test-directive", "inheritance-diagram", "c:namespace", "c:namespace-push", "c:namespace-pop", "cpp:namespace", "cpp:namespace-push", "cpp:namespace-pop", "localtoc", "audit-event-table", "limited-api-list", "acks-list", "miscnews"]
"""Settings, index entries and what another program would make."""

CODE = ["code", "code-block", "sourcecode", "prompt", "doctest", "testcode", "testoutput", "ipython", "console", "jupyter-execute", "graphviz", "graph", "digraph", "uml", "mermaid", "plot"]

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
        ["function", "data", "method", "classmethod", "staticmethod", "attribute", "property", "decorator", "decoratormethod", "opcode", "pdbcommand", "describe", "object", "option", "cmdoption", "envvar", "confval", "setting", "automodule", "autofunction", "automethod", "autoattribute", "autodata", "cfunction", "cmember", "cmacro", "ctype", "cvar", "coroutinemethod", "coroutinefunction", "awaitablemethod", "awaitablefunction", "abstractmethod", "2to3fixer", "monitoring-event"],
        "",
    ),
    "class": "class ",
    "autoclass": "class ",
    "exception": "exception ",
    "autoexception": "exception ",
}
"""Directives that describe something, and what goes before its name. All those with a domain, such
as ``cpp:struct``, describe something too."""

PAGE_SUFFIXES = (".rst", ".rest", ".md", ".txt", ".adoc")
