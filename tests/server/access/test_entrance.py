"""Who brings the token gets in; who does not gets nothing."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from stand_in import KNOWN, TOKEN, Site

from lacuna.web.access import Access

EVERYTHING = ("/", "/docs", "/static/js/main.js", "/static/entrance.html", "/openapi.json")
QUESTION = {"question": "What?"}
MakeSite = Callable[..., Site]


@pytest.fixture
def locked(make_site: MakeSite) -> Site:
    return make_site(access=Access([TOKEN]))


@pytest.mark.parametrize("path", [*EVERYTHING, "/api/v1/server", "/api/v1/answers/x", "/nowhere"])
@pytest.mark.parametrize(
    "headers",
    [
        {},
        {"authorization": "Bearer wrong"},
        {"authorization": f"Basic {TOKEN}"},
        {"authorization": "Bearer"},
        {"cookie": "lacuna-80=wrong"},
        {"cookie": f"lacuna-81={TOKEN}"},
        {"cookie": "\xff=;;="},
    ],
)
def test_without_the_token_there_is_nothing(
    locked: Site, path: str, headers: dict[str, str]
) -> None:
    got = locked.client.get(
        path, headers=[(k.encode(), v.encode("latin-1")) for k, v in headers.items()]
    )
    assert got.status_code == 401
    assert "set-cookie" not in got.headers
    assert got.headers["content-security-policy"]
    if path.startswith(("/api", "/static", "/openapi")):
        assert got.json()["code"] == "no-token"
    else:
        assert "<script" not in got.text
        assert "lacuna serve" in got.text
    assert "Marrow" not in got.text
    assert TOKEN not in got.text


@pytest.mark.parametrize(
    "path", ["/api/v1/ask", "/api/v1/ask/stream", "/api/v1/choose", "/api/v1/corpora/folder"]
)
def test_nothing_is_done_without_it(locked: Site, path: str) -> None:
    got = locked.client.post(path, json={**QUESTION, "path": str(locked.folder / "notes")})
    assert got.status_code == 401
    assert got.json()["code"] == "no-token"
    assert not locked.stand_in.asked
    sent = [("files", ("Tern.md", "A tern."))]
    assert locked.client.post("/api/v1/corpora/upload", files=sent).status_code == 401
    assert len(locked.made) == 1
    given_in_the_address = locked.client.post(f"{path}?token={TOKEN}", json=QUESTION)
    assert given_in_the_address.status_code == 401


@pytest.mark.parametrize("scheme", ["Bearer", "bearer"])
def test_programs_send_it_in_a_header(locked: Site, scheme: str) -> None:
    headers = {"authorization": f"{scheme} {TOKEN}"}
    got = locked.client.post("/api/v1/ask", json=QUESTION, headers=headers)
    assert got.status_code == 200
    assert locked.client.get("/", headers=KNOWN).status_code == 200
    assert locked.client.get("/").status_code == 401, "a header leaves no cookie"


def test_a_browser_gets_a_cookie_and_an_address_without_the_token(locked: Site) -> None:
    got = locked.client.get(f"/?token={TOKEN}&x=a%20b", follow_redirects=False)
    assert got.status_code == 303
    assert got.headers["location"] == "/?x=a+b"
    assert got.headers["cache-control"] == "no-store"
    cookie = got.headers["set-cookie"]
    for part in ("lacuna-80=", "HttpOnly", "SameSite=strict", "Path=/"):
        assert part in cookie
    assert "<title>Lacuna</title>" in locked.client.get("/").text
    assert locked.client.get("/static/js/main.js").status_code == 200
    assert locked.client.post("/api/v1/ask", json=QUESTION).status_code == 200


def test_a_browser_remembers_a_token_that_stays(locked: Site, make_site: MakeSite) -> None:
    def cookie(site: Site) -> str:
        got = site.client.get(f"/?token={TOKEN}", follow_redirects=False)
        return got.headers["set-cookie"]

    assert "Max-Age" not in cookie(locked), "after the next start it is worth nothing"
    assert "Max-Age=2592000" in cookie(make_site(access=Access([TOKEN], tokens_stay=True)))


def test_the_cookie_is_of_the_port_that_the_browser_sees(locked: Site) -> None:
    behind_a_proxy = {"host": "localhost:8080"}
    got = locked.client.get(f"/?token={TOKEN}", headers=behind_a_proxy, follow_redirects=False)
    assert "lacuna-8080=" in got.headers["set-cookie"]
    cookie = {**behind_a_proxy, "cookie": f"lacuna-8080={TOKEN}"}
    assert locked.client.get("/docs", headers=cookie).status_code == 200


def test_a_wrong_token_in_the_address(locked: Site) -> None:
    for query in ("token=wrong", "token=", "token", f"TOKEN={TOKEN}", "token=%FF", f"x={TOKEN}"):
        got = locked.client.get(f"/?{query}", follow_redirects=False)
        assert got.status_code == 401, query


def test_the_way_in_leads_to_no_other_site(locked: Site) -> None:
    for path in ("//evil.example/", "/%5C%5Cevil.example", "///evil.example"):
        got = locked.client.get(f"http://localhost{path}?token={TOKEN}", follow_redirects=False)
        assert got.status_code == 303
        assert got.headers["location"].startswith("/evil")


def test_the_name_is_looked_at_before_the_token(locked: Site) -> None:
    got = locked.client.get(
        f"/?token={TOKEN}", headers={"host": "evil.example"}, follow_redirects=False
    )
    assert got.status_code == 421
    assert "set-cookie" not in got.headers


def test_without_a_token_everybody_gets_in(make_site: MakeSite) -> None:
    assert make_site(access=Access()).client.get("/api/v1/server").status_code == 200
