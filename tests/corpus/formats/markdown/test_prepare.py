"""Habits of note-taking programs and site generators."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from lacuna.corpus.page import LinkKind, Page

Parse = Callable[..., Page]


@pytest.mark.parametrize(
    ("written", "read"),
    [
        ("> [!note] Mind the *gap*\n> It is wide.", "Note: Mind the gap\n\nIt is wide."),
        ("> [!WARNING]\n> It is wide.", "Warning: It is wide."),
        ("> [!faq]- Can it fold?\n> Yes.", "Faq: Can it fold?\n\nYes."),
        (
            '!!! note "Mind the gap"\n    It is wide.\n\n    Very.\n\nEnd.',
            "Note: Mind the gap\n\nIt is wide.\n\nVery.\n\nEnd.",
        ),
        ("??? tip\n    Jump.\n", "Tip: Jump."),
        (":::tip\n\nJump.\n\n:::\n", "Tip: Jump."),
        (
            '=== "Linux"\n\n    Use apt.\n\n=== "Mac"\n\n    Use brew.',
            "Linux\n\nUse apt.\n\nMac\n\nUse brew.",
        ),
        ("!!! danger\n\n    ```\n    code\n        more\n    ```\n", "Danger:\n\ncode\n    more"),
        (":::tip Go high\n\nJump.\n\n:::\n", "Tip: Go high\n\nJump."),
        (":::tip My tip\n\nJump.\n\n:::\n", "My tip\n\nJump."),
        (":::note[Mind]\nJump.\n:::\n", "Note: Mind\n\nJump."),
        ('::: {.callout-warning title="Hot"}\nAway.\n:::\n', "Warning: Hot\n\nAway."),
        ("```{note} Mind\nSee *it*.\n```\n", "Note: Mind\n\nSee it."),
        ("```mdx-code-block\n<Tip>\nJump.\n</Tip>\n```\n", "Jump."),
    ],
)
def test_admonitions_are_text_with_their_title(parse: Parse, written: str, read: str) -> None:
    assert parse(f"# T\n\n{written}").document.text == read


@pytest.mark.parametrize(
    ("written", "read"),
    [
        ("{{< note >}}Mind it.{{< /note >}}", "Note: Mind it."),
        ('{{< figure src="a.png" caption="The quay" >}}', "The quay"),
        ("{{% steps %}}\n\nOne.\n\n{{% /steps %}}", "One."),
        ("Write {{</* ref */>}} so.", "Write {{< ref >}} so."),
        ("{{< highlight go >}}\nx := [[1]]\n{{< /highlight >}}", "x := [[1]]"),
        ("{% highlight ruby %}\nputs *x*\n{% endhighlight %}", "puts *x*"),
        ("A {% include b.html %}b {{ content }}c.", "A b c."),
        ("Say {{ name }}.", "Say name."),
        ("Of {{ site.title }}.", "Of site title."),
        ("Use {{ site.current_keel_version | strip }}.", "Use current keel version."),
        ("Ask {% data variables.contact.harbour_desk %}.", "Ask harbour desk."),
        (
            'Post in {% slack_channel "crew" %} or {% tag %}call.',
            "Post in slack channel crew or call.",
        ),
        ("See {{'[the Slack]({}/a)'.format(slack)}} now.", "See the Slack now."),
        ("Mail {{'[{}](mailto:{})'.format(team_mail, team_mail)}}.", "Mail team mail."),
        ("#### `OARS` {{%removed%}}\n\nGone.", "OARS removed\n\nGone."),
        ('{{< page-ref page="admin/set-up" >}}', "set up"),
        ("{{< rope-example knots tie >}}\n> TIE a\n  b\n{{< /rope-example >}}", "> TIE a\n  b"),
        ("Hello {{NAME}}, see {{Insert the URL here}}.", "Hello NAME, see Insert the URL here."),
        (
            "Say {% raw %}{{ site.x }}{% endraw %} or `{% raw %}{{ y }}{% endraw %}`.",
            "Say {{ site.x }} or {{ y }}.",
        ),
        ('Say {{ "hello" | upcase }}.', "Say hello."),
        ("```rust\n{{#include a.rs:2}}\nlet x;\n```\n\n{{#playground b.rs}}", "let x;"),
        ("[TOC]\n\nText.", "Text."),
        ("* TOC\n{:toc}\n\nText.\n{: .lead}", "Text."),
        ("[A](a.md){target=_blank} and *b*{: .c}.", "A and b."),
        ("%%\nhidden\n\nhere\n%%\nSeen %%not%% too.", "Seen too."),
    ],
)
def test_templates_leave_what_a_reader_sees(parse: Parse, written: str, read: str) -> None:
    assert parse(f"# T\n\n{written}").document.text == read


@pytest.mark.parametrize(
    ("written", "target", "kind"),
    [
        ('[x]({{< ref "setup.md" >}})', "setup.md", LinkKind.NAME),
        ('[x]({{% relref "/docs/setup#tools" %}})', "/docs/setup#tools", LinkKind.PATH),
        (
            "[x]({{ site.baseurl }}{% link _docs/my page.md %}#a)",
            "/_docs/my%20page.md#a",
            LinkKind.PATH,
        ),
        ("[x]({% post_url 2010-07-21-boats %})", "2010-07-21-boats", LinkKind.NAME),
        ("[x]({{ '/docs/' | relative_url }})", "/docs/", LinkKind.PATH),
        ("[x][r]\n\n[r]: {% link a.md %}", "a.md", LinkKind.NAME),
        ("<a href=\"{{ '/docs/' | relative_url }}\">x</a>", "/docs/", LinkKind.PATH),
    ],
)
def test_templates_in_targets_are_filled_in(
    parse: Parse, written: str, target: str, kind: LinkKind
) -> None:
    (link,) = parse(f"See {written}").links
    assert (link.target, link.kind) == (target, kind)


def test_a_target_that_only_the_site_knows_is_no_link(parse: Parse) -> None:
    page = parse("See [x]({{ site.repository }}/issues/1).")
    assert page.document.text == "See x."
    assert page.links == ()


MDX = """---
title: Install
---
import Tabs from '@theme/Tabs';
import './x.css';

export const Note = ({children}) => {
  return <b>{children}</b>;
};

{/* not *shown* */}

<Tabs groupId="os" values={[{label: 'L', value: 'l'}]}>
  <TabItem value="l" label="Linux">

    Use **apt** {"now"}.

  </TabItem>
</Tabs>

<Card title="Deploy" href="/deploy" icon={<Rocket />} />

Vec<T> and <Badge text="new"/> {props.x}.
"""


def test_mdx_keeps_the_words_of_its_components(parse: Parse) -> None:
    page = parse(MDX, "install.mdx")
    assert page.document.text == ("Linux\n\nUse apt now.\n\nDeploy\n\nVec<T> and new props x.")
    assert [link.target for link in page.links] == ["/deploy"]
    origin = page.document.origin
    assert origin is not None
    assert origin.at(page.document.text.index("Use")).number == 16


def test_code_is_left_alone(parse: Parse) -> None:
    code = "!!! note\n    x\n:::tip\n{% if %}\n%% y %%\nimport a from 'b'\n[TOC]\n> [!note] T"
    assert parse(f"# T\n\n````\n{code}\n````\n").document.text == code
