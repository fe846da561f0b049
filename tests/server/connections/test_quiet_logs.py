"""Logs that nobody can fill."""

from __future__ import annotations

import logging

from lacuna.web.listening import AT_ONCE, KINDS, WINDOW, RepeatFilter, log_settings


def record(message: str, *given: object, name: str = "x") -> logging.LogRecord:
    return logging.LogRecord(name, logging.WARNING, "", 1, message, given, None)


def test_a_flood_is_counted_and_told_later() -> None:
    now = 0.0
    one = RepeatFilter(lambda: now)
    written = sum(one.filter(record("Bad request from %s.", number)) for number in range(1_000))
    assert written == AT_ONCE
    assert one.filter(record("Something else."))
    assert one.filter(record("Bad request from %s.", 7, name="y"))
    now = WINDOW
    last = record("Bad request from %s.", "here")
    assert one.filter(last)
    assert (
        last.getMessage()
        == f"Bad request from here. ({1_000 - AT_ONCE} more like it were not written)"
    )


def test_many_kinds_take_no_memory() -> None:
    one = RepeatFilter(lambda: 0.0)
    for number in range(3 * KINDS):
        one.filter(record(f"Message {number}"))
    assert len(one._seen) <= KINDS + 1


def test_everything_goes_to_one_place() -> None:
    settings = log_settings()
    assert settings["root"]["handlers"] == ["stderr"]
    assert settings["handlers"]["stderr"]["filters"] == ["repeats"]
