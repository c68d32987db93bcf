"""A real Chromium on a real receiver that holds the shop's build and a story; both once a module."""

from __future__ import annotations

import json
import os
import shutil
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from datetime import datetime, timezone
from pathlib import Path
from typing import Any
from urllib.parse import parse_qs, urlencode, urlsplit, urlunsplit

import asyncpg
import pytest
from playwright.async_api import Browser, Locator, Page, async_playwright, expect

from lineal_receiver.api.page import STATIC

from ..real_receiver import receiver
from .told import many, send, send_refused, story

WAIT_MS = 60_000
PROGRAMS = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable")
NO_CHROMIUM = (
    "no Chromium: apt-get install chromium (or another package that brings one of: " + ", ".join(PROGRAMS) + ")"
)
NO_PAGE = "the page isn't built, or axe-core isn't there: python3 tools/build_page.py --dev"
AXE = Path(__file__).parents[3] / "receiver" / "ui" / "node_modules" / "axe-core" / "axe.min.js"


def find_program() -> str | None:
    return next((path for name in PROGRAMS if (path := shutil.which(name))), None)


def find_missing() -> str | None:
    """What these tests need and don't find here, in a sentence with the command that brings it."""
    if find_program() is None:
        return NO_CHROMIUM
    return None if STATIC.is_dir() and AXE.is_file() else NO_PAGE


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Skip them where something is missing, unless LINEAL_BROWSER=required: CI must not pass without them."""
    missing = find_missing()
    if missing is None or os.environ.get("LINEAL_BROWSER") == "required":
        return
    for item in items:
        if item.path.is_relative_to(Path(__file__).parent):
            item.add_marker(pytest.mark.skip(missing))


@dataclass
class Screen:
    """One tab, and what went wrong in it."""

    page: Page
    url: str
    shop: str
    faults: list[str] = field(default_factory=list)

    async def open(self, **state: str) -> None:
        await self.page.goto(f"{self.url}/?{urlencode(state)}")

    async def settled(self) -> None:
        """Until the graph shows what was asked for."""
        await expect(self.page.locator(".canvas[data-settled=true] .box").first).to_be_visible()

    def box(self, name: str) -> Locator:
        """The box of a table, by the last part of its name."""
        return self.page.get_by_role("group", name=f"{name}, table", exact=True)

    def row(self, table: str, column: str) -> Locator:
        return self.box(table).locator(".row").filter(has=self.page.locator(f'.field:text-is("{column}")'))

    @property
    def drawer(self) -> Locator:
        return self.page.get_by_role("complementary")

    def in_shop(self, name: str, column: str | None = None) -> str:
        """A table or column of the shop as the address writes it."""
        return "|".join([self.shop, f"shop.{name}", *([column] if column else [])])

    async def inspect(self) -> list[str]:
        """What axe finds that is serious, as sentences."""
        await self.page.evaluate(AXE.read_text(encoding="utf-8"))
        found: dict[str, Any] = await self.page.evaluate("axe.run(document, {resultTypes: ['violations']})")
        return [
            f"{one['id']}: {one['help']}: {[node['html'][:160] for node in one['nodes'][:3]]}"
            for one in found["violations"]
            if one["impact"] in ("serious", "critical")
        ]

    async def shoot(self, name: str) -> None:
        """A picture for the documents, only where LINEAL_SHOTS names the folder."""
        if folder := os.environ.get("LINEAL_SHOTS"):
            await self.page.screenshot(path=Path(folder) / f"{name}.png")


def state_of(screen: Screen) -> dict[str, list[str]]:
    """What the address of a tab says."""
    return parse_qs(urlsplit(screen.page.url).query)


@pytest.fixture(scope="module")
async def browser() -> AsyncIterator[Browser]:
    missing = find_missing()
    if missing is not None:
        pytest.fail(missing)
    async with async_playwright() as playwright:
        expect.set_options(timeout=WAIT_MS)
        # Without its sandbox, which root may not use; with loopback never through a proxy.
        arguments = ["--no-sandbox", "--disable-dev-shm-usage", "--proxy-bypass-list=<-loopback>", "--no-proxy-server"]
        chromium = await playwright.chromium.launch(executable_path=find_program(), args=arguments, timeout=WAIT_MS)
        yield chromium
        await chromium.close()


@pytest.fixture(scope="module")
async def database(server_url: str, template: str) -> AsyncIterator[str]:
    connection = await asyncpg.connect(server_url)
    await connection.execute(f'create database lineal_page template "{template}"')
    yield urlunsplit(urlsplit(server_url)._replace(path="/lineal_page"))
    await connection.execute("drop database lineal_page with (force)")
    await connection.close()


@pytest.fixture(scope="module")
def filled(browser: Browser, database: str, shop: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """The address of a receiver that was told of the shop's build and the story."""
    with receiver(database, tmp_path_factory.mktemp("page") / "receiver.log") as url:
        send(url, [json.loads(line) for line in (shop / "events.ndjson").read_bytes().splitlines()])
        send(url, story(datetime.now(timezone.utc)))
        send(url, many())
        send_refused(url)
        yield url


@pytest.fixture
async def empty(browser: Browser, database_url: str, tmp_path: Path) -> AsyncIterator[str]:
    """The address of a receiver that was told nothing."""
    with receiver(database_url, tmp_path / "receiver.log") as url:
        yield url


@asynccontextmanager
async def opened(browser: Browser, url: str, shop: str, **device: Any) -> AsyncIterator[Screen]:
    """A fresh tab of a device; afterwards nothing must have gone wrong in it, nor anything been said to the console."""
    context = await browser.new_context(**{"reduced_motion": "reduce", "locale": "en-GB", **device})
    context.set_default_timeout(WAIT_MS)
    page = await context.new_page()
    screen = Screen(page, url, shop)
    page.on("console", lambda said: screen.faults.append(said.text))
    page.on("pageerror", lambda error: screen.faults.append(str(error)))
    yield screen
    await context.close()
    assert screen.faults == []


@pytest.fixture
async def screen(browser: Browser, filled: str, shop: Path) -> AsyncIterator[Screen]:
    """A fresh tab as wide as a desk's."""
    name = f"duckdb://{(shop / 'data' / 'shop.duckdb').resolve()}"
    async with opened(browser, filled, name, viewport={"width": 1280, "height": 760}) as screen:
        yield screen
