"""The pages, without a browser: what is where, for whom, and that text stays text."""

from __future__ import annotations

import re
from html import unescape

import pytest
from board_site import GOOD, IIRC, SUBMISSIONS, BoardSite, answers
from sqlalchemy import select

from lacuna_collect.board import standings as comparing
from lacuna_collect.board.database import COMPARISON

RUDE = "</td><script>alert(1)</script>"
BROWSER = {"Accept": "text/html"}


def text_of(html: str) -> str:
    return unescape(re.sub(r"<[^>]+>", " ", html))


def test_everybody_sees_tables_entries_and_comparisons(scoring: BoardSite) -> None:
    scoring.scored(GOOD, name="By hand", code="https://example.org/x", parameters="110M")
    scoring.scored(answers(), name="Always none")
    got = scoring.client.get("/")
    page = text_of(got.text)
    assert got.status_code == 200
    assert "script-src 'none'" in got.headers["content-security-policy"]
    assert page.index("Human") < page.index("Always abstain") < page.index("By hand")
    assert page.index("By hand") < page.index("Always none")
    assert "59.57" in page
    assert "16.7 – 91.8" in page
    entry = text_of(scoring.client.get("/entries/1").text)
    assert "span, spans, number" in entry or "span, spans, no" in entry
    assert "https://example.org/x" in entry
    compared = scoring.client.get(f"/tables/{IIRC}/compare?first=1&second=2")
    assert "+31.00" in text_of(compared.text)
    again = scoring.client.get(f"/tables/{IIRC}/compare?first=1&second=2")
    assert again.text == compared.text
    turned = scoring.client.get(f"/tables/{IIRC}/compare?first=2&second=1")
    assert "-31.00" in text_of(turned.text)
    with scoring.board.database.read() as transaction:
        kept = transaction.execute(select(COMPARISON.c.first, COMPARISON.c.second)).all()
    assert [tuple(pair) for pair in kept] == [(1, 2)], "one test for both orders"
    assert scoring.client.get(f"/tables/{IIRC}/compare?first=1&second=1").status_code == 422
    assert scoring.client.get(f"/tables/{IIRC}/compare?first=1&second=99").status_code == 422
    assert "Model card: By hand" in scoring.client.get("/entries/1/model-card.md").text
    assert "Datasheet" in scoring.client.get(f"/tables/{IIRC}/datasheet.md").text
    assert scoring.client.get("/log.jsonl").text.count("\n") == 5
    told = scoring.client.get("/api/v1/tables").json()
    assert [entry["name"] for entry in told[0]["entries"]] == ["By hand", "Always none"]
    assert scoring.client.get(f"/api/v1/tables/{IIRC}").json() == told[0]


