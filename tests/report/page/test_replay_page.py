"""The page of a replay in a real Chromium, offline."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser
from tests.policies.recordings import Row, in_lines, rows
from tests.report.page.chromium import launched, opened
from tests.report.page.pages import written

from ullage import replay
from ullage.report.page.replay import replay_page


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    with launched() as one:
        yield one


def page(path: Path) -> str:
    found = replay(path, policies=["prefix:6000", "records:6000"], workers=1, tokens=False)
    return replay_page(found, title="A replay", made="Made by a test.")


@pytest.fixture(scope="module")
def usual(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("replay")
    return written(folder, page(in_lines(folder / "results.jsonl", rows(3, 3))))


@pytest.mark.parametrize("theme", ["light", "dark"])
@pytest.mark.parametrize("width", [375, 1280])
def test_it_fits_its_width_in_both_themes(
    browser: Browser, usual: Path, width: int, theme: str
) -> None:
    with opened(browser, usual, width=width, theme=theme) as shown:
        assert shown.page.evaluate("document.documentElement.scrollWidth") <= width
        assert shown.page.locator("main > section").count() == 5


def test_there_is_a_picture_for_each_part_under_each_policy(browser: Browser, usual: Path) -> None:
    with opened(browser, usual) as shown:
        titles = shown.page.locator("#position h3").all_inner_texts()
        names = shown.page.locator("#position ul").first.locator("b").all_inner_texts()
        pictures = shown.page.get_by_role("img").evaluate_all(
            "all => all.map(one => one.getAttribute('aria-label'))"
        )

    assert titles == ["listing $.late_list", "listing $.early_list", "log $"]
    assert names == ["prefix:6000", "records:6000"]
    late = [one for one in pictures if "$.late_list" in one]
    assert late[0].endswith("by tenths " + ", ".join(["0 %"] * 10))
    assert "0 %," not in late[1].split("by tenths")[1].split(", ")


def test_policies_stand_side_by_side_on_a_telephone(browser: Browser, usual: Path) -> None:
    with opened(browser, usual, width=375) as shown:
        first, second = (
            shown.page.locator("#position ul").first.locator("li").nth(at).bounding_box()
            for at in (0, 1)
        )

    assert first is not None
    assert second is not None
    assert first["y"] == second["y"]
    assert first["x"] + first["width"] < second["x"]


def test_a_bar_goes_to_the_side_of_the_policy_that_delivers_more(
    browser: Browser, usual: Path
) -> None:
    with opened(browser, usual) as shown:
        rows = shown.page.locator("#difference tbody tr")
        drawn = {
            text: bar.get_attribute("class")
            for row in rows.all()
            for text in [row.locator("th").inner_text().replace("\n", " ")]
            for bar in [row.locator("rect").nth(1)]
        }

    assert drawn["listing $.late_list"] == "kept"
    assert drawn["listing $.early_list"] == "lost"


def test_a_table_sorts_by_its_figures(browser: Browser, usual: Path) -> None:
    with opened(browser, usual) as shown:
        table = shown.page.locator("#difference table")
        table.get_by_role("button", name="Points").click()
        cells = table.locator("tbody td:nth-child(2)").evaluate_all(
            "all => all.map(one => Number(one.dataset.by))"
        )

    assert len(cells) > 2
    assert cells == sorted(cells, reverse=True)


def test_a_hostile_name_is_shown_and_not_obeyed(browser: Browser, tmp_path: Path) -> None:
    name = '<img src=x onerror="document.title=1"><script>document.title=2</script>'
    path = in_lines(tmp_path / "bad.jsonl", iter([Row("a", name, "x" * 9000)]))
    with opened(browser, written(tmp_path, page(path))) as shown:
        assert shown.page.title() == "A replay"
        assert shown.page.locator("main").inner_text().count(name) > 1
