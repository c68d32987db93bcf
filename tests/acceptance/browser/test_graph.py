"""The graph: found, opened, locked, explained, followed by keyboard, taken back in time, a thousand tables."""

from __future__ import annotations

import json
import re
from pathlib import Path

from playwright.async_api import expect

from .conftest import Screen, state_of
from .told import NAMESPACE, TABLES

MOST_DRAWN = TABLES // 2


async def test_a_column_is_found_and_its_ways_are_locked(screen: Screen) -> None:
    await screen.open()
    await screen.page.keyboard.press("/")
    await screen.page.get_by_role("combobox").fill("fct_order_lines.net_eur")
    await screen.page.get_by_role("option").filter(has_text="fct_order_lines.net_eur").first.wait_for()
    await screen.page.keyboard.press("Enter")
    await screen.settled()

    await expect(screen.page.get_by_role("heading", level=1)).to_have_text("shop.marts.fct_order_lines")
    await expect(screen.row("fct_order_lines", "net_eur")).to_have_attribute("aria-pressed", "true")
    # Upstream to the raw data, two steps further than the graph around the table went.
    for table, column in (
        ("exchange_rates", "eur_per_unit"),
        ("stg_order_lines", "gross_amount"),
        ("order_lines", "vat_rate"),
    ):
        await expect(screen.row(table, column)).to_have_class(re.compile(r"\blit\b"))
    await expect(screen.row("sales_daily", "net_eur")).to_have_class(re.compile(r"\blit\b"))
    await expect(screen.box("stg_refunds")).to_have_class(re.compile(r"\bdim\b"))

    await screen.page.keyboard.press("Escape")
    await expect(screen.row("order_lines", "vat_rate")).to_have_count(0)
    assert "column" not in state_of(screen)


async def test_columns_are_closed_until_asked(screen: Screen) -> None:
    await screen.open(dataset=screen.in_shop("marts.sales_daily"))
    await screen.settled()
    await expect(screen.page.locator(".row")).to_have_count(0)
    head = screen.box("sales_daily").get_by_role("button", expanded=False)
    await head.click()

    await expect(screen.box("sales_daily").locator(".row")).to_have_count(13)
    await screen.box("sales_daily").get_by_role("button", name="more", exact=False).last.click()
    await expect(screen.box("sales_daily").locator(".row")).to_have_count(21)
    await screen.page.reload()
    await expect(screen.box("sales_daily").locator(".row")).to_have_count(21)
    await screen.page.go_back()
    await expect(screen.page.locator(".row")).to_have_count(0)


async def test_the_evidence_of_an_edge(screen: Screen) -> None:
    target = screen.in_shop("marts.fct_order_lines", "net_eur")
    await screen.open(dataset=screen.in_shop("marts.fct_order_lines"), column=target, panel=f"column|{target}")
    why = screen.drawer.get_by_role("link", name="Why: the evidence for shop.staging.stg_order_lines gross_amount")
    await why.click()

    await expect(screen.drawer.get_by_role("heading", level=2)).to_have_text("Why this edge")
    await expect(screen.drawer.locator("pre.sql").first).to_contain_text("gross_amount - vat_amount")
    await expect(screen.drawer.locator("mark").first).to_have_text("gross_amount")
    facts = screen.drawer.locator(".facts")
    for name in ("Job", "Run", "First seen", "Last seen", "Producer", "Event"):
        await expect(facts.locator("dt", has_text=name).first).to_be_visible()
    await expect(facts).to_contain_text("completed")
    await expect(facts).to_contain_text("models/marts/fct_order_lines.sql")  # the shop's copy is in no repository
    await screen.settled()
    await screen.shoot("edge")
    await screen.drawer.get_by_text("The event as it was sent").click()
    sent = json.loads(await screen.drawer.locator("pre.raw").inner_text())
    assert sent["eventType"] == "COMPLETE"
    assert sent["outputs"][0]["name"] == "shop.marts.fct_order_lines"


