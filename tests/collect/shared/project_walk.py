"""A project made from notes, served by a program of its own, with people in browsers."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from zipfile import ZipFile

from linked_notes import write_linked_notes
from person_in_browser import PersonInBrowser

SIZES = {"wide": (1280, 900), "phone": (360, 740)}
Views = Sequence[tuple[str, str]]
"""How a state is looked at: sizes, and light or dark."""
ALL_VIEWS: Views = [(size, scheme) for size in SIZES for scheme in ("light", "dark")]


@dataclass(frozen=True)
class Begun:
    """What a project is made with."""

    folder: Path
    task: str
    settings: Mapping[str, object]
    database: str = ""
    shots: str = ""
    views: Views = ()
    corpus: bool = True


class Walk:
    """One project, its server, and the people in it."""

    def __init__(self, browser: Any, lacuna: Any, begun: Begun, address: str, link: str) -> None:
        self.browser = browser
        self.lacuna = lacuna
        self.begun = begun
        self.address = address
        self.project = begun.folder / "project"
        self.people: list[PersonInBrowser] = []
        self.rita = self.person()
        self.rita.register(link.rpartition("/")[2], "Rita")

    def person(self) -> PersonInBrowser:
        self.people.append(PersonInBrowser(self.browser, self.address))
        return self.people[-1]

    def invited(self, name: str, role: str = "worker") -> PersonInBrowser:
        """Somebody whom the requester has sent a link."""
        page = self.rita.page
        self.rita.go("/collect/console/invitations")
        page.get_by_label("Role").select_option(role)
        page.get_by_role("button", name="Make an invitation").click()
        link = page.locator("#invitation").inner_text()
        person = self.person()
        person.watch()
        person.register(link.rpartition("/")[2], name)
        return person

    def look(self, person: PersonInBrowser, name: str) -> None:
        """Take a picture in every view, and go back to the first."""
        for size, scheme in self.begun.views:
            self._see(person, size, scheme)
            person.look(f"{self.begun.shots}-{name}-{size}-{scheme}", whole=True)
        self._see(person, "wide", "light")

    def exported(self, folder: Path) -> Path:
        """The dataset, by the console's button."""
        self.rita.go("/collect/console")
        with self.rita.page.expect_download(timeout=120_000) as download:
            self.rita.page.get_by_role("button", name="Export the dataset").click()
        with ZipFile(download.value.path()) as archive:
            archive.extractall(folder)
        return folder

    def close(self) -> None:
        """Nothing has gone wrong that nobody saw."""
        for person in self.people:
            person.context.close()
            assert person.errors == []

    def _see(self, person: PersonInBrowser, size: str, scheme: str) -> None:
        width, height = SIZES[size]
        person.page.set_viewport_size({"width": width, "height": height})
        person.page.emulate_media(color_scheme=scheme)


@contextmanager
def walking(browser: Any, lacuna: Any, begun: Begun) -> Iterator[Walk]:
    """Make a project with a task, serve it, and let the requester in."""
    project = begun.folder / "project"
    given = [part for one in begun.settings.items() for part in ("--set", "{}={}".format(*one))]
    if begun.database:
        given += ["--database", begun.database]
    if begun.corpus:
        given += ["--corpus", str(write_linked_notes(begun.folder / "notes"))]
    ran = lacuna("collect", "init", project, "--task", begun.task, *given)
    assert ran.code == 0, ran.err
    link = re.search(r"\S+/collect/join/\S+", ran.out)
    assert link is not None
    with serving(project) as address:
        walk = Walk(browser, lacuna, begun, address, link[0])
        yield walk
        walk.close()


@contextmanager
def serving(project: Path) -> Iterator[str]:
    """The server as a program of its own."""
    command = [sys.executable, "-m", "lacuna", "collect", "serve", str(project), "--port", "0"]
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(filter(None, sys.path))}
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True, env=environment) as server:
        try:
            assert server.stdout is not None
            said = re.search(r"http://\S+(?=/collect/)", server.stdout.readline())
            assert said is not None
            yield said[0]
        finally:
            server.terminate()
