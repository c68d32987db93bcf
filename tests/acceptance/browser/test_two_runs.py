"""What changed between two runs, as the page shows it."""

from __future__ import annotations

from uuid import UUID

from playwright.async_api import Page, expect

from .conftest import Screen, state_of
from .told import NAMESPACE

FIRST, SECOND, NIGHTLY, NOBODY = (str(UUID(int=run, version=4)) for run in (1, 3, 6, 404))


async def changes(page: Page, part: str) -> list[str]:
    """The rows of a part, each as a line without its sign."""
    rows = page.get_by_role("region", name=part, exact=True).locator("tbody tr")
    return [" ".join((await row.inner_text()).split()[1:]) for row in await rows.all()]


COLUMNS = ["came mart.w INT", "came mart.z VARCHAR", "went mart.y INT", "changed mart.x type INT became BIGINT"]


async def test_from_a_run_to_what_another_says_otherwise(screen: Screen) -> None:
    page = screen.page
    await screen.open(panel=f"run|{SECOND}|{NAMESPACE}|load")
    await screen.drawer.get_by_role("link", name="Compare with another run").click()
    await expect(page.get_by_role("heading", level=1)).to_have_text("What changed between two runs")
    others = page.locator("section").filter(has_text="Compare this run of load with").get_by_role("listitem")
    await expect(others).to_have_count(2)
    await expect(others.first).to_contain_text("failed")
    await others.last.get_by_role("link").first.click()
    await expect(page.get_by_role("region", name="Columns", exact=True)).to_be_visible()
    assert state_of(screen) == {"view": ["diff"], "from-run": [FIRST], "to-run": [SECOND]}
    assert await changes(page, "Columns") == COLUMNS
    assert await changes(page, "Column edges") == [
        "came raw.b mart.x filter (indirect)",
        "came raw.c mart.z transformation, masked sha256(c)",
        "went raw.b mart.y identity",
    ]
    await expect(page.get_by_role("region", name="Tables", exact=True)).to_have_count(0)
    assert await screen.inspect() == []

    await page.reload()
    await expect(page.get_by_role("region", name="Columns", exact=True)).to_be_visible()
    assert await changes(page, "Columns") == COLUMNS
    await page.get_by_role("button", name="Swap").click()
    await expect(page.get_by_role("region", name="Columns", exact=True)).to_contain_text("BIGINT became INT")
    await page.go_back()
    await expect(page.get_by_role("region", name="Columns", exact=True)).to_contain_text("INT became BIGINT")
    await page.get_by_role("link", name="mart.z").first.click()
    await screen.settled()
    assert state_of(screen)["column"] == [f"{NAMESPACE}|mart|z"]


async def test_by_keyboard_and_what_there_is_nothing_to_say_of(screen: Screen) -> None:
    page = screen.page
    await screen.open(view="runs")
    await page.get_by_role("link", name="Compare two").press("Enter")
    await expect(page.get_by_text("Give the ids of two runs")).to_be_visible()
    assert await screen.inspect() == []
    await page.get_by_label("From run").fill(SECOND)
    await page.keyboard.press("Tab")
    await page.keyboard.insert_text(SECOND)
    await page.keyboard.press("Enter")
    await expect(page.get_by_text("Nothing changed: both runs say the same")).to_be_visible()

    await screen.open(view="diff", **{"to-run": NIGHTLY})
    await expect(page.get_by_text("No other run of this job is known.")).to_be_visible()
    await screen.open(view="diff", **{"to-run": NOBODY})
    await expect(page.get_by_text(f"No event has named a run {NOBODY}.")).to_be_visible()
    await screen.open(view="diff", **{"from-run": FIRST, "to-run": NIGHTLY})
    await expect(page.get_by_role("region", name="Tables", exact=True)).to_contain_text("went")


async def test_a_run_that_nobody_named_and_a_failing_api_are_told(screen: Screen) -> None:
    page = screen.page
    await screen.open(view="diff", **{"from-run": FIRST, "to-run": NOBODY})
    failure = page.get_by_role("alert")
    await expect(failure).to_contain_text(f"What changed could not be loaded. No event has named a run '{NOBODY}'.")
    await page.get_by_label("to run").fill(SECOND)
    await page.route("**/api/v2/diff?*", lambda route: route.abort())
    await page.get_by_role("button", name="Compare").click()
    await expect(failure).to_contain_text("The receiver does not answer.")
    await page.unroute("**/api/v2/diff?*")
    await failure.get_by_role("button", name="Try again").click()
    await expect(page.get_by_role("region", name="Columns", exact=True)).to_be_visible()
    await expect(failure).to_have_count(0)
    screen.faults = [fault for fault in screen.faults if not fault.startswith("Failed to load resource")]
