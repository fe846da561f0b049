"""A process that works for one person without end, and tells what was acknowledged."""

from __future__ import annotations

import sys

from stand_in_task import WRITE, stand_in_tasks

from lacuna.corpus.open import open_store
from lacuna_collect.database.engine import CollectDatabase
from lacuna_collect.work.assignments import Assigned, Saved, Submitted
from lacuna_collect.work.work import Work


def main(url: str, person: int) -> None:
    """Print each word once it is handed in."""
    work = Work(CollectDatabase.open(url), stand_in_tasks(0, draws=10**6), lambda: STORE)
    while True:
        assigned = work.next(person, WRITE)
        assert isinstance(assigned, Assigned)
        draft = {"word": f"{person}-{assigned.assignment}"}
        saved = work.save(person, assigned.assignment, draft, assigned.version, 1)
        assert isinstance(saved, Saved)
        print(f"saved {assigned.assignment}", flush=True)
        done = work.submit(person, assigned.assignment, draft, "key", 1)
        assert isinstance(done, Submitted)
        print(f"submitted {draft['word']}", flush=True)


if __name__ == "__main__":
    STORE = open_store()
    main(sys.argv[1], int(sys.argv[2]))
