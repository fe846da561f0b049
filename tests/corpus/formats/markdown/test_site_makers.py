"""What MkDocs, kramdown, MyST and MDX add to Markdown, read as their sites show it."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from lacuna.corpus.page import LinkKind, Page

Parse = Callable[..., Page]


@pytest.mark.parametrize(
    ("written", "read"),
    [
        ("### Keel {#keel}\n\nText {#here} goes on.", "Keel\n\nText goes on."),
        ("The **mast**{: data-type=\"term\"} is high.", "The mast is high."),
        ("![Quay](q.png){ align=right }\n\nText.", "Quay\n\nText."),
        ("[Go](a.md){ .button .button--big }", "Go"),
        ("-   :material-boat:{ .lg .middle } **Sail**", "Sail"),
        ("Mind ==the gap== and a == b == c.", "Mind the gap and a == b == c."),
        ("Write `{: .x }` so.", "Write {: .x } so."),
        ('<div class="note" markdown="1">\nA *keel* [here](k.md).\n\n* one\n</div>\nEnd.',
         "A keel here.\n\none\n\nEnd."),
        ('<div><div markdown>\n**Bold**\n</div></div>', "Bold"),
        ("/// note | Mind\n\nThe gap.\n\n///\n\n//// tab | Linux\n\nRow.\n\n////",
         "Note: Mind\n\nThe gap.\n\nLinux\n\nRow."),
        ("<dt>Boat {#boat}</dt>\n<dd>Floats.</dd>", "Boat\n\nFloats."),
        ("<details>\n<summary>More</summary>\n```\na\n\n  b\n```\n</details>\n\nEnd.",
         "More\n\na\n\n  b\n\nEnd."),
    ],
)  # fmt: skip
def test_attributes_and_marks_leave_the_words(parse: Parse, written: str, read: str) -> None:
    assert parse(f"# T\n\n{written}").document.text == read


def test_icons_alone_in_a_cell_say_yes_or_no(parse: Parse) -> None:
    page = parse(
        "| Boat | Sails | Oars | Motor |\n|---|---|---|---|\n"
        "| Gull | :material-check:{ .green } | :material-close: | :white_check_mark: |\n"
        "| Tern | ✅ | ❌ | :material-alert-outline:{ .orange } Small |\n"
        '| Auk | :x: | :material-circle:{ title="Has oars" } | :material-alert-outline: |\n'
    )
    assert page.document.text == (
        "Boat: Gull | Sails: yes | Oars: no | Motor: yes\n"
        "Boat: Tern | Sails: yes | Oars: no | Motor: Small\n"
        "Boat: Auk | Sails: no | Oars: Has oars | Motor: alert outline"
    )


def test_icons_in_running_text_are_signs_or_nothing(parse: Parse) -> None:
    page = parse(
        ":octicons-arrow-16: Go on. :material-check: Dry.\n\n"
        '[:octicons-eye-16:](p.md){ .link title="Privacy" }'
    )
    assert page.document.text == "Go on. ✓ Dry.\n\nPrivacy"


def test_roles_and_directives_of_myst(parse: Parse) -> None:
    page = parse(
        "A {term}`keel`, {ref}`the mast <mast>`, {doc}`../set-up` and {doc}`it <a.md>`.\n\n"
        "```{figure} q.png\n:alt: The quay\n:width: 400px\n\nIn 1907.\n```\n\n"
        "```{toctree}\nintro\n```\n"
    )
    text = page.document.text
    assert text == "A keel, the mast, set up and it.\n\nThe quay\n\nIn 1907."
    assert [link.target for link in page.links] == ["../set-up", "a.md"]


def test_sources_of_diagrams_are_no_text(parse: Parse) -> None:
    page = parse("One.\n\n```mermaid\ngraph TD\n  A --> B\n```\n\n```py\nx\n```\n\nTwo.")
    assert page.document.text == "One.\n\nx\n\nTwo."
    origin = page.document.origin
    assert origin is not None
    assert origin.at(page.document.text.index("Two")).number == 12


def test_a_diagram_that_never_ends_loses_nothing(parse: Parse) -> None:
    assert parse("One.\n\n```mermaid\nA --> B\n\nTwo.").document.text.endswith("Two.")


def test_a_link_without_words_is_called_by_its_target(parse: Parse) -> None:
    page = parse(
        "See [AUTOTITLE](/policy/terms-of-service), [](a/set_up.md), [AUTOTITLE](/x/y#old-boats)."
    )
    assert page.document.text == "See terms of service, set up, old boats."
    assert [(link.target, link.kind) for link in page.links] == [
        ("/policy/terms-of-service", LinkKind.PATH),
        ("a/set_up.md", LinkKind.PATH),
        ("/x/y#old-boats", LinkKind.PATH),
    ]


MDX = """import Save from "../include/_SaveChanges.mdx";
import SaveChanges from "../include/_SaveChanges.mdx";
import GearIcon from "~icons/gear";

{/*
  - not shown

  - nor this
*/}

<Tabs>
  <TabItem label="Desktop">
    <Steps>
      1. Select a boat.
      1. Click the **gear** (<GearIcon />) icon
         on the right.

      ```
      row
        on
      ```
    </Steps>

    <SaveChanges />

    #### Oars
  </TabItem>
</Tabs>

Made by <Member name="Ann Voss" photo />, <Member name="Bo Ek" /> and <Team slug="big-boats" />.
"""


def test_steps_in_components_stand_apart_and_names_are_kept(parse: Parse) -> None:
    page = parse(MDX, "boat.mdx")
    assert page.document.text == (
        "Desktop\n\n1. Select a boat.\n2. Click the gear icon on the right.\n\nrow\n  on\n\n"
        "Save changes\n\nOars\n\nMade by Ann Voss, Bo Ek and big boats."
    )
