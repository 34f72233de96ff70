"""Opens pages of `waymark report` in Chromium.

usage: report-page.py PAGE...          (absolute paths)
       report-page.py --picture PAGE PNG WIDTHxHEIGHT

It prints one object of JSON a page: what the browser requested, what it complained about, what is on the
page, what axe-core found in light, in dark and on a phone, and how far each event is drawn from where it
should be.
"""

import json
import sys

import pages


def open_page(browser, path, seen, **options):
    page = pages.new_page(browser, seen, **options)
    page.goto(f"file://{path}")
    page.wait_for_function("window.waymark")
    pages.frames(page)
    return page


def check(browser, path):
    seen = {"requests": [], "complaints": []}
    page = open_page(browser, path, seen, **pages.WIDE)
    seen["axe"] = pages.violations(page)
    buttons = page.locator("#events button")
    seen["ids"] = page.evaluate("[...document.querySelectorAll('#events button')].map(b => b.dataset.id)")
    seen["texts"] = buttons.all_inner_texts()
    seen["title"] = page.locator("#title").inner_text()
    seen["totals"] = page.locator("#totals").inner_text()
    seen["errors"] = pages.errors(page)
    if seen["errors"]:
        seen["axe"] += pages.violations(page)
    page.select_option("#units", "nautical")
    seen["scale"] = page.locator(".leaflet-control-scale").inner_text()
    page.close()
    page = open_page(browser, path, seen, **pages.DARK)
    seen["axe"] += pages.violations(page)
    page.close()
    page = open_page(browser, path, seen, **pages.PHONE)
    seen["axe"] += pages.violations(page)
    seen["overflow"] = pages.overflow(page)
    page.close()
    page = browser.new_page(java_script_enabled=False)
    page.goto(f"file://{path}")
    seen["noscript"] = page.locator("noscript").inner_text() if page.locator("noscript").count() else ""
    page.close()
    return seen


def picture(browser, path, target, size):
    width, height = (int(side) for side in size.split("x"))
    page = open_page(
        browser, path, {"requests": [], "complaints": []}, viewport={"width": width, "height": height})
    page.evaluate(
        "waymark.selection.select(waymark.model.events.filter(e => e.type === 'enter')[1])")
    pages.frames(page)
    page.evaluate("document.querySelector('.side').scrollTop = 0")
    page.screenshot(path=target)


with pages.chromium() as browser:
    if sys.argv[1] == "--picture":
        picture(browser, *sys.argv[2:])
    else:
        for path in sys.argv[1:]:
            print(json.dumps(check(browser, path)))
