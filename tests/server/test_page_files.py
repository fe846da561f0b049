"""The files of the page: what never changes at its address is asked for once."""

from __future__ import annotations

import re

import pytest
from stand_in import Site

NAMED = re.compile(r'(?:href|src)="(/static/[^"]+)"')


@pytest.mark.parametrize("page", ["/", "/docs", "/status"])
def test_every_file_of_a_page_is_kept_and_the_page_itself_is_not(site: Site, page: str) -> None:
    got = site.client.get(page)
    assert got.headers["cache-control"] == "no-cache"
    named = NAMED.findall(got.text)
    assert len(named) > 4
    for address in set(named):
        file = site.client.get(address)
        assert file.status_code == 200, address
        assert file.headers["cache-control"] == "private, max-age=31536000, immutable"
        assert file.headers["content-security-policy"]


def test_no_module_waits_until_another_was_read(site: Site) -> None:
    text = site.client.get("/").text
    ahead = re.findall(r'<link rel="modulepreload" href="(/static/[0-9a-f]{16}/js/)([\w-]+)', text)
    (folder,) = {folder for folder, _ in ahead}
    known = {f"{name}.js" for _, name in ahead}
    assert {"main.js", "dom.js", "api.js"} <= known
    assert "docs.js" not in known
    for name in known:
        script = site.client.get(folder + name).text
        assert set(re.findall(r'^import [^;]*?from "\./([\w-]+\.js)"', script, re.M)) <= known


def test_another_version_and_none_are_asked_for_anew(site: Site) -> None:
    for address in ("/static/js/main.js", f"/static/{'0' * 16}/js/main.js"):
        got = site.client.get(address)
        assert (got.status_code, got.headers["cache-control"]) == (200, "no-cache")
    assert site.client.get(f"/static/{'0' * 16}/js/none.js").status_code == 404
    assert site.client.get(f"/static/{'0' * 16}/../../security.py").status_code == 404
