"""Work on a cluster stays on its machines, and leaves nothing in the homes of their users."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from watched import LACUNA, watch


def test_a_cluster_reaches_nothing_and_leaves_nothing(
    cluster: Any, tmp_path: Path, examples: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with watch(tmp_path) as watched:
        with monkeypatch.context() as home:
            home.setenv("HOME", str(watched.home))
            cluster.renew()
        on_cluster = ("env", f"LACUNA_RAY={cluster.address}", *LACUNA)
        printed = watched.run("evaluate", "squad", examples / "squad.json", command=on_cluster)
    assert "questions" in printed
