"""Own documents in a real browser: folders, files, pasted texts; deleting them."""

from __future__ import annotations

import threading
from pathlib import Path
from typing import Any

import pytest
from browsing import fits, needs_chromium, shoot, survey
from drawn import png

from lacuna.serve.uploads import index_upload
from lacuna.web.limits import Limits

pytestmark = needs_chromium

HERON = "# Heron\n\nThe heron is a bird that eats **fish**. It was seen by [[Ida Marsh]].\n"
MARSH = "Ida Marsh was born in Fenby in 1871."


def open_corpora(page: Any) -> None:
    page.get_by_role("button", name="Corpus: ").click()
    page.get_by_role("heading", name="Choose a corpus").wait_for()


def test_a_folder_is_read_with_what_lies_deeper_and_what_was_skipped_is_told(
    page: Any, tmp_path: Path
) -> None:
    folder = tmp_path / "birds"
    (folder / "people").mkdir(parents=True)
    (folder / ".git").mkdir()
    (folder / ".git" / "secret.md").write_text("# Secret\n\nNot for others.\n")
    (folder / "Heron.md").write_text(HERON)
    (folder / "people" / "Ida Marsh.txt").write_text(MARSH)
    (folder / "people" / "odd.xyz").write_bytes(b"?")
    (folder / "people" / "portrait.svg").write_text("<svg/>")
    open_corpora(page)
    page.locator("#folder-files").set_input_files(folder)
    page.get_by_role("heading", name="birds", exact=True).wait_for()
    assert not page.locator("#corpora").is_visible(), "what was not read stands in nobody's way"
    assert "1 file could not be read" in page.locator("#announcer").inner_text()
    page.get_by_text("1 file could not be read.", exact=True).click()
    told = page.locator(".start .skipped").inner_text()
    assert told == "birds/people/odd.xyz: no file of this kind can be read", "pictures apart"
    survey(page, "folder-read")
    assert fits(page)
    page.get_by_role("link", name="Heron").click()
    page.locator(".document-text strong", has_text="fish").wait_for()
    assert page.locator(".document-head .source").inner_text().startswith("birds/Heron.md")
    page.locator(".document-text").get_by_role("link", name="Ida Marsh").click()
    page.get_by_text("was born in Fenby").wait_for()


def test_a_dropped_folder_is_walked_through(page: Any) -> None:
    paths = page.evaluate(
        """async () => {
          const { filesIn } = await import("/static/js/chosen-files.js");
          const file = (name) => ({
            name, isFile: true, file: (done) => done(new File(["x"], name)),
          });
          const folder = (name, batches) => ({
            name, isFile: false,
            createReader: () => ({ readEntries: (done) => done(batches.shift() ?? []) }),
          });
          const deep = folder("deep", [[file("c.md")]]);
          const hidden = folder(".git", [[file("d.md")]]);
          const top = folder("top", [[file("a.md"), hidden], [file("b.md"), deep]]);
          return (await filesIn(top)).map(({ path }) => path);
        }"""
    )
    assert paths == ["top/a.md", "top/b.md", "top/deep/c.md"]


def test_a_real_folder_is_dropped_from_the_machine(page: Any, tmp_path: Path) -> None:
    """As a file manager drops it: the browser makes the entries, not the test."""
    folder = tmp_path / "birds"
    (folder / "img").mkdir(parents=True)
    (folder / ".git").mkdir()
    (folder / ".git" / "secret.md").write_text("# Secret\n\nNot for others.\n")
    (folder / "img" / "heron.png").write_bytes(png())
    for number in range(120):  # a browser gives a hundred entries at a time
        (folder / f"Note {number}.md").write_text(f"# Note {number}\n\nA bird of {number}.\n")
    (folder / "Heron.md").write_text(f"{HERON}\n![A heron at dusk](img/heron.png)\n")
    open_corpora(page)
    drop(page, folder)
    page.get_by_role("heading", name="birds", exact=True).wait_for()
    page.get_by_text("121 documents. Open one").wait_for()
    page.get_by_role("link", name="Heron", exact=True).click()
    picture = page.locator(".document-text img")
    picture.wait_for()
    assert picture.evaluate("(img) => img.decode().then(() => img.naturalWidth)") == 64


