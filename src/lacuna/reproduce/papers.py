"""All papers that can be reproduced, by the names that the command line knows them under."""

from __future__ import annotations

from lacuna.errors import no_such
from lacuna.reproduce.entries.entry import Paper
from lacuna.reproduce.gapqa import GAPQA
from lacuna.reproduce.hotpotqa import HOTPOTQA
from lacuna.reproduce.iirc import IIRC
from lacuna.reproduce.quac import QUAC

PAPERS = {paper.name: paper for paper in (IIRC, HOTPOTQA, GAPQA, QUAC)}


def find_paper(name: str) -> Paper:
    """The paper of that name.

    >>> len(find_paper("iirc").entries) > 7
    True
    """
    if name not in PAPERS:
        raise no_such("paper", name, PAPERS)
    return PAPERS[name]