def test_who_compares_while_others_do_is_told_to_wait(
    site: BoardSite, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(comparing, "TURN_TIMEOUT_SECONDS", 0.05)
    floor = site.board.tables.get(IIRC).floor
    for number in (1, 2):
        site.send(GOOD)
        site.board.submissions.was_scored(number, floor)
    with comparing.TURN:
        got = site.client.get(f"/tables/{IIRC}/compare?first=1&second=2")
        assert (got.status_code, "Try again" in got.text) == (503, True)
        assert site.client.get(f"/tables/{IIRC}").status_code == 200


def test_a_team_is_told_what_was_taken_off_and_why(site: BoardSite) -> None:
    site.send(GOOD)
    site.board.submissions.was_scored(1, site.board.tables.get(IIRC).floor)
    site.board.submissions.withdraw(1, f"sent twice {RUDE}")
    for address in ("/team", "/entries/1"):
        page = site.client.get(address, headers=site.bearer()).text
        assert RUDE not in page
        assert f"sent twice {RUDE}" in text_of(page)
        assert "taken" in text_of(page)
    assert site.client.get("/entries/1").status_code == 404


def test_nothing_that_is_sent_tells_an_answer(scoring: BoardSite) -> None:
    scoring.scored(answers(), name="Always none")
    addresses = ["/", f"/tables/{IIRC}", f"/tables/{IIRC}/questions", "/entries/1", "/log.jsonl",
                 "/entries/1/model-card.md", "/api/v1/tables", f"{SUBMISSIONS}/1",
                 f"/tables/{IIRC}/datasheet.md"]  # fmt: skip
    for address in addresses:
        got = scoring.client.get(address, headers=scoring.bearer())
        assert got.status_code == 200, address
        assert "Ruth Quill" not in got.text, address
        assert not re.search("answer_spans|question_links|rows", got.text), address
    hidden = ["/hidden/iirc-oracle-context/gold.json", "/static/../../hidden", "/board.db",
              f"/tables/{IIRC}/gold.json", "/submissions/1/rows.npz"]  # fmt: skip
    assert [scoring.client.get(one).status_code for one in hidden] == [404] * len(hidden)


def test_private_entries_are_their_team_s(scoring: BoardSite) -> None:
    scoring.team("Others")
    scoring.scored(GOOD, name="Secret", shown="private")
    scoring.scored(b'{"q_1": "x"}', name="Broken")
    for number in (1, 2):
        for headers in ({}, scoring.bearer("Others")):
            for address in (f"/entries/{number}", f"{SUBMISSIONS}/{number}"):
                got = scoring.client.get(address, headers=headers)
                assert got.status_code == 404
                assert got.json()["message"] == "There is no such entry, or it is not public."
    assert "Secret" not in scoring.client.get("/").text
    own = scoring.client.get("/team", headers=scoring.bearer()).text
    assert "Secret" in own
    assert "6 questions have no prediction" in text_of(own)
    refused = scoring.client.get("/entries/2", headers=scoring.bearer()).text
    assert "Refused." in refused
    assert (
        scoring.client.post("/entries/1/public", headers=scoring.bearer("Others")).status_code
        == 404
    )
    assert scoring.client.post("/entries/1/public", headers=scoring.bearer()).status_code == 200
    assert "Secret" in scoring.client.get("/").text
    assert (
        scoring.client.post("/entries/1/private", headers=scoring.bearer("Others")).status_code
        == 404
    )


def test_markup_is_text_everywhere(scoring: BoardSite) -> None:
    scoring.team(RUDE)
    told = scoring.scored(
        answers()[:-1] + b', "' + RUDE.replace("/", "\\/").encode() + b'": "x"}', RUDE, name=RUDE
    )
    assert RUDE in told.problem
    scoring.scored(answers(), RUDE, name=RUDE, description=RUDE, parameters=RUDE)
    for address in ("/", "/entries/1", "/entries/2", "/team", "/submit", f"/tables/{IIRC}"):
        got = scoring.client.get(address, headers=scoring.bearer(RUDE))
        assert "<script" not in got.text, address
        assert "alert(1)" in text_of(got.text), address


def test_logging_in_and_out(site: BoardSite) -> None:
    client = site.client
    assert client.get("/submit", follow_redirects=False).headers["location"] == "/login"
    assert client.get("/team", follow_redirects=False).headers["location"] == "/login"
    assert client.post("/login", data={"key": "x" * 30}).status_code == 403
    got = client.post("/login", data={"key": f" {site.keys['Us']} "}, follow_redirects=False)
    assert got.headers["location"] == "/team"
    cookie = got.headers["set-cookie"].lower()
    assert "httponly" in cookie
    assert "samesite=strict" in cookie
    assert "Send predictions" in client.get("/submit").text
    client.post("/logout")
    assert client.get("/team", follow_redirects=False).status_code == 303


def test_the_form_keeps_what_was_typed(site: BoardSite) -> None:
    given = {"table": IIRC, "name": "Mine", "code": "ftp://x", "description": "a\nb"}
    files = {"predictions": ("p.json", GOOD)}
    got = site.client.post("/submit", data=given, files=files, headers=site.bearer())
    assert got.status_code == 422
    assert "no address of the web" in got.text
    assert 'value="Mine"' in got.text
    assert "a\nb</textarea>" in got.text
    given["code"] = ""
    got = site.client.post(
        "/submit", data=given, files=files, headers=site.bearer(), follow_redirects=False
    )
    assert got.headers["location"] == "/entries/1"
    assert "It waits to be scored." in site.client.get("/entries/1", headers=site.bearer()).text
    for _ in range(2):
        site.send(GOOD)
    got = site.client.post("/submit", data=given, files=files, headers=site.bearer())
    assert got.status_code == 429
    assert "within seven days" in got.text


@pytest.mark.parametrize(
    "address",
    ["/nowhere", "/tables/none", "/entries/99", f"/entries/{10**30}", "/tables/x/compare"],
)
def test_what_is_not_there(site: BoardSite, address: str) -> None:
    got = site.client.get(f"{address}?first=1&second=2", headers=BROWSER)
    assert got.status_code == 404
    assert got.headers["content-type"].startswith("text/html")


def test_another_site_cannot_send_for_a_team(site: BoardSite) -> None:
    site.client.post("/login", data={"key": site.keys["Us"]})
    for headers in ({"Origin": "http://evil.example"}, {"Sec-Fetch-Site": "cross-site"}):
        for address in ("/submit", SUBMISSIONS, "/entries/1/public"):
            got = site.client.post(address, headers={**headers, **BROWSER})
            assert got.status_code == 403, address
    got = site.client.get("/", headers={"Host": "evil.example"})
    assert got.status_code == 421
