"""Templates of site generators inside of Markdown: what a reader sees in their place."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from html import escape, unescape
from types import MappingProxyType
from urllib.parse import unquote

from lacuna.corpus.formats.front_matter import name_in_words

ATTRIBUTE = re.compile(
    r"""([A-Za-z_:@][\w:.-]*)\s*(?:=\s*(?:"([^"]*)"|'([^']*)'|`([^`]*)`"""
    r"""|\{\s*["'`]([^"'`]*)["'`]\s*\}|([^\s"'{}<>]+)))?"""
)
SHOWN = ("title", "label", "header", "heading", "summary", "caption", "alt", "text", "description")
"""The attributes of a component that its reader sees."""
FILE_NAMES = ("file-name", "filename")


def attributes(written: str) -> dict[str, str]:
    """The attributes with their values; the first of a name counts.

    >>> attributes('number="2-1" open label={"Linux"}')
    {'number': '2-1', 'open': '', 'label': 'Linux'}
    """
    found: dict[str, str] = {}
    for match in ATTRIBUTE.finditer(written):
        value = next((value for value in match.groups()[1:] if value is not None), "")
        found.setdefault(match[1].lower(), unescape(value))
    return found


def shown_words(component: str, given: Mapping[str, str]) -> str:
    """The words of a component's or shortcode's attributes that its reader sees.

    >>> shown_words("Listing", {"number": "2-1", "caption": "A guess"})
    'Listing 2-1: A guess'
    """
    words = ". ".join(dict.fromkeys(_shown(given)))
    if number := given.get("number", ""):
        return f"{component} {number}: {words}" if words else f"{component} {number}"
    return words


def _shown(given: Mapping[str, str]) -> Iterator[str]:
    for name in SHOWN:
        if value := given.get(name, "").strip():
            yield value
    for name in FILE_NAMES:
        if value := given.get(name, "").strip():
            yield f"File name: {value}"


def named_by(component: str, given: Mapping[str, str]) -> str:
    """The words of a component that shows what it is called by: a person, a team, an icon.

    >>> named_by("TeamMember", {"name": "Ann Voss"}), named_by("GearIcon", {})
    ('Ann Voss', 'gear')
    """
    if component.endswith("Icon"):
        return name_in_words(component.removesuffix("Icon")).lower()
    return given.get("name", "").strip() or name_in_words(given.get("slug", ""))


TEMPLATE = re.compile(r"\{(?:\{(?:[^{}]|\{\})*+\}|%[^{}]*+)\}")
TAG_OR_TEMPLATE = re.compile(rf"<[A-Za-z][^<>]*+>|{TEMPLATE.pattern}")
RAW = re.compile(r"\{%-?\s*(?:end)?raw\s*-?%\}")
"""The blocks whose inside Jekyll shows as it is."""
BY_NAME = "by-name:"
"""Goes before the target of a link that names a page, wherever that lies."""
ELSEWHERE = "elsewhere:"
"""Stands for a part of a target that only the site knows."""
ROOT = re.compile(
    r"(?:site|page|config|book)?\.?(?:base_?url|url|root|base|lang|language)\b", re.IGNORECASE
)
LINKING = re.compile(
    r"""(?:(?:rel)?ref|page|permalink)\s+(?:path=)?["'`]?([^"'`\s]+)|(?:link|post_url)\s+(.+)"""
)
NAME = re.compile(r"[\w./-]+")
QUOTED = re.compile(r"""\s*(?:"([^"]*)"|'([^']*)')\s*(?:\||$)""")
FORMAT = re.compile(r"""(["'])(.*?)\1\s*\.format\((.*)\)$""")
"""What notebooks and Sphinx fill in: ``'[Slack]({})'.format(slack)``."""
PATH = re.compile(r"[A-Za-z_][\w-]*+(?:\.[A-Za-z_][\w-]*+)*+")
WHOLE_PAGE = frozenset(("content", "toc", "super", "children", "yield", "body", "main"))
CONTROL_WORDS = """
and assign block break call capture case comment continue cycle decrement define else elsif elseif
elif end endif extends extend filter for forloop from if ifversion import increment layout liquid
macro page partial range raw render section set tablerow template unless when with
"""
CONTROL = frozenset(CONTROL_WORDS.split())
"""The words of template languages that lay out and show nothing themselves."""
MOST_VALUES = 20
VALUES = frozenset(("data", "var", "vars", "variable", "value"))
BADGE_WORDS = "required optional removed deprecated experimental beta alpha preview new"
BADGES = frozenset(BADGE_WORDS.split())
"""Shortcodes that say with their name alone what they show."""
LABELLED = frozenset(
    [
        "tab",
        "tabitem",
        "button",
        "expand",
        "details",
        "collapse",
        "step",
        "card",
        "badge",
        "accordion",
    ]
)
LINKS = ("ref", "link", "button", "card")
TARGETS = ("page", "ref", "relref", "url", "href", "link", "to")
SITE_FILE = re.compile(r"/|\.\w{2,5}$")
SUFFIX = re.compile(r"\.(?:mdx?|html?|markdown)$")
NO_VARIABLES: Mapping[str, str] = MappingProxyType({})
OWNERS = re.compile(r"(?:page|frontmatter|\$frontmatter|params|\.params|meta|metadata)\.")


def value_of(written: str, variables: Mapping[str, str]) -> str | None:
    """The value that a page's own front matter has for a template.

    >>> value_of("{{ page.title | escape }}", {"title": "Keels"})
    'Keels'
    """
    path = written[2:-2].partition("|")[0].strip(" -").lower()
    return variables.get(OWNERS.sub("", path, count=1).lstrip(".$")) if path else None


