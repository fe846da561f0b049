"""Answers and feedback in Redis: as lasting as that Redis is set up to be."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from typing import Any, TypeVar

import redis

from lacuna.server.keeping.open_shared import cannot_open, cannot_use
from lacuna.server.keeping.times import KEPT_SECONDS, PATIENCE

T = TypeVar("T")
ANSWER = "lacuna:answer:"
FEEDBACK = "lacuna:feedback"
FEEDBACK_BYTES = "lacuna:feedback:bytes"
PUT_FEEDBACK = """
local bytes = redis.call('EXISTS', KEYS[1]) == 1 and redis.call('GET', KEYS[2])
if not bytes then -- the first line, or lines of before they were counted
    bytes = 0
    for _, line in ipairs(redis.call('HVALS', KEYS[1])) do bytes = bytes + #line end
end
bytes = bytes - redis.call('HSTRLEN', KEYS[1], ARGV[1]) + #ARGV[2]
if bytes > tonumber(ARGV[3]) then return 0 end
redis.call('HSET', KEYS[1], ARGV[1], ARGV[2])
redis.call('SET', KEYS[2], bytes)
return 1
"""
"""In one piece, so that servers that write at once count no line twice."""


class RedisStore:
    """One connection for each thread that needs one; those that were cut are opened again."""

    def __init__(self, url: str) -> None:
        self._url = url
        try:
            self._redis: Any = redis.Redis.from_url(
                url, socket_timeout=PATIENCE, socket_connect_timeout=PATIENCE
            )
            self._redis.ping()
        except (redis.RedisError, ValueError, OSError) as error:
            raise cannot_open(url, error) from error

    def put_answer(self, answer_id: str, kept: bytes) -> None:
        """Keep an answer for some days."""
        self._done(lambda: self._redis.set(f"{ANSWER}{answer_id}", kept, ex=KEPT_SECONDS))

    def answer(self, answer_id: str) -> bytes | None:
        """An answer that was kept."""
        kept: bytes | None = self._done(lambda: self._redis.get(f"{ANSWER}{answer_id}"))
        return kept

    def put_feedback(self, answer_id: str, line: str, room: int) -> bool:
        """Keep a line about an answer, instead of an earlier one, where there is room."""
        given = (FEEDBACK, FEEDBACK_BYTES, answer_id, line, room)
        return bool(self._done(lambda: self._redis.eval(PUT_FEEDBACK, 2, *given)))

    def feedback(self) -> Iterator[str]:
        """All lines of feedback, the oldest first."""
        lines = [line.decode() for line in self._done(lambda: self._redis.hvals(FEEDBACK))]
        yield from sorted(lines, key=lambda line: str(json.loads(line).get("time")))

    def check(self) -> None:
        """Refuse where it does not answer."""
        self._done(self._redis.ping)

    def close(self) -> None:
        """Close all connections."""
        self._redis.close()

    def _done(self, work: Callable[[], T]) -> T:
        try:
            return work()
        except (redis.RedisError, OSError) as error:
            raise cannot_use(self._url, error) from error
