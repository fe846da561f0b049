"""Pictures in documents, in a real browser."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

from browsing import fits, needs_chromium, shoot
from drawn import png

pytestmark = needs_chromium

HERON = """# Heron

The heron is a bird. It stands in water.

![A heron at dusk](img/heron.png)

- It eats fish. ![](img/fish.png)
- It sleeps.

| part | looks |
|---|---|
| egg | ![so](img/egg.png) |

![](img/egg.png)

![A nest that is not there](img/nest.png)

<img src="img/evil.png" onerror="alert(1)" alt="Only a name">

The end.
"""


def test_each_stands_in_its_place_with_its_words(anywhere: Any, tmp_path: Path) -> None:
    page = anywhere
    folder = tmp_path / "birds"
    (folder / "img").mkdir(parents=True)
    (folder / "Heron.md").write_text(HERON)
    (folder / "img" / "heron.png").write_bytes(png(2400, 900))
    (folder / "img" / "fish.png").write_bytes(png(80, 40, (200, 90, 60)))
    (folder / "img" / "egg.png").write_bytes(png(120, 160, (90, 140, 80)))
    (folder / "img" / "evil.png").write_text("<svg xmlns='http://www.w3.org/2000/svg'/>")
    page.get_by_role("button", name="Corpus: ").click()
    page.locator("#folder-files").set_input_files(folder)
    page.wait_for_url(re.compile("corpus="))
    page.get_by_text("it is no picture that can be shown").wait_for(state="attached")
    corpus = page.evaluate("new URLSearchParams(location.hash.slice(1)).get('corpus')")
    page.evaluate("(hash) => { location.hash = hash; }", f"corpus={corpus}&doc=Heron")
    text = page.locator(".document-text")
    text.locator("img").first.wait_for(state="attached")
    if page.size in ("phone", "zoomed"):
        page.locator(".views [data-shows=document]").click()
    text.locator("img").first.wait_for()
    assert text.locator("img").count() == 4
    for picture in text.locator("img").all():
        picture.scroll_into_view_if_needed()
        assert picture.evaluate("(img) => img.decode().then(() => img.naturalWidth)") > 24
    alts = [one.get_attribute("alt") for one in text.locator("img").all()]
    assert alts == ["", "Picture: fish.png", "", "Picture: egg.png"], "words are said once"
    assert text.locator("p:has(img)").nth(1).inner_text() == "", "that of a table stands behind it"
    assert text.locator("td").all_inner_texts() == ["egg", "so"]
    assert text.locator("p:has(img)").first.inner_text().strip() == "A heron at dusk"
    assert text.locator("li:has(img)").inner_text().strip() == "It eats fish."
    assert text.get_by_text("A nest that is not there").count() == 1
    assert text.get_by_text("Only a name").count() == 1
    assert fits(page)
    shoot(page, f"pictures-{page.size}")
