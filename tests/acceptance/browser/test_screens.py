"""The other screens: the first one, an empty store, runs, histories, what was refused, failures; and axe on all."""

from __future__ import annotations

import re

import pytest
from playwright.async_api import Route, expect

from .conftest import Screen, state_of
from .told import NAMESPACE

RUNS_A_PAGE = 50
EXPOSURES = ("crm_export", "fleet_billing", "management_dashboard", "reorder_list")


async def test_the_first_screen_says_what_failed_and_what_lies_behind_it(screen: Screen) -> None:
    await screen.open()
    trouble = screen.page.get_by_role("listitem").filter(has_text="division by zero in line 7")
    await expect(trouble).to_contain_text("failed")
    await expect(trouble).to_contain_text("Writes mart")
    await expect(trouble).to_contain_text("Downstream: 1 table, next report")
    await trouble.get_by_role("link", name="report").click()
    await screen.settled()
    await expect(screen.box("report")).to_have_class(re.compile(r"\btarget\b"))


async def test_a_run_its_tree_and_its_events(screen: Screen) -> None:
    await screen.open(panel="job|dbt|dbt-run-shop")
    await screen.drawer.get_by_role("table").get_by_role("link").first.click()
    await expect(screen.drawer.get_by_role("heading", level=2)).to_have_text("Run")
    await expect(screen.drawer.locator(".tree")).to_contain_text("dbt-run-shop")
    await screen.drawer.get_by_text(re.compile("completed runs")).click()
    await expect(screen.drawer.locator(".tree")).to_contain_text("fct_order_lines")
    await screen.drawer.get_by_role("link", name="COMPLETE", exact=True).click()
    await expect(screen.drawer.locator("pre.raw")).to_contain_text('"eventType": "COMPLETE"')


async def test_a_failed_run_says_what_went_wrong(screen: Screen) -> None:
    await screen.open()
    await screen.page.locator(".trouble").get_by_role("link", name="load", exact=True).click()
    await expect(screen.drawer.locator(".facts")).to_contain_text("failed")
    await expect(screen.drawer.locator(".error-text")).to_have_text("division by zero in line 7")

    await screen.drawer.get_by_role("link", name="nightly", exact=True).first.click()
    await expect(screen.drawer.locator(".title")).to_have_text("nightly")
    failed = screen.drawer.locator(".tree").get_by_role("listitem").filter(has_text="load").last
    await expect(failed).to_contain_text("failed")
    await expect(failed.locator(".error-text")).to_have_text("division by zero in line 7")
    assert await screen.inspect() == []


async def test_of_two_jobs_with_one_run_id_each_shows_its_own_run(screen: Screen) -> None:
    await screen.open(panel=f"job|{NAMESPACE}|load_again")
    await screen.drawer.get_by_role("table").get_by_role("link").click()
    facts = screen.drawer.locator(".facts > div")
    await expect(facts.filter(has_text="State")).to_contain_text("completed")
    await expect(screen.drawer.get_by_role("link", name="COMPLETE", exact=True)).to_have_count(1)
    await expect(screen.drawer.get_by_role("link", name="FAIL", exact=True)).to_have_count(0)

    await facts.filter(has_text="Same id").get_by_role("link", name="load", exact=True).click()
    await expect(facts.filter(has_text="State")).to_contain_text("failed")
    await expect(screen.drawer.get_by_role("link", name="FAIL", exact=True)).to_have_count(1)
    await expect(screen.drawer.get_by_role("link", name="COMPLETE", exact=True)).to_have_count(0)


async def test_the_address_holds_which_rows_of_a_list_are_shown(screen: Screen) -> None:
    await screen.open(view="runs")
    runs = screen.page.locator("tbody .run-id")
    await expect(runs).to_have_count(RUNS_A_PAGE)
    newest = str(await runs.first.get_attribute("title"))
    await screen.page.get_by_role("button", name="Older").click()
    await expect(runs.first).not_to_have_attribute("title", newest)
    older = str(await runs.first.get_attribute("title"))
    await screen.page.reload()
    await expect(runs.first).to_have_attribute("title", older)

    await screen.page.get_by_role("button", name="Failed").click()
    await expect(screen.page.locator("tbody tr")).to_have_count(1)
    await expect(screen.page.locator("tbody tr")).to_contain_text("failed")
    assert state_of(screen) == {"view": ["runs"], "which": ["failed"]}
    await screen.page.reload()
    await expect(runs).to_have_count(1)
    await screen.page.go_back()
    await expect(runs.first).to_have_attribute("title", older)
    await screen.page.get_by_role("button", name="Newer").click()
    await expect(runs.first).to_have_attribute("title", newest)

    await screen.open(view="unresolved", which="parser_error")
    await expect(screen.page.get_by_text("None for this reason.")).to_be_visible()
    await screen.page.get_by_role("button", name="All reasons").click()
    await expect(screen.page.get_by_role("row").filter(has_text="mart.w")).to_be_visible()


