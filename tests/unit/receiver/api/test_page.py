"""The page as it is served, and the receiver without one."""

from __future__ import annotations

import gzip
from pathlib import Path

import httpx
import pytest
from fastapi import FastAPI

from lineal_receiver.api.page import Page, build_router, read_page

BROWSER = {"Accept": "text/html,application/xhtml+xml,*/*;q=0.8"}
SCRIPT = b"console.log('lineal')"


@pytest.fixture
def bundle(tmp_path: Path) -> Path:
    assets = tmp_path / "assets"
    assets.mkdir()
    (tmp_path / "index.html").write_text('<script src="assets/main-AB12.js"></script>')
    (assets / "main-AB12.js").write_bytes(SCRIPT)
    (assets / "main-AB12.js.gz").write_bytes(gzip.compress(SCRIPT))
    return tmp_path


def ask(page: Page | None) -> httpx.AsyncClient:
    app = FastAPI()
    app.include_router(build_router(page))
    return httpx.AsyncClient(transport=httpx.ASGITransport(app), base_url="http://receiver")


async def test_the_page_may_load_only_what_comes_with_it(bundle: Path) -> None:
    async with ask(read_page(bundle)) as http:
        answer = await http.get("/?view=graph", headers=BROWSER)

    assert answer.text == '<script src="assets/main-AB12.js"></script>'
    assert answer.headers["cache-control"] == "no-cache"
    policy = answer.headers["content-security-policy"].split("; ")
    assert {"default-src 'none'", "script-src 'self'", "style-src 'self'", "connect-src 'self'"} <= set(policy)
    assert "unsafe" not in answer.headers["content-security-policy"]


@pytest.mark.parametrize(("accepted", "encoding"), [("gzip, br", "gzip"), ("identity", None)])
async def test_files_with_hashed_names_are_kept_for_good(bundle: Path, accepted: str, encoding: str | None) -> None:
    async with ask(read_page(bundle)) as http:
        answer = await http.get("/assets/main-AB12.js", headers={"Accept-Encoding": accepted})

    assert answer.content == SCRIPT
    assert answer.headers.get("content-encoding") == encoding
    assert answer.headers["content-type"] == "text/javascript; charset=utf-8"
    assert answer.headers["cache-control"] == "public, max-age=31536000, immutable"
    assert answer.headers["vary"] == "Accept-Encoding"


@pytest.mark.parametrize("name", ["main-OLD.js", "..%2Findex.html", "main-AB12.js.gz"])
async def test_no_other_file_is_sent(bundle: Path, name: str) -> None:
    async with ask(read_page(bundle)) as http:
        assert (await http.get(f"/assets/{name}")).status_code == 404


async def test_without_the_bundle_the_page_says_how_to_get_it(tmp_path: Path) -> None:
    page = read_page(tmp_path / "static")
    async with ask(page) as http:
        answer = await http.get("/", headers=BROWSER)

    assert page is None
    assert answer.status_code == 404
    assert answer.headers["content-type"] == "text/html; charset=utf-8"
    assert "python3 tools/build_page.py" in answer.text
    assert '<a href="docs">' in answer.text
