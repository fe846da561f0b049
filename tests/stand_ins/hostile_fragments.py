"""Pieces of the syntax of every text format: what a hostile document repeats without end."""

from __future__ import annotations

import random

SIGNS = list(" \n\t-=_*#|:.'\"[](){}<>&\\/!`~^$%+@1aéİ\u00a0\u2028😀")
EVERYWHERE = [*SIGNS, "a ", "a\n", "\n\n", "1. ", "Dr. ", "a.b ", "...", "? "]

FRAGMENTS = {
    "markdown": """
        [[ ]] [a]( ](a) ![ [^a] ^[ [^a]:␤ <b> </b> <div> </div> <!-- --> <h1> </h1> <a␠href="a">
        ** __ *a_ ``` ``` ~~~ $$ {{ }} {% %} {%␠raw␠%} {# :::␤ !!!␠note␤ ???␠a␤ >␠ ␤>␠ ␤-␠ ␤␠␠-␠
        ␤1.␠ |a| ␤|-|␤ ␤:␠a # ␤#␠a ␤===␤ ␤---␤ ---␤a:␠b␤ +++␤ [a]:␠b␤ &amp; &#9 <Tabs> {/* */} %%
        ==a== <details> ␤␠␠␠␠a #a␠␠ ␠#␤ https://a.b mailto: ![[a]] [[a|b]] {#a} {:.a} <table> <tr>
        <td> <br> \\[ \\]
    """,
    "html": """
        <p> </p> <div> </div> <b> </b> <i> <a␠href="a"> </a> <a> <table> </table> <tr> <td> <th>
        <td␠rowspan=9␠colspan=9> <ul> <li> </ul> <dl> <dt> <dd> <select> <option> </option> <!--
        --> <![CDATA[ ]]> <script> </script> <style> <title> </title> <h1> </h1> <h2> <nav> <main>
        <article> <span␠class="a"> <p␠a=1 a=1 a="b"␠ id="a" <svg> <math> <pre> <code> <br> <br/>
        <img␠alt="a"> &amp; &#9 &#x9; &nbsp; <?xml <!doctype <font> <nobr> <button> <form> <input>
        <template> <noscript> </x> <x> <x/> <textarea> <iframe> <p␠id=a> <sup> <sub> <caption>
        <col> <summary>
    """,
    "text": "a. A. Dr. U.S. a? 1.5 e.g. ␤␤ ... .) \u201c \u201d",
    "rst": """
        ** * `` ` `a`_ `a␠<b>`_ :ref:`a` |a| |a|_ _a: ..␠ ..␠_a:␠b␤ ..␠note::␤ ..␠[1]␠a␤ [1]_ ␤␤
        ␤=== ␤a␤= ␤-␠ ␤␠␠-␠ ␤1.␠ ␤:a:␠b +--+␤ |a|␤ ===␠===␤ >>>␠ ::␤␤␠␠a ␤␠␠␠␠ a_ a__ __
        ..␠|a|␠replace::␠b␤ ..␠code::␤␤␠␠a ..␠image::␠a␤ ..␠list-table::␤ \\ ``a`` ␤..␤ ␤␤␠␠
        -\\-\\-␠␠a␤ --a␠␠b␤ |␠a␤
    """,
    "org": """
        *␠a␤ **␠ #+begin_src␤ #+end_src␤ #+title:␠a␤ #+a:␠ :a:␤ :END:␤ :PROPERTIES:␤ [[a][b]] [[
        ]] [fn:1] [fn::a] *a* /a/ =a= ~a~ +a+ _a_ <<a>> {{{a}}} |a|␤ |-␤ -␠a␤ ␠␠-␠ 1.␠ #␠
        \\begin{a} $a$ <2020-01-01> SCHEDULED:␠ [2/3] :tag: ␤:␠a #+begin_quote␤ #+macro:␠a␠$1
        {{{a({{{a(
    """,
    "asciidoc": """
        =␠a␤ ==␠ :a:␠b␤ {a} [[a]] <<a>> <<a,b>> link:a[ xref:a[ ] ] http://a.b[c] *a* **a** _a_
        `a` +a+ #a# ----␤ ====␤ |===␤ |a␤ a|␤ ****␤ ____␤ ++++␤ ....␤ //// ␤ //␠ *␠a␤ **␠ .␠ ..␠
        a::␠ +␤ [a]␤ [a="b", NOTE:␠ image::a[] footnote:[a] include::a[] ifdef::a[]␤ endif::[]␤
        kbd:[ pass:[ +++ ^a^ ~a~ ((a)) :a:␠{a}{a} !===␤ .2+| 2*| <1>␠ '''␤
    """,
    "table": 'a, ,␠ "a", ""␠ ""a ; a\tb ␤ "␤ 1, "a""b", a;b | ,,',
    "notebook": "#␠a ** [[ ```",
    "mail": """
        From␠a␤ From:␠a␤ To:␠ Subject:␠=?utf-8?q?a?=␤ =?utf-8?b?YQ==?=
        Content-Type:␠multipart/mixed;␠boundary=a␤ --a␤ --a--␤ Content-Type:␠text/html␤
        Content-Transfer-Encoding:␠base64␤ ␤␤ ␤>␠a ␤From␠a␠b␤ YQ== =20 =␤ (a) <a@b> , ;␠a=b a*0=b
        In-Reply-To:␠<a@b>␤ Content-Type:␠message/rfc822␤ Content-Type:␠text/plain;␠format=flowed␤
        a␠␤ =?a?b?
    """,
    "wikitext": """
        [[ ]] [[a|b]] [[File:a| {{ }} {{a|b}} {| |} |- ␤{|␤ ␤|}␤ <ref> </ref> <ref/> <nowiki>
        </nowiki> <!-- --> [// [http://a ] '' ''' ==a==␤ ␤= ␤*␠ ␤# #redirect #REDIRECT␠[[ &amp;
        &#9 __TOC__ __ <br> <div> </div> <math> <gallery> <a http://a {{convert|1|2 ␠( ;) ␤:
        {{nowrap| <source> İ</ref> -{ }-
    """,
    "iirc article": '<a␠href="a"> </a> <p> ␤ <b> </b> <option> <div> &#9',
}


def fragments_of(name: str) -> list[str]:
    """Every piece of a format, and of all formats."""
    pieces = FRAGMENTS[name].split()
    return [piece.replace("␤", "\n").replace("␠", " ") for piece in pieces] + EVERYWHERE


def a_pattern(name: str, rng: random.Random) -> tuple[list[str], str]:
    """A few parts that are each repeated, one after the other, and what stands before them."""
    pieces = fragments_of(name)
    parts = [
        "".join(rng.choice(pieces) for _ in range(rng.choice((1, 1, 2, 3))))
        for _ in range(rng.choice((1, 1, 2)))
    ]
    before = "".join(rng.choice(pieces) for _ in range(rng.choice((0, 0, 1, 2))))
    return parts, before


def grown(pattern: tuple[list[str], str], size: int) -> str:
    """The pattern repeated until it has about that many characters."""
    parts, before = pattern
    share = size // len(parts)
    return before + "".join(part * (share // len(part) + 1) for part in parts)
