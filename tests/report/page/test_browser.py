"""The page in a real Chromium, from a file, offline."""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, Page
from tests.report.page.chromium import launched, opened
from tests.report.page.pages import ROWS, SLICED, Given, page_of, transcript, usual, written


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    with launched() as one:
        yield one


@pytest.fixture(scope="module")
def usual_page(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return written(tmp_path_factory.mktemp("page"), page_of(usual()))


PAPER = 720
"""Pixels across a sheet of A4 between its margins."""


def findings(page: Page) -> int:
    return page.locator("#list > li").count()


def counted(page: Page) -> str:
    return page.locator("#count").inner_text().split(" of ")[0]


@pytest.mark.parametrize("theme", ["light", "dark"])
@pytest.mark.parametrize("width", [420, 1280])
def test_it_fits_its_width_in_both_themes(
    browser: Browser, usual_page: Path, width: int, theme: str
) -> None:
    with opened(browser, usual_page, width=width, theme=theme) as shown:
        wide = shown.page.evaluate("document.documentElement.scrollWidth")
        ground = shown.page.evaluate("getComputedStyle(document.body).backgroundColor")
        sections = shown.page.locator("main > section").count()

    assert wide <= width
    assert (sum(map(int, ground.strip("rgb()").split(","))) > 380) is (theme == "light")
    assert sections == 8


def test_the_switch_goes_round_the_themes(browser: Browser, usual_page: Path) -> None:
    with opened(browser, usual_page, theme="dark") as shown:
        switch, seen = shown.page.locator("#theme"), []
        for _ in range(3):
            switch.click()
            ground = shown.page.evaluate("getComputedStyle(document.body).backgroundColor")
            seen.append((switch.inner_text(), ground))

    assert [name for name, _ in seen] == ["Theme: light", "Theme: dark", "Theme: system"]
    assert seen[0][1] != seen[1][1] == seen[2][1]


def test_filters_change_the_list_the_counts_and_the_address(
    browser: Browser, usual_page: Path
) -> None:
    with opened(browser, usual_page) as shown:
        page = shown.page
        everything = int(counted(page))
        page.select_option("#filter-check", "cut-to-empty")
        few = int(counted(page))
        tools = page.locator("#filter-tool option").all_inner_texts()
        address = page.evaluate("location.hash")
        page.locator("#clear").click()
        again = int(counted(page))

    assert everything == again > few == 12
    assert tools == ["all (12)", "search (12)"]
    assert address == "#check=cut-to-empty"


def test_free_text_finds_a_session(browser: Browser, usual_page: Path) -> None:
    with opened(browser, usual_page) as shown:
        shown.page.fill("#filter-q", "tuesday")
        shown.page.wait_for_url(lambda url: url.endswith("#q=tuesday"))
        sessions = shown.page.locator("#filter-session option").all_inner_texts()

    assert len(sessions) == 2
    assert sessions[1].startswith("tuesday")


def test_a_view_is_opened_by_its_address(browser: Browser, usual_page: Path) -> None:
    with opened(browser, usual_page, fragment="#check=silent-cut&session=tuesday") as shown:
        count, chosen = counted(shown.page), shown.page.input_value("#filter-session")

    assert (count, chosen) == ("1", "tuesday")


def test_a_finding_opens_with_both_texts_and_the_lost_part_marked(
    browser: Browser, usual_page: Path
) -> None:
    with opened(browser, usual_page, fragment="#check=silent-cut") as shown:
        shown.page.locator("#list summary").first.click()
        inside = shown.page.locator("#list details[open] .inside")
        lost = inside.locator("del").all_inner_texts()
        words = inside.inner_text()
        address = shown.page.evaluate("location.hash")

    assert lost
    assert all(one in ROWS and one not in SLICED for one in lost)
    assert "characters that were lost, not shown" in words
    assert f"{len(ROWS) - 6000:,}".replace(",", "\u2009") + " characters lost here" in words
    assert "monday-0.jsonl:3" in words
    assert "open=" in address


def test_everything_is_done_by_the_keyboard(browser: Browser, usual_page: Path) -> None:
    with opened(browser, usual_page) as shown:
        page = shown.page
        keys = page.keyboard
        keys.press("Tab")
        skip = page.evaluate("document.activeElement.textContent")
        keys.press("Enter")
        keys.press("/")
        keys.type("tuesday")
        page.wait_for_url(lambda url: url.endswith("#q=tuesday"))
        for _ in range(2):  # the button that clears, then the list
            keys.press("Tab")
        keys.press("ArrowDown")
        keys.press("ArrowUp")
        keys.press("Enter")
        page.wait_for_selector("#list details[open] .inside")
        is_open = page.locator("#list details[open]").count()
        outline = page.evaluate("getComputedStyle(document.activeElement).outlineStyle")
        keys.press("Escape")
        page.wait_for_selector("#list details[open]", state="detached")
        focused = page.evaluate("document.activeElement.tagName")

    assert skip == "Skip to the findings"
    assert (is_open, outline, focused) == (1, "solid", "SUMMARY")


def test_pages_of_findings_are_turned(browser: Browser, usual_page: Path) -> None:
    with opened(browser, usual_page) as shown:
        page = shown.page
        first = page.locator("#list > li").all_inner_texts()
        page.locator("#next").click()
        second = page.locator("#list > li").all_inner_texts()
        address = page.evaluate("location.hash")

    assert len(first) == 25
    assert 0 < len(second) <= 25
    assert address == "#page=2"


def test_a_table_sorts_by_its_figures(browser: Browser, usual_page: Path) -> None:
    with opened(browser, usual_page) as shown:
        page = shown.page
        table = page.locator("#arrival table").first
        head = table.locator("thead button", has_text="Calls")
        orders = []
        for _ in range(2):
            head.click()
            orders.append([int(one) for one in table.locator("td:nth-child(4)").all_inner_texts()])
        said = table.locator("th[aria-sort]").get_attribute("aria-sort")

    assert orders[0] == sorted(orders[0], reverse=True) != orders[1] == sorted(orders[1])
    assert said == "ascending"


def test_a_tool_and_a_session_are_chosen(browser: Browser, usual_page: Path) -> None:
    with opened(browser, usual_page) as shown:
        page = shown.page
        page.select_option("#length-tool", index=1)
        drawn = page.locator("#lengths svg:visible").count()
        page.select_option("#session-pick", label="tuesday")
        label = page.locator("#session-chart svg").get_attribute("aria-label") or ""

    assert drawn == 1
    assert label.startswith("tuesday: 4 turns")


HOSTILE = (
    "</script><script>document.title='taken'</script><img src=x onerror=\"document.title='taken'\">"
    "<!--<script> \u202etxt.exe \u2066 \x00\x1b[31m\ud800 ]]> & &amp; \u2028 {{7*7}}"
)


def hostile(folder: Path) -> Path:
    made = json.dumps([{"id": n, "text": HOSTILE + str(n)} for n in range(80)], ensure_ascii=False)
    given = made.removesuffix(made[900:])
    session = transcript(HOSTILE, [Given(produced=made, delivered=given, tool=HOSTILE)])
    text = page_of([session], title=HOSTILE, passed_over=[HOSTILE])
    return written(folder, text)


def test_what_others_wrote_is_shown_and_never_run(browser: Browser, tmp_path: Path) -> None:
    with opened(browser, hostile(tmp_path)) as shown:
        page = shown.page
        page.locator("#list summary").first.click()
        title = page.title()
        scripts = page.locator("script").count()
        images = page.locator("img").count()
        words = page.locator("#list").inner_text()
        body = page.evaluate("document.body.textContent")

    assert title.startswith("</script>")
    assert (scripts, images) == (2, 0)
    assert "</script><script>" in words
    assert "⟨U+202E⟩txt.exe" in words
    assert "\u202e" not in body
    assert "\x1b" not in body


def test_a_page_without_anything_opens(browser: Browser, tmp_path: Path) -> None:
    with opened(browser, written(tmp_path, page_of([]))) as shown:
        words = shown.page.locator("#main").inner_text()

    assert "No tool result was found" in words
    assert "No check found a fault" in words


def test_without_scripts_the_figures_are_there(browser: Browser, usual_page: Path) -> None:
    context = browser.new_context(java_script_enabled=False, offline=True)
    page = context.new_page()
    page.goto(usual_page.absolute().as_uri())
    words = page.locator("#findings").inner_text()
    shown = page.locator(".flow svg").first.is_visible()
    filters = page.locator("#filters").is_visible()
    context.close()

    assert shown
    assert not filters
    assert "silent-cut" in words
    assert "needs JavaScript" in words


def test_it_prints_without_what_only_works_on_a_screen(browser: Browser, usual_page: Path) -> None:
    with opened(browser, usual_page, width=PAPER, theme="dark") as shown:
        shown.page.emulate_media(media="print")
        ground = shown.page.evaluate("getComputedStyle(document.body).backgroundColor")
        wide = shown.page.evaluate(
            "[...document.querySelectorAll('table')].map((one) => one.offsetWidth)"
        )
        hidden = [shown.page.locator(one).is_visible() for one in (".top", "#filters", ".pager")]
        printed = shown.page.pdf()

    assert ground == "rgb(251, 251, 249)"
    assert hidden == [False, False, False]
    assert max(wide) <= PAPER
    assert printed.startswith(b"%PDF")


CHECK: str = """() => {
  const faults = [];
  const named = (one) => one.getAttribute("aria-label") || one.textContent.trim() ||
    (one.labels && one.labels.length && one.labels[0].textContent.trim());
  for (const one of document.querySelectorAll("button, a, select, input, summary"))
    if (!named(one)) faults.push("no name: " + one.outerHTML);
  for (const one of document.querySelectorAll("svg"))
    if (one.getAttribute("aria-hidden") !== "true" &&
        !(one.getAttribute("role") === "img" && one.getAttribute("aria-label")))
      faults.push("no text for a drawing: " + one.outerHTML.slice(0, 80));
  const ids = [...document.querySelectorAll("[id]")].map((one) => one.id);
  if (new Set(ids).size !== ids.length) faults.push("an id twice");
  for (const one of document.querySelectorAll("[aria-labelledby]"))
    if (!document.getElementById(one.getAttribute("aria-labelledby"))) faults.push("no label");
  for (const one of document.querySelectorAll("th")) if (!one.scope) faults.push("no scope");
  for (const one of document.querySelectorAll("table")) if (!one.caption) faults.push("no caption");
  const heads = [...document.querySelectorAll("h1, h2, h3, h4")];
  const levels = heads.map((one) => Number(one.tagName[1]));
  levels.forEach((one, at) => {
    if (at && one > levels[at - 1] + 1) faults.push("a level left out before " + one);
  });
  if (levels[0] !== 1 || levels.filter((one) => one === 1).length !== 1) faults.push("not one h1");
  if (!document.documentElement.lang || !document.title) faults.push("no language or title");
  for (const one of document.querySelectorAll("[style], [onclick], script[src], link[href]"))
    faults.push("what the policy forbids: " + one.outerHTML.slice(0, 80));
  return faults;
}"""


def test_every_control_and_drawing_has_a_name(browser: Browser, usual_page: Path) -> None:
    with opened(browser, usual_page) as shown:
        shown.page.locator("#list summary").first.click()
        faults: list[Any] = shown.page.evaluate(CHECK)

    assert faults == []


def test_ten_thousand_findings_open_and_filter(browser: Browser, tmp_path: Path) -> None:
    rows = json.dumps([{"id": number, "note": "n" * 9} for number in range(12)])
    sliced = rows.removesuffix(rows[200:])
    results = [Given(produced=rows, delivered=sliced)] * 5
    text = page_of([transcript(f"s{number:04d}", results) for number in range(1000)])
    path = written(tmp_path, text)

    assert path.stat().st_size < 3_000_000
    with opened(browser, path) as shown:
        total = counted(shown.page)
        shown.page.select_option("#filter-check", "silent-cut")
        few, listed = counted(shown.page), findings(shown.page)

    assert total == "12\u2009000"
    assert few == "5\u2009000"
    assert listed == 25
