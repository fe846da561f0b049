"""What site generators fill in: Hugo's shortcodes, Liquid's tags, mdBook's includes."""

from __future__ import annotations

import re

from lacuna.corpus.formats.markdown.attributes import attributes, shown_words

TEMPLATE = re.compile(r"\{(?:\{[^{}]*+\}|%[^{}]*+)\}")
RAW = re.compile(r"\{%-?\s*(?:end)?raw\s*-?%\}")
"""What Jekyll shows the inside of as it is."""
BY_NAME = "by-name:"
"""Goes before the target of a link that names a page, wherever that lies."""
ELSEWHERE = "elsewhere:"
"""Stands for a part of a target that only the site knows."""
ROOT = re.compile(
    r"(?:site|page|config|book)?\.?(?:base_?url|url|root|base|lang|language)\b", re.IGNORECASE
)
LINKING = re.compile(r"""(?:rel)?ref\s+(?:path=)?["'`]?([^"'`\s]+)|(?:link|post_url)\s+(.+)""")
NAME = re.compile(r"[\w./-]+")
QUOTED = re.compile(r"""\s*(?:"([^"]*)"|'([^']*)')\s*(?:\||$)""")
FROM_THE_SITE = re.compile(r"\s*-?\s*(?:site|page|layout|include|content|post|forloop|jekyll)\b")
ADMONITION_NAMES = """
abstract admonition alert attention bug callout caution danger error example failure hint important
info note notice question quote seealso success summary tip todo warning
"""
ADMONITIONS = frozenset(ADMONITION_NAMES.split())


def template_words(written: str) -> str | None:
    """What a reader sees where this is written; None if it is no template but text.

    >>> template_words('{{< figure src="a.png" caption="The harbour" >}}')
    'The harbour'
    >>> template_words("{{ message }}")
    """
    inner = written[2:-2]
    if written.startswith("{%"):
        return _tag_words(inner) if written.endswith("%}") else None
    if inner.startswith(("</*", "%/*")):  # a shortcode that is shown and not run
        return "{{" + inner.replace("/*", "", 1).replace("*/", "", 1) + "}}"
    if inner[:1] + inner[-1:] in ("<>", "%%"):
        return _tag_words(inner[1:-1])
    if inner.startswith("#"):
        return ""
    if quoted := QUOTED.match(inner):
        return quoted[1] or quoted[2] or ""
    return "" if FROM_THE_SITE.match(inner) else None


def link_target(written: str) -> str:
    """What a template inside the target of a link stands for.

    >>> link_target('{{< relref "setup.md#tools" >}}')
    'by-name:setup.md#tools'
    >>> link_target("{{ site.baseurl }}")
    ''
    """
    inner = written[2:-2].strip("<>%- ")
    if linking := LINKING.match(inner):
        page: str = linking[1] or linking[2]
        if "/" not in page.partition("#")[0]:
            return BY_NAME + page
        return page if page.startswith((".", "/")) else "/" + page
    if quoted := QUOTED.match(inner):
        return quoted[1] or quoted[2] or ""
    return "" if ROOT.match(inner) else ELSEWHERE


def _tag_words(inner: str) -> str:
    name = NAME.match(inner.strip(" -"))
    if name is None or name[0].startswith("/") or LINKING.match(inner.strip()):
        return ""
    given = attributes(inner.strip(" -")[name.end() :])
    words = shown_words(name[0].capitalize(), given) or given.get("content", "")
    if name[0].lower() in ADMONITIONS:
        return f"{name[0].capitalize()}: {words} "
    return words
