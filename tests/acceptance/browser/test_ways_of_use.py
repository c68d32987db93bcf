"""The graph in other hands: by Ctrl-K, by touch, on a narrow screen; without the worker that lays it out."""

from __future__ import annotations

import re
from collections.abc import AsyncIterator

import pytest
from playwright.async_api import Browser, Route, expect

from .conftest import WAIT_MS, Screen, opened
from .told import NAMESPACE

MART = f"{NAMESPACE}|mart"
NARROW = {"width": 360, "height": 740}


@pytest.fixture
async def phone(browser: Browser, filled: str) -> AsyncIterator[Screen]:
    """A fresh tab of a narrow screen that is touched."""
    async with opened(browser, filled, "", viewport=NARROW, has_touch=True, is_mobile=True) as screen:
        yield screen


async def is_as_wide_as_the_screen(screen: Screen) -> bool:
    """Whether nothing sticks out at the side, which would have to be scrolled to."""
    return bool(await screen.page.evaluate("document.documentElement.scrollWidth <= innerWidth"))


async def test_ctrl_k_leads_to_the_search_from_anywhere(screen: Screen) -> None:
    await screen.open(dataset=MART)
    await screen.settled()
    search, head = screen.page.get_by_role("combobox"), screen.box("mart").locator(".head-name")
    for key in ("Control+k", "Meta+k"):
        await head.focus()
        await expect(search).to_have_count(0)
        await screen.page.keyboard.press(key)
        await expect(search).to_be_focused()
        await screen.page.keyboard.press("Escape")
        await expect(head).to_be_focused()
    await screen.page.keyboard.press("Control+k")
    await screen.page.keyboard.type("sales_d")
    await screen.page.keyboard.press("Control+k")  # there already: nothing is lost
    await screen.page.keyboard.type("aily")
    await expect(search).to_have_value("sales_daily")
    await screen.page.get_by_role("option").filter(has_text="sales_daily").first.wait_for()


async def test_ctrl_k_right_after_esc_opens_the_search_anew(screen: Screen) -> None:
    """The browser says that a dialog is closed only in a later task."""
    await screen.open(dataset=MART)
    await screen.settled()
    await screen.box("mart").locator(".head-name").focus()
    await screen.page.keyboard.press("Control+k")
    search = screen.page.get_by_role("combobox")
    await expect(search).to_be_focused()
    await screen.page.evaluate(
        """async () => {
            const pressed = new KeyboardEvent("keydown", {key: "k", ctrlKey: true, bubbles: true, cancelable: true})
            document.querySelector("dialog").requestClose()
            document.body.dispatchEvent(pressed)
            await new Promise(requestAnimationFrame)
        }"""
    )
    await screen.page.keyboard.type("sales_d")
    await expect(search).to_have_value("sales_d")
    await screen.page.get_by_role("option").filter(has_text="sales_daily").first.wait_for()


async def test_what_is_typed_right_after_ctrl_k_is_searched_for(screen: Screen) -> None:
    await screen.open(dataset=MART)
    await screen.settled()
    await screen.box("mart").locator(".head-name").focus()
    focused = await screen.page.evaluate(
        """async () => {
            const pressed = new KeyboardEvent("keydown", {key: "k", ctrlKey: true, bubbles: true, cancelable: true})
            document.activeElement.dispatchEvent(pressed)
            await Promise.resolve()
            return document.activeElement.getAttribute("role")
        }"""
    )
    assert focused == "combobox"


async def test_a_column_is_locked_and_explained_by_touch(phone: Screen) -> None:
    await phone.open(dataset=MART)
    await phone.settled()
    await phone.box("mart").get_by_role("button", expanded=False).tap()
    await phone.settled()
    await phone.row("mart", "x").tap()
    await expect(phone.row("mart", "x")).to_have_attribute("aria-pressed", "true")
    await expect(phone.drawer.get_by_role("heading", level=2)).to_have_text("Column")
    assert await is_as_wide_as_the_screen(phone)
    await phone.drawer.get_by_role("link", name="Why: the evidence for raw a").tap()
    await expect(phone.drawer.get_by_role("heading", level=2)).to_have_text("Why this edge")
    assert await is_as_wide_as_the_screen(phone)
    await phone.drawer.get_by_role("button", name="Close").tap()
    await expect(phone.drawer).to_have_count(0)


@pytest.mark.parametrize(
    ("state", "seen"),
    [
        ({}, ".trouble li"),
        ({"dataset": MART, "open": MART, "table": "1"}, ".canvas[data-settled=true] .box"),
        ({"dataset": MART, "panel": f"dataset|{MART}"}, ".drawer .history li"),
        ({"view": "runs"}, "tbody tr"),
        ({"view": "unresolved"}, "tbody tr"),
        ({"view": "rejected"}, ".trouble li"),
        ({"search": "mart"}, "#hits li"),
    ],
    ids=["overview", "graph", "details", "runs", "unresolved", "rejected", "search"],
)
async def test_nothing_sticks_out_of_a_narrow_screen(phone: Screen, state: dict[str, str], seen: str) -> None:
    await phone.open(**state)
    await expect(phone.page.locator(seen).first).to_be_visible()
    await expect(phone.page.get_by_role("navigation")).to_be_visible()
    assert await is_as_wide_as_the_screen(phone)
    assert await phone.inspect() == []


async def test_without_its_worker_the_graph_is_there_all_the_same(screen: Screen) -> None:
    async def refuse(route: Route) -> None:
        await route.abort()

    await screen.page.route(re.compile(r"/worker[^/]*\.js$"), refuse)
    await screen.open(dataset=MART, open=MART)
    await screen.settled()
    await expect(screen.page.get_by_role("alert")).to_contain_text("laid out roughly")
    for table in ("raw", "mart", "report"):
        await expect(screen.box(table)).to_be_visible()
    places = [await screen.box(table).bounding_box() for table in ("raw", "mart", "report")]
    lefts = [place["x"] for place in places if place is not None]
    assert lefts == sorted(lefts)
    assert len(set(lefts)) == 3
    await expect(screen.page.get_by_role("region", name="The graph as a table").locator("tbody tr")).not_to_have_count(
        0
    )
    await screen.row("mart", "x").click()
    await expect(screen.row("mart", "x")).to_have_attribute("aria-pressed", "true", timeout=WAIT_MS)
    await screen.page.unroute(re.compile(r"/worker[^/]*\.js$"))
    screen.faults = [fault for fault in screen.faults if not fault.startswith("Failed to load resource")]
