"""What every refusal on the command line looks like."""

from __future__ import annotations

import re
from typing import Any

NOTE = re.compile(r"\ANote: This asks the demo.*\n")


def refused(ran: Any, *words: str) -> None:
    """Exit code 2, nothing on standard output, and one paragraph that has these words in it."""
    assert ran.code == 2
    assert ran.out == ""
    error = NOTE.sub("", ran.err)
    assert error.startswith("Error: ")
    assert error.count("\n") == 1, "one paragraph"
    assert all(word in error for word in words), error
