"""Measures the page of a large pack, and how much memory it takes: STICKERS=100000 run.sh STICKERD measure.py. A busy machine
makes times meaningless."""

import pathlib

import pytest
from large import MANY

MAX_FIRST_PAINT = 3000
MAX_TYPICAL_FRAME = 60
MAX_MEGABYTES = 300

SCROLL = """async ([selector, property, distance, frames]) => {
    const scroller = selector ? document.querySelector(selector) : document.scrollingElement;
    if (selector) scroller.style.scrollSnapType = 'none';
    const times = [];
    let last = await new Promise(requestAnimationFrame);
    for (let frame = 0; frame < frames; frame += 1) {
        scroller[property] += distance;
        const now = await new Promise(requestAnimationFrame);
        times.push(now - last);
        last = now;
    }
    times.sort((a, b) => a - b);
    return { median: times[frames >> 1], p95: times[Math.floor(frames * 0.95)], worst: times[frames - 1] };
}"""


def report(line):
    pytest.measured = getattr(pytest, "measured", []) + [f"{MANY:,} stickers: {line}"]


@pytest.mark.parametrize("view", ["carousel", "grid", "colors"])
def test_the_page_is_painted_quickly(opened, many, view):
    page = opened(f"{many}#/{view}")
    page.wait_for_function("() => performance.getEntriesByName('first-contentful-paint').length")
    paint = page.evaluate("performance.getEntriesByName('first-contentful-paint')[0].startTime")
    report(f"{view} first painted after {paint:.0f} ms ({many.split(':')[0]})")
    assert paint < MAX_FIRST_PAINT


@pytest.mark.parametrize("view, selector, property_, distance", [
    ("carousel", "#track", "scrollLeft", 60), ("grid", None, "scrollTop", 120), ("colors", None, "scrollTop", 120)])
def test_scrolling_is_smooth(opened, many, view, selector, property_, distance):
    page = opened(f"{many}#/{view}")
    found = page.evaluate(SCROLL, [selector, property_, distance, 200])
    report(f"{view} frames while scrolling: median {found['median']:.0f}, 95 % {found['p95']:.0f}, worst {found['worst']:.0f} ms")
    assert found["median"] < MAX_TYPICAL_FRAME


def test_only_what_is_near_takes_memory(opened, many, browser):
    page = opened(many, is_new=True)
    page.keyboard.press("End")
    page.get_by_role("tab", name="Grid").click()
    height = page.evaluate("document.scrollingElement.scrollHeight")
    for step in range(40):
        page.evaluate("(top) => scrollTo(0, top)", height * step / 40)
        page.wait_for_function("() => document.querySelector('.chunk:not(.unfilled)') !== null")
        page.wait_for_timeout(50)
    session = page.context.new_cdp_session(page)
    heap = session.send("Runtime.getHeapUsage")["usedSize"] / 1e6
    processes = browser.new_browser_cdp_session().send("SystemInfo.getProcessInfo")["processInfo"]
    renderers = [process["id"] for process in processes if process["type"] == "renderer"]
    peak = max(resident(renderer) for renderer in renderers)
    # Chromium keeps decoded pictures that are out of sight, 100 MB and more, until the system runs short of memory.
    session.send("Memory.simulatePressureNotification", {"level": "critical"})
    page.wait_for_timeout(3000)
    size = max(resident(renderer) for renderer in renderers)
    report(f"memory {heap:.0f} MB of JavaScript, {size:.0f} MB in the largest renderer, "
           f"{peak:.0f} while scrolling ({many.split(':')[0]})")
    assert heap < MAX_MEGABYTES and size < MAX_MEGABYTES and peak < 1.2 * MAX_MEGABYTES


def resident(process):
    """The memory of a process that it shares with no file, in megabytes."""
    lines = pathlib.Path(f"/proc/{process}/status").read_text().splitlines()
    return sum(int(line.split()[1]) for line in lines if line.startswith(("RssAnon", "RssShmem"))) / 1000
