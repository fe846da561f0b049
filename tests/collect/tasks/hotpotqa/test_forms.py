"""HotpotQA's forms in a real browser, on a page of their own with the house's security policy.

LACUNA_SHOTS=FOLDER keeps pictures.
"""

from __future__ import annotations

import json
import threading
from collections.abc import Iterator
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

import pytest
from browsing import ARGUMENTS, CHROMIUM, needs_chromium, shoot
from form_page import ROOMS
from pairs_at_hand import GOOD, payload_of

from lacuna.corpus.store import Store
from lacuna_collect.tasks.hotpotqa import FAMILY
from lacuna_collect.tasks.task import Json

pytestmark = needs_chromium
POLICY = (
    "default-src 'none'; img-src 'self'; script-src 'self'; style-src 'self'; connect-src 'self'; "
    "require-trusted-types-for 'script'; trusted-types 'none'"
)
PAGE = """<!doctype html><html lang="en"><head><meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1"><title>Form</title>
<link rel="icon" href="/static/icon.svg"><link rel="stylesheet" href="/static/css/base.css">
<script type="module" src="/page.js"></script></head>
<body><main id="main"><h1>Form</h1><div id="root"></div></main>
<div class="unseen" role="status" aria-live="polite" id="announcer"></div></body></html>"""
SCRIPT = """
window.start = async (form, item, draft, model) => {
  const module = await import(`/collect/static/js/forms/${form}.js`);
  window.changes = [];
  const loop = model ? async () => model : null;
  const change = (work) => window.changes.push(JSON.parse(JSON.stringify(work)));
  const root = document.getElementById("root");
  window.handle = module.show(root, { item, draft, problems: [], change, loop });
};
"""
TASKS = {task.name: task for task in FAMILY.tasks}
NARROW = {"width": 360, "height": 740}
WIDE = {"width": 1280, "height": 900}


class _Files(SimpleHTTPRequestHandler):
    def do_GET(self) -> None:
        kinds = {".js": "text/javascript", ".css": "text/css", ".svg": "image/svg+xml"}
        body, kind = None, "text/html"
        if self.path == "/":
            body = PAGE.encode()
        elif self.path == "/page.js":
            body, kind = SCRIPT.encode(), "text/javascript"
        for prefix, folder in ROOMS.items():
            file = folder / self.path.removeprefix(prefix)
            if self.path.startswith(prefix) and file.is_file():
                body, kind = file.read_bytes(), kinds[file.suffix]
        self.send_response(404 if body is None else 200)
        self.send_header("Content-Type", kind)
        self.send_header("Content-Security-Policy", POLICY)
        self.end_headers()
        self.wfile.write(body or b"")

    def log_message(self, *_: object) -> None:
        pass


@pytest.fixture(scope="module")
def address() -> Iterator[str]:
    server = ThreadingHTTPServer(("127.0.0.1", 0), partial(_Files))
    threading.Thread(target=server.serve_forever, daemon=True).start()
    yield f"http://127.0.0.1:{server.server_port}/"
    server.shutdown()


@pytest.fixture(scope="module")
def browser() -> Iterator[Any]:
    sync_api = pytest.importorskip("playwright.sync_api", reason="playwright is not installed")
    with sync_api.sync_playwright() as playwright:
        opened = playwright.chromium.launch(executable_path=CHROMIUM, args=list(ARGUMENTS))
        yield opened
        opened.close()


@pytest.fixture(params=[WIDE, NARROW], ids=["wide", "narrow"])
def page(browser: Any, address: str, request: pytest.FixtureRequest) -> Iterator[Any]:
    context = browser.new_context(viewport=request.param, bypass_csp=False)
    page = context.new_page()
    page.size_name = "wide" if request.param is WIDE else "narrow"
    page.errors = []
    page.on("pageerror", lambda error: page.errors.append(str(error)))
    page.on("console", lambda line: page.errors.append(line.text) if line.type == "error" else None)
    page.goto(address)
    page.wait_for_function("() => typeof window.start === 'function'")
    yield page
    context.close()
    assert page.errors == []


def start(
    page: Any, task: str, payload: Json, draft: Json | None = None, model: Any = None
) -> None:
    shown = TASKS[task].shown(payload, TASKS[task].settings)
    page.evaluate("(all) => window.start(...all)", [TASKS[task].form, shown, draft or {}, model])
    page.wait_for_function("document.querySelector('#root').firstChild")
    page.wait_for_load_state("networkidle")


def last(page: Any) -> Any:
    return page.evaluate("window.changes.at(-1)")


def marked(page: Any, task: str, payload: Json, work: Json) -> None:
    problems = [
        {"field": problem.field, "message": problem.message}
        for problem in TASKS[task].check(payload, work, TASKS[task].settings)
    ]
    page.evaluate("(found) => window.handle.mark(found)", problems)


def looked_at(page: Any, name: str) -> None:
    """Nothing is wider than the window, everything has a label, and axe finds nothing."""
    shoot(page, f"hotpotqa-{name}-{page.size_name}")
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    unnamed = page.evaluate(
        "[...document.querySelectorAll('input, textarea')].filter((one) => "
        "!one.labels.length && !one.ariaLabel).length"
    )
    assert unnamed == 0


