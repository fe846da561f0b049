"""The collecting server over a stand-in task, and clients that are logged in."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

from fastapi.testclient import TestClient
from set_clock import SetClock
from stand_in_family import ColourFamily

from lacuna.web.access import AllowedHosts
from lacuna_collect.people.accounts import CollectRole
from lacuna_collect.project import CollectProject, read_project_file, write_project_file
from lacuna_collect.web.app import app_of_project

API = "/collect/api"
PASSWORD = "a long enough password"
TASK = "iirc-questions"


class CollectSite:
    """A project with its app."""

    def __init__(self, folder: Path) -> None:
        family: Any = ColourFamily()
        self.time = SetClock()
        notes = folder / "notes"
        notes.mkdir()
        (notes / "Red.md").write_text("# Red\n\nRed is a colour.\n", encoding="utf-8")
        made = folder / "project"
        CollectProject.create(made, family, notes).close()
        file = read_project_file(made)
        crowd = replace(file.crowd, completion_code="CODE1")
        write_project_file(made, replace(file, crowd=crowd))
        self.project = CollectProject.open(made, family=family, clock=self.time.clock)
        self.project.make_items()
        self.app = app_of_project(
            self.project, hosts=AllowedHosts(), open_reader=lambda: lambda part: f"about {part}"
        )

    def invite(self, role: str = "worker") -> str:
        return self.project.accounts.invitations.invite(CollectRole(role))

    def client(self) -> TestClient:
        return TestClient(self.app, base_url="http://localhost", raise_server_exceptions=False)

    def person(self, role: str, name: str) -> SitePerson:
        client = self.client()
        given = {"invitation": self.invite(role), "name": name, "password": PASSWORD}
        got = client.post(f"{API}/register", json=given)
        assert got.status_code == 200, got.text
        return SitePerson(client, got.json())

    def close(self) -> None:
        self.project.close()


class SitePerson:
    """Somebody in a browser: cookies, and the secret of the session."""

    def __init__(self, client: TestClient, session: dict[str, Any]) -> None:
        self.client = client
        self.id = session["person"]["id"]
        self.headers = {"X-Lacuna-CSRF": session["csrf"]}
        self.seen: list[str] = []
        """All that the server has ever sent."""

    def call(self, method: str, path: str, body: Any = None, **options: Any) -> Any:
        options.setdefault("headers", self.headers)
        got = self.client.request(method, f"{API}/{path}", json=body, **options)
        self.seen.append(got.text + str(got.headers))
        return got

    def get(self, path: str) -> Any:
        got = self.call("GET", path)
        assert got.status_code == 200, got.text
        return got.json()

    def post(self, path: str, body: Any = None) -> Any:
        got = self.call("POST", path, body or {})
        assert got.status_code == 200, got.text
        return got.json()

    def refused(self, method: str, path: str, body: Any = None) -> tuple[int, dict[str, Any]]:
        got = self.call(method, path, body)
        assert got.status_code >= 400, got.text
        return got.status_code, got.json()

    def next(self) -> int:
        return int(self.post(f"tasks/{TASK}/next")["assignment"])

    def submit(self, assignment: int, colour: str = "red", key: str = "k") -> Any:
        body = {"work": {"colour": colour}, "key": key, "seconds": 3}
        return self.post(f"work/{assignment}/submit", body)

    def save(self, assignment: int, draft: Any, version: int) -> Any:
        body = {"draft": draft, "version": version, "seconds": 1}
        return self.call("PUT", f"work/{assignment}/draft", body)

    def pass_test(self) -> None:
        assert "passed" in self.submit(self.next())["message"]