async def test_to_point_at_a_column_shows_its_ways_and_a_line_leads_to_its_evidence(screen: Screen) -> None:
    await screen.open(dataset=f"{NAMESPACE}|mart", open=f"{NAMESPACE}|mart")
    await screen.settled()
    await screen.row("mart", "z").hover()
    await expect(screen.box("report")).to_have_class(re.compile(r"\bdim\b"))
    await screen.page.get_by_role("heading", level=1).hover()
    await expect(screen.box("report")).not_to_have_class(re.compile(r"\bdim\b"))
    assert "column" not in state_of(screen)

    await screen.box("report").get_by_role("button", expanded=False).click()
    line = screen.page.locator(".line.direct")
    await expect(line).to_have_count(1)
    await line.locator(".target").dispatch_event("click")
    await expect(screen.drawer.get_by_role("heading", level=2)).to_have_text("Why this edge")
    await expect(screen.drawer.get_by_role("link", name="mart.x")).to_be_visible()


async def test_the_evidence_names_the_code_and_what_is_masked(screen: Screen) -> None:
    await screen.open(panel=f"edge|{NAMESPACE}|raw|c|{NAMESPACE}|mart|z")
    await expect(screen.drawer.get_by_text("masked", exact=True)).to_be_visible()
    await expect(screen.drawer.get_by_role("link", name="models/load.sql @ c0ffee")).to_be_visible()


async def test_the_way_back_in_time(screen: Screen) -> None:
    await screen.open(dataset=f"{NAMESPACE}|mart", open=f"{NAMESPACE}|mart")
    await expect(screen.row("mart", "z")).to_be_visible()
    await expect(screen.row("mart", "y")).to_have_count(0)

    slider = screen.page.get_by_role("slider", name="As of")
    await expect(screen.page.locator("#as-of-marks option")).to_have_count(2)
    await slider.focus()
    await slider.press("Home")
    await expect(screen.row("mart", "y")).to_be_visible()
    await expect(screen.row("mart", "z")).to_have_count(0)
    assert state_of(screen)["at"][0].startswith("2026-03-01T10:00")

    await screen.page.get_by_role("button", name="Now", exact=True).click()
    await expect(screen.row("mart", "z")).to_be_visible()


async def test_what_is_unresolved_says_why_and_what_decides_is_shown_on_demand(screen: Screen) -> None:
    await screen.open(dataset=f"{NAMESPACE}|mart", open=f"{NAMESPACE}|mart")
    unresolved = screen.row("mart", "w")
    await expect(unresolved).to_have_class(re.compile(r"\bhatched\b"))
    await expect(unresolved).to_have_accessible_name(re.compile(r"^w int , unresolved: [A-Z].+\., 0 upstream"))
    await expect(screen.page.locator(".line.indirect")).to_have_count(0)
    await screen.box("raw").get_by_role("button", expanded=False).click()
    await screen.page.get_by_label("Filters and joins").check()
    await expect(screen.page.locator(".line.indirect")).to_have_count(1)


async def test_an_address_holds_all_that_is_shown(screen: Screen) -> None:
    target = screen.in_shop("marts.sales_daily", "net_eur")
    state = {
        "dataset": screen.in_shop("marts.sales_daily"),
        "up": "2",
        "down": "0",
        "open": screen.in_shop("marts.sales_daily"),
        "column": target,
        "only": "1",
        "table": "1",
        "panel": f"column|{target}",
    }
    await screen.open(**state)
    await screen.settled()

    await expect(screen.page.get_by_role("group", name="Steps upstream").locator("output")).to_have_text("2")
    await expect(screen.row("sales_daily", "net_eur")).to_have_attribute("aria-pressed", "true")
    await expect(screen.box("stg_refunds")).to_have_count(0)
    await expect(screen.page.get_by_label("Only these")).to_be_checked()
    await expect(screen.page.get_by_role("region", name="The graph as a table").locator("tbody tr")).to_have_count(11)
    await expect(screen.drawer.get_by_role("heading", level=2)).to_have_text("Column")
    assert {name: values[0] for name, values in state_of(screen).items()} == state


