"""Several servers share their answers: any of them knows what another one gave."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from benchmarks.serving.own_redis import OwnRedis
from stand_in import KNOWN, TOKEN, Site

from lacuna.serve.shared import SharedStore, open_shared_store
from lacuna.web.access import Access
from lacuna.web.limits import Limits

MakeSite = Callable[..., Site]
OpenStore = Callable[[], SharedStore]
MARROW = {"question": "What is the Marrow?", "title": "Marrow"}


@pytest.fixture
def two(make_site: MakeSite, opened: OpenStore) -> tuple[Site, Site]:
    access = Access([TOKEN, "another-token-for-the-tests"])
    first, second = (make_site(access=access, shared=opened()) for _ in range(2))
    for site in (first, second):
        site.client.headers.update(KNOWN)
    return first, second


def test_any_server_gives_the_same_dialog(two: tuple[Site, Site]) -> None:
    first, second = two
    answers = [first.client.post("/api/v1/ask", json=MARROW).json()]
    for number, site in enumerate((second, first, second)):
        follow_up = {"question": f"And {number}?", "after": answers[-1]["id"]}
        answers.append(site.client.post("/api/v1/ask", json=follow_up).json())
    for site in two:
        got = site.client.get(f"/api/v1/answers/{answers[-1]['id']}")
        assert got.json() == {"answers": answers}
    history = second.stand_in.asked[-1].history
    assert [turn.question for turn in history] == ["What is the Marrow?", "And 0?", "And 1?"]
    assert history[0].answer == first.stand_in.ask(first.stand_in.asked[0]).answer


def test_another_person_sees_nothing_of_it(two: tuple[Site, Site]) -> None:
    first, second = two
    answer = first.client.post("/api/v1/ask", json=MARROW).json()["id"]
    other = {"authorization": "Bearer another-token-for-the-tests"}
    for path in (answer, f"{answer}x", "%00", "a'b"):
        got = second.client.get(f"/api/v1/answers/{path}", headers=other)
        assert (got.status_code, got.json()["code"]) == (404, "answer-gone")
    follow_up = {**MARROW, "after": answer}
    assert second.client.post("/api/v1/ask", json=follow_up, headers=other).status_code == 404


def test_feedback_on_what_another_server_said(two: tuple[Site, Site], opened: OpenStore) -> None:
    first, second = two
    assert second.client.get("/api/v1/server").json()["feedback"] is True
    answer = first.client.post("/api/v1/ask", json=MARROW).json()["id"]
    for verdict in ("right", "wrong"):
        said = {"answer": answer, "verdict": verdict}
        assert second.client.post("/api/v1/feedback", json=said).status_code == 200
    (line,) = opened().feedback()
    assert '"wrong"' in line
    assert TOKEN not in line


def test_feedback_that_there_is_no_room_for(make_site: MakeSite, opened: OpenStore) -> None:
    site = make_site(shared=opened(), limits=Limits(feedback=600))
    for status in (200, 507):
        answer = site.client.post("/api/v1/ask", json=MARROW).json()["id"]
        got = site.client.post("/api/v1/feedback", json={"answer": answer, "verdict": "right"})
        assert got.status_code == status
    assert got.json()["code"] == "feedback-full"
    assert len(list(opened().feedback())) == 1


def test_a_store_that_is_gone_is_told_and_found_again(make_site: MakeSite, redis: OwnRedis) -> None:
    store = open_shared_store(redis.url)
    site = make_site(shared=store)
    answer = site.client.post("/api/v1/ask", json=MARROW).json()["id"]
    redis.kill()
    for got in (
        site.client.post("/api/v1/ask", json=MARROW),
        site.client.post("/api/v1/ask", json={**MARROW, "after": answer}),
        site.client.get(f"/api/v1/answers/{answer}"),
        site.client.get("/readyz"),
    ):
        assert (got.status_code, got.json()["code"]) == (503, "store-unreachable")
        assert got.headers["retry-after"]
    assert site.client.get("/healthz").status_code == 200
    assert site.client.get("/api/v1/server").status_code == 200
    redis.start()
    assert site.client.get(f"/api/v1/answers/{answer}").json()["answers"][0]["id"] == answer
    assert site.client.post("/api/v1/ask", json=MARROW).status_code == 200
    store.close()


def test_an_answer_of_another_version_is_forgotten(make_site: MakeSite, opened: OpenStore) -> None:
    store = opened()
    for kept in (b"", b"no zlib", b"x\x9c\xabV*\xcaL\xcfN\xcc\xc9Q\xb2R*-"):
        store.put_answer("strange", kept)
        site = make_site(shared=store)
        assert site.client.get("/api/v1/answers/strange").json()["code"] == "answer-gone"


def test_a_follow_up_asks_for_no_more_than_is_read(
    make_site: MakeSite, redis: OwnRedis, monkeypatch: pytest.MonkeyPatch
) -> None:
    store = open_shared_store(redis.url)
    site = make_site(shared=store, limits=Limits(turns=2))
    last = None
    for _ in range(4):
        last = site.client.post("/api/v1/ask", json={**MARROW, "after": last}).json()["id"]
    fetched: list[str] = []
    answer = store.answer

    def fetch(one: str) -> bytes | None:
        fetched.append(one)
        return answer(one)

    monkeypatch.setattr(store, "answer", fetch)
    assert site.client.post("/api/v1/ask", json={**MARROW, "after": last}).status_code == 200
    assert len(fetched) == len(site.stand_in.asked[-1].history) == 2
    said = {"answer": last, "verdict": "right"}
    assert site.client.post("/api/v1/feedback", json=said).status_code == 200
    assert len(fetched) == 3
    assert len(site.client.get(f"/api/v1/answers/{last}").json()["answers"]) == 4, "all of it"
    store.close()
