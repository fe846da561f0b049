"""The log as lines of JSON, for what collects logs."""

from __future__ import annotations

import json
import logging
from datetime import UTC, datetime
from typing import Any

from lacuna.server.operations.request_ids import current_request

REQUESTS = "lacuna.requests"
"""The logger of requests; nothing is written of them but as JSON."""
FIELDS = "lacuna_fields"


class JsonLines(logging.Formatter):
    """One object on each line: time, level, message, the request's id, and what else is known."""

    def format(self, record: logging.LogRecord) -> str:
        """The line; what a client sent stands in it only as escapes."""
        line: dict[str, Any] = {
            "time": datetime.fromtimestamp(record.created, UTC).isoformat(timespec="milliseconds"),
            "level": record.levelname.lower(),
            "message": record.getMessage(),
        }
        if request := current_request():
            line["request"] = request
        line |= getattr(record, FIELDS, {})
        if record.exc_info:
            line["error"] = self.formatException(record.exc_info)
        return json.dumps(line)


def log_request(method: str, route: str, status: int, seconds: float, refused: str) -> None:
    """Write that a request was answered: neither its address nor its words nor who sent it."""
    fields = {"method": method, "route": route, "status": status, "seconds": round(seconds, 4)}
    if refused:
        fields["refused"] = refused
    logging.getLogger(REQUESTS).info("request", extra={FIELDS: fields})