def test_documents_are_counted_while_they_are_read(
    page: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    may_go_on = threading.Event()

    def slow(files: Any, folder: Path, limits: Limits, told: Any) -> None:
        told(300, 1200)
        assert may_go_on.wait(30)
        index_upload(files, folder, limits, told)

    monkeypatch.setattr("lacuna.serve.corpora.index_upload", slow)
    open_corpora(page)
    heron = {"name": "Heron.md", "mimeType": "text/markdown", "buffer": HERON.encode()}
    page.locator("#files").set_input_files(heron)
    page.get_by_text("300 of 1,200 documents read …", exact=True).wait_for()
    page.get_by_text("300 of 1,200 documents read, about ").wait_for()
    survey(page, "counting")
    may_go_on.set()
    page.get_by_role("heading", name="Heron", exact=True).wait_for()


@pytest.mark.parametrize("place", ["#document", "#turns", "#menu h2", "#corpora h2"])
def test_a_folder_may_be_dropped_anywhere(page: Any, tmp_path: Path, place: str) -> None:
    folder = tmp_path / "birds"
    folder.mkdir()
    (folder / "Heron.md").write_text(HERON)
    (folder / "odd.xyz").write_bytes(b"?")
    if "menu" in place:
        page.get_by_role("button", name="More …").click()
    if "corpora" in place:
        open_corpora(page)
    drop(page, folder, place)
    page.get_by_text("1 file could not be read.", exact=True).wait_for(state="attached")
    assert page.locator("body").get_attribute("class") == ""


def test_the_way_to_ones_own_documents_by_keyboard(anywhere: Any) -> None:
    page = anywhere
    shoot(page, f"welcome-{page.size}")
    page.get_by_role("button", name="choose them").press("Enter")
    page.get_by_role("heading", name="Choose a corpus").wait_for()
    for name in ("choose files", "choose a folder"):
        picker = page.get_by_label(name, exact=True)
        picker.focus()
        ring = page.locator(".picker", has=picker).evaluate("(it) => getComputedStyle(it).outline")
        assert "solid" in ring, "where one is, is seen"
    shoot(page, f"corpora-{page.size}")
    assert fits(page)


def drop(page: Any, path: Path, place: str = ".drop") -> None:
    """Drop a file or a folder of this machine onto a part of the page."""
    area = page.locator(place)
    area.scroll_into_view_if_needed()
    box = area.bounding_box()
    session = page.context.new_cdp_session(page)
    data = {"items": [], "files": [str(path)], "dragOperationsMask": 1}
    at = {"x": box["x"] + box["width"] / 2, "y": box["y"] + 4}
    for kind in ("dragEnter", "dragOver"):
        session.send("Input.dispatchDragEvent", {"type": kind, **at, "data": data})
    page.locator("body.dropping").wait_for()  # that it will be taken is seen
    session.send("Input.dispatchDragEvent", {"type": "drop", **at, "data": data})


def test_several_files_and_none_that_can_be_read(page: Any) -> None:
    open_corpora(page)
    unread = {"name": "a.xyz", "mimeType": "", "buffer": b"?"}
    page.locator("#files").set_input_files(unread)
    page.get_by_text("No file of it can be read (a.xyz).").wait_for()
    files = [
        {"name": "Heron.md", "mimeType": "text/markdown", "buffer": HERON.encode()},
        {"name": "Ida Marsh.txt", "mimeType": "text/plain", "buffer": MARSH.encode()},
    ]
    page.locator("#files").set_input_files(files)
    page.get_by_role("heading", name="Heron and 1 more", exact=True).wait_for()


def test_a_text_is_pasted_and_deleted_again(page: Any) -> None:
    open_corpora(page)
    page.get_by_label("Or paste a text").fill("# Notes\n\n- The heron eats *fish*.\n- So does Ida.")
    page.get_by_label("Its title").fill("My notes")
    survey(page, "paste")
    page.keyboard.press("Enter")
    page.get_by_role("heading", name="My notes", exact=True).wait_for()
    page.get_by_text("1 document. Open one").wait_for()
    page.locator(".title-columns a").click()
    page.locator(".document-text ul > li em", has_text="fish").wait_for()
    open_corpora(page)
    page.get_by_role("button", name="My notes 1 document").wait_for()
    page.get_by_role("button", name="Delete My notes").press("Enter")
    page.get_by_role("button", name="Really delete My notes?").press("Enter")
    page.locator("#corpora").wait_for(state="hidden")
    page.locator("#corpus-name", has_text="My notes").wait_for(state="detached")
    open_corpora(page)
    assert page.get_by_role("button", name="Delete").count() == 0
