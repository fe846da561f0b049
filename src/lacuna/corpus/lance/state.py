"""The one small table that makes a corpus visible: which version of every table belongs to it.

Data is written first; then one commit, which fails if anybody else has committed meanwhile, names
the new versions. Who reads follows that alone, so that no half corpus is ever seen. A writer notes
here that it is at work, too.
"""

from __future__ import annotations

import json
import re
from dataclasses import asdict, dataclass, field, replace
from datetime import timedelta
from secrets import token_hex
from typing import Any

import lance
import pyarrow as pa
from lance.commit import CommitConflictError

from lacuna.corpus.lance.failures import telling_failures
from lacuna.corpus.lance.tables import Tables
from lacuna.corpus.lock import StoreBusyError
from lacuna.errors import LacunaError

NAME = "corpus"
FORMAT = 2
"""2: passages have the numbers of their terms."""
KEY = b"lacuna"
SCHEMA = pa.schema([("nothing", pa.int64())])
CONFLICT = re.compile("commit conflict|already exists|/0.manifest was not found", re.IGNORECASE)
"""How Lance says that somebody was quicker; the last, where there was nothing before."""
KEPT = timedelta(days=1)
"""Versions that are older may be deleted: no reader stays on one for so long."""
STAYING = 30
"""Versions of a table that stay however old they seem: the clock of a writer may be wrong. A
generation makes two to six of them."""


@dataclass(frozen=True, slots=True)
class State:
    """What is published, and who writes at the moment."""

    format: int = FORMAT
    generation: int = 0
    token: str = ""
    tables: dict[str, int] = field(default_factory=dict)
    """The version of each table; one without rows is not named."""
    counts: dict[str, int] = field(default_factory=dict)
    sources: list[list[Any]] = field(default_factory=list)
    """The fields of ``SourceInfo``."""
    writer: str = ""
    """Who writes: a random word, and a machine and process for people; empty for nobody."""
    beats: int = 0
    """Rises while the writer is alive."""

    @property
    def is_published(self) -> bool:
        """Whether there is a corpus; before, a first writer is at work or was stopped."""
        return bool(self.token)


class StateTable:
    """Reads and commits the state of a corpus."""

    def __init__(self, tables: Tables) -> None:
        self._tables = tables
        self.version = 0

    def read(self) -> State | None:
        """The newest state; None if nothing was ever written there."""
        found = self._tables.newest(NAME)
        if found is None:
            self.version = 0
            return None
        with telling_failures(self._tables.address):
            fields = json.loads((found.schema.metadata or {})[KEY])
            self.version = found.version
        if fields["format"] > FORMAT:
            raise LacunaError(
                f"{self._tables.address} was written by a newer version of Lacuna. Update Lacuna."
            )
        if fields["format"] < FORMAT:
            raise LacunaError(
                f"{self._tables.address} was written by an early version of Lacuna, which is not "
                "read any more. Index its sources again into a new place."
            )
        return State(**fields)

    def commit(self, state: State) -> None:
        """Make a state the newest one, unless another writer was quicker."""
        schema = SCHEMA.with_metadata({KEY: json.dumps(asdict(state)).encode()})
        with telling_failures(self._tables.address, "written"):
            try:
                made = lance.LanceDataset.commit(
                    self._tables.where(NAME),
                    lance.LanceOperation.Overwrite(schema, []),
                    read_version=self.version,
                    max_retries=0,
                )
            except (OSError, ValueError, CommitConflictError) as error:
                if CONFLICT.search(str(error)):
                    raise self.overtaken() from None
                raise
        if made.version != self.version + 1:
            raise self.overtaken()
        self.version = made.version

    def overtaken(self) -> StoreBusyError:
        """The error of a writer that came second."""
        return StoreBusyError(
            f"{self._tables.address} was written by another process meanwhile, whose corpus is the "
            "one that is kept. Run this again to add to it; what was read so far is not lost."
        )


def published(state: State, tables: dict[str, int], counts: dict[str, int], sources: Any) -> State:
    """The state after a writer's work."""
    return replace(
        state,
        generation=state.generation + 1,
        token=token_hex(8),
        tables=tables,
        counts=counts,
        sources=sources,
        writer="",
    )
