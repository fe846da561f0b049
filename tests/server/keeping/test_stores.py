"""PostgreSQL and Redis keep what servers share, and say so when they cannot."""

from __future__ import annotations

import json
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest
from benchmarks.serving.own_redis import OwnRedis, free_port
from private_postgres import new_postgres_database
from sqlalchemy import create_engine, make_url, text

from lacuna.errors import LacunaError
from lacuna.serve.shared import SharedStore, open_shared_store
from lacuna.web.refusals import Refusal

OpenStore = Callable[[], SharedStore]
ROOM = 1_000
"""Bytes of feedback."""


def test_what_one_server_keeps_another_finds(opened: OpenStore) -> None:
    one, other = opened(), opened()
    one.put_answer("a", b"\x00\xff kept")
    assert other.answer("a") == b"\x00\xff kept"
    one.put_answer("a", b"again")
    assert other.answer("a") == b"again"
    assert other.answer("b") is None
    other.check()


def test_the_last_word_of_feedback_counts(opened: OpenStore) -> None:
    one, other = opened(), opened()
    for number, verdict in enumerate(("right", "wrong")):
        line = {"id": str(number), "verdict": verdict, "time": f"2030-01-0{number + 1}"}
        assert one.put_feedback(str(number), json.dumps(line), ROOM)
    changed = {"id": "0", "verdict": "wrong", "time": "2030-01-01"}
    assert other.put_feedback("0", json.dumps(changed), ROOM)
    lines = [json.loads(line) for line in one.feedback()]
    assert [(line["id"], line["verdict"]) for line in lines] == [("0", "wrong"), ("1", "wrong")]


def test_feedback_has_an_end(opened: OpenStore) -> None:
    one, other = opened(), opened()
    said = {
        name: json.dumps({"id": name, "time": "2030", "said": "é" * 30}, ensure_ascii=False)
        for name in "abc"
    }
    room = 2 * len(said["a"].encode())
    assert one.put_feedback("a", said["a"], room)
    assert other.put_feedback("b", said["b"], room)
    assert not other.put_feedback("c", said["c"], room)
    assert one.put_feedback("a", said["a"], room), "instead of what was there"
    assert not one.put_feedback("b", f"{said['b']} ", room)
    assert sorted(one.feedback()) == [said["a"], said["b"]]


def test_many_servers_start_and_write_at_once(opened: OpenStore) -> None:
    with ThreadPoolExecutor(6) as servers:
        stores = list(servers.map(lambda _: opened(), range(6)))
        list(servers.map(lambda n: stores[n % 6].put_answer(str(n), b"x" * n), range(60)))
    assert [stores[0].answer(str(n)) for n in range(60)] == [b"x" * n for n in range(60)]


def test_redis_that_is_killed_is_told_and_has_lost_nothing(redis: OwnRedis) -> None:
    store = open_shared_store(redis.url)
    store.put_answer("a", b"kept")
    redis.kill()
    uses: list[Callable[[], object]] = [
        store.check,
        lambda: store.put_answer("b", b"x"),
        lambda: store.answer("a"),
    ]
    for work in uses:
        with pytest.raises(Refusal, match="cannot be reached") as refused:
            work()
        assert (refused.value.status, refused.value.problem.code) == (503, "store-unreachable")
        assert refused.value.headers["Retry-After"]
    redis.start()
    store.check()
    assert store.answer("a") == b"kept"
    store.close()


def test_cut_connections_to_postgres_are_opened_again(cluster: Path) -> None:
    url = new_postgres_database(cluster, "cut")
    store = open_shared_store(url)
    store.put_answer("a", b"kept")
    engine = create_engine(make_url(url).set(drivername="postgresql+pg8000"))
    with engine.connect() as connection:
        others = (
            "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE pid <> pg_backend_pid()"
        )
        connection.execute(text(f"{others} AND datname = 'cut'"))
        assert store.answer("a") == b"kept"
        connection.execute(text("DROP TABLE lacuna_answer"))
        connection.commit()
    with pytest.raises(Refusal, match="cannot be reached"):
        store.answer("a")
    engine.dispose()
    store.close()


def test_old_answers_are_forgotten(cluster: Path) -> None:
    url = new_postgres_database(cluster, "old")
    first = open_shared_store(url)
    first.put_answer("old", b"x")
    engine = create_engine(make_url(url).set(drivername="postgresql+pg8000"))
    with engine.begin() as connection:
        connection.execute(text("UPDATE lacuna_answer SET time = now() - interval '8 days'"))
    engine.dispose()
    second = open_shared_store(url)
    second.put_answer("new", b"y")
    assert (first.answer("old"), first.answer("new")) == (None, b"y")
    for store in (first, second):
        store.close()


def test_answers_in_redis_have_an_end(redis: OwnRedis) -> None:
    import redis as client

    store = open_shared_store(redis.url)
    store.put_answer("a", b"x")
    left = client.Redis.from_url(redis.url).ttl("lacuna:answer:a")
    assert 6 * 24 * 3600 < int(str(left)) <= 7 * 24 * 3600
    store.close()


@pytest.mark.parametrize(
    ("address", "told"),
    [
        ("mysql://x/y", "postgresql://"),
        ("somewhere", "postgresql://"),
        ("redis://:s3cret@127.0.0.1:{port}/0", "LACUNA_KEEP_IN"),
        ("redis://:s3cret@127.0.0.1:nonsense/0", "LACUNA_KEEP_IN"),
        ("postgresql://me:s3cret@127.0.0.1:{port}/kept", "LACUNA_KEEP_IN"),
        ("postgresql://me:s3cret@127.0.0.1:nonsense/kept", "LACUNA_KEEP_IN"),
        # What an address has no place for cuts the password in two, and each half is one.
        *(
            (f"{kind}://me:s3cret{sign}s3cret@127.0.0.1:{{port}}/0", "LACUNA_KEEP_IN")
            for kind in ("redis", "postgresql")
            for sign in "/#?@[]: "
        ),
        ("redis://me:s3cret", "LACUNA_KEEP_IN"),
        ("postgresql://me:s3cret/kept", "LACUNA_KEEP_IN"),
        ("redis://s3cret/s3cret@127.0.0.1:{port}/0", "LACUNA_KEEP_IN"),
        ("redis://127.0.0.1:{port}/0?password=half@s3cret", "LACUNA_KEEP_IN"),
        ("postgresql://me@127.0.0.1:{port}/kept?password=half@s3cret", "LACUNA_KEEP_IN"),
    ],
)
def test_an_address_where_nothing_is(address: str, told: str) -> None:
    with pytest.raises(LacunaError, match=told) as error:
        open_shared_store(address.format(port=free_port()))
    assert "s3cret" not in str(error.value)
