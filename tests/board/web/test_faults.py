"""What rude people send to a real server: it is refused early, in words, and nothing is left."""

from __future__ import annotations

import json
import threading
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import httpx
import pytest
from board_site import GOOD, IIRC, SUBMISSIONS, BoardSite, answers
from raw_client import connected, problem, rest, status
from stand_in import listening

GIGABYTE = 1 << 30
BOMB_MB = 40


@pytest.fixture
def site(tmp_path: Path) -> BoardSite:
    return BoardSite(tmp_path / "board", upload_mb=2, unpacked_mb=4, a_week=50)


@pytest.fixture
def at(site: BoardSite) -> Iterator[str]:
    with listening(site.app) as address:
        yield address


def post(at: str, predictions: Any, site: BoardSite, **fields: str) -> httpx.Response:
    about = {"table": IIRC, "name": "A system", **fields}
    return httpx.post(
        f"{at}{SUBMISSIONS}",
        data=about,
        files={"predictions": ("p", predictions)},
        headers=site.bearer(),
        timeout=60,
    )


def head(site: BoardSite, more: str, *, key: bool = True) -> bytes:
    allowed = f"Authorization: {site.bearer()['Authorization']}\r\n" if key else ""
    return (
        f"POST {SUBMISSIONS} HTTP/1.1\r\nHost: localhost\r\n{allowed}"
        f"Content-Type: multipart/form-data; boundary=x\r\nConnection: close\r\n{more}\r\n\r\n"
    ).encode()


def test_a_gigabyte_that_is_announced_is_refused_before_it_is_sent(
    site: BoardSite, at: str
) -> None:
    with connected(at) as connection:
        connection.sendall(head(site, f"Content-Length: {GIGABYTE}"))
        answer = rest(connection)
    assert status(answer) == 413
    assert "3 MB" in problem(answer)["message"]


def test_a_gigabyte_without_a_length_is_refused_on_the_way(site: BoardSite, at: str) -> None:
    sent = 0
    chunk = b"10000\r\n" + bytes(1 << 16) + b"\r\n"
    start = b'--x\r\nContent-Disposition: form-data; name="predictions"; filename="p"\r\n\r\n'
    with connected(at) as connection:
        connection.sendall(head(site, "Transfer-Encoding: chunked"))
        connection.sendall(b"%x\r\n%s\r\n" % (len(start), start))
        try:
            while sent < GIGABYTE:
                connection.sendall(chunk)
                sent += 1 << 16
        except OSError:
            pass  # the server has closed it
        answer = rest(connection)
    assert sent < GIGABYTE / 8
    if answer:  # what came before the connection was cut may be lost on the way
        assert status(answer) == 413
    assert list((site.board.folder / "arriving").iterdir()) == []
    assert post(at, GOOD, site).status_code == 202


def test_nothing_is_read_of_who_has_no_key(site: BoardSite, at: str) -> None:
    with connected(at) as connection:
        connection.sendall(head(site, "Content-Length: 1000000", key=False))
        answer = rest(connection)
    assert status(answer) == 401
    assert problem(answer)["code"] == "no-key"


def test_bombs(site: BoardSite, at: str) -> None:
    import gzip
    import zipfile
    from io import BytesIO

    bomb = gzip.compress(b'{"q_1": "' + b" " * (BOMB_MB << 20) + b'"}')
    got = post(at, bomb, site)
    assert got.status_code == 422
    assert "larger than 4 MB when it is unpacked" in got.json()["message"]
    archive = BytesIO()
    with zipfile.ZipFile(archive, "w", zipfile.ZIP_DEFLATED) as packed:
        packed.writestr("p.json", b" " * (BOMB_MB << 20))
    got = post(at, archive.getvalue(), site)
    assert got.status_code == 422
    assert "zip archive" in got.json()["message"]
    assert site.board.submissions.of_team(site.board.teams.all()[0]) == []
    assert list((site.board.folder / "arriving").iterdir()) == []


def test_two_at_once_are_each_scored_once(site: BoardSite, at: str) -> None:
    got: list[int] = []
    senders = [
        threading.Thread(
            target=lambda n=number: got.append(
                post(at, answers(f"answer {n}"), site, name=f"Number {n}").json()["submission"]
            )
        )
        for number in range(2)
    ]
    for sender in senders:
        sender.start()
    for sender in senders:
        sender.join()
    assert sorted(got) == [1, 2]
    for number in got:
        entry = site.settled(number)
        assert (entry.state, entry.attempts) == ("scored", 1)
        which = entry.about.name.removeprefix("Number ")
        sent = json.loads(site.board.submissions.predictions(number).read_bytes())
        assert set(sent.values()) == {f"answer {which}"}


@pytest.mark.parametrize(
    ("fields", "words"),
    [
        ({"table": "nowhere"}, "no table 'nowhere'"),
        ({"name": " "}, "The name of the system is empty"),
        ({"name": "x" * 81}, "at most 80"),
        ({"description": "x" * 5_000}, "at most 4,000"),
        ({"shown": "perhaps"}, "public or private"),
    ],
)
def test_what_is_said_of_it_is_checked(
    site: BoardSite, at: str, fields: dict[str, str], words: str
) -> None:
    got = post(at, GOOD, site, **fields)
    assert got.status_code == 422
    assert words in got.json()["message"]


def test_forms_that_are_none(site: BoardSite, at: str) -> None:
    for kind in ("multipart/form-data", "multipart/form-data; boundary=y", "text/plain"):
        headers = {**site.bearer(), "Content-Type": kind}
        got = httpx.post(f"{at}{SUBMISSIONS}", content=b"--x\r\nnonsense", headers=headers)
        assert got.status_code in (400, 422), kind
        assert got.json()["message"]
    got = post(at, GOOD, site, description="x" * (70 << 10))
    assert got.status_code in (400, 422)
