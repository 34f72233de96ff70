"""Opens the live page of several devices in Chromium, chooses some, and prints what is on it.

usage: live-devices.py URL FIRST SECOND LATE GONE

The first line comes when FIRST and SECOND are on the page and SECOND was chosen; the second one when the device
LATE has appeared and GONE was forgotten; the third one when the page has lost the server.
"""

import json
import sys

import pages

PAGE = """() => ({
  title: document.title,
  device: document.getElementById('device').textContent,
  status: document.getElementById('status').textContent,
  inside: [...document.querySelectorAll('#inside li bdi')].map(e => e.textContent),
  position: Object.fromEntries([...document.querySelectorAll('#position div')]
    .map(e => [e.querySelector('dt').textContent, e.querySelector('dd').textContent])),
  rows: [...document.querySelectorAll('#devices button')]
    .map(e => ({name: e.dataset.device, words: e.querySelector('.device').textContent,
                where: e.querySelector('.where').textContent, chosen: e.hasAttribute('aria-current')})),
  events: [...document.querySelectorAll('#events button')]
    .map(e => ({id: e.dataset.id, names: [...e.querySelectorAll('.what bdi')].map(b => b.textContent)})),
  tracks: waymark.model.tracks.map(t => [t.name, t.count]),
  isInView: waymark.map.getBounds().contains(
    [waymark.fleet.chosen.track.latitude.at(-1), waymark.fleet.chosen.track.longitude.at(-1)]),
  markup: document.querySelectorAll('main img, main b, main script').length,
  scripts: window.hostile === undefined,
})"""


def row(name):
    return f"#devices button[data-device={json.dumps(name)}]"


def report(**more):
    print(json.dumps(page.evaluate(PAGE) | seen | more), flush=True)


url, first, second, late, gone = sys.argv[1:]
with pages.chromium() as browser:
    seen = {"requests": [], "complaints": []}

    def open_page(**options):
        page = pages.new_page(browser, seen, **options)
        page.goto(url)
        for name in [first, second, gone]:
            page.wait_for_selector(row(name))
        page.wait_for_function(
            "() => window.waymark && waymark.model.tracks.filter(t => t.count).length >= 3")
        return page

    page, axe, overflow = pages.appearances(open_page)
    at_first = page.locator("#device").inner_text()
    # A search leaves one row.
    page.fill("#find", second.upper())
    found = page.locator("#devices button").count()
    page.fill("#find", "no such name")
    none = page.locator("#more-devices").inner_text()
    page.fill("#find", "")
    page.wait_for_selector(row(first))
    page.click(row(second))
    pages.frames(page)
    axe += pages.violations(page)
    report(axe=axe, overflow=overflow, found=found, none=none, first=at_first)
    page.wait_for_selector(row(late))
    page.wait_for_selector(row(gone), state="detached")
    # Otherwise the map goes back to the device.
    page.uncheck("#follow")
    # Chosen on the map.
    place = page.evaluate(
        """name => { waymark.selection.select(null); const {estimates: e} = waymark.fleet.devices.get(name).track;
           waymark.map.setView([e.latitude[0], e.longitude[0]], 16, {animate: false});
           const p = waymark.map.latLngToContainerPoint([e.latitude[0], e.longitude[0]]);
           return {x: p.x, y: p.y}; }""", late)
    page.locator("#map").click(position=place)
    pages.frames(page)
    report()
    page.wait_for_selector("#status.bad:has-text('no connection to Waymark')")
    report()