def filled_in(html: str, variables: Mapping[str, str]) -> str:
    """HTML with words for its templates.

    >>> filled_in('<a href="{{ site.baseurl }}/a">{{ page.title }}</a>', {"title": "A & B"})
    '<a href="/a">A &amp; B</a>'
    """

    def words(found: re.Match[str]) -> str:
        value = value_of(found[0], variables)
        return escape(template_words(found[0]) if value is None else value)

    def target(found: re.Match[str]) -> str:
        value = value_of(found[0], variables)
        return link_target(found[0]) if value is None else escape(value)

    def filled(found: re.Match[str]) -> str:
        return TEMPLATE.sub(target, found[0]) if found[0][0] == "<" else words(found)

    return TAG_OR_TEMPLATE.sub(filled, html)


ADMONITION_NAMES = """
abstract admonition alert attention bug callout caution danger error example failure hint important
info note notice question quote seealso success summary tip todo warning
"""
ADMONITIONS = frozenset(ADMONITION_NAMES.split())


def template_words(written: str) -> str:
    """The words that a reader sees in place of a template.

    What only the site's data could fill in is called by its name, so that no hole is left in the
    sentence around it.

    >>> template_words('{{< figure src="a.png" caption="The harbour" >}}')
    'The harbour'
    >>> template_words("{% data variables.contact.contact_support %}"), template_words("{{ NAME }}")
    ('contact support', 'NAME')
    """
    inner = written[2:-2]
    if written.startswith("{%"):
        return _tag_words(inner, is_shortcode=False)
    if inner.startswith(("</*", "%/*")):  # a shortcode that is shown and not run
        return "{{" + inner.replace("/*", "", 1).replace("*/", "", 1) + "}}"
    if inner[:1] + inner[-1:] in ("<>", "%%"):
        return _tag_words(inner[1:-1], is_shortcode=True)
    return _value_words(inner.strip(" -~"))


def _value_words(inner: str) -> str:
    """The words of an expression: a text, or else the name of the value."""
    if not inner or inner[0] in "#!/>^@" or inner.partition(" ")[0] in CONTROL:
        return ""
    if made := FORMAT.match(inner):
        return _format_words(made[2], made[3])
    if quoted := QUOTED.match(inner):
        return quoted[1] or quoted[2] or ""
    path = inner.partition("|")[0].strip().lstrip(".$")
    if ROOT.match(path) or path in WHOLE_PAGE:
        return ""
    if PATH.fullmatch(path):
        return _name_of(path)
    if inside := re.findall(r"""["']([^"']+)["']\]""", path):
        return name_in_words(inside[-1])
    return path or inner


def _name_of(path: str) -> str:
    """The name of a value, with what it belongs to where one word would say too little."""
    *above, name = path.split(".")
    words = name_in_words(name)
    return f"{name_in_words(above[-1])} {words}" if above and " " not in words else words


def _format_words(text: str, arguments: str) -> str:
    """``'[Words]({})'.format(address)``: the words stay, and the address is not known."""
    values = [name_in_words(value.strip()) for value in arguments.split(",", MOST_VALUES)]
    for value in values:
        before = text.partition("{}")[0]
        is_target = re.search(r"\]\([^()]*$", before) is not None
        text = text.replace("{}", ELSEWHERE if is_target else value, 1)
    return text


def link_target(written: str) -> str:
    """The meaning of a template inside the target of a link.

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


def template_link(written: str) -> tuple[str, str] | None:
    """The target and the words of a shortcode that is a link.

    >>> template_link('{{< page-ref page="admin/set-up" >}}')
    ('admin/set-up', 'set up')
    """
    name = NAME.match(written[3:-3].strip())
    if not written.startswith("{{") or name is None or not name[0].endswith(LINKS):
        return None
    given = attributes(written[3:-3].strip()[name.end() :])
    target = next((given[key] for key in TARGETS if given.get(key)), "")
    words = next((given[key] for key in ("caption", "title", "text") if given.get(key)), "")
    return (target, words or words_of_target(target)) if target else None


def words_of_target(target: str) -> str:
    """The words of a path or of a place in a page, for a link that has none of its own.

    >>> words_of_target("/policy/terms-of-service"), words_of_target("a.md#Old_boats")
    ('terms of service', 'Old boats')
    """
    path, _, fragment = target.partition("#")
    if "://" in path or ELSEWHERE in target:
        return ""
    last = fragment or path.rstrip("/").rpartition("/")[2]
    last = SUFFIX.sub("", last.removeprefix(BY_NAME).removeprefix("mailto:"))
    return " ".join(re.split(r"[\s_-]+", unquote(last))).strip(". ")


def _tag_words(inner: str, *, is_shortcode: bool) -> str:
    stripped = inner.strip(" -")
    name = NAME.match(stripped)
    if name is None or name[0].startswith("/") or LINKING.match(stripped):
        return ""
    kind, rest = name[0].lower(), stripped[name.end() :].strip()
    given = attributes(rest)
    words = shown_words(name[0].capitalize(), given) or given.get("content", "")
    if kind in ADMONITIONS:
        return f"{name[0].capitalize()}: {words} "
    if words:
        return words
    if kind in BADGES and not rest:
        return name[0]
    if quoted := QUOTED.match(rest):
        said = quoted[1] or quoted[2] or ""
        if kind in LABELLED:
            return said
        if not is_shortcode and not SITE_FILE.search(said) and not _is_silent(kind):
            return f"{name_in_words(kind)} {said}"
    return _name_of(rest) if kind in VALUES and PATH.fullmatch(rest) else ""


def _is_silent(kind: str) -> bool:
    return kind in CONTROL or kind.startswith(("end", "include", "if", "image", "img", "render"))
