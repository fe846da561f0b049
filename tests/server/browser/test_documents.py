"""Documents in a real browser: shown as what they are, with places and highlights intact."""

from __future__ import annotations

from typing import Any

import httpx
import pytest
from browsing import needs_chromium, shoot, show, survey
from stand_in import KNOWN

pytestmark = needs_chromium

MANUAL = """# Manual

𝔸 pump has **two** *valves*, see [[Valve]] and `valve --list`.

### How to prime it

1. Fill the **sump**.
2. Open the inlet:
   - slowly,
   - and wholly.

> Never run it dry.

```sh
pump --prime
  --slowly
```

| Part | Weight |
|------|--------|
| Rotor | 4 kg |
| Seal of [[Valve]] | 2 kg |

#### Afterwards

The pump stops by itself.
"""
VALVE = "# Valve\n\nA valve opens and closes. It is made of brass.\n"


@pytest.fixture
def manual(page: Any, address: str) -> str:
    """The id of an upload."""
    sent = [("files", ("Manual.md", MANUAL)), ("files", ("Valve.md", VALVE))]
    got = httpx.post(f"{address}/api/v1/corpora/upload", files=sent, headers=KNOWN, timeout=60)
    return str(got.json()["id"])


def test_a_document_is_shown_as_what_it_is(page: Any, manual: str) -> None:
    show(page, corpus=manual, doc="Manual")
    text = page.locator(".document-text")
    assert text.locator("h3").all_inner_texts() == ["How to prime it"]
    assert text.locator("h4").all_inner_texts() == ["Afterwards"]
    assert text.locator("strong").all_inner_texts() == ["two", "sump"]
    assert text.locator("em").all_inner_texts() == ["valves"]
    assert text.locator("p code").all_inner_texts() == ["valve --list"]
    assert text.locator("ol > li").count() == 2
    assert text.locator("ol > li ul > li").all_inner_texts() == ["slowly,", "and wholly."]
    assert text.locator("blockquote").inner_text() == "Never run it dry."
    assert text.locator("pre code").inner_text() == "pump --prime\n  --slowly"
    assert text.locator("thead th").all_inner_texts() == ["Part", "Weight"]
    cells = text.locator("tbody td").all_inner_texts()
    assert cells == ["Rotor", "4 kg", "Seal of Valve", "2 kg"]
    assert text.locator("td a").inner_text() == "Valve"
    page.set_viewport_size({"width": 360, "height": 700})
    page.get_by_role("button", name="Document", exact=True).click()
    survey(page, "manual")


def test_a_place_is_gone_to_and_is_the_current_one(page: Any, manual: str, address: str) -> None:
    at = {"title": "Manual"}
    url = f"{address}/api/v1/corpora/{manual}/document"
    text = httpx.get(url, params=at, headers=KNOWN).json()["text"]
    start = text.index("𝔸 pump")
    whole = "𝔸 pump has two valves, see Valve and valve --list."
    page.set_viewport_size({"width": 1280, "height": 420})
    show(page, corpus=manual, doc="Manual", at=f"{start}-{start + len(whole)}")
    here = page.locator(".document-text [aria-current=location]")
    assert "".join(here.all_inner_texts()) == whole
    assert page.locator(".document-text p a").count() == 1, "a link that is cut stays one"
    last = text.index("The pump stops")
    show(page, corpus=manual, doc="Manual", at=f"{last}-{len(text.rstrip())}")
    page.locator(".document-text .here:focus").wait_for()
    assert here.all_inner_texts() == ["The pump stops by itself."]
    box = here.bounding_box()
    assert 0 < box["y"] < 420
    shoot(page, "current-place")
