"""Health, readiness, metrics and request ids, as a cluster sees them."""

from __future__ import annotations

import re
import shutil
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor

import pytest
from prometheus_client.parser import text_string_to_metric_families
from stand_in import KNOWN, TOKEN, Site

from lacuna.pipeline.query import Query
from lacuna.pipeline.result import OnStep, Result
from lacuna.web.access import Access
from lacuna.web.limits import Limits
from lacuna.web.refusals import Refusal, current_request

MakeSite = Callable[..., Site]
MARROW = {"question": "What is the Marrow?", "title": "Marrow"}


@pytest.fixture
def locked(make_site: MakeSite) -> Site:
    return make_site(access=Access([TOKEN]))


def counted(site: Site, **headers: str) -> dict[str, float]:
    """The samples of the metrics, by name and labels, read by Prometheus' own parser."""
    got = site.client.get("/metrics", headers=headers)
    assert got.headers["content-type"].startswith("text/plain; version=0.0.4")
    return {
        f"{sample.name}{sorted(sample.labels.items())}": sample.value
        for family in text_string_to_metric_families(got.text)
        for sample in family.samples
    }


def sample(name: str, **labels: str) -> str:
    return f"{name}{sorted(labels.items())}"


def test_a_cluster_needs_no_token_and_no_name(locked: Site) -> None:
    for path in ("/healthz", "/readyz"):
        got = locked.client.get(path, headers={"host": "10.1.2.3"})
        assert got.status_code == 200
        assert set(got.json()) == {"status"}
        assert got.headers["cache-control"] == "no-store"
        assert locked.client.post(path).status_code == 401


def test_metrics_want_the_token(locked: Site, make_site: MakeSite) -> None:
    got = locked.client.get("/metrics", headers={"accept": "text/html"})
    assert (got.status_code, got.json()["code"]) == (401, "no-token")
    assert counted(locked, **KNOWN)[sample("lacuna_info")] == 1
    unlocked = make_site(access=Access([TOKEN]), metrics_open=True)
    assert unlocked.client.get("/metrics").status_code == 200


def test_a_server_that_ends_is_not_ready(site: Site) -> None:
    site.app.state.services.stopping.begun = True
    got = site.client.get("/readyz")
    assert (got.status_code, got.json()["code"]) == (503, "stopping")
    assert got.headers["retry-after"]
    assert site.client.get("/healthz").status_code == 200


def test_a_corpus_that_was_deleted_is_not_ready(site: Site) -> None:
    assert site.client.get("/readyz").status_code == 200
    shutil.rmtree(site.stand_in.store.place)
    got = site.client.get("/readyz")
    assert (got.status_code, got.json()["code"]) == (410, "corpus-gone")


class FailingStore:
    """A store that nobody reaches."""

    def check(self) -> None:
        raise Refusal(503, "store-unreachable", "It cannot be reached.")


def test_a_store_that_cannot_be_reached_is_not_ready(make_site: MakeSite) -> None:
    got = make_site(shared=FailingStore()).client.get("/readyz")
    assert (got.status_code, got.json()["code"]) == (503, "store-unreachable")


def test_what_is_counted(make_site: MakeSite) -> None:
    site = make_site(limits=Limits(waiting=0, question=50))
    assert site.client.post("/api/v1/ask", json=MARROW).status_code == 200
    assert site.client.post("/api/v1/ask", json={"question": "Nothing"}).status_code == 200
    assert site.client.post("/api/v1/ask", json={"question": "x" * 51}).status_code == 422
    assert site.client.post("/api/v1/ask", json={"words": "x"}).status_code == 422
    assert site.client.get("/api/v1/answers/nothing").status_code == 404
    assert site.client.get("/nowhere/at/all").status_code == 404
    site.stand_in.may_go_on.clear()
    with ThreadPoolExecutor(1) as people:
        running = people.submit(site.client.post, "/api/v1/ask", json=MARROW)
        while len(site.stand_in.asked) < 3:
            pass
        assert site.client.post("/api/v1/ask", json=MARROW).status_code == 503
        assert counted(site)[sample("lacuna_questions_running")] == 1
        assert counted(site)[sample("lacuna_queue_length")] == 0
        site.stand_in.may_go_on.set()
        assert running.result().status_code == 200
    seen = counted(site)
    questions = {
        outcome: seen.get(sample("lacuna_questions_total", kind="ask", outcome=outcome))
        for outcome in ("answer", "none", "busy", "question-too-long")
    }
    assert questions == {"answer": 2, "none": 1, "busy": 1, "question-too-long": 1}
    for code in ("busy", "question-too-long", "bad-request", "answer-gone", "not-found"):
        assert seen[sample("lacuna_refusals_total", code=code)] == 1
    asked = "/api/v1/ask"
    assert seen[sample("lacuna_requests_total", route=asked, status="200")] == 3
    assert seen[sample("lacuna_requests_total", route="none", status="404")] == 1
    assert seen[sample("lacuna_request_seconds_count", route="/api/v1/answers/{answer}")] == 1
    assert seen[sample("lacuna_stage_seconds_count", stage="spot")] == 3
    assert seen[sample("lacuna_stage_seconds_bucket", stage="spot", le="0.005")] == 3
    assert seen[sample("lacuna_waiting_seconds_count", queue="questions")] == 3
    assert seen[sample("lacuna_question_seconds_bucket", kind="ask", le="+Inf")] == 3
    assert seen[sample("lacuna_questions_running")] == 0
    text = site.client.get("/metrics").text
    assert "Marrow" not in text
    assert "_created" not in text, "when counting began says nothing"


@pytest.mark.parametrize(
    ("given", "honoured"), [("edge-1.42", True), ("", False), ("x" * 65, False), ("a b", False)]
)
def test_request_ids(locked: Site, given: str, honoured: bool) -> None:
    for path in ("/api/v1/server", "/nowhere"):
        got = locked.client.get(path, headers={"x-request-id": given})
        request_id = got.headers["x-request-id"]
        assert (request_id == given) is honoured
        assert re.fullmatch(r"[\w.-]{1,64}", request_id)


def test_a_line_that_a_worker_logs_names_its_request(
    site: Site, monkeypatch: pytest.MonkeyPatch
) -> None:
    seen = []
    answer = site.stand_in.ask

    def ask(query: Query, *, on_step: OnStep | None = None) -> Result:
        seen.append(current_request())
        return answer(query, on_step=on_step)

    monkeypatch.setattr(site.stand_in, "ask", ask)
    site.client.post("/api/v1/ask", json=MARROW, headers={"x-request-id": "mine"})
    assert seen == ["mine"]
