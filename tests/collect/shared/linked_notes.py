"""A small folder of linked Markdown notes, for all of a project's tasks.

Second paragraphs have three links, for IIRC. First paragraphs of lighthouses link to their
engineers, for HotpotQA's bridges; things of one kind can be compared.
"""

from __future__ import annotations

from pathlib import Path

LIGHTS = {
    "Marrow Light": ("Tilda Roke", "Fenn", "Grey Heron", 1871),
    "Holm Beacon": ("Ansel Voss", "Arrel", "White Finch", 1884),
    "Sell Tower": ("Ida Marsh", "Dunmor", "Red Kite", 1890),
}
ENGINEERS = {
    "Tilda Roke": ("1829 – 1903", "Grellby", "rope-maker"),
    "Ansel Voss": ("1841 – 1920", "Ellery", "pilot"),
    "Ida Marsh": ("1860 – 1931", "Lowick", "mason"),
}
ISLANDS = {"Fenn": 2300, "Arrel": 910, "Dunmor": 4150}
SHIPS = {"Grey Heron": ("coal", 14), "White Finch": ("timber", 9), "Red Kite": ("wool", 11)}


def write_linked_notes(folder: Path) -> Path:
    """Write them, and give the folder."""
    notes = {
        name: f"{name} is a lighthouse. It was designed by [[{engineer}]] and first lit in {year}."
        f"\n\nThe tower of {name} stands on the southern tip of [[{island}]]. Its keeper saved "
        f"the crew of the [[{ship}]], which had struck the rocks in a storm. What [[{engineer}]] "
        "built was never changed since."
        for name, (engineer, island, ship, year) in LIGHTS.items()
    }
    for name, (lived, town, parent) in ENGINEERS.items():
        notes[name] = f"{name} ({lived}) was an engineer. {name} was born in {town}, as the "
        notes[name] += f"child of a {parent}."
    for name, people in ISLANDS.items():
        notes[name] = f"{name} is an island in the north. It has {people} inhabitants."
    for name, (carried, crew) in SHIPS.items():
        notes[name] = f"The {name} was a ship that carried {carried}. She had a crew of {crew}."
    folder.mkdir()
    for name, text in notes.items():
        (folder / f"{name}.md").write_text(f"# {name}\n\n{text}\n", encoding="utf-8")
    return folder
