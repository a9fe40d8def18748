"""The HTML report in headless Chromium: real models, clicks, keys, both colour schemes and a phone's width.

Screenshots are written to `artefacts/report`, which is not in git.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from shutil import which
from typing import Any

import pytest

from tests.report.models import NAMES, chain_model, counter_model, instances, larger_task, solved
from tests.report.test_pictures import HOSTILE, hostile_model
from trailmark.models.model import Model
from trailmark.report import explain, explain_states, outline, page

webdriver = pytest.importorskip("selenium.webdriver", reason="the extra `browser` is not installed")
CHROMIUM, DRIVER = which("chromium"), which("chromedriver")
pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(
        CHROMIUM is None or DRIVER is None, reason="Chromium and its driver are not installed"
    ),
]

ARTEFACTS = Path(__file__).parents[2] / "artefacts" / "report"
DESKTOP, PHONE = (1100, 900), (360, 740)
SWITCHES = [
    "--headless",
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
]


@pytest.fixture(scope="module")
def browser(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Any]:
    from selenium.webdriver.chrome.service import Service

    options = webdriver.ChromeOptions()
    for switch in (*SWITCHES, f"--user-data-dir={tmp_path_factory.mktemp('chromium')}"):
        options.add_argument(switch)
    options.binary_location = CHROMIUM
    options.set_capability("goog:loggingPrefs", {"browser": "ALL"})
    driver = webdriver.Chrome(options=options, service=Service(DRIVER))
    yield driver
    driver.quit()


@pytest.fixture
def opened(browser: Any, tmp_path: Path) -> Callable[..., Any]:
    """Opens a page at a size and in a colour scheme."""

    def open_page(text: str, size: tuple[int, int] = DESKTOP, scheme: str = "light") -> Any:
        file = tmp_path / "page.html"
        file.write_text(text, encoding="utf-8")
        width, height = size
        metrics = {"width": width, "height": height, "deviceScaleFactor": 1, "mobile": size == PHONE}
        browser.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", metrics)
        feature = {"name": "prefers-color-scheme", "value": scheme}
        browser.execute_cdp_cmd("Emulation.setEmulatedMedia", {"features": [feature]})
        browser.get_log("browser")
        browser.get(file.as_uri())
        return browser

    return open_page


def whole_page(browser: Any, name: str) -> None:
    """A screenshot of everything, also of what is out of view."""
    ARTEFACTS.mkdir(parents=True, exist_ok=True)
    width, height = browser.execute_script("return [innerWidth, document.documentElement.scrollHeight]")
    metrics = {"width": width, "height": height, "deviceScaleFactor": 1, "mobile": width == PHONE[0]}
    browser.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", metrics)
    browser.save_screenshot(str(ARTEFACTS / f"{name}.png"))


def shown_details(browser: Any) -> list[str]:
    script = "return [...document.querySelectorAll('.detail')].filter(e => e.offsetParent).map(e => e.id)"
    return list(browser.execute_script(script))


def find(browser: Any, selector: str) -> list[Any]:
    return list(browser.find_elements("css selector", selector))


def explained_page(name: str, model: Model) -> str:
    task = larger_task(name)
    explanation = explain(model, task, solved(task))
    return page(explanation.outline, explanation)


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("model_of", [chain_model, counter_model])
def test_a_click_shows_the_formula_and_nothing_goes_wrong(
    name: str, model_of: Callable[[str], Model], opened: Callable[..., Any]
) -> None:
    model = model_of(name)
    browser = opened(explained_page(name, model))
    nodes = find(browser, ".tm-landmark")
    told = outline(model)
    assert len(nodes) == len(told.landmarks)
    assert shown_details(browser) == ["landmark-1"]
    for number, (node, landmark) in enumerate(zip(nodes, told.landmarks, strict=True), start=1):
        node.click()
        assert shown_details(browser) == [f"landmark-{number}"]
        text = find(browser, f"#landmark-{number}")[0].text
        assert all(part.formula in text for part in landmark.parts)
        assert "value" in text
    assert find(browser, "#plan .tracks svg")
    assert find(browser, ".stretches > li")
    assert browser.get_log("browser") == []
    whole_page(browser, f"{name}-{model.method}-light")


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_nothing_is_wider_than_a_phone(name: str, scheme: str, opened: Callable[..., Any]) -> None:
    for model in (chain_model(name), counter_model(name)):
        browser = opened(explained_page(name, model), PHONE, scheme)
        for each in find(browser, "details"):
            browser.execute_script("arguments[0].open = true", each)
        for each in find(browser, ".detail"):
            browser.execute_script("arguments[0].hidden = false", each)
        width = browser.execute_script("return document.documentElement.scrollWidth")
        assert width <= PHONE[0]
        assert browser.get_log("browser") == []
        opened(explained_page(name, model), PHONE, scheme)
        whole_page(browser, f"{name}-{model.method}-phone-{scheme}")


def test_landmarks_are_chosen_with_the_keyboard_alone(opened: Callable[..., Any]) -> None:
    from selenium.webdriver.common.action_chains import ActionChains
    from selenium.webdriver.common.keys import Keys

    browser = opened(page(outline(chain_model("delivery"))))

    def press(*keys: str) -> None:
        chain = ActionChains(browser)
        for key in keys:
            chain.send_keys(key)
        chain.perform()

    press(Keys.TAB, Keys.TAB, Keys.ENTER)
    assert shown_details(browser) == ["landmark-2"]
    press(Keys.ARROW_DOWN, Keys.SPACE)
    assert shown_details(browser) == ["landmark-3"]
    press(Keys.ARROW_UP, Keys.ARROW_UP, Keys.ENTER)
    assert shown_details(browser) == ["landmark-1"]
    pressed = [each.get_attribute("aria-pressed") for each in find(browser, ".tm-landmark")]
    assert pressed == ["true", "false", "false", "false"]


def test_the_values_follow_the_state_that_is_chosen(opened: Callable[..., Any]) -> None:
    from selenium.webdriver.common.keys import Keys

    model, instance = chain_model("delivery"), instances("delivery")[4]
    explanation = explain(model, instance.task, instance.plan)
    browser = opened(page(explanation.outline, explanation))
    slider = find(browser, "#state")[0]
    places = find(browser, "#landmark-1 [data-features]")

    def values() -> list[int]:
        return [int(place.find_element("css selector", "b").get_attribute("textContent")) for place in places]

    def expected(state: int) -> list[int]:
        columns = [int(place.get_attribute("data-features")) for place in places]
        return [explanation.states[state][column] for column in columns]

    assert values() == expected(0)
    slider.send_keys(Keys.ARROW_RIGHT)
    assert values() == expected(1)
    assert "✗" not in find(browser, "#landmark-1")[0].text
    assert explanation.steps[0] in find(browser, "#where")[0].text
    find(browser, ".stretches > li button")[-1].click()
    assert slider.get_attribute("value") == str(len(explanation.steps))
    assert shown_details(browser) == ["landmark-4"]
    assert "✗" not in find(browser, "#landmark-4")[0].text
    slider.send_keys(Keys.HOME)
    assert values() == expected(0)
    assert browser.get_log("browser") == []
    whole_page(browser, "delivery-values")


@pytest.mark.parametrize("size", [DESKTOP, PHONE])
def test_hostile_names_run_nothing_and_break_nothing(
    size: tuple[int, int], opened: Callable[..., Any]
) -> None:
    model = hostile_model()
    explanation = explain_states(model, [[1, 2, 0], [0, 1, 0], [0, 1, 1]], [HOSTILE, HOSTILE], HOSTILE)
    browser = opened(page(explanation.outline, explanation), size)
    assert find(browser, "img") == []
    assert len(find(browser, "script")) == 2
    assert find(browser, "h1")[0].text == HOSTILE
    find(browser, ".tm-landmark")[1].click()
    assert shown_details(browser) == ["landmark-2"]
    assert browser.get_log("browser") == []
    assert browser.execute_script("return document.documentElement.scrollWidth") <= size[0]
    whole_page(browser, f"hostile-{size[0]}")


def test_dark_and_light_have_readable_contrast(opened: Callable[..., Any]) -> None:
    script = """
    const parts = c => c.match(/[\\d.]+/g).slice(0, 3).map(v => v / 255)
        .map(v => v <= 0.03928 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4);
    const light = c => { const [r, g, b] = parts(c); return 0.2126 * r + 0.7152 * g + 0.0722 * b; };
    const ratio = (a, b) => {
        const [x, y] = [light(a), light(b)].sort((p, q) => q - p);
        return (x + .05) / (y + .05);
    };
    const card = getComputedStyle(document.querySelector(".card")).backgroundColor;
    const words = ".card p, .card li, .card code, .card dd, .card dt, .label, .value";
    const found = [...document.querySelectorAll(words)]
        .map(e => ratio(getComputedStyle(e).color, card));
    for (const e of document.querySelectorAll(".tm-landmark:not([aria-pressed=true])")) {
        const box = getComputedStyle(e.querySelector(".tm-box")).fill;
        for (const t of e.querySelectorAll("text")) found.push(ratio(getComputedStyle(t).fill, box));
    }
    return Math.min(...found);
    """
    for scheme in ("light", "dark"):
        browser = opened(explained_page("delivery", chain_model("delivery")), DESKTOP, scheme)
        assert browser.execute_script(script) >= 4.5
        whole_page(browser, f"delivery-chain-{scheme}")


def test_without_its_script_the_page_still_shows_everything(opened: Callable[..., Any]) -> None:
    text = page(outline(chain_model("ferry")))
    browser = opened(text[: text.index("<script>")] + "</body></html>")
    assert len(shown_details(browser)) == len(chain_model("ferry").guidance)


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_a_picture_on_its_own_is_drawn(browser: Any, tmp_path: Path, scheme: str) -> None:
    from trailmark.report import graph_svg

    file = tmp_path / "graph.svg"
    file.write_text(graph_svg(outline(chain_model("delivery"))), encoding="utf-8")
    feature = {"name": "prefers-color-scheme", "value": scheme}
    browser.execute_cdp_cmd("Emulation.setEmulatedMedia", {"features": [feature]})
    browser.get(file.as_uri())
    fits = """
    return [...document.querySelectorAll(".tm-landmark")].every(group => {
        const box = group.querySelector("rect").getBBox();
        return [...group.querySelectorAll("text")].every(text => {
            const words = text.getBBox();
            return words.x >= box.x && words.x + words.width <= box.x + box.width;
        });
    });
    """
    assert browser.execute_script(fits)
    ARTEFACTS.mkdir(parents=True, exist_ok=True)
    browser.save_screenshot(str(ARTEFACTS / f"delivery-svg-{scheme}.png"))
