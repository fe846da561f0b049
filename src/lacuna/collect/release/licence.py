"""The licence of a released dataset: its name, and where its text stands."""

from __future__ import annotations

from lacuna.datasets.describing.blanks import blank
from lacuna.errors import no_such

ADDRESSES = {
    "CC0-1.0": "https://creativecommons.org/publicdomain/zero/1.0/legalcode",
    "CC-BY-4.0": "https://creativecommons.org/licenses/by/4.0/legalcode",
    "CC-BY-SA-4.0": "https://creativecommons.org/licenses/by-sa/4.0/legalcode",
    "CC-BY-NC-4.0": "https://creativecommons.org/licenses/by-nc/4.0/legalcode",
}


def check_licence(name: str) -> None:
    """Refuse a name that nobody would find the text of."""
    if name and name not in ADDRESSES:
        raise no_such("licence", name, ADDRESSES)


def licence_note(title: str, name: str) -> str:
    """What LICENSE.txt says."""
    if not name:
        return f"{title}\n\n{blank('the licence: without one, nobody may use the dataset')}\n"
    return (
        f"{title}\n\nQuestions and answers: {name}\nThe text of the licence: {ADDRESSES[name]}\n\n"
        f"The documents that they are about keep their own licence: "
        f"{blank('which, and where it stands')}\n"
    )