async def test_readers_behind_many_checks_are_listed(screen: Screen) -> None:
    await screen.open(panel=f"dataset|{screen.in_shop('staging.stg_orders')}")
    told = screen.drawer.locator("section").filter(has_text="What depends on it")
    await expect(told).to_contain_text(re.compile(r"4 consumers, [0-9]{2,} checks\."))
    listed = await told.get_by_role("link", name=re.compile("^exposure")).all_inner_texts()
    assert sorted(listed) == [f"exposure.shop.{name}.dev" for name in EXPOSURES]


async def test_how_a_schema_changed(screen: Screen) -> None:
    await screen.open(dataset=f"{NAMESPACE}|mart", panel=f"dataset|{NAMESPACE}|mart")
    newest = screen.drawer.locator(".history > li").first
    await expect(newest).to_contain_text("added z")
    await expect(newest).to_contain_text("lost y")
    await expect(newest).to_contain_text("x: INT became BIGINT")


async def test_what_was_refused_and_what_could_not_be_traced(screen: Screen) -> None:
    await screen.open(view="rejected")
    refused = screen.page.locator(".trouble > li").first
    await expect(refused).to_contain_text("/run")
    await refused.get_by_text("What was sent").click()
    await expect(refused.locator("pre")).to_contain_text('"name": "nameless"')

    await screen.page.get_by_role("link", name="Unresolved columns").click()
    await expect(screen.page.get_by_role("row").filter(has_text="mart.w")).to_be_visible()
    await expect(screen.page.get_by_text("Of 1 table more nothing was reported")).to_be_visible()


async def test_an_empty_store_says_how_to_send_the_first_event(screen: Screen, empty: str) -> None:
    await screen.page.goto(f"{empty}/")
    await expect(screen.page.get_by_role("heading", name="Nothing has arrived yet")).to_be_visible()
    await expect(screen.page.locator("pre").first).to_contain_text(f"export OPENLINEAGE_URL={empty}\n")
    assert await screen.inspect() == []


async def test_a_failing_api_is_told_and_can_be_asked_again(screen: Screen) -> None:
    async def refuse(route: Route) -> None:
        body = '{"title": "Service Unavailable", "status": 503, "detail": "PostgreSQL is away."}'
        await route.fulfill(status=503, content_type="application/problem+json", body=body)

    await screen.page.route("**/api/v2/attention?*", refuse)
    await screen.open()
    failure = screen.page.get_by_role("alert")
    await expect(failure).to_contain_text("Failed and open runs could not be loaded. PostgreSQL is away.")
    await expect(screen.page.locator(".counts")).to_contain_text("Column edges")
    await screen.page.unroute("**/api/v2/attention?*")
    await failure.get_by_role("button", name="Try again").click()
    await expect(screen.page.get_by_text("division by zero in line 7")).to_be_visible()
    await expect(failure).to_have_count(0)

    await screen.page.route("**/api/v2/lineage?*", lambda route: route.abort())
    await screen.open(dataset=f"{NAMESPACE}|mart")
    await expect(screen.page.get_by_role("alert").first).to_contain_text("The receiver does not answer.")
    screen.faults = [fault for fault in screen.faults if not fault.startswith("Failed to load resource")]


async def test_a_name_that_nobody_told_of(screen: Screen) -> None:
    await screen.open(dataset="nowhere|nothing")
    await expect(screen.page.get_by_role("alert").first).to_contain_text("The graph could not be loaded.")
    await expect(screen.page.get_by_role("navigation")).to_be_visible()
    screen.faults = [fault for fault in screen.faults if not fault.startswith("Failed to load resource")]


@pytest.mark.parametrize("theme", ["light", "dark"])
async def test_nothing_serious_stands_between_the_page_and_its_readers(screen: Screen, theme: str) -> None:
    await screen.open()
    for _ in range(1 if theme == "light" else 2):
        await screen.page.get_by_role("button", name=re.compile("^Colours")).click()
    await expect(screen.page.locator("html")).to_have_attribute("data-theme", theme)
    await expect(screen.page.get_by_text("division by zero in line 7")).to_be_visible()
    assert await screen.inspect() == []

    mart, column = f"{NAMESPACE}|mart", f"{NAMESPACE}|mart|x"
    for state in (
        {"dataset": mart, "open": mart, "rows": "1", "table": "1", "panel": f"dataset|{mart}"},
        {"dataset": mart, "open": mart, "column": column, "panel": f"column|{column}"},
        {
            "dataset": screen.in_shop("marts.sales_daily"),
            "up": "100",
            "column": screen.in_shop("marts.sales_daily", "net_eur"),
        },
    ):
        await screen.open(**state)
        await screen.settled()
        await expect(screen.page.get_by_text(re.compile("^Loading"))).to_have_count(0)
        assert await screen.inspect() == [], state
    if theme == "dark":
        await screen.shoot("graph-dark")

    for state, seen in (
        ({"view": "runs", "search": "net"}, "#hits li"),
        ({"view": "rejected"}, ".trouble li"),
        ({"view": "unresolved"}, "tbody tr"),
    ):
        await screen.open(**state)
        await expect(screen.page.locator(seen).first).to_be_visible()
        assert await screen.inspect() == [], state
