"""Opens the live page in Chromium, and prints what is on it: a JSON object a line.

usage: live-page.py URL EVENT [EVENT]

The first object comes when the first event is on the page; with a second event, another when the page
has lost the server and got that event from its successor.
"""

import json
import sys

import pages

PAGE = """() => ({
  title: document.title,
  status: document.getElementById('status').textContent,
  inside: [...document.querySelectorAll('#inside li bdi')].map(e => e.textContent),
  events: [...document.querySelectorAll('#events button')]
    .map(e => ({id: e.dataset.id, words: e.querySelector('.what').textContent,
                utc: e.querySelector('time')?.title})),
  footer: document.querySelector('footer').textContent,
  scripts: window.hostile === undefined,
})"""
# What the map has.
MAP = """() => ({
  positions: [...waymark.model.tracks[0].longitude],
  fences: waymark.model.fences.map(f => f.id),
  tiles: [...waymark.tiles.images].filter(([, image]) => image.naturalWidth).map(([tile]) => tile),
})"""


def report(page, seen, **more):
    print(json.dumps(page.evaluate(PAGE) | seen | more), flush=True)


url, *events = sys.argv[1:]
with pages.chromium() as browser:
    seen = {"requests": [], "complaints": []}

    def open_page(**options):
        page = pages.new_page(browser, seen, **options)
        page.goto(url)
        page.wait_for_selector(f"#events button[data-id='{events[0]}']")
        page.wait_for_function(
            "() => window.waymark && waymark.model.tracks[0].count && waymark.model.fences.length")
        return page

    page, axe, overflow = pages.appearances(open_page)
    # Otherwise the map goes back to the device.
    page.uncheck("#follow")
    errors = pages.errors(page)
    axe += pages.violations(page)
    page.click(f"#events button[data-id='{events[0]}']")
    page.wait_for_selector("#detail .reasons")
    detail = page.locator("#detail").inner_text()
    axe += pages.violations(page)
    page.wait_for_function(
        "() => waymark.tiles.images.get('0/0/0')?.naturalWidth && waymark.tiles.isComplete")
    report(page, seen, axe=axe, overflow=overflow, errors=errors, detail=detail, map=page.evaluate(MAP))
    if len(events) > 1:
        page.wait_for_selector("#status.bad:has-text('no connection to Waymark')")
        print(json.dumps({"lost": True}), flush=True)
        count = page.evaluate("waymark.model.tracks[0].count")
        page.wait_for_selector(f"#events button[data-id='{events[1]}']")
        page.wait_for_function("count => waymark.model.tracks[0].count > count", arg=count)
        # The browser complains about the server that is gone.
        seen["complaints"] = [c for c in seen["complaints"] if "net::" not in c]
        report(page, seen, map=page.evaluate(MAP))
