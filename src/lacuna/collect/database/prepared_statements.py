"""PostgreSQL spoken with as few messages as it needs.

The driver has every statement parsed and described anew, and waits for an answer after each of
these steps and after the beginning of a transaction. Here a connection has a statement parsed once;
after that all that a statement needs is sent at once, and one answer is waited for.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from typing import Any

from pg8000.converters import make_params
from pg8000.core import BIND, EXECUTE_MSG, NULL_BYTE, QUERY, SYNC_MSG, Context, H_pack, i_pack
from pg8000.dbapi import IntegrityError, ProgrammingError, convert_paramstyle
from pg8000.exceptions import DatabaseError, InterfaceError
from pg8000.legacy import Connection, Cursor

MOST = 300
"""Statements that a connection keeps; those with long lists of values are many."""
BEGIN = "begin transaction"
THERE_ALREADY = "23505"
"""PostgreSQL's code for a row that is there already."""


class PreparingConnection(Connection):
    """A connection that has each statement parsed once."""

    def __init__(self, *given: Any, **named: Any) -> None:
        super().__init__(*given, **named)
        self._prepared: dict[str, tuple[bytes, Any, Any]] = {}

    def cursor(self) -> PreparingCursor:
        """What statements are run with."""
        return PreparingCursor(self)

    def commit(self) -> None:
        """End a transaction; all of it is on the disk then."""
        if self._in_transaction:
            self.execute_simple("commit")

    def rollback(self) -> None:
        """End a transaction as if it had not been."""
        if self._in_transaction:
            self.execute_simple("rollback")

    def run_prepared(self, operation: str, values: Sequence[Any]) -> Context:
        """Run a statement, and begin a transaction with it where there is none."""
        begins = not (self._in_transaction or self.autocommit)
        if operation not in self._prepared:
            if begins:
                self.execute_simple(BEGIN)
                begins = False
            self._prepare(operation)
        name, columns, readers = self._prepared[operation]
        context = Context(operation, columns=columns, input_funcs=readers)
        # Made before anything is sent: a value that cannot be sent leaves nothing half said.
        sent = self._bound(name, make_params(self.py_types, values)) + EXECUTE_MSG + SYNC_MSG
        self._send((_message(QUERY, BEGIN.encode() + NULL_BYTE) if begins else b"") + sent)
        if begins:
            self.handle_messages(Context(BEGIN))
        self.handle_messages(context)
        return context

    def _prepare(self, operation: str) -> None:
        if len(self._prepared) >= MOST:
            oldest = next(iter(self._prepared))
            self.close_prepared_statement(self._prepared.pop(oldest)[0])
        self._prepared[operation] = self.prepare_statement(_numbered(operation), ())

    def _bound(self, name: bytes, values: Sequence[str | None]) -> bytes:
        said = bytearray(NULL_BYTE + name + H_pack(0) + H_pack(len(values)))
        for value in values:
            if value is None:
                said += i_pack(-1)
            else:
                encoded = value.encode(self._client_encoding)
                said += i_pack(len(encoded)) + encoded
        return _message(BIND, bytes(said + H_pack(0)))

    def _send(self, messages: bytes) -> None:
        try:
            self._sock.write(messages)
            self._sock.flush()
        except (AttributeError, ValueError) as error:  # there is no socket, or it is closed
            raise InterfaceError("connection is closed") from error
        except OSError as error:
            raise InterfaceError("network error") from error


class PreparingCursor(Cursor):
    """Runs statements that have values as prepared ones, and all others as the driver does."""

    def execute(self, operation: str, args: Sequence[Any] = (), stream: Any = None) -> Cursor:
        """Run a statement."""
        if not args or stream is not None or self._input_oids:
            return super().execute(operation, args, stream)
        try:
            self._context = self._c.run_prepared(operation, args)
        except DatabaseError as error:
            details = error.args[0]
            code = details.get("C") if isinstance(details, dict) else None
            kind = IntegrityError if code == THERE_ALREADY else ProgrammingError
            raise kind(details) from error
        self._row_iter = iter(self._context.rows or ())
        return self


def _message(code: bytes, said: bytes) -> bytes:
    length: bytes = i_pack(len(said) + 4)
    return code + length + said


@lru_cache(maxsize=4 * MOST)
def _numbered(operation: str) -> str:
    """With $1 for %s, as PostgreSQL wants it; the driver reads every letter for that."""
    statement: str = convert_paramstyle("format", operation, ())[0]
    return statement