def test_a_bridge_question_is_written_step_by_step(page: Any, corpus: Store) -> None:
    payload = payload_of(corpus, "bridge")
    good = GOOD["bridge"]
    model = {"message": "Single hop: …", "single_hop": True}
    start(page, "hotpotqa-questions", payload, model=model)
    looked_at(page, "question-begun")
    assert page.locator("mark").inner_text() == "Tilda Roke"
    assert not page.get_by_label("The answer, as").is_visible(), "the next step comes later"
    page.get_by_label("Your question").focus()
    page.keyboard.type(good["question"])
    page.get_by_label("The answer, as").focus()
    page.keyboard.type("Grell")
    page.get_by_label("Sentence 2 of Marrow Light supports").focus()
    page.keyboard.press("Space")
    assert last(page) == {**good, "answer": "Grell", "supporting": [[0, 1]]}
    marked(page, "hotpotqa-questions", payload, last(page))
    page.get_by_text("Mark at least one sentence of each paragraph.").wait_for()
    page.get_by_label("Sentence 2 of Tilda Roke supports").check()
    marked(page, "hotpotqa-questions", payload, last(page))
    page.get_by_text("Take whole words").wait_for()
    assert page.get_by_label("The answer, as").get_attribute("aria-invalid") == "true"
    page.get_by_role("button", name="Ask the model").click()
    page.get_by_text("Single hop: …").wait_for()
    looked_at(page, "question-problems")
    page.locator(".sentence", has_text="born in Grellby").evaluate(
        "(node) => { const range = document.createRange(); const text = node.firstChild;"
        "const at = text.data.indexOf('Grellby'); range.setStart(text, at);"
        "range.setEnd(text, at + 7); getSelection().removeAllRanges();"
        "getSelection().addRange(range); }"
    )
    page.get_by_role("button", name="Take what is selected").click()
    assert last(page) == good
    marked(page, "hotpotqa-questions", payload, last(page))
    assert page.locator(".field-problem:visible").count() == 0
    looked_at(page, "question-done")


def test_a_draft_comes_back_and_yes_or_no_is_chosen(page: Any, corpus: Store) -> None:
    payload = payload_of(corpus, "yes/no")
    start(page, "hotpotqa-questions", payload, {**GOOD["yes/no"], "answer": ""})
    assert page.get_by_label("Your question").input_value() == GOOD["yes/no"]["question"]
    assert page.locator("input[type=checkbox]:checked").count() == 2
    page.get_by_role("radio", name="No").check()
    assert last(page) == GOOD["yes/no"]
    looked_at(page, "yes-no")


@pytest.mark.parametrize("draft", [{"question": 3, "answer": [], "supporting": "x"}, {"x": None}])
def test_an_odd_draft_is_borne(page: Any, corpus: Store, draft: Json) -> None:
    start(page, "hotpotqa-questions", payload_of(corpus, "comparison"), draft)
    assert page.get_by_label("Your question").input_value() == ""


def test_text_is_text(page: Any, corpus: Store) -> None:
    payload = json.loads(json.dumps(payload_of(corpus, "bridge")))
    payload["paragraphs"][1]["sentences"][0] = "<img src=x onerror=alert(1)> &amp; 🚢"
    payload["paragraphs"][0]["title"] = "<b>bold</b>"
    start(page, "hotpotqa-questions", payload)
    assert page.get_by_text("<img src=x onerror=alert(1)> &amp; 🚢").is_visible()
    assert page.locator("img, b").count() == 0


def test_the_test_brings_its_question(page: Any) -> None:
    task = TASKS["hotpotqa-questions"]
    item = task.qualification(task.settings)[0]
    assert item.gold is not None
    start(page, task.name, item.payload)
    assert page.get_by_label("Your question").count() == 0
    page.get_by_label("The answer, as").fill("Grellby")
    for label in ("Sentence 2 of Marrow Light", "Sentence 2 of Tilda Roke"):
        page.get_by_label(label).check()
    assert last(page) == item.gold
    looked_at(page, "test")


@pytest.mark.parametrize("name", ["hotpotqa-categories", "hotpotqa-lists"])
def test_every_pair_gets_a_verdict(page: Any, name: str) -> None:
    task = TASKS[name]
    item = task.qualification(task.settings)[0]
    assert item.gold is not None
    start(page, name, item.payload, {"askable": [True]})
    page.get_by_text("1 of 4 pairs done.").wait_for()
    marked(page, name, item.payload, {"askable": [True]})
    assert page.locator(".field-problem:visible").count() == 3
    looked_at(page, name.removeprefix("hotpotqa-"))
    for at, verdict in enumerate(item.gold["askable"]):
        group = page.get_by_role("group", name=f"Pair {at + 1}:")
        group.get_by_role("radio").nth(0 if verdict else 1).check()
    assert last(page) == item.gold
    marked(page, name, item.payload, last(page))
    assert page.locator(".field-problem:visible").count() == 0


def test_a_question_is_reviewed(page: Any) -> None:
    task = TASKS["hotpotqa-hops"]
    item = task.qualification(task.settings)[0]
    start(page, task.name, item.payload)
    marked(page, task.name, item.payload, {})
    page.get_by_text("Say whether one paragraph is enough.").wait_for()
    looked_at(page, "hops")
    page.get_by_role("radio", name="It takes both").check()
    assert last(page) == item.gold