async def test_the_graph_by_keyboard(screen: Screen) -> None:
    await screen.open(dataset=f"{NAMESPACE}|mart")
    await screen.settled()
    head = screen.box("mart").locator(".head-name")
    await head.focus()
    await screen.page.keyboard.press("Enter")
    await expect(head).to_have_attribute("aria-expanded", "true")
    await expect(screen.row("mart", "x")).to_be_visible()
    await screen.settled()
    await screen.page.keyboard.press("ArrowDown")
    await expect(screen.row("mart", "x")).to_be_focused()
    await screen.page.keyboard.press("ArrowRight")
    await expect(screen.box("report").locator(".head-name")).to_be_focused()
    await screen.page.keyboard.press("ArrowLeft")
    await screen.page.keyboard.press("ArrowDown")
    await expect(screen.row("mart", "x")).to_be_focused()
    await screen.page.keyboard.press("Enter")
    await expect(screen.row("mart", "x")).to_have_attribute("aria-pressed", "true")
    await expect(screen.drawer.get_by_role("heading", level=2)).to_be_focused()
    await screen.page.keyboard.press("Escape")
    await expect(screen.drawer).to_have_count(0)
    await screen.page.keyboard.press("Escape")
    await expect(screen.page.get_by_role("button", pressed=True)).to_have_count(0)


async def test_the_graph_grows_where_it_is_asked_to(screen: Screen) -> None:
    await screen.open(dataset=f"{NAMESPACE}|report")
    await screen.settled()
    await expect(screen.box("raw")).to_have_count(0)
    await screen.box("mart").locator(".head-name").focus()
    await screen.page.keyboard.press("[")
    await expect(screen.box("raw")).to_be_visible()
    await screen.box("mart").get_by_role("button", name="Take back the step upstream of mart").click()
    await expect(screen.box("raw")).to_have_count(0)


async def test_what_is_shown_as_files(screen: Screen, tmp_path: Path) -> None:
    await screen.open(dataset=f"{NAMESPACE}|mart", open=f"{NAMESPACE}|mart")
    await screen.settled()
    contents = {}
    for kind in ("SVG", "Mermaid", "JSON", "CSV"):
        await screen.page.get_by_text("Export", exact=True).click()
        async with screen.page.expect_download() as waiting:
            await screen.page.get_by_role("button", name=kind, exact=True).click()
        saved = await waiting.value
        await saved.save_as(tmp_path / kind)
        contents[kind] = (tmp_path / kind).read_text()

    assert contents["SVG"].startswith("<svg ")
    assert contents["Mermaid"].startswith("flowchart LR\n")
    edges = json.loads(contents["JSON"])["edges"]
    assert {(edge["sourceField"], edge["targetField"]) for edge in edges} == {("a", "x"), ("c", "z"), ("x", "x")}
    assert len(contents["CSV"].splitlines()) == 1 + len(edges)


async def test_a_thousand_tables_stay_usable(screen: Screen) -> None:
    await screen.open(dataset=f"{NAMESPACE}|t0", down="100")
    await screen.settled()
    await expect(screen.page.locator(".toolbar")).to_contain_text(f"{TABLES:,} tables")
    drawn = await screen.page.locator(".box").count()
    assert 0 < drawn < MOST_DRAWN

    await screen.box("t0").locator(".head-name").focus()
    for _ in range(4):
        await screen.page.keyboard.press("ArrowRight")
    deep = screen.page.locator(".head-name:focus")
    await expect(deep).to_be_visible()
    await screen.page.keyboard.press("Enter")
    await expect(screen.page.locator(".row")).to_have_count(1)
    await screen.settled()
    await screen.page.locator(".row").click()
    await screen.settled()
    await expect(screen.page.get_by_text("4 upstream", exact=False).first).to_be_visible()
    await screen.page.get_by_label("Only these").check()
    await expect(screen.page.locator(".canvas")).to_have_attribute(
        "aria-label", re.compile("Lineage graph, [0-9]{1,2} tables")
    )
